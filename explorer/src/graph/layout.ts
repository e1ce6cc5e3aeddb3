/**
 * Places nodes and edges: by levels at once for any size, then by ELK (in a worker) for graphs small enough to be worth
 * the wait.
 */
import ELK, { type ElkExtendedEdge, type ElkNode } from "elkjs/lib/elk-api.js";
import workerUrl from "elkjs/lib/elk-worker.min.js?url";
import { nodeLabel, tellingNames, type Edge, type Graph, type Node } from "./model.js";

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Placed extends Point {
  readonly node: Node;
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
  /** Has room only for its number. */
  readonly isSmall: boolean;
}

export interface Routed {
  readonly edge: Edge;
  readonly points: readonly Point[];
  /** Position of the label, if there is room for one. */
  readonly label: Point | null;
}

export interface Drawing {
  readonly nodes: readonly Placed[];
  readonly edges: readonly Routed[];
  readonly width: number;
  readonly height: number;
}

/** Larger graphs take ELK many seconds or become unreadable. */
export const isForElk = ({ nodes, edges }: Graph): boolean => nodes.size <= 250 && edges.length <= 800;
/** Larger graphs have no room for words in nodes. */
const MOST_WITH_WORDS = 60;
/** Of a graph with more edges, the pane beside the drawing names those of the selected state. */
const MOST_NAMED = 90;
const namesEdges = ({ nodes, edges }: Graph): boolean =>
  nodes.size <= MOST_WITH_WORDS && edges.length <= MOST_NAMED;
/** ELK draws a graph with little branching as one line unless it is told to fold it. */
const isChain = ({ nodes, edges }: Graph): boolean =>
  nodes.size > 6 && edges.filter(({ from, to }) => from !== to).length <= 1.2 * nodes.size;

/** Levels by distance from the first node; within a level, nodes are near their predecessors. */
export function layOutByLevels(graph: Graph): Drawing {
  const telling = graph.nodes.size > MOST_WITH_WORDS ? null : tellingNames(graph);
  const full = levelsOf([...graph.nodes.values()].map((node) => boxOf(node, telling)));
  const order = new Map<string, number>();
  const note = (level: readonly Placed[]): void =>
    level.forEach(({ node }, i) => order.set(node.key, i / level.length));
  full.forEach(note);
  const neighbours = neighboursOf(graph);
  for (let sweep = 0; sweep < 6; sweep++)
    for (const level of sweep % 2 === 0 ? full : full.toReversed()) {
      const weight = new Map(
        level.map(({ node }) => [node.key, mean(neighbours.get(node.key) ?? [], order, node.key)]),
      );
      level.sort((a, b) => weight.get(a.node.key)! - weight.get(b.node.key)!);
      note(level);
    }
  const hasWords = telling !== null;
  const { direction, bands } = shapeOf(full, hasWords, graph);
  const places = new Map<string, Placed>();
  const isDown = direction === "DOWN";
  const slots = slotsOf(graph, hasWords);
  const perBand = Math.ceil(full.length / bands);
  let across = MARGIN;
  let [width, height] = [0, 0];
  for (let first = 0; first < full.length; first += perBand) {
    const band = full.slice(first, first + perBand);
    const broadest = Math.max(...band.map((level) => breadthOf(level, isDown, slots)));
    let along = MARGIN;
    for (const level of band) {
      const thick = Math.max(...level.map((box) => (isDown ? box.height : box.width)));
      let at = across + (broadest - breadthOf(level, isDown, slots)) / 2;
      for (const box of level) {
        const size = slotOf(box, isDown, slots);
        const [here, beside] = [along + thick / 2, at + size / 2];
        places.set(box.node.key, { ...box, x: isDown ? beside : here, y: isDown ? here : beside });
        at += size + GAP;
      }
      along += thick + gapBetween(graph, hasWords, isDown);
    }
    across += broadest + 3 * GAP;
    width = Math.max(width, isDown ? across : along);
    height = Math.max(height, isDown ? along : across);
  }
  const wide = hasWords
    ? { nodes: [...places.values()], edges: [], width, height }
    : stretched({ nodes: [...places.values()], edges: [], width, height });
  const at = new Map(wide.nodes.map((box) => [box.node.key, box]));
  return {
    ...wide,
    edges: graph.edges.map((edge) => straight(edge, at.get(edge.from)!, at.get(edge.to)!)),
  };
}

function levelsOf(boxes: Iterable<Placed>): Placed[][] {
  const levels: Placed[][] = [];
  for (const box of boxes) (levels[box.node.level] ??= []).push(box);
  return levels.filter((level) => level !== undefined);
}

/** Preferred ratio of width to height: the space beside the values. */
const LANDSCAPE = 1.6;

interface Shape {
  readonly direction: "DOWN" | "RIGHT";
  /** Number of stretches into which a long path is folded. */
  readonly bands: number;
}

