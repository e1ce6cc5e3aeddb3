/**
 * Search on a device beside the processor and `pan`: `npm run bench:gpu -- [--models DIR] [--device NAME|N] [--only TEXT,…] [--huge]
 * [--store flat|tree] [--gpu-memory GIB] [--time SECONDS] [--pans DIR] [--device-alone] [--compiler OPTIONS] [--lanes N] [--json FILE]`.
 *
 * For each model of `--models` and of the bench: states, transitions, seconds from text to verdict, in kernels and in the driver's compiler,
 * our own search by one thread and by all, `pan` breadth-first (binaries `NAME.pan` in `--pans`; otherwise built where `spin` and `gcc` are
 * installed), ratios, and bytes per state. Each model is searched twice on the device, and the second time counts, unless it has more than 10^8
 * states (`--huge`). Rows are written to `--json` as they come. Exits with 1 if a count differs.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openClDevices } from "../src/devices/koffi.js";
import { checkExplicit, type ExplicitResult, type Resources } from "../src/engines/explicit/index.js";
import { searchOnDevice } from "../src/engines/gpu/index.js";
import type { DeviceFigures, Model } from "../src/model/index.js";
import { searchWorkers } from "../src/session/engines/search-worker.js";
import { load, registry } from "../src/session/index.js";
import { gpuModels, type GpuModel } from "./gpu/models.js";

const { values } = parseArgs({
  options: {
    models: { type: "string" },
    device: { type: "string" },
    only: { type: "string" },
    huge: { type: "boolean", default: false },
    "gpu-memory": { type: "string" },
    time: { type: "string", default: "60" },
    pans: { type: "string" },
    "device-alone": { type: "boolean", default: false },
    "write-models": { type: "string" },
    compiler: { type: "string", default: "" },
    lanes: { type: "string", default: "2048" },
    store: { type: "string" },
    json: { type: "string" },
  },
});

interface Row {
  readonly name: string;
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  /** From text to verdict. */
  readonly seconds: number;
  readonly figures: DeviceFigures | undefined;
  /** Seconds of the driver's compiler, before its cache had the kernel. */
  readonly firstBuild: number;
  readonly bytesPerState: number;
  readonly stateBytes: number;
  readonly oneThread: number | undefined;
  readonly allThreads: number | undefined;
  readonly pan: number | undefined;
  /** Bytes per state of the processor's tree store. */
  readonly treeBytes: number | undefined;
  readonly problem: string;
}

type Named = Partial<GpuModel> & Pick<GpuModel, "name" | "text"> & { readonly file: string };

if (values["write-models"] !== undefined) {
  for (const { name, text } of gpuModels) writeFileSync(join(values["write-models"], `${name}.pml`), text);
  process.exit(0);
}

const device = (await openClDevices()).open(values.device);
const { info } = device;
const memoryBytes = values["gpu-memory"]
  ? Number(values["gpu-memory"]) * 2 ** 30
  : info.kind === "gpu"
    ? 0.92 * info.memoryBytes
    : 2 ** 31;
console.log(
  `device: ${info.name}, ${(info.memoryBytes / 2 ** 30).toFixed(0)} GiB, buffers of ${(info.mostBytes / 2 ** 30).toFixed(1)} GiB, ${info.driver}`,
);
const rows: Row[] = [];
for (const model of selected()) {
  const row = await measure(model);
  rows.push(row);
  console.log(line(row));
  if (values.json) writeFileSync(values.json, JSON.stringify({ device: info, rows }, undefined, 2));
}
summarise();
device.close();
process.exitCode = rows.some(({ problem }) => problem.startsWith("DIFFERS")) ? 1 : 0;

function selected(): Named[] {
  const folder = values.models;
  const ofFolder = folder
    ? readdirSync(folder)
        .filter((name) => /\.(pml|m)$/.test(name))
        .map((name) => ({
          name: basename(name).replace(/\.(pml|m)$/, ""),
          file: name,
          text: readFileSync(join(folder, name), "utf8"),
        }))
    : [];
  const own = gpuModels
    .filter(({ isHuge = false }) => isHuge === values.huge)
    .map((model) => ({ ...model, file: `${model.name}.pml` }));
  const asked = values.only?.split(",");
  return [...(values.huge ? [] : ofFolder), ...own].filter(
    ({ name }) => !asked || asked.some((part) => name.includes(part)),
  );
}

