/** Which values an expression can have, so that only what can fail is told as a place of failure. */
import type { Span } from "../../model/diagnostic.js";
import type * as ast from "./ast.js";
import type { Scope } from "./scope.js";
import { domainOf } from "./types.js";

/** The values that an expression (or the items of a list) can have, where that is plain to see. */
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

/** The number of the place at which it fails if it is outside the domain; -1 where that cannot be. */
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
