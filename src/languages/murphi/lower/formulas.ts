/** Lowers temporal formulas; their conditions become numbered propositions. */
import { MOST_PROPOSITIONS } from "../../../model/automaton.js";
import type { Formula } from "../../../model/formula.js";
import type { Condition, RuleProperty, RuleProposition } from "../../../model/rules.js";
import type { Expression, Formula as FormulaNode, FormulaUnit } from "../ast.js";
import { isCondition } from "../grammar-formulas.js";
import type { Context } from "./context.js";
import { lowerCondition } from "./values.js";

/** `number`: position in the model, from 1. Undefined after an error. */
export function lowerFormula(context: Context, node: FormulaUnit, number: number): RuleProperty | undefined {
  const name = context.propertyNames.take(node.name ?? `ltl ${number}`);
  const where = `ltl ${node.name === undefined ? number : `"${node.name}"`}`;
  const propositions = new Propositions(context, name, where);
  const formula = formulaOf(node.formula, propositions);
  const { list } = propositions;
  const { span } = node;
  if (list.length > MOST_PROPOSITIONS)
    return context.error(
      "too-many-propositions",
      `\`${name}\` has ${list.length} different conditions, at most ${MOST_PROPOSITIONS} are possible`,
      span,
      "split it into several formulas",
    );
  const message = `a function assumes something that is false within ${where}`;
  return {
    name,
    kind: "ltl",
    span,
    propositions: list,
    requirement: { kind: "satisfies", formula },
    rejected: context.site("error", message, span),
  };
}

function formulaOf(node: FormulaNode, propositions: Propositions): Formula {
  if (isCondition(node)) return propositions.take(node);
  if ("operand" in node) return { kind: node.kind, operand: formulaOf(node.operand, propositions) };
  const { kind, left, right } = node;
  return { kind, left: formulaOf(left, propositions), right: formulaOf(right, propositions) };
}

class Propositions {
  readonly list: RuleProposition[] = [];
  readonly #keys = new Map<string, number>();

  constructor(
    readonly context: Context,
    readonly property: string,
    readonly where: string,
  ) {}

  take(node: Expression): Formula {
    const { context, property: name } = this;
    const body = { where: this.where, isPure: true, procedure: undefined };
    const { result, slots } = context.inFrame(body, () =>
      lowerCondition(context, node, "condition of `ltl`"),
    );
    // An error has been reported.
    if (!result) return { kind: "true" };
    if (result.kind === "constant") return { kind: result.value === 0 ? "false" : "true" };
    return this.#numbered({ name, binders: [], condition: result, slots, span: node.span });
  }

  #numbered(condition: Condition): Formula {
    const key = keyOf(condition);
    const known = this.#keys.get(key);
    if (known !== undefined) return { kind: "proposition", index: known };
    this.#keys.set(key, this.list.length);
    const name = this.context.text(condition.span);
    return { kind: "proposition", index: this.list.push({ name, condition }) - 1 };
  }
}

/** Equal for conditions that differ only in source positions. */
const keyOf = ({ condition, slots }: Condition): string =>
  JSON.stringify([condition, slots], (field, value: unknown) => (PLACES.has(field) ? undefined : value));

/** Positions, and fault sites, which contain positions. */
const PLACES: ReadonlySet<string> = new Set(["span", "site", "wrongWay", "tooDeep"]);
