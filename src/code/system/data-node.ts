/** A node whose states are captured as data and restored in place. */
import {
  SnapshotTable,
  copyRoots,
  differingFields,
  partText,
  renamedData,
  renamedText,
  sameImage,
  withField,
  type Copies,
  type Image,
  type LiveHeap,
  type Makers,
  type RealmRules,
  type Renaming,
  type Snapshot,
} from "../heap/index.js";
import type { Realm } from "../realm/index.js";
import type { Call, Mailbox, Order, Side, StepReport } from "./node-runtime.js";
import type { Journal, Table } from "../../model/journal.js";
import type { Closures } from "./closures.js";
import { openNode, type CaptureOptions } from "./node-heap.js";
import {
  ChangedByCondition,
  StepTimeout,
  Nondeterminism,
  OpaqueNode,
  type LocalState,
  type LocalStep,
  type NodeProcess,
  type StepOptions,
} from "./node-process.js";
import { explained, retryStarved, runStep } from "./run-step.js";
import { canonicalSide } from "./side.js";
import type { RealmPlan, SystemSource } from "./source.js";
import { entryOf, nth } from "../../model/known.js";

interface State extends LocalState {
  readonly heap: number;
  copies: Copies | undefined;
  diskText?: string;
}

/** Derivation of a state, by which another thread reconstructs it. */
type Origin =
  | { readonly disk: Side["disk"] }
  | {
      readonly from: number;
      readonly call: Call;
      readonly prefix: readonly number[];
      readonly mayFail: number;
    };

export class DataNode implements NodeProcess {
  readonly mode = "data";
  readonly #name: string;
  readonly #plan: RealmPlan;
  readonly #realm: Realm;
  readonly #mailbox: Mailbox;
  readonly #rules: RealmRules;
  readonly #closures: Closures;
  readonly #heap: LiveHeap;
  readonly #makers: Makers;
  readonly #snapshots: SnapshotTable;
  /** By number; states that only other threads have reached are missing. */
  readonly #states: State[] = [];
  readonly #numbers = new Map<string, number>();
  /** Shared numbering of states with their origins, if several threads search. */
  readonly #shared: { readonly journal: Journal; readonly table: Table } | undefined;
  readonly #origins: string[] = [];
  /** Heap with loaded code but without a node. */
  readonly #fresh: number;
  /** Images of the objects that exist without a node: classes, and values of modules. */
  readonly #loaded: ReadonlyMap<unknown, Image>;
  /** Whether a step has changed these. Methods of copies access them. */
  #keepsOutside = false;
  /** Heap of the live objects; 0: unnumbered. */
  #live = 0;
  /** Whether conditions have accessed the node since the live objects were last verified. */
  #isLookedAt = false;
  /** Disk shown to conditions; undefined: disk of the last step. */
  #diskLookedAt: string | undefined;
  #steps = 0;

