/**
 * What pointers may point to: Andersen's analysis over a module, insensitive to flow and context. A target is an object with a byte offset,
 * or with any offset.
 *
 * Always true: an address that a run loads, stores through or calls is among the targets, unless the run ends there with an error, or the
 * bytes of the address were copied one by one.
 */
import {
  storeSize,
  type Instruction,
  type IrFunction,
  type IrType,
  type Module,
  type Operand,
} from "../../model/module.js";

/** `at` is undefined for any offset. Objects: `g:` globals, `f:` functions, `s:` variables of functions, `h:` allocated memory. */
export interface Target {
  readonly object: string;
  readonly at: number | undefined;
}

type Targets = Map<string, Target>;

const keyOf = ({ object, at }: Target): string => `${at ?? "*"}|${object}`;

/** More offsets of one object in one place become any offset. */
const MOST_OFFSETS = 24;

const ALLOCATES = new Set(["malloc", "calloc", "realloc", "aligned_alloc"]);
const COPIES = /^(?:llvm\.)?mem(?:cpy|move)(?:\.|$)/;

export class PointsTo {
  readonly #module: Module;
  readonly #registers = new Map<string, Targets>();
  readonly #returned = new Map<string, Targets>();
  readonly #content = new Map<string, Map<number | undefined, Targets>>();
  #hasChanged = false;

  constructor(module: Module) {
    this.#module = module;
    for (const { name, type, initial } of module.globals.values())
      this.#initialise(`g:${name}`, 0, type, initial);
    do {
      this.#hasChanged = false;
      for (const fn of module.functions.values()) this.#function(fn);
    } while (this.#hasChanged);
  }

  targets(fn: IrFunction, operand: Operand): readonly Target[] {
    return [...this.#of(fn, operand).values()];
  }

  /** Addresses in a range of an object. */
  contentOf(object: string, at: number | undefined): readonly Target[] {
    return [...this.#read({ object, at }).values()];
  }

  /** Functions that a call may enter. */
  callees(fn: IrFunction, callee: Operand): readonly string[] {
    if (callee.kind === "address" && callee.offset === 0) return [callee.symbol];
    return this.targets(fn, callee).flatMap(({ object }) =>
      object.startsWith("f:") ? [object.slice(2)] : [],
    );
  }

  /** Objects whose addresses are in the content of other objects, or reachable from there. */
  shared(): ReadonlySet<string> {
    const found = new Set<string>();
    const waiting = [...this.#content.keys()].filter((object) => !object.startsWith("s:"));
    for (let object = waiting.pop(); object !== undefined; object = waiting.pop())
      for (const targets of this.#content.get(object)?.values() ?? [])
        for (const { object: next } of targets.values())
          if (!found.has(next)) {
            found.add(next);
            waiting.push(next);
          }
    return found;
  }

  #initialise(object: string, at: number, type: IrType, operand: Operand): void {
    if (operand.kind === "address") this.#write({ object, at }, this.#constant(operand));
    else if (operand.kind === "aggregate")
      operand.parts.forEach((part, index) => {
        const offset = type.kind === "struct" ? (type.offsets[index] ?? 0) : index * storeSize(part.type);
        this.#initialise(object, at + offset, part.type, part.value);
      });
  }

  #constant({ symbol, offset }: Extract<Operand, { kind: "address" }>): Targets {
    const isFunction = this.#module.functions.has(symbol) || !this.#module.globals.has(symbol);
    const target = { object: `${isFunction ? "f" : "g"}:${symbol}`, at: offset };
    return new Map([[keyOf(target), target]]);
  }

  #of(fn: IrFunction, operand: Operand): Targets {
    switch (operand.kind) {
      case "register":
        return this.#registers.get(`${operand.index} ${fn.name}`) ?? NONE;
      case "address":
        return this.#constant(operand);
      case "aggregate": {
        const all: Targets = new Map();
        for (const { value } of operand.parts)
          for (const [key, each] of this.#of(fn, value)) all.set(key, each);
        return all;
      }
      default:
        return NONE;
    }
  }

  #set(fn: IrFunction, register: number, targets: Targets): void {
    const key = `${register} ${fn.name}`;
    let known = this.#registers.get(key);
    if (!known) this.#registers.set(key, (known = new Map()));
    this.#add(known, targets);
  }

  #add(known: Targets, targets: Iterable<readonly [string, Target]>): void {
    for (const [key, target] of targets) {
      const any = { object: target.object, at: undefined };
      if (known.has(key) || known.has(keyOf(any))) continue;
      let count = 0;
      for (const { object } of known.values()) if (object === target.object) count++;
      const isTooMany = count >= MOST_OFFSETS;
      if (isTooMany)
        for (const [other, { object }] of [...known]) if (object === target.object) known.delete(other);
      if (isTooMany) known.set(keyOf(any), any);
      else known.set(key, target);
      this.#hasChanged = true;
    }
  }

  #read({ object, at }: Target): Targets {
    const cells = this.#content.get(object);
    if (!cells) return NONE;
    const all: Targets = new Map();
    for (const [offset, targets] of cells)
      if (at === undefined || offset === undefined || at === offset)
        for (const [key, each] of targets) all.set(key, each);
    return all;
  }

