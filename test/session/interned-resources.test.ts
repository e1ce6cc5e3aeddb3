/**
 * States that contain numbers of parts: several threads, and a search that another process resumes, visit the states
 * that one thread visits.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { overallVerdict, type CheckOptions, type CheckReport, type Input } from "../../src/index.js";
import { checkInput, readInput, registry } from "../../src/session/index.js";
import { useLibrary } from "../cli/built-cli.js";
import { inRepository } from "../repository.js";

const library = useLibrary();
const directory = mkdtempSync(join(tmpdir(), "everypath-interned-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Levels of more than a thousand states, which all threads expand. */
const wide: readonly (readonly [string, CheckOptions])[] = [
  ["test/fixtures/grid/round.mpp", { engine: "explicit", isPlain: true }],
  ["test/fixtures/grid/round.mpp", { ltl: ['G ("E.w == M" -> G "E.w == M")'], isPlain: true }],
  ["examples/networks/ssh.sdn", { concrete: 1, isPlain: true, accept: "bounded" }],
  ["examples/networks/learning-tree.sdn", { concrete: 1, isPlain: true, accept: "bounded" }],
];

const inputOf = (file: string): Input => readInput(inRepository(file)) as Input;
const figures = (report: CheckReport) => ({
  verdicts: report.properties.map(({ property, verdict }) => `${property.name} ${verdict}`),
  states: report.stats.states,
  transitions: report.stats.transitions,
  depth: report.stats.depth,
  errors: report.diagnostics.filter(({ severity }) => severity === "error"),
});

describe("two threads visit the states of one", () => {
  for (const [file, options] of wide)
    test(`${file} ${options.ltl ?? ""}`, async () => {
      const one = await library().check(inputOf(file), { ...options, isolation: "none" });
      const two = await library().check(inputOf(file), { ...options, isolation: "none", workers: 2 });
      expect(two.stats.threads).toBe(2);
      expect(figures(two)).toEqual(figures(one));
    }, 240_000);

  test("and find violations of reduced networks, with traces that replay", async () => {
    const report = await library().check(inputOf("examples/networks/learning.sdn"), {
      isolation: "none",
      workers: 2,
    });
    expect(overallVerdict(report)).toBe("violated");
    expect(report.stats.threads).toBe(2);
  }, 240_000);
});

const check = async (file: string, options: CheckOptions): Promise<CheckReport> =>
  (await checkInput(inputOf(file), options, registry)).report;

let folders = 0;

/** Begins a search that stops half-way; `resume` continues it with a newly created model. */
async function halfway(file: string, options: CheckOptions) {
  const whole = await check(file, options);
  const folder = join(directory, `${folders++}`);
  const budget = { maxStates: Math.ceil(whole.stats.states / 2) };
  await check(file, { ...options, budget, disk: { directory: folder, resumes: false } });
  const resume = () => check(file, { ...options, disk: { directory: folder, resumes: true } });
  return { whole, folder, resume };
}

describe("a resumed search visits the rest", () => {
  for (const [file, options] of [
    ["test/fixtures/grid/round.mpp", { engine: "explicit", isPlain: true }],
    ["examples/networks/learning-tree.sdn", { concrete: 1, isPlain: true, accept: "bounded" }],
  ] as const)
    test(
      file,
      async () => {
        const { whole, resume } = await halfway(file, options);
        expect(figures(await resume())).toEqual(figures(whole));
      },
      120_000,
    );

  test("numbers that are damaged or missing are refused", async () => {
    const { folder, resume } = await halfway("test/fixtures/grid/hosts.sdn", { isPlain: true });
    const numbers = join(folder, "numbers");
    const stored = readFileSync(numbers);
    writeFileSync(numbers, stored.with(40, (stored[40]! + 1) % 256));
    expect((await resume()).diagnostics.map(({ code }) => code)).toContain("session/disk-damaged");
    rmSync(numbers);
    expect((await resume()).diagnostics.map(({ code }) => code)).toContain("session/disk-damaged");
  });
});
