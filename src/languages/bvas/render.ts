/** Prints a branching vector addition system; parsing the output yields the same system. */
import type { Bvas, BvasRule } from "../../model/bvas.js";

export function renderBvas({ name, places, axioms, unary, binary, properties }: Bvas): string {
  const vector = (values: readonly number[]): string => `(${values.join(", ")})`;
  const rules = (kind: string, list: readonly BvasRule[]): string[] =>
    list.map((rule) => `  ${kind} ${vector(rule.vector)};`);
  return [
    `bvas ${name.replace(/[^A-Za-z0-9_]/g, "_").replace(/^(?![A-Za-z_])/, "b")} {`,
    places.every((place) => /^[A-Za-z_][A-Za-z0-9_.]*$/.test(place) && !words.has(place))
      ? `  places ${places.join(", ")};`
      : `  dim ${places.length};`,
    ...rules("axiom", axioms),
    ...rules("unary", unary),
    ...rules("binary", binary),
    ...properties.flatMap(({ targets }) => targets.map((target) => `  target ${vector(target)};`)),
    "}",
    "",
  ].join("\n");
}

const words = new Set(["bvas", "dim", "places", "axiom", "unary", "binary", "target"]);
