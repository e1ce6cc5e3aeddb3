/** Names of a program: constants, variables, indices of templates and quantifiers. */
import type { Span } from "../../model/diagnostic.js";
import type { LinearSum, Range } from "../../model/guarded.js";
import type { ReportError } from "../toolkit/diagnostics.js";
import { suggest } from "../toolkit/spelling.js";
import type { RangeTree, Tree } from "./ast.js";

export interface Variable {
  readonly number: number;
  /** As reports write it: `x`, `a[1]`, `P[1].pc`. */
  readonly name: string;
  readonly type: "int" | "bool" | "pc" | "range";
  readonly isExplicit: boolean;
  /** Of a program counter: the constants assigned to it, found last. */
  range: Range | undefined;
  readonly initial: bigint | undefined;
  readonly span: Span;
}

/** Bindings of indices, innermost last, and the process whose local variables are visible. */
export interface Environment {
  readonly indices: ReadonlyMap<string, bigint>;
  /** Prefix of local variables: `P[1]`. */
  readonly process: string | undefined;
}

export const OUTSIDE: Environment = { indices: new Map(), process: undefined };

export class Scope {
  readonly constants = new Map<string, bigint>();
  readonly variables: Variable[] = [];
  readonly #byName = new Map<string, Variable>();
  /** Declared names without indices, for suggestions and better messages. */
  readonly stems = new Set<string>();
  readonly error: ReportError;

  constructor(error: ReportError) {
    this.error = error;
  }

  declare(variable: Omit<Variable, "number">): void {
    if (this.#byName.has(variable.name))
      return this.error("gcl/duplicate-name", variable.span, `\`${variable.name}\` is declared twice`);
    const made = { ...variable, number: this.variables.length };
    this.variables.push(made);
    this.#byName.set(made.name, made);
    this.stems.add(variable.name.replace(/\[.*|^.*\./, ""));
  }

  /** The value of a constant expression; reports anything else. */
  constant(tree: Tree, at: Environment): bigint {
    switch (tree.kind) {
      case "number":
        return tree.value;
      case "truth":
        return tree.value ? 1n : 0n;
      case "place": {
        const value = at.indices.get(tree.name) ?? this.constants.get(tree.name);
        if (value !== undefined && !tree.index && tree.field === undefined) return value;
        const what = this.stems.has(tree.name)
          ? `\`${tree.name}\` is a variable`
          : `there is no constant \`${tree.name}\``;
        this.error(
          "gcl/not-constant",
          tree.span,
          `${what}: a constant is needed here`,
          suggest(tree.name, this.constants.keys()),
        );
        return 0n;
      }
      case "unary":
        if (tree.operator === "-") return -this.constant(tree.of, at);
        break;
      case "binary": {
        const operation = ARITHMETIC[tree.operator];
        if (operation) return operation(this.constant(tree.left, at), this.constant(tree.right, at));
        break;
      }
      default:
    }
    this.error("gcl/not-constant", tree.span, "a constant number is needed here");
    return 0n;
  }

  range({ low, high }: RangeTree, at: Environment, span: Span): Range {
    const found = { low: this.constant(low, at), high: this.constant(high, at) };
    if (found.low > found.high)
      this.error("gcl/empty-range", span, `the range ${found.low}..${found.high} has no values`);
    return found;
  }

  /** Values of a range to unfold. */
  values(tree: RangeTree, at: Environment, span: Span): bigint[] {
    const { low, high } = this.range(tree, at, span);
    if (high - low >= MOST_UNFOLDED) {
      this.error("gcl/too-large", span, `the range ${low}..${high} has more than ${MOST_UNFOLDED} values`);
      return [low];
    }
    return Array.from({ length: Math.max(0, Number(high - low) + 1) }, (_, index) => low + BigInt(index));
  }

  variable(tree: Extract<Tree, { kind: "place" }>, at: Environment): Variable | undefined {
    const index = tree.index && this.constant(tree.index, at);
    const suffix = index === undefined ? "" : `[${index}]`;
    const written = `${tree.name}${suffix}${tree.field === undefined ? "" : `.${tree.field}`}`;
    const local = at.process === undefined ? undefined : this.#byName.get(`${at.process}.${written}`);
    const found = local ?? this.#byName.get(written) ?? this.#onlyLocal(written);
    if (found) return found;
    const message = this.stems.has(tree.name)
      ? `there is no variable \`${written}\`: \`${tree.name}\` has other indices, or belongs to a process`
      : `there is no variable \`${written}\``;
    this.error(
      "gcl/unknown-name",
      tree.span,
      message,
      suggest(tree.name, [...this.stems, ...this.constants.keys()]),
    );
    return undefined;
  }

  /** Outside its process, a local variable needs no prefix if no other has its name. */
  #onlyLocal(written: string): Variable | undefined {
    const found = this.variables.filter(({ name }) => name.endsWith(`.${written}`));
    return found.length === 1 ? found[0] : undefined;
  }

  /** A linear sum; undefined after a report. */
  sum(tree: Tree, at: Environment): LinearSum | undefined {
    switch (tree.kind) {
      case "number":
        return constantSum(tree.value);
      case "truth":
        return constantSum(tree.value ? 1n : 0n);
      case "place": {
        const value =
          tree.index || tree.field !== undefined
            ? undefined
            : (at.indices.get(tree.name) ?? this.constants.get(tree.name));
        if (value !== undefined) return constantSum(value);
        const variable = this.variable(tree, at);
        return variable && { parts: [{ variable: variable.number, coefficient: 1n }], constant: 0n };
      }
      case "unary": {
        if (tree.operator === "!") break;
        const of = this.sum(tree.of, at);
        return of && scaled(of, -1n);
      }
      case "binary": {
        if (!["+", "-", "*"].includes(tree.operator)) break;
        const [left, right] = [this.sum(tree.left, at), this.sum(tree.right, at)];
        if (!left || !right) return undefined;
        if (tree.operator !== "*") return added(left, tree.operator === "-" ? scaled(right, -1n) : right);
        if (right.parts.length === 0) return scaled(left, right.constant);
        if (left.parts.length === 0) return scaled(right, left.constant);
        this.error(
          "gcl/non-linear",
          tree.span,
          "the product of two variables is not linear",
          "one factor must be a constant",
        );
        return undefined;
      }
      default:
    }
    const hint =
      tree.kind === "binary" && tree.operator === "%" ? "write a remainder as `E % 2 == 1`" : undefined;
    this.error("gcl/not-a-number", tree.span, "a number is needed here, not a condition", hint);
    return undefined;
  }
}

const MOST_UNFOLDED = 1000n;

const ARITHMETIC: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
};

export const constantSum = (constant: bigint): LinearSum => ({ parts: [], constant });

export const scaled = ({ parts, constant }: LinearSum, by: bigint): LinearSum => ({
  parts:
    by === 0n ? [] : parts.map(({ variable, coefficient }) => ({ variable, coefficient: coefficient * by })),
  constant: constant * by,
});

export function added(a: LinearSum, b: LinearSum): LinearSum {
  const found = new Map(a.parts.map(({ variable, coefficient }) => [variable, coefficient]));
  for (const { variable, coefficient } of b.parts)
    found.set(variable, (found.get(variable) ?? 0n) + coefficient);
  const parts = [...found].filter(([, coefficient]) => coefficient !== 0n);
  return {
    parts: parts.map(([variable, coefficient]) => ({ variable, coefficient })),
    constant: a.constant + b.constant,
  };
}
