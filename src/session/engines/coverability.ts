/**
 * Adapts coverability and boundedness to the registry: the requested procedure decides each property, and a covering run becomes a
 * trace of the net's model, where it is replayed.
 */
import {
  Spent,
  Work,
  boundedness,
  procedures,
  runInSlices,
  shorten,
  type Exhausted,
  type Procedure,
} from "../../engines/coverability/index.js";
import { choicesOf } from "../../compile/net.js";
import {
  TokenOverflow,
  isNet,
  renderTokens,
  type CoverProperty,
  type Net,
  type Scope,
  type Stats,
  type Trace,
  type Verdict,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import type { EngineFinding, EngineRequest, EngineResult, Loaded, SearchEnd } from "../contracts.js";
import { remaining, total } from "../pipeline/totals.js";

/** Checks a net by the named procedure; a Karp-Miller tree always decides boundedness. */
export async function check(name: string, loaded: Loaded, request: EngineRequest): Promise<EngineResult> {
  const { subject } = loaded;
  const procedure = procedures.find((known) => known.name === name);
  if (!isNet(subject) || !procedure) throw new Error(`'${name}' cannot check this`);
  const asked = subject.properties
    .filter((property) => property.kind === "coverability" || property.kind === "boundedness")
    .filter((property) => request.properties.includes(property));
  if (asked.length < request.properties.length) throw new Error(`'${name}' decides tokens alone`);
  return answerAll(asked, request, (property, work) =>
    property.kind === "boundedness"
      ? decideBoundedness(subject, work)
      : decideCover(subject, property, procedure, work),
  );
}

/** An answer, with the procedure that found it. */
export interface Answered extends Pick<EngineFinding, "verdict" | "derivation"> {
  readonly method: string;
}

/** One run per property; all runs share the budget. */
export async function answerAll<P extends EngineFinding["property"]>(
  properties: readonly P[],
  request: EngineRequest,
  answer: (property: P, work: Work) => Promise<Answered>,
): Promise<EngineResult> {
  const runs = [];
  let states = 0;
  const started = performance.now();
  for (const property of properties) {
    const budget = remaining(request.budget, states, performance.now() - started);
    const work = new Work(budget, request.control);
    const { answered, why } = await attempt(() => answer(property, work));
    const stats = statsOf(work);
    states += stats.states;
    runs.push({ property, answered, why, stats });
  }
  const why = runs.find((run) => run.why !== undefined)?.why;
  const scopes = runs.flatMap(({ answered: { verdict } }) =>
    verdict.kind === "holds" ? [verdict.scope] : [],
  );
  return {
    findings: runs.map(({ property, answered: { verdict, derivation } }) => ({
      property,
      verdict,
      occurrences: verdict.kind === "violated" ? 1 : 0,
      ...(derivation ? { derivation } : {}),
    })),
    scope: scopeOf(scopes, runs.length),
    end: endOf(why, scopes.length === runs.length),
    runs: runs.map(({ property, answered, stats }) => ({
      properties: [property.name],
      reductions: [],
      stats,
      method: answered.method,
    })),
    stats: total(runs.map((run) => run.stats)),
    coversAll: false,
    notices: [],
  };
}

async function attempt(
  decide: () => Promise<Answered>,
): Promise<{ readonly answered: Answered; readonly why: Exhausted | "overflow" | undefined }> {
  try {
    return { answered: await decide(), why: undefined };
  } catch (error) {
    if (error instanceof Spent)
      return { answered: { verdict: spent(error.why), method: "" }, why: error.why };
    if (!(error instanceof TokenOverflow)) throw error;
    const verdict: Verdict = {
      kind: "unknown",
      reason: error.message,
      advice: "try another procedure (--engine), or smaller numbers",
    };
    return { answered: { verdict, method: "" }, why: "overflow" };
  }
}

async function decideCover(
  net: Net,
  property: CoverProperty,
  { method, name, decide }: Procedure,
  work: Work,
): Promise<Answered> {
  const answer = await runInSlices(decide(net, property.alternatives, work), work);
  // sound: test/session/net-engines.test.ts
  if (answer.kind === "uncovered")
    return {
      method: name,
      verdict: { kind: "holds", scope: { kind: "complete", by: method, notes: answer.notes } },
    };
  const firing = shorten(net, property.alternatives, answer.firing);
  const choices = choicesOf(net, firing);
  const trace: Trace = { choices, fault: -1, loopStart: undefined };
  return { method: name, verdict: { kind: "violated", reason: coverReason(net, property), trace } };
}

async function decideBoundedness(net: Net, work: Work): Promise<Answered> {
  const answer = await runInSlices(boundedness(net, work), work);
  const method = "karp-miller";
  // sound: test/session/net-engines.test.ts
  if (answer.kind === "bounded") {
    const most = answer.most === undefined ? "from every start" : `at most ${answer.most} tokens in a place`;
    const notes = [most, `a tree of ${answer.nodes} nodes`];
    const scope: Scope = { kind: "complete", by: "a Karp-Miller tree", notes };
    return { method, verdict: { kind: "holds", scope } };
  }
  const places = answer.places.map((place) => nth(net.places, place).name);
  const reason = `unbounded: ${places.join(", ")} can grow forever`;
  const choices = choicesOf(net, answer.firing);
  return {
    method,
    verdict: { kind: "violated", reason, trace: { choices, fault: -1, loopStart: answer.loopStart } },
  };
}

/** Reason reported with a coverable target. */
const coverReason = ({ places }: Net, { name, alternatives }: CoverProperty): string => {
  const text = alternatives.map((tokens) => renderTokens(tokens, places)).join(" or ");
  return name === "target" ? `the target can be covered: ${text}` : `can be covered: ${text}`;
};

/** Combines scopes: the result is as partial as its most partial member. */
function scopeOf(scopes: readonly Scope[], asked: number): Scope {
  // sound: test/session/net-engines.test.ts
  if (scopes.length < asked)
    return {
      kind: "partial",
      by: scopes[0]?.by ?? "",
      notes: ["some properties do not hold, or are undecided"],
    };
  const by = [...new Set(scopes.map((scope) => scope.by))].join(" and ");
  return { kind: "complete", by, notes: scopes.length === 1 ? nth(scopes, 0).notes : [] };
}

function endOf(why: Exhausted | "overflow" | undefined, isClean: boolean): SearchEnd {
  if (why === "interrupted") return "stopped";
  if (why !== undefined) return "budget";
  return isClean ? "complete" : "errors";
}

const spent = (why: Exhausted): Verdict => ({ kind: "unknown", ...SPENT[why] });

const SPENT: Record<Exhausted, { readonly reason: string; readonly advice: string }> = {
  states: {
    reason: "the limit on states was reached",
    advice: "raise --max-states, or try another --engine",
  },
  time: { reason: "the time ran out", advice: "raise --time, or try another --engine" },
  memory: { reason: "the memory ran out", advice: "raise --memory, or try another --engine" },
  interrupted: { reason: "the search was interrupted", advice: "let it run to the end" },
};

const statsOf = (work: Work): Stats => ({
  states: work.vectors,
  transitions: work.steps,
  depth: work.depth,
  seconds: work.seconds,
  peakBytes: work.peakBytes,
  bytesPerState: 0,
});
