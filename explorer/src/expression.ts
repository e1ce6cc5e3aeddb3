/**
 * Expressions over the values of a state, such as `x == 1 && P[0]:y + 2 > z`: conditions for searches, and watches.
 *
 * The language determines the names of variables (`P[0]:y`, `net{0}.who`), so the reader is given all names and takes
 * the longest that fits. Unknown words are refused, unless they occur as values. An operand without a value, such as a
 * variable of a process that is gone, makes the result undefined, not false.
 */

export type Values = ReadonlyMap<string, string>;

export interface Expression {
  /** Undefined where a variable has no value, or arithmetic has no number. */
  evaluate(values: Values): string | undefined;
  /** Its result is true or false. */
  readonly isCondition: boolean;
}

/** Names and values that occur in the states to look at. */
export interface Vocabulary {
  readonly names: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

export type Parsed = { readonly expression: Expression } | { readonly problem: string };

export function parseExpression(source: string, vocabulary: Vocabulary): Parsed {
  try {
    return { expression: new Parser(tokensOf(source, vocabulary)).parse() };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.message };
    throw error;
  }
}

/** Vocabulary of some states. */
export function vocabularyOf(states: Iterable<Values>): Vocabulary {
  const names = new Set<string>();
  const values = new Set<string>();
  for (const state of states)
    for (const [name, value] of state) {
      names.add(name);
      values.add(value);
    }
  return { names, values };
}

class Problem extends Error {}

// ---- tokens --------------------------------------------------------------------------------------

type Token =
  | { readonly kind: "name"; readonly text: string }
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "operator"; readonly text: string };

function tokensOf(source: string, { names, values }: Vocabulary): Token[] {
  const sorted = [...names].sort((a, b) => b.length - a.length);
  const tokens: Token[] = [];
  let rest = source.trim();
  while (rest !== "") {
    const token = nextToken(rest, sorted, values);
    tokens.push(token.token);
    rest = rest.slice(token.length).trimStart();
  }
  return tokens;
}

function nextToken(
  rest: string,
  names: readonly string[],
  values: ReadonlySet<string>,
): { readonly token: Token; readonly length: number } {
  const name = names.find((candidate) => rest.startsWith(candidate) && endsAt(rest, candidate.length));
  if (name !== undefined) return { token: { kind: "name", text: name }, length: name.length };
  const quoted = /^"([^"]*)"/.exec(rest);
  if (quoted) return { token: { kind: "literal", text: quoted[1]! }, length: quoted[0].length };
  const number = /^\d+(?:\.\d+)?(?![\w.])/.exec(rest)?.[0];
  if (number !== undefined) return { token: { kind: "literal", text: number }, length: number.length };
  const operator = /^(?:&&|\|\||==|!=|<=|>=|[-<>=!()+*/%])/.exec(rest)?.[0];
  if (operator !== undefined && !"[{".includes(operator))
    return { token: { kind: "operator", text: operator }, length: operator.length };
  const word = wordAt(rest);
  if (word === "") throw new Problem(`'${rest[0]!}' is not understood`);
  if (!["true", "false"].includes(word) && !values.has(word))
    throw new Problem(`no variable and no value is called '${word}'${suggestion(word, names)}`);
  return { token: { kind: "literal", text: word }, length: word.length };
}

/** A name must not be the beginning of a longer word. */
const endsAt = (text: string, length: number): boolean =>
  !(/[\p{L}\p{N}_$]/u.test(text[length - 1]!) && /[\p{L}\p{N}_$]/u.test(text[length] ?? ""));

/** A word with everything attached to it: indices, fields, arguments; or a list in brackets. */
function wordAt(text: string): string {
  let at = 0;
  while (at < text.length) {
    if (/[\p{L}\p{N}_$@.:#']/u.test(text[at]!)) at++;
    else if ("([{".includes(text[at]!) && (at > 0 || text[at] !== "(")) {
      const end = closing(text, at);
      if (end < 0) break;
      at = end + 1;
    } else break;
  }
  return text.slice(0, at);
}

function closing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    if ("([{".includes(text[at]!)) depth++;
    else if (")]}".includes(text[at]!) && --depth === 0) return at;
  }
  return -1;
}

function suggestion(word: string, names: readonly string[]): string {
  const near = names.filter((name) => name.toLowerCase().includes(word.toLowerCase())).slice(0, 3);
  if (near.length > 0) return `; perhaps ${near.join(" or ")}`;
  return names.length === 0
    ? ""
    : `; there is ${names.toSorted().slice(0, 3).join(", ")}${names.length > 3 ? " …" : ""}`;
}

// ---- parser --------------------------------------------------------------------------------------

type Operand = Expression["evaluate"];

interface Part {
  readonly of: Operand;
  readonly isCondition: boolean;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  parse(): Expression {
    const { of, isCondition } = this.#or();
    const left = this.#tokens[this.#at];
    if (left) throw new Problem(`'${left.text}' is not expected here`);
    return { evaluate: of, isCondition };
  }

