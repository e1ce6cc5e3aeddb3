/** Verdicts about finite state processes: properties, progress, ends, and replayed traces. */
import { expect, test } from "vitest";
import { check, overallVerdict, replay, type CheckOptions, type Input } from "../../src/index.js";
import { load } from "../../src/session/load.js";
import { readInput, registry } from "../../src/session/index.js";
import { shows } from "../../src/session/replay/ending.js";
import { inRepository } from "../repository.js";

const fsp = (text: string) => ({ file: "m.fsp", text });

async function verdicts(text: string, options: CheckOptions = {}): Promise<Record<string, string>> {
  const { properties, diagnostics } = await check(fsp(text), { maxErrors: Infinity, ...options });
  const errors = diagnostics
    .filter(({ severity }) => severity === "error")
    .map(({ code }) => [code, "error"]);
  return Object.fromEntries([
    ...errors,
    ...properties.map(({ property, verdict }) => [property.name, verdict]),
  ]);
}

const LOCK = "U = (in -> out -> U). property M = (u[i:1..2].in -> u[i].out -> M). ||S = (u[1..2]:U || M).";

test("a property forbids what it does not offer, and does not block", async () => {
  expect(await verdicts(LOCK)).toEqual({ M: "violated", deadlock: "holds" });
  expect(
    await verdicts(`${LOCK.replace("|| M)", "|| L || M)")} L = (u[i:1..2].in -> u[i].out -> L).`),
  ).toEqual({ M: "holds", deadlock: "holds" });
});

test("a violated property does not hide another", async () => {
  const text = "P = (a -> b -> STOP). property A = STOP + {a}. property B = STOP + {b}. ||S = (P || A || B).";
  expect(await verdicts(text)).toEqual({ A: "violated", B: "violated", deadlock: "violated" });
  expect(await verdicts(text, { properties: ["B"] })).toEqual({ B: "violated" });
});

test("a step violates several properties at once", async () => {
  const text = "P = (a -> P). property A = STOP + {a}. property B = STOP + {a}. ||S = (P || A || B).";
  expect(await verdicts(text)).toEqual({ A: "violated", B: "violated", deadlock: "holds" });
});

test("a property is deterministic, without internal actions", async () => {
  const of = (property: string) => verdicts(`P = (a -> P). ${property} ||S = (P || A).`);
  expect(await of("property A = (a -> b -> A | a -> c -> A).")).toEqual({ "fsp/property": "error" });
  expect(await of("property A = (a -> b -> A)\\{b}.")).toEqual({ "fsp/property": "error" });
  expect(await of("Q = (a -> Q). property ||A = (Q).")).toEqual({ A: "holds", deadlock: "holds" });
});

test("every violation replays", async () => {
  for (const property of ["A", "B"]) {
    const text = "P = (a -> b -> P). property A = STOP + {a}. property B = STOP + {b}. ||S = (P || A || B).";
    const { properties } = await check(fsp(text), { properties: [property] });
    const { schedule } = properties[0]!.trace!;
    const report = await replay(fsp(text), { schedule });
    expect([report.outcome, report.property?.name]).toEqual(["failed", property]);
  }
});

test("a run that violates one property does not show another", async () => {
  const text = "P = (a -> b -> P). property A = STOP + {a}. property B = STOP + {b}. ||S = (P || A || B).";
  const { model } = await load(fsp(text), {}, registry);
  const [a, b] = model!.properties;
  const run = { choices: [0], loopStart: undefined, words: new Int32Array(model!.steps.width), fault: 0 };
  expect([shows(model!, a!, run), shows(model!, b!, run)]).toEqual([true, false]);
});

test("progress: every endless run that chooses fairly takes the action", async () => {
  const coin = (progress: string): Promise<Record<string, string>> =>
    verdicts(
      `T = (toss -> heads -> T | toss -> tails -> T | pick -> TRICK), TRICK = (toss -> heads -> TRICK). ${progress}`,
    );
  expect(await coin("progress H = {heads}")).toMatchObject({ "progress H": "holds" });
  expect(await coin("progress L = {tails}")).toMatchObject({ "progress L": "violated" });
  expect(await coin("progress B = {heads, tails}")).toMatchObject({ "progress B": "holds" });
});

test("conditional progress applies where its premise stays possible", async () => {
  const of = (progress: string): Promise<Record<string, string>> =>
    verdicts(`P = (a -> A | b -> B), A = (a -> A), B = (b -> c -> B). progress X = ${progress}`);
  expect(await of("if {b} then {c}")).toMatchObject({ "progress X": "holds" });
  expect(await of("if {a} then {c}")).toMatchObject({ "progress X": "violated" });
  expect(await of("{c}")).toMatchObject({ "progress X": "violated" });
});

test("a deadlock, an end, and internal work without end", async () => {
  expect(await verdicts("P = (a -> STOP).")).toEqual({ deadlock: "violated" });
  expect(await verdicts("P = (a -> END).")).toEqual({ deadlock: "holds" });
  expect(await verdicts("P = (a -> Q), Q = (b -> Q)\\{b}.")).toEqual({ deadlock: "holds" });
  // Weak bisimilarity alone would make a deadlock of it.
  expect(await verdicts("minimal P = (a -> Q), Q = (b -> Q)\\{b}.")).toEqual({ deadlock: "holds" });
});

test("an ERROR of a process is not the violation of a property", async () => {
  const text = "P = (a -> ERROR). property A = (a -> A). ||S = (P || A).";
  expect(await verdicts(text)).toEqual({ "error state": "violated", A: "holds", deadlock: "holds" });
});

test("the philosophers of the example deadlock", async () => {
  const report = await check(readInput(inRepository("examples/lts/philosophers.fsp")) as Input, {});
  expect(overallVerdict(report)).toBe("violated");
  expect(report.properties.map(({ trace }) => trace?.steps.length)).toEqual([6]);
});
