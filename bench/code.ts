/**
 * Systems of nodes compared with published figures: `npm run bench:code`. `-- --quick` omits parts that take minutes.
 *
 * Counts and shortest traces of the AODV model, the acceptance points of implementation-level checking as far as they
 * are reached, and the open ones.
 */
import { readFileSync } from "node:fs";
import { bundleSystem, makeModel, type SystemModel } from "../src/code/system/index.js";
import { Sources, Successors } from "../src/model/index.js";
import type { CheckReport } from "../src/report/index.js";
import { checkInput } from "../src/session/check/check.js";
import { registry } from "../src/session/registry.js";
import { replayInput } from "../src/session/replay/replay.js";
import type { CheckOptions } from "../src/session/request.js";
import { checkText, propertyOf } from "../test/code/system/small.js";
import { seededErrors } from "./code/seeded-errors.js";
import { Results } from "./code/table.js";
import { BenchThreads } from "./code/threads.js";
import { worldPoints } from "./code/world.js";
import { argument } from "./arguments.js";

process.env["EVERYPATH_ROOT"] ??= process.cwd();
const isQuick = process.argv.includes("--quick");
/** `--only replays`: one part. */
const only = argument("only");
const results = new Results();
const aodv = "examples/code/systems/aodv-ref.ts";

for (const part of [
  counts,
  threads,
  replayedCounts,
  restoring,
  shortest,
  hidden,
  replays,
  points,
  slicing,
  examples,
  likeNodes,
  independentNodes,
  jobsAndNames,
  openPoints,
])
  if (only === undefined || part.name === only) await part();
results.finish();

async function counts(): Promise<void> {
  results.heading("AC1, AC13: the AODV model, correct version: states / transitions / depth");
  const rows: readonly [string, string, string, boolean][] = [
    ["A3-Q1", "Q=1", "708 / 1700 / 12", true],
    ["A3-Q2", "Q=2", "11466 / 43534 / 17", true],
    ["A3-Q3", "Q=3", "31689 / 165620 / 18", true],
    ["A3-Q2-TO1", "Q=2 TO=1", "25877 / 105234 / 19", true],
    ["A4L-Q2", "LINE4", "241088 / 927197 / 26", true],
    ["A3-Q2-B2", "MAXBID=2", "963295 / 3879777 / 26", false],
    ["A4L-Q3", "LINE4 Q=3", "1009574 / 5534136 / 26", false],
  ];
  for (const [name, defines, expected, isShort] of rows) {
    if (isQuick && !isShort) continue;
    const { stats } = await check(defines);
    results.row(`${name}, bfs`, expected, `${stats.states} / ${stats.transitions} / ${stats.depth}`);
    const rate = Math.round(stats.transitions / stats.seconds);
    if (name === "A4L-Q2") {
      const bytes = stats.bytesPerState.toFixed(1);
      results.row("AC13 A4L-Q2: bytes per state", "at most 64", bytes, stats.bytesPerState <= 64);
    }
    results.figure(
      `${name}`,
      `${stats.seconds.toFixed(1)} s, ${rate} transitions/s, ${stats.bytesPerState.toFixed(0)} bytes per state`,
    );
  }
  for (const [name, defines, expected, isShort] of rows) {
    if (isQuick && !isShort) continue;
    const { stats } = await check(defines, { search: "dfs" });
    const figures = expected.split(" / ").slice(0, 2).join(" / ");
    results.row(`${name}, dfs`, figures, `${stats.states} / ${stats.transitions}`);
  }
}