  #or(): Part {
    let left = this.#and();
    while (this.#eat("||")) left = condition(either(left.of, this.#and().of));
    return left;
  }

  #and(): Part {
    let left = this.#comparison();
    while (this.#eat("&&")) left = condition(both(left.of, this.#comparison().of));
    return left;
  }

  #comparison(): Part {
    const left = this.#sum();
    const compare = comparisons[this.#operator() ?? ""];
    if (!compare) return left;
    this.#at++;
    const right = this.#sum();
    return condition((values) => {
      const [a, b] = [left.of(values), right.of(values)];
      return a === undefined || b === undefined ? undefined : `${compare(order(a, b))}`;
    });
  }

  #sum(): Part {
    let left = this.#product();
    for (let sign = this.#eatOne("+", "-"); sign; sign = this.#eatOne("+", "-"))
      left = calculation(left.of, this.#product().of, sign === "+" ? (a, b) => a + b : (a, b) => a - b);
    return left;
  }

  #product(): Part {
    let left = this.#unary();
    for (let sign = this.#eatOne("*", "/", "%"); sign; sign = this.#eatOne("*", "/", "%"))
      left = calculation(left.of, this.#unary().of, products[sign]!);
    return left;
  }

  #unary(): Part {
    if (this.#eat("!")) return condition(opposite(this.#unary().of));
    if (this.#eat("-"))
      return calculation(
        () => "0",
        this.#unary().of,
        (a, b) => a - b,
      );
    if (this.#eat("(")) {
      const inner = this.#or();
      if (!this.#eat(")")) throw new Problem("a closing bracket is missing");
      return inner;
    }
    const token = this.#tokens[this.#at++];
    if (!token) throw new Problem("the expression is not complete");
    if (token.kind === "operator") throw new Problem(`'${token.text}' is not expected here`);
    const { kind, text } = token;
    return { of: kind === "name" ? (values) => values.get(text) : () => text, isCondition: false };
  }

  #operator(): string | undefined {
    const token = this.#tokens[this.#at];
    return token?.kind === "operator" ? token.text : undefined;
  }

  #eat(operator: string): boolean {
    return this.#eatOne(operator) !== undefined;
  }

  #eatOne(...operators: readonly string[]): string | undefined {
    const next = this.#operator();
    if (next === undefined || !operators.includes(next)) return undefined;
    this.#at++;
    return next;
  }
}

const condition = (of: Operand): Part => ({ of, isCondition: true });

function calculation(a: Operand, b: Operand, combine: (a: number, b: number) => number): Part {
  return {
    isCondition: false,
    of: (values) => {
      const [x, y] = [numeric(a(values)), numeric(b(values))];
      if (x === undefined || y === undefined) return undefined;
      const result = combine(x, y);
      return Number.isFinite(result) ? `${result}` : undefined;
    },
  };
}

const products: Readonly<Record<string, (a: number, b: number) => number>> = {
  "*": (a, b) => a * b,
  "/": (a, b) => Math.trunc(a / b),
  "%": (a, b) => a % b,
};

// Kleene's three values: an undefined operand counts only where it matters.
const either =
  (a: Operand, b: Operand): Operand =>
  (values) => {
    const [x, y] = [truth(a(values)), truth(b(values))];
    return x === true || y === true ? "true" : x === undefined || y === undefined ? undefined : "false";
  };

const both =
  (a: Operand, b: Operand): Operand =>
  (values) => {
    const [x, y] = [truth(a(values)), truth(b(values))];
    return x === false || y === false ? "false" : x === undefined || y === undefined ? undefined : "true";
  };

const opposite =
  (a: Operand): Operand =>
  (values) => {
    const x = truth(a(values));
    return x === undefined ? undefined : `${!x}`;
  };

/** Truth of a value, as languages with and without booleans write it. */
function truth(value: string | undefined): boolean | undefined {
  if (value === "true" || value === "false") return value === "true";
  const number = numeric(value);
  return number === undefined ? undefined : number !== 0;
}

const comparisons: Readonly<Record<string, ((order: number) => boolean) | undefined>> = {
  "==": (o) => o === 0,
  "=": (o) => o === 0,
  "!=": (o) => o !== 0,
  "<": (o) => o < 0,
  "<=": (o) => o <= 0,
  ">": (o) => o > 0,
  ">=": (o) => o >= 0,
};

/** Compares numbers as numbers, other values as texts. */
function order(a: string, b: string): number {
  const [x, y] = [numeric(a), numeric(b)];
  if (x !== undefined && y !== undefined) return x - y;
  return a < b ? -1 : a > b ? 1 : 0;
}

export function numeric(value: string | undefined): number | undefined {
  if (value === undefined || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
}
