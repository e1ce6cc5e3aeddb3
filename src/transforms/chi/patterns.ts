/** Patterns of χ terms: laws are pairs of them. A name that occurs twice stands for the same term. */
import { BOOL, renderChi, type ChiExpr, type ChiTerm, type ChiVariable } from "../../model/index.js";

export type Pattern =
  | { readonly kind: "any"; readonly name: string; readonly of?: ChiTerm["kind"] }
  | { readonly kind: "eps" | "delta" }
  /** `and`: the conjunction with a second condition; no names: `true`. */
  | { readonly kind: "guard"; readonly when: readonly string[]; readonly then: Pattern }
  | { readonly kind: "seq" | "alt" | "par"; readonly left: Pattern; readonly right: Pattern }
  | { readonly kind: "star" | "encap"; readonly body: Pattern }
  | { readonly kind: "scope"; readonly variables: string; readonly body: Pattern };

export interface Bindings {
  readonly terms: ReadonlyMap<string, ChiTerm>;
  readonly conditions: ReadonlyMap<string, ChiExpr>;
  readonly scopes: ReadonlyMap<string, readonly ChiVariable[]>;
}

export const any = (name: string, of?: ChiTerm["kind"]): Pattern => ({
  kind: "any",
  name,
  ...(of ? { of } : {}),
});
export const guarded = (when: readonly string[], then: Pattern): Pattern => ({ kind: "guard", when, then });
export const seq = (left: Pattern, right: Pattern): Pattern => ({ kind: "seq", left, right });
export const alt = (left: Pattern, right: Pattern): Pattern => ({ kind: "alt", left, right });
export const par = (left: Pattern, right: Pattern): Pattern => ({ kind: "par", left, right });
export const star = (body: Pattern): Pattern => ({ kind: "star", body });
export const encap = (body: Pattern): Pattern => ({ kind: "encap", body });
export const scope = (variables: string, body: Pattern): Pattern => ({ kind: "scope", variables, body });

const isTrue = (expr: ChiExpr): boolean =>
  expr.kind === "value" && expr.value[0] === 1 && expr.type.kind === "bool";

/** The bindings by which the pattern is the term. */
export function matched(pattern: Pattern, term: ChiTerm): Bindings | undefined {
  const terms = new Map<string, ChiTerm>();
  const conditions = new Map<string, ChiExpr>();
  const scopes = new Map<string, readonly ChiVariable[]>();
  const fits = (part: Pattern, own: ChiTerm): boolean => {
    switch (part.kind) {
      case "any": {
        const known = terms.get(part.name);
        if (part.of && own.kind !== part.of) return false;
        terms.set(part.name, own);
        return known === undefined || renderChi(known) === renderChi(own);
      }
      case "eps":
      case "delta":
        return own.kind === part.kind;
      case "guard": {
        if (own.kind !== "guard") return false;
        const [name, second] = part.when;
        if (name === undefined) return isTrue(own.when) && fits(part.then, own.then);
        if (second !== undefined) return false;
        conditions.set(name, own.when);
        return fits(part.then, own.then);
      }
      case "seq":
        return own.kind === "seq" && fits(part.left, own.first) && fits(part.right, own.then);
      case "alt":
      case "par":
        return own.kind === part.kind && fits(part.left, own.left) && fits(part.right, own.right);
      case "star":
      case "encap":
        return own.kind === part.kind && fits(part.body, own.body);
      case "scope":
        if (own.kind !== "scope") return false;
        scopes.set(part.variables, own.variables);
        return fits(part.body, own.body);
    }
  };
  return fits(pattern, term) ? { terms, conditions, scopes } : undefined;
}

export function built(pattern: Pattern, bindings: Bindings): ChiTerm {
  const of = (part: Pattern): ChiTerm => built(part, bindings);
  switch (pattern.kind) {
    case "any":
      return bound(bindings.terms, pattern.name);
    case "eps":
    case "delta":
      return { kind: pattern.kind };
    case "guard":
      return { kind: "guard", when: conjunctionOf(pattern.when, bindings), then: of(pattern.then) };
    case "seq":
      return { kind: "seq", first: of(pattern.left), then: of(pattern.right) };
    case "alt":
    case "par":
      return { kind: pattern.kind, left: of(pattern.left), right: of(pattern.right) };
    case "star":
    case "encap":
      return { kind: pattern.kind, body: of(pattern.body) };
    case "scope":
      return { kind: "scope", variables: bound(bindings.scopes, pattern.variables), body: of(pattern.body) };
  }
}

export function bound<T>(map: ReadonlyMap<string, T>, name: string): T {
  const found = map.get(name);
  if (found === undefined) throw new Error(`the pattern binds no '${name}'`);
  return found;
}

function conjunctionOf(names: readonly string[], { conditions }: Bindings): ChiExpr {
  const [first, ...others] = names.map((name) => bound(conditions, name));
  if (!first) return { kind: "value", value: [1], type: BOOL };
  const span = { file: "", start: 0, end: 0 };
  return others.reduce(
    (left, right): ChiExpr => ({ kind: "binary", operator: "and", left, right, span }),
    first,
  );
}
