/**
 * The symbolic engines beside their peers, in one run.
 *
 * Guarded commands: the default from text to answer beside Spacer alone on the same clauses: in the embedded Z3, the same release, and
 * with `-- --z3 PATH` in a native one. Symbolic states of `subsume` beside the published ones; queries of ASE that no solver sees;
 * Boolean programs beside Spin's verifier. `-- --limit SECONDS` limits each run, `-- --only NAME` the rows. Prints targets; a missed one is exit 1.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { ase, DEFAULT_ASE, hornClauses } from "../src/engines/guarded/index.js";
import type { GuardedProgram, GuardedProperty } from "../src/model/index.js";
import { checkInput, registry } from "../src/session/index.js";
import { openSolver } from "../src/solvers/index.js";
import { sequentialDriver, threadedDriver } from "../test/engines/boolean-programs.js";
import { programIn } from "../test/engines/boolean-agreement.js";
import { besidePan } from "./beside-pan.js";
import { nameOf, pathOf, programOf, published, type GclInput } from "./gcl-rows.js";
import { renderColumns } from "./statistics.js";

const { values } = parseArgs({
  options: {
    z3: { type: "string" },
    limit: { type: "string", default: "20" },
    only: { type: "string", default: "" },
  },
});
const limitMs = 1000 * Number(values.limit);
let missed = 0;

function target(name: string, isMet: boolean): void {
  if (!isMet) missed++;
  console.log(`${isMet ? "met   " : "MISSED"} ${name}`);
}

interface Timed {
  readonly kind: string;
  readonly seconds: number;
}

function timed(run: () => string): Timed {
  const started = performance.now();
  const kind = run();
  return { kind, seconds: (performance.now() - started) / 1000 };
}

const propertyOf = ({ properties: [property] }: GuardedProgram): GuardedProperty => {
  if (!property) throw new Error("there is no property");
  return property;
};

/** `sat`: an invariant exists. */
const verdictOf = (output: string): string =>
  ({ sat: "holds", unsat: "violated" })[output.trim().split(/\s/)[0] ?? ""] ?? "unknown";

/** Spacer in the embedded Z3, which is started before. */
function embedded(clauses: string): Timed {
  const opened = openSolver({ name: "z3", timeMs: limitMs, memoryMb: 2048 });
  try {
    opened?.horn?.run("(check-sat)", limitMs);
    return timed(() => {
      const answer = opened?.horn?.run(clauses, limitMs);
      return answer?.kind === "answered" ? verdictOf(answer.output) : "unknown";
    });
  } finally {
    opened?.close();
  }
}

const native = (path: string, clauses: string): Timed =>
  timed(() => {
    const { stdout } = spawnSync(path, ["-in", `-T:${values.limit}`], { input: clauses, encoding: "utf8" });
    return verdictOf(stdout);
  });

async function ours(input: GclInput): Promise<Timed & { readonly by: string }> {
  const file = pathOf(input);
  const defines = Object.entries(input.parameters ?? {}).map(([name, value]) => `${name}=${value}`);
  const started = performance.now();
  const { report } = await checkInput(
    { file, text: readFileSync(file, "utf8") },
    { defines, budget: { timeMs: 3 * limitMs } },
    registry,
  );
  const seconds = (performance.now() - started) / 1000;
  return { kind: report.properties[0]?.verdict ?? "", seconds, by: report.runs[0]?.method ?? "" };
}

/** From text to answer on a program that both decide at once: starting Z3 and the rest of the tool. */
function startUp(): number {
  return timed(() => {
    const opened = openSolver({ name: "z3", timeMs: limitMs, memoryMb: 2048 });
    opened?.horn?.run("(check-sat)", limitMs);
    opened?.close();
    return "";
  }).seconds;
}

