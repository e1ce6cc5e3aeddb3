/** The graph in the page: nodes by key, so that neighbourhoods can be merged; quotients; exports. */
import { formatSchedule, parseSchedule } from "../../../src/model/trace.js";
import type { GraphNode, GraphView } from "../../../src/explorer/protocol.js";

export interface Node {
  readonly key: string;
  readonly number: number;
  /** Leads to the node from the first state. */
  readonly schedule: string;
  readonly values: ReadonlyMap<string, string>;
  readonly labels: ReadonlySet<string>;
  readonly kind: GraphNode["kind"];
  readonly text: string;
  readonly isExpanded: boolean;
  /** Distance from the graph's first node. */
  readonly level: number;
  /** Replaces its values in the drawing. */
  readonly lines?: readonly string[];
  /** Number of states it represents. */
  readonly size: number;
}

export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly labels: readonly string[];
}

export interface Graph {
  readonly mark: string;
  readonly names: readonly string[];
  readonly labels: readonly string[];
  readonly nodes: ReadonlyMap<string, Node>;
  readonly edges: readonly Edge[];
  readonly isComplete: boolean;
  /** Keys of the trace's states, in order. */
  readonly path: readonly string[];
}

/** Merges a server's answer into the known graph; `schedule` leads to the answer's first node. */
export function merge(known: Graph | null, view: GraphView, schedule: string): Graph {
  const start = parseSchedule(schedule)?.choices ?? [];
  const nodes = new Map(known?.nodes ?? []);
  const ways: (readonly number[])[] = [];
  const levels: number[] = [];
  for (const [index, node] of view.nodes.entries()) {
    ways.push(node.parent < 0 ? start : [...ways[node.parent]!, node.choice]);
    const before = nodes.get(node.key);
    levels.push(before?.level ?? (node.parent < 0 ? 0 : levels[node.parent]! + 1));
    if (before?.isExpanded) continue;
    nodes.set(node.key, {
      key: node.key,
      number: before?.number ?? nodes.size,
      schedule: before?.schedule ?? formatSchedule(ways[index]!),
      values: new Map(
        view.names.flatMap((name, i) => {
          const value = node.values[i] ?? null;
          return value === null ? [] : [[name, value] as const];
        }),
      ),
      labels: new Set(node.labels.map((label) => view.labels[label]!)),
      kind: node.kind,
      text: node.text,
      isExpanded: node.isExpanded,
      level: levels[index]!,
      size: 1,
    });
  }
  const found = view.edges.map(({ from, to, label }) => ({
    from: view.nodes[from]!.key,
    to: view.nodes[to]!.key,
    labels: [label],
  }));
  return {
    mark: view.mark,
    names: [...new Set([...(known?.names ?? []), ...view.names])],
    labels: view.labels,
    nodes,
    edges: bundled([...(known?.edges ?? []), ...found]),
    isComplete: [...nodes.values()].every(({ isExpanded }) => isExpanded),
    path: known?.path ?? view.path,
  };
}

/** Merges states that agree on the chosen variables; the worst of them determines the colour. */
export function quotient(graph: Graph, names: readonly string[]): Graph {
  if (names.length === 0) return graph;
  const classOf = new Map<string, string>();
  const nodes = new Map<string, Node>();
  for (const node of graph.nodes.values()) {
    const key = classKey(node, names);
    classOf.set(node.key, key);
    const before = nodes.get(key);
    const worse = before && severity[before.kind] >= severity[node.kind] ? before : node;
    nodes.set(key, {
      ...(before ?? node),
      key,
      number: before?.number ?? nodes.size,
      values: new Map(names.map((name) => [name, node.values.get(name) ?? "–"])),
      kind: worse.kind,
      text: worse.text,
      size: (before?.size ?? 0) + 1,
      isExpanded: (before?.isExpanded ?? true) && node.isExpanded,
      labels: before ? new Set([...before.labels].filter((label) => node.labels.has(label))) : node.labels,
      level: Math.min(before?.level ?? Infinity, node.level),
    });
  }
  const edges = graph.edges.map(({ from, to, labels }) => ({
    from: classOf.get(from)!,
    to: classOf.get(to)!,
    labels,
  }));
  const path = graph.path.map((key) => classOf.get(key)!);
  return { ...graph, nodes, edges: bundled(edges), path };
}

/** Identifies the states that agree on the values of `names`. */
export const classKey = ({ values }: Node, names: readonly string[]): string =>
  names.map((name) => `${name} = ${values.get(name) ?? "–"}`).join(", ");

export function pathEdges({ path }: Graph): ReadonlySet<string> {
  return new Set(path.slice(1).map((key, index) => edgeKey({ from: path[index]!, to: key })));
}

export const edgeKey = ({ from, to }: Pick<Edge, "from" | "to">): string => `${from}\n${to}`;

const severity: Record<Node["kind"], number> = {
  intermediate: 0,
  state: 1,
  end: 2,
  deadlock: 3,
  broken: 4,
  fault: 5,
};

/** Merges parallel edges, with all their labels. */
function bundled(edges: readonly Edge[]): Edge[] {
  const all = new Map<string, { from: string; to: string; labels: Set<string> }>();
  for (const { from, to, labels } of edges) {
    const key = edgeKey({ from, to });
    const known = all.get(key);
    if (known) for (const label of labels) known.labels.add(label);
    else all.set(key, { from, to, labels: new Set(labels) });
  }
  return [...all.values()].map((edge) => ({ ...edge, labels: [...edge.labels] }));
}

/** The distinguishing values of a node, one per line. */
export function nodeLabel(node: Node, telling: ReadonlySet<string>): string[] {
  if (node.lines) return [...node.lines];
  return [...node.values].flatMap(([name, value]) => (telling.has(name) ? [valueText(name, value)] : []));
}

/** Locations of processes are kept as `@NAME`. */
export const nameText = (name: string): string => (name.startsWith("@") ? `line of ${name.slice(1)}` : name);

export const valueText = (name: string, value: string): string =>
  name.startsWith("@") ? `${name.slice(1)} at line ${value}` : `${name} = ${value}`;

/** Names whose values differ between nodes. */
export function tellingNames({ names, nodes }: Graph): ReadonlySet<string> {
  const all = [...nodes.values()];
  return new Set(names.filter((name) => new Set(all.map(({ values }) => values.get(name))).size > 1));
}

export function renderDot(graph: Graph): string {
  const colours: Record<Node["kind"], string> = {
    state: "white",
    intermediate: "gray90",
    end: "palegreen",
    deadlock: "salmon",
    broken: "salmon",
    fault: "tomato",
  };
  const telling = tellingNames(graph);
  const quoted = (text: string): string =>
    `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
  const numberOf = (key: string): number => graph.nodes.get(key)!.number;
  return [
    "digraph states {",
    "  node [shape=box, style=filled, fontname=monospace];",
    ...[...graph.nodes.values()].map(
      (node) =>
        `  ${node.number} [label=${quoted([`${node.number}`, ...nodeLabel(node, telling)].join("\n"))}, fillcolor=${colours[node.kind]}];`,
    ),
    ...graph.edges.map(
      ({ from, to, labels }) =>
        `  ${numberOf(from)} -> ${numberOf(to)} [label=${quoted(labels.join("\n"))}];`,
    ),
    "}",
    "",
  ].join("\n");
}
