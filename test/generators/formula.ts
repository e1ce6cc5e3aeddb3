/** Random temporal formulas over the declarations of a generated program, in Spin's syntax. */
import { mtypeNames } from "./promela-scope.js";
import { type Program, renderProgram } from "./promela-tree.js";
import type { Random } from "./random.js";

export interface FormulaOptions {
  /** Most nested operators. */
  readonly depth?: number;
  readonly hasNext?: boolean;
}

export function randomFormula(random: Random, program: Program, options: FormulaOptions = {}): string {
  const { depth = 3, hasNext = false } = options;
  const atoms = random.list(1, 3, () => randomAtom(random, program));
  const atom = (): string => random.pick(atoms);
  const formula = (left: number): string => {
    if (left === 0) return atom();
    const inner = (): string => formula(left - 1);
    return random.weighted<string>([
      [2, atom],
      [2, () => `(! ${inner()})`],
      [3, () => `([] ${inner()})`],
      [3, () => `(<> ${inner()})`],
      [2, () => `([] <> ${inner()})`],
      [2, () => `(<> [] ${inner()})`],
      [hasNext ? 2 : 0, () => `(X ${inner()})`],
      [2, () => `(${inner()} U ${inner()})`],
      [1, () => `(${inner()} V ${inner()})`],
      [1, () => `(${inner()} W ${inner()})`],
      [2, () => `(${inner()} && ${inner()})`],
      [2, () => `(${inner()} || ${inner()})`],
      [2, () => `(${inner()} -> ${inner()})`],
    ]);
  };
  return formula(depth);
}

/** A condition over globals, channels and labels of the program. */
export function randomAtom(random: Random, program: Program): string {
  const text = renderProgram(program);
  const has = (pattern: RegExp): boolean => pattern.test(text);
  // The generator creates one process of each of these names, except with [2].
  const places = [...text.matchAll(/^active proctype (main\d)\(\)[\s\S]*?^\}/gm)]
    .filter(([body]) => /\bthere:/.test(body))
    .map(([, name]) => name!);
  const numbers = [
    "g0",
    ...(has(/\bg1\b/) ? ["g1"] : []),
    ...(has(/^byte list\[2\]/m) ? ["list[0]", "list[1]"] : []),
  ];
  return random.weighted<string>([
    [6, () => `(${random.pick(numbers)} ${random.pick(["==", "!=", "<", ">"])} ${random.below(3)})`],
    [has(/^mtype colour/m) ? 2 : 0, () => `(colour == ${random.pick(mtypeNames)})`],
    [has(/^chan buffer/m) ? 2 : 0, () => `(len(buffer) ${random.pick(["==", ">"])} ${random.below(2)})`],
    [places.length > 0 ? 3 : 0, () => `(${random.pick(places)}@there)`],
    [1, () => `(_nr_pr < ${random.between(1, 3)})`],
  ]);
}
