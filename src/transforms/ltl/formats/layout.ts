/**
 * Layout of an automaton: states in layers by their distance from the initial state, from left to right; labels where they cover
 * neither a state nor another label.
 */
import type { Automaton } from "../../../model/index.js";
import { marksOf, plainNotation, renderGuard } from "./guards.js";
import { nth } from "../../../model/known.js";

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly states: readonly Point[];
  readonly edges: readonly DrawnEdge[];
  /** Guards too long for their edge, by number. */
  readonly legend: readonly string[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A quadratic curve, or a loop at a state if `control` is undefined. Edges between the same states are joined. */
export interface DrawnEdge {
  readonly from: number;
  readonly to: number;
  readonly control: Point | undefined;
  readonly lines: readonly string[];
  readonly label: Box;
}

/** Positioned by its centre. */
export interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

export const radius = 18;
export const lineHeight = 15;
const characterWidth = 7.3;
const margin = 24;
const mostCharacters = 34;
const mostLines = 5;

export function layOut(automaton: Automaton, hidesMarks: boolean): Drawing {
  const legend: string[] = [];
  const bundles = bundle(automaton, hidesMarks, legend);
  const states = place(automaton, bundles);
  const taken: Box[] = states.map(({ x, y }) => ({ x, y, width: 2 * radius + 6, height: 2 * radius + 6 }));
  const curves = bundles.map((edge) => ({ ...edge, control: controlOf(edge, bundles, states) }));
  // Loops have a single position, so they come first.
  const order = [...curves.filter((edge) => !edge.control), ...curves.filter((edge) => edge.control)];
  const edges = order.map((edge) => {
    const label = labelBox(edge, states, taken);
    taken.push(label);
    return { ...edge, label };
  });
  return framed({ width: 0, height: 0, states, edges, legend }, taken);
}

interface Bundle {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** Joins edges between the same states, with a line for each cube of their guards. */
function bundle(automaton: Automaton, hidesMarks: boolean, legend: string[]): Bundle[] {
  const notation = plainNotation(automaton.propositions);
  return automaton.states.flatMap((edges, from) =>
    [...new Set(edges.map(({ to }) => to))].map((to) => {
      const lines = edges
        .filter((edge) => edge.to === to)
        .flatMap(({ guard, marks }) => {
          const seen = hidesMarks || marks === 0 ? "" : ` {${marksOf(marks).join(" ")}}`;
          return guard.map((cube) => `${renderGuard([cube], notation)}${seen}`);
        });
      const isLong = lines.length > mostLines || lines.some((line) => line.length > mostCharacters);
      if (!isLong) return { from, to, lines };
      return { from, to, lines: [`(${legend.push(lines.join(" | "))})`] };
    }),
  );
}

const widthOf = (lines: readonly string[]): number =>
  Math.max(...lines.map((line) => line.length)) * characterWidth + 8;
const heightOf = (lines: readonly string[]): number => lines.length * lineHeight + 4;

function place({ initial, states }: Automaton, bundles: readonly Bundle[]): Point[] {
  const layer = layersOf(initial, states);
  const columns: number[][] = [];
  layer.forEach((depth, state) => (columns[depth] ??= []).push(state));
  const loopHeight = Math.max(0, ...bundles.filter((e) => e.from === e.to).map((e) => heightOf(e.lines)));
  // Many edges need more room between states, so that labels stay close to their edges.
  const crowd = Math.min(160, (bundles.length / states.length) * 25);
  const rowGap = 2 * radius + 30 + crowd + loopHeight;
  const widest = Math.max(60, ...bundles.filter((e) => e.from !== e.to).map((e) => widthOf(e.lines)));
  const columnGap = widest + 2 * radius + 30 + crowd;
  const tallest = Math.max(...columns.map((column) => column.length));
  return states.map((_, state) => {
    const column = nth(columns, nth(layer, state));
    // Odd layers are slightly offset, so that long edges avoid the states between.
    const offset = (tallest - column.length) / 2 + (nth(layer, state) % 2) * 0.18;
    return { x: nth(layer, state) * columnGap, y: (column.indexOf(state) + offset) * rowGap };
  });
}

function layersOf(initial: number, states: Automaton["states"]): number[] {
  const layer = states.map(() => -1);
  layer[initial] = 0;
  const queue = [initial];
  for (const state of queue)
    for (const { to } of nth(states, state))
      if (layer[to] === -1) {
        layer[to] = nth(layer, state) + 1;
        queue.push(to);
      }
  const last = Math.max(...layer);
  return layer.map((depth) => (depth === -1 ? last + 1 : depth));
}

/** Straight between neighbours; bent if there is an edge back or other states may be in the way. */
function controlOf(edge: Bundle, bundles: readonly Bundle[], states: readonly Point[]): Point | undefined {
  if (edge.from === edge.to) return undefined;
  const [a, b] = [nth(states, edge.from), nth(states, edge.to)];
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const normal = { x: -(b.y - a.y) / length, y: (b.x - a.x) / length };
  const hasReturn = bundles.some((other) => other.from === edge.to && other.to === edge.from);
  const isNear = states.every((state) => state === a || state === b || distance(state, a, b) > 2 * radius);
  const bend = isNear ? (hasReturn ? 20 + length / 10 : 0) : 40 + length / 5;
  return { x: middle.x + normal.x * bend, y: middle.y + normal.y * bend };
}

/** Distance of a point from the line through two others. */
function distance(point: Point, a: Point, b: Point): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const along = ((point.x - a.x) * dx + (point.y - a.y) * dy) / (dx * dx + dy * dy);
  const t = Math.max(0, Math.min(1, along));
  return Math.hypot(point.x - a.x - t * dx, point.y - a.y - t * dy);
}

/** The first free position along the edge, on its outer side before its inner one, at growing distance. */
function labelBox(
  edge: Bundle & { readonly control: Point | undefined },
  states: readonly Point[],
  taken: readonly Box[],
): Box {
  const [width, height] = [widthOf(edge.lines), heightOf(edge.lines)];
  const from = nth(states, edge.from);
  if (!edge.control) return { x: from.x, y: from.y - radius - 34 - height / 2, width, height };
  for (let away = 0; ; away += 6)
    for (const t of [0.5, 0.42, 0.58, 0.34, 0.66, 0.27, 0.73])
      for (const side of [1, -1]) {
        const at = curvePoint(from, edge.control, nth(states, edge.to), t);
        const gap = Math.abs(at.normal.y) * (height / 2) + Math.abs(at.normal.x) * (width / 2) + 3 + away;
        const box = { x: at.x + side * at.normal.x * gap, y: at.y + side * at.normal.y * gap, width, height };
        if (!taken.some((other) => overlap(box, other))) return box;
      }
}

function curvePoint(a: Point, control: Point, b: Point, t: number): Point & { readonly normal: Point } {
  const s = 1 - t;
  const dx = 2 * s * (control.x - a.x) + 2 * t * (b.x - control.x);
  const dy = 2 * s * (control.y - a.y) + 2 * t * (b.y - control.y);
  const length = Math.hypot(dx, dy) || 1;
  return {
    x: s * s * a.x + 2 * s * t * control.x + t * t * b.x,
    y: s * s * a.y + 2 * s * t * control.y + t * t * b.y,
    normal: { x: -dy / length, y: dx / length },
  };
}

export const overlap = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) * 2 < a.width + b.width && Math.abs(a.y - b.y) * 2 < a.height + b.height;

