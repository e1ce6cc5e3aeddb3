/** Lemmas: proved by induction at open leaves alone, inferred, and dropped if a rule breaks them. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRepository } from "../../repository.js";
import { analyse, lemmaText, verdicts } from "./analyse.js";

const fixture = (name: string): string =>
  readFileSync(inRepository(`test/fixtures/ndlog/conformance/${name}`), "utf8");

test("a lemma is not assumed at the node it is proved for", () => {
  const text = `d1 r(@X) :- b(@X). d2 r(@X) :- r(@Y), l(@Y,X).
    lemma r(X) => exists Y: c(X,Y);
    r3 o(@X) :- r(@X), c(@X,Y).
    property has { r(X) => exists Y: c(X,Y) }`;
  const { failedLemmas, verified } = analyse(text);
  expect(failedLemmas).toEqual(["d1"]);
  expect(verified["has"]?.answer.kind).toBe("violated");
});

test("a lemma that fails takes those that need it with it", () => {
  const text = `d1 r(@X) :- b(@X). d2 r(@X) :- s(@X), l(@X,X). s1 s(@X) :- c(@X). s2 s(@X) :- r(@X), l(@X,X).
    cut r, s;
    lemma r(X) => b(X); lemma s(X) => b(X);
    property has { r(X) => b(X) }`;
  const { failedLemmas, verified } = analyse(text);
  expect(failedLemmas).toEqual(["s1", "d2"]);
  expect(verified["has"]?.answer.kind).toBe("violated");
});

test("the learning switch needs one lemma, which is inferred", () => {
  const { program, verified } = analyse(
    `${fixture("esl.ndlog")}${fixture("esl.ndspec")}`.replace(/property ESL[234][^]*$/, ""),
  );
  const { answer } = verified["ESL1"]!;
  expect(answer.kind === "holds" && answer.lemmas.map((lemma) => lemmaText(program, lemma))).toContain(
    "matchingPacket(X1, X2, X3, X4, X5) => exists Y2: packet(X1, Y2, X2, X3)",
  );
});

test("a property is its own induction hypothesis, at open leaves", () => {
  const text = `d1 r(@X,Y) :- l(@X,Y). d2 r(@X,Y) :- r(@X,Z), l(@Z,Y).
    property first { r(X,Y) => exists Z: l(X,Z) } property wrong { r(X,Y) => l(X,Y) }`;
  expect(verdicts(text)).toEqual({ first: "holds", wrong: "violated d2" });
});

test("inferred equalities are those that every rule preserves", () => {
  const text = `d1 r(@X,Y) :- l(@X,Y). d2 r(@Y,X) :- r(@X,Y), m(@X).
    r3 top(@X,Y) :- r(@X,Y).
    property first { top(X,Y) => exists Z: l(X,Z) }`;
  expect(verdicts(text)).toEqual({ first: "violated r3" });
});
