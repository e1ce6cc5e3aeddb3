/**
 * What a function may still read: registers, and contents of variables whose address nothing else sees. Paths that differ only in the
 * rest can be merged.
 */
import { operandsOf } from "../../../model/module-operands.js";
import {
  sizeOf,
  storeSize,
  type Instruction,
  type IrFunction,
  type IrType,
  type Operand,
} from "../../../model/module.js";
import { nth } from "../../../model/known.js";
import { flowOf } from "./flow.js";

export interface Liveness {
  /** Registers that may be read before instruction `at` of a block and after it, once its phis have their values. */
  registers(block: number, at: number): ReadonlySet<number>;
  /** Registers of variables whose contents nothing reads from there on before they are written. */
  deadVariables(block: number): readonly number[];
  /** Type of each register; absent: not known. */
  readonly types: readonly (IrType | undefined)[];
}

const known = new WeakMap<IrFunction, Liveness>();

export function livenessOf(fn: IrFunction): Liveness {
  const found = known.get(fn) ?? compute(fn);
  known.set(fn, found);
  return found;
}

function compute(fn: IrFunction): Liveness {
  const variables = plainVariables(fn);
  const registersAt = atEntries(fn, (block) => registerEffects(fn, block, 0));
  const variablesAt = atEntries(fn, (block) => variableEffects(fn, block, variables));
  const within = new Map<string, ReadonlySet<number>>();
  const deadAt = new Map<number, readonly number[]>();
  return {
    types: typesOf(fn),
    registers(block, at) {
      if (at === 0) return nth(registersAt.entry, block);
      const key = `${block} ${at}`;
      const live = within.get(key) ?? before(registerEffects(fn, block, at), registersAt.exit(block));
      within.set(key, live);
      return live;
    },
    deadVariables(block) {
      const live = nth(variablesAt.entry, block);
      const dead = deadAt.get(block) ?? [...variables.keys()].filter((register) => !live.has(register));
      deadAt.set(block, dead);
      return dead;
    },
  };
}

/** Read before it is written, and written. */
interface Effects {
  readonly reads: Set<number>;
  readonly writes: Set<number>;
}

function before({ reads, writes }: Effects, after: ReadonlySet<number>): Set<number> {
  const live = new Set(reads);
  for (const each of after) if (!writes.has(each)) live.add(each);
  return live;
}

/** Least fixpoint, backwards. Phis of a successor read on the edge to it. */
function atEntries(
  fn: IrFunction,
  effectsOf: (block: number) => Effects & { readonly onEdge?: (from: number) => Iterable<number> },
): { readonly entry: readonly ReadonlySet<number>[]; exit(block: number): ReadonlySet<number> } {
  const { order, successors } = flowOf(fn);
  const effects = fn.blocks.map((_, block) => effectsOf(block));
  const entry: ReadonlySet<number>[] = fn.blocks.map(() => new Set());
  const exit = (block: number): Set<number> => {
    const live = new Set<number>();
    for (const to of nth(successors, block)) {
      const phis = new Set(nth(fn.blocks, to).phis.map(({ into }) => into));
      for (const each of nth(entry, to)) if (!phis.has(each)) live.add(each);
      for (const each of nth(effects, to).onEdge?.(block) ?? []) live.add(each);
    }
    return live;
  };
  const backwards = order.toReversed();
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const block of backwards) {
      const live = before(nth(effects, block), exit(block));
      if (live.size === nth(entry, block).size) continue;
      entry[block] = live;
      isChanged = true;
    }
  }
  return { entry, exit };
}

function registerEffects(
  fn: IrFunction,
  block: number,
  from: number,
): Effects & { readonly onEdge: (from: number) => Iterable<number> } {
  const { instructions, end, phis } = nth(fn.blocks, block);
  const reads = new Set<number>();
  const writes = new Set<number>();
  const visit = (operand: Operand): void => {
    if (operand.kind === "aggregate") operand.parts.forEach(({ value }) => visit(value));
    else if (operand.kind === "register" && !writes.has(operand.index)) reads.add(operand.index);
  };
  for (const each of instructions.slice(from)) {
    operandsOf(each).forEach(visit);
    if ("into" in each && (each.kind !== "call" || each.hasResult)) writes.add(each.into);
  }
  operandsOf(end).forEach(visit);
  const onEdge = (source: number): number[] =>
    phis.flatMap((phi) => {
      const operand = phi.from.get(source);
      return operand ? registersOf(operand) : [];
    });
  return { reads, writes, onEdge };
}

