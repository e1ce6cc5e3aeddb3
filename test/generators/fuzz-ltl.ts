/**
 * Compares random programs with random temporal properties between Spin and all our emptiness checks. Each violation
 * has a replayed trace, judged by the semantics of the formula.
 */
import { EMPTINESS_ALGORITHMS } from "../../src/engines/explicit/emptiness/index.js";
import { checkInput, load, registry, type Fairness } from "../../src/session/index.js";
import { parseSchedule, type Model } from "../../src/model/index.js";
import { violates } from "../../src/session/replay/lasso.js";
import { checkTemporal } from "../../src/session/temporal.js";
import { spinVerdictsOnText, type SpinVerdict, type TemporalRequest } from "../peers/spin-temporal.js";
import { isWeaklyFair } from "./fair.js";
import { randomAtom, randomFormula } from "./formula.js";
import { minimise } from "./minimise.js";
import { generateProgram } from "./promela.js";
import { type Program, type Statement, renderProgram, smallerPrograms } from "./promela-tree.js";
import { Random } from "./random.js";

export interface TemporalCase {
  readonly program: Program;
  /** Appended to the program: a formula, a claim, or nothing for labels. */
  readonly property: string;
  /** Its name in our reports. */
  readonly name: string;
  readonly request: TemporalRequest;
}

export interface TemporalComparison {
  readonly verdict: "agree" | "EXCLUDED" | "DIFFERS";
  readonly notes: readonly string[];
  /** The common verdicts, or ours. */
  readonly ours: readonly string[];
}

const weakAndNot = [["-a"], ["-a", "-f"]];

export function temporalCase(seed: number): TemporalCase {
  const random = new Random(seed * 7919);
  const program = withoutAssertions(generateProgram(seed));
  const text = renderProgram(program);
  const labels = /accept_here/.test(text)
    ? { name: "acceptance cycles", compile: ["NOCLAIM"], searches: [...weakAndNot, ["-a", "-c0"]] }
    : /progress_here/.test(text)
      ? { name: "non-progress cycles", compile: ["NP"], searches: [["-l"], ["-l", "-f"]] }
      : undefined;
  if (labels && random.chance(60)) {
    const { name, ...request } = labels;
    return { program, property: "", name, request };
  }
  // An accept label of a process would count as one of Spin's claim.
  const plain = withoutAcceptLabels(program);
  if (seed % 10 === 0)
    return {
      program: plain,
      property: randomClaim(random, plain),
      name: "never",
      request: { searches: weakAndNot },
    };
  // Without X, which Debian's build of Spin lacks.
  const formula = randomFormula(random, plain);
  return { program: plain, property: `ltl p { ${formula} }`, name: "p", request: { searches: weakAndNot } };
}

/** A never claim that waits for a condition, and then for another or forever. */
function randomClaim(random: Random, program: Program): string {
  const atom = (): string => randomAtom(random, program);
  const waits = `do :: true :: ${atom()} -> break od`;
  const rest = random.pick(["", `do :: true :: ${atom()} -> break od`, `accept_on: do :: ${atom()} od`]);
  return `never { ${waits}${rest === "" ? "" : `; ${rest}`} }`;
}

export const renderCase = ({ program, property }: TemporalCase): string =>
  `${renderProgram(program)}${property}\n`;

/** The same program with a formula that has X, which Debian's build of Spin lacks: for our checks only. */
export function nextCase(seed: number): TemporalCase {
  const random = new Random(seed * 104_729);
  const program = withoutAcceptLabels(withoutAssertions(generateProgram(seed)));
  const formula = `X ${randomFormula(random, program, { hasNext: true })}`;
  return { program, property: `ltl p { ${formula} }`, name: "p", request: { searches: [] } };
}

