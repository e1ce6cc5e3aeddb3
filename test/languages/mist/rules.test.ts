/** Transfers, resets and refused rules of Mist's nets; and round trips through text. */
import { expect, test } from "vitest";
import { loadMist, renderSpec } from "../../../src/languages/mist/index.js";
import { NOWHERE, type NetTransition } from "../../../src/model/index.js";
import { readingProblems } from "../../generators/net-files.js";
import { randomNet } from "../../generators/nets.js";

const load = (rule: string, init = "a = 1, b = 2, c = 3"): ReturnType<typeof loadMist> =>
  loadMist("m.spec", `vars a b c rules ${rule}; init ${init} target a >= 1`);

const rule = (text: string): Pick<NetTransition, "guard" | "effect" | "transfers"> => {
  const { net, diagnostics } = load(text);
  expect(diagnostics).toEqual([]);
  const { guard, effect, transfers } = net!.transitions[0]!;
  return { guard, effect, ...(transfers ? { transfers } : {}) };
};

const codes = (text: string): string[] => load(text).diagnostics.map(({ code }) => code);

test("what is added elsewhere and not kept is moved", () => {
  expect(rule("a >= 1 -> b' = b + a, a' = 0")).toEqual({ guard: [[0, 1]], effect: [], transfers: [[0, 1]] });
  expect(rule("true -> b' = a, a' = b")).toEqual({ guard: [], effect: [], transfers: [[1, 0], [0, 1]] }); // prettier-ignore
  expect(rule("a >= 1 -> b' = b + a - 1, a' = 0, c' = c + 1")).toEqual({
    guard: [[0, 1]],
    effect: [[1, -1], [2, 1]], // prettier-ignore
    transfers: [[0, 1]],
  });
});

test("what is added nowhere is lost", () => {
  expect(rule("true -> a' = 0")).toEqual({ guard: [], effect: [], transfers: [[0, NOWHERE]] });
  expect(rule("true -> a' = 2")).toEqual({ guard: [], effect: [[0, 2]], transfers: [[0, NOWHERE]] });
  expect(rule("true -> b' = c + 1, c' = 0")).toEqual({
    guard: [],
    effect: [[1, 1]],
    transfers: [[1, NOWHERE], [2, 1]], // prettier-ignore
  });
});

test("tokens are not copied", () => {
  expect(codes("true -> b' = b + a")).toEqual(["mist/copied"]);
  expect(codes("true -> b' = b + a, a' = a + 1")).toEqual(["mist/copied"]);
  expect(codes("true -> b' = b + a, c' = c + a, a' = 0")).toEqual(["mist/copied"]);
  expect(codes("true -> b' = b + b")).toEqual(["mist/copied"]);
  expect(codes("true -> a' = a - b, b' = 0")).toEqual(["mist/subtracted"]);
});

test("a rule takes no more from a sum than it asks for", () => {
  expect(codes("a >= 1, b >= 1 -> b' = b + a - 2, a' = 0")).toEqual([]);
  expect(codes("a >= 1, b >= 1 -> b' = b + a - 3, a' = 0")).toEqual(["mist/unguarded-sum"]);
  expect(codes("true -> a' = 0 - 1")).toEqual(["mist/unguarded-sum"]);
  expect(codes("a >= 1 -> a' = a - 2")).toEqual(["mist/weak-guard"]);
  const moved = load("a >= 1 -> b' = a - 2, a' = 0");
  expect(moved.diagnostics.map(({ message }) => message)).toEqual([
    "the rule takes 2 from `a`, but does not require them: it is read as `a >= 2`",
  ]);
  expect(moved.net!.transitions[0]!.guard).toEqual([[0, 2]]);
});

test("numbers that add up to too many are refused", () => {
  expect(codes("true -> a' = a + 2000000000 + 2000000000")).toEqual(["mist/too-large"]);
  expect(codes("a >= 2000000000 -> a' = a - 2000000000 - 2000000000")).toContain("mist/too-large");
  expect(codes("true -> a' = a + 2147483646")).toEqual([]);
});

test("a list may end with a comma, as in some of Mist's own files", () => {
  expect(load("a >= 1 -> a' = a - 1", "a = 1, b = 2, c = 3,").diagnostics).toEqual([]);
});

test("what is written is read again, in both formats", () => {
  for (let seed = 1; seed <= 60; seed++)
    expect(readingProblems(randomNet(seed), seed), `seed ${seed}`).toEqual([]);
});

test("transfers and resets are written as they are read", () => {
  const { net } = load("a >= 1 -> b' = b + a - 1, a' = 0, c' = 2");
  expect(renderSpec(net!)).toContain("a >= 1 -> a' = 0, b' = b + a - 1, c' = 0 + 2;");
});
