/**
 * Searches states for a condition such as `x == 1 && (turn != 2 || P[0]:y > 3)`; other input is plain text. Compares
 * values as numbers if both are, otherwise as text.
 */
import { valueText } from "./model.js";

export type Predicate = (values: ReadonlyMap<string, string>, text: string) => boolean;

export interface Parsed {
  readonly test: Predicate;
  /** Parsed as a condition, not as plain text. */
  readonly isCondition: boolean;
}

export function parsePredicate(source: string): Parsed | null {
  const text = source.trim();
  if (text === "") return null;
  const condition = new Parser(text).parse();
  if (condition) return { test: condition, isCondition: true };
  const wanted = text.toLowerCase();
  const test: Predicate = (values, about) =>
    about.toLowerCase().includes(wanted) ||
    [...values].some(([name, value]) => valueText(name, value).toLowerCase().includes(wanted));
  return { test, isCondition: false };
}

class Parser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = [
      ...text.matchAll(/\s*(&&|\|\||==|!=|<=|>=|<|>|=|!|\(|\)|[^\s&|=!<>()]+(?:\([^()]*\)[^\s&|=!<>()]*)*)/g),
    ].map(([, t]) => t!);
  }

  parse(): Predicate | null {
    const result = this.#or();
    return this.#at === this.#tokens.length ? result : null;
  }

  #or(): Predicate | null {
    let left = this.#and();
    while (left && this.#eat("||")) {
      const [a, b] = [left, this.#and()];
      left = b && ((values, text) => a(values, text) || b(values, text));
    }
    return left;
  }

  #and(): Predicate | null {
    let left = this.#not();
    while (left && this.#eat("&&")) {
      const [a, b] = [left, this.#not()];
      left = b && ((values, text) => a(values, text) && b(values, text));
    }
    return left;
  }

  #not(): Predicate | null {
    if (this.#eat("!")) {
      const inner = this.#not();
      return inner && ((values, text) => !inner(values, text));
    }
    if (this.#eat("(")) {
      const inner = this.#or();
      return this.#eat(")") ? inner : null;
    }
    return this.#comparison();
  }

  #comparison(): Predicate | null {
    const name = this.#tokens[this.#at];
    const operator = this.#tokens[this.#at + 1];
    const value = this.#tokens[this.#at + 2];
    const compare = operator === undefined ? undefined : comparisons[operator];
    if (name === undefined || value === undefined || !compare) return null;
    this.#at += 3;
    return (values) => {
      const left = values.get(name);
      return left !== undefined && compare(order(left, values.get(value) ?? value));
    };
  }

  #eat(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }
}

const comparisons: Record<string, ((order: number) => boolean) | undefined> = {
  "==": (o) => o === 0,
  "=": (o) => o === 0,
  "!=": (o) => o !== 0,
  "<": (o) => o < 0,
  "<=": (o) => o <= 0,
  ">": (o) => o > 0,
  ">=": (o) => o >= 0,
};

function order(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  if (a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return a < b ? -1 : a > b ? 1 : 0;
}
