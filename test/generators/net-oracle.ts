/** Naive semantics of nets: enumerates markings forward, and tries all smaller markings backward. */
import { NOWHERE, type CoverProperty, type Net, type NetTransition } from "../../src/model/index.js";

export type Marking = readonly number[];

/** The marking after the transition; undefined if disabled. */
export function fired(
  { guard, effect, transfers = [] }: NetTransition,
  marking: Marking,
): Marking | undefined {
  if (guard.some(([place, count]) => marking[place]! < count)) return undefined;
  const next = [...marking];
  for (const [from] of transfers) next[from] = 0;
  for (const [from, to] of transfers) if (to !== NOWHERE) next[to]! += marking[from]!;
  for (const [place, count] of effect) next[place]! += count;
  return next;
}

/** The marking after the firing sequence; undefined if it is not enabled, or adds source tokens too late. */
export function run(net: Net, firing: readonly number[]): Marking | undefined {
  let marking: Marking | undefined = net.initial;
  let hasBegun = false;
  for (const t of firing) {
    const { isSource = false } = net.transitions[t]!;
    if (isSource && hasBegun && hasTransfers(net)) return undefined;
    hasBegun ||= !isSource;
    marking = marking && fired(net.transitions[t]!, marking);
  }
  return marking;
}

export const hasTransfers = ({ transitions }: Net): boolean =>
  transitions.some(({ transfers = [] }) => transfers.length > 0);

export const hasSources = ({ transitions }: Net): boolean => transitions.some(({ isSource }) => isSource);

type Alternatives = CoverProperty["alternatives"];

export const covers = (marking: Marking, alternatives: Alternatives): boolean =>
  alternatives.some((tokens) => tokens.every(([place, count]) => marking[place]! >= count));

export interface Brute {
  readonly verdict: "covered" | "uncovered" | "unknown";
  readonly isComplete: boolean;
  /** Most tokens in a place. */
  readonly most: number;
  readonly markings: readonly Marking[];
}

/** Enumerates markings; limits the number of source tokens. */
export function bruteForce(net: Net, alternatives: Alternatives, maxStates: number): Brute {
  const moves = net.transitions.filter(({ isSource }) => !isSource);
  const starts = startsOf(net, 2);
  const queue = [...starts];
  const seen = new Set(queue.map((marking) => marking.join()));
  let isCovered = false;
  let most = 0;
  for (const marking of queue) {
    isCovered ||= covers(marking, alternatives);
    most = Math.max(most, ...marking);
    if (queue.length > maxStates || (isCovered && starts.length > 1)) break;
    for (const move of moves) {
      const next = fired(move, marking);
      if (!next || seen.has(next.join())) continue;
      seen.add(next.join());
      queue.push(next);
    }
  }
  const isComplete = queue.length <= maxStates && !hasSources(net);
  const verdict = isCovered ? "covered" : isComplete ? "uncovered" : "unknown";
  return { verdict, isComplete, most, markings: queue };
}

/** Initial markings, with up to `more` source tokens. */
export function startsOf(net: Net, more: number): Marking[] {
  let starts: Marking[] = [net.initial];
  for (const { isSource, effect } of net.transitions) {
    if (!isSource) continue;
    const place = effect[0]![0];
    starts = starts.flatMap((start) =>
      Array.from({ length: more + 1 }, (_, n) => start.with(place, start[place]! + n)),
    );
  }
  return starts;
}

const below = (a: Marking, b: Marking): boolean => a.every((count, place) => count <= b[place]!);

/** All markings up to the limit in every place. */
function* box(width: number, limit: number): Generator<Marking> {
  const marking = Array<number>(width).fill(0);
  for (;;) {
    yield [...marking];
    let place = 0;
    while (place < width && marking[place] === limit) marking[place++] = 0;
    if (place === width) return;
    marking[place]!++;
  }
}

/** The minimal markings from which the transition leads above the given one, by trying all candidates. */
export function naivePredecessors(transition: NetTransition, above: Marking): Marking[] | undefined {
  const least = Math.min(0, ...transition.effect.map(([, count]) => count));
  const limit = Math.max(
    ...above.map((count) => count - least),
    ...transition.guard.map(([, count]) => count),
  );
  if ((limit + 1) ** above.length > MOST_TRIED) return undefined;
  const minimal: Marking[] = [];
  for (const marking of box(above.length, limit)) {
    if (minimal.some((smaller) => below(smaller, marking))) continue;
    const after = fired(transition, marking);
    if (after && below(above, after)) minimal.push(marking);
  }
  return minimal.filter((marking) => !minimal.some((other) => other !== marking && below(other, marking)));
}

const MOST_TRIED = 700;

/** Backward search by trying candidates; undefined if there are too many. */
export function naiveBackward(net: Net, alternatives: Alternatives): "covered" | "uncovered" | undefined {
  const moves = net.transitions.filter(({ isSource }) => !isSource);
  const found: Marking[] = alternatives.map((tokens) => {
    const counts = new Map(tokens);
    return net.places.map((_, place) => counts.get(place) ?? 0);
  });
  for (const marking of found) {
    if (startsAbove(net, marking)) return "covered";
    for (const move of moves) {
      const before = naivePredecessors(move, marking);
      if (!before || found.length > MOST_FOUND) return undefined;
      for (const each of before) if (!found.some((known) => below(known, each))) found.push(each);
    }
  }
  return "uncovered";
}

const MOST_FOUND = 60;

export function startsAbove(net: Net, marking: Marking): boolean {
  const free = new Set(net.transitions.flatMap(({ isSource, effect }) => (isSource ? [effect[0]![0]] : [])));
  return marking.every((count, place) => free.has(place) || count <= net.initial[place]!);
}

/**
 * Whether the upward closure of the markings contains the targets and all their predecessors, and no initial marking:
 * then no run covers a target. Undefined if there are too many candidates.
 */
export function isClosedBackward(
  net: Net,
  minimal: readonly Marking[],
  alternatives: Alternatives,
): boolean | undefined {
  const contains = (marking: Marking): boolean => minimal.some((each) => below(each, marking));
  const targets = alternatives.map((tokens) => net.places.map((_, place) => new Map(tokens).get(place) ?? 0));
  if (!targets.every(contains) || minimal.some((each) => startsAbove(net, each))) return false;
  for (const marking of minimal)
    for (const transition of net.transitions) {
      if (transition.isSource) continue;
      const before = naivePredecessors(transition, marking);
      if (!before) return undefined;
      if (!before.every(contains)) return false;
    }
  return true;
}

/** The dual for Petri nets: the downward closure of the markings, in which `Infinity` is any number. */
export function isClosedForward(net: Net, largest: readonly Marking[], alternatives: Alternatives): boolean {
  const contains = (marking: Marking): boolean => largest.some((each) => below(marking, each));
  const free = new Set(net.transitions.flatMap(({ isSource, effect }) => (isSource ? [effect[0]![0]] : [])));
  if (!contains(net.initial.map((count, place) => (free.has(place) ? Infinity : count)))) return false;
  return largest.every(
    (marking) =>
      !covers(marking, alternatives) &&
      net.transitions.every((transition) => {
        const next = fired(transition, marking);
        return !next || contains(next);
      }),
  );
}