/** Contradictions between our checks, for each fairness. */
export async function contradictions(asked: TemporalCase): Promise<string[]> {
  const found: string[] = [];
  for (const fairness of ["none", "weak"] as const) {
    const { verdict } = await ourVerdict(renderCase(asked), asked.name, fairness);
    if (isContradiction(verdict)) found.push(`fairness ${fairness}: we ${verdict}`);
  }
  return found;
}

const isContradiction = (verdict: string): boolean =>
  verdict !== "holds" && verdict !== "violated" && !verdict.startsWith("unknown");

export async function compareCase(asked: TemporalCase, timeoutMs = 15_000): Promise<TemporalComparison> {
  const text = renderCase(asked);
  // In Spin a claim counts as a process, even for the processes.
  const hasClaim = !asked.request.compile?.includes("NOCLAIM");
  const forSpin = hasClaim ? text.replaceAll("_nr_pr", "(_nr_pr - 1)") : text;
  const spin = await spinVerdictsOnText(forSpin, { timeoutMs, ...asked.request });
  const notes: string[] = [];
  const ours: string[] = [];
  let differs = false;
  let isCompared = false;
  for (const [i, fairness] of (["none", "weak"] as const).entries()) {
    const expected = spin[i]!;
    const skipped = whyIncomparable(text, expected, fairness);
    const { verdict, isFair } = await ourVerdict(text, asked.name, fairness).catch((error: unknown) => ({
      verdict: `internal error: ${(error as Error).message}`,
      isFair: false,
    }));
    if (skipped !== undefined && !isContradiction(verdict)) {
      notes.push(skipped);
      continue;
    }
    const known =
      knownFault(fairness, spin, verdict, isFair) ??
      (await staleMark(forSpin, { timeoutMs, ...asked.request }, i, expected, verdict));
    if (known !== undefined) {
      notes.push(known);
      continue;
    }
    isCompared = true;
    ours.push(verdict);
    if (verdict === expected.kind) continue;
    differs = true;
    notes.push(`fairness ${fairness}: Spin ${describeVerdict(expected)}, we ${verdict}`);
  }
  return { verdict: differs ? "DIFFERS" : isCompared ? "agree" : "EXCLUDED", notes, ours };
}

/** Minimises a case that differs. */
export async function smallestDifference(asked: TemporalCase): Promise<TemporalCase> {
  const program = await minimise(asked.program, smallerPrograms, async (candidate) => {
    const again = await compareCase({ ...asked, program: candidate });
    return again.verdict === "DIFFERS" && !again.notes.some((note) => note.includes("no answer"));
  });
  return { ...asked, program };
}

function whyIncomparable(text: string, spin: SpinVerdict, fairness: Fairness): string | undefined {
  if (spin.kind === "excluded") return spin.why;
  // Spin's fairness treats a process that waits for a rendezvous as blocked; ours does not (docs).
  if (fairness === "weak" && /\[0\] of/.test(text))
    return "fairness with rendezvous means more here than in Spin";
  // pan omits its treatment of blocked processes when priorities or `provided` hold one back.
  if (fairness === "weak" && /\bpriority\b|\bprovided\b/.test(text))
    return "pan -f takes a process that is held back for one that can move";
  return undefined;
}

/** Known errors of Spin's weak fairness, as the executions show. */
function knownFault(
  fairness: Fairness,
  [all, fair, every]: readonly SpinVerdict[],
  verdict: string,
  isFair: boolean,
): string | undefined {
  if (fairness === "none") return undefined;
  if (verdict === "violated" && fair!.kind === "holds" && all!.kind === "violated" && isFair)
    return "pan -f overlooks a violation that pan without -f reports, and that is fair step by step";
  const isOnlyFair =
    fair!.kind === "violated" &&
    (all!.kind === "holds" || (every?.kind === "violated" && !every.messages.includes(fair.message)));
  if (verdict === "holds" && isOnlyFair)
    return "pan -f reports what pan without -f does not, though fair executions are executions";
  return undefined;
}