  #write({ object, at }: Target, targets: Targets): void {
    if (targets.size === 0) return;
    let cells = this.#content.get(object);
    if (!cells) this.#content.set(object, (cells = new Map()));
    const isMany = cells.size >= 4 * MOST_OFFSETS && !cells.has(at);
    const offset = isMany ? undefined : at;
    let cell = cells.get(offset);
    if (!cell) cells.set(offset, (cell = new Map()));
    this.#add(cell, targets);
  }

  #function(fn: IrFunction): void {
    fn.blocks.forEach(({ phis, instructions, end }, block) => {
      for (const { into, from } of phis)
        for (const operand of from.values()) this.#set(fn, into, this.#of(fn, operand));
      instructions.forEach((each, at) => this.#instruction(fn, each, `${block}.${at}`));
      if (end.kind === "return" && end.value) {
        let known = this.#returned.get(fn.name);
        if (!known) this.#returned.set(fn.name, (known = new Map()));
        this.#add(known, this.#of(fn, end.value.value));
      }
    });
  }

  #instruction(fn: IrFunction, instruction: Instruction, place: string): void {
    const of = (operand: Operand): Targets => this.#of(fn, operand);
    switch (instruction.kind) {
      case "allocate": {
        const target = { object: `s:${fn.name}:${instruction.into}`, at: 0 };
        this.#set(fn, instruction.into, new Map([[keyOf(target), target]]));
        return;
      }
      case "load":
        for (const target of of(instruction.pointer).values())
          this.#set(fn, instruction.into, this.#read(target));
        return;
      case "store":
        for (const target of of(instruction.pointer).values())
          this.#write(target, of(instruction.value.value));
        return;
      case "offset": {
        const { bytes, scaled } = instruction;
        this.#set(
          fn,
          instruction.into,
          moved(of(instruction.pointer), scaled.length > 0 ? undefined : bytes),
        );
        return;
      }
      case "binary":
        for (const side of [instruction.left, instruction.right])
          this.#set(fn, instruction.into, moved(of(side), undefined));
        return;
      case "cast":
        this.#set(fn, instruction.into, of(instruction.value));
        return;
      case "select":
        for (const side of [instruction.yes, instruction.no]) this.#set(fn, instruction.into, of(side));
        return;
      case "extract":
        this.#set(fn, instruction.into, of(instruction.aggregate.value));
        return;
      case "insert":
        for (const side of [instruction.aggregate, instruction.part])
          this.#set(fn, instruction.into, of(side.value));
        return;
      case "freeze":
        this.#set(fn, instruction.into, of(instruction.value.value));
        return;
      case "call":
        this.#call(fn, instruction, place);
        return;
      default:
    }
  }

  #call(fn: IrFunction, call: Extract<Instruction, { kind: "call" }>, place: string): void {
    for (const name of this.callees(fn, call.callee)) {
      const callee = this.#module.functions.get(name);
      if (callee) {
        call.args.forEach(({ value }, index) => this.#set(callee, index, this.#of(fn, value)));
        if (call.hasResult) this.#set(fn, call.into, this.#returned.get(name) ?? NONE);
      } else if (ALLOCATES.has(name)) {
        const target = { object: `h:${fn.name}:${place}`, at: 0 };
        this.#set(fn, call.into, new Map([[keyOf(target), target]]));
      } else if (COPIES.test(name)) this.#copy(fn, call);
    }
  }

  #copy(fn: IrFunction, { args: [to, from], hasResult, into }: Extract<Instruction, { kind: "call" }>): void {
    if (!to || !from) return;
    for (const { object } of this.#of(fn, from.value).values())
      for (const target of this.#of(fn, to.value).values())
        this.#write({ object: target.object, at: undefined }, this.#read({ object, at: undefined }));
    if (hasResult) this.#set(fn, into, this.#of(fn, to.value));
  }
}

const NONE: Targets = new Map();

/** By a number of bytes; undefined: by any. */
function moved(targets: Targets, by: number | undefined): Targets {
  if (by === 0) return targets;
  const result: Targets = new Map();
  for (const { object, at } of targets.values()) {
    const target = { object, at: by === undefined || at === undefined ? undefined : at + by };
    result.set(keyOf(target), target);
  }
  return result;
}