/** Chooses the direction of levels and the number of folds that fill a page best. */
function shapeOf(levels: readonly (readonly Placed[])[], hasWords: boolean, graph: Graph): Shape {
  const slots = slotsOf(graph, hasWords);
  const shapes = (["DOWN", "RIGHT"] as const).map((direction) => {
    const isDown = direction === "DOWN";
    const long = levels.reduce(
      (sum, level) =>
        sum +
        Math.max(...level.map((box) => (isDown ? box.height : box.width))) +
        gapBetween(graph, hasWords, isDown),
      0,
    );
    const broad = Math.max(...levels.map((level) => breadthOf(level, isDown, slots))) + 3 * GAP;
    const wanted = isDown ? Math.sqrt((LANDSCAPE * long) / broad) : Math.sqrt(long / (broad * LANDSCAPE));
    const bands = Math.max(1, Math.min(levels.length, Math.round(wanted)));
    const ratio = isDown ? (bands * bands * broad) / long : long / (bands * bands * broad);
    // Each fold adds edges across the page.
    return { direction, bands, cost: Math.abs(Math.log(ratio / LANDSCAPE)) + 0.25 * (bands - 1) };
  });
  return shapes[0]!.cost <= shapes[1]!.cost ? shapes[0]! : shapes[1]!;
}

/** Leaves room for edge labels between levels. */
const gapBetween = (graph: Graph, hasWords: boolean, isDown: boolean): number =>
  !hasWords ? 30 : isDown ? 60 : 30 + Math.max(40, ...graph.edges.map(({ labels }) => labelWidth(labels)));

const MARGIN = 30;
const GAP = 16;
const LINE = 15;
const LETTER = 7;

const breadthOf = (level: readonly Placed[], isDown: boolean, slots: Slots): number =>
  level.reduce((sum, box) => sum + slotOf(box, isDown, slots) + GAP, -GAP);

/** Total width of the names of a node's incoming edges. */
type Slots = ReadonlyMap<string, number>;

/** Room that a node takes in its level; if levels go down, incoming names are side by side above it. */
const slotOf = ({ node, width, height }: Placed, isDown: boolean, slots: Slots): number =>
  isDown ? Math.max(width, slots.get(node.key) ?? 0) : height;

function slotsOf({ edges }: Graph, hasWords: boolean): Slots {
  const slots = new Map<string, number>();
  if (hasWords)
    for (const { to, labels } of edges) slots.set(to, Math.max(slots.get(to) ?? 0, labelWidth(labels)));
  return slots;
}

/** Without names to tell nodes by there is no room for words. */
function boxOf(node: Node, telling: ReadonlySet<string> | null): Placed {
  const common = { node, x: 0, y: 0, isSmall: telling === null };
  if (!telling) return { ...common, width: 24, height: 18, lines: [`${node.number}`] };
  const all = nodeLabel(node, telling);
  const lines = [
    ...all.slice(0, 6).map((line) => (line.length > 26 ? `${line.slice(0, 25)}…` : line)),
    ...(all.length > 6 ? ["…"] : []),
  ];
  const shown = lines.length === 0 ? [`${node.number}`] : lines;
  return {
    ...common,
    width: Math.max(30, Math.max(...shown.map((line) => line.length)) * LETTER + 14),
    height: shown.length * LINE + 10,
    lines: shown,
  };
}

function neighboursOf({ edges }: Graph): Map<string, string[]> {
  const neighbours = new Map<string, string[]>();
  const add = (a: string, b: string): void => {
    const list = neighbours.get(a);
    if (list) list.push(b);
    else neighbours.set(a, [b]);
  };
  for (const { from, to } of edges) {
    add(from, to);
    add(to, from);
  }
  return neighbours;
}

const mean = (keys: readonly string[], order: ReadonlyMap<string, number>, own: string): number =>
  keys.length === 0 ? order.get(own)! : keys.reduce((sum, key) => sum + order.get(key)!, 0) / keys.length;

/** Two points on the borders; a self-loop goes around a corner. Names would lie over states: only ELK places them. */
function straight(edge: Edge, from: Placed, to: Placed): Routed {
  if (edge.from === edge.to) {
    const { x, y, width, height } = from;
    const corner = { x: x + width / 2, y: y - height / 2 };
    const points = [
      { x: corner.x - 6, y: corner.y },
      { x: corner.x - 2, y: corner.y - 14 },
      { x: corner.x + 14, y: corner.y - 10 },
      { x: corner.x, y: corner.y + 6 },
    ];
    return { edge, points, label: null };
  }
  return { edge, points: [border(from, to), border(to, from)], label: null };
}