/**
 * pan reports a cycle when its second search reaches a state marked as being on the stack of the first. Marks of states
 * in which only the claim moves can be stale. With hash compaction the stack is stored separately.
 */
async function staleMark(
  text: string,
  request: TemporalRequest,
  search: number,
  expected: SpinVerdict,
  verdict: string,
): Promise<string | undefined> {
  if (verdict !== "holds" || expected.kind !== "violated") return undefined;
  const again = await spinVerdictsOnText(text, {
    ...request,
    compile: [...(request.compile ?? []), "HC4"],
    searches: [request.searches[search]!],
  });
  return again[0]!.kind === "holds"
    ? "pan reports a cycle that pan with -DHC4 does not: a mark left on its stack"
    : undefined;
}

interface OurVerdict {
  readonly verdict: string;
  /** The violation is a fair execution, checked step by step. */
  readonly isFair: boolean;
}

/** The verdict of the default check; all others must agree, each with a trace that shows it. */
async function ourVerdict(text: string, name: string, fairness: Fairness): Promise<OurVerdict> {
  const input = { file: "model.pml", text };
  const budget = { maxStates: 3_000_000 };
  const { report } = await checkInput(input, { properties: [name], fairness, budget }, registry);
  const property = report.properties.find((p) => p.property.name === name);
  if (!property)
    return { verdict: `no answer: ${report.diagnostics.map((d) => d.message).join("; ")}`, isFair: false };
  const { trace } = property;
  const { model } = await load(input, {}, registry);
  const run = trace && parseSchedule(trace.schedule);
  const isFair = run !== undefined && isWeaklyFair(model!, run);
  if (property.verdict === "unknown") return { verdict: `unknown: ${property.reason}`, isFair };
  const disagreement = await disagreementOf(model!, name, fairness, property.verdict);
  return { verdict: disagreement ?? property.verdict, isFair };
}

async function disagreementOf(
  model: Model,
  name: string,
  fairness: Fairness,
  expected: string,
): Promise<string | undefined> {
  const property = model.temporal!.properties.find((p) => p.name === name)!;
  for (const emptiness of EMPTINESS_ALGORITHMS) {
    const options = {
      fairness,
      emptiness,
      search: "bfs",
      budget: { maxStates: 300_000 },
      control: {},
    } as const;
    const { verdict } = await checkTemporal(model, property, options);
    if (verdict.kind === "unknown") continue; // refused, or too large without the default reductions
    if (verdict.kind !== expected) return `${expected}, but by ${emptiness} ${verdict.kind}`;
    if (verdict.kind === "violated" && !violates(model, property, verdict.trace!))
      return `violated, but the trace of ${emptiness} does not show it`;
  }
  return undefined;
}

const describeVerdict = (verdict: SpinVerdict): string =>
  verdict.kind === "violated" ? `violated (${verdict.message})` : verdict.kind;

/** An assertion of the model would end pan's search before its search for cycles. */
const withoutAssertions = (program: Program): Program =>
  mapStatements(program, (s) =>
    s.kind === "line" && /^assert/.test(s.text) ? { ...s, text: "assert(true)" } : s,
  );

const withoutAcceptLabels = (program: Program): Program =>
  mapStatements(program, (s) =>
    s.label ? { ...s, label: s.label.replace("accept_here", "other_here") } : s,
  );

function mapStatements(program: Program, change: (statement: Statement) => Statement): Program {
  const map = (statement: Statement): Statement => {
    switch (statement.kind) {
      case "line":
        return change(statement);
      case "block":
        return change({ ...statement, body: statement.body.map(map) });
      case "choice":
        return change({ ...statement, options: statement.options.map((option) => option.map(map)) });
      case "unless":
        return change({ ...statement, main: statement.main.map(map), escape: statement.escape.map(map) });
    }
  };
  const proctypes = program.proctypes.map((p) => ({ ...p, body: p.body.map(map) }));
  return { ...program, proctypes };
}
