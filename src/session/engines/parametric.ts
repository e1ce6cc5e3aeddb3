/** Adapts the symbolic search of Boolean programs to the registry: watches the budget, and turns answers into findings. */
import {
  ParametricSearch,
  proofOf,
  Stopped,
  type SearchAnswer,
  type SearchFigures,
} from "../../engines/parametric/index.js";
import {
  isBoolean,
  type BooleanProgram,
  type BooleanProof,
  type BooleanProperty,
  type BooleanSubject,
  type Property,
  type Scope,
  type Stats,
  type Verdict,
} from "../../model/index.js";
import { Cdcl } from "../../solvers/index.js";
import type { EngineFinding, EngineRequest, EngineResult, Loaded, SearchEnd } from "../contracts.js";
import { remaining, total } from "../pipeline/totals.js";

interface Part {
  readonly finding: EngineFinding;
  readonly stats: Stats;
  readonly end: SearchEnd;
  readonly reductions: readonly string[];
  readonly proof: BooleanProof | undefined;
}

export async function check({ subject }: Loaded, request: EngineRequest): Promise<EngineResult> {
  if (!isBoolean(subject)) throw new Error("there is no Boolean program to check");
  const { program } = subject;
  const started = performance.now();
  const parts: Part[] = [];
  let states = 0;
  for (const property of request.properties) {
    const asked = program.properties.find(({ name }) => name === property.name);
    if (!asked) throw new Error(`the program has no property '${property.name}'`);
    const part = await answered(subject, asked, property, request, states, started);
    states += part.stats.states;
    parts.push(part);
  }
  return resultOf(parts, request);
}

async function answered(
  subject: BooleanSubject,
  asked: BooleanProperty,
  property: Property,
  request: EngineRequest,
  states: number,
  begun: number,
): Promise<Part> {
  const { program } = subject;
  const started = performance.now();
  const { maxStates = Infinity, timeMs = Infinity } = remaining(request.budget, states, started - begun);
  const isOver = (): boolean =>
    request.control.isStopped?.() === true || performance.now() - started > timeMs;
  const { isPlain, reductions, wantsProofs, search: order, symbolic } = request;
  const reduces = (name: string): boolean => !isPlain && (reductions?.includes(name) ?? true);
  const options = {
    fixpoint: symbolic?.fixpoint ?? ("qbf" as const),
    order: order === "dfs" ? ("dfs" as const) : ("bfs" as const),
    reducesThreads: reduces("por") && !wantsProofs,
    dropsDead: reduces("dead"),
    keepsProof: wantsProofs,
    maxStates,
    makeSat: () => new Cdcl(isOver),
  };
  const search = new ParametricSearch(program, asked, options);
  const answer = await drive(search, request, isOver, started);
  const figures = search.figures();
  const finding = findingOf(subject, property, answer, figures, request);
  const isStopped = request.control.isStopped?.() === true;
  const end: SearchEnd =
    finding.verdict.kind === "unknown"
      ? isStopped
        ? "stopped"
        : "budget"
      : finding.verdict.kind === "holds"
        ? "complete"
        : "errors";
  const proof =
    answer?.kind === "unreachable" && answer.proof ? proofOf(asked.name, answer.proof) : undefined;
  return {
    finding,
    stats: statsOf(figures, started),
    end,
    reductions: [...(options.reducesThreads ? ["por"] : []), ...(options.dropsDead ? ["dead"] : [])],
    proof,
  };
}

/** Undefined: the time is up, or the user stopped it. */
async function drive(
  search: ParametricSearch,
  { control }: EngineRequest,
  isOver: () => boolean,
  started: number,
): Promise<SearchAnswer | undefined> {
  const steps = search.run();
  let pause = performance.now() + SLICE_MS;
  try {
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      const now = performance.now();
      if (now < pause) continue;
      // Signals and timers of the process have their turn.
      await new Promise((resolve) => setImmediate(resolve));
      const { inserted, transitions, depth } = search.figures();
      const seconds = (now - started) / 1000;
      control.onProgress?.({ states: inserted, transitions, depth, frontier: 0, bytes: 0, seconds });
      if (isOver()) return undefined;
      pause = performance.now() + SLICE_MS;
    }
  } catch (error) {
    if (error instanceof Stopped) return undefined;
    throw error;
  }
}

