/** Prints formulas for `parseLtl`, with minimal parentheses. */
import type { Formula } from "../../../model/index.js";

export const format = (formula: Formula, names: readonly string[]): string => render(formula, names, 0);

const operators: Readonly<
  Record<string, { readonly text: string; readonly level: number; readonly isRight: boolean }>
> = {
  equivalent: { text: "<->", level: 1, isRight: false },
  implies: { text: "->", level: 2, isRight: true },
  or: { text: "|", level: 3, isRight: false },
  xor: { text: "^", level: 4, isRight: false },
  and: { text: "&", level: 5, isRight: false },
  until: { text: "U", level: 6, isRight: true },
  release: { text: "R", level: 6, isRight: true },
  "weak-until": { text: "W", level: 6, isRight: true },
  "strong-release": { text: "M", level: 6, isRight: true },
};

const prefixes = { not: "!", next: "X ", eventually: "F ", always: "G " } as const;

/** Adds parentheses if an operator binds less tightly than `level`. */
function render(formula: Formula, names: readonly string[], level: number): string {
  switch (formula.kind) {
    case "true":
      return "1";
    case "false":
      return "0";
    case "proposition":
      return formatName(names[formula.index] ?? `p${formula.index}`);
    case "not":
    case "next":
    case "eventually":
    case "always":
      return `${prefixes[formula.kind]}${render(formula.operand, names, 7)}`;
    default: {
      const { text, level: own, isRight } = operators[formula.kind]!;
      const left = render(formula.left, names, isRight ? own + 1 : own);
      const right = render(formula.right, names, isRight ? own : own + 1);
      const whole = `${left} ${text} ${right}`;
      return own < level ? `(${whole})` : whole;
    }
  }
}

/** Quoted unless it is a valid name. */
const formatName = (name: string): string =>
  /^[a-zA-EH-LN-QSTYZ_][a-z0-9A-EH-LN-QSTYZ_]*$/.test(name) && !reserved.test(name) ? name : `"${name}"`;

const reserved =
  /^(true|false|always|eventually|next|until|stronguntil|weakuntil|release|implies|equivalent)$/;
