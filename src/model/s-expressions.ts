/** S-expressions: the answers of solvers. */
export type SExpression = string | readonly SExpression[];

/** All expressions of a text. Throws on unbalanced parentheses. */
export function readExpressions(text: string): SExpression[] {
  const stack: SExpression[][] = [[]];
  for (const [token] of text.matchAll(/\|[^|]*\||"(?:[^"]|"")*"|;[^\n]*|[()]|[^\s()|";]+/g)) {
    const top = stack.at(-1);
    if (token === "(") stack.push([]);
    else if (token === ")") {
      const done = stack.pop();
      const outer = stack.at(-1);
      if (!done || !outer) throw new Error("unbalanced parentheses");
      outer.push(done);
    } else if (!token.startsWith(";")) top?.push(token);
  }
  const [all] = stack;
  if (stack.length !== 1 || !all) throw new Error("unbalanced parentheses");
  return all;
}

/** The value of a constant: an integer, a Boolean as 0 or 1, a bit-vector. */
export function readValue(expression: SExpression | undefined): bigint {
  if (typeof expression === "string") {
    if (expression === "true") return 1n;
    if (expression === "false") return 0n;
    if (/^#[xb]/.test(expression)) return BigInt(`0${expression.slice(1)}`);
    if (/^\d+$/.test(expression)) return BigInt(expression);
  } else if (expression?.[0] === "-") return -readValue(expression[1]);
  else if (expression?.[0] === "_" && typeof expression[1] === "string")
    return BigInt(expression[1].slice(2));
  throw new Error(`not a value: ${JSON.stringify(expression)}`);
}

export const printExpression = (expression: SExpression): string =>
  typeof expression === "string" ? expression : `(${expression.map(printExpression).join(" ")})`;
