/**
 * Lemmas about the contents of derivations: proved by induction on their height, and inferred.
 *
 * A set of lemmas is proved together: each for every tree of its predicate, with all of them assumed at open leaves alone, which are
 * proper sub-derivations.
 */
import { sumOfVariable, type NdlogCondition, type NdlogLemma, type NdlogProgram } from "../../model/ndlog.js";
import { nodesOf } from "./pool.js";
import type { Claim, Queries } from "./query.js";

export interface Failed {
  readonly lemma: NdlogLemma;
  /** Label of a rule that breaks it, or the reason why the solver does not decide. */
  readonly why: string;
}

/** The largest subset whose members imply each other, and the reasons for omitting the others. */
export function provable(
  queries: Queries,
  candidates: readonly NdlogLemma[],
): { readonly proved: readonly NdlogLemma[]; readonly failed: readonly Failed[] } {
  const failed: Failed[] = [];
  let proved = candidates;
  for (;;) {
    const broken = proved.flatMap((lemma) => {
      const why = whyNot(queries, lemma, proved);
      return why === undefined ? [] : [{ lemma, why }];
    });
    if (broken.length === 0) return { proved, failed };
    failed.push(...broken);
    proved = proved.filter((lemma) => !broken.some((each) => each.lemma === lemma)); // sound: test/engines/pools/lemmas.test.ts
  }
}

function whyNot(queries: Queries, lemma: NdlogLemma, assumed: readonly NdlogLemma[]): string | undefined {
  const { pool } = queries;
  const predicate = lemma.when.atoms[0]?.predicate ?? -1;
  const claim: Claim = { when: lemma.when, alternatives: [lemma.then] };
  for (const entry of pool.entries(predicate)) {
    const { condition, node } = pool.instance(entry);
    const answer = queries.check({ condition, roots: [node] }, claim, assumed, "lemma");
    if (answer.kind === "unknown") return answer.reason;
    if (answer.kind === "possible") return ruleOf(pool.program, node.by); // sound: test/engines/pools/lemmas.test.ts
  }
  return undefined;
}

export const ruleOf = ({ rules }: NdlogProgram, by: number | "base" | "rec"): string =>
  typeof by === "number" ? (rules[by]?.label ?? "") : by === "base" ? "a base tuple" : "an open leaf";

/** Pairs of equal attributes: of the derived tuple, and of the tuple inside its derivation. */
type Equalities = readonly (readonly [number, number])[];

/**
 * Lemmas `r(x) => exists y: q(y), x.i == y.j, …` for all cut predicates r, with all equalities that induction
 * preserves: drops equalities that some rule breaks until all are preserved. The result still has to be proved.
 */
export function inferred(queries: Queries, inside: number): readonly NdlogLemma[] {
  const { pool } = queries;
  const { predicates } = pool.program;
  const arity = (predicate: number): number => predicates[predicate]?.arity ?? 0;
  let current = new Map<number, Equalities>(
    [...pool.cut].map((predicate) => [predicate, allPairs(arity(predicate), arity(inside))]),
  );
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const lemmas = [...current].map(([predicate, pairs]) => lemmaOf(pool.program, predicate, inside, pairs));
    const next = new Map<number, Equalities>();
    for (const [predicate, pairs] of current) {
      const kept = preserved(queries, predicate, inside, pairs, lemmas);
      if (kept) next.set(predicate, kept);
    }
    const isStable = [...current].every(([predicate, { length }]) => next.get(predicate)?.length === length);
    if (isStable) return lemmas;
    current = next;
  }
  return [];
}

const MOST_ROUNDS = 30;

/** Equalities that every tree of the predicate preserves, by the occurrence that keeps most; undefined: some tree has no occurrence. */
function preserved(
  queries: Queries,
  predicate: number,
  inside: number,
  pairs: Equalities,
  lemmas: readonly NdlogLemma[],
): Equalities | undefined {
  const { pool } = queries;
  let kept = pairs;
  for (const entry of pool.entries(predicate)) {
    const { condition, node } = pool.instance(entry);
    const nodes = nodesOf(node);
    const own = nodes
      .filter((each) => each.predicate === inside)
      .map(({ args }) => kept.filter((pair) => isImplied(queries, condition, node, pair, args)));
    // The guarantees of lemmas below open leaves are too strong at first: they count only if there is nothing else.
    const below = nodes.flatMap((each) => {
      const lemma =
        each.by === "rec"
          ? lemmas.find(({ when }) => when.atoms[0]?.predicate === each.predicate)
          : undefined;
      if (!lemma || own.length > 0) return [];
      return [kept.filter((pair) => isCarried(queries, condition, node, pair, each.args, lemma))];
    });
    const best = [...own, ...below].reduce<Equalities | undefined>(
      (so, option) => (so && so.length >= option.length ? so : option),
      undefined,
    );
    if (!best) return undefined;
    kept = best;
  }
  return kept;
}

