/**
 * Statements of the source in a function: a statement begins where no register is live, since without optimisation registers hold values
 * only within an expression.
 */
import type { Block, Instruction, IrFunction, Operand, Terminator } from "../../model/module.js";

const SILENT = /^(?:llvm\.(?:dbg|lifetime|stacksave|stackrestore)\b|__asan_handle_no_return$)/;

/** Does an instruction do anything that a statement does? */
export function isSilent(instruction: Instruction): boolean {
  if (instruction.kind === "allocate" || instruction.kind === "nothing") return true;
  return (
    instruction.kind === "call" &&
    instruction.callee.kind === "address" &&
    SILENT.test(instruction.callee.symbol)
  );
}

export const successorsOf = (end: Terminator): readonly number[] => {
  switch (end.kind) {
    case "jump":
      return [end.to];
    case "branch":
      return [end.yes, end.no];
    case "switch":
      return [...end.cases.map(({ to }) => to), end.otherwise];
    default:
      return [];
  }
};

/** Targets of edges that go back on a depth-first walk, with the sources of these edges. */
export function loopsOf({ blocks }: IrFunction): ReadonlyMap<number, ReadonlySet<number>> {
  const loops = new Map<number, Set<number>>();
  const state = new Map<number, "open" | "closed">();
  const stack: { readonly block: number; readonly next: number[] }[] = [];
  const open = (block: number): void => {
    state.set(block, "open");
    stack.push({ block, next: [...successorsOf((blocks[block] as Block).end)] });
  };
  open(0);
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const to = top.next.pop();
    if (to === undefined) {
      state.set(top.block, "closed");
      stack.pop();
    } else if (state.get(to) === "open") loops.set(to, (loops.get(to) ?? new Set()).add(top.block));
    else if (!state.has(to)) open(to);
  }
  return loops;
}

/** Indices at which statements begin, by block. */
export function statementStarts(fn: IrFunction): readonly ReadonlySet<number>[] {
  const { blocks } = fn;
  const addresses = new Set<number>();
  for (const { instructions } of blocks)
    for (const each of instructions) if (each.kind === "allocate") addresses.add(each.into);
  const use = (live: Set<number>, part: object): void => {
    for (const index of registersIn(part)) if (!addresses.has(index)) live.add(index);
  };
  const liveIn = blocks.map(() => new Set<number>());
  /** Registers that are live before each instruction; last, before the end. */
  const walk = (block: number, visit?: (index: number, live: ReadonlySet<number>) => void): Set<number> => {
    const { phis, instructions, end } = blocks[block] as Block;
    const live = new Set<number>();
    for (const next of successorsOf(end)) {
      for (const index of liveIn[next] ?? []) live.add(index);
      for (const { from } of blocks[next]?.phis ?? []) {
        const operand = from.get(block);
        if (operand) use(live, { operand });
      }
    }
    use(live, end);
    for (let index = instructions.length - 1; index >= 0; index--) {
      const instruction = instructions[index] as Instruction;
      if ("into" in instruction) live.delete(instruction.into);
      use(live, instruction);
      visit?.(index, live);
    }
    for (const { into } of phis) live.delete(into);
    return live;
  };
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (let block = blocks.length - 1; block >= 0; block--) {
      const live = walk(block);
      if (live.size > (liveIn[block]?.size ?? 0)) {
        liveIn[block] = live;
        hasChanged = true;
      }
    }
  }
  return blocks.map(({ instructions }, block) => {
    const starts = new Set<number>();
    walk(block, (index, live) => {
      if (live.size === 0 && !isSilent(instructions[index] as Instruction)) starts.add(index);
    });
    return starts;
  });
}

function registersIn(part: object): number[] {
  const found: number[] = [];
  for (const value of Object.values(part) as unknown[]) {
    if (typeof value !== "object" || value === null) continue;
    if ((value as Operand).kind === "register") found.push((value as { index: number }).index);
    else if (!("file" in value)) found.push(...registersIn(value));
  }
  return found;
}
