/** Renames the variables of scopes apart, so that a name determines its variable. */
import type { ChiExpr, ChiPlace, ChiTerm, ChiVariable } from "./chi.js";
import { withChiParts } from "./chi.js";

export type Renaming = ReadonlyMap<string, string>;

/** Variables of scopes get names that are not in `taken`, to which they are added. */
export function renamedApart(term: ChiTerm, taken: Set<string>, renaming: Renaming = new Map()): ChiTerm {
  switch (term.kind) {
    case "eps":
    case "delta":
    case "skip":
      return term;
    case "assign":
      return { ...term, to: renamedPlace(term.to, renaming), value: renamedExpr(term.value, renaming) };
    case "send":
      return { ...term, value: term.value && renamedExpr(term.value, renaming) };
    case "receive":
      return { ...term, to: term.to && renamedPlace(term.to, renaming) };
    case "guard":
      return {
        ...term,
        when: renamedExpr(term.when, renaming),
        then: renamedApart(term.then, taken, renaming),
      };
    case "seq":
      return withChiParts(term, [
        renamedApart(term.first, taken, renaming),
        renamedApart(term.then, taken, renaming),
      ]);
    case "alt":
    case "par":
      return withChiParts(term, [
        renamedApart(term.left, taken, renaming),
        renamedApart(term.right, taken, renaming),
      ]);
    case "star":
    case "encap":
      return withChiParts(term, [renamedApart(term.body, taken, renaming)]);
    case "scope": {
      const inner = new Map(renaming);
      const variables = term.variables.map((variable): ChiVariable => {
        const name = freshName(variable.name, taken);
        inner.set(variable.name, name);
        return { ...variable, name };
      });
      return { kind: "scope", variables, body: renamedApart(term.body, taken, inner) };
    }
  }
}

export function freshName(name: string, taken: Set<string>): string {
  let own = name;
  for (let n = 2; taken.has(own); n++) own = `${name}_${n}`;
  taken.add(own);
  return own;
}

export function renamedPlace(place: ChiPlace, renaming: Renaming): ChiPlace {
  const path = place.path.map((step) =>
    step.kind === "index" ? { ...step, at: renamedExpr(step.at, renaming) } : step,
  );
  return { ...place, name: renaming.get(place.name) ?? place.name, path };
}

export function renamedExpr(expr: ChiExpr, renaming: Renaming): ChiExpr {
  switch (expr.kind) {
    case "value":
      return expr;
    case "place":
      return renamedPlace(expr, renaming);
    case "unary":
      return { ...expr, of: renamedExpr(expr.of, renaming) };
    case "binary":
      return { ...expr, left: renamedExpr(expr.left, renaming), right: renamedExpr(expr.right, renaming) };
    case "compose":
      return { ...expr, parts: expr.parts.map((part) => renamedExpr(part, renaming)) };
    case "call":
      return { ...expr, of: expr.of.map((part) => renamedExpr(part, renaming)) };
  }
}
