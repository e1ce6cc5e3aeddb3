/** Relations that see states, and rooted ones, against their definitions on random systems. */
import { expect, test } from "vitest";
import { comparing, partitioning, type Equivalence } from "../../../src/engines/lts/index.js";
import { END_NAME, LtsBuilder, TAU, disjointUnion, type Lts } from "../../../src/model/index.js";
import { Random } from "../../../src/session/index.js";
import { closure, movesOf, naiveBranching, naiveDivergenceBranching, naiveWeak } from "./naive.js";

/** `a` is an interaction, `b` is not; some states terminate. */
function randomObserved(random: Random): Lts {
  const builder = new LtsBuilder();
  const states = 1 + random.below(6);
  const labels = [TAU, builder.labels.of("a"), builder.labels.of("b")];
  for (let i = random.below(2 * states + 3); i > 0; i--)
    builder.add(random.below(states), labels[random.below(3)], random.below(states));
  for (let s = 0; s < states; s++) if (random.below(4) === 0) builder.add(s, builder.labels.of(END_NAME), s);
  const seen = 1 + random.below(2);
  const numbers = Int32Array.from({ length: states }, () => random.below(seen));
  const observed = { numbers, names: ["x=0", "x=1"], isInteraction: (name: string) => name === "a" };
  return { ...builder.finish(states, [0]), observed };
}

const all = (lts: Lts): number[] => Array.from({ length: lts.states }, (_, s) => s);
type Mode = "stuttering" | "interaction-sensitive";

/** What a step is to the relation: internal, termination, or the interaction itself. */
const kindOf = (lts: Lts, action: number, mode: Mode): string => {
  const name = lts.labels[action];
  if (name === END_NAME) return "TERM";
  return mode === "interaction-sensitive" && name === "a" ? name : "INT";
};

/** Signatures written out, round by round (the decision procedure of the definition). */
function naiveBlocks(lts: Lts, mode: Mode): readonly string[] {
  const seen = lts.observed?.numbers ?? new Int32Array(0);
  let blocks: readonly string[] = all(lts).map((s) => `${seen[s]}`);
  for (;;) {
    const inert = (s: number): number[] =>
      movesOf(lts, s)
        .filter(({ action, to }) => kindOf(lts, action, mode) === "INT" && blocks[to] === blocks[s])
        .map(({ to }) => to);
    const divergent = new Set(all(lts));
    for (let before = -1; before !== divergent.size;) {
      before = divergent.size;
      for (const s of divergent) if (!inert(s).some((to) => divergent.has(to))) divergent.delete(s);
    }
    const own = (s: number): string[] => [
      ...movesOf(lts, s).flatMap(({ action, to }) => {
        const kind = kindOf(lts, action, mode);
        if (kind === "TERM") return ["TERM"];
        return kind === "INT" && blocks[to] === blocks[s] ? [] : [`${kind}>${blocks[to]}`];
      }),
      ...(divergent.has(s) ? ["DIV"] : []),
    ];
    const signed = all(lts).map((s) => {
      const reached = new Set([s]);
      for (const each of reached) for (const to of inert(each)) reached.add(to);
      return `${blocks[s]}|${[...new Set([...reached].flatMap(own))].sort().join(" ")}`;
    });
    const numbers = new Map([...new Set(signed)].map((text, n) => [text, `${n}`]));
    const next = signed.map((text) => numbers.get(text) ?? "");
    if (new Set(next).size === new Set(blocks).size) return next;
    blocks = next;
  }
}

/** The clauses of the definition: termination, transfer, divergence. */
function isBisimulation(lts: Lts, mode: Mode, related: (c: number, d: number) => boolean): boolean {
  const seen = lts.observed?.numbers ?? new Int32Array(0);
  const steps = (s: number) =>
    movesOf(lts, s)
      .map(({ action, to }) => ({ kind: kindOf(lts, action, mode), to }))
      .filter(({ kind }) => kind !== "TERM");
  const isEnd = (s: number): boolean =>
    movesOf(lts, s).some(({ action }) => kindOf(lts, action, mode) === "TERM");
  /** Reached by internal steps through states that `c` is related to. */
  const stuttered = (c: number, d: number): number[] => {
    const found = new Set(related(c, d) ? [d] : []);
    for (const s of found)
      for (const { kind, to } of steps(s)) if (kind === "INT" && related(c, to)) found.add(to);
    return [...found];
  };
  const holds = (c: number, d: number): boolean => {
    if (seen[c] !== seen[d]) return false;
    if (isEnd(c) && !stuttered(c, d).some(isEnd)) return false;
    const isMatched = ({ kind, to: next }: { readonly kind: string; readonly to: number }): boolean =>
      (kind === "INT" && seen[c] === seen[next] && related(next, d)) ||
      stuttered(c, d).some((u) => steps(u).some((step) => step.kind === kind && related(next, step.to)));
    if (!steps(c).every(isMatched)) return false;
    const answered = (s: number): boolean =>
      steps(d).some(({ kind, to }) => kind === "INT" && related(s, to));
    const endless = new Set(all(lts).filter((s) => related(s, d) && !answered(s)));
    for (let before = -1; before !== endless.size;) {
      before = endless.size;
      for (const s of endless)
        if (!steps(s).some(({ kind, to }) => kind === "INT" && endless.has(to))) endless.delete(s);
    }
    return !steps(c).some(({ kind, to }) => kind === "INT" && endless.has(to));
  };
  return all(lts).every((c) => all(lts).every((d) => !related(c, d) || holds(c, d)));
}

