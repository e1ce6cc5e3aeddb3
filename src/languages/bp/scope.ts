/** Names of variables, and the lowering of expressions. */
import type { BooleanExpr } from "../../model/boolean.js";
import type { ReportError } from "../toolkit/diagnostics.js";
import { suggest } from "../toolkit/spelling.js";
import type { Named, Tree } from "./ast.js";

export const TRUE: BooleanExpr = { kind: "constant", value: true };

export const not = (of: BooleanExpr): BooleanExpr =>
  of.kind === "constant" ? { kind: "constant", value: !of.value } : { kind: "not", of };

export function and(left: BooleanExpr, right: BooleanExpr): BooleanExpr {
  if (left.kind === "constant") return left.value ? right : left;
  if (right.kind === "constant") return right.value ? left : right;
  return { kind: "and", left, right };
}

/** Variables by name, inner blocks first. */
export class Scope {
  readonly #error: ReportError;
  readonly #outer: Scope | undefined;
  readonly #own = new Map<string, number>();

  constructor(error: ReportError, outer?: Scope) {
    this.#error = error;
    this.#outer = outer;
  }

  declare({ name, span }: Named, variable: number): void {
    if (this.#own.has(name)) this.#error("bp/duplicate-name", span, `\`${name}\` is declared twice`);
    this.#own.set(name, variable);
  }

  inner(): Scope {
    return new Scope(this.#error, this);
  }

  /** Undefined after a report. */
  variable({ name, span }: Named): number | undefined {
    const found = this.#find(name);
    if (found === undefined)
      this.#error("bp/unknown-name", span, `there is no variable \`${name}\``, suggest(name, this.#names()));
    return found;
  }

  #find(name: string): number | undefined {
    const found = this.#own.get(name);
    return found === undefined && this.#outer ? this.#outer.#find(name) : found;
  }

  #names(): string[] {
    return [...this.#own.keys(), ...(this.#outer ? this.#outer.#names() : [])];
  }
}

/** Lowers the expressions of one step; counts their choices. */
export class StepExpressions {
  choices = 0;
  readonly #error: ReportError;

  constructor(error: ReportError) {
    this.#error = error;
  }

  choice(): BooleanExpr {
    return { kind: "choice", choice: this.choices++ };
  }

  /** `takesPrimes`: the expression is a constraint. `after`: all variables have their values after the step. */
  lower(tree: Tree, scope: Scope, how: { takesPrimes?: boolean; after?: boolean } = {}): BooleanExpr {
    const inner = (each: Tree): BooleanExpr => this.lower(each, scope, how);
    switch (tree.kind) {
      case "constant":
        return { kind: "constant", value: tree.value };
      case "star":
        return this.choice();
      case "name": {
        if (tree.isPrimed && !how.takesPrimes)
          this.#error(
            "bp/primed",
            tree.span,
            `\`${tree.name}'\` has a meaning in \`constrain\` alone`,
            "omit the prime",
          );
        const variable = scope.variable(tree);
        return variable === undefined
          ? TRUE
          : { kind: "variable", variable, isPrimed: tree.isPrimed || how.after === true };
      }
      case "not":
        return not(inner(tree.of));
      case "schoose":
        // True if `yes`, else false if `no`, else chosen.
        return { kind: "or", left: inner(tree.yes), right: and(not(inner(tree.no)), this.choice()) };
      case "binary": {
        const [left, right] = [inner(tree.left), inner(tree.right)];
        switch (tree.operator) {
          case "equal":
            return not({ kind: "xor", left, right });
          case "implies":
            return { kind: "or", left: not(left), right };
          default:
            return { kind: tree.operator, left, right };
        }
      }
    }
  }
}
