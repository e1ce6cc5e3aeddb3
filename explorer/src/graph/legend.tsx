/** Maps states to colours and colours to meanings, so that the legend agrees with the drawing. */
import { valueText, type Graph, type Node } from "./model.js";

export interface Colours {
  /** By key of the state. */
  readonly classes: ReadonlyMap<string, string>;
  /** Meanings of the classes that occur. */
  readonly meanings: readonly { readonly kind: string; readonly text: string }[];
}

/** Colours by status (`kind`), by `label NAME` or by `value NAME`. */
export function colouring(graph: Graph, by: string): Colours {
  const nodes = [...graph.nodes.values()];
  const [, what, name = ""] = /^(label|value) (.*)$/s.exec(by) ?? [];
  if (what === "label")
    return coloured(nodes, ({ labels }) =>
      labels.has(name) ? ["hue-2", labelText(name, true)] : ["hue-0", labelText(name, false)],
    );
  if (what === "value") return byValue(nodes, name);
  return coloured(nodes, ({ kind }) => [kind, kinds[kind]]);
}

const labelText = (name: string, holds: boolean): string =>
  name.startsWith("reached: ")
    ? `${holds ? "" : "not "}${name}`
    : `${name} ${holds ? "holds" : "does not hold"}`;

/** Gives the most frequent values a colour each; the others share one. */
function byValue(nodes: readonly Node[], name: string): Colours {
  const counts = new Map<string, number>();
  for (const { values } of nodes) {
    const value = values.get(name) ?? "–";
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const shown = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, HUES - 1)
    .map(([value]) => value);
  return coloured(nodes, ({ values }) => {
    const value = values.get(name) ?? "–";
    const hue = shown.indexOf(value);
    return hue < 0 ? [`hue-${HUES - 1}`, "another value"] : [`hue-${hue}`, valueText(name, value)];
  });
}

const HUES = 8;

function coloured(nodes: readonly Node[], colourOf: (node: Node) => readonly [string, string]): Colours {
  const classes = new Map<string, string>();
  const meanings = new Map<string, string>();
  for (const node of nodes) {
    const [kind, text] = colourOf(node);
    classes.set(node.key, kind);
    meanings.set(kind, text);
  }
  return { classes, meanings: [...meanings].map(([kind, text]) => ({ kind, text })) };
}

const kinds: Record<Node["kind"], string> = {
  state: "a state",
  intermediate: "inside an atomic sequence",
  end: "a valid end",
  deadlock: "nothing can move",
  broken: "violates a property",
  fault: "a step that fails",
};

interface LegendProps {
  readonly colours: Colours;
  readonly graph: Graph;
  readonly hasPath: boolean;
  readonly hasMatches: boolean;
}

export function Legend({ colours, graph, hasPath, hasMatches }: LegendProps) {
  const isOpen = [...graph.nodes.values()].some(({ isExpanded }) => !isExpanded);
  const marks = [
    ...colours.meanings,
    { kind: "is-first", text: "the first state" },
    ...(hasPath ? [{ kind: "is-path", text: "on the trace" }] : []),
    ...(hasMatches ? [{ kind: "is-match", text: "found" }] : []),
    ...(isOpen ? [{ kind: "is-open", text: "has more successors" }] : []),
  ];
  return (
    <ul className="legend" aria-label="Legend">
      {marks.map(({ kind, text }) => (
        <li key={kind}>
          <svg width="22" height="16" aria-hidden="true">
            <g className={`node ${kind}`}>
              <rect x="3" y="3" width="16" height="10" rx="3" />
            </g>
          </svg>
          {text.length > 36 ? `${text.slice(0, 35)}…` : text}
        </li>
      ))}
    </ul>
  );
}
