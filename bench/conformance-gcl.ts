/**
 * Guarded commands compared with the published tables and with the figures of the method's description: verdict, check, iterations,
 * predicates, states. Prints expected and obtained; a difference is exit code 1. Times and queries are printed, not compared.
 */
import { checkInvariant } from "../src/engines/certificates/index.js";
import { ase, DEFAULT_ASE, ur, type Analysed, type AseOptions } from "../src/engines/guarded/index.js";
import type { GuardedProgram } from "../src/model/index.js";
import { openCheckers, openSolver } from "../src/solvers/index.js";
import { nameOf, programOf, type GclInput } from "./gcl-rows.js";

interface Row extends GclInput {
  readonly engine?: "ur";
  readonly options?: Partial<AseOptions>;
  /** `safe trap 4 iterations 8 predicates 22/9`; a figure after `<=` is a bound. */
  readonly expected: string;
}

/** As the published tables were made. */
const TABLE: Partial<AseOptions> = { mode: "concrete-cache", check: "printed" };
const PATH: Partial<AseOptions> = { mode: "path", check: "printed" };
const SUBSUME: Partial<AseOptions> = { mode: "subsume", check: "printed" };

const rows: readonly Row[] = [
  { file: "mutex-input", options: PATH, expected: "safe safe-fragment 1 iterations 2 predicates 34/10" },
  { file: "mutex-input", options: SUBSUME, expected: "safe safe-fragment 1 iterations 2 predicates <=16/10" },
  { file: "mutex-input", expected: "safe trap 1 iterations 2 predicates <=16/10" },
  { file: "mutex-step", options: PATH, expected: "safe inductive-invariant 1 iterations 4 predicates */10" },
  { file: "nondet-exactness-trap", expected: "unsafe 3 steps 2 iterations" },
  {
    file: "weak-example",
    options: { ...PATH },
    expected: "safe safe-fragment 1 iterations 1 predicates 3/3",
  },
  {
    file: "ticket",
    parameters: { N: 2 },
    options: TABLE,
    expected: "safe safe-fragment 4 iterations 8 predicates 22/9",
  },
  {
    file: "ticket",
    parameters: { N: 3 },
    options: TABLE,
    expected: "safe safe-fragment 5 iterations 14 predicates 182/31",
  },
  {
    file: "ticket",
    parameters: { N: 4 },
    options: TABLE,
    expected: "safe safe-fragment 6 iterations 22 predicates 5011/129",
  },
  ...[
    [5, "1 iterations", "14/12"],
    [10, "3 iterations", "30/27"],
    [15, "8 iterations", "47/44"],
    [20, "13 iterations", "62/59"],
    [25, "18 iterations", "77/74"],
    [30, "23 iterations", "92/89"],
    [35, "28 iterations", "107/104"],
    [40, "33 iterations", "122/119"],
  ].map(([X, iterations, states]): Row => ({
    file: "ticket-reach",
    parameters: { X: Number(X) },
    options: TABLE,
    expected: `unsafe ${iterations} ${states}`,
  })),
  { file: "rax", options: TABLE, expected: "safe safe-fragment 1 iterations 2 predicates 81/44" },
  { file: "rax-deadlock", options: TABLE, expected: "unsafe 15 steps 1 iterations 19/18" },
  { file: "rax-fixed", options: TABLE, expected: "safe safe-fragment 1 iterations 34/22" },
  ...[5, 10, 15, 20, 25, 30, 35, 40, 45].map((X): Row => ({
    file: "rax-reach",
    parameters: { X },
    options: TABLE,
    expected: `unsafe ${X} iterations ${X + 2} predicates ${8 * X + 10}/${8 * X + 9}`,
  })),
  { file: "mesi", options: TABLE, expected: "safe 16 iterations 18/18" },
  { file: "berkley", options: TABLE, expected: "safe 11 iterations 27 predicates 13/12" },
  { file: "bakery2", options: TABLE, expected: "safe 2 iterations 5 predicates 19/9" },
  { file: "ticket2-e-a", options: TABLE, expected: "unsafe 1 iterations 2 predicates 12/9" },
  { file: "ticket2-e-b", options: TABLE, expected: "unsafe 1 iterations 21/11" },
  { file: "ticket", parameters: { N: 2 }, engine: "ur", expected: "safe 4 iterations 12/9" },
  { file: "ticket", parameters: { N: 3 }, engine: "ur", expected: "safe 5 iterations 41/31" },
  { file: "ticket", parameters: { N: 4 }, engine: "ur", expected: "safe 6 iterations 170/129" },
  { file: "ticket-reach", parameters: { X: 10 }, engine: "ur", expected: "unsafe 8 iterations 302/240" },
  { file: "ticket-reach", parameters: { X: 15 }, engine: "ur", expected: "unsafe 13 iterations 507/395" },
  { file: "bakery2", engine: "ur", expected: "safe 2 iterations 11/9" },
  {
    file: "rax",
    engine: "ur",
    options: { maxIterations: 20 },
    expected: "undecided 20 iterations 40 predicates",
  },
  {
    file: "mesi-symbolic",
    options: SUBSUME,
    expected: "safe inductive-invariant 2 iterations 10 predicates <=39/12",
  },
  {
    file: "berkley-symbolic",
    options: SUBSUME,
    expected: "safe inductive-invariant 2 iterations 9 predicates <=32/9",
  },
  {
    file: "synapse",
    options: SUBSUME,
    expected: "safe inductive-invariant 2 iterations 7 predicates <=29/8",
  },
  { file: "ticket-symbolic", options: SUBSUME, expected: "safe 4 iterations 12 predicates <=159/37" },
  { file: "ticket-independent", options: SUBSUME, expected: "unsafe 1 iterations 2 predicates <=10/8" },
  {
    file: "ticket-independent",
    parameters: { N: 3 },
    options: SUBSUME,
    expected: "unsafe 1 iterations 3 predicates <=10/8",
  },
  { file: "peterson2", options: SUBSUME, expected: "safe 1 iterations <=152/72" },
];

