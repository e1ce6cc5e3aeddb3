/** Searches the drawn states for a condition (`x == 1 && P[0]:y > 2`) or for a text. */
import { parseExpression, vocabularyOf, type Values } from "../expression.js";
import { classKey, valueText, type Graph, type Node } from "./model.js";

export type Search =
  | {
      readonly kind: "condition" | "text";
      /** Keys of the drawn nodes: of states, or of the classes that contain them. */
      readonly keys: ReadonlySet<string>;
      /** States, merged or not. */
      readonly count: number;
      /** States in which the condition has no value. */
      readonly undecided: number;
    }
  | { readonly kind: "problem"; readonly message: string };

/** `merged`: the names that the drawing merges states by. Looks at the states themselves, which have all values. */
export function searchGraph(source: string, graph: Graph, merged: readonly string[]): Search | null {
  const sought = source.trim();
  if (sought === "") return null;
  const nodes = [...graph.nodes.values()];
  const quoted = /^"(.+)"$/.exec(sought)?.[1];
  if (quoted !== undefined) return collect("text", nodes, merged, textTest(quoted));
  const parsed = parseExpression(sought, vocabularyOf(nodes.map(({ values }) => values)));
  if ("expression" in parsed && parsed.expression.isCondition)
    return collect("condition", nodes, merged, ({ values }) => parsed.expression.evaluate(values));
  if ("problem" in parsed && /[=<>&|!]/.test(sought))
    return { kind: "problem", message: `${parsed.problem} (put a text to find in "quotes")` };
  return collect("text", nodes, merged, textTest(sought));
}

function collect(
  kind: "condition" | "text",
  nodes: readonly Node[],
  merged: readonly string[],
  test: (node: Node) => string | undefined,
): Search {
  const results = nodes.map((node) => [node, test(node)] as const);
  const found = results.filter(([, result]) => result === "true");
  return {
    kind,
    keys: new Set(found.map(([node]) => (merged.length === 0 ? node.key : classKey(node, merged)))),
    count: found.length,
    undecided: results.filter(([, result]) => result === undefined).length,
  };
}

const textTest =
  (text: string) =>
  ({ values, text: about }: Node): string =>
    `${mentions(values, about, text.toLowerCase())}`;

const mentions = (values: Values, about: string, wanted: string): boolean =>
  about.toLowerCase().includes(wanted) ||
  [...values].some(([name, value]) => valueText(name, value).toLowerCase().includes(wanted));
