/** Runs cells of the grid: a yes must succeed, a no must be refused with its reason. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { firstViolated, overallVerdict, type CheckOptions, type CheckReport } from "../../src/index.js";
import {
  inspect,
  load,
  replayInput,
  Simulation,
  type Cell,
  type GridRow,
  type SteppedRun,
} from "../../src/session/index.js";
import { checked, inputOf, registryOf, type GridSample } from "./grid-rows.js";

const directory = mkdtempSync(join(tmpdir(), "everypath-grid-"));
export const removeFolders = (): void => rmSync(directory, { recursive: true, force: true });

/** A check with threads, which need files that Node can run. */
export type CheckByThreads = (sample: GridSample, options: CheckOptions) => Promise<CheckReport>;

export const ask = (sample: GridSample, more: CheckOptions): Promise<CheckReport> =>
  checked(sample, { ...sample.options, ...more });

/** The sample with another file or other options. */
const elsewhere = (sample: GridSample, part: GridSample["broken"]): GridSample => {
  if (!part)
    throw new Error(`the row of ${sample.file} in test/session/grid-rows.ts has no input that shows this`);
  const { check: _, ...rest } = sample;
  const { file = sample.file, text = sample.text, check } = part;
  const own = part.file ? {} : sample.options;
  return {
    ...rest,
    file,
    ...(text === undefined ? {} : { text }),
    ...(check ? { check } : {}),
    options: { ...own, ...part.options },
  };
};

export async function isRefused({ capability, reason }: Cell, sample: GridSample): Promise<void> {
  if (capability.facet === "coverage")
    return void expect((await ask(sample, {})).unreached ?? []).toEqual([]);
  // No command reads a sample without a file.
  if (sample.check && capability.facet) return void expect(existsSync(sample.file)).toBe(false);
  const { diagnostics } =
    capability.facet === "steps"
      ? await load(inputOf(sample), { ...sample.options, run: "simulate" }, registryOf(sample))
      : await ask(sample, capability.options);
  // An input that takes fewer engines than its language lists its own.
  const { otherEngines = [] } = sample;
  const expected = otherEngines.reduce((text, name) => text.replace(`, ${name}`, ""), reason);
  expect(diagnostics.map(({ message, hint = message, severity }) => `${severity}: ${hint}`)).toContain(
    `error: ${expected}`,
  );
}

