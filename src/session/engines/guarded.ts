/**
 * Adapts the engines for guarded commands to the registry: opens the solver, watches time and requests to stop, and turns answers into
 * findings. The default runs `ase` and `chc` side by side, and names the one that decides.
 */
import { checkInvariant } from "../../engines/certificates/index.js";
import {
  abstractGraph,
  ase,
  chc,
  DEFAULT_ASE,
  Undecided,
  ur,
  type Analysed,
  type GuardedAnswer,
  type Iteration,
} from "../../engines/guarded/index.js";
import {
  isGuarded,
  isGuardedProperty,
  type GuardedProgram,
  type GuardedProperty,
  type InvariantProof,
  type Scope,
  type Stats,
  type Verdict,
} from "../../model/index.js";
import { guardedNarrative, guardedReason, scheduleOf, transitionText } from "../../report/index.js";
import { openSolver, type Opened } from "../../solvers/index.js";
import type { EngineFinding, EngineRequest, EngineResult, Loaded, SearchEnd } from "../contracts.js";
import { total } from "../pipeline/totals.js";
import { drive, endOf, isOver, leftMs, whyOver, type Driven } from "./driving.js";
import { adviceOn } from "./solver-advice.js";

export type GuardedEngine = "guarded" | "ase" | "chc" | "ur";

interface Decided {
  readonly answer: GuardedAnswer;
  /** The engine that answered. */
  readonly by: string;
  readonly iterations: readonly Iteration[];
  readonly end: SearchEnd;
  /** Of analyses by predicates. */
  readonly analysed?: Analysed;
}

export async function check(
  name: GuardedEngine,
  { subject }: Loaded,
  request: EngineRequest,
): Promise<EngineResult> {
  if (!isGuarded(subject)) throw new Error("there are no guarded commands to check");
  const { solver: wanted = "auto", dumpSmt } = request.symbolic ?? {};
  const { timeMs = Infinity, memoryBytes = Infinity } = request.budget;
  const opened = openSolver({
    name: wanted,
    timeMs: Math.min(QUERY_MS, timeMs),
    memoryMb: Math.max(64, Math.min(2048, Math.floor(memoryBytes / 2 ** 20))),
    dumpDirectory: dumpSmt,
  });
  const asked = request.properties.filter(isGuardedProperty);
  const work = { program: subject, request, opened, started: performance.now() };
  try {
    const parts = [];
    for (const property of asked) parts.push(await answered(name, property, work));
    return resultOf(parts, request);
  } finally {
    opened?.close();
  }
}

const QUERY_MS = 10_000;

interface Work extends Driven {
  readonly program: GuardedProgram;
  readonly opened: Opened | undefined;
}

interface Part {
  readonly finding: EngineFinding;
  readonly proof: InvariantProof | undefined;
  readonly decided: Decided;
  readonly stats: Stats;
}

async function answered(name: GuardedEngine, property: GuardedProperty, work: Work): Promise<Part> {
  const { request, opened, program } = work;
  const started = performance.now();
  const decided = opened
    ? await decide(name, property, work, opened)
    : stopped(
        { kind: "undecided", reason: `the solver '${request.symbolic?.solver}' is not installed` },
        name,
      );
  const { answer, iterations, by } = decided;
  const abstraction = await graphOf(decided, work);
  const last = iterations.at(-1);
  const stats: Stats = {
    states: iterations.reduce((sum, { states }) => sum + states, 0),
    transitions: iterations.reduce((sum, { firings }) => sum + firings, 0),
    depth: last?.depth ?? 0,
    seconds: (performance.now() - started) / 1000,
    peakBytes: 0,
    bytesPerState: 0,
    ...(opened ? { solver: opened.solver.figures() } : {}),
  };
  const proof: InvariantProof | undefined =
    answer.kind === "safe" && answer.invariant !== undefined
      ? { kind: "invariant", property: property.name, by, invariant: answer.invariant }
      : undefined;
  const finding = findingOf(program, property, decided, request);
  return { finding: abstraction ? { ...finding, abstraction } : finding, proof, decided, stats };
}

/** The abstract states of the last iteration, if they are to be shown and there is time. */
async function graphOf({ analysed }: Decided, work: Work): Promise<EngineFinding["abstraction"]> {
  const { model, draws } = work.request.symbolic ?? {};
  const { abstraction, explored } = analysed ?? {};
  if ((!model && !draws) || !abstraction || !explored) return undefined;
  try {
    return await drive(abstractGraph(abstraction, explored, model), work, Math.min(leftMs(work), DRAWING_MS));
  } catch (error) {
    if (error instanceof Undecided) return undefined;
    throw error;
  }
}