/** Equal figures with one and several threads; the speedup depends on the machine. */
async function threads(): Promise<void> {
  results.heading("AC1: 1, 2 and 4 workers: states / transitions / depth");
  const folder = `${process.cwd()}/examples/code/systems`;
  const all = await BenchThreads.open();
  const rows: readonly [string, Record<string, unknown>, string, boolean][] = [
    ["A3-Q1", { Q: 1 }, "708 / 1700 / 12", true],
    ["A3-Q2", {}, "11466 / 43534 / 17", true],
    ["A3-Q3", { Q: 3 }, "31689 / 165620 / 18", true],
    ["A4L-Q2", { LINE4: true }, "241088 / 927197 / 26", true],
    ["A3-Q2-B2", { MAXBID: 2 }, "963295 / 3879777 / 26", false],
    ["A4L-Q3", { LINE4: true, Q: 3 }, "1009574 / 5534136 / 26", false],
  ];
  for (const [name, parameters, expected, isShort] of rows) {
    if (isQuick && !isShort) continue;
    const source = await bundleSystem(`${folder}/aodv-ref.ts`, folder, parameters);
    if (!("code" in source)) throw new Error("the example cannot be loaded");
    const seconds: string[] = [];
    for (const workers of [1, 2, 4]) {
      const { stats } = await all.search(source, workers);
      const figures = `${stats.states} / ${stats.transitions} / ${stats.depth}`;
      results.row(`${name}, workers ${workers}`, expected, figures);
      seconds.push(`${workers}: ${stats.seconds.toFixed(1)} s`);
    }
    results.figure(`${name}, seconds by workers`, seconds.join(", "));
  }
  all.close();
}

/** The same model with restored and with replayed nodes. */
async function restoring(): Promise<void> {
  results.heading("restore against replay: A3-Q1, all nodes in one way");
  const folder = `${process.cwd()}/examples/code/systems`;
  const source = await bundleSystem(`${folder}/aodv-ref.ts`, folder, { Q: 1 });
  if (!("code" in source)) throw new Error("the example cannot be loaded");
  for (const how of ["restore", "replay"] as const) {
    const names = makeModel(source, { replayed: new Set(), sources: new Sources(), timeoutMs: 5000 }).summary
      .nodes;
    const replayed = new Set(how === "replay" ? names : []);
    const model = makeModel(source, { replayed, sources: new Sources(), timeoutMs: 5000 });
    const started = process.cpuUsage();
    const states = reachable(model);
    const { user, system } = process.cpuUsage(started);
    const seconds = (user + system) / 1e6;
    results.row(`A3-Q1, ${how}: states`, 708, states);
    const rates = `${Math.round(states / seconds)} states/s, ${Math.round(model.local.runs / seconds)} handler runs/s`;
    results.figure(
      `A3-Q1, ${how}`,
      `${seconds.toFixed(2)} s of processor time, ${model.local.runs} handler runs, ${rates}`,
    );
  }
}

function reachable({ system }: SystemModel): number {
  const out = new Successors(system.width);
  system.initial(out);
  const queue = [out.words.slice(0, system.width)];
  const seen = new Set(queue.map((words) => words.join()));
  for (const state of queue) {
    out.clear();
    system.successors(state, 0, out);
    for (let i = 0; i < out.count; i++) {
      const words = out.words.slice(i * out.stride, (i + 1) * out.stride);
      if (out.flags[i] !== 0 || seen.has(words.join())) continue;
      seen.add(words.join());
      queue.push(words);
    }
  }
  return seen.size;
}

/** The same verdicts from fewer states, by partial-order reduction. */
async function independentNodes(): Promise<void> {
  results.heading("partial order by node: with and without");
  const systems = "examples/code/systems";
  const rows: readonly [file: string, defines: string, isShort: boolean][] = [
    [`${systems}/shards.ts`, "", true],
    [`${systems}/shards.ts`, "SHARDS=4", true],
    [`${systems}/two-phase-commit.ts`, "", true],
    [`${systems}/two-phase-commit.ts`, "IMPATIENT", true],
    [`${systems}/paxos.ts`, "", true],
    [`${systems}/paxos.ts`, "FORGETFUL", true],
    [`${systems}/routing-skeleton.ts`, "", true],
    [aodv, "Q=2", true],
    [aodv, "Q=3", true],
    [aodv, "LINE4", false],
    [`${systems}/raft.ts`, "", false],
    ["examples/code/aodv/system.ts", "Q=1 FAILURES=1", true],
    ["examples/code/tcp/system.ts", "", false],
  ];
  for (const [file, defines, isShort] of rows) {
    if (isQuick && !isShort) continue;
    const name = `${file.replace("examples/code/", "")} ${defines}`.trim();
    const whole = await check(defines, {}, file);
    const reduced = await check(defines, { reductions: ["por"] }, file);
    results.row(`${name}: answers`, answersOf(whole), answersOf(reduced));
    const isFewer = reduced.stats.states <= whole.stats.states || answersOf(whole).includes("violated");
    results.row(`${name}: states`, `at most ${whole.stats.states}`, reduced.stats.states, isFewer);
    const ratio = (few: number, all: number): string => (all / few).toFixed(2);
    results.figure(
      name,
      `${ratio(reduced.stats.states, whole.stats.states)} times fewer states, ` +
        `${ratio(reduced.stats.transitions, whole.stats.transitions)} times fewer transitions; ` +
        `${reduced.stats.seconds.toFixed(1)} s, without ${whole.stats.seconds.toFixed(1)} s`,
    );
  }
}