/** Translates the drawing so that everything is inside, with room for the arrow to the initial state and the legend. */
function framed(drawing: Drawing, boxes: readonly Box[]): Drawing {
  const points = drawing.edges.flatMap(({ control }) => (control ? [control] : []));
  const left = Math.min(-60, ...boxes.map((b) => b.x - b.width / 2), ...points.map(({ x }) => x)) - margin;
  const right = Math.max(...boxes.map((b) => b.x + b.width / 2), ...points.map(({ x }) => x)) + margin;
  const top = Math.min(...boxes.map((b) => b.y - b.height / 2), ...points.map(({ y }) => y)) - margin - 24;
  const bottom = Math.max(...boxes.map((b) => b.y + b.height / 2), ...points.map(({ y }) => y)) + margin;
  const moved = <T extends Point>(point: T): T => ({ ...point, x: point.x - left, y: point.y - top });
  const legendWidth = Math.max(0, ...drawing.legend.map((line) => (line.length + 6) * characterWidth));
  return {
    ...drawing,
    width: Math.ceil(Math.max(right - left, legendWidth + 2 * margin)),
    height: Math.ceil(bottom - top + drawing.legend.length * lineHeight),
    states: drawing.states.map(moved),
    edges: drawing.edges.map((edge) => ({
      ...edge,
      control: edge.control && moved(edge.control),
      label: moved(edge.label),
    })),
  };
}
