/**
 * Boundedness of nets with infinitely many starts: does each start bound every place? With any number of tokens in every
 * place this is structural boundedness.
 *
 * A net is unbounded from some start if a run reaches a marking with a loop that loses no token and gains some. Over the
 * maximal markings of the coverability set, the loop leads from one of them back to it: it cannot lead above it, and
 * every marking on the way is maximal, because a larger one would lead above the first. So the loop is a closed walk in
 * the graph of maximal markings, and only changes of ω places remain to be added up: a linear program. Its solutions need
 * not be connected; deriving walks from them is due to Kosaraju and Sullivan (1988).
 */
import { TokenOverflow } from "../../model/index.js";
import { entryOf, lastOf, nth } from "../../model/known.js";
import {
  LONGEST_RUN,
  OMEGA,
  demandBefore,
  fire,
  isBelow,
  isEnabled,
  withSources,
  type DenseNet,
} from "./dense.js";
import { maximise } from "./simplex.js";
import { runInto, type TreeNode } from "./unroll.js";
import type { Work } from "./work.js";

/** A run with the start of an endlessly repeatable part. */
export interface Growth {
  readonly firing: readonly number[];
  readonly loopStart: number;
  /** Places that gain tokens in each repetition. */
  readonly places: readonly number[];
}

/** Steps between maximal markings, by number. */
interface Edge {
  readonly from: number;
  readonly to: number;
  readonly transition: number;
}

/** `largest` are the maximal nodes of the net's Karp-Miller tree; undefined: bounded from every start. */
export function growthFrom(net: DenseNet, largest: readonly TreeNode[], work: Work): Growth | undefined {
  const edges = edgesBetween(net, largest, work);
  for (const part of connectedParts(edges)) {
    const walk = growingWalk(net, part, work);
    if (walk) return growthOf(net, largest, walk);
  }
  return undefined;
}

function edgesBetween(net: DenseNet, largest: readonly TreeNode[], work: Work): Edge[] {
  const numbers = new Map(largest.map(({ marking }, index) => [marking.join(), index]));
  return largest.flatMap(({ marking }, from) =>
    net.moves.flatMap(({ number, transition }): Edge[] => {
      work.check();
      if (!isEnabled(transition, marking)) return []; // sound: test/engines/coverability/parametric.test.ts
      const after = marking.slice();
      fire(transition, after);
      const to = numbers.get(after.join());
      return to === undefined ? [] : [{ from, to, transition: number }];
    }),
  );
}

/** The edges of each strongly connected component. */
function connectedParts(edges: readonly Edge[]): Edge[][] {
  const forward = reachability(edges);
  const parts: Edge[][] = [];
  for (const edge of edges) {
    if (!forward(edge.to, edge.from)) continue;
    const part = parts.find(
      ([first]) => first && forward(first.from, edge.from) && forward(edge.from, first.from),
    );
    if (part) part.push(edge);
    else parts.push([edge]);
  }
  return parts;
}