/** After an error, properties that the search did not decide are omitted. */
function answersOf({ properties }: CheckReport): string {
  const violated = properties.filter(({ verdict }) => verdict === "violated");
  return violated.length > 0
    ? violated.map(({ property }) => `${property.name} violated`).join()
    : properties.map(({ verdict }) => verdict).join();
}

function jobsAndNames(): Promise<void> {
  return worldPoints(results);
}

/** Replayed nodes, identified by their contents. */
async function replayedCounts(): Promise<void> {
  for (const [name, defines, expected] of [
    ["A3-Q1", "Q=1", "708 / 1700 / 12"],
    ["A3-Q2", "Q=2", "11466 / 43534 / 17"],
  ] as const) {
    const { stats } = await check(`${defines} REPLAY`);
    results.row(`${name}, replayed`, expected, `${stats.states} / ${stats.transitions} / ${stats.depth}`);
    results.figure(`${name}, replayed`, `${stats.seconds.toFixed(1)} s`);
  }
}

async function shortest(): Promise<void> {
  results.heading(
    "AC2: seeded errors, steps of the shortest trace; in brackets all states where there is none",
  );
  for (const { name, where, defines, steps, states, property = "loop freedom", isLong } of seededErrors) {
    if (isQuick && isLong) continue;
    const { properties, stats } = await check(defines, { properties: [property] });
    const all = states === undefined ? "" : ` (${stats.states})`;
    const obtained = properties[0]!.trace?.length ?? `${none(properties[0]!.verdict)}${all}`;
    results.row(`${name}, ${where}`, steps ?? `none${states === undefined ? "" : ` (${states})`}`, obtained);
  }
  const { properties } = await check("LINE4 ORDER");
  results.row("all of them off, A4L-Q2, every condition", "holds", overall(properties));
  for (const search of ["dfs", "random", "guided"] as const) await foundBy(search);
}

/** Other search orders also find every reachable error. */
async function foundBy(search: "dfs" | "random" | "guided"): Promise<void> {
  results.heading(`AC2: seeded errors, ${search}`);
  for (const { name, where, defines, steps, property = "loop freedom", isLong } of seededErrors) {
    if (steps === undefined || (isQuick && isLong)) continue;
    const { properties, stats } = await check(defines, { search, properties: [property] });
    results.row(`${name}, ${where}, ${search}`, "violated", properties[0]!.verdict);
    const found = properties[0]!.foundSteps ?? properties[0]!.trace?.length;
    results.figure("", `${stats.states} states, found with ${found} steps (breadth-first: ${steps})`);
  }
}

function none(verdict: string): string {
  return verdict === "holds" ? "none" : verdict;
}

function overall(properties: CheckReport["properties"]): string {
  return properties.every(({ verdict }) => verdict === "holds") ? "holds" : "not all hold";
}

async function hidden(): Promise<void> {
  results.heading("AC16: what the environment hides");
  results.row("UM1 without reboot", "none", await steps("UM1", "exceptions"));
  results.row("RT1 without gratuitous replies", "none", await steps("RT1 LF=0", "exceptions"));
  results.row("IP1g, queue of 2: states", 11_916, (await check("GRAT")).stats.states);
  results.row("RL1, A3-Q2: states", 11_488, (await check("RL1")).stats.states);
  const { scope } = await check("Q=1 FAILURES=1", {}, "examples/code/aodv/system.ts");
  const silent = scope.notes.find((note) => note.startsWith("never let fail"));
  results.row("AC16 what was never let fail", "never let fail: send", silent);
}

