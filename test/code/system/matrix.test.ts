/**
 * The quick part of the matrix of reconstructed errors (`npm run bench:matrix` runs all): one error of each class is
 * found by the default check, with the shortest trace, which replays; without errors, the properties hold.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  aodvFile,
  aodvRows,
  presets,
  published,
  tcpFile,
  tcpRows,
  type ErrorRow,
} from "../../../bench/code/matrix-errors.js";
import { catalogue as aodvErrors } from "../../../examples/code/aodv/errors.js";
import { catalogue as tcpErrors } from "../../../examples/code/tcp/errors.js";
import type { CheckReport } from "../../../src/report/index.js";
import { checkInput } from "../../../src/session/check/check.js";
import { registry } from "../../../src/session/registry.js";
import { replayInput } from "../../../src/session/replay/replay.js";
import { inRepository } from "../../repository.js";

const small = ["AF2", "AF6", "ML1", "ML8", "UF1", "UM1", "IP4", "PA1", "RL3", "T1", "T2", "T3"];

describe("the catalogue", () => {
  test("has the published number of errors of each class", () => {
    const reports = published.reduce((sum, [, ...counts]) => sum + counts.reduce((a, b) => a + b), 0);
    expect(reports).toBe(42);
    expect(aodvRows.length).toBe(36);
    expect(Object.values(presets).map((errors) => errors.length)).toEqual([18, 16, 8]);
    expect(new Set(Object.values(presets).flat()).size).toBe(36);
  });

  test.each([
    [aodvErrors, "aodv"],
    [tcpErrors, "tcp"],
  ])("every error is made somewhere in the code", (errors, folder) => {
    const text = sourcesOf(folder);
    for (const name of Object.keys(errors)) expect(text, name).toMatch(new RegExp(`"${name}"`));
  });
});

describe("an error by itself", () => {
  const rows = [
    ...aodvRows.map((row) => ({ ...row, file: aodvFile })),
    ...tcpRows.map((row) => ({ ...row, file: tcpFile })),
  ].filter(({ name }) => small.includes(name));
  test.each(rows)("$name $environment: $property, $steps steps", async (row) => {
    const defines = definesOf(row);
    const { properties } = await check(row.file, defines, [row.property]);
    const [found] = properties;
    expect([found!.verdict, found!.trace?.steps.length]).toEqual(["violated", row.steps]);
    const { schedule } = found!.trace!;
    const again = await replayInput(inputOf(row.file), { schedule }, { defines }, registry);
    expect(again.outcome).toBe("failed");
  });
});

describe("without errors everything holds", () => {
  test.each([
    [aodvFile, ["Q=1", "FAILURES=1", "GRAT"]],
    [aodvFile, ["Q=1", "TO=1", "FORGED=1"]],
    [tcpFile, ["DUPLICATES=0", "TIMEOUTS=1"]],
    [tcpFile, ["ZERO", "DATA=0", "DUPLICATES=0", "TIMEOUTS=1"]],
  ])("%s %s", async (file, defines) => {
    const { properties, stats } = await check(file, defines);
    expect(properties.map(({ verdict }) => verdict)).toEqual(properties.map(() => "holds"));
    expect(stats.states).toBeGreaterThan(500);
  });
});

const definesOf = ({ environment, name }: ErrorRow): string[] =>
  [...environment.split(" "), name].filter((define) => define !== "");

async function check(
  file: string,
  defines: readonly string[],
  properties?: readonly string[],
): Promise<CheckReport> {
  const options = { defines, ...(properties ? { properties } : {}) };
  const { report } = await checkInput(inputOf(file), options, registry);
  expect(report.diagnostics).toEqual([]);
  return report;
}

function inputOf(name: string): { file: string; text: string } {
  const file = inRepository(name);
  return { file, text: readFileSync(file, "utf8") };
}

function sourcesOf(folder: string): string {
  const names = folder === "aodv" ? aodvSources : tcpSources;
  return names
    .map((name) => readFileSync(inRepository(`examples/code/${folder}/${name}.ts`), "utf8"))
    .join("");
}

const aodvSources = [
  ...["core", "discovery", "multicast", "neighbours", "request-cache"],
  ...["route-error", "route-reply", "route-request", "route-table", "timers"],
];
const tcpSources = ["connection", "input", "stack"];
