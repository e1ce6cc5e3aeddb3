/** Lines of the generated program, and their combinators. */
import type TypeScript from "typescript";
import { nth } from "../../model/known.js";

export interface Line {
  readonly text: string;
  readonly node: TypeScript.Node | undefined;
}

export const line = (text: string, node?: TypeScript.Node): Line => ({ text, node });

/** Nondeterministic choice. */
export function choose(branches: readonly (readonly Line[])[]): Line[] {
  const different = [
    ...new Map(branches.map((each) => [each.map(({ text }) => text).join("\n"), each])).values(),
  ];
  if (different.length === 0) return [];
  if (different.length === 1) return [...nth(different, 0)];
  return [line("choose {"), ...different.flatMap((branch) => [line("[]"), ...branch]), line("}")];
}

export const repeated = (body: readonly Line[]): Line[] =>
  body.length === 0 ? [] : [line("loop {"), ...choose([body, [line("break;")]]), line("}")];
