/** Random Petri nets, the obvious search of their markings, and the comparison of all procedures on them. */
import {
  Work,
  backward,
  boundedness,
  procedures,
  runAtOnce,
  type BoundednessAnswer,
  type CoverAnswer,
  type Procedure,
} from "../../src/engines/coverability/index.js";
import { tokensOf, type CoverProperty, type Net, type NetTransition } from "../../src/model/index.js";
import { attempted } from "./attempted.js";
import { Random } from "./random.js";

const nowhere = { file: "random", start: 0, end: 0 };

/** Up to 6 places and 8 transitions, weights up to 3; some with test arcs, some with any number of tokens at the start. */
export function randomNet(seed: number): Net {
  const random = new Random(seed);
  const width = random.between(1, 6);
  const density = random.pick([15, 25, 35]);
  const some = (percent: number, most: number): Map<number, number> =>
    new Map(
      Array.from({ length: width }, (_, place) => place)
        .filter(() => random.chance(percent))
        .map((place) => [place, random.between(1, most)]),
    );
  const transitions = Array.from({ length: random.between(1, 8) }, (_, t): NetTransition => {
    const takes = some(density + 10, 3);
    const gives = some(density, 3);
    const tests = some(5, 3);
    const places = new Set([...takes.keys(), ...gives.keys(), ...tests.keys()]);
    const guard = new Map([...places].map((p) => [p, Math.max(takes.get(p) ?? 0, tests.get(p) ?? 0)]));
    const effect = new Map([...places].map((p) => [p, (gives.get(p) ?? 0) - (takes.get(p) ?? 0)]));
    return { name: `t${t}`, span: nowhere, guard: tokensOf(guard), effect: tokensOf(effect) };
  });
  const sources = Array.from({ length: width }, (_, place) => place)
    .filter(() => random.chance(4))
    .map((place): NetTransition => ({
      name: `more p${place}`,
      span: nowhere,
      guard: [],
      effect: [[place, 1]],
      isSource: true,
    }));
  const alternatives = Array.from({ length: random.pick([1, 1, 2]) }, () => tokensOf(some(50, 4)));
  const target: CoverProperty = { name: "target", kind: "coverability", span: undefined, alternatives };
  return {
    kind: "net",
    name: `random ${seed}`,
    places: Array.from({ length: width }, (_, place) => ({ name: `p${place}`, span: nowhere })),
    transitions: [...transitions, ...sources],
    initial: Array.from({ length: width }, () => (random.chance(50) ? random.between(1, 3) : 0)),
    properties: [target],
  };
}

/** The search itself, without what leaves markings out. */
const plainBackward: Procedure = {
  name: "backward without weights",
  method: "backward search",
  decide: (net, alternatives, work) => backward(net, alternatives, work, { weighs: false }),
};

export interface NetComparison {
  readonly problems: readonly string[];
  /** By procedure: `covered`, `uncovered` or `unknown`. */
  readonly answers: ReadonlyMap<string, string>;
  readonly brute: string;
}

export function compareNet(net: Net, maxStates = 20_000): NetComparison {
  const problems: string[] = [];
  const { alternatives } = net.properties[0] as CoverProperty;
  const budget = (): Work => new Work({ maxStates, timeMs: 10_000 });
  const answers = new Map<string, string>();
  for (const { name, decide } of [...procedures, plainBackward]) {
    const answer = attempted<CoverAnswer>(() => runAtOnce(decide(net, alternatives, budget())));
    answers.set(name, answer?.kind ?? "unknown");
    if (answer?.kind === "covered" && !covers(net, answer.firing, alternatives))
      problems.push(`${name}: its run does not cover`);
  }
  const brute = bruteForce(net, alternatives, maxStates);
  const known = [...answers].filter(([, answer]) => answer !== "unknown");
  for (const [name, answer] of known) {
    if (brute.verdict !== "unknown" && answer !== brute.verdict)
      problems.push(`${name} says ${answer}, brute force ${brute.verdict}`);
    if (answer !== known[0]![1]) problems.push(`${name} says ${answer}, ${known[0]![0]} ${known[0]![1]}`);
  }
  if (!net.transitions.some(({ isSource }) => isSource))
    problems.push(...boundProblems(net, brute, budget()));
  return { problems, answers, brute: brute.verdict };
}

function boundProblems(net: Net, brute: Brute, work: Work): string[] {
  const answer = attempted<BoundednessAnswer>(() => runAtOnce(boundedness(net, work)));
  if (answer?.kind === "unbounded") {
    if (brute.isComplete) return ["called unbounded, but brute force visited every marking"];
    return growsAtTheEnd(net, answer) ? [] : ["the loop of an unbounded net does not grow"];
  }
  if (answer?.kind === "bounded" && brute.isComplete && brute.most !== answer.most)
    return [`at most ${answer.most} tokens by Karp-Miller, ${brute.most} by brute force`];
  return [];
}

interface Brute {
  readonly verdict: "covered" | "uncovered" | "unknown";
  readonly isComplete: boolean;
  /** Tokens in a place. */
  readonly most: number;
  readonly markings: readonly (readonly number[])[];
}

/** Every marking, one after the other. */
export function bruteForce(net: Net, alternatives: CoverProperty["alternatives"], maxStates: number): Brute {
  const seen = new Set([net.initial.join()]);
  const queue: (readonly number[])[] = [net.initial];
  let isCovered = false;
  let most = 0;
  for (const marking of queue) {
    isCovered ||= alternatives.some((tokens) => tokens.every(([p, n]) => marking[p]! >= n));
    most = Math.max(most, ...marking);
    if (queue.length > maxStates) break;
    for (const { guard, effect } of net.transitions) {
      if (!guard.every(([p, n]) => marking[p]! >= n)) continue;
      const next = [...marking];
      for (const [p, n] of effect) next[p]! += n;
      if (seen.has(next.join())) continue;
      seen.add(next.join());
      queue.push(next);
    }
  }
  const isComplete = queue.length <= maxStates;
  const verdict = isCovered ? "covered" : isComplete ? "uncovered" : "unknown";
  return { verdict, isComplete, most, markings: queue };
}

function covers(net: Net, firing: readonly number[], alternatives: CoverProperty["alternatives"]): boolean {
  const marking = run(net, firing);
  return marking !== undefined && alternatives.some((tokens) => tokens.every(([p, n]) => marking[p]! >= n));
}

function growsAtTheEnd(net: Net, answer: BoundednessAnswer & { readonly kind: "unbounded" }): boolean {
  const before = run(net, answer.firing.slice(0, answer.loopStart));
  const after = run(net, answer.firing);
  if (!before || !after) return false;
  return before.every((n, p) => n <= after[p]!) && answer.places.every((p) => before[p]! < after[p]!);
}

/** The marking after the transitions; undefined if they cannot happen in that order. */
export function run(net: Net, firing: readonly number[]): readonly number[] | undefined {
  const marking = [...net.initial];
  for (const t of firing) {
    const { guard, effect } = net.transitions[t]!;
    if (!guard.every(([p, n]) => marking[p]! >= n)) return undefined;
    for (const [p, n] of effect) marking[p]! += n;
  }
  return marking;
}