const DRAWING_MS = 10_000;

function findingOf(
  program: GuardedProgram,
  property: GuardedProperty,
  { answer, by, iterations }: Decided,
  { file, sources }: EngineRequest,
): EngineFinding {
  if (answer.kind === "unsafe" && program.traceOf) {
    const verdict: Verdict = {
      kind: "violated",
      reason: guardedReason(property),
      trace: program.traceOf(answer.run),
    };
    return { property, verdict, occurrences: 1 };
  }
  if (answer.kind === "unsafe") {
    const { choices, inputs } = scheduleOf(program, answer.run);
    const text = sources?.text(file) ?? "";
    const narrative = guardedNarrative(program, answer.run, (each) => transitionText(program, text, each));
    const trace = { choices, fault: -1, loopStart: undefined, inputs };
    const verdict: Verdict = { kind: "violated", reason: guardedReason(property), trace };
    return { property, verdict, occurrences: 1, narrative };
  }
  return { property, verdict: verdictOf(property, answer, by, iterations), occurrences: 0 };
}

function verdictOf(
  { asks }: GuardedProperty,
  answer: Exclude<GuardedAnswer, { kind: "unsafe" }>,
  by: string,
  iterations: readonly Iteration[],
): Verdict {
  if (answer.kind === "undecided")
    return {
      kind: "unknown",
      reason: answer.reason,
      advice: adviceOn(
        answer.reason,
        "raise --time, try another --engine or --solver, or state `predicates` in the file",
      ),
    };
  const last = iterations.at(-1);
  const notes = [
    ...(asks === "reach" ? ["unreachable"] : []),
    ...(answer.isVacuous ? ["vacuously: no state satisfies the initial condition"] : []),
    `by ${by}`,
    ...(last
      ? [
          `${iterations.length} ${iterations.length === 1 ? "iteration" : "iterations"}`,
          `${last.predicates} predicates`,
          `${last.states} states in ${last.abstractStates} abstract states`,
        ]
      : []),
  ];
  return { kind: "holds", scope: { kind: "complete", by: answer.by, notes } };
}

function resultOf(parts: readonly Part[], request: EngineRequest): EngineResult {
  const scopes = parts.flatMap(({ finding: { verdict } }) =>
    verdict.kind === "holds" ? [verdict.scope] : [],
  );
  const [only] = scopes;
  const scope: Scope =
    scopes.length === parts.length
      ? {
          kind: "complete",
          by: [...new Set(scopes.map(({ by }) => by))].join(" and "),
          notes: scopes.length === 1 ? (only?.notes ?? []) : [],
        }
      : { kind: "partial", by: only?.by ?? "", notes: ["some properties do not hold, or are undecided"] };
  const open = parts.find(({ decided: { end } }) => end !== "complete")?.decided.end;
  return {
    findings: parts.map(({ finding }) => finding),
    scope,
    end: open ?? (scopes.length === parts.length ? "complete" : "errors"),
    runs: parts.map(({ finding, stats, decided }) => ({
      properties: [finding.property.name],
      reductions: [],
      stats,
      method: decided.by,
    })),
    stats: total(parts.map(({ stats }) => stats)),
    coversAll: false,
    notices: [],
    ...(request.wantsProofs ? { proofs: parts.flatMap(({ proof }) => (proof ? [proof] : [])) } : {}),
  };
}

const stopped = (answer: GuardedAnswer, by: string, end: SearchEnd = "budget"): Decided => ({
  answer,
  by,
  iterations: [],
  end,
});

