/**
 * Breadth-first search on a device beside the processor: `npm run conformance:gpu -- [--device NAME|N] [--programs N] [--seed S] [--models DIR]
 * [--only TEXT] [--store tree] [--most-states N] [--minutes N] [--shard K/N] [--json FILE]`.
 *
 * Every Promela and Murphi model of the conformance suites and of `--models` with fewer than 200,000 states, and random programs: states,
 * transitions, depth, errors with their number and the length of their paths, fired rules and coverage must agree, every trace must replay, and no
 * state may have been entered twice. Exits with 1 if a row differs, or if too few models ran on the device.
 */
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { openClDevices } from "../src/devices/koffi.js";
import { DeviceProblem, hasErrors } from "../src/model/index.js";
import { load, registry } from "../src/session/index.js";
import { conformanceFixtures } from "../test/conformance/fixtures.js";
import { comparableExamples, hasExamples } from "../test/conformance/spin-examples.js";
import { compareOnDevice } from "../test/engines/gpu/compare.js";
import { stepCase } from "../test/generators/promela-step.js";
import { renderProgram } from "../test/generators/promela-tree.js";
import { inRepository } from "../test/repository.js";

const { values } = parseArgs({
  options: {
    device: { type: "string" },
    programs: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    models: { type: "string" },
    only: { type: "string", default: "" },
    "most-states": { type: "string", default: "200000" },
    minutes: { type: "string", default: "600" },
    shard: { type: "string", default: "1/1" },
    store: { type: "string" },
    json: { type: "string" },
  },
});

interface Asked {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly defines: readonly string[];
}

const deadline = performance.now() + Number(values.minutes) * 60_000;
const device = (await openClDevices()).open(values.device);
console.log(`device: ${device.info.name} (${device.info.platform}, ${device.info.driver})`);
const tally = {
  same: 0,
  differing: 0,
  refused: 0,
  larger: 0,
  states: 0,
  transitions: 0,
  errors: 0,
  notRun: 0,
};
const reasons = new Map<string, number>();
const rows: unknown[] = [];

const [shard, shards] = values.shard.split("/").map(Number) as [number, number];
for (const asked of [...models(), ...programs()].filter((_, i) => i % shards === shard - 1)) {
  if (performance.now() > deadline) tally.notRun++;
  else if (asked.name.includes(values.only)) await compare(asked);
}
for (const [reason, times] of reasons) console.log(`  refused ${times} times: ${reason}`);
console.log(`conformance:gpu on ${device.info.name}: ${JSON.stringify(tally)}`);
if (values.json)
  writeFileSync(values.json, JSON.stringify({ device: device.info, tally, rows }, undefined, 2));
device.close();
const isThin = tally.same < tally.refused;
if (isThin) console.log("FAILED: too few models ran on the device");
process.exitCode = tally.differing > 0 || isThin ? 1 : 0;

async function compare({ name, file, text, defines }: Asked): Promise<void> {
  const readFile = (path: string): string | undefined => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return undefined;
    }
  };
  const loaded = await load({ file, text, readFile }, { defines, isSearched: true }, registry);
  if (!loaded.model || hasErrors(loaded.diagnostics)) return refuse("not loaded");
  try {
    const found = await compareOnDevice(loaded.model, device, {
      maxStates: Number(values["most-states"]),
      settings: values.store === "tree" ? { store: "tree", firstNodes: 64 } : {},
    });
    if (!found) return void tally.larger++;
    tally[found.differences.length === 0 ? "same" : "differing"]++;
    tally.states += found.states;
    tally.transitions += found.transitions;
    tally.errors += found.errors;
    rows.push({ name, ...found });
    for (const difference of found.differences) console.log(`DIFFERS ${name}: ${difference}`);
  } catch (error) {
    if (error instanceof DeviceProblem && error.kind === "unsuitable") return refuse(error.message);
    tally.differing++;
    console.log(`FAILED ${name}: ${(error as Error).message}`);
  }
}

function refuse(reason: string): void {
  tally.refused++;
  reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
}

function models(): Asked[] {
  const promela = [...conformanceFixtures(), ...(hasExamples() ? comparableExamples() : [])];
  const folders = [inRepository("test/fixtures/murphi/models"), ...(values.models ? [values.models] : [])];
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.(m|pml)$/.test(name))
      .map((name) => ({ name, file: join(folder, name), defines: [] })),
  );
  return [...promela, ...files].map(({ name, file, defines }) => ({
    name: `${basename(dirname(file))}/${name}`,
    file,
    defines: defines ?? [],
    text: readFileSync(file, "utf8"),
  }));
}

function programs(): Asked[] {
  return Array.from({ length: Number(values.programs) }, (_, i) => {
    const seed = Number(values.seed) + i;
    const text = renderProgram(stepCase(seed).program);
    return { name: `seed ${seed}`, file: `seed-${seed}.pml`, defines: [], text };
  });
}