  constructor(source: SystemSource, plan: RealmPlan, capture: CaptureOptions, journal?: Journal) {
    this.#name = plan.name;
    this.#plan = plan;
    this.#shared = journal && {
      journal,
      table: journal.table((number, key, note) => {
        this.#numbers.set(key, number + 1);
        this.#origins.push(note);
      }),
    };
    const opened = openNode(source, plan, capture);
    this.#realm = opened.realm;
    this.#mailbox = opened.mailbox;
    this.#rules = opened.rules;
    this.#closures = opened.closures;
    this.#heap = opened.heap;
    this.#makers = opened.makers;
    this.#snapshots = new SnapshotTable(this.#rules);
    const fresh = this.#capture();
    this.#fresh = this.#snapshots.intern(fresh);
    this.#loaded = new Map(fresh.entries.map(({ object, image }) => [object, image]));
  }

  get states(): number {
    return this.#states.length;
  }

  get figures(): LiveHeap["figures"] {
    return this.#heap.figures;
  }

  down(disk: Side["disk"]): number {
    const side = { timers: [], disk, unsynced: [] };
    return this.#number(this.#fresh, { isUp: false, side, pending: [] }, { disk });
  }

  step(from: number, call: Call, how: StepOptions): LocalStep {
    const step = this.#step(from, call, how);
    // Livelocks are too slow to repeat, and recorded steps were compared before.
    if (how.isRecorded || step.report.failure?.kind === "livelock") return step;
    if (this.#steps++ < EVERY_STEP || this.#steps % SOME_STEPS === 0) this.#compare(step, from, call, how);
    return step;
  }

  state(number: number): LocalState {
    return this.#at(number);
  }

  areDistinguished(a: number, b: number): boolean {
    return a !== b;
  }

  view(number: number): unknown {
    const state = this.#at(number);
    if (!state.isUp) return undefined;
    state.copies ??= copyRoots(this.#snapshots.at(state.heap), this.#rules, this.#makers);
    return state.copies.roots[0];
  }

  stand(number: number): unknown {
    const state = this.#at(number);
    const { heap, isUp, side } = state;
    if (!isUp) return undefined;
    // A failed step leaves objects that belong to no state.
    // sound: test/code/system/standing.test.ts
    if ((this.#keepsOutside || this.#live === 0) && this.#live !== heap) {
      this.#restore(this.#snapshots.at(heap));
      this.#live = heap;
    }
    this.#isLookedAt = true;
    const disk = (state.diskText ??= JSON.stringify({ disk: side.disk, unsynced: side.unsynced }));
    if (this.#diskLookedAt !== disk) this.#mailbox.look(disk); // sound: test/code/system/looking.test.ts
    this.#diskLookedAt = disk;
    return this.view(number);
  }

  checkCopy(number: number): void {
    const { copies } = this.#at(number);
    const path = copies?.changed();
    if (path === undefined) return;
    this.#at(number).copies = undefined;
    throw new ChangedByCondition(this.#name, path);
  }

  /** Throws if a condition changed objects outside its copy, which would leak into the next state. */
  checkOutside(): void {
    if (!this.#isLookedAt) return;
    this.#isLookedAt = false;
    if (this.#heap.isUntouched()) return;
    this.#live = 0;
    throw new ChangedByCondition(this.#name);
  }

  dataFields(): undefined {}

  /** Description of a state that is equal in every run: hash of its heap, timers and disk. */
  contentOf(number: number): string {
    const { heap, isUp, side } = this.#at(number);
    return `${this.#snapshots.at(heap).signature} ${isUp} ${JSON.stringify(side)}`;
  }

  /** Text of a state after renaming, comparable between nodes of the same code. */
  renamed(number: number, renaming: Renaming): string {
    const { heap, isUp, side } = this.#at(number);
    const loaded = this.#snapshots.at(this.#fresh);
    const text = renamedText(this.#snapshots.at(heap), loaded, this.#rules, renaming);
    const renamed = renamedSide(side, renaming.names);
    // Renaming changes the order.
    const beside = canonicalSide(renamed, this.#plan.timers, this.#plan.losesInOrder === true);
    return `${isUp} ${JSON.stringify(beside)} ${text}`;
  }

  /** Selected fields of the node and everything reachable from them, as canonical text. */
  part(number: number, fields: ReadonlySet<string>): string {
    return partText(this.#snapshots.at(this.#at(number).heap), this.#rules, fields);
  }

  snapshot(number: number): Snapshot {
    return this.#snapshots.at(nth(this.#states, number - 1).heap);
  }

  get rules(): RealmRules {
    return this.#rules;
  }

  /** The state with one field of one object replaced. */
  overwritten(number: number, place: number, field: number, value: unknown): number {
    const { isUp, side, pending } = nth(this.#states, number - 1);
    this.#restore(withField(this.snapshot(number), place, field, value));
    return this.#number(this.#intern(), { isUp, side, pending }, undefined);
  }

  #step(from: number, call: Call, how: StepOptions): LocalStep {
    const state = this.#at(from);
    this.#restore(this.#snapshots.at(state.heap));
    const report = this.#run({ call, side: state.side, ...how });
    if (report.failure) {
      this.#heap.invalidate();
      return { next: 0, report };
    }
    if (report.pending.length > 0)
      throw new OpaqueNode(this.#name, "code that waits", nth(report.pending, 0).label);
    const heap = this.#intern();
    const origin = { from, call, prefix: how.prefix, mayFail: how.mayFail };
    return { next: this.#number(heap, { isUp: true, side: report.side, pending: [] }, origin), report };
  }

  #run(order: Order): StepReport {
    this.#diskLookedAt = undefined;
    try {
      return runStep(this.#realm, this.#mailbox, order);
    } catch (error) {
      throw explained(error, this.#name, this.#rules);
    }
  }

  #compare(step: LocalStep, from: number, call: Call, how: StepOptions): void {
    const again = this.#step(from, call, how);
    if (again.report.isStarved) return;
    this.#verifyLanguage();
    if (again.next !== step.next) throw new Nondeterminism(this.#name, this.#difference(step, again));
    if (JSON.stringify(again.report.made) !== JSON.stringify(step.report.made))
      throw new Nondeterminism(this.#name, "its choices differ");
    if (JSON.stringify(again.report.sends) !== JSON.stringify(step.report.sends))
      throw new Nondeterminism(this.#name, "its messages differ");
  }

  verify(): void {
    this.#verifyLanguage();
    this.#closures.verify(this.#name);
    this.checkOutside(); // sound: test/code/system/looking.test.ts
    this.#states.forEach((_, index) => this.checkCopy(index + 1)); // sound: test/code/system/looking.test.ts
  }

  /** Objects of the language are not part of a state, so changes to them persist; detects them. */
  #verifyLanguage(): void {
    const patched = this.#rules.patched();
    // sound: test/code/system/hidden-conditions.test.ts
    if (patched !== undefined) throw new OpaqueNode(this.#name, "a changed object of the language", patched);
  }

  /** Names a difference between two states that should be equal, if possible. */
  #difference(step: LocalStep, again: LocalStep): string {
    if (this.#shared || step.next === 0 || again.next === 0) return "its state differs";
    const [one, other] = [this.snapshot(step.next), this.snapshot(again.next)];
    const fields = [...(differingFields(one, other, this.#rules) ?? [])];
    return fields.length === 0
      ? "its state differs"
      : `its state differs at ${fields.map((field) => `${this.#name}.${field}`).join(", ")}`;
  }

  #restore(snapshot: Snapshot): void {
    this.checkOutside(); // sound: test/code/system/looking.test.ts
    this.#live = 0;
    const problem = this.#heap.restore(snapshot);
    if (problem) throw new OpaqueNode(this.#name, problem.what, problem.path);
  }

  /** Captures the live objects and returns the heap's number. */
  #intern(): number {
    const snapshot = this.#capture();
    if (!this.#keepsOutside) this.#keepsOutside = this.#isChangedOutside(snapshot); // sound: test/code/system/standing.test.ts
    return (this.#live = this.#snapshots.intern(snapshot));
  }

  /**
   * Whether objects that exist without a node differ. The first entry has the roots, and the first root is the node.
   */
  #isChangedOutside({ entries }: Snapshot): boolean {
    const [roots, ...others] = entries;
    const [before, now] = [entryOf(this.#loaded, roots!.object).values, roots!.image.values];
    if (before.length !== now.length || before.some((value, i) => i > 0 && !Object.is(value, now[i])))
      return true; // sound: test/code/system/standing.test.ts
    return others.some(({ object, image }) => {
      const known = this.#loaded.get(object);
      return known !== undefined && known !== image && !sameImage(known, image); // sound: test/code/system/standing.test.ts
    });
  }

  #capture(): Snapshot {
    const captured = this.#heap.capture();
    if ("what" in captured) throw new OpaqueNode(this.#name, captured.what, captured.path);
    return captured;
  }

  /** Snapshot numbers are local to a thread; signatures are equal in all. */
  #number(heap: number, state: LocalState, origin: Origin | undefined): number {
    if (this.#shared && !origin) throw new Error(`${this.#name}: a state that no other thread could come to`);
    const known = this.#shared ? this.#snapshots.at(heap).signature : heap;
    const key = `${known} ${state.isUp} ${JSON.stringify(state.side)}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#shared
        ? this.#shared.table.number(key, () => JSON.stringify(origin)) + 1
        : this.#states.length + 1;
      this.#numbers.set(key, number);
    }
    this.#states[number - 1] ??= { ...state, heap, copies: undefined };
    return number;
  }

  /** Reconstructs a state that only another thread has reached. */
  #at(number: number): State {
    const known = this.#states[number - 1];
    if (known) return known;
    this.#shared!.journal.catchUp();
    const missing: { readonly number: number; readonly origin: Origin }[] = [];
    for (let at = number; at > 0 && !this.#states[at - 1];) {
      const origin = JSON.parse(nth(this.#origins, at - 1)) as Origin;
      missing.push({ number: at, origin });
      at = "from" in origin ? origin.from : 0;
    }
    for (const { number: wanted, origin } of missing.reverse()) this.#come(wanted, origin);
    return nth(this.#states, number - 1);
  }

  #come(wanted: number, origin: Origin): void {
    const made = "disk" in origin ? this.down(origin.disk) : this.#repeat(origin);
    if (made !== wanted) throw new Nondeterminism(this.#name, "its state differs in another thread");
  }

  #repeat({ from, call, prefix, mayFail }: Exclude<Origin, { disk: unknown }>): number {
    const { next, report } = retryStarved(() =>
      this.#step(from, call, { prefix, mayFail, isRecorded: false }),
    );
    if (report.failure?.kind === "livelock") throw new StepTimeout();
    return next;
  }
}

/** The environment's interface writes JSON to the disk; other text is left unchanged. */
function renamedSide({ timers, disk, unsynced }: Side, names: Renaming["names"]): Side {
  const text = <T extends string | null>(value: T): T | string => {
    try {
      return value === null ? value : JSON.stringify(renamedData(JSON.parse(value), names));
    } catch {
      return value;
    }
  };
  const key = (name: string): string => names.get(name) ?? name;
  return {
    timers: timers.map(({ name, leftMs }) => ({ name: key(name), leftMs })),
    disk: Object.fromEntries(Object.entries(disk).map(([name, value]) => [key(name), text(value)])),
    unsynced: unsynced.map((changes) =>
      changes.map(({ key: name, value }) => ({ key: key(name), value: text(value) })),
    ),
  };
}

/** The first steps of a node are all repeated, later ones occasionally. */
const EVERY_STEP = 256;
const SOME_STEPS = 64;
