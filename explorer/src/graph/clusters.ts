/** Clusters of a graph that is too large to draw state by state: states that agree on a few telling values, or on their distance. */
import { quotient, type Graph, type Node } from "./model.js";

/** Drawn state by state, and by clusters from here on. */
export const MOST_DRAWN = 250;
/** More lines hide the states. */
const MOST_LINES = 300;
const isCrowded = ({ nodes, edges }: Graph): boolean => nodes.size > MOST_DRAWN || edges.length > MOST_LINES;
const MOST_CLUSTERS = 60;
const MOST_TRIED = 60;
const MOST_NAMES = 3;

export interface Clustered {
  readonly graph: Graph;
  /** The states behind it. */
  readonly states: Graph;
  /** What the states of a cluster have in common; empty: nothing is merged. */
  readonly by: readonly string[];
}

/** `chosen`: null leaves the choice to this function, and no names draw every state. */
export function clustered(graph: Graph, chosen: readonly string[] | null): Clustered {
  const by = chosen ?? (isCrowded(graph) ? tellingNames(graph) : []);
  const isByDistance = chosen === null && by.length === 0 && isCrowded(graph);
  if (!isByDistance) return { graph: quotient(graph, by), states: graph, by };
  const states = banded(graph);
  return { graph: quotient(states, [DISTANCE]), states, by: [DISTANCE] };
}

const DISTANCE = "distance from the first state";

/** Adds, while there is one, the name that gives the most clusters that can be drawn. */
function tellingNames({ names, nodes }: Graph): string[] {
  const all = [...nodes.values()];
  const chosen: string[] = [];
  let classes: readonly number[] = all.map(() => 0);
  let count = 1;
  for (let round = 0; round < MOST_NAMES; round++) {
    const best = names
      .slice(0, MOST_TRIED)
      .map((name) => ({ name, ...refined(all, classes, name) }))
      .filter((tried) => tried.count > count && tried.count <= MOST_CLUSTERS)
      .reduce<Refined | undefined>((a, b) => (a && a.count >= b.count ? a : b), undefined);
    if (!best) break;
    chosen.push(best.name);
    ({ classes, count } = best);
  }
  return chosen;
}

interface Refined {
  readonly name: string;
  readonly classes: readonly number[];
  readonly count: number;
}

function refined(
  nodes: readonly Node[],
  classes: readonly number[],
  name: string,
): Pick<Refined, "classes" | "count"> {
  const numbers = new Map<string, number>();
  const next: number[] = [];
  for (const [index, { values }] of nodes.entries()) {
    const key = `${classes[index]} ${values.get(name) ?? "–"}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    next.push(number);
    if (numbers.size > MOST_CLUSTERS) break;
  }
  return { classes: next, count: numbers.size };
}

/** Every state gets the range of distances that it is in. */
function banded(graph: Graph): Graph {
  let farthest = 0;
  for (const { level } of graph.nodes.values()) farthest = Math.max(farthest, level);
  const size = Math.ceil((farthest + 1) / MOST_CLUSTERS);
  const rangeOf = (level: number): string => {
    const first = Math.floor(level / size) * size;
    return size === 1 ? `${first}` : `${first} to ${first + size - 1}`;
  };
  const nodes = [...graph.nodes].map(([key, node]): [string, Node] => [
    key,
    { ...node, values: new Map([...node.values, [DISTANCE, rangeOf(node.level)]]) },
  ]);
  return { ...graph, nodes: new Map(nodes) };
}
