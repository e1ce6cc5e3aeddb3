/** One condition of the loops in WebAssembly each: atomic sequences, errors inside them, deadlocks, limits. */
import { describe, expect, test } from "vitest";
import type { SafetyMonitor } from "../../../src/engines/explicit/monitor.js";
import { Inside } from "../../../src/engines/explicit/settle-code.js";
import type { StepBackend } from "../../../src/engines/explicit/step-backend.js";
import { compareCodes } from "./both-codes.js";

const MODELS: Readonly<Record<string, string>> = {
  "choices inside atomic sequences": `byte x, y; active [2] proctype P() { atomic { if :: x++ :: y++ :: x = 0 fi; if :: y < 3 -> y++ :: skip fi; x = x % 3; y = y % 3 } }`,
  "two ways to one intermediate state": `byte x, y; active proctype P() { do :: atomic { if :: x = 1 :: x = 1 fi; if :: y = 1 :: y = 2 fi; if :: x = 0 :: x = 2 fi } od }`,
  "a loop inside an atomic sequence": `byte x; active proctype P() { atomic { do :: x = (x + 1) % 40 :: x > 20 -> break :: x = x - 1 od; x = 0 }; x = 5 }`,
  "many intermediate states": `byte x, y, z; active proctype P() { atomic { do :: x < 9 -> x++ :: y < 9 -> y++ :: z < 4 -> z++ :: break od }; x = 0 }`,
  "stuck inside an atomic sequence": `byte x; active proctype P() { atomic { if :: x = 1 :: x = 2 fi; if :: x = x :: x = 3 fi; x == 7 } } active proctype Q() { x = 9 }`,
  "faults inside an atomic sequence": `byte x, a[3]; active proctype P() { atomic { if :: x = 1 :: x = 4 fi; if :: a[x] = 1 :: assert(x == 1) fi; x = 8 / (x - 4) } }`,
  "a fault that ends a step, and one after which it goes on": `byte x; active proctype P() { do :: x < 3 -> assert(x < 2); x++ :: x = 9 / x :: break od }`,
  "deadlocks, and ends that are none": `chan c = [1] of { byte }; byte x; active proctype P() { c!1; c!2 } active proctype Q() { end: do :: x == 9 -> c?x od }`,
  "handshakes inside atomic sequences": `chan c = [0] of { byte }; byte x; active proctype S() { atomic { if :: c!1 :: c!2 fi; if :: c!3 :: c!4 fi } } active proctype R() { byte y; do :: atomic { c?y; x = x + y } od }`,
  "one step of many words": `int a[40], i; byte x; active proctype P() { do :: i < 39 -> atomic { a[i] = i * 1000; if :: a[39 - i] = 7 :: skip fi; i++ } :: i > 3 -> i = i - 3 :: else -> break od }`,
  "a fault among more ends of a sequence than a list has room for": `int x; active proctype P() { atomic { select(x : 0 .. 300); assert(x != 5); x = x % 200 } }`,
  "the same intermediate states from several sources": `byte x, z; active proctype P() { do :: atomic { x = 0; z = 0; do :: x < 60 -> x++ :: break od; if :: z = 1 :: z = 2 fi } od }`,
  "many successors": `byte x, y; active [5] proctype P() { do :: x = _pid :: y = x :: x = y :: x = 1 :: y = 2 :: y = _pid od }`,
};

describe.each(Object.entries(MODELS))("%s", (name, text) => {
  test("is the same by both codes", async () => {
    const invariants = ["x != 7 || true", "x < 9"];
    const { compared, asStepCode } = await compareCodes({ name, text, invariants });
    expect(compared).toBe(8);
    expect(asStepCode).toBe(8);
  });
  test("is the same if hashes collide", async () => {
    const few = { maxStates: 300, trialStates: 40 };
    await compareCodes({ name, text, invariants: [] }, [{ hashBits: 2 }], few);
  });
});

test("a table of intermediate states that grows holds each of them once", () => {
  const backend = { array: (length: number) => new Int32Array(length) };
  const inside = new Inside(backend as unknown as StepBackend, {} as SafetyMonitor, 1);
  for (; inside.count < 32; inside.count++) {
    inside.hashes[inside.count] = 64 * (inside.count % 3);
    inside.states[inside.count] = 7 * inside.count;
  }
  inside.grow();
  const found = [...inside.table].filter((entry) => entry !== 0);
  expect(found.sort((a, b) => a - b)).toEqual(Array.from({ length: 32 }, (_, i) => i + 1));
  expect([inside.table.length, inside.mask]).toEqual([128, 127]);
  expect([...inside.states.subarray(0, 33)]).toEqual([...Array.from({ length: 32 }, (_, i) => 7 * i), 0]);
});
