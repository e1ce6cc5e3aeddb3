/** Evaluates the expression after `#if` and `#elif`. */
import type { Token } from "./token.js";
import { entryOf } from "../../model/known.js";

/** Returns the value, or an error with its position. Undefined names count as 0, as in C. */
export function evaluateCondition(tokens: readonly Token[]): number | ConditionError {
  try {
    const reader = new ConditionReader(tokens);
    return reader.whole();
  } catch (error) {
    if (error instanceof ConditionError) return error;
    throw error;
  }
}

class ConditionError {
  constructor(
    readonly message: string,
    readonly token: Token | undefined,
  ) {}
}

type Operation = (a: number, b: number) => number;

/** Loosest first. */
const LEVELS: readonly Readonly<Record<string, Operation>>[] = [
  { "||": (a, b) => Number(a !== 0 || b !== 0) },
  { "&&": (a, b) => Number(a !== 0 && b !== 0) },
  { "|": (a, b) => a | b },
  { "^": (a, b) => a ^ b },
  { "&": (a, b) => a & b },
  { "==": (a, b) => Number(a === b), "!=": (a, b) => Number(a !== b) },
  {
    "<": (a, b) => Number(a < b),
    "<=": (a, b) => Number(a <= b),
    ">": (a, b) => Number(a > b),
    ">=": (a, b) => Number(a >= b),
  },
  { "<<": (a, b) => a << b, ">>": (a, b) => a >> b },
  { "+": (a, b) => a + b, "-": (a, b) => a - b },
  { "*": (a, b) => a * b, "/": (a, b) => Math.trunc(a / b), "%": (a, b) => a % b },
];

/** Limits nesting, so that the reader may recurse. */
const MAX_DEPTH = 200;

class ConditionReader {
  #at = 0;
  #depth = 0;

  constructor(readonly tokens: readonly Token[]) {}

  whole(): number {
    if (this.tokens.length === 0) throw new ConditionError("there is no condition", undefined);
    const value = this.#ternary();
    if (this.#at < this.tokens.length) throw this.#error("expected an operator");
    return value;
  }

  #ternary(): number {
    if (++this.#depth > MAX_DEPTH) throw this.#error("the condition is nested too deeply");
    const condition = this.#binary(0);
    let value = condition;
    if (this.#accept("?")) {
      const then = this.#ternary();
      if (!this.#accept(":")) throw this.#error("expected `:`");
      const otherwise = this.#ternary();
      value = condition !== 0 ? then : otherwise;
    }
    this.#depth--;
    return value;
  }

  #binary(level: number): number {
    const operations = LEVELS[level];
    if (!operations) return this.#unary();
    let value = this.#binary(level + 1);
    for (let token = this.tokens[this.#at]; token; token = this.tokens[this.#at]) {
      const operation = Object.hasOwn(operations, token.image) ? operations[token.image] : undefined;
      if (!operation) break;
      this.#at++;
      const right = this.#binary(level + 1);
      if (right === 0 && (token.is("/") || token.is("%"))) {
        throw new ConditionError("division by zero", token);
      }
      value = operation(value, right);
    }
    return value;
  }

  #unary(): number {
    const prefixes: string[] = [];
    for (let token = this.tokens[this.#at]; token && PREFIX.has(token.image); token = this.tokens[this.#at]) {
      prefixes.push(token.image);
      this.#at++;
    }
    return prefixes.reduceRight((value, prefix) => entryOf(PREFIX, prefix)(value), this.#primary());
  }

  #primary(): number {
    const token = this.tokens[this.#at];
    if (!token) throw this.#error("expected a value");
    if (this.#accept("(")) {
      const value = this.#ternary();
      if (!this.#accept(")")) throw this.#error("expected `)`");
      return value;
    }
    this.#at++;
    if (token.lexical === "identifier") return token.image === "true" ? 1 : 0;
    if (token.lexical === "character") return token.image.charCodeAt(1);
    const value = Number(token.image.replace(/[uUlL]+$/, ""));
    if (token.lexical === "number" && Number.isFinite(value)) return value;
    this.#at--;
    throw this.#error("expected a value");
  }

  #accept(text: string): boolean {
    const matches = this.tokens[this.#at]?.is(text) ?? false;
    if (matches) this.#at++;
    return matches;
  }

  #error(message: string): ConditionError {
    return new ConditionError(message, this.tokens[this.#at] ?? this.tokens.at(-1));
  }
}

const PREFIX = new Map<string, (value: number) => number>([
  ["!", (a) => Number(a === 0)],
  ["!!", (a) => Number(a !== 0)],
  ["-", (a) => -a],
  ["+", (a) => a],
  ["~", (a) => ~a],
]);
