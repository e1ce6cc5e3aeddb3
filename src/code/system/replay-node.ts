/**
 * A node that returns to a state by restarting and repeating its calls.
 *
 * States that consist of data are identified by their content, others by their histories.
 */
import {
  LiveHeap,
  copyRoots,
  isNode,
  realmRules,
  type CodeInspector,
  type Copies,
  type HeapRules,
  type Snapshot,
} from "../heap/index.js";
import type { Call, Mailbox, Order, Side, StepReport } from "./node-runtime.js";
import {
  ChangedByCondition,
  Nondeterminism,
  type LocalState,
  type LocalStep,
  type NodeProcess,
  type StepOptions,
} from "./node-process.js";
import { explained, retryStarved, runStep } from "./run-step.js";
import { openNode, type CaptureOptions, type NodeHeap } from "./node-heap.js";
import type { RealmPlan, SystemSource } from "./source.js";
import { nth } from "../../model/known.js";

interface State extends LocalState, NodeCopy {
  /** The last step; undefined: the node is down. */
  readonly by: Taken | undefined;
  /** Whether it is identified by its history rather than its content. */
  readonly isHistory: boolean;
}

interface NodeCopy {
  /** Undefined: it is down. */
  readonly copies: Copies | undefined;
  /** Undefined: the node itself is not data and was not copied. */
  readonly dataFields: readonly string[] | undefined;
}

interface Taken {
  readonly from: number;
  readonly call: Call;
  readonly prefix: readonly number[];
  readonly mayFail: number;
  readonly report: StepReport;
}

export class ReplayNode implements NodeProcess {
  readonly mode = "replay";
  realms = 0;
  readonly #source: SystemSource;
  readonly #plan: RealmPlan;
  readonly #capture: CaptureOptions;
  readonly #states: State[] = [];
  readonly #numbers = new Map<string, number>();
  /** The current realm and its state; 0: unknown. */
  #live: NodeHeap | undefined;
  #at = 0;
  /** Whether a step changed an object of the language, which copies of all states share. */
  #isPatched = false;

  constructor(source: SystemSource, plan: RealmPlan, capture: CaptureOptions) {
    this.#source = source;
    this.#plan = plan;
    this.#capture = capture;
  }

  get states(): number {
    return this.#states.length;
  }