const only = process.argv[2];
const checkers = openCheckers("all");
let failures = 0;
for (const row of rows.filter(({ file }) => only === undefined || file.startsWith(only))) {
  const program = programOf(row);
  const [property] = program.properties;
  const opened = openSolver({ name: "auto", timeMs: 30_000, memoryMb: 2048 });
  if (!property || !opened) throw new Error(`cannot run ${row.file}`);
  const started = process.cpuUsage().user;
  const options = { ...DEFAULT_ASE, ...row.options };
  const analysis =
    row.engine === "ur"
      ? ur(program, property, opened.solver, options)
      : ase(program, property, opened.solver, options);
  let step = analysis.next();
  while (!step.done) step = analysis.next();
  const { queries, answeredBefore } = opened.solver.figures();
  opened.close();
  const obtained = describe(step.value);
  const problems = [
    ...differences(row.expected, obtained),
    ...certificateOf(program, property.name, step.value),
  ];
  if (problems.length > 0) failures++;
  const name = `${nameOf(row)} ${row.engine ?? row.options?.mode ?? ""}`;
  const seconds = ((process.cpuUsage().user - started) / 1e6).toFixed(1);
  console.log(`${problems.length === 0 ? "ok  " : "DIFF"} ${name}`);
  console.log(
    `     expected ${row.expected}\n     obtained ${obtained} (${queries} queries, ${answeredBefore} before a solver, ${seconds} s)`,
  );
  for (const problem of problems) console.log(`     ${problem}`);
}
for (const checker of checkers) checker.close();
console.log(failures === 0 ? "all rows agree" : `${failures} rows differ`);
process.exitCode = failures === 0 ? 0 : 1;

function describe({ answer, iterations }: Analysed): string {
  const last = iterations.at(-1);
  const kind =
    answer.kind === "safe"
      ? `safe ${answer.by}`
      : answer.kind === "unsafe"
        ? `unsafe ${answer.run.steps.length} steps`
        : "undecided";
  return `${kind} ${iterations.length} iterations ${last?.predicates} predicates ${last?.states}/${last?.abstractStates}`;
}

/** Expected words and figures that the obtained ones lack. */
function differences(expected: string, obtained: string): string[] {
  const figure = (text: string, unit: string): string | undefined =>
    new RegExp(`(\\S+) ${unit}`).exec(text)?.[1];
  const [, most, states, abstract] = /(<=)?([\d*]+)\/(\d+)/.exec(expected) ?? [];
  const [, foundStates, foundAbstract] = /(\d+)\/(\d+)/.exec(obtained) ?? [];
  const problems = ["iterations", "predicates", "steps"].flatMap((unit) => {
    const wanted = figure(expected, unit);
    return wanted !== undefined && wanted !== figure(obtained, unit) ? [unit] : [];
  });
  const words =
    expected.match(/^(safe|unsafe|undecided)( safe-fragment| inductive-invariant| trap)?/)?.[0] ?? "";
  if (!obtained.startsWith(words)) problems.push("verdict");
  if (states !== undefined && states !== "*") {
    const fits = most ? Number(foundStates) <= Number(states) : foundStates === states;
    if (!fits) problems.push("states");
  }
  if (abstract !== undefined && foundAbstract !== abstract) problems.push("abstract states");
  return problems.map((problem) => `differs: ${problem}`);
}

function certificateOf(program: GuardedProgram, property: string, { answer }: Analysed): string[] {
  if (answer.kind !== "safe") return [];
  if (answer.invariant === undefined) return ["no invariant"];
  const proof = { kind: "invariant", property, by: "ase", invariant: answer.invariant } as const;
  const judgement = checkInvariant(program, proof, checkers, 120_000);
  return judgement.kind === "accepted" ? [] : [`certificate rejected: ${judgement.why}`];
}
