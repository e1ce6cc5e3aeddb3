/** Prints types, templates and expressions with the fewest parentheses. */
import type * as ast from "./ast.js";
import { PRECEDENCE } from "./precedence.js";

export function printType(type: ast.TypeExpression): string {
  switch (type.kind) {
    case "range":
      return `${type.low}..${type.high}`;
    case "enum":
      return `enum {${type.values.map(({ text }) => text).join(", ")}}`;
    case "set":
      return `set of ${printType(type.of)}`;
    case "map":
      return `map [${type.keys.map(printType).join(", ")}] of ${printType(type.of)}`;
    case "named":
      return type.name.text;
    default:
      return type.kind;
  }
}

export const printTemplate = ({ fields }: ast.Template): string =>
  braced(
    fields.map(({ name, value }) => `${name.text}: ${value === "any" ? "any" : printExpression(value)}`),
  );

/** `least`: looser operators are put in parentheses. */
export function printExpression(expression: ast.Expression, least = 0): string {
  switch (expression.kind) {
    case "int":
    case "bool":
      return String(expression.value);
    case "none":
      return "none";
    case "name":
      return expression.name.text;
    case "call":
      return `${expression.name.text}(${list(expression.arguments)})`;
    case "list":
      return `[${list(expression.items)}]`;
    case "member":
      return `${printExpression(expression.of, PRIMARY)}.${expression.name.text}`;
    case "index":
      return `${printExpression(expression.of, PRIMARY)}[${list(expression.indices)}]`;
    case "not":
      return within(least > UNARY, `!${printExpression(expression.of, UNARY)}`);
    case "binary":
      return printBinary(expression, least);
    // These extend as far to the right as possible, so operands are put in parentheses.
    case "conditional": {
      const { test, then, otherwise } = expression;
      const text = `if (${printExpression(test)}) ${printExpression(then)} else ${printExpression(otherwise)}`;
      return within(least > 0, text);
    }
    case "quantifier": {
      const { quantifier, name, over, body } = expression;
      const domain = over.kind === "packets" ? printRegion(over) : printType(over);
      return within(least > 0, `${quantifier} ${name.text}: ${domain} . ${printExpression(body)}`);
    }
    case "rule":
      return printRule(expression);
  }
}

const UNARY = 6;
const PRIMARY = 7;

function printBinary({ operator, left, right }: ast.BinaryExpression, least: number): string {
  const level = PRECEDENCE[operator];
  const bindsRight = operator === "->";
  const text = [
    printExpression(left, bindsRight ? level + 1 : level),
    operator,
    printExpression(right, bindsRight ? level : level + 1),
  ].join(" ");
  return within(least > level, text);
}

function printRegion({ at }: ast.RegionExpression): string {
  if (at === "all") return "packets";
  if (typeof at === "string") return `packets at ${at}`;
  return `packets at ${at.kind === "name" ? at.name.text : `(${printExpression(at)})`}`;
}

function printRule({ priority, pattern, ports, expires }: ast.RuleExpression): string {
  const parts = pattern.map(({ name, value }) => `${name.text}: ${printExpression(value)}`);
  const timeout = expires ? ", timeout" : "";
  return `rule(${printExpression(priority)}, ${braced(parts)}, ${printExpression(ports)}${timeout})`;
}

const braced = (parts: readonly string[]): string => `{${parts.join(", ")}}`;

const within = (isNeeded: boolean, text: string): string => (isNeeded ? `(${text})` : text);

const list = (all: readonly ast.Expression[]): string => all.map((each) => printExpression(each)).join(", ");
