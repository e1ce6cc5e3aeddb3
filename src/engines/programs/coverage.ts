/**
 * Coverage of a program by runs: lines and branch outcomes of the user's functions.
 *
 * A branch of the source has two outcomes, a switch one for each block that it leads to; branches that the compiler inserted for its checks
 * do not count.
 */
import type { IrFunction, Module, Place } from "../../model/module.js";
import type { PathState } from "./state.js";

export interface FileCoverage {
  readonly file: string;
  readonly lines: readonly { readonly line: number; readonly isCovered: boolean }[];
  readonly branches: readonly { readonly line: number; readonly taken: number; readonly outcomes: number }[];
}

export class Coverage {
  readonly #module: Module;
  readonly #lines = new Set<string>();
  readonly #edges = new Set<string>();
  #last:
    | { readonly fn: IrFunction; readonly depth: number; readonly block: number; readonly isEnd: boolean }
    | undefined;

  constructor(module: Module) {
    this.#module = module;
  }

  /** Lines and branch outcomes covered so far. */
  get size(): number {
    return this.#lines.size + this.#edges.size;
  }

  /** Has a run gone from one block of a function to another one? */
  isCovered(fn: string, from: number, to: number): boolean {
    return this.#edges.has(`${fn} ${from} ${to}`);
  }

  startRun(): void {
    this.#last = undefined;
  }

  /** Before each step of a run. */
  note({ frames, frame: { fn, block, at } }: PathState): void {
    if (fn.isLibrary) return;
    const last = this.#last;
    const here = fn.blocks[block];
    if (at === 0 && last?.isEnd && last.fn === fn && last.depth === frames.length)
      this.#edges.add(`${fn.name} ${last.block} ${block}`);
    const instruction = here?.instructions[at];
    this.#last = { fn, depth: frames.length, block, isEnd: instruction === undefined };
    const span = (instruction ?? here?.end)?.span;
    if (span && instruction?.kind !== "nothing") this.#lines.add(key(span));
  }

  files(): FileCoverage[] {
    const found = new Map<
      string,
      { lines: Map<number, boolean>; branches: FileCoverage["branches"][number][] }
    >();
    for (const fn of this.#module.functions.values())
      if (!fn.isLibrary) for (let block = 0; block < fn.blocks.length; block++) this.#add(found, fn, block);
    return [...found].map(([file, { lines, branches }]) => ({
      file,
      lines: [...lines].sort(([a], [b]) => a - b).map(([line, isCovered]) => ({ line, isCovered })),
      branches: branches.sort((a, b) => a.line - b.line),
    }));
  }

  #add(
    found: Map<string, { lines: Map<number, boolean>; branches: FileCoverage["branches"][number][] }>,
    fn: IrFunction,
    block: number,
  ): void {
    const here = fn.blocks[block];
    if (!here) return;
    const of = (file: string) => {
      const known = found.get(file) ?? { lines: new Map<number, boolean>(), branches: [] };
      found.set(file, known);
      return known;
    };
    for (const each of [...here.instructions, here.end])
      if (each.span && each.kind !== "nothing" && !isMark(each))
        of(each.span.file).lines.set(each.span.line, this.#lines.has(key(each.span)));
    const targets = outcomesOf(here.end);
    if (targets.length < 2 || !here.end.span) return;
    const taken = targets.filter((to) => this.#edges.has(`${fn.name} ${block} ${to}`)).length;
    of(here.end.span.file).branches.push({ line: here.end.span.line, taken, outcomes: targets.length });
  }
}

const key = ({ file, line }: Place): string => `${file}:${line}`;

/** Begins and ends of scopes are not code of the user. */
const isMark = (part: object): boolean => "callee" in part && JSON.stringify(part.callee).includes("llvm.");

function outcomesOf(end: IrFunction["blocks"][number]["end"]): number[] {
  if (end.kind === "branch") return end.isCheck || end.yes === end.no ? [] : [end.yes, end.no];
  return end.kind === "switch" ? [...new Set([...end.cases.map(({ to }) => to), end.otherwise])] : [];
}
