/** Domains of the engines for nets, and their refusals. */
import { expect, test } from "vitest";
import { check, checkJson, overallVerdict, type CheckOptions } from "../../src/index.js";
import { exportedProgram } from "../../src/session/export/net.js";
import { checkInput } from "../../src/session/check/check.js";
import { registry } from "../../src/session/registry.js";

const plain = "vars a b rules a >= 1 -> a' = a - 1, b' = b + 1; init a = 2, b = 0 target b >= 3";
const reset = "vars a b rules a >= 1 -> a' = 0, b' = b + 1; init a = 2, b = 0 target b >= 2";
const many = "vars a b rules a >= 1 -> a' = a - 1, b' = b + 1; init a >= 2, b = 0 target a >= 1, b >= 9";
const both = "vars a b rules a >= 1 -> a' = 0, b' = b + 1; init a >= 2, b = 0 target b >= 2";

const asked = async (text: string, options: CheckOptions): Promise<string> => {
  const report = await check({ file: "m.spec", text }, options);
  const [first] = report.diagnostics;
  return first ? `${first.code}: ${first.message}` : `${report.engine}: ${overallVerdict(report)}`;
};

const bounded = { asksBoundedness: true, properties: ["bounded"] };

test("transfers and resets are for backward and explicit search", async () => {
  expect(await asked(reset, {})).toBe("backward: holds");
  expect(await asked(reset, { engine: "explicit" })).toBe("explicit: holds");
  for (const engine of ["eec", "karp-miller"])
    expect(await asked(reset, { engine })).toBe(
      `session/wrong-engine: the engine '${engine}' cannot check this: it does not treat transfers and resets, as in t1`,
    );
  for (const engine of ["eec", "karp-miller"])
    expect(await asked(plain, { engine })).toBe(`${engine}: holds`);
});

test("boundedness of a net with resets is for explicit search", async () => {
  expect(await asked(reset, bounded)).toBe("explicit: holds");
  expect(await asked(reset, { ...bounded, engine: "backward" })).toContain("boundedness of Petri nets alone");
  expect(await asked(plain, { ...bounded, engine: "backward" })).toBe("backward: holds");
});

test("boundedness from many starts is for the procedures on nets", async () => {
  expect(await asked(many, bounded)).toBe("backward: holds");
  expect(await asked(many, { ...bounded, engine: "explicit" })).toContain("infinitely many markings");
  expect(await asked(many, { engine: "explicit" })).toBe("explicit: violated");
  const growing = many.replace("b' = b + 1", "b' = b + 1; b >= 1 -> b' = b - 1, a' = a + 2");
  expect(await asked(growing, { ...bounded, engine: "eec" })).toBe("eec: violated");
});

test("what no engine takes is refused, with every reason", async () => {
  const refused = await asked(both, bounded);
  for (const part of ["session/wrong-engine", "'backward'", "'eec'", "'karp-miller'", "'explicit'"])
    expect(refused).toContain(part);
});

test("the loop from some start is a trace that replays", async () => {
  const growing = many.replace("b' = b + 1", "b' = b + 1; b >= 1 -> b' = b - 1, a' = a + 2");
  const { properties } = checkJson(await check({ file: "m.spec", text: growing }, bounded));
  expect(properties).toMatchObject([{ name: "bounded", verdict: "violated" }]);
  expect(properties[0]!.trace!.loopStart).not.toBeNull();
});

test("the scope is complete where everything holds, and a count that does not fit is unknown", async () => {
  const scopeOf = async (text: string, options: CheckOptions = {}): Promise<string> => {
    const { scope, verdict } = checkJson(await check({ file: "m.spec", text }, options));
    return `${verdict}, ${scope.kind}`;
  };
  expect(await scopeOf(plain)).toBe("holds, complete");
  expect(await scopeOf(plain, { targets: ["b >= 3"] })).toBe("holds, complete");
  expect(await scopeOf(plain.replace("b >= 3", "b >= 2"))).toBe("violated, partial");
  expect(await scopeOf(plain, { targets: ["b >= 2"] })).toBe("violated, partial");
  const huge =
    "vars a b rules a >= 9 -> a' = a - 9, b' = b + 1; init a >= 9, b = 0 target b >= 1, a >= 2147483640";
  expect(await scopeOf(huge)).toBe("unknown, partial");
});

test("nets with resets are not written as programs", async () => {
  for (const [text, why] of [
    [plain, false],
    [reset, true],
  ] as const) {
    const exported = await exportedProgram(await checkInput({ file: "m.spec", text }, {}, registry));
    expect(typeof exported === "object").toBe(why);
  }
});