const compare = (first: Lts, second: Lts, relation: Equivalence): boolean => {
  const slices = comparing(first, second, relation);
  while (slices.advance(5));
  return slices.result().isRelated;
};

test("relations that see states are the coarsest that satisfy the clauses", () => {
  const random = new Random(41);
  const alike = { stuttering: 0, "interaction-sensitive": 0 };
  for (let i = 0; i < 4_000; i++) {
    const union = disjointUnion(randomObserved(random), randomObserved(random));
    for (const mode of ["stuttering", "interaction-sensitive"] as const) {
      const slices = partitioning(union, mode);
      while (slices.advance(3));
      const { blocks } = slices.result();
      const expected = naiveBlocks(union, mode);
      for (let s = 0; s < union.states; s++)
        for (let t = 0; t < s; t++)
          if ((blocks[s] === blocks[t]) !== (expected[s] === expected[t]))
            throw new Error(`system ${i}, ${mode}, states ${s} and ${t}: ${JSON.stringify(union)}`);
      expect(isBisimulation(union, mode, (c, d) => blocks[c] === blocks[d])).toBe(true);
      const [first, second] = union.initial;
      if (blocks[first] === blocks[second]) alike[mode]++;
    }
  }
  expect(alike["interaction-sensitive"]).toBeGreaterThan(50);
  expect(alike.stuttering).toBeGreaterThan(alike["interaction-sensitive"]);
}, 240_000);

/** By the definitions: the first step is matched by a step, what follows by the relation itself. */
function isRootedAlike(union: Lts, relation: Equivalence): boolean {
  const [first, second] = union.initial;
  const mode = relation === "rooted-stuttering" ? "stuttering" : "interaction-sensitive";
  if (relation === "rooted-stuttering" || relation === "rooted-interaction-sensitive") {
    const blocks = naiveBlocks(union, mode);
    const seen = union.observed?.numbers ?? new Int32Array(0);
    const steps = (s: number) =>
      movesOf(union, s).map(({ action, to }) => ({ kind: kindOf(union, action, mode), to }));
    const matches = (c: number, d: number): boolean =>
      steps(c).every(({ kind, to }) =>
        steps(d).some((other) => other.kind === kind && (kind === "TERM" || blocks[other.to] === blocks[to])),
      );
    return seen[first] === seen[second] && matches(first, second) && matches(second, first);
  }
  const naive = {
    "rooted-weak": naiveWeak,
    "rooted-branching": naiveBranching,
    "rooted-divergence-branching": naiveDivergenceBranching,
  }[relation as "rooted-weak"];
  const related = naive(union);
  const targets = (s: number, action: number): number[] => {
    const after = (u: number): number[] =>
      movesOf(union, u)
        .filter((move) => move.action === action)
        .map(({ to }) => to);
    if (relation !== "rooted-weak") return after(s);
    return closure(union, s)
      .flatMap(after)
      .flatMap((u) => closure(union, u));
  };
  const matches = (c: number, d: number): boolean =>
    movesOf(union, c).every(({ action, to }) => targets(d, action).some((other) => related[to][other]));
  return matches(first, second) && matches(second, first);
}

test("rooted relations match first steps by first steps, and are finer", () => {
  const random = new Random(17);
  const alike: Record<string, number> = {};
  for (let i = 0; i < 4_000; i++) {
    const [first, second] = [randomObserved(random), randomObserved(random)];
    const union = disjointUnion(first, second);
    for (const relation of [
      "rooted-weak",
      "rooted-branching",
      "rooted-divergence-branching",
      "rooted-stuttering",
      "rooted-interaction-sensitive",
    ] as const) {
      const isAlike = compare(first, second, relation);
      if (isAlike !== isRootedAlike(union, relation))
        throw new Error(`system ${i}, ${relation}: ${JSON.stringify([first, second])}`);
      if (!isAlike) continue;
      alike[relation] = (alike[relation] ?? 0) + 1;
      expect(compare(first, second, relation.slice("rooted-".length) as Equivalence)).toBe(true);
    }
  }
  expect(Object.keys(alike)).toHaveLength(5);
  for (const count of Object.values(alike)) expect(count).toBeGreaterThan(20);
}, 240_000);
