/** Certificates of NDLog: proofs of the engine are accepted, damaged ones and those of other programs rejected. */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { checkPoolProof } from "../../../src/engines/certificates/index.js";
import { poolProofOf } from "../../../src/engines/pools/index.js";
import { loadNdlog } from "../../../src/languages/ndlog/index.js";
import type { NdlogProgram, PoolProof, PoolTree } from "../../../src/model/index.js";
import { known } from "../../../src/model/known.js";
import { openCheckers } from "../../../src/solvers/index.js";
import { inRepository } from "../../repository.js";
import { analyse } from "../pools/analyse.js";

const checkers = [...openCheckers("auto"), ...openCheckers("cvc5")];
afterAll(() => checkers.forEach((checker) => checker.close()));

const fixture = (name: string): string =>
  readFileSync(inRepository(`test/fixtures/ndlog/conformance/${name}`), "utf8");

const ROUTES = `d1 route(@X,Y,C) :- link(@X,Y,C). d2 route(@X,Y,C) :- link(@X,Z,C1), route(@Z,Y,C2), C = C1 + C2.
  constraint positive { link(X,Y,C) => C > 0 }
  annotation route(X,Y,C): C > 0;`;
/** Programs with one property that holds, by different means. */
const PROGRAMS: Readonly<Record<string, string>> = {
  annotation: `${ROUTES} property cost { route(X,Y,C) => C > 0 }`,
  induction: `${ROUTES} property last { route(X,Y,C) => exists Z, C1: link(Z,Y,C1) }`,
  inferred: `d1 r(@X,Y) :- l(@X,Y). d2 r(@X,Y) :- r(@X,Z), m(@Z,Y). r3 top(@X,Y) :- r(@X,Y).
    property first { top(X,Y) => exists Z: l(X,Z) }`,
  declared: `d1 r(@X,Y) :- l(@X,Y). d2 r(@X,Y) :- r(@X,Z), l(@Z,Y). r3 top(@X,Y) :- r(@X,Y).
    lemma r(X,Y) => exists Z: l(X,Z); property first { top(X,Y) => exists Z: l(X,Z) }`,
  unfolded: `a1 p(@X,T) :- q(@X,T), T == 1. a2 q(@X,T) :- b(@X), T := 1. a3 q(@X,T) :- p(@X,U), U == 2, T := 1.
    r1 top(@X) :- p(@X,T). property origin { top(X) => b(X) }`,
  functions: `r1 h(@X,N) :- b(@X), V := f_hash(X), N := 1 + f_modulo(V,5).
    property one { h(X,N1), h(X,N2) => N1 == N2 && N1 > 0 && N1 / 2 < 3 }`,
  network: `r1 p(@X,V) :- b(@X,V). base p. constraint key { b(X,V), b(X,W) => V == W } constraint none { p(X,V) => X == V && X != X }
    property same { p(X,V1), p(X,V2) => V1 == V2 | exists Z: b(Z,V2), V1 == V2 }`,
};

function proofOf(text: string): { readonly program: NdlogProgram; readonly proof: PoolProof } {
  const { program, pool, verified } = analyse(text);
  const property = known(program.properties[0], "the property");
  const { answer } = known(verified[property.name], "the answer");
  if (answer.kind !== "holds") throw new Error(`${property.name} is ${answer.kind}`);
  return { program, proof: poolProofOf(pool, property, answer.proof) };
}

const proved = Object.fromEntries(Object.entries(PROGRAMS).map(([name, text]) => [name, proofOf(text)]));
const made = (name: string): ReturnType<typeof proofOf> => known(proved[name], name);

const verdict = (program: NdlogProgram, proof: PoolProof): string => {
  const judgement = checkPoolProof(program, proof, checkers, 60_000);
  return judgement.kind === "accepted" ? "accepted" : judgement.why;
};

const without = <T>(list: readonly T[], index: number): T[] => list.filter((_, at) => at !== index);

describe.each(Object.keys(PROGRAMS))("a proof by %s", (name) => {
  test("is accepted", () => expect(verdict(made(name).program, made(name).proof)).toBe("accepted"));

  test("is rejected without one of its cases", () => {
    const { program, proof } = made(name);
    for (const index of proof.cases.keys())
      expect(verdict(program, { ...proof, cases: without(proof.cases, index) })).toMatch("there is no case");
  });

  test("is rejected without a derivation of the pool", () => {
    const { program, proof } = made(name);
    proof.pool.forEach((trees, predicate) =>
      trees.forEach((_, index) => {
        const pool = proof.pool.with(predicate, without(trees, index));
        expect(verdict(program, { ...proof, pool })).toMatch(/omits a derivation|breaks/);
      }),
    );
  });
});

