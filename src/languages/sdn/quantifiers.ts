/** `forall` and `exists`, over the values of a type or over packets in a region. */
import { known } from "../../model/known.js";
import type { Region } from "../../model/network.js";
import type * as ast from "./ast.js";
import { wrongType, type Code, type Env, type Lower, type Scope } from "./scope.js";
import { resolveType } from "./type-expressions.js";
import { BOOL, domainOf, type Type, type Value } from "./types.js";

export function lowerQuantifier(
  { quantifier, name, over, body, span }: ast.QuantifierExpression,
  scope: Scope,
  lower: Lower,
): Code {
  return scope.inner(() => {
    const items = over.kind === "packets" ? lowerRegion(over, scope, lower) : lowerDomain(over, scope);
    const values = over.kind === "packets" ? undefined : domainOf(items.type, scope.shared.topology);
    const slot = scope.declare(name.text, items.type, span, values);
    const condition = lower(body, BOOL, scope);
    const isDecided = quantifier === "forall" ? 0 : 1;
    return {
      type: BOOL,
      run: (env) => {
        for (const item of items.run(env)) {
          env.locals[slot] = item;
          if (condition.run(env) === isDecided) return isDecided;
        }
        return 1 - isDecided;
      },
    };
  });
}

interface Items {
  readonly type: Type;
  run(env: Env): readonly Value[];
}

function lowerDomain(over: ast.TypeExpression, scope: Scope): Items {
  const type = resolveType(over, scope.shared);
  const domain = domainOf(type, scope.shared.topology);
  if (!domain && type.kind !== "wrong") wrongType(scope.shared, over.span, "a type with few values", type);
  return { type, run: () => domain ?? [] };
}

function lowerRegion({ at, span }: ast.RegionExpression, scope: Scope, lower: Lower): Items {
  const code = typeof at === "string" ? at : lower(at, { kind: "node", of: "any" }, scope);
  const switches = scope.shared.topology.switchNames.length;
  if (scope.what !== "a property")
    scope.shared.report("sdn/not-here", "`packets` is for properties alone", span);
  const regionOf = (env: Env): Region => {
    if (typeof code === "string") return code;
    const node = code.run(env) as number;
    return node < switches ? { kind: "switch", index: node } : { kind: "client", index: node - switches };
  };
  return { type: { kind: "packet" }, run: (env) => known(env.view, "the state").packets(regionOf(env)) };
}