const SLICE_MS = 100;

function findingOf(
  { program, traceOf }: BooleanSubject,
  property: Property,
  answer: SearchAnswer | undefined,
  figures: SearchFigures,
  { control }: EngineRequest,
): EngineFinding {
  if (answer?.kind === "reachable") {
    const trace = traceOf(answer.run);
    const reason = property.kind === "assertion" ? failureOf(program, answer) : `reachable: ${property.name}`;
    return { property, verdict: { kind: "violated", reason, trace }, occurrences: 1 };
  }
  return { property, verdict: verdictOf(answer, figures, control.isStopped?.() === true), occurrences: 0 };
}

function failureOf(
  { threads }: BooleanProgram,
  { run }: Extract<SearchAnswer, { kind: "reachable" }>,
): string {
  const last = run.moves.at(-1);
  const at = [...run.first.at];
  for (const { thread, step } of run.moves)
    at[thread] = threads[thread]?.locations[at[thread] ?? 0]?.steps[step]?.to ?? 0;
  const location = last && threads[last.thread]?.locations[at[last.thread] ?? 0];
  return `assertion violated: ${location?.failed ?? ""}`;
}

function verdictOf(
  answer: Exclude<SearchAnswer, { kind: "reachable" }> | undefined,
  figures: SearchFigures,
  isStopped: boolean,
): Verdict {
  if (answer?.kind === "unreachable")
    return { kind: "holds", scope: { kind: "complete", by: "symbolic search", notes: notesOf(figures) } };
  if (answer)
    return { kind: "unknown", reason: "the limit on states was reached", advice: "raise --max-states" };
  return isStopped
    ? { kind: "unknown", reason: "the search was interrupted", advice: "let it run to the end" }
    : { kind: "unknown", reason: "the time ran out", advice: "raise --time, or try another --fixpoint" };
}

function notesOf({ inserted, covered, empty, locationVectors, reduced }: SearchFigures): string[] {
  return [
    `${inserted} symbolic states at ${locationVectors} location vectors`,
    `${covered} covered`,
    // A constraint that no choice satisfies ends a path: intended, and worth knowing.
    `${empty} impossible`,
    ...(reduced > 0 ? [`one thread explored in ${reduced}`] : []),
  ];
}

const statsOf = (figures: SearchFigures, started: number): Stats => ({
  states: figures.inserted,
  transitions: figures.transitions,
  depth: figures.depth,
  seconds: (performance.now() - started) / 1000,
  peakBytes: 0,
  bytesPerState: 0,
});

function resultOf(parts: readonly Part[], { wantsProofs }: EngineRequest): EngineResult {
  const scopes = parts.flatMap(({ finding: { verdict } }) =>
    verdict.kind === "holds" ? [verdict.scope] : [],
  );
  const isClean = scopes.length === parts.length;
  const scope: Scope = isClean
    ? { kind: "complete", by: "symbolic search", notes: scopes.length === 1 ? (scopes[0]?.notes ?? []) : [] }
    : { kind: "partial", by: "symbolic search", notes: ["some properties do not hold, or are undecided"] };
  return {
    findings: parts.map(({ finding }) => finding),
    scope,
    end:
      parts.find(({ end }) => end === "stopped" || end === "budget")?.end ??
      (isClean ? "complete" : "errors"),
    runs: parts.map(({ finding, stats, reductions }) => ({
      properties: [finding.property.name],
      reductions,
      stats,
      method: "parametric",
    })),
    stats: total(parts.map(({ stats }) => stats)),
    coversAll: false,
    notices: [],
    ...(wantsProofs ? { proofs: parts.flatMap(({ proof }) => (proof ? [proof] : [])) } : {}),
  };
}
