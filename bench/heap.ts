/**
 * Acceptance points of heap canonicalization, expected and obtained: `npm run bench:heap`.
 *
 * `-- --trials N`: number of random graphs (default 10,000). `--only PART`: one part. `--plot FILE`: write the curves
 * of incremental and full hashing as SVG.
 */
import { runInThisContext } from "node:vm";
import {
  CodeInspector,
  hiddenIntrinsics,
  realmRules,
  type HeapRules,
  type Snapshot,
} from "../src/code/heap/index.js";
import {
  ChainTable,
  ContextTable,
  accessChains,
  canonicalText,
  imagesAt,
  locateByChain,
  locateDepthFirst,
  type HeapGraph,
  type Locations,
} from "./heap/graph.js";
import { graphOf } from "./heap/graph-of.js";
import { parseHeap } from "./heap/text.js";
import { heapOf, taken } from "../test/code/heap/capturing.js";
import { build, type GraphPlan, type NodePlan, type ValuePlan } from "../test/code/heap/random-graph.js";
import { argument } from "./arguments.js";
import { auditedCaptures } from "./code/audits.js";
import { systemIn, visit } from "./code/benchmark-systems.js";
import { countsOnSystems, countsWithout } from "./code/counts.js";
import { runSynthetic } from "./code/synthetic-heap.js";
import { crossover, type Heaps } from "./code/crossover.js";
import { opaqueKinds } from "./code/opaque-kinds.js";
import { Results } from "./code/table.js";
import { BenchThreads } from "./code/threads.js";

// Files that run inside realms come from this checkout.
process.env["EVERYPATH_ROOT"] ??= process.cwd();

const inspector = new CodeInspector();
const hidden = runInThisContext(hiddenIntrinsics) as object[];
const rules = realmRules(globalThis, { inspector, hidden });
const results = new Results();
const heaps: Heaps = {
  heapOf: (root, hash) => heapOf(root, rules, hash),
  taken: (heap) => taken(heap.capture()),
};

const parts: Readonly<Record<string, () => void | Promise<void>>> = {
  workedExamples,
  randomGraphs: () => randomGraphs(Number(argument("trials") ?? 10_000)),
  counts: () => countsOnSystems(results),
  otherWays: () => countsWithout(results),
  threads: signaturesOfThreads,
  syntheticTable,
  largeContents,
  crossover: () => crossover(results, heaps, argument("plot")),
  opaqueKinds: () => opaqueKinds(results, rules),
  reuse,
  longList,
  audits: () => auditedCaptures(results, rules),
};
const only = argument("only");
if (only !== undefined && !(only in parts)) throw new Error(`--only ${Object.keys(parts).join(" | ")}`);
for (const [name, part] of Object.entries(parts)) if (only === undefined || only === name) await part();
results.finish();

function workedExamples(): void {
  results.heading("AC-H1: worked examples");
  const one = parseHeap("a:2 { 0=1; 1=@b; } b:2 { 0=2; 1=@c; } c:2 { 0=3; 1=null; }");
  const other = parseHeap("a:2 { 0=1; 1=@b; } c:2 { 0=3; 1=null; } b:2 { 0=2; 1=@c; }");
  results.row("list: chain of the third element", "1,1", accessChains(one)[2]!.join());
  for (const [name, locate] of algorithms()) {
    const equal = canonicalText(one, locate(one)) === canonicalText(other, locate(other));
    results.row(
      `list in two memory orders, ${name}`,
      name === "memory order" ? "different" : "equal",
      equal ? "equal" : "different",
    );
  }
  const tree = parseHeap(
    "head:3 { 0=@left; 1=10; 2=@right; } left:3 { 0=null; 1=20; 2=null; } right:3 { 0=null; 1=30; 2=null; }",
  );
  const cut = parseHeap("head:3 { 0=null; 1=10; 2=@right; } right:3 { 0=null; 1=30; 2=null; }");
  const table = new ChainTable();
  const whole = table.locate(tree);
  results.row(
    "tree: locations depth-first",
    "0,3,6 then 0,3",
    `${locateDepthFirst(tree)} then ${locateDepthFirst(cut)}`,
  );
  results.row("tree: locations by table", "0,3,6 then 0,6", `${whole} then ${table.locate(cut)}`);
  const known = new Set(imagesAt(tree, whole));
  const again = imagesAt(cut, table.locate(cut)).filter((image) => !known.has(image)).length;
  results.row("tree: objects hashed again by table", 1, again);
  results.row("tree: locations in a fresh run", "0,3", `${new ChainTable().locate(cut)}`);
  const lengths = new ChainTable();
  lengths.locate(parseHeap("r:2 { 0=@a; 1=@b; } a:2 { 0=1; } b:2 { 0=2; }"));
  results.row(
    "lengths at one chain: no overlap",
    "0,6,4",
    `${lengths.locate(parseHeap("r:2 { 0=@a; 1=@b; } a:5 { 0=1; } b:2 { 0=2; }"))}`,
  );
  const queue = [
    [1, 2, 3],
    [1, 3, 2],
    [2, 1, 3],
    [2, 3, 1],
    [3, 1, 2],
    [3, 2, 1],
  ].map(sortedQueue);
  const contexts = new ContextTable();
  results.row(
    "sorted queue: states depth-first",
    1,
    new Set(queue.map((h) => canonicalText(h, locateDepthFirst(h)))).size,
  );
  results.row(
    "sorted queue: states by chain",
    1,
    new Set(queue.map((h) => canonicalText(h, locateByChain(h)))).size,
  );
  const byContext = new Set(queue.map((h) => canonicalText(h, contexts.locate(h)))).size;
  results.row("sorted queue: states by allocation context", "more than 1", byContext, byContext > 1);
  const shared = {};
  results.row("aliases", "different", sign([shared, shared]) === sign([{}, {}]) ? "equal" : "different");
  results.row(
    "key order",
    "different",
    sign({ a: 1, b: 2 }) === sign({ b: 2, a: 1 }) ? "equal" : "different",
  );
  const sorted = realmRules(globalThis, { inspector, hidden, sortsKeys: true });
  results.row(
    "key order, sorted",
    "equal",
    sign({ a: 1, b: 2 }, sorted) === sign({ b: 2, a: 1 }, sorted) ? "equal" : "different",
  );
}

