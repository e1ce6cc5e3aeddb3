/**
 * Follows an abstract trace in the concrete semantics, by the same edges and kinds of messages, or finds the point where this is
 * impossible.
 */
import {
  Successors,
  type MessageStep,
  type MessageSystem,
  type Trace,
  type Words,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import type { Classes } from "./classes.js";
import type { CountedEdge, CountingSystem } from "./system.js";

export type Concretised =
  | { readonly kind: "genuine"; readonly choices: readonly number[]; readonly final: Words }
  /** No execution follows the trace beyond `after` edges. */
  | { readonly kind: "spurious"; readonly after: number; readonly edge: CountedEdge };

export function concretise(
  counting: CountingSystem,
  concrete: MessageSystem,
  classes: Classes,
  trace: Trace,
): Concretised {
  const choices: number[] = [];
  const out = new Successors(concrete.width);
  concrete.initial(out);
  let state = entry(out, 0);
  for (const edge of edgesOf(counting, trace)) {
    const choice = concrete
      .stepsFrom(state, 0)
      .findIndex((step) => isInstanceOf(step, edge, counting, classes));
    if (choice < 0) return { kind: "spurious", after: choices.length, edge };
    out.clear();
    concrete.successors(state, 0, out);
    choices.push(choice);
    state = entry(out, choice);
  }
  return { kind: "genuine", choices, final: state };
}

function edgesOf(counting: CountingSystem, { choices }: Trace): CountedEdge[] {
  const edges: CountedEdge[] = [];
  const out = new Successors(counting.width);
  counting.initial(out);
  let state = entry(out, 0);
  for (const choice of choices) {
    edges.push(...counting.edgesOf(state, 0, choice));
    out.clear();
    counting.successors(state, 0, out);
    state = entry(out, choice);
  }
  return edges;
}

function isInstanceOf(
  { principal, edge, taken, location, values }: MessageStep,
  counted: CountedEdge,
  counting: CountingSystem,
  classes: Classes,
): boolean {
  if (principal !== counted.principal || edge !== counted.edge) return false; // sound: test/transforms/counting/conditions.test.ts
  // sound: test/transforms/counting/conditions.test.ts
  if (taken) {
    const cell = counting.cells.at(counted.taken);
    if (cell.kind !== "message" || cell.message !== taken.message) return false; // sound: test/transforms/counting/conditions.test.ts
    if (cell.class !== classes.of(taken.provenance)) return false; // sound: test/transforms/counting/conditions.test.ts
  }
  // A principal may have several instances: selects the one with the same values.
  return (
    // sound: test/transforms/counting/conditions.test.ts
    location === counted.location &&
    // sound: test/transforms/counting/conditions.test.ts
    values.every(({ message, provenance }, variable) => {
      if (counting.isDead(principal, location, variable)) return true; // sound: test/transforms/counting/conditions.test.ts
      const value = nth(counted.values, variable);
      return counting.messageIn(value) === message && counting.classIn(value) === classes.of(provenance); // sound: test/transforms/counting/conditions.test.ts
    })
  );
}

const entry = ({ words, stride }: Successors, index: number): Words =>
  words.slice(index * stride, (index + 1) * stride);