type Tree = ReturnType<Queries["pool"]["instance"]>;

/** Is attribute i of the root equal to attribute j of the occurrence? */
function isImplied(
  queries: Queries,
  condition: Tree["condition"],
  root: Tree["node"],
  [i, j]: readonly [number, number],
  args: Tree["node"]["args"],
): boolean {
  const { pool } = queries;
  const { terms } = pool.encoder;
  const [left, right] = [root.args[i], args[j]];
  if (!left || !right) return false;
  const formulas = [
    ...condition,
    ...pool.constraintsOn([root], "several"),
    terms.not(terms.equal(left, right)),
  ];
  return queries.solve(formulas, "lemma").kind === "unsat";
}

/** Does the lemma at an open leaf, with an equality of its attribute j, carry the equality to the root? */
function isCarried(
  queries: Queries,
  condition: Tree["condition"],
  root: Tree["node"],
  [i, j]: readonly [number, number],
  leaf: Tree["node"]["args"],
  lemma: NdlogLemma,
): boolean {
  return pairsOf(lemma).some(
    ([own, inner]) => inner === j && isImplied(queries, condition, root, [i, own], leaf),
  );
}

const pairs = new WeakMap<NdlogLemma, Equalities>();
/** Equalities of an inferred lemma. */
export const pairsOf = (lemma: NdlogLemma): Equalities => pairs.get(lemma) ?? [];

const allPairs = (outer: number, inner: number): Equalities =>
  Array.from({ length: outer }, (_, i) => Array.from({ length: inner }, (_, j) => [i, j] as const)).flat();

function lemmaOf({ predicates }: NdlogProgram, outer: number, inside: number, equal: Equalities): NdlogLemma {
  const [own, inner] = [predicates[outer], predicates[inside]];
  const size = own?.arity ?? 0;
  const none: NdlogCondition = { kind: "and", all: [] };
  const indices = (count: number, first: number): number[] =>
    Array.from({ length: count }, (_, k) => first + k);
  const lemma: NdlogLemma = {
    name: `inferred lemma of ${own?.name ?? ""}`,
    variables: [
      ...indices(size, 1).map((k) => `X${k}`),
      ...indices(inner?.arity ?? 0, 1).map((k) => `Y${k}`),
    ],
    when: {
      atoms: [{ predicate: outer, args: indices(size, 0).map(sumOfVariable) }],
      definitions: [],
      condition: none,
    },
    then: {
      atoms: [{ predicate: inside, args: indices(inner?.arity ?? 0, size).map(sumOfVariable) }],
      definitions: [],
      condition: {
        kind: "and",
        all: equal.map(([i, j]) => ({
          kind: "zero",
          sum: {
            parts: [
              { coefficient: 1n, of: { kind: "variable", variable: i } },
              { coefficient: -1n, of: { kind: "variable", variable: size + j } },
            ],
            constant: 0n,
          },
        })),
      },
    },
    span: { file: "", start: 0, end: 0 },
  };
  pairs.set(lemma, equal);
  return lemma;
}

/** `matchingPacket(X1,X2,…) => exists …: packet(X1,Y2,…)`: an inferred lemma as it could be written in a specification. */
export function lemmaText({ predicates }: NdlogProgram, lemma: NdlogLemma): string {
  const [outer, inner] = [lemma.when.atoms[0], lemma.then.atoms[0]];
  const own = predicates[outer?.predicate ?? -1];
  const inside = predicates[inner?.predicate ?? -1];
  const equal = pairsOf(lemma);
  const left = Array.from({ length: own?.arity ?? 0 }, (_, i) => `X${i + 1}`);
  // An attribute that equals two of the outer tuple takes the first; the rest is written as conditions.
  const first = new Map<number, number>();
  const more: string[] = [];
  for (const [i, j] of equal)
    if (first.has(j)) more.push(`X${i + 1} == X${(first.get(j) ?? 0) + 1}`);
    else first.set(j, i);
  const names = Array.from({ length: inside?.arity ?? 0 }, (_, j) =>
    first.has(j) ? `X${(first.get(j) ?? 0) + 1}` : `Y${j + 1}`,
  );
  const open = names.filter((name) => name.startsWith("Y"));
  const exists = open.length > 0 ? `exists ${open.join(", ")}: ` : "";
  const content = [`${inside?.name ?? ""}(${names.join(", ")})`, ...more].join(", ");
  return `${own?.name ?? ""}(${left.join(", ")}) => ${exists}${content}`;
}