  down(disk: Side["disk"]): number {
    const side: Side = { timers: [], disk, unsynced: [] };
    return this.#number(`down ${JSON.stringify(disk)}`, () => ({
      isUp: false,
      side,
      pending: [],
      by: undefined,
      isHistory: false,
      copies: undefined,
      dataFields: [],
    }));
  }

  step(from: number, call: Call, how: StepOptions): LocalStep {
    const live = this.#come(from);
    this.#at = 0;
    const report = this.#run(live, from, { call, side: this.state(from).side, ...how });
    if (report.failure) return { next: 0, report };
    const prefix = report.made.map(({ value }) => value);
    // Objects of the language are not captured: if one was changed, the content is incomplete.
    const isPatched = live.rules.patched() !== undefined;
    if (isPatched) this.#isPatched = true; // sound: test/code/system/standing.test.ts test/code/system/outside.test.ts
    const seen = isPatched ? undefined : contentOf(live, report);
    const history = `${from} ${JSON.stringify(call)} ${prefix.join()} ${how.mayFail}`;
    const next = this.#number(seen ?? history, () => ({
      isUp: true,
      side: report.side,
      pending: report.pending.map(({ label }) => label),
      by: { from, call, prefix, mayFail: how.mayFail, report },
      isHistory: seen === undefined,
      ...this.#look(live),
    }));
    this.#at = next;
    return { next, report };
  }

  state(number: number): LocalState {
    return nth(this.#states, number - 1);
  }

  areDistinguished(a: number, b: number): boolean {
    const [one, other] = [nth(this.#states, a - 1), nth(this.#states, b - 1)];
    // sound: test/code/system/properties.test.ts
    return !(one.isHistory && other.isHistory) || JSON.stringify(one.side) !== JSON.stringify(other.side);
  }

  /** Every state was created in a new realm, or by the preceding step. */
  verify(): void {
    this.#states.forEach((_, index) => this.checkCopy(index + 1)); // sound: test/code/system/looking.test.ts
  }

  /** A realm that conditions accessed is not reused. */
  checkOutside(): void {}

  checkCopy(number: number): void {
    const path = nth(this.#states, number - 1).copies?.changed();
    if (path !== undefined) throw new ChangedByCondition(this.#plan.name, path);
  }

  view(number: number): unknown {
    return nth(this.#states, number - 1).copies?.roots[0];
  }

  /** Abandons the realm afterwards, so that a condition's effects do not reach any step. */
  stand(number: number): unknown {
    if (!this.state(number).isUp) return undefined;
    const live = this.#come(number);
    this.#at = 0;
    live.mailbox.look(JSON.stringify(this.state(number).side)); // sound: test/code/system/looking.test.ts
    return this.#look(live).copies!.roots[0];
  }

  dataFields(number: number): readonly string[] | undefined {
    return this.#isPatched ? undefined : nth(this.#states, number - 1).dataFields; // sound: test/code/system/standing.test.ts
  }

  /** A realm with the node in that state. */
  #come(to: number): NodeHeap {
    if (this.#live && this.#at === to) return this.#live;
    const path = this.#pathTo(to);
    const { live, report } = retryStarved(() => this.#begin(path));
    if (report.isStarved) throw new Nondeterminism(this.#plan.name, "it did not terminate when repeated");
    return (this.#live = live);
  }

  #pathTo(state: number): readonly Taken[] {
    const path: Taken[] = [];
    for (let by = nth(this.#states, state - 1).by; by; by = nth(this.#states, by.from - 1).by) path.push(by);
    return path.reverse();
  }

  #run({ realm, mailbox }: NodeHeap, from: number, order: Order): StepReport {
    try {
      return runStep(realm, mailbox, order);
    } catch (error) {
      throw this.#blame(error, from, order);
    }
  }

  /** Repeats the step in a realm that detects changes of the language. */
  #blame(error: unknown, from: number, order: Order): unknown {
    const { realm, mailbox, rules } = this.#begin(this.#pathTo(from)).live;
    try {
      runStep(realm, mailbox, order);
      return error;
    } catch {
      return explained(error, this.#plan.name, rules);
    }
  }

  /** Executes all steps in a new realm; returns the report of the last one executed. */
  #begin(way: readonly Taken[]): { readonly live: NodeHeap; readonly report: Pick<StepReport, "isStarved"> } {
    this.realms++;
    const live = openNode(this.#source, this.#plan, this.#capture);
    for (const taken of way) {
      const again = this.#repeat(live, taken);
      if (again.isStarved) return { live, report: again };
      if (essence(again) !== essence(taken.report))
        throw new Nondeterminism(this.#plan.name, "its actions differ when it is run again");
    }
    return { live, report: {} };
  }

  #repeat({ realm, mailbox }: NodeHeap, { from, call, prefix, mayFail }: Taken): StepReport {
    const { side } = this.state(from);
    return runStep(realm, mailbox, { call, side, prefix, mayFail, isRecorded: false });
  }

  /** The visible part of the node: omits closures and their contents. */
  #look({ mailbox, makers, rules: { intrinsics } }: NodeHeap): NodeCopy {
    const node = mailbox.node();
    const rules = visibleRules(this.#capture.inspector, mailbox);
    const heap = new LiveHeap(
      { read: () => ({ names: ["node"], values: [node] }), write: () => undefined },
      rules,
    );
    const captured = heap.capture();
    if ("what" in captured) throw new Error(`${this.#plan.name}: ${captured.what} at ${captured.path}`);
    const isOfLanguage = (value: object | symbol): boolean => intrinsics.has(value as object);
    return {
      copies: copyRoots(captured, rules, makers),
      dataFields: dataFieldsOf(captured, node, isOfLanguage),
    };
  }

  #number(key: string, make: () => State): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#states.push(make());
    this.#numbers.set(key, this.#states.length);
    return this.#states.length;
  }
}

/** Fields that consist of copies, without code other than the language's. Undefined: the node was not copied. */
function dataFieldsOf(
  { entries }: Snapshot,
  node: unknown,
  isOfLanguage: (value: object | symbol) => boolean,
): string[] | undefined {
  const images = new Map(entries.map(({ object, image }) => [object as unknown, image]));
  const isData = (value: unknown, seen: Set<unknown>): boolean => {
    if (!isNode(value) || typeof value === "symbol" || seen.has(value)) return true;
    seen.add(value);
    const image = images.get(value);
    // Only data is copied.
    if (!image) return false; // sound: test/code/system/standing.test.ts test/code/system/outside.test.ts
    return image.values.every((held, i) => {
      const label = nth(image.labels, i);
      if (label === "^") return held === null || isOfLanguage(held as object); // sound: test/code/system/standing.test.ts
      return !isAccessor(label) && isData(held, seen); // sound: test/code/system/standing.test.ts test/code/system/outside.test.ts
    });
  };
  const image = images.get(node);
  return image?.labels.flatMap((label, i) => {
    const [, name] = /^[0-7]?\.([^]*)$/.exec(label) ?? [];
    return name !== undefined && isData(image.values[i], new Set()) ? [name] : []; // sound: test/code/system/standing.test.ts
  });
}

const isAccessor = (label: string): boolean => /^[gs]et[0-7][.@]/.test(label);

/** The content of the state, if it is complete: no timer is pending, and everything is data. */
function contentOf({ heap }: NodeHeap, { pending, side }: StepReport): string | undefined {
  if (pending.length > 0) return undefined; // sound: test/code/system/hidden-conditions.test.ts
  const captured = heap.capture();
  return "what" in captured ? undefined : `looks like ${captured.signature} ${JSON.stringify(side)}`;
}

/** The part of a report that must be reproducible; stacks are recorded only on request. */
const essence = ({ made, sends, side, output, failure }: StepReport): string =>
  JSON.stringify([made, sends.map(({ to, message }) => [to, message]), side, output, failure?.kind]);

/** Treats all non-data as part of the realm. */
function visibleRules(inspector: CodeInspector, mailbox: Mailbox): HeapRules {
  const strict = realmRules({}, { inspector });
  const isOpaque = (value: object): boolean =>
    typeof value === "function" || strict.opaque(value) !== undefined;
  const intrinsics = { has: isOpaque, get: () => "" } as unknown as ReadonlyMap<object, string>;
  const { weak } = mailbox;
  return { intrinsics, weak, opaque: () => undefined, codeOf: () => "" };
}
