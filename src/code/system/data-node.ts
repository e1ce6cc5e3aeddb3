/** A node whose states are captured as data and written back in place. */
import {
  SnapshotTable,
  copyRoots,
  renamedData,
  renamedText,
  withField,
  type CodeInspector,
  type LiveHeap,
  type RealmRules,
  type Renaming,
  type Snapshot,
} from "../heap/index.js";
import type { Realm } from "../realm/index.js";
import type { Call, Mailbox, Side } from "./inside.js";
import { openNode } from "./node-heap.js";
import {
  Nondeterminism,
  OpaqueNode,
  type LocalState,
  type LocalStep,
  type NodeProcess,
  type StepOptions,
} from "./node-process.js";
import { runStep } from "./run-step.js";
import type { RealmPlan, SystemSource } from "./source.js";

interface State extends LocalState {
  readonly heap: number;
  view: unknown;
}

export class DataNode implements NodeProcess {
  readonly mode = "data";
  readonly #name: string;
  readonly #realm: Realm;
  readonly #mailbox: Mailbox;
  readonly #rules: RealmRules;
  readonly #heap: LiveHeap;
  readonly #snapshots: SnapshotTable;
  readonly #states: State[] = [];
  readonly #numbers = new Map<string, number>();
  /** The code is loaded and no node made of it yet. */
  readonly #fresh: number;
  #steps = 0;

  constructor(source: SystemSource, plan: RealmPlan, inspector: CodeInspector, ignore: readonly string[]) {
    this.#name = plan.name;
    const opened = openNode(source, plan, { inspector, ignore, watchesIntrinsics: true });
    this.#realm = opened.realm;
    this.#mailbox = opened.mailbox;
    this.#rules = opened.rules;
    this.#heap = opened.heap;
    this.#snapshots = new SnapshotTable(this.#rules);
    this.#fresh = this.#snapshots.intern(this.#capture());
  }

  get states(): number {
    return this.#states.length;
  }

  get figures(): LiveHeap["figures"] {
    return this.#heap.figures;
  }

  down(disk: Side["disk"]): number {
    return this.#number(this.#fresh, { isUp: false, side: { timers: [], disk, unsynced: [] }, pending: [] });
  }

  step(from: number, call: Call, how: StepOptions): LocalStep {
    const step = this.#step(from, call, how);
    // What does not end takes its time to do so; what is told was compared before.
    if (how.tells || step.report.failure?.kind === "livelock") return step;
    if (this.#steps++ < EVERY_STEP || this.#steps % SOME_STEPS === 0) this.#compare(step, from, call, how);
    return step;
  }

  state(number: number): LocalState {
    return this.#states[number - 1]!;
  }

  view(number: number): unknown {
    const state = this.#states[number - 1]!;
    if (!state.isUp) return undefined;
    return (state.view ??= copyRoots(this.#snapshots.at(state.heap), this.#rules)[0]);
  }

  /** All there is to a state, in the words of any node of the same code, after some names were exchanged. */
  renamed(number: number, renaming: Renaming): string {
    const { heap, isUp, side } = this.#states[number - 1]!;
    const loaded = this.#snapshots.at(this.#fresh);
    const text = renamedText(this.#snapshots.at(heap), loaded, this.#rules, renaming);
    return `${isUp} ${JSON.stringify(renamedSide(side, renaming.names))} ${text}`;
  }

  snapshot(number: number): Snapshot {
    return this.#snapshots.at(this.#states[number - 1]!.heap);
  }

  get rules(): RealmRules {
    return this.#rules;
  }

  /** The state in which one field of one object has another value, and all else is the same. */
  overwritten(number: number, place: number, field: number, value: unknown): number {
    const { isUp, side, pending } = this.#states[number - 1]!;
    const problem = this.#heap.restore(withField(this.snapshot(number), place, field, value));
    if (problem) throw new OpaqueNode(this.#name, problem.what, problem.path);
    return this.#number(this.#snapshots.intern(this.#capture()), { isUp, side, pending });
  }

  #step(from: number, call: Call, how: StepOptions): LocalStep {
    const state = this.#states[from - 1]!;
    const problem = this.#heap.restore(this.#snapshots.at(state.heap));
    if (problem) throw new OpaqueNode(this.#name, problem.what, problem.path);
    const report = runStep(this.#realm, this.#mailbox, { call, side: state.side, ...how });
    if (report.failure) {
      this.#heap.invalidate();
      return { next: 0, report };
    }
    if (report.pending.length > 0)
      throw new OpaqueNode(this.#name, "code that waits", report.pending[0]!.label);
    const heap = this.#snapshots.intern(this.#capture());
    return { next: this.#number(heap, { isUp: true, side: report.side, pending: [] }), report };
  }

  #compare(step: LocalStep, from: number, call: Call, how: StepOptions): void {
    const again = this.#step(from, call, how);
    if (again.report.isStarved) return;
    if (again.next !== step.next) throw new Nondeterminism(this.#name, "its state differs");
    if (JSON.stringify(again.report.made) !== JSON.stringify(step.report.made))
      throw new Nondeterminism(this.#name, "its choices differ");
    if (JSON.stringify(again.report.sends) !== JSON.stringify(step.report.sends))
      throw new Nondeterminism(this.#name, "its messages differ");
    const patched = this.#rules.patched();
    if (patched !== undefined) throw new OpaqueNode(this.#name, "a changed object of the language", patched);
  }

  #capture(): Snapshot {
    const captured = this.#heap.capture();
    if ("what" in captured) throw new OpaqueNode(this.#name, captured.what, captured.path);
    return captured;
  }

  #number(heap: number, state: LocalState): number {
    const key = `${heap} ${state.isUp} ${JSON.stringify(state.side)}`;
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#states.push({ ...state, heap, view: undefined });
    this.#numbers.set(key, this.#states.length);
    return this.#states.length;
  }
}

/** What is on disk is text that says data, where the node's own interface wrote it. */
function renamedSide({ timers, disk, unsynced }: Side, names: Renaming["names"]): unknown {
  const text = (value: string | null): string | null => {
    try {
      return value === null ? null : JSON.stringify(renamedData(JSON.parse(value), names));
    } catch {
      return value;
    }
  };
  const key = (name: string): string => names.get(name) ?? name;
  return [
    timers.map(({ name, leftMs }) => [key(name), leftMs]),
    Object.entries(disk).map(([name, value]) => [key(name), text(value)]),
    unsynced.map((changes) => changes.map(({ key: name, value }) => [key(name), text(value)])),
  ];
}

/** The first steps of a node are all made twice, later ones now and then. */
const EVERY_STEP = 20;
const SOME_STEPS = 64;
