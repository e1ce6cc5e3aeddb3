/** Tests of schedules, checked and replayed without their framework: verdicts and refusals. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { hasErrors } from "../../../src/model/index.js";
import { overallVerdict, type CheckReport, type ExecutionReport } from "../../../src/report/index.js";
import {
  checkInput,
  readInput,
  registry,
  replayInput,
  traceFile,
  type CheckOptions,
} from "../../../src/session/index.js";
import type { ReplayRequest } from "../../../src/session/index.js";
import { inRepository } from "../../repository.js";

const folder = mkdtempSync(join(tmpdir(), "everypath-schedules-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

function write(text: string, name = "some.test.ts", door = "code"): { file: string; text: string } {
  const file = join(folder, String(++files), name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(join(dirname(file), "package.json"), "{}");
  const whole = `import { everySchedule, replay } from "everypath/${door}";\n${text}`;
  writeFileSync(file, whole);
  return { file, text: whole };
}

const check = async (text: string, options: CheckOptions = {}): Promise<CheckReport> =>
  (await checkInput(write(text), options, registry)).report;

const codes = ({ diagnostics }: CheckReport | ExecutionReport): string[] =>
  diagnostics.map(({ code }) => code);
const verdicts = ({ properties }: CheckReport): string[] =>
  properties.map(({ property, verdict }) => `${property.name}: ${verdict}`);

/** Fails when b answers first. */
const race = `async (world) => {
  let first = "";
  await Promise.all(["a", "b"].map((name) => world.pause(name).then(() => void (first ||= name))));
  if (first === "b") throw new Error("b was first");
}`;
const fine = `async (world) => { await Promise.all([world.pause("a"), world.pause("b")]); }`;
/** Some tests start a dozen processes, which is slow on a busy machine. */
const slow = { timeout: 240_000 };