function algorithms(): [string, (graph: HeapGraph) => Locations][] {
  const table = new ChainTable();
  return [
    ["memory order", ({ objects }) => objects.map((_, index) => index)],
    ["dfs", locateDepthFirst],
    ["bfs-table", (graph) => table.locate(graph)],
    ["bfs-chain", locateByChain],
  ];
}

function sortedQueue(arrivals: readonly number[]): HeapGraph {
  const { objects } = parseHeap(
    "q:1 { 0=@p1; } p1:2 { 0=1; 1=@p2; } p2:2 { 0=2; 1=@p3; } p3:2 { 0=3; 1=null; }",
  );
  return {
    objects: objects.map((o, i) => (i === 0 ? o : { ...o, context: `packet ${arrivals.indexOf(i)}` })),
  };
}

function randomGraphs(trials: number): void {
  results.heading(`AC-H2: ${trials} random graphs of up to 200 objects`);
  const random = lcg(7);
  let equal = 0;
  let different = 0;
  for (let trial = 0; trial < trials; trial++) {
    // Mostly small graphs; some large ones.
    const plan = randomPlan(random, 1 + random(trial % 20 === 0 ? 200 : 25));
    const order = plan.nodes.map((_, i) => i).sort(() => random(3) - 1);
    const [one, other] = [capture(build(plan)), capture(build(plan, order))];
    const [a, b] = [graphOf(one, rules), graphOf(other, rules)];
    const table = new ChainTable();
    const isEqual =
      one.signature === other.signature &&
      canonicalText(a, locateDepthFirst(a)) === canonicalText(b, locateDepthFirst(b)) &&
      canonicalText(a, table.locate(a)) === canonicalText(b, table.locate(b));
    if (isEqual) equal++;
    const root = build(plan);
    const heap = heapOf(root, rules);
    const before = taken(heap.capture());
    const place = 1 + random(before.entries.length - 1);
    (before.entries[place]!.object as Record<string, unknown>)[`changed${trial}`] =
      random(2) === 0 ? root : trial;
    if (taken(heap.capture()).signature !== before.signature) different++;
  }
  results.row("isomorphic copies have equal hashes (dfs, bfs-table, bfs-chain)", trials, equal);
  results.row("a single change gives another hash", trials, different);
}

function randomPlan(random: (n: number) => number, count: number): GraphPlan {
  const kinds = ["object", "array", "map", "set", "date", "class", "bytes", "null-object"] as const;
  const atoms = [0, -0, 1, "a", "", null, undefined, true, NaN, 10n];
  const value = (): ValuePlan =>
    random(2) === 0 ? { to: random(count) } : { atom: atoms[random(atoms.length)] };
  const node = (): NodePlan => ({
    kind: kinds[random(kinds.length)]!,
    fields: ["a", "b", "c", "d", "e"].slice(0, random(6)).map((key) => ({ key, value: value() })),
  });
  return { nodes: Array.from({ length: count }, node) };
}

