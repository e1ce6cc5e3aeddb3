/**
 * The acceptance checks of probabilistic storage, expected beside obtained: `npm run bench:probabilistic -- [--quick]
 * [--only PART]`. `--quick` makes fewer trials; `--only` runs parts whose name contains the text. Seeds are fixed.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { BitstateStore, type Indexing } from "../src/engines/explicit/stores/bitstate.js";
import { CompactStore } from "../src/engines/explicit/stores/compact.js";
import { UniversalHash, stateHash } from "../src/engines/explicit/stores/hashing.js";
import { omissionsAmong, type Lossy } from "../src/engines/explicit/stores/omissions.js";
import { Ledger } from "../src/engines/explicit/ledger.js";
import { check } from "../src/index.js";
import { generator, randomKeys } from "../test/engines/stores/keys.js";
import { searchWith } from "../test/engines/stores/searching.js";
import { inRepository } from "../test/repository.js";
import { murphiFilter, systemModel } from "./nets.js";
import { Checks, digits } from "./stores/checks.js";
import { figures } from "./stores/figures.js";

const { values } = parseArgs({
  options: { quick: { type: "boolean", default: false }, only: { type: "string", default: "" } },
});
const isQuick = values.quick;
const checks = new Checks(values.only);

await checks.part("formulas", formulas);
await checks.part("bitstate statistics", bitstateStatistics);
await checks.part("high accuracy", highAccuracy);
await checks.part("compaction statistics", compactionStatistics);
await checks.part("memory", memoryUse);
await checks.part("differential hashing", differentialHashing);
await checks.part("filter lock", filterLock);
await checks.part("index cost", indexCost);
await checks.part("one call", oneCallInsteadOfTwo);
await checks.part("pipeline", pipeline);
await checks.part("planted error", plantedError);
checks.finish();

function formulas(): void {
  for (const { name, expected, obtained, tolerance } of figures())
    checks.report(
      name,
      digits(expected),
      digits(obtained),
      expected === 0 ? obtained < 1e-6 : Math.abs(obtained / expected - 1) < tolerance,
    );
}

function omitted(
  n: number,
  keys: Int32Array,
  seed: number,
  bits: number,
  functions: number,
  indexing: Indexing,
): number {
  const options = { bits, functions, indexing, hash: "murmur", seed, compareFrom: 0 } as const;
  const store = BitstateStore.create(options, new Ledger())!;
  for (let i = 0; i < n; i++) store.addIfNew(keys, 4 * i, 4);
  return n - store.count;
}

function bitstateStatistics(): void {
  const n = isQuick ? 2e4 : 1e5;
  const trials = isQuick ? 60 : 200;
  const keys = randomKeys(n, 7);
  for (const indexing of ["triple", "enhanced"] as const)
    for (const [c, k] of [
      [4, 4],
      [8, 7],
      [16, 12],
    ] as const) {
      let sum = 0;
      for (let seed = 0; seed < trials; seed++) sum += omitted(n, keys, seed, c * n, k, indexing);
      const { expected } = omissionsAmong({ kind: "bitstate", bits: c * n, functions: k }, n);
      const error = Math.sqrt(expected / trials);
      checks.report(
        `${indexing} hashing, ${c} bits per state, k=${k}, ${trials} trials of ${n}`,
        `${digits(expected)} ± ${digits(3 * error)}`,
        digits(sum / trials),
        Math.abs(sum / trials - expected) < 3 * error,
      );
    }
}

/** Double hashing is clearly worse here. Published for 5000 trials; both may be off by three standard errors. */
function highAccuracy(): void {
  const [n, c, k] = [2e4, 32, 24];
  const trials = isQuick ? 300 : 5000;
  const keys = randomKeys(n, 8);
  const { expected } = omissionsAmong({ kind: "bitstate", bits: c * n, functions: k }, n);
  for (const [indexing, published] of [
    ["double", 0.016],
    ["enhanced", 0.001],
    ["triple", expected],
  ] as const) {
    let sum = 0;
    for (let seed = 0; seed < trials; seed++) sum += omitted(n, keys, seed, c * n, k, indexing);
    const error = 3 * (Math.sqrt(published / trials) + Math.sqrt(published / 5000));
    checks.report(
      `c=32, k=24, ${indexing} hashing: omissions a run in ${trials} trials`,
      `${digits(published)} ± ${digits(error)}`,
      digits(sum / trials),
      Math.abs(sum / trials - published) <= error,
    );
  }
}

