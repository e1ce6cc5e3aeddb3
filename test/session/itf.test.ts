/** Traces in the format of Apalache and Quint: values survive a round trip, and runs are found again from their states alone. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { check } from "../../src/index.js";
import { itfValue, renderItf, textOf, type Narrative } from "../../src/report/index.js";
import { parseItf, registry } from "../../src/session/index.js";
import { replayInput } from "../../src/session/replay/replay.js";

const models = {
  asserting: `byte x; active [2] proctype P() { byte old; old = x; x = old + 1; assert(x == old + 1); assert(x != 1 || old == 0) }
    active proctype Q() { x == 2 -> assert(false) }`,
  deadlock: `chan c = [1] of { byte, bool }; active proctype P() { c!3,true; c!4,false }`,
  looping: `byte x; ltl ends { <> (x == 9) } active proctype P() { do :: x = 1 :: x = 2 od }`,
  silent: `byte x; active proctype P() { skip; skip; x = 1; skip; assert(false) }`,
};

const input = (text: string): { file: string; text: string; readFile: () => undefined } => ({
  file: "m.pml",
  text,
  readFile: () => undefined,
});

async function violation(text: string): Promise<Narrative> {
  const report = await check({ file: "m.pml", text });
  return report.properties.find(({ trace }) => trace)?.trace ?? expect.fail("no violation");
}

type Itf = {
  "#meta"?: Record<string, unknown>;
  vars: string[];
  states: Record<string, unknown>[];
  loop?: number;
};

const replayed = async (text: string, itf: Itf): ReturnType<typeof replayInput> => {
  const states = parseItf(JSON.stringify(itf));
  if ("problem" in states) return expect.fail(states.problem);
  return replayInput(input(text), { states }, {}, registry);
};

test("the text of a value survives", () => {
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.string(),
      fc.bigInt().map(String),
      fc.constantFrom(
        "true",
        "false",
        "-0",
        "007",
        "[",
        "]",
        "[]",
        "[1, 2]",
        "[1,2]",
        "[, ]",
        "pay(1, 2)",
        "[(a, b), c]",
      ),
      fc.array(tie("value"), { maxLength: 4 }).map((parts) => `[${parts.join(", ")}]`),
    ),
  })).value as fc.Arbitrary<string>;
  fc.assert(
    fc.property(value, (text) => {
      expect(textOf(JSON.parse(JSON.stringify(itfValue(text))))).toBe(text);
    }),
    { numRuns: 2000 },
  );
});

test("values of other tools are read", () => {
  expect(textOf({ "#bigint": "-12" })).toBe("-12");
  expect(textOf({ "#tup": [1, { "#set": ["a", true] }] })).toBe("(1, {a, true})");
  expect(textOf({ "#map": [[1, "x"]] })).toBe("{1: x}");
  expect(textOf({ tag: "None", value: { "#tup": [] } })).toBe("{tag: None, value: ()}");
  expect(textOf({ "#unserializable": "Nat" })).toBeUndefined();
});

describe.each(Object.entries(models))("%s", (_name, text) => {
  test("has the structure of the format", async () => {
    const trace = await violation(text);
    const itf = JSON.parse(renderItf(trace, "m.pml")) as Itf;
    expect(itf.states).toHaveLength(trace.length + 1);
    expect(itf.loop).toBe(trace.loopStart);
    for (const state of itf.states)
      expect(
        Object.keys(state)
          .filter((name) => name !== "#meta")
          .sort(),
      ).toEqual([...itf.vars].sort());
    const final = new Map(trace.final.values.map(({ name, value }) => [name, value]));
    for (const name of itf.vars)
      expect(textOf(itf.states.at(-1)?.[name])).toBe(final.get(name) ?? "(absent)");
  });

  test("is found again, with its schedule and from its states alone", async () => {
    const trace = await violation(text);
    const itf = JSON.parse(renderItf(trace, "m.pml")) as Itf;
    const recorded = await replayed(text, itf);
    expect(recorded).toMatchObject({ outcome: "failed", trace: { schedule: trace.schedule } });
    const { "#meta": _, ...bare } = itf;
    expect(await replayed(text, bare)).toMatchObject({ outcome: "failed" });
  });

  test("a schedule whose states are others is not believed", async () => {
    const itf = JSON.parse(renderItf(await violation(text), "m.pml")) as Itf;
    const [name = ""] = itf.vars;
    const wrong = { ...itf, states: itf.states.map((state) => ({ ...state, [name]: 77 })) };
    expect(await replayed(text, wrong)).toMatchObject({ outcome: "diverged", trace: undefined });
    const meta = {
      ...itf["#meta"],
      schedule: itf.states
        .slice(1)
        .map(() => 7)
        .join("."),
    };
    expect(await replayed(text, { ...itf, "#meta": meta })).toMatchObject({ outcome: "failed" });
  });
});

test("a loop that does not close is refused", async () => {
  const bare = { vars: ["x"], states: [{ x: 0 }, { x: 1 }, { x: 2 }], loop: 0 };
  expect(await replayed(models.looping, bare)).toMatchObject({ outcome: "diverged", trace: undefined });
});

test.each([
  ["nothing", {}, /'vars'/],
  ["no states", { vars: [], states: [] }, /no states/],
  ["a loop outside", { vars: [], states: [{}], loop: 1 }, /'loop'/],
  ["a missing value", { vars: ["x"], states: [{}] }, /no readable value of 'x'/],
  ["an unserialisable value", { vars: ["x"], states: [{ x: { "#unserializable": "Nat" } }] }, /readable/],
])("%s is refused", (_name, itf, problem) =>
  expect(parseItf(JSON.stringify(itf))).toMatchObject({ problem: expect.stringMatching(problem) as string }),
);

test("names that the model does not have are listed", async () => {
  const { diagnostics } = await replayed(models.silent, { vars: ["y"], states: [{ y: 1 }] });
  expect(diagnostics[0]?.message).toContain("the model has no 'y'; it has x");
});