function border(box: Placed, towards: Point): Point {
  const [dx, dy] = [towards.x - box.x, towards.y - box.y];
  const scale = Math.min(
    dx === 0 ? Infinity : box.width / 2 / Math.abs(dx),
    dy === 0 ? Infinity : box.height / 2 / Math.abs(dy),
  );
  return { x: box.x + dx * scale, y: box.y + dy * scale };
}

/** Lays out by ELK: no name lies over a state or another name, and no edge runs through a state. Rejects when ELK fails. */
export async function layOutByElk(graph: Graph): Promise<Drawing> {
  const hasWords = graph.nodes.size <= MOST_WITH_WORDS;
  const telling = hasWords ? tellingNames(graph) : null;
  const boxes = new Map([...graph.nodes.values()].map((node) => [node.key, boxOf(node, telling)]));
  const { direction } = shapeOf(levelsOf(boxes.values()), hasWords, graph);
  const elk = new ELK({ workerUrl });
  try {
    const laid = await elk.layout({
      id: "root",
      layoutOptions: {
        "elk.algorithm": "layered",
        "elk.direction": direction,
        // Nodes are in order of discovery: edges to earlier ones are back edges, and the first state comes first.
        "elk.layered.cycleBreaking.strategy": "MODEL_ORDER",
        // Splines cut corners of states; right angles keep away from them.
        "elk.edgeRouting": "ORTHOGONAL",
        "elk.layered.mergeEdges": "false",
        ...(isChain(graph)
          ? { "elk.layered.wrapping.strategy": "MULTI_EDGE", "elk.aspectRatio": `${LANDSCAPE}` }
          : {}),
        "elk.layered.edgeLabels.sideSelection": "ALWAYS_UP",
        "elk.spacing.edgeLabel": "4",
        "elk.spacing.edgeNode": hasWords ? "14" : "6",
        "elk.spacing.edgeEdge": hasWords ? "10" : "4",
        "elk.spacing.nodeNode": hasWords ? "24" : "10",
        "elk.layered.spacing.nodeNodeBetweenLayers": hasWords ? "20" : "26",
        "elk.layered.spacing.edgeNodeBetweenLayers": hasWords ? "10" : "8",
        "elk.layered.thoroughness": "3",
      },
      children: [...boxes.values()].map(({ node, width, height }) => ({ id: node.key, width, height })),
      edges: graph.edges.map(({ from, to, labels }, index) => ({
        id: `${index}`,
        sources: [from],
        targets: [to],
        labels: namesEdges(graph)
          ? [{ text: labels[0]!, width: labelWidth(labels), height: LINE * labelLines(labels).length }]
          : [],
      })),
    });
    return drawingOf(laid, boxes, graph);
  } finally {
    elk.terminateWorker();
  }
}

const edgeText = (label: string): string => (label.length > 30 ? `${label.slice(0, 29)}…` : label);

const labelWidth = (labels: readonly string[]): number =>
  Math.max(...labelLines(labels).map((label) => label.length)) * 6.8 + 14;

/** Many labels are counted. */
export const labelLines = (labels: readonly string[]): readonly string[] =>
  (labels.length > 2 ? [labels[0]!, `and ${labels.length - 1} more`] : labels).map(edgeText);

function drawingOf(laid: ElkNode, boxes: ReadonlyMap<string, Placed>, graph: Graph): Drawing {
  const nodes = (laid.children ?? []).map((child) => {
    const box = boxes.get(child.id)!;
    return { ...box, x: child.x! + box.width / 2, y: child.y! + box.height / 2 };
  });
  const edges = ((laid.edges ?? []) as ElkExtendedEdge[]).map((edge): Routed => {
    const section = edge.sections?.[0];
    const label = edge.labels?.[0];
    return {
      edge: graph.edges[Number(edge.id)]!,
      points: section ? [section.startPoint, ...(section.bendPoints ?? []), section.endPoint] : [],
      label:
        label?.x === undefined ? null : { x: label.x + label.width! / 2, y: label.y! + label.height! / 2 },
    };
  });
  const drawing = { nodes, edges, width: laid.width ?? 100, height: laid.height ?? 100 };
  return nodes.some(({ isSmall }) => !isSmall) ? drawing : stretched(drawing);
}

/** Stretches the drawing in one direction until it fills a page. */
function stretched({ nodes, edges, width, height }: Drawing): Drawing {
  const ratio = width / height;
  const wider = Math.min(MOST_STRETCHED, Math.max(1, LANDSCAPE / ratio));
  const higher = Math.min(MOST_STRETCHED, Math.max(1, ratio / LANDSCAPE));
  const moved = <T extends Point>(point: T): T => ({ ...point, x: point.x * wider, y: point.y * higher });
  return {
    nodes: nodes.map(moved),
    edges: edges.map(({ edge, points, label }) => ({
      edge,
      points: points.map(moved),
      label: label && moved(label),
    })),
    width: width * wider,
    height: height * higher,
  };
}

const MOST_STRETCHED = 2.5;