const registersOf = (operand: Operand): number[] =>
  operand.kind === "register"
    ? [operand.index]
    : operand.kind === "aggregate"
      ? operand.parts.flatMap(({ value }) => registersOf(value))
      : [];

/** Variables that are only loaded, stored, and marked as begun or ended, with their sizes. */
function plainVariables(fn: IrFunction): ReadonlyMap<number, number> {
  const variables = new Map<number, number>();
  for (const { instructions } of fn.blocks)
    for (const each of instructions)
      if (each.kind === "allocate" && each.count.value.kind === "integer" && each.count.value.value === 1n)
        variables.set(each.into, each.size);
  // sound: test/engines/programs/merging.test.ts
  const escape = (part: object): void => {
    for (const operand of operandsOf(part)) for (const each of registersOf(operand)) variables.delete(each);
  };
  for (const { instructions, end, phis } of fn.blocks) {
    for (const each of instructions)
      if (each.kind === "store") escape({ value: each.value });
      else if (each.kind !== "load" && scopeMark(each) === undefined) escape(each);
    escape(end);
    for (const { from } of phis) for (const operand of from.values()) escape({ operand });
  }
  return variables;
}

/** The variable whose scope begins or ends here. */
function scopeMark(each: Instruction): number | undefined {
  if (each.kind !== "call" || each.callee.kind !== "address") return undefined;
  if (!each.callee.symbol.startsWith("llvm.lifetime.")) return undefined;
  const last = each.args.at(-1)?.value;
  return last?.kind === "register" ? last.index : undefined;
}

function variableEffects(fn: IrFunction, block: number, variables: ReadonlyMap<number, number>): Effects {
  const reads = new Set<number>();
  const writes = new Set<number>();
  for (const each of nth(fn.blocks, block).instructions) {
    const mark = scopeMark(each);
    if (mark !== undefined) {
      writes.add(mark);
      continue;
    }
    if ((each.kind !== "load" && each.kind !== "store") || each.pointer.kind !== "register") continue;
    const { index } = each.pointer;
    const size = variables.get(index);
    if (size === undefined) continue;
    if (each.kind === "load") {
      if (!writes.has(index)) reads.add(index);
      // sound: test/engines/programs/merging.test.ts
    } else if (widthOf(each.value.type) >= size) writes.add(index);
  }
  return { reads, writes };
}

const widthOf = (type: IrType): number =>
  type.kind === "struct" || type.kind === "array" ? 0 : Math.min(storeSize(type), sizeOf(type));

function typesOf(fn: IrFunction): (IrType | undefined)[] {
  const types: (IrType | undefined)[] = [...fn.parameters];
  for (const { phis, instructions } of fn.blocks) {
    for (const { into, type } of phis) types[into] = type;
    for (const each of instructions) if ("into" in each) types[each.into] = typeOf(each);
  }
  return types;
}

function typeOf(instruction: Extract<Instruction, { into: number }>): IrType | undefined {
  switch (instruction.kind) {
    case "binary":
      return { kind: "int", bits: instruction.bits };
    case "compare":
    case "compareFloats":
      return { kind: "int", bits: 1 };
    case "cast":
      return instruction.to;
    case "load":
    case "select":
      return instruction.type;
    case "offset":
    case "allocate":
      return { kind: "pointer" };
    case "call":
      return instruction.result;
    case "freeze":
      return instruction.value.type;
    case "insert":
      return instruction.aggregate.type;
    case "extract":
      return partOf(instruction.aggregate.type, instruction.path);
    case "float":
      return { kind: "float", bits: instruction.bits };
  }
}

function partOf(type: IrType, path: readonly number[]): IrType | undefined {
  let found: IrType | undefined = type;
  for (const index of path)
    found = found?.kind === "struct" ? found.fields[index] : found?.kind === "array" ? found.of : undefined;
  return found;
}