test("proofs use each means, so that mutants of each are tested", () => {
  const lemmas = Object.values(proved).flatMap(({ proof }) => proof.lemmas.map(({ kind }) => kind));
  expect(new Set(lemmas)).toEqual(new Set(["property", "equalities", "declared"]));
  expect(made("unfolded").proof.cases.some(({ unfold }) => unfold)).toBe(true);
});

describe("other proofs", () => {
  test.each(["induction", "inferred", "declared"])("%s: without lemmas", (name) => {
    const { program, proof } = made(name);
    expect(verdict(program, { ...proof, lemmas: [] })).toMatch("may violate the property");
  });

  test("a weaker lemma", () => {
    const { program, proof } = made("inferred");
    const lemmas = proof.lemmas.map((lemma) =>
      lemma.kind === "equalities" ? { ...lemma, equal: lemma.equal.slice(1) } : lemma,
    );
    expect(verdict(program, { ...proof, lemmas })).toMatch("may violate the property");
  });

  test("a lemma that is too strong to be inductive", () => {
    const { program, proof } = made("inferred");
    const lemmas = proof.lemmas.map((lemma) =>
      lemma.kind === "equalities" ? { ...lemma, equal: [...lemma.equal, [1, 0] as const] } : lemma,
    );
    expect(verdict(program, { ...proof, lemmas })).toMatch("breaks lemma");
  });

  test("a leaf that is unfolded without a case for each derivation, or that is not there", () => {
    const { program, proof } = made("unfolded");
    const other = (unfold: readonly number[]): string =>
      verdict(program, {
        ...proof,
        cases: proof.cases.map((each) => (each.unfold ? { ...each, unfold } : each)),
      });
    for (const unfold of [[], [0], [7], [0, 0, 0, 0, 0, 0, 0]])
      expect(other(unfold)).toMatch(/no leaf|not open|no case/);
    expect(other([0])).toBe("a leaf is not open");
  });

  test("a case that should be unfolded", () => {
    const { program, proof } = made("unfolded");
    const cases = proof.cases.map(({ trees }) => ({ trees }));
    expect(verdict(program, { ...proof, cases })).toMatch("may violate the property");
  });

  /** The proof with one more tree for the predicates that have rules. */
  const extended = (proof: PoolProof, tree: PoolTree): PoolProof => {
    const pool = proof.pool.map((trees) => (trees.some((each) => each !== -1) ? [...trees, tree] : trees));
    const cases = pool.flatMap((trees) =>
      trees.flatMap((one) => trees.map((two) => ({ trees: [one, two] }))),
    );
    return { ...proof, pool, cases: [...proof.cases, ...cases] };
  };

  test.each(["declared", "annotation"])(
    "%s: an open leaf as the whole derivation, which would assume what is to be proved",
    (name) => {
      const { program, proof } = made(name);
      expect(verdict(program, extended(proof, -2))).toBe("a derivation of the pool is an open leaf");
    },
  );

  test("a tree that is no derivation", () => {
    const { program, proof } = made("functions");
    const bad: readonly PoolTree[] = [[7], [0], [0, -1, -1]];
    for (const tree of bad)
      expect(verdict(program, extended(proof, tree))).toBe("a tree is no derivation by its rule");
    expect(verdict(program, extended(proof, -1))).toMatch("base tuple of a derived predicate");
  });

  test("of another property, or of none", () => {
    const { program, proof } = made("induction");
    expect(verdict(program, { ...proof, property: "none" })).toMatch("there is no property");
    const text = `${PROGRAMS["induction"] ?? ""} derivable some { route(X,Y,C) }`;
    const { program: asking } = loadNdlog("t.ndlog", text);
    expect(verdict(known(asking, "the program"), { ...proof, property: "some" })).toMatch(
      "there is no property",
    );
  });

  test("no solver accepts nothing", () => {
    const { program, proof } = made("functions");
    expect(checkPoolProof(program, proof, [], 1000).kind).toBe("rejected");
  });

  test("a property with alternatives is no lemma", () => {
    const { program, proof } = made("declared");
    const [property] = program.properties;
    const twice = {
      ...known(property, "the property"),
      alternatives: property?.alternatives.flatMap((each) => [each, each]) ?? [],
    };
    const other = {
      ...program,
      properties: [{ ...twice, when: known(program.lemmas[0], "the lemma").when }],
    };
    expect(verdict(other, { ...proof, lemmas: [{ kind: "property" }] })).toMatch("no lemma about one tuple");
  });

  test("an annotation of another predicate says nothing about an open leaf", () => {
    const text = `d1 r(@X) :- b(@X). d2 r(@X) :- r(@X), b(@X). e1 s(@X) :- b(@X), X > 0. e2 s(@X) :- s(@X), X > 0.
      annotation s(X): X > 0; cut r; t1 top(@X) :- r(@X). property some { top(X) => exists Y: b(Y) }`;
    const { program, proof } = proofOf(text);
    expect(verdict(program, proof)).toBe("accepted");
    const positive = loadNdlog("t.ndlog", text.replace("exists Y: b(Y)", "X > 0"));
    const other = known(positive.program, "the program");
    const top = other.predicates.findIndex(({ name }) => name === "top");
    const cases = known(proof.pool[top], "the pool").map((tree) => ({ trees: [tree] }));
    expect(verdict(other, { ...proof, lemmas: [], cases })).toMatch("may violate");
  });

  test("a solver that answers fewer questions accepts nothing", () => {
    const { program, proof } = made("annotation");
    const mute = { name: "mute", run: () => ({ kind: "answered" as const, output: "unsat" }) };
    expect(checkPoolProof(program, proof, [mute], 1000)).toEqual({
      kind: "rejected",
      why: "mute answers unsat",
    });
  });

  test("a property of two tuples is no lemma", () => {
    const { program, proof } = made("functions");
    expect(verdict(program, { ...proof, lemmas: [{ kind: "property" }] })).toMatch(
      "no lemma about one tuple",
    );
  });
});

