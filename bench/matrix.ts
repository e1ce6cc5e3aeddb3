/**
 * The errors of the protocol examples, each found by the ordinary check: `npm run bench:matrix`.
 *
 * `-- --quick`: about a minute. `-- --only aodv` (or correct, extras, fixing, batch, unexecuted, tcp, environments, full,
 * coverage): one part. With all errors off the properties hold to the stated bounds. Prints published figures (CMC: three
 * AODV implementations, the specification, a kernel's TCP) beside ours.
 */
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { CodeCoverage } from "../src/model/index.js";
import type { PropertyReport } from "../src/report/index.js";
import type { CheckOptions } from "../src/session/request.js";
import { batch } from "./code/batch.js";
import { causeOf } from "./code/cause.js";
import { check, figures, listOf, replay, verdictOf, violationsIn } from "./code/checking.js";
import { coverageOf, percent, together, unexecutedLines } from "./code/coverage.js";
import {
  aodvEnvironments,
  aodvFile,
  aodvRows,
  presets,
  published,
  publishedTcp,
  tcpEnvironments,
  tcpFile,
  tcpRows,
  type ErrorRow,
} from "./code/matrix-errors.js";
import { Results } from "./code/table.js";
import { argument } from "./arguments.js";

process.env["EVERYPATH_ROOT"] ??= process.cwd();
const isQuick = process.argv.includes("--quick");
const only = argument("only");
/** `--preset AODV-UU`: only this implementation's combination of errors. */
const preset = argument("preset");
const results = new Results();

const parts = {
  aodv,
  correct,
  extras,
  fixing,
  batch: () => batch(results, preset),
  unexecuted,
  tcp,
  environments,
  full,
};
/** Slow: only by name. */
const others = { coverage };
for (const [name, part] of Object.entries({ ...parts, ...others }))
  if (only === undefined ? name in parts : name === only) await part();
results.finish();

async function aodv(): Promise<void> {
  results.heading("AODV: each error by itself: property, steps of the shortest trace");
  const found = new Map<string, number>();
  for (const row of aodvRows) {
    if (isQuick && row.environment === "LINE4") continue;
    if (await show(aodvFile, row)) found.set(row.class, (found.get(row.class) ?? 0) + 1);
  }
  results.heading("AODV: by class: CMC's reports in mad-hoc, Kernel AODV, AODV-UU; rebuilt and found here");
  for (const [name, ...reports] of published) {
    const rebuilt = aodvRows.filter((row) => row.class === name).length;
    results.figure(name, `CMC ${reports.join(" + ")}   here ${found.get(name) ?? 0} of ${rebuilt}`);
  }
  results.figure("specification error RL0", "CMC 93 steps depth-first, 27 best-first, at least 20 by hand");
}

/** Without errors, in every environment. */
async function correct(): Promise<void> {
  results.heading("AODV without errors, every environment exhausted to its bound");
  for (const { name, defines, property } of aodvEnvironments) {
    if (isQuick && defines !== "" && defines !== "TO=1") continue;
    const report = await check(aodvFile, defines, property === undefined ? {} : { properties: [property] });
    const verdicts = [...new Set(report.properties.map(({ verdict }) => verdict))];
    results.row(`${name} ${defines}`, "holds", verdicts.join());
    results.figure("", figures(report));
  }
}

/** Errors that need the right environment, and errors that are never detected. */
async function extras(): Promise<void> {
  results.heading("AODV: errors that the environment hides, and others that are no loops");
  const rows: readonly [string, string, string][] = [
    ["EX1 sending never fails", "EX1 FAILURES=1", "holds"],
    ["EX1 sending may fail", "EX1 FAILURES=1 SENDS", "violated"],
    ["EX2, EX3 multicast is never used; EX4 never reached", "EX2 EX3 EX4 FAILURES=1", "holds"],
    ["UM1 without restarts", "UM1", "holds"],
    ["RT1 without gratuitous replies", "RT1", "holds"],
    ["RL2 with a queue of one", "RL2 Q=1", "holds"],
    ["RL0 with three nodes", "RL0", "holds"],
    ["RL2e, equal cost, loop freedom", "RL2E", "holds"],
    ["RL2e, held against the specification", "RL2E STRICT", "violated"],
  ];
  for (const [name, defines, expected] of rows) {
    if (isQuick && defines.startsWith("EX")) continue;
    results.row(name, expected, verdictOf(await check(aodvFile, defines)));
  }
}

