/** Functions: uninterpreted ones are part of a violation; the meaning of a library's functions is not known, and no violation may choose it. */
import { expect, test } from "vitest";
import { analyse, verdicts } from "./analyse.js";

test("a function without a meaning takes the values that violate", () => {
  const text = `r1 h(@X,N) :- b(@X), N := f_hash(X). property positive { h(X,N) => N > 0 } derivable negative { h(X,N), N < 0 }`;
  expect(verdicts(text)).toEqual({ positive: "violated r1", negative: "violated r1" });
});

test("a violation that chooses the size of a list is no violation", () => {
  const text = `r1 h(@X,N) :- b(@X,L), N := f_size(L). property size { h(X,N) => N >= 0 }`;
  const { verified } = analyse(text);
  expect(verified["size"]?.answer).toEqual({
    kind: "undecided",
    reason: "a possible violation by r1 depends on the values of f_size, whose meaning is not analysed",
  });
});

test("a derivation that chooses the size of a list derives nothing", () => {
  const text = `r1 h(@X,N) :- b(@X,L), N := f_size(L). derivable negative { h(X,N), N < 0 }`;
  const { verified } = analyse(text);
  expect(verified["negative"]?.answer).toMatchObject({ kind: "undecided" });
  expect(verified["negative"]?.combinations[0]?.status).toBe("open");
});

test("a violation for every meaning of a function is one", () => {
  const paths = `r1 path(@X,Y,P) :- link(@X,Y), P := f_init(X,Y).
    r2 path(@X,Z,P) :- link(@X,Y), path(@Y,Z,P2), P := f_concat(X,P2).`;
  expect(
    verdicts(`${paths} property direct { path(X,Z,P) => link(X,Z) }
      property first { path(X,Z,P) => exists Y: link(X,Y) } derivable loop { path(X,X,P) }`),
  ).toEqual({ direct: "violated r2", first: "holds", loop: "violated r1" });
});

test("a proof is about every meaning of a function", () => {
  const text = `r1 h(@X,N) :- b(@X), N := f_size(X). property one { h(X,N), h(X,M) => N == M }`;
  expect(verdicts(text)).toEqual({ one: "holds" });
});

test("a violation may choose the values of a function beside the size of a list", () => {
  const text = `r1 h(@X,N,L) :- b(@X), N := f_hash(X), L := f_size(X). property positive { h(X,N,L) => N > 0 }`;
  expect(verdicts(text)).toEqual({ positive: "violated r1" });
});

test("two lists may be equal, or not", () => {
  const text = `r1 h(@X,P) :- b(@X,Y), P := f_concat(X,Y).
    property same { h(X,P), h(X,Q) => P == Q } property differ { h(X,P), h(Y,Q), X != Y => P != Q }`;
  expect(verdicts(text)).toEqual({ same: "undecided", differ: "undecided" });
});

test("another function of a list's value is no reason to trust it", () => {
  const text = `r1 h(@X,N) :- b(@X,Y), N := f_hash(f_concat(X,Y)).
    property differ { h(X,N), h(Y,M), X != Y => N == M }`;
  expect(verdicts(text)).toEqual({ differ: "undecided" });
});

test("an equation between lists of unfolded leaves is no definition twice", () => {
  const paths = `r1 path(@X,Y,P) :- link(@X,Y), P := f_init(X,Y).
    r2 path(@X,Z,P) :- link(@X,Y), path(@Y,Z,P2), P := f_concat(X,P2).
    r3 both(@X,P) :- path(@X,Y,P), path(@Y,Z,P), X != Y. cut path;`;
  expect(verdicts(`${paths} property none { both(X,P) => X == X + 1 }`)).toEqual({ none: "undecided" });
});
