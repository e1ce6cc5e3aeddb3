/** Never claims as Spin writes and reads them. */
import type { Formula } from "../../../src/model/index.js";

export interface Size {
  readonly states: number;
  readonly transitions: number;
}

/** Labels at one place are one state; a transition is an option, and the `skip` of a final state. */
export function claimSize(claim: string): Size {
  const lines = claim.split("\n").map((line) => line.trim());
  const isLabel = (line: string | undefined): boolean => /^\w+:$/.test(line ?? "");
  return {
    states: lines.filter((line, i) => isLabel(line) && !isLabel(lines[i - 1])).length,
    transitions: lines.filter((line) => /^::|^skip/.test(line) && line !== ":: false").length,
  };
}

/** A formula without `next` in Spin's spelling. */
export function spinFormula(formula: Formula, names: readonly string[]): string {
  const of = (part: Formula): string => `(${spinFormula(part, names)})`;
  switch (formula.kind) {
    case "true":
    case "false":
      return formula.kind;
    case "proposition":
      return names[formula.index]!;
    case "not":
      return `!${of(formula.operand)}`;
    case "eventually":
      return `<>${of(formula.operand)}`;
    case "always":
      return `[]${of(formula.operand)}`;
    case "xor":
      return `!(${of(formula.left)} <-> ${of(formula.right)})`;
    case "weak-until":
      // Spin's own W makes it print operators into guards.
      return `${of(formula.right)} V (${of(formula.left)} || ${of(formula.right)})`;
    case "strong-release":
      return `${of(formula.right)} U (${of(formula.left)} && ${of(formula.right)})`;
    case "next":
      throw new Error("this Spin reads no X");
    default:
      return `${of(formula.left)} ${spellings[formula.kind]} ${of(formula.right)}`;
  }
}

const spellings = {
  and: "&&",
  or: "||",
  implies: "->",
  equivalent: "<->",
  until: "U",
  release: "V",
} as const;