function compactionStatistics(): void {
  const n = 1e5;
  const trials = isQuick ? 40 : 200;
  const keys = randomKeys(n, 9);
  const means = [16, 15].map((width) => {
    let sum = 0;
    let lossy!: Lossy;
    for (let seed = 0; seed < trials; seed++) {
      const options = { cells: 111_119, width, hash: "murmur", seed, compareFrom: 0 } as const;
      const store = CompactStore.create(options, new Ledger())!;
      ({ lossy } = store);
      for (let i = 0; i < n; i++) store.addIfNew(keys, 4 * i, 4);
      sum += n - store.count;
    }
    const { expected } = omissionsAmong(lossy, n);
    const error = Math.sqrt(expected / trials);
    checks.report(
      `compaction to ${width} bits, ${trials} trials of ${n} in 111,119 cells`,
      `${digits(expected)} ± ${digits(3 * error)}`,
      digits(sum / trials),
      Math.abs(sum / trials - expected) < 3 * error,
    );
    return sum / trials;
  });
  const ratio = means[1]! / means[0]!;
  const noise = 3 * ratio * Math.sqrt(1 / (trials * means[0]!) + 1 / (trials * means[1]!));
  checks.report(
    "zero reserved instead of an occupied bit: times fewer",
    `1.8 to 2.0 ± ${digits(noise)}`,
    digits(ratio),
    ratio > 1.8 - noise && ratio < 2 + noise,
  );
}

function memoryUse(): void {
  const bytes = 1750 * 2 ** 20;
  const ledger = new Ledger();
  const common = { hash: "murmur", seed: 1, compareFrom: 0 } as const;
  const bits = BitstateStore.create({ ...common, bits: 8 * bytes, functions: 3 }, ledger)!;
  checks.report(
    "1750 MB of bits are used",
    ">= 99.9 %",
    `${(100 * bits.bits) / 8 / bytes} %`,
    bits.bits / 8 >= 0.999 * bytes,
  );
  const cells = CompactStore.create({ ...common, cells: Math.floor((8 * bytes) / 31), width: 31 }, ledger)!;
  const used = (cells.cells * 31) / 8 / bytes;
  checks.report("1750 MB of 31-bit cells are used", ">= 99.9 %", `${digits(100 * used)} %`, used >= 0.999);
}

function differentialHashing(): void {
  const random = generator(4);
  const width = 16;
  const [stepwise, whole] = [new UniversalHash(3, 0), new UniversalHash(3, 0)];
  const state = Int32Array.from({ length: width }, random);
  stepwise.hash(state, 0, width);
  let same = 0;
  for (let step = 0; step < 1e6; step++) {
    const k = (random() >>> 8) % width;
    const difference = random();
    state[k]! ^= difference;
    stepwise.update(k, difference);
    whole.hash(state, 0, width);
    if (
      whole.out[0] === stepwise.out[0] &&
      whole.out[1] === stepwise.out[1] &&
      whole.out[2] === stepwise.out[2]
    )
      same++;
  }
  checks.equal("differential H3 equals full H3 on random transitions", 1e6, same);
}

async function filterLock(): Promise<void> {
  const search = async (width: number, cells: number, seed: number) =>
    searchWith(systemModel(murphiFilter(5)), "bfs", { kind: "compact", cells, width, hash: "murmur", seed });
  for (const [width, cells] of [
    [20, 930_911],
    [24, 808_421],
    [40, 529_657],
  ] as const)
    checks.equal(`FILTER-5, b=${width}: states`, 409_308, (await search(width, cells, 1)).states);
  const seeds = isQuick ? 8 : 50;
  let lost = 0;
  for (let seed = 1; seed <= seeds; seed++) lost += 409_308 - (await search(16, 1_097_143, seed)).states;
  const expected = omissionsAmong({ kind: "compact", cells: 1_097_143, width: 16 }, 409_308).expected;
  const error = 3 * Math.sqrt(expected / seeds) + 0.5; // states behind omitted ones are additional
  checks.report(
    `FILTER-5, b=16: states lost on average over ${seeds} seeds`,
    `${digits(expected)} ± ${digits(error)}`,
    digits(lost / seeds),
    Math.abs(lost / seeds - expected) < error,
  );
}

