/** A search with one of the stores, driven to its end. */
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import { SafetyMonitor, type Violation } from "../../../src/engines/explicit/monitor.js";
import { Run, type Order } from "../../../src/engines/explicit/order.js";
import { createVisited, type StoreChoice } from "../../../src/engines/explicit/stores/choice.js";
import { DeltaVisited } from "../../../src/engines/explicit/stores/delta-visited.js";
import type { DeltaFigures } from "../../../src/engines/explicit/stores/delta.js";
import { QueueOrder } from "../../../src/engines/explicit/stores/queue-order.js";
import { StackOrder } from "../../../src/engines/explicit/stores/stack-order.js";
import { ExactStore } from "../../../src/engines/explicit/store.js";
import { Successors, type Model, type Words } from "../../../src/model/index.js";

export interface Searched {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  readonly stop: string | undefined;
  readonly violations: readonly Violation[];
  readonly bytes: number;
  readonly delta: DeltaFigures | undefined;
  /** A state on the path of a violation. */
  readonly state: (id: number) => Words;
}

export function searchWith(
  model: Model,
  order: "bfs" | "dfs",
  choice: StoreChoice,
  maxStates = Infinity,
): Searched {
  const ledger = new Ledger();
  const { system } = model;
  const initial = new Successors(system.width);
  system.initial(initial);
  const visited = createVisited(choice, system, { order, maxStates }, ledger)!;
  let active: Order | undefined;
  const monitor = new SafetyMonitor(
    model,
    {
      maxErrors: Infinity,
      checksDeadlock: true,
      checksSite: model.sites.map(() => true),
      invariants: model.invariants.map((_, i) => i),
    },
    (id) => active!.pathTo(id),
  );
  const unused = new ExactStore(
    { width: system.width, compareFrom: system.compareFrom, keepsParents: false, maxStates },
    ledger,
  );
  const run = new Run(model, unused, monitor, Infinity);
  if (visited.add(initial.words, 0, 0, 0, 0) === 1) {
    active =
      order === "bfs"
        ? new QueueOrder(run, visited, initial.words, ledger)
        : new StackOrder(run, visited, initial.words, ledger);
    for (const index of monitor.invariants)
      if (!model.holds(index, initial.words, 0)) monitor.broken(index, 1);
    while (active.advance(1000));
  }
  return {
    states: visited.count,
    transitions: run.transitions,
    depth: active?.depth ?? 0,
    stop: run.stop,
    violations: monitor.violations,
    bytes: ledger.peakBytes,
    delta: visited instanceof DeltaVisited ? visited.store.figures() : undefined,
    state: (id) => visited.state(id),
  };
}
