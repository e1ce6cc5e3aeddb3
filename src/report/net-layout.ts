/**
 * Positions of the places and transitions of a net: layers from left to right, each node one layer behind the nodes that lead to it, as seen
 * from the marked places on; within a layer, near to its neighbours. Simple on purpose: nothing to load, and nets that
 * people look at are small.
 */
import { NOWHERE, type Net } from "../model/index.js";
import { nth, entryOf } from "../model/known.js";

export interface NetNode {
  readonly kind: "place" | "transition";
  /** Index of the place or transition. */
  readonly number: number;
  readonly x: number;
  readonly y: number;
}

export interface NetArc {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
  /** Asks for tokens and does not take them. */
  readonly isTest: boolean;
  /** Moves all tokens, however many. */
  readonly isTransfer?: boolean;
}

export interface NetLayout {
  /** The places first, then the transitions, by number. */
  readonly nodes: readonly NetNode[];
  readonly arcs: readonly NetArc[];
  readonly width: number;
  readonly height: number;
}

const column = 110;
const row = 74;
const margin = 56;

export function layoutNet(net: Net): NetLayout {
  const arcs = arcsOf(net);
  const places = net.places.length;
  const marked = net.places.map((_, place) => place).filter((place) => nth(net.initial, place) > 0);
  const { positions, width, height } = layoutGraph(places + net.transitions.length, arcs, {
    starts: marked,
    firstLayer: (node) => (node < places ? 0 : 1),
  });
  const nodes = positions.map(({ x, y }, node): NetNode => {
    const isPlace = node < places;
    return { kind: isPlace ? "place" : "transition", number: isPlace ? node : node - places, x, y };
  });
  return { nodes, arcs, width, height };
}

export interface GraphLayout {
  readonly positions: readonly { readonly x: number; readonly y: number }[];
  readonly width: number;
  readonly height: number;
}

/** Any graph: layers by distance from `starts`; unreachable nodes begin at a given layer. */
export function layoutGraph(
  count: number,
  arcs: readonly Pick<NetArc, "from" | "to">[],
  roots: { readonly starts: readonly number[]; firstLayer(node: number): number },
  spacing = { column, row },
): GraphLayout {
  const layers = orderedLayers(layersOf(count, arcs, roots), arcs);
  const tallest = Math.max(1, ...layers.map(({ length }) => length));
  const positions = Array<{ x: number; y: number }>(count);
  for (const [x, layer] of layers.entries())
    for (const [y, node] of layer.entries())
      positions[node] = {
        x: margin + x * spacing.column,
        y: margin + (y + (tallest - layer.length) / 2) * spacing.row,
      };
  return {
    positions,
    width: 2 * margin + (layers.length - 1) * spacing.column,
    height: 2 * margin + (tallest - 1) * spacing.row,
  };
}

function arcsOf({ places, transitions }: Net): NetArc[] {
  return transitions.flatMap(({ guard, effect, transfers = [] }, number) => {
    const transition = places.length + number;
    const changes = new Map(effect);
    const needs = new Map(guard);
    const emptied = new Set(transfers.map(([from]) => from));
    const filled = new Set(transfers.flatMap(([, to]) => (to === NOWHERE ? [] : [to])));
    const touched = new Set([...needs.keys(), ...changes.keys(), ...emptied, ...filled]);
    return [...touched].flatMap((place): NetArc[] => {
      if (emptied.has(place) || filled.has(place))
        return [
          ...(emptied.has(place) ? [all(place, transition)] : []),
          ...(filled.has(place) ? [all(transition, place)] : []),
          ...plainArcs(changes.get(place) ?? 0, place, transition),
        ];
      const need = needs.get(place) ?? 0;
      const change = changes.get(place) ?? 0;
      if (change === 0) return [{ from: place, to: transition, weight: need, isTest: true }];
      const taken = Math.max(need, -change, 0);
      const given = taken + change;
      return [
        ...(taken > 0 ? [{ from: place, to: transition, weight: taken, isTest: false }] : []),
        ...(given > 0 ? [{ from: transition, to: place, weight: given, isTest: false }] : []),
      ];
    });
  });
}

/** All tokens, however many. */
const all = (from: number, to: number): NetArc => ({ from, to, weight: 1, isTest: false, isTransfer: true });

/** Other consumed or produced tokens. */
const plainArcs = (change: number, place: number, transition: number): NetArc[] =>
  change === 0
    ? []
    : [
        change < 0
          ? { from: place, to: transition, weight: -change, isTest: false }
          : { from: transition, to: place, weight: change, isTest: false },
      ];

/** Breadth-first; unreachable nodes come last. */
function layersOf(
  count: number,
  arcs: readonly Pick<NetArc, "from" | "to">[],
  { starts, firstLayer }: Parameters<typeof layoutGraph>[2],
): number[][] {
  const depth = Array<number>(count).fill(-1);
  const next = Array.from({ length: count }, (): number[] => []);
  for (const { from, to } of arcs) nth(next, from).push(to);
  const layers: number[][] = [];
  const visit = (start: readonly number[], first: number): void => {
    let level = start.filter((node) => depth[node] === -1);
    for (let x = first; level.length > 0; x++) {
      for (const node of level) depth[node] = x;
      (layers[x] ??= []).push(...level);
      level = [...new Set(level.flatMap((node) => nth(next, node)))].filter((node) => depth[node] === -1);
    }
  };
  visit(starts, 0);
  for (let node = 0; node < count; node++) if (depth[node] === -1) visit([node], firstLayer(node));
  return Array.from(layers, (layer) => layer ?? []).filter((layer) => layer.length > 0);
}

/** A few sweeps: each node goes to the mean position of its neighbours in the layers around. */
function orderedLayers(
  layers: readonly number[][],
  arcs: readonly Pick<NetArc, "from" | "to">[],
): number[][] {
  const neighbours = new Map<number, number[]>();
  for (const { from, to } of arcs)
    for (const [a, b] of [
      [from, to],
      [to, from],
    ] as const)
      neighbours.set(a, [...(neighbours.get(a) ?? []), b]);
  let ordered = layers.map((layer) => [...layer]);
  for (let sweep = 0; sweep < 6; sweep++) {
    const position = new Map(
      ordered.flatMap((layer) => layer.map((node, y) => [node, y - layer.length / 2] as const)),
    );
    const mean = (node: number): number => {
      const near = neighbours.get(node) ?? [];
      return near.length === 0
        ? entryOf(position, node)
        : near.reduce((sum, n) => sum + entryOf(position, n), 0) / near.length;
    };
    ordered = ordered.map((layer) =>
      layer
        .map((node) => ({ node, at: mean(node) }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ node }) => node),
    );
  }
  return ordered;
}
