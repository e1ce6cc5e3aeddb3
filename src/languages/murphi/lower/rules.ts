/** Rules, start states and properties, with their enclosing rulesets, aliases and choices. */
import { type Binder, type Condition, type Rule, type RuleProperty } from "../../../model/rules.js";
import type { FormulaUnit, PropertyNode, RuleUnit } from "../ast.js";
import type { Context } from "./context.js";
import { lowerDeclaration } from "./declarations.js";
import { lowerFormula } from "./formulas.js";
import { lowerCondition } from "./values.js";
import { keyOf, lowerMultiset } from "./places.js";
import { lowerParameter } from "./quantifiers.js";
import { lowerAliases } from "./aliases.js";
import { lowerStatements } from "./statements.js";

export interface Rules {
  readonly starts: Rule[];
  readonly rules: Rule[];
  readonly invariants: Condition[];
  readonly assumptions: Condition[];
  readonly liveness: Condition[];
  readonly temporal: RuleProperty[];
}

type Wrapper = RuleUnit & { kind: "ruleset" | "aliasRules" | "choose" };

/** `around`: enclosing constructs, outermost first. */
export function lowerRule(
  context: Context,
  node: RuleUnit,
  into: Rules,
  around: readonly Wrapper[] = [],
): void {
  switch (node.kind) {
    case "ruleset":
    case "aliasRules":
    case "choose":
      for (const rule of node.rules) lowerRule(context, rule, into, [...around, node]);
      // An empty ruleset: only its head is checked.
      if (node.rules.length === 0)
        context.inFrame(bodyOf("ruleset", true), () => lowerBinders(context, [...around, node]));
      return;
    case "rule":
      return void into.rules.push(lowerPlainRule(context, node, around, into.rules.length + 1));
    case "startstate":
      return void into.starts.push(lowerPlainRule(context, node, around, into.starts.length + 1));
    case "property":
      return lowerProperty(context, node, around, into);
    case "ltl":
      return lowerLtl(context, node, around, into);
  }
}

const bodyOf = (where: string, isPure: boolean): Context["body"] => ({ where, isPure, procedure: undefined });

function lowerPlainRule(
  context: Context,
  node: RuleUnit & { kind: "rule" | "startstate" },
  around: readonly Wrapper[],
  number: number,
): Rule {
  const where = `${node.kind} ${node.name === undefined ? number : `"${node.name}"`}`;
  const { result, slots } = context.inFrame(bodyOf(where, false), () => {
    const binders = context.as({ isPure: true }, () => lowerBinders(context, around));
    const guard = context.as({ where: `guard of ${where}`, isPure: true }, () =>
      node.guard ? lowerCondition(context, node.guard, "guard of a rule") : undefined,
    );
    const body = context.inBlock(() => {
      for (const declaration of node.declarations) lowerDeclaration(context, declaration, false);
      return lowerStatements(context, node.body);
    });
    return { binders, guard, body };
  });
  return { name: node.name, number, ...result, slots, span: node.span };
}

function lowerBinders(context: Context, around: readonly Wrapper[]): Binder[] {
  return around.flatMap((wrapper): readonly Binder[] => {
    // Every wrapper opens a block; all end with the frame.
    context.enterBlock();
    switch (wrapper.kind) {
      case "ruleset":
        return wrapper.quantifiers.flatMap((quantifier) => lowerParameter(context, quantifier) ?? []);
      case "aliasRules":
        return lowerAliases(context, wrapper.aliases);
      case "choose": {
        const multiset = lowerMultiset(context, wrapper.multiset, false);
        if (!multiset) {
          context.declare(wrapper.name, { kind: "broken" });
          return [];
        }
        const { type } = multiset;
        const slot = context.newSlot({
          kind: "element",
          name: wrapper.name.text,
          type: type.element,
          isReadOnly: false,
        });
        context.declare(wrapper.name, { kind: "element", slot, multiset: type, key: keyOf(multiset) });
        return [{ kind: "elements", slot, multiset }];
      }
    }
  });
}

function lowerProperty(context: Context, node: PropertyNode, around: readonly Wrapper[], into: Rules): void {
  const { category, message, span } = node;
  if (!context.isRumur && category !== "invariant") {
    context.error(
      "not-in-dialect",
      `CMurphi has no \`${category}\` outside rules`,
      span,
      "leave `--dialect cmurphi` out",
    );
    return;
  }
  // The element of an instance changes from state to state.
  // sound: test/languages/murphi/conditions.test.ts
  if (category === "liveness" && around.some((wrapper) => wrapper.kind === "choose")) {
    context.error(
      "misplaced-liveness",
      "`liveness` is not allowed inside a `choose`",
      span,
      "ask with `exists` whether an element has the property",
    );
    return;
  }
  const kind = category === "assert" ? "invariant" : category;
  const count = {
    invariant: into.invariants,
    assume: into.assumptions,
    liveness: into.liveness,
    cover: context.covers,
  }[kind].length;
  const name = context.propertyNames.take(message ?? `${kind} ${count + 1}`);
  const where = `${kind} ${message === undefined ? count + 1 : `"${message}"`}`;
  const condition = lowerPropertyCondition(context, node, around, name, where);
  if (!condition) return;
  switch (kind) {
    case "invariant":
      into.invariants.push(condition);
      return;
    case "assume":
      into.assumptions.push(condition);
      return;
    case "liveness":
      into.liveness.push(condition);
      return;
    case "cover":
      context.covers.push({ name, condition, span });
  }
}

function lowerLtl(
  context: Context,
  node: FormulaUnit,
  around: readonly Wrapper[],
  { temporal }: Rules,
): void {
  const { span } = node;
  if (!context.isRumur)
    return context.error(
      "not-in-dialect",
      "CMurphi has no `ltl`",
      span,
      "give the formula with `--ltl`, or leave `--dialect cmurphi` out",
    );
  // sound: test/languages/murphi/bad.test.ts
  if (around.length > 0)
    return context.error(
      "misplaced-ltl",
      "`ltl` is not allowed inside a ruleset, `alias` or `choose`",
      span,
      "quantify in the conditions with `forall` and `exists`, or write a formula for each value",
    );
  const property = lowerFormula(context, node, temporal.length + 1);
  if (property) temporal.push(property);
}

function lowerPropertyCondition(
  context: Context,
  { condition: node, category, span }: PropertyNode,
  around: readonly Wrapper[],
  name: string,
  where: string,
): Condition | undefined {
  const { result, slots } = context.inFrame(bodyOf(where, true), () => ({
    binders: lowerBinders(context, around),
    condition: lowerCondition(context, node, `condition of \`${category}\``),
  }));
  const { binders, condition } = result;
  return condition && { name, binders, condition, span, slots };
}
