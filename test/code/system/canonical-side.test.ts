/** Canonical forms of timers and disks are equal if and only if no program can distinguish them. */
import { expect, test } from "vitest";
import { remainsOf } from "../../../src/code/system/remains.js";
import { canonicalSide } from "../../../src/code/system/side.js";

const timer = (name: string, leftMs: number): { name: string; leftMs: number } => ({ name, leftMs });
const write = (key: string, value: string): [{ key: string; value: string }] => [{ key, value }];
const none = { disk: {}, unsynced: [] };

test("where any timer may go off, neither order nor delays count", () => {
  const [a, b] = [
    [timer("t", 5), timer("u", 1)],
    [timer("u", 7), timer("t", 7)],
  ].map((timers) => canonicalSide({ ...none, timers }, "any", false));
  expect(a).toEqual(b);
});

test("where they go off in order, delays count, and the order of equal ones", () => {
  const of = (...timers: { name: string; leftMs: number }[]): unknown =>
    canonicalSide({ ...none, timers }, "in-order", false).timers;
  expect(of(timer("t", 5), timer("u", 1))).toEqual([timer("u", 1), timer("t", 5)]);
  expect(of(timer("u", 1), timer("t", 1))).toEqual([timer("u", 1), timer("t", 1)]);
});

test("the order of keys does not count; of one key the last value and those before it do", () => {
  const of = (...unsynced: [{ key: string; value: string }][]): string =>
    JSON.stringify(canonicalSide({ timers: [], disk: { z: "0", a: "0" }, unsynced }, "any", false));
  expect(of(write("x", "1"), write("y", "1"))).toBe(of(write("y", "1"), write("x", "1")));
  expect(of(write("x", "1"), write("x", "2"))).not.toBe(of(write("x", "2"), write("x", "1")));
  expect(of(write("x", "1"), write("x", "2"), write("x", "1"))).toBe(of(write("x", "2"), write("x", "1")));
  expect(of(write("a", "1"), write("a", "0"))).not.toBe(of());
  expect(of(write("a", "0"))).toBe(of());
});

test("on a disk that loses writes in order, the order counts", () => {
  const of = (...unsynced: [{ key: string; value: string }][]): unknown =>
    canonicalSide({ timers: [], disk: {}, unsynced }, "any", true).unsynced;
  expect(of(write("y", "1"), write("x", "1"))).toEqual([write("y", "1"), write("x", "1")]);
});

test("writes that happen together stay together", () => {
  const unsynced = [[...write("y", "1"), ...write("x", "1")], write("a", "1")];
  expect(canonicalSide({ timers: [], disk: {}, unsynced }, "any", false).unsynced).toEqual(unsynced);
});

test("writes of a part depend on those before them, so all of them count", () => {
  const part = { key: "x", value: "12", at: 1 };
  const unsynced = [[{ key: "x", value: "1" }], [part], [{ key: "a", value: "1" }]];
  expect(canonicalSide({ timers: [], disk: {}, unsynced }, "any", false).unsynced).toEqual(unsynced);
});

test("a part of a file that is written later may survive without one that was written before", () => {
  const unsynced = [[{ key: "f", value: "ab", at: 1 }], [{ key: "f", value: "abc", at: 2 }]];
  const left = remainsOf({ disk: { f: "a" }, unsynced }, "reordered").map(({ disk }) => disk["f"]);
  expect(left.sort()).toEqual(["a", "a\0c", "ab", "abc"]);
  expect(remainsOf({ disk: { f: "a" }, unsynced }, "kept").map(({ disk }) => disk["f"])).toEqual(["abc"]);
});