/** Find, fix, repeat, as with the implementations. */
async function fixing(): Promise<void> {
  results.heading(
    "AODV: all errors of an implementation at once: stop at the first, switch it off, run again",
  );
  for (const [name, errors] of Object.entries(presets)) {
    if (preset === undefined ? isQuick && name !== "AODV-UU" : name !== preset) continue;
    const left = new Set<string>(errors);
    const order: string[] = [];
    let longest = 0;
    for (const { defines, property } of aodvEnvironments) {
      if (isQuick && defines === "LINE4") continue;
      for (;;) {
        const options = property === undefined ? {} : { properties: [property] };
        const report = await check(aodvFile, `${defines} ${[...left].join(" ")}`, options);
        const [violated] = violationsIn(report);
        if (!violated) break;
        const cause = await causeOf(violated.trace!.schedule, defines, [...left]);
        order.push(cause);
        results.figure(name, `${cause}: ${violated.property.name}, ${violated.trace!.steps.length} steps`);
        left.delete(cause);
        longest = Math.max(longest, violated.trace!.steps.length);
      }
    }
    const expected = isQuick ? errors.length - 1 : errors.length;
    results.row(`${name}: errors found, one after the other`, expected, order.length);
    results.figure(
      name,
      `${order.join(" ")}${left.size > 0 ? `, left: ${[...left].join(" ")}` : ", then clean"}`,
    );
    results.row(`${name}: steps of the longest trace`, "at most 25", longest, longest <= 25);
  }
}

