import { expect, test } from "vitest";
import { analyse } from "./analyse.js";

const cutOf = (text: string): string[] => {
  const { pool, program } = analyse(text);
  return [...pool.cut].map((predicate) => program.predicates[predicate]?.name ?? "").sort();
};

test("self-loops are cut first, then the predicate on most cycles, by name", () => {
  const text = `r1 a(@X) :- b(@X). r2 b(@X) :- c(@X). r3 c(@X) :- a(@X). r4 c(@X) :- e(@X).
    r5 d(@X) :- d(@X), a(@X). property some { a(X) => exists Y: e(Y) }`;
  expect(cutOf(text)).toEqual(["a", "d"]);
});

test("the user's cut is completed where it leaves cycles", () => {
  const text = `r1 a(@X) :- b(@X). r2 b(@X) :- a(@X). r3 a(@X) :- e(@X). r4 d(@X) :- d(@X). r5 d(@X) :- a(@X).
    cut b; property some { a(X) => exists Y: e(Y) }`;
  expect(cutOf(text)).toEqual(["b", "d"]);
});

test("only cut predicates are open leaves", () => {
  const text = `r1 a(@X) :- b(@X). r2 b(@X) :- a(@X). r3 a(@X) :- e(@X). r4 c(@X) :- b(@X). r5 c(@X) :- e(@X), f(@X).
    property some { c(X) => exists Y: e(Y) }`;
  const { pool, program } = analyse(text);
  const size = (name: string): number =>
    pool.entries(program.predicates.findIndex((each) => each.name === name)).length;
  expect(["a", "b", "c", "e"].map(size)).toEqual([2, 1, 2, 1]);
});
