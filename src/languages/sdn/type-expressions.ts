import type * as ast from "./ast.js";
import { wrongType, type Shared } from "./scope.js";
import { WRONG, domainOf, keyTuples, type Type } from "./types.js";

export function resolveType(type: ast.TypeExpression, shared: Shared): Type {
  switch (type.kind) {
    case "bool":
    case "port":
      return { kind: type.kind };
    case "client":
    case "switch":
      return { kind: "node", of: type.kind };
    case "range":
      if (type.low > type.high)
        shared.report("sdn/empty-range", `${type.low}..${type.high} has no values`, type.span);
      if (type.high - type.low >= MOST_ENTRIES) {
        shared.report("sdn/too-large", `the range has more than ${MOST_ENTRIES} values`, type.span);
        return WRONG;
      }
      return { kind: "int", low: type.low, high: type.high };
    case "enum":
      return resolveEnum(type, shared);
    case "set":
      return { kind: "set", of: finite(type.of, shared) };
    case "map":
      return resolveMap(type, shared);
    case "named": {
      const known = shared.types.get(type.name.text);
      if (!known) shared.report("sdn/unknown-name", `there is no type '${type.name.text}'`, type.span);
      return known ?? WRONG;
    }
  }
}

function resolveMap(type: Extract<ast.TypeExpression, { kind: "map" }>, shared: Shared): Type {
  const made = {
    kind: "map",
    keys: type.keys.map((key) => finite(key, shared)),
    of: resolveType(type.of, shared),
  } as const;
  const isWrong = made.keys.some((key) => key.kind === "wrong");
  if (!isWrong && keyTuples(made.keys, shared.topology).length > MOST_ENTRIES)
    shared.report("sdn/too-large", `the map has more than ${MOST_ENTRIES} entries`, type.span);
  return isWrong ? WRONG : made;
}

const MOST_ENTRIES = 10_000;

function finite(expression: ast.TypeExpression, shared: Shared): Type {
  const type = resolveType(expression, shared);
  if (type.kind === "wrong" || domainOf(type, shared.topology)) return type;
  wrongType(shared, expression.span, "a type with few values", type);
  return WRONG;
}

/** An enum declares its values where it is written; a list declared before denotes the same type. */
function resolveEnum({ values, span }: Extract<ast.TypeExpression, { kind: "enum" }>, shared: Shared): Type {
  const key = `enum ${values.map(({ text }) => text).join()}`;
  const known = shared.types.get(key);
  if (known) return known;
  const type: Type = { kind: "enum", values: values.map(({ text }) => text) };
  shared.types.set(key, type);
  values.forEach(({ text, span: at }, value) => {
    if (shared.globals.has(text)) shared.report("sdn/declared-twice", `'${text}' is declared twice`, at);
    shared.globals.set(text, { kind: "value", value, type });
  });
  if (values.length === 0) shared.report("sdn/empty-range", "an enum needs values", span);
  return type;
}
