/** The grid of capabilities: its page, and every cell: a yes shows what it says, a no is refused with its reason. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mistakesOf } from "../../src/cli/explore.js";
import {
  firstViolated,
  overallVerdict,
  type CheckOptions,
  type CheckReport,
  type Input,
} from "../../src/index.js";
import { gridPage } from "../../src/report/index.js";
import {
  gridLines,
  gridOf,
  load,
  readInput,
  registry,
  replayInput,
  Simulation,
  type Cell,
  type GridRow,
} from "../../src/session/index.js";
import { useLibrary } from "../cli/built-cli.js";
import { inRepository } from "../repository.js";
import { checked, samples, type GridSample } from "./grid-rows.js";

const rows = gridOf(registry);
/** Threads are started from files that Node can run. */
const library = useLibrary();
const directory = mkdtempSync(join(tmpdir(), "everypath-grid-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test("docs/languages/grid.md is what the declarations say", async () => {
  await expect(gridPage(gridLines(registry))).toMatchFileSnapshot(inRepository("docs/languages/grid.md"));
});

test("every row has a sample, and declares the engines that take it and the facets of its model", async () => {
  expect(Object.keys(samples).sort()).toEqual(rows.map(({ language }) => language).sort());
  for (const { language, accepts } of rows) {
    const { file, check, options = {} } = samples[language]!;
    if (check) continue;
    const loaded = await load(readInput(file) as Input, { ...options, isSearched: true }, registry);
    expect(loaded.accepts!.engines, language).toEqual(accepts.engines);
    const able = registry.engines.filter((engine) => engine.takes(loaded)).map(({ name }) => name);
    expect(able, language).toEqual(accepts.engines);
    const { model } = loaded;
    expect(model !== undefined, language).toBe(accepts.facets.steps === true);
    expect((model?.coverage.parts.length ?? 0) > 0, language).toBe(accepts.facets.coverage === true);
    // Systems of nodes make theirs when threads are asked for.
    if (language !== "typescript")
      expect(model?.recipe !== undefined, language).toBe(accepts.facets.threads === true);
  }
});

describe.each(rows.map((row) => [row.language, row] as const))("%s", (language, row) => {
  const sample = samples[language]!;
  let base: CheckReport;
  beforeAll(async () => {
    base = await ask(sample, {});
  }, 60_000);

  for (const cell of row.cells) {
    const { group, name } = cell.capability;
    if (cell.reason === "") test(`${group}: ${name}`, () => shows(cell, row, sample, base), 60_000);
    else test(`${group}: no ${name}`, () => isRefused(cell, sample));
  }
});

const ask = ({ file, check, options }: GridSample, more: CheckOptions): Promise<CheckReport> =>
  checked({ file, ...(check ? { check } : {}) }, { ...options, ...more });

/** What the sample is asked elsewhere: another file, or other options. */
const elsewhere = (sample: GridSample, part: GridSample["broken"]): GridSample => {
  if (!part) throw new Error(`nothing shows this for ${sample.file}`);
  return part.file
    ? { file: part.file, options: part.options }
    : { ...sample, options: { ...sample.options, ...part.options } };
};

async function isRefused({ capability, reason }: Cell, sample: GridSample): Promise<void> {
  if (capability.facet === "coverage")
    return void expect((await ask(sample, {})).unreached ?? []).toEqual([]);
  // No command reads what is no file.
  if (sample.check && capability.facet) return void expect(existsSync(sample.file)).toBe(false);
  const { diagnostics } =
    capability.facet === "steps"
      ? await load(readInput(sample.file) as Input, { ...sample.options, run: "simulate" }, registry)
      : await ask(sample, capability.options);
  expect(diagnostics.map(({ message, hint = message, severity }) => `${severity}: ${hint}`)).toContain(
    `error: ${reason}`,
  );
}