async function replays(): Promise<void> {
  results.heading("AC7: replay");
  const { properties } = await check("RL2", { properties: ["loop freedom"] });
  const { schedule } = properties[0]!.trace!;
  const report = await replayInput(input(aodv), { schedule }, { defines: ["RL2"] }, registry);
  results.row(`the trace ${schedule} in a new realm`, "failed", report.outcome);
  const outside = await checkText(
    "export default defineSystem<any>(() => { let n = 0; return { nodes: { a: () => ({ x: 0 }) }, actions: { go: { times: 2, run: (node) => { node.x = n++; } } } }; });",
  );
  results.row("a counter outside the state", "code/nondeterminism", outside.diagnostics[0]?.code);
  const where = /at (.*)$/.exec(outside.diagnostics[0]?.message ?? "")?.[1];
  results.row("a counter outside the state: where it shows", "a.x", where);
  const differing = await randomTraces(1000, 20);
  results.row("1,000 random runs repeated in other realms: differences", 0, differing);
}

/** Random runs, repeated by their choices in new realms; returns the number of runs with a differing state. */
async function randomTraces(runs: number, length: number): Promise<number> {
  const [one, other] = [await aodvModel(), await aodvModel()];
  let seed = 1;
  const random = (n: number): number => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return Math.floor((seed / 2 ** 32) * n);
  };
  let differing = 0;
  for (let run = 0; run < runs; run++) {
    const choices: number[] = [];
    const states = walk(one, (count) => random(count), length, choices);
    const again = walk(other, (_, step) => choices[step]!, choices.length, []);
    if (states.join("\n") !== again.join("\n")) differing++;
  }
  return differing;
}

async function aodvModel(): Promise<SystemModel> {
  const folder = `${process.cwd()}/examples/code/systems`;
  const source = await bundleSystem(`${folder}/aodv-ref.ts`, folder, { Q: 3, RB: 1, TO: 1 });
  if (!("code" in source)) throw new Error("the example cannot be loaded");
  return makeModel(source, { replayed: new Set(), sources: new Sources(), timeoutMs: 5000 });
}

/** Descriptions of the states of a run. */
function walk(
  { steps }: SystemModel,
  choose: (count: number, step: number) => number,
  length: number,
  choices: number[],
): string[] {
  const out = new Successors(steps.width);
  steps.initial(out);
  let state = out.words.slice(0, steps.width);
  const seen = [JSON.stringify(steps.snapshot(state, 0))];
  for (let step = 0; step < length; step++) {
    out.clear();
    steps.successors(state, 0, out);
    if (out.count === 0) break;
    const choice = choose(out.count, step);
    choices.push(choice);
    state = out.words.slice(choice * out.stride, (choice + 1) * out.stride);
    seen.push(JSON.stringify(steps.snapshot(state, 0)));
  }
  return seen;
}

