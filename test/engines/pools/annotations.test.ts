import { expect, test } from "vitest";
import { analyse } from "./analyse.js";

const withAnnotation = (condition: string): string => `
  d1 reachable(@X,Y,C) :- link(@X,Y,C).
  d2 reachable(@X,Y,C) :- link(@X,Z,C1), reachable(@Z,Y,C2), C = C1 + C2.
  constraint positive { link(X,Y,C) => C > 0 }
  annotation reachable(X,Y,C): ${condition};
  property cost { reachable(X,Y,C) => C >= 0 }`;

const codes = (condition: string): string[] =>
  analyse(withAnnotation(condition)).annotations.map(({ code, message }) => `${code} ${message}`);

test("an inductive annotation is accepted", () => {
  expect(codes("C > 0")).toEqual([]);
});

test("an annotation that a rule breaks is refused, with the rule and a model", () => {
  expect(codes("C > 1")).toEqual([
    "ndlog/annotation-not-inductive the annotation of `reachable` is not inductive: d1 derives reachable(0, 0, 1) from link(0, 0, 1)",
  ]);
});

test("an annotation that allows too much is accepted with a warning", () => {
  expect(codes("C >= 0")).toEqual([
    "ndlog/annotation-too-weak the annotation of `reachable` allows tuples that no rule derives",
  ]);
});