/** Equal signatures for every search order and number of threads. */
async function signaturesOfThreads(): Promise<void> {
  results.heading("AC-H7: signatures of all states of the AODV model (3 nodes, queue of 2)");
  const { source } = await systemIn("examples/code/systems/aodv-ref.ts", "A3-Q2", { Q: 2 });
  const threads = await BenchThreads.open();
  const alone = (await threads.search(source, 1)).signatures();
  results.row("states of one worker", 11_466, alone.length);
  const compare = (name: string, found: readonly string[]): void => {
    const isSame = found.length === alone.length && found.every((text, i) => text === alone[i]);
    results.row(name, `the ${alone.length} of one`, isSame ? `the ${found.length} of one` : "others");
  };
  compare("a second run, in random order", (await visit({ source }, { order: "random" })).signatures());
  for (const workers of [2, 4])
    compare(`${workers} workers`, (await threads.search(source, workers)).signatures());
  threads.close();
}

function syntheticTable(): void {
  results.heading(
    "AC-H5: synthetic lists: objects, % modified, % hashed again depth-first and by table, entries",
  );
  const rows: readonly [number, number, "mix" | "value", string][] = [
    [1, 100, "mix", "76.3 1.32 23.71 23.71 100"],
    [4, 25, "mix", "77.7 1.76 36.24 15.15 131"],
    [10, 10, "mix", "91.6 1.58 33.09 7.13 180"],
    [20, 5, "mix", "122.1 1.26 31.92 3.93 242"],
    [36, 10, "mix", "337.4 0.43 31.39 2.07 505"],
    [10, 10, "value", "101.0 0.99 0.99 0.99 100"],
    [36, 10, "value", "361.0 0.28 0.28 0.28 360"],
  ];
  for (const [lists, length, mode, expected] of rows) {
    const r = runSynthetic(lists, length, mode);
    const percent = [r.modified, r.depthFirst, r.incremental].map((x) => x.toFixed(2)).join(" ");
    results.row(
      `${lists} lists of ${length}, ${mode}`,
      expected,
      `${r.objects.toFixed(1)} ${percent} ${r.entries}`,
    );
  }
}

function largeContents(): void {
  results.heading("AC-H6: 128 buffers of 2 KB, two of which change in each step");
  const root = { buffers: Array.from({ length: 128 }, (_, i) => new Uint8Array(2048).fill(i)) };
  const run = (hash: "incremental" | "full"): { ms: number; touched: number } => {
    const heap = heapOf(root, rules, hash);
    taken(heap.capture());
    const random = lcg(3);
    const before = { ...heap.figures };
    const started = performance.now();
    for (let step = 0; step < 500; step++) {
      for (let i = 0; i < 2; i++) root.buffers[random(128)]![random(2048)] = random(256);
      taken(heap.capture());
    }
    const ms = performance.now() - started;
    const { hashed, objects } = heap.figures;
    return { ms, touched: (100 * (hashed - before.hashed)) / (objects - before.objects) };
  };
  const [incremental, full] = [run("incremental"), run("full")];
  results.row(
    "objects hashed again, %",
    "at most 6",
    incremental.touched.toFixed(2),
    incremental.touched <= 6,
  );
  const speedUp = full.ms / incremental.ms;
  results.row(
    "captures faster than with full hashing, times",
    "at least 3 (published: 8.85)",
    speedUp.toFixed(1),
    speedUp >= 3,
  );
}

function reuse(): void {
  results.heading("AC-H10: reuse of locations");
  const table = new ChainTable(true);
  const far = parseHeap("r:6 { 5=@h; } h:1 { 0=@x; } x:2 { 0=7; }");
  const near = parseHeap("r:6 { 1=@x; 5=@h; } h:1 { 0=@x; } x:2 { 0=7; }");
  const taken2 = parseHeap("r:6 { 1=@y; 5=@h; } h:1 { 0=@x; } x:2 { 0=7; } y:2 { 0=8; }");
  const second = table.locate(near, table.locate(far));
  table.locate(taken2, [...second, undefined]);
  results.row("an extra reference, then a conflict: mutations", 1, table.mutations);
  const [without, with_] = [runSynthetic(10, 10, "mix", 1000), runSynthetic(10, 10, "mix", 1000, true)];
  results.row(
    "distinct states of the lists, with reuse",
    `at least ${without.states}`,
    with_.states,
    with_.states >= without.states,
  );
}

function longList(): void {
  results.heading("AC-H11: a list of 1,000,000 objects");
  let list: object | null = null;
  for (let i = 0; i < 1_000_000; i++) list = { value: i, next: list };
  const started = performance.now();
  results.row("captured objects", 1_000_001, capture(list).entries.length);
  results.figure("capture", `${((performance.now() - started) / 1000).toFixed(1)} s`);
}

function capture(root: unknown, own: HeapRules = rules): Snapshot {
  return taken(heapOf(root, own).capture());
}

function sign(root: unknown, own?: HeapRules): string {
  return capture(root, own).signature;
}

function lcg(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}
