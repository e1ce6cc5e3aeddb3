/** Random Petri nets, some with transfers and resets, and the comparison of all procedures on them. */
import {
  Work,
  backward,
  boundedness,
  eec,
  karpMiller,
  runAtOnce,
  type BoundednessAnswer,
  type CoverAnswer,
} from "../../src/engines/coverability/index.js";
import {
  NOWHERE,
  tokensOf,
  type CoverProperty,
  type Net,
  type NetTransition,
  type Tokens,
  type Transfer,
} from "../../src/model/index.js";
import { attempted } from "./attempted.js";
import {
  bruteForce,
  covers,
  hasSources,
  hasTransfers,
  isClosedBackward,
  isClosedForward,
  naiveBackward,
  run,
  startsOf,
  type Brute,
} from "./net-oracle.js";
import { Random } from "./random.js";

const nowhere = { file: "random", start: 0, end: 0 };
const OMEGA = 0x7fffffff;

/**
 * Up to 6 places and 8 transitions, weights up to 3; some with test arcs, some with source tokens, two of five with
 * transfers and resets.
 */
export function randomNet(seed: number): Net {
  const random = new Random(seed);
  const width = random.between(1, 6);
  const density = random.pick([15, 25, 35]);
  const transferChance = random.pick([0, 0, 0, 25, 60]);
  const places = Array.from({ length: width }, (_, place) => place);
  const some = (percent: number, most: number): Map<number, number> =>
    new Map(places.filter(() => random.chance(percent)).map((place) => [place, random.between(1, most)]));
  const transitions = Array.from({ length: random.between(1, 8) }, (_, t): NetTransition => {
    const takes = some(density + 10, 3);
    const gives = some(density, 3);
    const tests = some(5, 3);
    const touched = new Set([...takes.keys(), ...gives.keys(), ...tests.keys()]);
    const guard = new Map([...touched].map((p) => [p, Math.max(takes.get(p) ?? 0, tests.get(p) ?? 0)]));
    const effect = new Map([...touched].map((p) => [p, (gives.get(p) ?? 0) - (takes.get(p) ?? 0)]));
    const plain = { name: `t${t + 1}`, span: nowhere, guard: tokensOf(guard), effect: tokensOf(effect) };
    return random.chance(transferChance) ? withTransfers(plain, places, random) : plain;
  });
  const sourceChance = random.pick([0, 0, 0, 20, 70]);
  const sources = places
    .filter(() => random.chance(sourceChance))
    .map((place): NetTransition => ({
      name: `one more p${place} from the start`,
      span: nowhere,
      guard: [],
      effect: [[place, 1]],
      isSource: true,
    }));
  const alternatives = Array.from({ length: random.pick([1, 1, 2]) }, () => tokensOf(some(50, 4)));
  const initial = places.map(() => (random.chance(50) ? random.between(1, 3) : 0));
  const left = transitions.flatMap((transition) => remainderTargets(transition, random));
  const target: CoverProperty = {
    name: "target",
    kind: "coverability",
    span: undefined,
    alternatives: left.length > 0 && random.chance(50) ? [random.pick(left)] : alternatives,
  };
  return {
    kind: "net",
    name: `random ${seed}`,
    places: places.map((place) => ({ name: `p${place}`, span: nowhere })),
    transitions: [...transitions, ...sources],
    initial,
    properties: [target],
  };
}

/** Targets in places that the transition empties and adds tokens to. */
function remainderTargets({ transfers = [], effect }: NetTransition, random: Random): Tokens[] {
  const given = effect.filter(([, count]) => count > 0).map(([place]) => place);
  if (transfers.length === 0 || given.length === 0) return [];
  const [emptied] = random.pick(transfers);
  return [
    tokensOf(
      new Map([
        [random.pick(given), 1],
        [emptied, random.between(1, 2)],
      ]),
    ),
  ];
}

/** Empties one or two places, and removes at most the guard's tokens from their sums. */
function withTransfers(plain: NetTransition, places: readonly number[], random: Random): NetTransition {
  const emptied = places.filter(() => random.chance(35));
  const transfers = emptied.map((from): Transfer => {
    const others = places.filter((place) => place !== from);
    return [from, others.length === 0 || random.chance(35) ? NOWHERE : random.pick(others)];
  });
  const guard = new Map(plain.guard);
  const effect = plain.effect.map(([place, count]) => {
    const added = transfers.filter(([, to]) => to === place).map(([from]) => from);
    const from = emptied.includes(place) ? added : [place, ...added];
    const there = from.reduce((sum, each) => sum + (guard.get(each) ?? 0), 0);
    return [place, Math.max(count, -there)] as const;
  });
  return {
    ...plain,
    effect: effect.filter(([, count]) => count !== 0),
    ...(transfers.length > 0 ? { transfers } : {}),
  };
}

interface Way {
  readonly name: string;
  readonly takesTransfers: boolean;
  decide(net: Net, alternatives: readonly Tokens[], work: Work): Generator<number, Answer>;
}

type Answer = CoverAnswer & {
  readonly minimal?: readonly Int32Array[];
  readonly invariant?: readonly Int32Array[];
};

