/** Random C programs from a seed: branches, loops, calls, arrays, pointers, and inputs of two bits, also inside of branches. */

import { Random } from "./random.js";

export interface CProgram {
  readonly text: string;
  /** Most inputs of a run, each from 0 to 3. */
  readonly inputs: number;
}

export const MOST_INPUTS = 4;

export function randomCProgram(seed: number): CProgram {
  const random = new Random(seed);
  let inputs = 2;
  const variable = (): string => random.pick(["a", "b", "x", "y", "z"]);
  const leaf = (): string =>
    random.pick([variable(), variable(), `${random.below(6)}`, "t[x & 3]", "*p", "g"]);
  const expression = (depth: number): string => {
    if (depth === 0 || random.below(3) === 0) return leaf();
    const operator = random.pick(["+", "-", "*", "&", "|", "^", "<", "==", "!=", "&&", "||", "%", "/", "<<"]);
    const [left, right] = [expression(depth - 1), expression(depth - 1)];
    if (operator === "%" || operator === "/") return `(${left} ${operator} (${right} & 3))`;
    if (operator === "*") return `((${left} & 15) * (${right} & 15))`;
    if (operator === "<<") return `((${left} & 15) << (${right} & 7))`;
    return `(${left} ${operator} ${right})`;
  };
  let loops = 0;
  const statement = (depth: number): string => {
    const inner = (): string => `{ ${statements(depth - 1)} }`;
    const choice = random.below(depth > 0 ? 16 : 7);
    switch (choice) {
      case 0:
        return `check(${expression(1)} != ${random.below(8)});`;
      case 1:
        return `t[${expression(1)} & ${random.pick(["3", "3", "7"])}] = ${expression(1)};`;
      case 2:
        return `p = &${random.pick(["x", "y", "t[1]"])};`;
      case 3:
        return `*p = ${expression(1)};`;
      case 4:
        if (inputs >= MOST_INPUTS) return `x = ${expression(2)};`;
        inputs++;
        return `${variable()} = input();`;
      case 5:
      case 6:
        return `${random.pick(["x", "y", "z", "g"])} = (${expression(2)}) & 63;`;
      case 7: {
        const i = `i${loops++}`;
        return `for (int ${i} = 0; ${i} < ${random.pick(["2", "3", "(a & 3)", "(x & 3)"])}; ${i}++) ${loopBody(depth)}`;
      }
      case 8:
        return `switch (${expression(1)} & 3) { case 0: ${statement(depth - 1)} break; case 2: ${statement(depth - 1)} default: ${statement(depth - 1)} }`;
      case 9:
        return `{ int w; if (${expression(1)}) w = ${expression(1)}; else ${random.pick(["w = 1;", "w = y;", ""])} if (${expression(0)}) z = w & 7; }`;
      case 10:
        return `y = f(${expression(1)}, ${expression(1)});`;
      case 11:
        return `{ int *q = ${expression(0)} ? malloc(4) : &y; ${random.pick(["if (q)", ""])} *q = ${leaf()}; x = *q & 31; if (q != &y) free(q); }`;
      case 12:
      case 13:
        return `if (${expression(2)}) ${inner()} else ${inner()}`;
      default:
        return `if (${expression(2)}) ${inner()}`;
    }
  };
  // Inputs inside of loops would be more than a run is given.
  const loopBody = (depth: number): string => {
    const before = inputs;
    inputs = MOST_INPUTS;
    const body = `{ ${statements(depth - 1)} }`;
    inputs = before;
    return body;
  };
  const statements = (depth: number): string =>
    Array.from({ length: 1 + random.below(3) }, () => statement(depth)).join(" ");
  const body = Array.from({ length: 3 + random.below(4) }, () => `  ${statement(2)}`).join("\n");
  const text = `#include <everypath.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static int g;
static int input(void) { unsigned char c = __VERIFIER_nondet_uchar(); assume(c < 4); return c; }
static int f(int m, int n) { if (m > n) g++; else if (m == 3) return g + n; return (m & 7) - (n & 3); }
int main(void) {
  int a = input(), b = input(), x = 0, y = 1, z = 2, t[4] = {1, 2, 3, 4}, *p = &z;
${body}
  return 0;
}
`;
  return { text, inputs: MOST_INPUTS };
}
