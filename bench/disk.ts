/**
 * Kill and resume: `npm run bench:disk -- [--model NAME] [--memory SIZE] [--kills N] [--seed N]`.
 *
 * Runs a search on disk undisturbed, then again with kills (`kill -9`) at random points and resumptions, and prints
 * expected and obtained figures. Exits with 1 unless all agree.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type EverypathReport, commandLine } from "../test/peers/everypath.js";
import { inTemporaryDirectory } from "../test/peers/process.js";
import { largeModels, smallModels } from "./models/index.js";
import { renderColumns } from "./statistics.js";

const { values } = parseArgs({
  options: {
    model: { type: "string", default: "allocator-3-5" },
    memory: { type: "string", default: "64M" },
    kills: { type: "string", default: "3" },
    seed: { type: "string", default: `${Date.now() % 1_000_000}` },
  },
});
const model = [...largeModels, ...smallModels].find(({ name }) => name === values.model);
if (!model) throw new Error(`there is no model '${values.model}'`);

let random = Number(values.seed);
await inTemporaryDirectory(async (directory) => {
  const file = join(directory, "model.pml");
  writeFileSync(file, model.text);
  console.log(`${model.name}, --memory ${values.memory}, --seed ${values.seed}`);
  const started = performance.now();
  const undisturbed = await run(file, "--disk", join(directory, "undisturbed"));
  const milliseconds = performance.now() - started;
  console.log(`undisturbed: ${(milliseconds / 1000).toFixed(1)} s`);

  const folder = join(directory, "killed");
  let option = "--disk";
  for (let kill = 1; kill <= Number(values.kills); kill++) {
    const after = (milliseconds * nextRandom()) / Number(values.kills);
    const report = await run(file, option, folder, after);
    if (existsSync(join(folder, "manifest.json"))) option = "--resume";
    console.log(
      `kill ${kill} after ${(after / 1000).toFixed(1)} s: ${report ? "too late" : progressIn(folder)}`,
    );
  }
  const resumed = await run(file, option, folder);
  compare(undisturbed!, resumed!);
});

/** The report, or undefined if the process was killed before it had one. */
function run(
  file: string,
  option: string,
  folder: string,
  killAfterMs?: number,
): Promise<EverypathReport | undefined> {
  return new Promise((resolve, reject) => {
    const options = [
      "--memory",
      values.memory,
      "--plain",
      "--reduction",
      "none",
      "--progress",
      "none",
      "--json",
    ];
    const child = spawn(process.execPath, [commandLine(), "check", file, option, folder, ...options], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const timer =
      killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.on("error", reject);
    child.on("close", (code) => {
      clearTimeout(timer);
      if (code === null) resolve(undefined);
      else if (code === 0) resolve(JSON.parse(stdout) as EverypathReport);
      else reject(new Error(`exit code ${code}: ${stdout}`));
    });
  });
}

function progressIn(folder: string): string {
  const manifest = join(folder, "manifest.json");
  if (!existsSync(manifest)) return "nothing on disk yet";
  const { checkpoint } = JSON.parse(readFileSync(manifest, "utf8")) as {
    checkpoint?: { states: number; resident: number; level: number; runs: readonly unknown[] };
  };
  if (!checkpoint) return "no checkpoint yet";
  const { states, resident, level, runs } = checkpoint;
  return `${states} states on disk, ${resident} of them in memory, level ${level}, ${runs.length} runs`;
}

function compare(expected: EverypathReport, obtained: EverypathReport): void {
  const figures = ["states", "transitions", "depth"] as const;
  console.log(
    `\n${renderColumns([
      ["figure", "expected", "obtained"],
      ...figures.map((figure) => [figure, `${expected.stats[figure]}`, `${obtained.stats[figure]}`]),
      ["verdict", expected.verdict, obtained.verdict],
    ])}`,
  );
  const isSame =
    expected.verdict === obtained.verdict &&
    figures.every((figure) => expected.stats[figure] === obtained.stats[figure]) &&
    expected.stats.states === model!.states;
  console.log(isSame ? "\nthe same" : "\nDIFFERENT");
  if (!isSame) process.exitCode = 1;
}

/** Reproducible numbers between 0 and 1. */
function nextRandom(): number {
  random = (Math.imul(random ^ (random >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
  return ((random >>> 8) % 10_000) / 10_000;
}
