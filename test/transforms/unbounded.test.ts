/** Promela with unbounded integers: the same verdicts as the bounded search if nothing overflows; the rest is refused. */
import { describe, expect, test } from "vitest";
import { checkJson } from "../../src/report/index.js";
import { checkInput, registry, replayInput, type CheckOptions } from "../../src/session/index.js";

async function verdicts(text: string, options: CheckOptions = {}) {
  const { report } = await checkInput({ file: "m.pml", text }, options, registry);
  const { properties, diagnostics } = checkJson(report);
  return {
    answers: Object.fromEntries(properties.map(({ name, verdict }) => [name, verdict])),
    trace: checkJson(report).trace?.schedule,
    messages: diagnostics.map(({ message }) => message),
  };
}

const unboundedly = (text: string, more: CheckOptions = {}) =>
  verdicts(text, { integers: "unbounded", budget: { timeMs: 20_000 }, ...more });

/** Models in which no number leaves its type. */
const models: Readonly<Record<string, string>> = {
  "effects in order": `int x, y; active proctype P() { atomic { x = 3; y = x + 1; x = y * 2 }; assert(x == 8 && y == 4) }`,
  "a wrong assertion": `int x; active proctype P() { x = 2; x = x - 3; assert(x > 0) }`,
  "atomic sequences": `int x; active [2] proctype P() { atomic { x++; x-- }; assert(x == 0) }`,
  "a race without atomic": `int x; active [2] proctype P() { x++; x--; assert(x == 0) }`,
  "an atomic sequence that blocks": `bool go; int x;
    active proctype P() { atomic { x = 1; go; assert(x == 2) } }
    active proctype Q() { x == 1; x = 2; go = 1 }`,
  "a deadlock": `bool a; active proctype P() { a; skip } active proctype Q() { a; skip }`,
  "a channel": `mtype = { one, two }; chan c = [2] of { mtype, byte }; byte got;
    active proctype P() { c!one(1); c!two(2); c!one(3) }
    active proctype Q() { c?one(got); assert(got == 1); c?two(got); assert(got == 2); c?one(got); assert(got == 3) }`,
  "a channel in the wrong order": `chan c = [2] of { byte }; byte got;
    active proctype P() { c!1; c!2 } active proctype Q() { c?got; c?got; assert(got == 1) }`,
  "a match that blocks": `chan c = [1] of { byte }; active proctype P() { c!1 } active proctype Q() { c?2 }`,
  else: `int x = 5; active proctype P() { if :: x > 7 -> assert(false) :: else -> x = 0 fi; assert(x == 0) }`,
  remainders: `int x = -7; active proctype P() { assert(x % 3 == -1); x = 7; assert(x % 3 == 1) }`,
  "arrays by _pid": `bool flag[2]; byte n; active [2] proctype P() { flag[_pid] = 1; n++; !flag[1 - _pid]; n-- }`,
  "a conditional": `int x = 4, y; active proctype P() { y = (x > 3 -> x - 1 : 9); assert(y == 3) }`,
  "ends in order": `int n; active [2] proctype P() { n++ }`,
};

describe("agrees with the bounded search", () => {
  for (const [name, text] of Object.entries(models))
    test(name, { timeout: 60_000 }, async () => {
      const { "runtime errors": _, ...bounded } = (
        await verdicts(text, { reductions: [], maxErrors: Infinity })
      ).answers;
      const found = await unboundedly(text);
      expect(found.messages.filter((each) => each.includes("unbounded"))).toEqual([]);
      expect(found.answers).toEqual(bounded);
      if (found.trace === undefined) return;
      const replayed = await replayInput(
        { file: "m.pml", text },
        { schedule: found.trace },
        { integers: "unbounded" },
        registry,
      );
      expect(replayed.outcome).toBe("failed");
    });
});

test("a byte wraps around, an unbounded integer does not", { timeout: 60_000 }, async () => {
  const text = "byte n = 1; active proctype P() { end: do :: n++; assert(n > 0) od }";
  expect((await verdicts(text)).answers["assertions"]).toBe("violated");
  expect((await unboundedly(text)).answers["assertions"]).toBe("holds");
});

test("channels are not compared", async () => {
  const text = "chan c = [1] of { byte }, d = [1] of { byte }; active proctype P() { assert(c == d) }";
  expect((await unboundedly(text)).messages.join()).toContain("the value of a channel");
});

test("parts outside the fragment are refused by name, all at once", async () => {
  const { messages, answers } = await unboundedly(`
    int x, y, a[3]; bit b; chan r = [0] of { byte };
    proctype Q() { skip }
    active proctype P() { x = x * y; a[x] = 1; b = x; run Q(); d_step { x++; y++ }; timeout; r!1; x = x / 2 }
  `);
  expect(answers).toEqual({});
  for (const part of [
    "the product of two variables",
    "an index of `a` that is not constant",
    "a value of `b` that may be outside 0..1",
    "`run`",
    "`d_step`",
    "`timeout`",
    "the rendezvous channel `r`",
    "the operator `/` of variables",
  ])
    expect(
      messages.some((each) => each.startsWith(part)),
      part,
    ).toBe(true);
});
