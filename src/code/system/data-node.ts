/** A node whose states are captured as data and written back in place. */
import { Script } from "node:vm";
import {
  LiveHeap,
  SnapshotTable,
  copyRoots,
  hiddenIntrinsics,
  realmRules,
  type CodeInspector,
  type RealmRules,
  type Roots,
  type Snapshot,
} from "../heap/index.js";
import type { Realm } from "../realm/index.js";
import { ignoring } from "./ignore.js";
import type { Call, Mailbox, Side } from "./inside.js";
import {
  Nondeterminism,
  OpaqueNode,
  type LocalState,
  type LocalStep,
  type NodeProcess,
  type StepOptions,
} from "./node-process.js";
import { runStep } from "./run-step.js";
import { openRealm, type RealmPlan, type SystemSource } from "./source.js";

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
    let rules: RealmRules | undefined;
    const { realm, mailbox } = openRealm(source, {
      ...plan,
      before: (opened, box) => {
        rules = rulesOf(opened, box, inspector, ignore);
      },
    });
    this.#realm = realm;
    this.#mailbox = mailbox;
    this.#rules = rules!;
    // What the file says about the system is no state of the node, and may close over parameters.
    this.#rules.exempt(mailbox.file(), "the system file");
    this.#rules.exempt(mailbox.definition(), "the system");
    this.#rules.exempt(mailbox.environment(), "the environment");
    this.#heap = new LiveHeap(new NodeRoots(realm, mailbox, this.#rules), this.#rules);
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
    // What does not end takes its time to do so.
    if (step.report.failure?.kind === "livelock") return step;
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

/** The first steps of a node are all made twice, later ones now and then. */
const EVERY_STEP = 20;
const SOME_STEPS = 64;

function rulesOf(
  realm: Realm,
  mailbox: Mailbox,
  inspector: CodeInspector,
  ignore: readonly string[],
): RealmRules {
  const weak = { entriesOf: mailbox.weakEntriesOf, setEntries: mailbox.setWeakEntries };
  const global = globalScript.runInContext(realm.context) as object;
  const abstraction = ignoring(ignore);
  const own = new Map<object, string>([
    [mailbox, "mailbox"],
    [realm.context, "globalThis"],
  ]);
  const hidden = hiddenScript.runInContext(realm.context) as object[];
  return realmRules(global, { inspector, weak, own, hidden, ...(abstraction ? { abstraction } : {}) });
}

const globalScript = new Script("globalThis");
const hiddenScript = new Script(hiddenIntrinsics);

/** The node and every binding of its modules, which are global names of the realm. */
class NodeRoots implements Roots {
  readonly #realm: Realm;
  readonly #mailbox: Mailbox;
  readonly #isOld: (name: string) => boolean;

  constructor(realm: Realm, mailbox: Mailbox, rules: RealmRules) {
    this.#realm = realm;
    this.#mailbox = mailbox;
    const old = new Set(rules.globalNames);
    this.#isOld = (name) => old.has(name);
  }

  read(): { names: string[]; values: unknown[] } {
    const global = this.#realm.context as Record<string, unknown>;
    const names = Object.getOwnPropertyNames(global).filter((name) => !this.#isOld(name));
    return {
      names: ["node", ...names],
      values: [this.#mailbox.node(), ...names.map((name) => global[name])],
    };
  }

  write(names: readonly string[], values: readonly unknown[]): void {
    const global = this.#realm.context as Record<string, unknown>;
    this.#mailbox.setNode(values[0] as never);
    for (const name of this.read().names.slice(1)) if (!names.includes(name)) delete global[name];
    for (let i = 1; i < names.length; i++)
      if (!Object.is(global[names[i]!], values[i])) global[names[i]!] = values[i];
  }
}