/** A sorting pipe: 659,683 states of 104 bytes, 32 bits each, hence 24 functions; depth-first like Spin. The best of three. */
async function indexCost(): Promise<void> {
  const text = readFileSync(inRepository("bench", "models", "reduction", "sortpipe.pml"), "utf8");
  const time = async (hashFunctions: number): Promise<number> => {
    const before = process.cpuUsage();
    await check(
      { file: "sortpipe.pml", text },
      {
        store: "bitstate",
        search: "dfs",
        isPlain: true,
        storeRequest: { tableBytes: 4 * 659_683, hashFunctions },
      },
    );
    return process.cpuUsage(before).user / 1e6;
  };
  await time(3);
  const [few, many]: [number[], number[]] = [[], []];
  for (let round = 0; round < 3; round++) {
    few.push(await time(3));
    many.push(await time(24));
  }
  const times = Math.min(...many) / Math.min(...few);
  checks.report(
    "k=24 against k=3, whole searches, states of 104 bytes",
    "at most 1.6 times",
    `${digits(times)} times`,
    times <= 1.6,
  );
}

function oneCallInsteadOfTwo(): void {
  const width = 25;
  const random = generator(6);
  const keys = Int32Array.from({ length: 1000 * width }, random);
  const [once, again] = [stateHash("jenkins", 1, 0), stateHash("jenkins", 2, 0)];
  const time = (isTwice: boolean): number => {
    const before = process.cpuUsage();
    for (let round = 0; round < 1000; round++)
      for (let i = 0; i < 1000; i++) {
        once.hash(keys, i * width, width);
        if (isTwice) again.hash(keys, i * width, width);
      }
    return process.cpuUsage(before).user / 1e6;
  };
  time(true);
  const [single, double] = [time(false), time(true)];
  checks.report(
    "one Jenkins call instead of two, 100-byte states",
    "clearly faster",
    `${digits(double / single)} times`,
    double / single > 1.3,
  );
}

/** A chain of independent counters, of any number of states. */
function counters(limit: number, bad = "false"): string {
  return `
byte x, y, z;
active proctype X() { do :: x < ${limit} -> x++ :: x == ${limit} -> x = 0 od }
active proctype Y() { do :: y < ${limit} -> y++ :: y == ${limit} -> y = 0 od }
active proctype Z() { do :: z < ${limit} -> z++ :: z == ${limit} -> assert(!(${bad})); z = 0 od }
`;
}

/** Breadth-first, and depth-first, whose stack reaches the number of states and counts as memory. */
async function pipeline(): Promise<void> {
  const limit = isQuick ? 30 : 105;
  const memoryBytes = isQuick ? 2_000_000 : 64e6;
  for (const order of ["bfs", "dfs"] as const) {
    const report = await check(
      { file: "counters.pml", text: counters(limit) },
      { accept: "probabilistic", search: order, budget: { memoryBytes } },
    );
    const store = report.runs[0]?.store;
    const { reason } = report.properties[0] ?? {};
    const told = `${report.stats.states} states, ${store?.kind}, ${store?.omissions?.runs ?? 0} lossy runs, probability ${store?.omissions?.probability}; ${store?.reason}; ${reason}`;
    const isReached = (store?.omissions?.probability ?? 1) <= 1e-3 && (store?.omissions?.runs ?? 0) > 1;
    const isExplained =
      report.properties.some(({ verdict }) => verdict === "unknown") && reason !== undefined;
    checks.report(
      `auto, ${order}, ${memoryBytes / 1e6} MB for everything: supertrace, then the store it recommends`,
      "probability <= 0.001 after at least two runs, or a reason why not",
      told,
      isReached || (order === "dfs" && isExplained),
    );
  }
}

/** One state in 10,000 is bad; two bits per state, three functions. */
async function plantedError(): Promise<void> {
  const seeds = 20;
  const limit = isQuick ? 40 : 79;
  const exact = await check({ file: "counters.pml", text: counters(limit) }, { store: "exact" });
  const tableBytes = Math.ceil(exact.stats.states / 4);
  let found = 0;
  for (let seed = 1; seed <= seeds; seed++) {
    const text = counters(limit, `x == ${Math.floor(limit / 2)} && y < 40`);
    const report = await check(
      { file: "counters.pml", text },
      { store: "bitstate", seed, storeRequest: { tableBytes, hashFunctions: 3 } },
    );
    if (report.properties.some(({ verdict }) => verdict === "violated")) found++;
  }
  checks.report(
    `an error in about 0.01 % of ${exact.stats.states} states, 2 bits per state, k=3`,
    `found by at least 95 % of ${seeds} seeds`,
    `${(100 * found) / seeds} %`,
    found >= 0.95 * seeds,
  );
}