async function tcp(): Promise<void> {
  results.heading("TCP: each error by itself, and what the environments do not show");
  for (const row of tcpRows) await show(tcpFile, row);
  const rows: readonly [string, string, string][] = [
    ["T3 in environment 1", "T3", "holds"],
    ["T3 in environment 2", "T3 ENV=2", "holds"],
    ["T4 in environment 1", "T4 DATA=2 Q=3 DUPLICATES=0 TIMEOUTS=1", "holds"],
    ["T4 in environment 2", "T4 DATA=2 ENV=2 DUPLICATES=0 TIMEOUTS=1", "holds"],
    ["T5 a FIN as probe of a closed window, nothing allowed", "ZERO DATA=0 DUPLICATES=0 STRICT", "violated"],
    ["T5 with its clause on the list", "ZERO DATA=0 DUPLICATES=0", "holds"],
    ["a cache that fills, not warmed", "RETURN DUPLICATES=0", "violated"],
    ["a cache that fills, warmed by a session", "RETURN WARM DUPLICATES=0", "holds"],
  ];
  const slice = { paths: "auto", moreValuesThan: 4 } as const;
  const counted = await check(tcpFile, "RETURN WARM DUPLICATES=0 COUNTED", { slice });
  const sliced = counted.diagnostics.find(({ code }) => code === "code/slice")!.message;
  const names = [...sliced.split(";")[0]!.matchAll(/([\w.]+) \(counter/g)].map(([, path]) => path);
  results.row(
    "statistics that change nothing",
    "segmentsIn, segmentsOut",
    names.map((n) => n!.split(".").at(-1)).join(", "),
  );
  for (const [name, defines, expected] of rows) {
    if (isQuick && defines.includes("DATA=2")) continue;
    results.row(name, expected, verdictOf(await check(tcpFile, defines)));
  }
}

/** Without errors, in every environment. */
async function environments(): Promise<void> {
  results.heading("TCP without errors, every environment exhausted to its bound");
  for (const [name, defines] of tcpEnvironments.slice(0, isQuick ? 1 : undefined)) {
    const report = await check(tcpFile, defines);
    results.row(`environment ${name}, ${defines}`, "holds", verdictOf(report));
    results.figure("", figures(report));
  }
}

/** Code reached by each environment, and by all together; one: `--only coverage --environment 3`. */
async function coverage(): Promise<void> {
  results.heading("TCP: lines run in percent: code, protocol (the reference model); branching at depth 10");
  const chosen = argument("environment");
  const reached: CodeCoverage[] = [];
  for (const [name, , defines] of tcpEnvironments) {
    if (chosen !== undefined && name !== chosen) continue;
    const { coverage: covered, silent } = coverageOf(tcpFile, listOf(defines));
    reached.push(covered);
    const [, line, published, branching] = publishedTcp.find(([other]) => other === name)!;
    const factor = (await branchingOf(defines)).toFixed(2);
    const shares = sharesOf(covered).map((share) => share.toFixed(1));
    const cmc = `CMC ${line}, ${published}, ${branching}`;
    results.figure(`environment ${name}, ${defines}`, `here ${shares.join(", ")}, ${factor}   ${cmc}`);
    results.figure("  never let fail", silent.length === 0 ? "nothing" : silent.join(", "));
  }
  if (chosen !== undefined) return;
  const [code, protocol] = sharesOf(together(reached));
  results.figure("all environments", `here ${code!.toFixed(1)}, ${protocol!.toFixed(1)}   CMC 55.4, 92.1`);
  const isMost = reached.every((each) => sharesOf(each).every((share, i) => share <= [code!, protocol!][i]!));
  results.row("together at least what each reaches", "yes", isMost ? "yes" : "no");
  results.row("protocol coverage", "at least 90", protocol!.toFixed(1), protocol! >= 90);
}

/** Shares of the implementation and of its reference model. */
function sharesOf(covered: CodeCoverage): number[] {
  const code = ["connection.ts", "input.ts", "output.ts", "segment.ts", "stack.ts"];
  return [
    percent(covered, (name) => code.includes(name)),
    percent(covered, (name) => name === "reference.ts"),
  ];
}

/** Errors that no search finds are in unexecuted code. */
function unexecuted(): void {
  results.heading("AODV: lines that were not run, with FAILURES=1");
  const { coverage: covered, silent } = coverageOf(aodvFile, ["FAILURES=1"]);
  results.row("never let fail", "send", silent.join(", "));
  for (const [name, errors] of [
    ["multicast.ts", ["EX2", "EX3"]],
    ["route-error.ts", ["EX4"]],
  ] as const) {
    const lines = unexecutedLines(covered, name);
    const text = readFileSync(`${dirname(aodvFile)}/${name}`, "utf8").split("\n");
    for (const error of errors) {
      const line = text.findIndex((each) => each.includes(`has(core, "${error}")`)) + 1;
      results.row(`${error}, ${name}:${line}`, "not run", lines.includes(line) ? "not run" : "run");
    }
  }
}

/** Tenth root of the states at depth 10. */
async function branchingOf(defines: string): Promise<number> {
  const upTo = async (maxDepth: number): Promise<number> =>
    (await check(tcpFile, defines, { budget: { maxDepth } })).stats.states;
  return ((await upTo(10)) - (await upTo(9))) ** (1 / 10);
}

/**
 * The specification's error in a space too large to exhaust: four nodes in range of each other, three packets in transit.
 * Guided by the routes to the destination; if that fails, depth-first in several orders, 10^8 states in all. `--seed 5`:
 * this order alone.
 */
async function full(): Promise<void> {
  if (isQuick) return;
  results.heading("RL0, four nodes, full topology, queue of three, by the small model");
  const chosen = argument("seed");
  const seeds = chosen === undefined ? [2, 3, 4, 5, 6, 7] : [Number(chosen)];
  const orders: readonly CheckOptions[] = [
    ...(chosen === undefined ? [{ search: "guided" } as const] : []),
    ...seeds.map((seed) => ({ search: "dfs", seed }) as const),
  ];
  const budget = { maxStates: Math.floor(1e8 / orders.length), memoryBytes: 6 * 2 ** 30 };
  for (const order of orders) {
    const options = { ...order, properties: ["loop freedom"], budget };
    const report = await check("examples/code/systems/aodv-ref.ts", "N=4 Q=3 RL0", options);
    const [{ verdict, trace, foundSteps }] = report.properties as [PropertyReport];
    const name = order.seed === undefined ? "guided" : `depth-first, seed ${order.seed}`;
    results.figure(name, `${verdict}, ${figures(report)}`);
    if (!trace) continue;
    results.figure("", `found with ${foundSteps ?? trace.length} steps: ${trace.schedule}`);
    return results.row("RL0, N=4, Q=3: steps", "at most 20", trace.length, trace.length <= 20);
  }
  results.row("RL0, N=4, Q=3", "violated", "unknown");
}

/** One error: expects its report, and replays its trace. */
async function show(file: string, row: ErrorRow): Promise<boolean> {
  const { name, environment, property } = row;
  const defines = `${environment} ${name}`.trim();
  const report = await check(file, defines, defines.includes("RB=1") ? { properties: [property] } : {});
  const [violated] = violationsIn(report);
  const obtained = violated ? `${violated.property.name}, ${violated.trace!.steps.length}` : "nothing";
  results.row(`${name} ${environment}`, `${property}, ${row.steps}`, obtained);
  const again = violated && (await replay(file, violated.trace!.schedule, defines));
  if (again && again.outcome !== "failed") results.row(`${name}, repeated`, "failed", again.outcome);
  results.figure("", `${figures(report)}: ${row.description}`);
  return violated !== undefined;
}