async function points(): Promise<void> {
  results.heading("AC8, AC9, AC17, AC18: single points");
  const choosing = (stops: boolean): string =>
    `export default defineSystem<any>({ nodes: { a: (env) => ({ log: "", env }) }, actions: { go: { times: 1, run: (node) => {
      for (let i = 0; i < 6; i++) { const v = node.env.choose(2); node.log += v; if (${stops} && v === 0) return; } } } } });`;
  results.row("AC8 six choices, early return: runs", 7, (await checkText(choosing(true))).stats.transitions);
  results.row("AC8 six choices: runs", 64, (await checkText(choosing(false))).stats.transitions);
  const idle = await checkText(
    "export default defineSystem<any>({ nodes: { a: () => ({ x: 0 }) }, finished: () => false, actions: { turn: { run: (n) => { n.x = 0; } } } });",
  );
  results.row(
    "AC9 only steps that lead nowhere",
    "violated",
    idle.properties.find((p) => p.property.name === "deadlock")?.verdict,
  );
  const round = await checkText(
    "export default defineSystem<any>({ nodes: { a: () => ({ n: 0 }) }, finished: () => false, actions: { turn: { run: (a) => { a.n = (a.n + 1) % 9999; } } } });",
    { store: "compact", storeRequest: { hashBits: 8, tableBytes: 16_384 } },
  );
  results.row(
    "AC9 signatures of 8 bits: no false deadlock",
    "unknown",
    round.properties.find((p) => p.property.name === "deadlock")?.verdict,
  );
  results.figure("", `${round.stats.states} of 9999 states told apart`);
  const mutating = await checkText(
    'export default defineSystem<any>({ nodes: { a: () => ({ t: new Map() }) }, always: { bad: ({ nodes }) => { nodes["a"].t.set(1, 1); return true; } } });',
  );
  results.row(
    "AC17 an invariant that changes a table",
    "code/property-mutates",
    mutating.diagnostics[0]?.code,
  );
  const disk = (syncs: boolean): string => `
    class Store { kept: unknown; constructor(readonly env: Environment) { this.kept = env.disk.read("v") ?? null; }
      onMessage(from: string) { this.kept = 1; this.env.disk.write("v", 1); ${syncs ? "this.env.disk.sync();" : ""} this.env.send(from, "done"); } }
    class Client { got = false; constructor(readonly env: Environment) {} onStart() { this.env.send("store", "write"); } onMessage() { this.got = true; } }
    export default defineSystem<any>({ nodes: { client: (env) => new Client(env), store: (env) => new Store(env) }, faults: { crashes: 1, crashing: ["store"], crashesAt: "between-handlers" },
      always: { kept: ({ nodes, isUp }) => !nodes["client"].got || !isUp("store") || nodes["store"].kept === 1 } });`;
  for (const syncs of [false, true]) {
    const { properties } = await checkText(disk(syncs));
    const verdict = properties.find((p) => p.property.name === "kept")?.verdict;
    results.row(
      `AC18 acknowledged ${syncs ? "after" : "before"} the sync`,
      syncs ? "holds" : "violated",
      verdict,
    );
  }
  const ignoring = (ignore: string): string =>
    `class A { on = false; sent = 0; turn() { this.on = !this.on; this.sent = (this.sent + 1) % 50; } }
     export default defineSystem<any>({ nodes: { a: () => new A() }, actions: { go: { run: (n) => n.turn() } }${ignore} });`;
  const states = async (text: string): Promise<number> => (await checkText(text)).stats.states;
  results.row("AC11 a statistic that is ignored: states", 2, await states(ignoring(', ignore: ["sent"]')));
}