/** Runs a cell that says yes, and verifies its answer. */
export async function shows(
  cell: Cell,
  row: GridRow,
  sample: GridSample,
  base: CheckReport,
  byThreads: CheckByThreads,
): Promise<void> {
  const { capability, engine, isOther } = cell;
  const by: CheckOptions = isOther && engine !== undefined ? { engine } : {};
  const same = (report: CheckReport): void => {
    expect(report.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(report.engine).toBe(engine);
    expect(overallVerdict(report)).toBe(sample.verdict ?? "holds");
  };
  switch (capability.group) {
    case "engines": {
      const own = sample.engines?.[capability.name];
      const report = await ask(own ? elsewhere(sample, own) : sample, capability.options);
      const absent = report.diagnostics.find(({ code }) => code === "session/device-absent");
      return absent ? console.warn(`SKIPPED: ${capability.name} (${absent.message})`) : same(report);
    }
    case "orders":
      return ofOrder(capability.name, await ask(sample, { ...by, ...capability.options }), same);
    case "stores":
      return ofStore(await ask(sample, { ...by, ...capability.options }), capability.name, sample);
    case "properties":
      return ofProperty(capability.name, sample, by);
    case "resources":
      return ofResource(capability.name, row, sample, { by, base, byThreads });
    case "runs":
      return ofRun(capability.name, sample, base);
    case "reductions": {
      const reductions = [...(sample.together ?? []), ...(capability.options.reductions ?? [])];
      const report = await ask(
        { ...sample, ...sample.reduced },
        { ...by, reductions: [...new Set(reductions)] },
      );
      same(report);
      return void expect(
        report.runs.flatMap((run) => run.reductions),
        `'${capability.name}' has no effect on ${(sample.reduced ?? sample).file}: \`reduced\` in test/session/grid-rows.ts names another input\n${textsOf(report)}`,
      ).toContain(capability.name);
    }
  }
}

/** Random priorities and mixes of faults sample runs and prove nothing. */
function ofOrder(name: string, report: CheckReport, same: (report: CheckReport) => void): void {
  if (name !== "pct" && name !== "swarm") return same(report);
  expect(overallVerdict(report)).toBe("unknown");
  expect(report.properties.map(({ reason }) => reason).join()).toContain("runs");
}

const textsOf = ({ diagnostics }: CheckReport): string =>
  diagnostics.map(({ message }) => message).join("\n");

const LOSSY = ["compact", "bitstate"];

function ofStore(report: CheckReport, name: string, { verdict = "holds" }: GridSample): void {
  const kinds = report.runs.flatMap(({ store }) => store?.kind ?? []);
  expect(kinds).toContain(name);
  const found = overallVerdict(report);
  if (LOSSY.includes(name) && verdict === "holds") {
    expect(found).toBe("unknown");
    expect(report.properties.map(({ reason }) => reason).join()).toContain("may have been omitted");
  } else expect(found).toBe(verdict);
}

async function ofProperty(name: string, sample: GridSample, by: CheckOptions): Promise<void> {
  if (name === "deadlock") {
    const stuck = elsewhere(sample, sample.deadlock);
    await violates(stuck, "deadlock");
    const without = await ask(stuck, { checksDeadlock: false, engine: "explicit" }).catch(() => undefined);
    expect(without?.properties.filter(({ verdict }) => verdict === "violated") ?? []).toEqual([]);
  } else if (name === "--invariant" || name === "--ltl") {
    const [kind, option, texts] =
      name === "--ltl"
        ? ([sample.formulaKind ?? "ltl", "ltl", sample.formulas] as const)
        : (["invariant", "invariants", sample.invariants] as const);
    if (!texts)
      throw new Error(`the row of ${sample.file} in test/session/grid-rows.ts has no texts for ${name}`);
    const [holding, broken] = texts;
    const holds = await ask(sample, { ...by, [option]: [holding], properties: [holding] });
    expect(overallVerdict(holds), JSON.stringify(holds.diagnostics)).toBe("holds");
    await violates(
      { ...sample, options: { ...sample.options, [option]: [broken], properties: [broken] } },
      kind,
    );
  } else {
    const unfair = elsewhere(sample, sample.unfair);
    expect(overallVerdict(await ask(unfair, {}))).toBe("violated");
    const fair = await ask(unfair, { fairness: name.endsWith("weak") ? "weak" : "strong" });
    expect(overallVerdict(fair)).toBe("holds");
    expect(fair.runs.map(({ fairness }) => fairness)).toContain(name.split(" ")[1]);
  }
}

/** Expects a violation of that kind, with a trace that replays where there is a file to replay it in. */
async function violates(sample: GridSample, kind?: string): Promise<void> {
  const report = await ask(sample, {});
  const violated = firstViolated(report);
  expect(violated, JSON.stringify(report.diagnostics)).toBeDefined();
  if (kind !== undefined) expect(violated!.property.kind).toBe(kind);
  if (sample.check) return;
  const { properties: _, isolation: __, ...options } = sample.options ?? {};
  const schedule = violated!.trace!.schedule;
  const replayed = await replayInput(inputOf(sample), { schedule }, options, registryOf(sample));
  expect(replayed).toMatchObject({ outcome: "failed", property: { kind: violated!.property.kind } });
}

let folders = 0;

async function ofResource(
  name: string,
  { accepts }: GridRow,
  sample: GridSample,
  { by, base, byThreads }: { by: CheckOptions; base: CheckReport; byThreads: CheckByThreads },
): Promise<void> {
  const whole = { ...by, isPlain: true };
  const states = (await ask(sample, whole)).stats.states;
  if (name === "--workers") {
    const report = await byThreads(sample, { ...sample.options, ...whole, workers: 2, isolation: "none" });
    expect(
      report.stats.threads,
      `threads take over after 1,000 states, and ${sample.file} has ${states}\n${textsOf(report)}`,
    ).toBe(2);
    expect([overallVerdict(report), report.stats.states]).toEqual([overallVerdict(base), states]);
    return;
  }
  const folder = join(directory, `${folders++}`);
  const part = name === "--resume" ? { budget: { maxStates: Math.ceil(states / 8) } } : {};
  const first = await ask(sample, { ...whole, ...part, disk: { directory: folder, resumes: false } });
  expect(existsSync(join(folder, "manifest.json")), JSON.stringify(first.diagnostics)).toBe(true);
  if (name === "--disk")
    return void expect([overallVerdict(first), first.stats.states]).toEqual([overallVerdict(base), states]);
  expect(accepts.facets.resume).toBe(true);
  expect(overallVerdict(first)).toBe("unknown");
  const rest = await ask(sample, { ...whole, disk: { directory: folder, resumes: true } });
  expect([overallVerdict(rest), rest.stats.states]).toEqual([overallVerdict(base), states]);
}

async function ofRun(name: string, sample: GridSample, base: CheckReport): Promise<void> {
  const input = inputOf(sample);
  switch (name) {
    case "simulate": {
      const { model, simulate } = await load(
        input,
        { ...sample.options, run: "simulate" },
        registryOf(sample),
      );
      const simulation = (model ? new Simulation(model) : simulate?.(1, undefined)) as SteppedRun;
      for (let steps = 0; steps < 3 && simulation.count > 0; steps++) {
        const told = simulation.describe(simulation.count - 1);
        expect(simulation.take(simulation.count - 1).action).toBe(told.action);
      }
      return void expect(simulation.choices.length).toBeGreaterThan(0);
    }
    case "replay":
      return violates(elsewhere(sample, sample.broken));
    case "explore":
      // test/explorer/languages.test.ts tests the page for each language.
      return void expect(
        (await inspect(input, sample.options ?? {}, registryOf(sample))).diagnostics.filter(
          ({ severity }) => severity === "error",
        ),
      ).toEqual([]);
    case "unreached parts": {
      const { unreached = [] } = await ask(sample, { engine: "explicit" });
      return void expect(unreached.map(({ text }) => text)).toContain(sample.unreached);
    }
    default:
      expect(base.coverage).toBeUndefined();
      expect((await ask(sample, { measuresCoverage: true })).coverage?.length).toBeGreaterThan(0);
  }
}