/** Is there a walk between two nodes? Searches once per node, on demand. */
function reachability(edges: readonly Edge[]): (from: number, to: number) => boolean {
  const next = new Map<number, number[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const known = new Map<number, ReadonlySet<number>>();
  const reached = (start: number): ReadonlySet<number> => {
    const seen = new Set([start]);
    for (const node of seen) for (const to of next.get(node) ?? []) seen.add(to);
    return seen;
  };
  return (from, to) => {
    if (!known.has(from)) known.set(from, reached(from));
    return entryOf(known, from).has(to);
  };
}

/** Multiplicities of edges in a connected closed walk that loses no token and gains some; undefined if none exists. */
function growingWalk(net: DenseNet, edges: readonly Edge[], work: Work): Walk | undefined {
  const program = new Circulations(net, edges, work);
  const growing = program.best(program.gains);
  if (!growing.some((times) => times > 0n)) return undefined; // sound: test/engines/coverability/parametric.test.ts
  const walk = { edges, times: growing };
  if (connectedParts(usedEdges(walk)).length === 1) return walk; // sound: test/engines/coverability/parametric.test.ts
  // Sums of solutions are solutions: this one takes every edge that any solution takes.
  const all = edges.map((_, index) => program.best(edges.map((__, i) => (i === index ? 1 : 0))));
  const widest = {
    edges,
    times: growing.map((times, i) => all.reduce((sum, one) => sum + nth(one, i), times)),
  };
  const parts = connectedParts(usedEdges(widest));
  if (parts.length === 1) return widest; // sound: test/engines/coverability/parametric.test.ts
  for (const part of parts) {
    const found = growingWalk(net, part, work);
    if (found) return found;
  }
  return undefined;
}

interface Walk {
  readonly edges: readonly Edge[];
  readonly times: readonly bigint[];
}

const usedEdges = ({ edges, times }: Walk): Edge[] => edges.filter((_, index) => nth(times, index) > 0n);

/** Flow conservation at every node, and no place loses tokens. */
class Circulations {
  /** Tokens gained by each edge, over all places. */
  readonly gains: readonly number[];
  readonly #rows: readonly (readonly number[])[];
  readonly #work: Work;

  constructor(net: DenseNet, edges: readonly Edge[], work: Work) {
    const changes = edges.map(({ transition }) => changeOf(net, transition));
    const nodes = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
    // The rows of the nodes sum to 0, so bounding each by 0 from above makes all equal 0.
    const flows = nodes.map((node) =>
      edges.map(({ from, to }) => (from === node ? 1 : 0) - (to === node ? 1 : 0)),
    );
    const losses = Array.from({ length: net.width }, (_, place) =>
      changes.map((change) => -nth(change, place)),
    );
    this.#rows = [...flows, ...losses]; // sound: test/engines/coverability/parametric.test.ts
    this.gains = changes.map((change) => change.reduce((sum, count) => sum + count, 0));
    this.#work = work;
  }

  /** The optimal solution, scaled to integers. */
  best(objective: readonly number[]): bigint[] {
    return maximise({ rows: this.#rows, objective }, () => this.#work.check());
  }
}

function changeOf({ width, transitions }: DenseNet, transition: number): number[] {
  const change = Array<number>(width).fill(0);
  const { effectPlaces, effectCounts } = nth(transitions, transition);
  for (const [i, place] of effectPlaces.entries()) change[place] = nth(effectCounts, i);
  return change;
}

/** The walk as a run: the tokens it needs at the start, the path to its first marking, and the walk. */
function growthOf(net: DenseNet, largest: readonly TreeNode[], walk: Walk): Growth {
  const first = nth(usedEdges(walk), 0).from;
  const loop = closedWalk(walk, first);
  const demand = new Float64Array(net.width);
  for (const t of loop.toReversed()) demandBefore(nth(net.transitions, t), demand);
  const needed = Int32Array.from(demand, (count) => Math.min(count, OMEGA));
  if (needed.includes(OMEGA)) throw new TokenOverflow("a loop");
  const way = withSources(net, runInto(net, nth(largest, first), needed), [needed]);
  const firing = [...way, ...loop];
  const places = grownBy(net, firing, way.length);
  if (places.length === 0) throw new Error("a loop that does not grow");
  return { firing, loopStart: way.length, places };
}

/** Hierholzer's algorithm, with multiplicities. */
function closedWalk({ edges, times }: Walk, first: number): number[] {
  const length = times.reduce((sum, count) => sum + count, 0n);
  if (length > BigInt(LONGEST_RUN)) throw new TokenOverflow("the length of a loop");
  const left = times.map(Number);
  const from = new Map<number, number[]>();
  for (const [index, edge] of edges.entries()) from.set(edge.from, [...(from.get(edge.from) ?? []), index]);
  const walk: number[] = [];
  const open: { readonly node: number; readonly by: number }[] = [{ node: first, by: -1 }];
  while (open.length > 0) {
    const { node, by } = lastOf(open);
    const next = from.get(node)?.find((index) => nth(left, index) > 0);
    if (next === undefined) {
      open.pop();
      if (by >= 0) walk.push(nth(edges, by).transition);
    } else {
      left[next]!--;
      open.push({ node: nth(edges, next).to, by: next });
    }
  }
  return walk.reverse();
}

/** Replays the run: the places that the loop fills, or none if the loop loses tokens or is not enabled. */
function grownBy(net: DenseNet, firing: readonly number[], loopStart: number): number[] {
  const marking = net.initial.slice();
  let before = marking.slice();
  for (const [index, t] of firing.entries()) {
    if (index === loopStart) before = marking.slice();
    if (!isEnabled(nth(net.transitions, t), marking)) return [];
    fire(nth(net.transitions, t), marking);
  }
  if (!isBelow(before, marking)) return [];
  return [...marking.keys()].filter((place) => before[place]! < marking[place]!);
}
