/** Approximates the values of expressions, so that only expressions that can fail become failure sites. */
import type { Span } from "../../model/diagnostic.js";
import type * as ast from "./ast.js";
import { Failure, type Scope } from "./scope.js";
import { NONE, domainOf, type Type, type Value } from "./types.js";

/** Over-approximates the values of an expression (or the items of a list); undefined if unknown. */
export function possibleValues(expression: ast.Expression, scope: Scope): readonly number[] | undefined {
  const all = (parts: readonly ast.Expression[]): readonly number[] | undefined => {
    const found = parts.map((part) => possibleValues(part, scope));
    return found.every((values) => values !== undefined) ? found.flat() : undefined;
  };
  switch (expression.kind) {
    case "int":
      return [expression.value];
    case "bool":
      return [expression.value ? 1 : 0];
    case "list":
      return all(expression.items);
    case "conditional":
      return all([expression.then, expression.otherwise]);
    case "name": {
      const meaning = scope.find(expression.name.text);
      if (meaning?.kind === "local") return meaning.values;
      const value = meaning?.kind === "value" ? meaning.value : undefined;
      return typeof value === "number" ? [value] : Array.isArray(value) ? (value as number[]) : undefined;
    }
    case "member":
      return scope.shared.fields.find(({ name }) => name === expression.name.text)?.domain;
    case "call":
      return expression.name.text === "contacts"
        ? domainOf({ kind: "node", of: "client" }, scope.shared.topology)
        : undefined;
    default:
      return undefined;
  }
}

/** Index of the failure site for values outside the domain; -1 if this is impossible. */
export function failureOutside(
  domain: readonly number[],
  expressions: readonly ast.Expression[],
  message: string,
  span: Span,
  scope: Scope,
): number {
  const isSure = expressions.every((e) => possibleValues(e, scope)?.every((value) => domain.includes(value)));
  return isSure ? -1 : scope.failure(message, span);
}

/** Returns a function that passes values (or sets of values) of the type and fails for others. */
export function insideOf(type: Type, expression: ast.Expression, scope: Scope): (value: Value) => Value {
  const element = type.kind === "set" || type.kind === "list" ? type.of : type;
  const domain = domainOf(element, scope.shared.topology);
  if (element.kind !== "int" || !domain) return (value) => value;
  const message = `the value is not in ${domain[0]}..${domain.at(-1)}`;
  const place = isTyped(expression, element, scope)
    ? -1
    : failureOutside(domain, [expression], message, expression.span, scope);
  const isInside = (value: Value): boolean => value === NONE || domain.includes(value as number); // sound: test/languages/sdn/conditions.test.ts
  return (value) => {
    const isFine = Array.isArray(value) ? (value as readonly Value[]).every(isInside) : isInside(value); // sound: test/languages/sdn/conditions.test.ts
    if (!isFine) throw new Failure(place);
    return value;
  };
}

/** Whether the expression is a variable whose type is within the range. */
function isTyped(expression: ast.Expression, { low, high }: Type & { kind: "int" }, scope: Scope): boolean {
  if (expression.kind !== "name") return false;
  const meaning = scope.find(expression.name.text);
  if (meaning === undefined || meaning.kind === "value" || meaning.type.kind !== "int") return false;
  return meaning.type.low >= low && meaning.type.high <= high;
}
