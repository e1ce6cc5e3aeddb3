/**
 * What functions and instructions read and write: ranges of objects, and two objects that C does not show, the queue of tasks and the state of
 * the interrupts.
 */
import {
  sizeOf,
  storeSize,
  type Instruction,
  type IrFunction,
  type IrType,
  type Module,
} from "../../model/module.js";
import { PRIMITIVE } from "../../model/tasks.js";
import { POST } from "./generate.js";
import { PointsTo, type Target } from "./points-to.js";

export const QUEUE = "the queue";
export const INTERRUPTS = "the interrupts";

interface Range {
  readonly object: string;
  readonly at: number | undefined;
  readonly size: number;
}

/** Ranges by object. */
export class Ranges {
  readonly #ranges = new Map<string, Map<string, Range>>();

  add({ object, at, size }: Range): boolean {
    let own = this.#ranges.get(object);
    if (!own) this.#ranges.set(object, (own = new Map()));
    const key = `${at ?? "*"} ${size}`;
    if (own.has(key)) return false;
    own.set(key, { object, at, size });
    return true;
  }

  addAll(other: Ranges): boolean {
    let isNew = false;
    for (const own of other.#ranges.values())
      for (const range of own.values()) if (this.add(range)) isNew = true;
    return isNew;
  }

  meets(other: Ranges): boolean {
    for (const [object, own] of this.#ranges) {
      const others = other.#ranges.get(object);
      if (!others) continue;
      for (const a of own.values()) for (const b of others.values()) if (areJoint(a, b)) return true;
    }
    return false;
  }

  get objects(): Iterable<string> {
    return this.#ranges.keys();
  }

  /** The ranges of these objects. */
  within(object: string): Ranges {
    const part = new Ranges();
    for (const range of this.#ranges.get(object)?.values() ?? []) part.add(range);
    return part;
  }
}

const areJoint = (a: Range, b: Range): boolean =>
  a.at === undefined || b.at === undefined || (a.at < b.at + b.size && b.at < a.at + a.size);

export interface Effect {
  readonly reads: Ranges;
  readonly writes: Ranges;
  /** It can end or block the run without an error. */
  readonly mayStop: boolean;
}

export const noEffect = (): Effect & { mayStop: boolean } => ({
  reads: new Ranges(),
  writes: new Ranges(),
  mayStop: false,
});

/** sound: test/programs/tasks/traps.test.ts */
export const commute = (a: Effect, b: Effect): boolean =>
  !a.writes.meets(b.reads) && !a.writes.meets(b.writes) && !a.reads.meets(b.writes);

const STOPS = new Set([
  "assume",
  "__VERIFIER_assume",
  "__CPROVER_assume",
  "klee_assume",
  "exit",
  "_exit",
  "_Exit",
]);
const WRITES_FIRST = /^(?:symbolic|klee_make_symbolic|memset|llvm\.memset\.|llvm\.va_start)/;
const COPIES = /^(?:llvm\.)?mem(?:cpy|move)(?:\.|$)/;

export class Effects {
  readonly pointsTo: PointsTo;
  readonly #module: Module;
  readonly #queueReads: boolean;
  readonly #shared: ReadonlySet<string>;
  readonly #whole = new Map<string, ReturnType<typeof noEffect>>();

  constructor(module: Module, queueReads: boolean) {
    this.#module = module;
    this.#queueReads = queueReads;
    this.pointsTo = new PointsTo(module);
    this.#shared = this.pointsTo.shared();
  }

  /** Functions that run when one of `roots` does, without the tasks that it posts. */
  reached(roots: readonly string[]): ReadonlySet<string> {
    const found = new Set<string>(roots);
    for (const name of found) {
      if (name.startsWith(POST)) continue;
      const fn = this.#module.functions.get(name);
      for (const { instructions } of fn?.blocks ?? [])
        for (const each of instructions)
          if (fn && each.kind === "call")
            for (const callee of this.pointsTo.callees(fn, each.callee)) found.add(callee);
    }
    return found;
  }

  /** Of the function and everything that it calls; a posted task is not called. */
  ofFunction(name: string): Effect {
    const known = this.#whole.get(name);
    if (known) return known;
    const total = noEffect();
    this.#whole.set(name, total);
    for (const reached of this.reached([name])) {
      const fn = this.#module.functions.get(reached);
      for (const { instructions } of fn?.blocks ?? [])
        for (const each of instructions) if (fn) this.add(total, fn, each, false);
    }
    return total;
  }

  /** Adds the effect of one instruction, with that of functions it calls if `isWhole`. */
  add(effect: ReturnType<typeof noEffect>, fn: IrFunction, instruction: Instruction, isWhole: boolean): void {
    switch (instruction.kind) {
      case "load":
        this.#touch(
          effect.reads,
          this.pointsTo.targets(fn, instruction.pointer),
          sizeOfAccess(instruction.type),
        );
        return;
      case "store":
        this.#touch(
          effect.writes,
          this.pointsTo.targets(fn, instruction.pointer),
          sizeOfAccess(instruction.value.type),
        );
        return;
      case "call":
        for (const name of this.pointsTo.callees(fn, instruction.callee)) {
          this.#addCall(effect, fn, instruction, name);
          if (isWhole && this.#module.functions.has(name)) {
            const whole = this.ofFunction(name);
            effect.reads.addAll(whole.reads);
            effect.writes.addAll(whole.writes);
            if (whole.mayStop) effect.mayStop = true;
          }
        }
        return;
      default:
    }
  }

  #addCall(
    effect: ReturnType<typeof noEffect>,
    fn: IrFunction,
    { args }: Extract<Instruction, { kind: "call" }>,
    name: string,
  ): void {
    if (STOPS.has(name)) effect.mayStop = true; // sound: test/programs/tasks/traps.test.ts
    const all = { at: undefined, size: 0 };
    if (name.startsWith(POST)) {
      effect.writes.add({ object: QUEUE, ...all }); // sound: test/programs/tasks/traps.test.ts
      if (this.#queueReads) effect.reads.add({ object: QUEUE, ...all });
    }
    if (name === PRIMITIVE.enable) effect.writes.add({ object: INTERRUPTS, ...all });
    const touch = (ranges: Ranges, index: number): void => {
      const arg = args[index];
      if (arg) this.#touch(ranges, this.pointsTo.targets(fn, arg.value).map(anywhere), 0);
    };
    if (COPIES.test(name)) {
      touch(effect.writes, 0);
      touch(effect.reads, 1);
    } else if (WRITES_FIRST.test(name)) touch(effect.writes, 0);
    else if (!this.#module.functions.has(name) && !name.startsWith("llvm."))
      args.forEach((_, index) => touch(effect.reads, index));
  }

  /** Variables of functions count only if other functions may reach them. */
  #touch(ranges: Ranges, targets: readonly Target[], size: number): void {
    for (const { object, at } of targets)
      if (!object.startsWith("f:") && (!object.startsWith("s:") || this.#shared.has(object)))
        ranges.add({ object, at, size });
  }
}

const anywhere = ({ object }: Target): Target => ({ object, at: undefined });

const sizeOfAccess = (type: IrType): number =>
  type.kind === "struct" || type.kind === "array" ? sizeOf(type) : storeSize(type);
