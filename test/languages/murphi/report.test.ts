/** Reports on Murphi models: traces in the tools' styles, fired rules, simulation. */
import { expect, test } from "vitest";
import { renderMurphiTrace } from "../../../src/report/murphi-trace.js";
import { firstViolated, type PropertyReport } from "../../../src/report/index.js";
import { load, registry, Simulation } from "../../../src/session/index.js";
import { check, fixtures } from "./fixtures.js";

const textOf = (name: string): string => fixtures().find((fixture) => fixture.name === name)!.text;

test("a trace as Rumur prints it", async () => {
  const violated = firstViolated(await check("m.m", textOf("invariant-fails.m")))!;
  expect(renderMurphiTrace(violated.trace!, violated, "rumur").slice(0, 12)).toEqual([
    "The following is the error trace for the error:",
    "",
    '\tinvariant "small" failed',
    "",
    'Startstate "init" fired.',
    "x:0",
    "b:false",
    "----------",
    "",
    'Rule "go", i: 1 fired.',
    "x:1",
    "----------",
  ]);
});

test("a lasso in the tools' styles says where its loop begins and ends", async () => {
  const turning = "var x: 0..1; startstate x := 0; end; rule x := 1 - x; end;";
  const found = async (text: string, ltl: string): Promise<PropertyReport> =>
    firstViolated(await check("m.m", text, { ltl: [ltl], properties: [ltl] }))!;
  const loop = await found(turning, "<> [] x = 0");
  expect(renderMurphiTrace(loop.trace!, loop, "rumur").slice(4)).toEqual([
    "Startstate 1 fired.",
    "x:0",
    "----------",
    "",
    "-- the loop begins here",
    "",
    "Rule 1 fired.",
    "x:1",
    "----------",
    "",
    "Rule 1 fired.",
    "x:0",
    "----------",
    "",
    "-- the loop goes back",
    "",
    "End of the error trace.",
  ]);
  const end = await found("var x: 0..1; startstate x := 0; end; rule x = 0 ==> x := 1; end;", "[] <> x = 0");
  const lines = renderMurphiTrace(end.trace!, end, "cmurphi");
  expect(lines.filter((line) => line.startsWith("-- "))).toEqual(["-- no rule leads on: it stays like this"]);
});

test("a trace as CMurphi prints it: no quotes, unnamed rules from 0, the last state in full", async () => {
  const violated = firstViolated(await check("m.m", textOf("deadlock.m")))!;
  const lines = renderMurphiTrace(violated.trace!, violated, "cmurphi");
  expect(lines).toContain("\tDeadlocked state found.");
  expect(lines).toContain("Startstate Startstate 0 fired.");
  expect(lines).toContain("Rule Rule 0 fired.");
  expect(lines.slice(-4)).toEqual([
    "The last state of the trace (in full) is:",
    "x:3",
    "",
    "End of the error trace.",
  ]);
});

test("rules are counted, and those that never fire are listed", async () => {
  const text = `var x: 0..1; startstate x := 0; end;
    rule "up" x = 0 ==> x := 1; end; rule "down" x = 1 ==> x := 0; end; rule "never" x > 1 ==> x := 0; end;`;
  const { stats, unreached } = await check("m.m", text);
  expect(stats.rumur).toEqual({
    rulesFired: 2,
    rules: [
      { name: "up", fired: 1 },
      { name: "down", fired: 1 },
      { name: "never", fired: 0 },
    ],
  });
  expect(unreached!.map((part) => part.text)).toEqual(["never"]);
});

test("a run goes from a start state by rules, and `put` is heard", async () => {
  const { model } = await load({ file: "m.m", text: textOf("strings.m") }, {}, registry);
  const run = new Simulation(model!);
  const taken = [run.take(0), run.take(0), run.take(0)];
  expect(taken.map((step) => step.action)).toEqual([
    'startstate "the \\"first\\" one"',
    'rule "with, comma; and -- dashes"',
    'rule "/* no comment */"',
  ]);
  expect(taken[1]!.output).toContain("x is one");
});