async function measure(named: Named): Promise<Row> {
  const known = { states: named.states, transitions: named.transitions, depth: named.depth };
  try {
    let found = await onDevice(named);
    const firstBuild = figuresOf(found)?.buildSeconds ?? 0;
    if (!values.huge) found = await onDevice(named);
    const { states, transitions, depth, bytesPerState, stateBytes = 0 } = found.result.stats;
    const figures = figuresOf(found);
    const wrong = Object.entries({ states, transitions, depth }).filter(
      ([key, value]) =>
        known[key as keyof typeof known] !== undefined && known[key as keyof typeof known] !== value,
    );
    const others: Beside =
      values.huge || values["device-alone"] ? {} : await beside(named, states, transitions);
    const treeBytes = values.store === "tree" && !values.huge ? await treeBytesOf(named) : undefined;
    const stop = found.result.stop === undefined ? "" : `stopped: ${found.result.stop}`;
    const isWrong = wrong.length > 0 && found.result.stop === undefined;
    const problem = isWrong ? `DIFFERS: ${JSON.stringify(known)}` : (others.problem ?? stop);
    return {
      ...{
        name: named.name,
        states,
        transitions,
        depth,
        seconds: found.seconds,
        figures,
        firstBuild,
        bytesPerState,
        stateBytes,
      },
      ...{ oneThread: others.one, allThreads: others.all, pan: others.pan, treeBytes, problem },
    };
  } catch (error) {
    const zero = { states: 0, transitions: 0, depth: 0, seconds: 0, bytesPerState: 0, stateBytes: 0 };
    const none = {
      figures: undefined,
      firstBuild: 0,
      oneThread: undefined,
      allThreads: undefined,
      pan: undefined,
      treeBytes: undefined,
    };
    return { name: named.name, ...zero, ...none, problem: (error as Error).message.slice(0, 3000) };
  }
}

function figuresOf({ result }: Timed): DeviceFigures | undefined {
  return (result.stats as { device?: DeviceFigures }).device;
}

async function modelOf({ file, text }: Named): Promise<Model> {
  const loaded = await load({ file, text }, { isSearched: true }, registry);
  if (!loaded.model) throw new Error(loaded.diagnostics.map(({ message }) => message).join("; "));
  return loaded.model;
}

interface Timed {
  readonly result: ExplicitResult;
  readonly seconds: number;
}

async function onDevice(named: Named): Promise<Timed> {
  const started = performance.now();
  const model = await modelOf(named);
  const result = await searched(model, {
    device: {
      after: 0,
      search: (chosen, options) =>
        searchOnDevice(chosen, options, device, {
          memoryBytes,
          ...(values.store === "tree" || values.store === "flat" ? { store: values.store } : {}),
          compilerOptions: values.compiler,
          lanesPerUnit: Number(values.lanes),
        }),
    },
  });
  return { result, seconds: (performance.now() - started) / 1000 };
}

async function treeBytesOf(named: Named): Promise<number> {
  const { stats } = await searched(await modelOf(named), {}, "tree");
  return stats.bytesPerState;
}

function searched(
  model: Model,
  resources: Resources,
  store: "flat" | "tree" = "flat",
): Promise<ExplicitResult> {
  return checkExplicit(model, {
    order: "bfs",
    store,
    checkDeadlock: true,
    errors: "all",
    budget: { timeMs: 1000 * Number(values.time), memoryBytes: 64 * 2 ** 30 },
    control: values.huge
      ? {
          onProgress: ({ states, depth, seconds }) => {
            if (Math.floor(seconds) % 5 === 0)
              console.log(`  ${seconds.toFixed(1)} s: ${states} states, depth ${depth}`);
          },
        }
      : {},
    // Formulas are checked elsewhere.
    isChecked: ({ kind }) => !["ltl", "never", "acceptance", "progress", "agef"].includes(kind),
    resources,
  });
}

interface Beside {
  readonly one?: number | undefined;
  readonly all?: number | undefined;
  readonly pan?: number | undefined;
  readonly problem?: string | undefined;
}