describe("a check", slow, () => {
  test("answers about each test, with the place and the shortest failing schedule", async () => {
    const input = write(
      `import { describe, beforeEach } from "vitest";
       let isReady = false;
       beforeEach(() => { isReady = true; });
       describe("outer", () => {
         everySchedule("race", ${race});
       });
       everySchedule("ready", async (world) => { await world.pause("a"); if (!isReady) throw new Error("no hook"); });`,
      "some.test.ts",
      "vitest",
    );
    const { report } = await checkInput(input, {}, registry);
    expect(report.diagnostics).toEqual([]);
    expect(verdicts(report)).toEqual(["outer > race: violated", "ready: holds"]);
    const [violated] = report.properties;
    expect(violated!.reason).toBe("Error: b was first");
    expect(report.sources.position(input.file, violated!.property.span!.start)).toMatchObject({ line: 6 });
    const last = violated!.trace!.steps.at(-1)!;
    expect(report.sources.position(input.file, last.sources[0]!.start)).toMatchObject({ line: 9 });
    expect(report.stats).toMatchObject({ states: 0, schedules: 3, depth: 2 });
    expect(report.scope.kind).toBe("partial");
  });

  test("of the chosen test leaves the others alone", async () => {
    const text = `everySchedule("race", ${race}); everySchedule("fine", ${fine});`;
    const report = await check(text, { properties: ["fine"] });
    expect([verdicts(report), report.unchecked.map(({ name }) => name)]).toEqual([["fine: holds"], ["race"]]);
  });

  test("is about the bound that a test declares", async () => {
    const report = await check(`everySchedule("fine", ${fine}, { bound: 0 });`);
    expect(verdicts(report)).toEqual(["fine: holds"]);
    expect(report.scope).toMatchObject({
      kind: "bounded",
      notes: [expect.stringContaining("without departures")],
    });
  });

  test("does not take one schedule for all", async () => {
    const report = await check(`everySchedule("fine", ${fine}, replay("0#0000"));`);
    expect(verdicts(report)).toEqual(["fine: unknown"]);
    const bare = await check(`everySchedule("fine", ${fine}, replay("0"));`, { accept: "bounded" });
    expect([verdicts(bare), bare.accepted]).toEqual([["fine: unknown"], undefined]);
    expect(bare.properties[0]!.reason).toContain("replay");
  });

  test("with a spent budget is unknown, also if the framework would pass it", async () => {
    const text = `everySchedule("fine", ${fine}, { schedules: 1, onSpent: "pass" });`;
    const report = await check(text);
    expect([overallVerdict(report), report.accepted]).toEqual(["unknown", undefined]);
    expect(report.properties[0]!.reason).toContain("the number of schedules is spent");
    expect((await check(text, { accept: "bounded" })).accepted).toBe("bounded");
  });

  test("accepts no spent budget beside something that is not under control", async () => {
    const text = `
      everySchedule("spent", ${fine}, { schedules: 1 });
      everySchedule("refused", async (world) => { await world.pause("a"); process.exit(1); });`;
    const report = await check(text, { accept: "bounded" });
    expect([verdicts(report), report.accepted]).toEqual([["spent: unknown", "refused: unknown"], undefined]);
    expect(report.properties[1]!.reason).toMatch(/process\.exit.* at .*some\.test\.ts:4/);
  });

  test("numbers that JSON lacks are options like others", async () => {
    const report = await check(`everySchedule("fine", ${fine}, { schedules: Infinity, cpuMs: 5000 });`);
    expect(verdicts(report)).toEqual(["fine: holds"]);
  });

  test("stops when it is asked to, and when the time is spent", async () => {
    const text = `everySchedule("race", ${race}); everySchedule("fine", ${fine});`;
    const stopped = await check(text, { control: { isStopped: () => true } });
    expect(verdicts(stopped)).toEqual(["race: unknown", "fine: unknown"]);
    expect(stopped.properties[0]!.reason).toContain("stopped");
    const late = await check(text, { budget: { timeMs: 0.001 } });
    expect(late.properties.map(({ reason }) => reason)).toEqual(["the time is spent", "the time is spent"]);
  });

  test("ends a process that is busy when it is asked to stop", async () => {
    let asked = 0;
    const text = `everySchedule("busy", () => { for (;;); }, { hangMs: 30_000 });`;
    const report = await check(text, { control: { isStopped: () => ++asked > 20 } });
    expect(report.properties[0]!.reason).toContain("stopped");
  });
});

describe("refused, by name, before anything is run:", slow, () => {
  test.each([
    ["the host realm", `everySchedule("t", ${fine}, { realm: "host" });`, "code/needs-framework"],
    ["an option that does not exist", `everySchedule("t", ${fine}, { schedulez: 3 });`, "code/bad-option"],
    ["an option of another type", `everySchedule("t", ${fine}, { schedules: "3" });`, "code/bad-option"],
    [
      "a strategy that does not exist",
      `everySchedule("t", ${fine}, { strategy: "all" });`,
      "code/bad-option",
    ],
    [
      "an option that is code",
      `everySchedule("t", ${fine}, { env: { A: () => 1 }, onSpent: () => 1 });`,
      "code/bad-option",
    ],
    [
      "two tests of one name",
      `everySchedule("t", ${fine}); everySchedule("t", ${fine});`,
      "session/shared-name",
    ],
    ["a file that fails", `everySchedule("t", ${fine}); throw new Error("broken");`, "code/cannot-load"],
    [
      "a file that waits forever",
      `everySchedule("t", ${fine}); await new Promise(() => {});`,
      "code/cannot-load",
    ],
    [
      "a mock that needs the framework",
      `import { vi } from "vitest"; vi.mock("./a"); everySchedule("t", ${fine});`,
      "code/cannot-load",
    ],
    ["no test", `export const x = [everySchedule, replay];`, "code/no-tests"],
    [
      "skipped tests alone",
      `import { describe } from "vitest"; describe.skip("s", () => { everySchedule("t", ${fine}); });`,
      "code/no-tests",
    ],
    ["a module that is not there", `import "./nowhere.js"; everySchedule("t", ${fine});`, "code/bundle"],
  ])("%s", async (_, text, code) => {
    const report = await check(text);
    expect(codes(report)).toContain(code);
    expect(hasErrors(report.diagnostics)).toBe(true);
    expect(report.properties.filter(({ verdict }) => verdict !== "unknown")).toEqual([]);
  });

  test("a global set-up of Vitest's", async () => {
    const input = readInput(inRepository("test/fixtures/code/global-setup/some.ts"));
    if ("code" in input) throw new Error(input.message);
    expect((await checkInput(input, {}, registry)).report.diagnostics).toMatchObject([
      { code: "code/needs-framework", message: "Vitest's globalSetup runs outside of every realm" },
    ]);
  });

  test("an option of Jest's that changes what the file means", async () => {
    const input = write(`everySchedule("t", ${fine});`, "some.test.mjs", "jest");
    const config = (text: string): void => writeFileSync(join(dirname(input.file), "jest.config.mjs"), text);
    config("export default { setupFilesAfterEnv: ['./before.js'] };");
    expect((await checkInput(input, {}, registry)).report.diagnostics[0]).toMatchObject({
      code: "code/needs-framework",
      message: "Jest's option setupFilesAfterEnv needs Jest",
    });
    config("export default { verbose: true };");
    expect(verdicts((await checkInput(input, {}, registry)).report)).toEqual(["t: holds"]);
  });

  test("an option of the command that means nothing for schedules", async () => {
    for (const options of [
      { search: "dfs" },
      { accept: "probabilistic" },
      { budget: { maxStates: 3 } },
      { seed: 2 },
    ] as const)
      expect(codes(await check(`everySchedule("t", ${fine});`, options))).toEqual([
        "session/option-not-taken",
      ]);
  });
});