async function besideSpacer(): Promise<void> {
  const rows = published.filter((input) => nameOf(input).startsWith(values.only));
  const table = [
    ["program", "ours", "s", "by", "Spacer", "s", ...(values.z3 ? ["native", "s"] : []), "ratio"],
  ];
  const startSeconds = startUp();
  console.log(`start-up of the embedded Z3: ${startSeconds.toFixed(2)} s; Spacer alone is timed without it`);
  const slow: string[] = [];
  const undecided: string[] = [];
  for (const input of rows) {
    const program = programOf(input);
    const clauses = hornClauses(program, propertyOf(program));
    const own = await ours(input);
    const spacer = embedded(clauses);
    const peer = values.z3 === undefined ? undefined : native(values.z3, clauses);
    const others = [spacer, ...(peer ? [peer] : [])].filter(({ kind }) => kind !== "unknown");
    if (others.length > 0 && own.kind === "unknown") undecided.push(nameOf(input));
    if (others.some(({ kind }) => own.kind !== "unknown" && kind !== own.kind))
      throw new Error(`${nameOf(input)}: the verdicts differ`);
    if (spacer.kind !== "unknown" && own.seconds > 1.2 * spacer.seconds + startSeconds)
      slow.push(nameOf(input));
    table.push([
      nameOf(input),
      own.kind,
      own.seconds.toFixed(2),
      own.by,
      spacer.kind,
      spacer.seconds.toFixed(2),
      ...(peer ? [peer.kind, peer.seconds.toFixed(2)] : []),
      (own.seconds / spacer.seconds).toFixed(2),
    ]);
  }
  console.log(renderColumns(table));
  target(
    `at most 1.2x Spacer plus start-up on ${rows.length} programs${slow.length > 0 ? `; slower: ${slow.join(", ")}` : ""}`,
    slow.length === 0,
  );
  target(
    `never undecided where Spacer decides${undecided.length > 0 ? `: ${undecided.join(", ")}` : ""}`,
    undecided.length === 0,
  );
}

/** Published symbolic states of programs with undefined initial values. */
const STATES = [
  ["peterson2", 700],
  ["ticket-symbolic", 5516],
] as const;

function subsumption(): void {
  let [asked, before] = [0, 0];
  for (const input of published.filter((each) => nameOf(each).startsWith(values.only))) {
    const opened = openSolver({ name: "auto", timeMs: limitMs, memoryMb: 2048 });
    if (!opened) throw new Error("there is no solver");
    const program = programOf(input);
    const analysis = ase(program, propertyOf(program), opened.solver, DEFAULT_ASE);
    const deadline = performance.now() + limitMs;
    let step = analysis.next();
    while (!step.done && performance.now() < deadline) step = analysis.next();
    const { queries, answeredBefore } = opened.solver.figures();
    opened.close();
    [asked, before] = [asked + queries, before + answeredBefore];
    const limit = STATES.find(([file]) => file === input.file)?.[1];
    if (limit === undefined) continue;
    const states = step.done ? (step.value.iterations.at(-1)?.states ?? Infinity) : Infinity;
    target(
      `${input.file}: ${states} symbolic states, ${limit} published: ${(limit / states).toFixed(1)}x fewer`,
      5 * states <= limit,
    );
  }
  if (asked === 0) return;
  const share = before / asked;
  target(`${(100 * share).toFixed(1)} % of ${asked} queries of ASE answered before a solver`, share >= 0.6);
}

function boolean(): void {
  for (const [name, text] of [
    ["B4", sequentialDriver(48)],
    ["B5", threadedDriver(48)],
  ] as const) {
    if (!name.startsWith(values.only)) continue;
    const program = programIn(text);
    const [property] = program.properties;
    if (!property) throw new Error("there is no property");
    const obtained = besidePan(program, property);
    target(`${name}: ${obtained}`, obtained === "ours unreachable, pan unfinished");
  }
}

await besideSpacer();
subsumption();
boolean();
process.exitCode = missed === 0 ? 0 : 1;