/** Runs a cell that says yes, and judges it by what it answers. */
async function shows(cell: Cell, row: GridRow, sample: GridSample, base: CheckReport): Promise<void> {
  const { capability, engine, isOther } = cell;
  const by: CheckOptions = isOther && engine !== undefined ? { engine } : {};
  const same = (report: CheckReport): void => {
    expect(report.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(report.engine).toBe(engine);
    expect(overallVerdict(report)).toBe(sample.verdict ?? "holds");
  };
  switch (capability.group) {
    case "engines":
      return same(await ask(sample, capability.options));
    case "orders":
      return ofOrder(capability.name, await ask(sample, { ...by, ...capability.options }), same);
    case "stores":
      return ofStore(await ask(sample, { ...by, ...capability.options }), capability.name, sample);
    case "properties":
      return ofProperty(capability.name, sample, by);
    case "resources":
      return ofResource(capability.name, row, sample, by, base);
    case "runs":
      return ofRun(capability.name, sample, base);
    case "reductions": {
      const reductions = [...(sample.together ?? []), ...(capability.options.reductions ?? [])];
      const report = await ask(
        { ...sample, ...sample.reduced },
        { ...by, reductions: [...new Set(reductions)] },
      );
      same(report);
      return void expect(report.runs.flatMap((run) => run.reductions)).toContain(capability.name);
    }
  }
}

/** Random priorities make runs, and prove nothing. */
function ofOrder(name: string, report: CheckReport, same: (report: CheckReport) => void): void {
  if (name !== "pct") return same(report);
  expect(overallVerdict(report)).toBe("unknown");
  expect(report.properties.map(({ reason }) => reason).join()).toContain("runs");
}

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
        ? (["ltl", "ltl", sample.formulas] as const)
        : (["invariant", "invariants", sample.invariants] as const);
    const [holding, broken] = texts!;
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

/** A violation of that kind, whose trace replays. */
async function violates(sample: GridSample, kind?: string): Promise<void> {
  const report = await ask(sample, {});
  const violated = firstViolated(report);
  expect(violated, JSON.stringify(report.diagnostics)).toBeDefined();
  if (kind !== undefined) expect(violated!.property.kind).toBe(kind);
  const { properties: _, isolation: __, ...options } = sample.options ?? {};
  const schedule = violated!.trace!.schedule;
  const replayed = await replayInput(readInput(sample.file) as Input, { schedule }, options, registry);
  expect(replayed).toMatchObject({ outcome: "failed", property: { kind: violated!.property.kind } });
}

let folders = 0;

async function ofResource(
  name: string,
  { accepts }: GridRow,
  sample: GridSample,
  by: CheckOptions,
  base: CheckReport,
): Promise<void> {
  const whole = { ...by, isPlain: true };
  const states = (await ask(sample, whole)).stats.states;
  if (name === "--workers") {
    const input = { ...(readInput(sample.file) as Input) };
    const options = { ...sample.options, ...whole, workers: 2, isolation: "none" } as const;
    const report = sample.check ? await sample.check(options) : await library().check(input, options);
    expect(report.stats.threads, JSON.stringify(report.diagnostics)).toBe(2);
    expect([overallVerdict(report), report.stats.states]).toEqual([overallVerdict(base), states]);
    return;
  }
  const folder = join(directory, `${folders++}`);
  const half = name === "--resume" ? { budget: { maxStates: Math.ceil(states / 2) } } : {};
  const first = await ask(sample, { ...whole, ...half, disk: { directory: folder, resumes: false } });
  expect(existsSync(join(folder, "manifest.json")), JSON.stringify(first.diagnostics)).toBe(true);
  if (name === "--disk")
    return void expect([overallVerdict(first), first.stats.states]).toEqual([overallVerdict(base), states]);
  expect(accepts.facets.resume).toBe(true);
  expect(overallVerdict(first)).toBe("unknown");
  const rest = await ask(sample, { ...whole, disk: { directory: folder, resumes: true } });
  expect([overallVerdict(rest), rest.stats.states]).toEqual([overallVerdict(base), states]);
}

async function ofRun(name: string, sample: GridSample, base: CheckReport): Promise<void> {
  const input = readInput(sample.file) as Input;
  switch (name) {
    case "simulate": {
      const { model } = await load(input, { ...sample.options, run: "simulate" }, registry);
      const simulation = new Simulation(model!);
      for (let steps = 0; steps < 3 && simulation.count > 0; steps++) {
        const told = simulation.describe(simulation.count - 1);
        expect(simulation.take(simulation.count - 1).action).toBe(told.action);
      }
      return void expect(simulation.choices.length).toBeGreaterThan(0);
    }
    case "replay":
      return violates(elsewhere(sample, sample.broken));
    case "explore":
      // What the page shows of each language: test/explorer/languages.test.ts.
      return void expect((await mistakesOf(input, sample.options ?? {})).diagnostics).toEqual([]);
    case "unreached parts": {
      const { unreached = [] } = await ask(sample, { engine: "explicit" });
      return void expect(unreached.map(({ text }) => text)).toContain(sample.unreached);
    }
    default:
      expect(base.coverage).toBeUndefined();
      expect((await ask(sample, { measuresCoverage: true })).coverage?.length).toBeGreaterThan(0);
  }
}
