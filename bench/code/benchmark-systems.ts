/** The project's systems of nodes that hold: loads each and visits all its states. */
import { readdirSync } from "node:fs";
import { basename, dirname, relative, resolve } from "node:path";
import {
  OpaqueNode,
  bundleSystem,
  makeModel,
  type SystemModel,
  type SystemModelOptions,
  type SystemSource,
} from "../../src/code/system/index.js";
import { Sources } from "../../src/model/index.js";
import { searchAlone, type AloneOptions, type Threaded } from "./threads.js";

export interface BenchmarkSystem {
  readonly name: string;
  readonly source: SystemSource;
}

export interface Visited extends Threaded {
  readonly model: SystemModel;
  /** Replayed nodes by name, with the reason. */
  readonly replayed: ReadonlyMap<string, string>;
}

/** Unlisted systems are used without parameters. */
const sizes: Readonly<Record<string, readonly Parameters[]>> = {
  "aodv-ref.ts": [{ Q: 1 }, { Q: 2 }, { Q: 3 }, { LINE4: true }],
  "aodv/system.ts": [{ Q: 1 }, { Q: 1, FAILURES: 1 }],
  "tcp/system.ts": [{ DATA: 1, DUPLICATES: 0 }],
};

type Parameters = Readonly<Record<string, number | boolean>>;

/** All systems of the examples, so that new ones are included. */
export async function benchmarkSystems(): Promise<BenchmarkSystem[]> {
  const examples = `${process.cwd()}/examples/code`;
  const files = [
    ...readdirSync(`${examples}/systems`).map((name) => `${examples}/systems/${name}`),
    `${examples}/aodv/system.ts`,
    `${examples}/tcp/system.ts`,
  ];
  const found: BenchmarkSystem[] = [];
  for (const file of files.filter((name) => name.endsWith(".ts"))) {
    const short = relative(examples, file).replace(/^systems\//, "");
    for (const parameters of sizes[short] ?? [{}]) found.push(await systemIn(file, short, parameters));
  }
  return found;
}

export async function systemIn(
  file: string,
  short = basename(file),
  parameters: Parameters = {},
): Promise<BenchmarkSystem> {
  const source = await bundleSystem(resolve(file), dirname(resolve(file)), parameters);
  if (!("code" in source)) throw new Error(`${file} cannot be loaded: ${source[0]!.message}`);
  const told = Object.entries(parameters).map(([key, value]) => (value === true ? key : `${key}=${value}`));
  return { name: [short.replace(/\.ts$/, ""), ...told].join(" "), source };
}

/** A node that turns out not to be data is replayed from then on, as in any check. */
export async function visit(
  { source }: Pick<BenchmarkSystem, "source">,
  how: Pick<SystemModelOptions, "hash"> & AloneOptions = {},
  replayed: ReadonlyMap<string, string> = new Map(),
): Promise<Visited> {
  const sources = new Sources();
  try {
    const options = { replayed: new Set(replayed.keys()), sources, timeoutMs: 5000, hash: how.hash };
    const model = makeModel(source, options);
    return { model, replayed, ...(await searchAlone(model, how)) };
  } catch (error) {
    if (!(error instanceof OpaqueNode) || replayed.has(error.node)) throw error;
    const why = `${error.what} at ${error.path}`;
    return visit({ source }, how, new Map([...replayed, [error.node, why]]));
  }
}