async function beside(named: Named, states: number, transitions: number): Promise<Beside> {
  const times: (number | undefined)[] = [];
  let problem: string | undefined;
  for (const resources of [{}, { workers: searchWorkers(availableParallelism()) }]) {
    const model = await modelOf(named);
    const started = performance.now();
    const { stats, stop } = await searched(model, resources);
    times.push(stop === undefined ? (performance.now() - started) / 1000 : undefined);
    if (stop === undefined && (stats.states !== states || stats.transitions !== transitions))
      problem = `DIFFERS: ${stats.states} states and ${stats.transitions} transitions on the processor`;
  }
  return { one: times[0], all: times[1], pan: panSeconds(named), problem };
}

/** Seconds of its search. */
function panSeconds({ name, file, text }: Named): number | undefined {
  if (!file.endsWith(".pml")) return undefined;
  const kept = values.pans && resolve(values.pans, `${name}.pan`);
  if (kept && existsSync(kept)) return runPan(kept);
  if (values.pans || spawnSync("spin", ["-V"]).error || spawnSync("gcc", ["--version"]).error)
    return undefined;
  const folder = mkdtempSync(join(tmpdir(), "everypath-pan-"));
  try {
    writeFileSync(join(folder, "m.pml"), text);
    const made = [
      "spin -o1 -o2 -o3 -a m.pml",
      "gcc -O2 -w -DBFS -DSAFETY -DNOREDUCE -DNOFAIR -DVECTORSZ=4096 -o pan pan.c",
    ].every((command) => spawnSync("sh", ["-c", command], { cwd: folder }).status === 0);
    return made ? runPan(join(folder, "pan")) : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runPan(binary: string): number | undefined {
  const { stdout } = spawnSync(binary, ["-E", "-w27", "-c0"], {
    cwd: tmpdir(),
    encoding: "utf8",
    timeout: 1000 * Number(values.time),
  });
  const found = /elapsed time ([\d.e+-]+) seconds/.exec(stdout ?? "");
  return found ? Number(found[1]) : undefined;
}

function line({
  name,
  states,
  transitions,
  depth,
  seconds,
  figures,
  firstBuild,
  bytesPerState,
  stateBytes,
  ...row
}: Row): string {
  if (states === 0) return `${name}: ${row.problem}`;
  const kernels = figures?.deviceSeconds;
  const over = (other: number | undefined): string =>
    other === undefined || !kernels
      ? "-"
      : `${other.toFixed(2)} s (${(other / seconds).toFixed(1)}x, kernels ${(other / kernels).toFixed(0)}x)`;
  return (
    `${name}: ${states} states, ${transitions} transitions, depth ${depth}; text to verdict ${seconds.toFixed(2)} s, ` +
    `kernels ${kernels?.toFixed(3) ?? "-"} s (rehash ${figures?.rehashSeconds.toFixed(3) ?? "-"}), build ${figures?.buildSeconds.toFixed(2) ?? "-"} s (first ${firstBuild.toFixed(2)}), ` +
    `${kernels ? (transitions / kernels / 1e6).toFixed(0) : "-"} M transitions/s; ` +
    `${bytesPerState.toFixed(1)} bytes per state (words ${stateBytes}${row.treeBytes === undefined ? "" : `, the processor's tree store ${row.treeBytes.toFixed(1)}`}), occupancy ${figures?.occupancy.toFixed(2) ?? "-"}, holes ${figures?.holes ?? "-"}; ` +
    `one thread ${over(row.oneThread)}, all ${over(row.allThreads)}, pan ${over(row.pan)} ${row.problem}`
  );
}

/** Geometric means over the models of more than five million states. */
function summarise(): void {
  const large = rows.filter(({ states, figures }) => states > 5e6 && figures);
  for (const [what, of] of [
    ["one thread", (row: Row) => row.oneThread],
    ["all threads", (row: Row) => row.allThreads],
    ["pan", (row: Row) => row.pan],
  ] as const) {
    const ratios = large.flatMap((row) => {
      const other = of(row);
      return other === undefined
        ? []
        : [{ whole: other / row.seconds, kernels: other / row.figures!.deviceSeconds }];
    });
    if (ratios.length === 0) continue;
    const mean = (key: "whole" | "kernels"): string =>
      Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio[key]), 0) / ratios.length).toFixed(1);
    console.log(
      `${what}, ${ratios.length} models over 5 M states: ${mean("whole")}x from text to verdict, ${mean("kernels")}x kernels alone`,
    );
  }
}