async function decide(
  name: GuardedEngine,
  property: GuardedProperty,
  work: Work,
  opened: Opened,
): Promise<Decided> {
  if (name === "chc")
    return (
      (await drive(
        horn(property, work, opened, leftMs(work), () => WAIT_MS),
        work,
        Infinity,
      )) ?? finished(undefined, "chc", work)
    );
  const { explore, closure, refineFrom, refineAtoms, model } = work.request.symbolic ?? {};
  const options = {
    ...DEFAULT_ASE,
    // The models are compared without pruning that loses states, and for one set of predicates.
    ...(model ? { mode: "path-memo" as const, maxIterations: 1 } : {}),
    ...(explore ? { mode: explore } : {}),
    ...(closure ? { check: closure } : {}),
    refine: { from: refineFrom ?? DEFAULT_ASE.refine.from, atoms: refineAtoms ?? DEFAULT_ASE.refine.atoms },
  };
  const { solver } = opened;
  const analysis =
    name === "ur"
      ? ur(work.program, property, solver, { maxIterations: Infinity })
      : ase(work.program, property, solver, options);
  if (name !== "guarded" || model)
    return finished(await drive(analysis, work, leftMs(work)), name === "ur" ? "ur" : "ase", work);
  const first = await drive(analysis, work, HEAD_START_MS);
  if (first && first.answer.kind !== "undecided") return finished(first, "ase", work);
  if (isOver(work)) return finished(undefined, "ase", work);
  return (
    (await drive(race(first, analysis, property, work, opened), work, Infinity)) ??
    finished(undefined, "ase", work)
  );
}

/** Starting Spacer takes longer than many analyses. */
const HEAD_START_MS = 200;
/** Wait for Spacer where nothing else is left to do. */
const WAIT_MS = 20;

/** `ase` in this thread beside `chc`, whose solver has another one: the first that decides. */
function* race(
  first: Analysed | undefined,
  analysis: Generator<undefined, Analysed>,
  property: GuardedProperty,
  work: Work,
  opened: Opened,
): Generator<undefined, Decided> {
  let [analysed, other]: [Analysed | undefined, Decided | undefined] = [first, undefined];
  const clauses = horn(property, work, opened, leftMs(work), () => (analysed ? WAIT_MS : 0));
  try {
    while (!analysed || !other) {
      if (!analysed) {
        const { done, value } = analysis.next();
        if (done && value.answer.kind !== "undecided") return finished(value, "ase", work);
        if (done) analysed = value;
      }
      if (!other) {
        const { done, value } = clauses.next();
        if (done && value.answer.kind !== "undecided") return value;
        if (done) other = value;
      }
      yield;
    }
    return bothUndecided(analysed, other);
  } finally {
    clauses.return(stopped({ kind: "undecided", reason: "" }, "chc"));
  }
}

function bothUndecided({ answer, iterations }: Analysed, other: Decided): Decided {
  const why = ({ answer: each }: { readonly answer: GuardedAnswer }): string =>
    each.kind === "undecided" ? each.reason : "";
  const reason = `ase: ${why({ answer })}; chc: ${why(other)}`;
  return { answer: { kind: "undecided", reason }, by: "ase", iterations, end: other.end };
}

/** Undefined: the time is up, or the user stopped it. */
function finished(result: Analysed | undefined, by: string, work: Work): Decided {
  if (!result) return stopped({ kind: "undecided", reason: whyOver(work) }, by, endOf(work));
  const { answer, iterations } = result;
  return {
    answer,
    by,
    iterations,
    analysed: result,
    end: answer.kind === "undecided" ? "budget" : answer.kind === "safe" ? "complete" : "errors",
  };
}

/** Spacer's invariant counts only after the checker of certificates has accepted it. */
function* horn(
  property: GuardedProperty,
  work: Work,
  opened: Opened,
  timeMs: number,
  waitMs?: () => number,
): Generator<undefined, Decided> {
  const runner = opened.horn;
  if (!runner) return stopped({ kind: "undecided", reason: "Horn clauses need Z3" }, "chc");
  const limitMs = Math.min(timeMs, MOST_MS);
  const answer = yield* chc(work.program, property, runner, {
    timeMs: limitMs,
    maxDepth: 1000,
    ...(waitMs ? { waitMs } : {}),
  });
  if (answer.kind !== "safe" || answer.invariant === undefined)
    return { answer, by: "chc", iterations: [], end: answer.kind === "unsafe" ? "errors" : "budget" };
  const proof: InvariantProof = {
    kind: "invariant",
    property: property.name,
    by: "chc",
    invariant: answer.invariant,
  };
  const judgement = checkInvariant(work.program, proof, [runner], Math.max(CHECK_MS, limitMs));
  // sound: test/session/guarded.test.ts
  if (judgement.kind === "rejected")
    return stopped(
      { kind: "undecided", reason: `Spacer's invariant was not confirmed: ${judgement.why}` },
      "chc",
    );
  return { answer, by: "chc", iterations: [], end: "complete" };
}

const MOST_MS = 600_000;
const CHECK_MS = 10_000;