describe("a replay", slow, () => {
  const two = `everySchedule("race", ${race}); everySchedule("fine", ${fine});`;
  const replayed = (text: string, request: ReplayRequest): Promise<ExecutionReport> =>
    replayInput(write(text), request, {}, registry);

  test("of a trace shows what it showed, or says what has changed", async () => {
    const input = write(two);
    const { report } = await checkInput(input, {}, registry);
    const violated = report.properties[0]!;
    const expected = traceFile(report, violated, {}, input.file);
    const request = { schedule: expected.schedule, expected };
    const again = await replayInput(input, request, {}, registry);
    expect(again).toMatchObject({ outcome: "failed", reason: "Error: b was first", diagnostics: [] });
    expect(again.trace!.steps.length).toBe(violated.trace!.steps.length);
    const otherwise = await replayed(two.replace("b was first", "another reason"), request);
    expect(otherwise).toMatchObject({
      outcome: "diverged",
      reason: "it now shows something else: Error: another reason",
    });
    expect(codes(otherwise)).toContain("session/model-changed");
    const mended = await replayed(two.replace('first === "b"', "false"), request);
    expect(mended).toMatchObject({ outcome: "passed" });
    const gone = await replayed(`everySchedule("fine", ${fine});`, request);
    expect(codes(gone)).toContain("session/cannot-replay");
  });

  test("needs to know the test, and choices that are there", async () => {
    expect(codes(await replayed(two, { schedule: "1" }))).toEqual(["session/cannot-replay"]);
    expect(await replayed(two, { schedule: "1", property: "race" })).toMatchObject({ outcome: "failed" });
    expect(await replayed(two, { schedule: "0", property: "race" })).toMatchObject({ outcome: "passed" });
    expect(await replayed(two, { schedule: "7", property: "race" })).toMatchObject({ outcome: "diverged" });
    expect(await replayed(two, { schedule: "0*9", property: "race" })).toMatchObject({ outcome: "diverged" });
    expect(await replayed(two, { schedule: "0#zzzz", property: "race" })).toMatchObject({
      outcome: "diverged",
    });
  });

  test("of something that is not under control shows nothing", async () => {
    const text = `everySchedule("t", () => { process.exit(1); });`;
    expect(await replayed(text, { schedule: "" })).toMatchObject({ outcome: "diverged" });
  });
});