async function slicing(): Promise<void> {
  results.heading("AC10, AC11: numbers that change nothing");
  const sender = "examples/code/systems/retransmission.ts";
  const auto = { slice: { paths: "auto" } } as const;
  const any = { slice: { paths: "auto", moreValuesThan: 1 } } as const;
  const found = ({ diagnostics }: CheckReport): string =>
    diagnostics.find(({ code }) => code === "code/slice")!.message;
  const slicedIn = (report: CheckReport): string =>
    [
      ...found(report)
        .split(";")[0]!
        .matchAll(/(?:sliced: |, )([\w.*]+) \(/g),
    ]
      .map(([, path]) => path)
      .join();
  const keptIn = (report: CheckReport): string =>
    [...(found(report).split("kept: ")[1] ?? "").matchAll(/([\w.*]+) \(/g)].map(([, path]) => path).join();
  const counted = await check("STATS", auto, sender);
  results.row("AC11 packetsSent++: sliced", "packetsSent", slicedIn(counted));
  results.row("AC11 packetsSent++: states", (await check("", {}, sender)).stats.states, counted.stats.states);
  results.row("AC11 repetitions, at most 5: kept", "repetitions", keptIn(await check("", any, sender)));
  const numbers = "bid,routes.*.hop,routes.*.nextHop,routes.*.seq";
  results.row("AC11 numbers of AODV: kept", numbers, keptIn(await check("Q=1", any)));
  const tcp = "examples/code/tcp/system.ts";
  const returning = "RETURN WARM DUPLICATES=0";
  const few = { slice: { paths: "auto", moreValuesThan: 4 } } as const;
  const statistics = await check(`${returning} COUNTED`, few, tcp);
  const names = "stack.statistics.segmentsIn,stack.statistics.segmentsOut";
  results.row("AC10 statistics of TCP: sliced", names, slicedIn(statistics));
  const { stats } = await check(returning, {}, tcp);
  results.row("AC10 statistics of TCP: states", stats.states, statistics.stats.states);
}

async function examples(): Promise<void> {
  results.heading("other systems: verdict, states");
  const rows: readonly [string, string, string][] = [
    ["token-ring", "", "holds"],
    ["two-phase-commit", "", "holds"],
    ["two-phase-commit", "IMPATIENT", "violated"],
    ["paxos", "", "holds"],
    ["paxos", "FORGETFUL", "violated"],
    ["raft", "", "holds"],
    ["raft", "DOUBLE_VOTE", "violated"],
    ["raft", "STALE_LEADER", "violated"],
  ];
  for (const [name, defines, expected] of rows) {
    const { properties, stats } = await check(defines, {}, `examples/code/systems/${name}.ts`);
    const verdicts = properties.map(({ verdict }) => verdict);
    const verdict = verdicts.includes("violated")
      ? "violated"
      : verdicts.includes("unknown")
        ? "unknown"
        : "holds";
    results.row(`${name} ${defines}`.trim(), expected, verdict);
    const steps = properties.find((p) => p.verdict === "violated")?.trace?.length;
    results.figure(
      `${name} ${defines}`.trim(),
      `${stats.states} states, ${stats.transitions} transitions, ${stats.seconds.toFixed(1)} s${steps === undefined ? "" : `, ${steps} steps`}`,
    );
  }
}

/** The same verdicts from fewer states: three nodes have six permutations. */
async function likeNodes(): Promise<void> {
  results.heading("nodes that are alike: with and without symmetry");
  for (const [defines, states] of [
    ["", "9700 of 52514"],
    ["FORGETFUL", undefined],
  ] as const) {
    const name = `paxos ${defines}`.trim();
    const file = "examples/code/systems/paxos.ts";
    const reduced = await check(defines, { reductions: ["symmetry"] }, file);
    const whole = await check(defines, { reductions: [] }, file);
    const found = `${reduced.stats.states} of ${whole.stats.states}`;
    const answer = (report: CheckReport): string => {
      const { verdict, trace } = propertyOf(report, "one value is chosen");
      return trace ? `${verdict}, ${trace.length} steps` : verdict;
    };
    if (states !== undefined) results.row(`${name}: states`, states, found);
    results.row(`${name}: answer`, answer(whole), answer(reduced));
    const ratio = (whole.stats.states / reduced.stats.states).toFixed(2);
    const seconds = `${reduced.stats.seconds.toFixed(1)} s, without ${whole.stats.seconds.toFixed(1)} s`;
    results.figure(name, `${found} states, ${ratio} times fewer; ${seconds}`);
  }
}

function openPoints(): void {
  results.heading("not reached");
  results.open("AC1 reify", "the source transform is not built");
  results.figure("AC3, AC5, AC6, AC10", "the AODV and TCP implementations: npm run bench:matrix");
  results.figure("AC4 four nodes, full topology", "npm run bench:matrix -- --only full");
}

async function steps(defines: string, property: string): Promise<number | "none" | "unknown"> {
  const { properties } = await check(defines, { properties: [property] });
  const { verdict, trace } = properties[0]!;
  if (verdict === "violated") return trace!.length;
  return verdict === "holds" ? "none" : "unknown";
}

async function check(defines: string, options: CheckOptions = {}, file = aodv): Promise<CheckReport> {
  const { report } = await checkInput(
    input(file),
    // The published figures count all states.
    { reductions: [], ...options, defines: defines.split(" ").filter((d) => d !== "") },
    registry,
  );
  const errors = report.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
  return report;
}

function input(file: string): { file: string; text: string } {
  return { file, text: readFileSync(file, "utf8") };
}