/** Each procedure by default, and without its optimisations. */
const ways: readonly Way[] = [
  { name: "backward", takesTransfers: true, decide: backward },
  {
    name: "backward without weights",
    takesTransfers: true,
    decide: (net, alternatives, work) => backward(net, alternatives, work, { weighs: false }),
  },
  { name: "eec", takesTransfers: false, decide: eec },
  {
    name: "eec as published",
    takesTransfers: false,
    decide: (net, alternatives, work) =>
      eec(net, alternatives, work, { start: 0, next: (i) => i + 1, concretises: false }),
  },
  { name: "karp-miller", takesTransfers: false, decide: karpMiller },
];

export interface NetComparison {
  readonly problems: readonly string[];
  /** By procedure: `covered`, `uncovered` or `unknown`. */
  readonly answers: ReadonlyMap<string, string>;
  /** Result of the naive searches, forward or backward. */
  readonly brute: string;
  /** Backward search kept fewer markings than without weights. */
  readonly isReduced: boolean;
  /** Number of checked proofs. */
  readonly certificates: number;
}

export function compareNet(net: Net, maxStates = 3000): NetComparison {
  const problems: string[] = [];
  const { alternatives } = net.properties[0] as CoverProperty;
  const budget = (): Work => new Work({ maxStates: 20_000, timeMs: 10_000 });
  const answers = new Map<string, string>();
  const kept = new Map<string, number>();
  let certificates = 0;
  for (const { name, takesTransfers, decide } of ways) {
    if (hasTransfers(net) && !takesTransfers) {
      if (!isRefused(() => decide(net, alternatives, budget()).next()))
        problems.push(`${name}: takes transfers, which it cannot treat`);
      continue;
    }
    const work = budget();
    const answer = attempted<Answer>(() => runAtOnce(decide(net, alternatives, work)));
    answers.set(name, answer?.kind ?? "unknown");
    kept.set(name, work.vectors);
    const shown = answer && isShown(net, alternatives, answer, name);
    if (shown === false) problems.push(`${name}: what shows '${answer!.kind}' does not`);
    if (shown) certificates++;
  }
  const brute = bruteForce(net, alternatives, maxStates);
  const naive = naiveBackward(net, alternatives) ?? "unknown";
  const known = [
    ...answers,
    ["forward by hand", brute.verdict] as const,
    ["backward by hand", naive] as const,
  ].filter(([, answer]) => answer !== "unknown");
  for (const [name, answer] of known)
    if (answer !== known[0]![1]) problems.push(`${name} says ${answer}, ${known[0]![0]} ${known[0]![1]}`);
  if (!hasTransfers(net)) problems.push(...boundProblems(net, brute, budget()));
  return {
    problems,
    answers,
    brute: brute.verdict === "unknown" ? naive : brute.verdict,
    isReduced: kept.get("backward")! < kept.get("backward without weights")!,
    certificates,
  };
}

function isRefused(begin: () => unknown): boolean {
  try {
    begin();
    return false;
  } catch (error) {
    return (error as Error).message.includes("cannot treat the transfers");
  }
}

/** Whether the proof of the answer is valid. Undefined if it has none, or checking is too expensive. */
function isShown(
  net: Net,
  alternatives: readonly Tokens[],
  answer: Answer,
  name: string,
): boolean | undefined {
  if (answer.kind === "covered") {
    const marking = run(net, answer.firing);
    return marking !== undefined && covers(marking, alternatives);
  }
  if (name === "backward without weights")
    return isClosedBackward(
      net,
      answer.minimal!.map((vector) => [...vector]),
      alternatives,
    );
  const largest = answer.invariant?.map((vector) => [...vector].map((n) => (n === OMEGA ? Infinity : n)));
  return largest && isClosedForward(net, largest, alternatives);
}

/** One tree for a single initial marking; otherwise tests initial markings with a few source tokens. */
function boundProblems(net: Net, brute: Brute, work: Work): string[] {
  const answer = attempted<BoundednessAnswer>(() => runAtOnce(boundedness(net, work)));
  if (answer?.kind === "unbounded") {
    if (brute.isComplete) return ["called unbounded, but all markings were visited"];
    return growsAtTheEnd(net, answer) ? [] : ["the loop of an unbounded net does not grow"];
  }
  if (answer?.kind !== "bounded") return [];
  if (!hasSources(net))
    return brute.isComplete && brute.most !== answer.most
      ? [`at most ${answer.most} tokens by Karp-Miller, ${brute.most} by hand`]
      : [];
  const transitions = net.transitions.filter(({ isSource }) => !isSource);
  const grows = startsOf(net, 3)
    .slice(0, 60)
    .find((initial) => {
      const from = attempted(() =>
        runAtOnce(boundedness({ ...net, transitions, initial }, new Work({ maxStates: 2000 }))),
      );
      return from?.kind === "unbounded";
    });
  return grows ? [`called bounded from every start, but is not from ${grows.join(" ")}`] : [];
}

function growsAtTheEnd(net: Net, answer: BoundednessAnswer & { readonly kind: "unbounded" }): boolean {
  const loop = answer.firing.slice(answer.loopStart);
  const before = run(net, answer.firing.slice(0, answer.loopStart));
  const after = run(net, answer.firing);
  if (!before || !after || loop.some((t) => net.transitions[t]!.isSource)) return false;
  const grown = answer.places.every((p) => before[p]! < after[p]!);
  return before.every((n, p) => n <= after[p]!) && answer.places.length > 0 && grown;
}