/** Each changes the meaning; the same proof must not pass. */
test.each([
  ["annotation", "C > 0;", "C > 1;", "breaks the annotation"],
  ["annotation", "annotation route(X,Y,C): C > 0;", "cut route;", "may violate"],
  [
    "annotation",
    "property cost { route(X,Y,C) => C > 0 }",
    "property cost { route(X,Y,C) => C > 1 }",
    "may violate",
  ],
  ["annotation", "=> C > 0 }\n  annotation", "=> C > 5 || C < 0 }\n  annotation", "breaks the annotation"],
  ["annotation", "C = C1 + C2", "C = C1 - C2", "breaks the annotation"],
  ["induction", "route(@X,Y,C) :- link(@X,Y,C)", "route(@X,Y,C) :- link(@Y,X,C)", "breaks lemma"],
  ["induction", "d1 route", "d0 route(@X,Y,C) :- link(@Y,X,C). d1 route", "omits a derivation"],
  ["induction", "annotation", "base route. annotation", "omits a derivation"],
  ["declared", "lemma r(X,Y) => exists Z: l(X,Z)", "lemma r(X,Y) => exists Z: l(Y,Z)", "breaks lemma"],
  ["declared", "lemma r(X,Y) => exists Z: l(X,Z);", "", "there is no such lemma"],
  ["inferred", "top(@X,Y) :- r(@X,Y)", "top(@X,Y) :- r(@Y,X)", "may violate"],
  ["inferred", "exists Z: l(X,Z)", "exists Z: l(X,Z), Z == Y", "may violate"],
  ["unfolded", "U == 2", "U == 1", "may violate"],
  ["unfolded", "T := 1. a3", "T := 2. a3", "accepted"],
  ["functions", "f_hash(X)", "X + W, c(@X,W)", "no derivation|omits|may violate"],
  ["functions", "h(X,N1), h(X,N2)", "h(X,N1), h(Y,N2)", "may violate"],
  ["functions", "N1 > 0", "N1 > 1", "may violate"],
  ["functions", "N1 / 2 < 3", "N1 / 2 < 2", "may violate"],
  ["network", "constraint key { b(X,V), b(X,W) => V == W }", "", "may violate"],
  ["network", "constraint none { p(X,V) => X == V && X != X }", "", "may violate"],
  [
    "network",
    "constraint none { p(X,V) => X == V && X != X }",
    "constraint none { b(X,V) => X == V }",
    "may violate",
  ],
])("%s: with %s as %s: %s", (name, code, instead, why) => {
  const text = known(PROGRAMS[name], name);
  expect(text).toContain(code);
  const { program, diagnostics } = loadNdlog("other.ndlog", text.replace(code, instead));
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(verdict(known(program, "the program"), made(name).proof)).toMatch(new RegExp(why));
});

test("the learning switch: an inferred lemma about packets", () => {
  const { program, proof } = proofOf(
    `${fixture("esl.ndlog")}${fixture("esl.ndspec")}`.replace(/property ESL[234][^]*$/, ""),
  );
  expect(verdict(program, proof)).toBe("accepted");
  const lemmas = proof.lemmas.map((lemma) => (lemma.kind === "equalities" ? { ...lemma, equal: [] } : lemma));
  expect(verdict(program, { ...proof, lemmas })).toMatch("may violate the property");
});
