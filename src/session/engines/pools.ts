/** Adapts derivation pools to the registry: opens the solver, checks annotations and lemmas first, and turns answers into findings. */
import {
  checkAnnotations,
  DEFAULT_UNFOLDINGS,
  Encoder,
  lemmaText,
  Pool,
  poolProofOf,
  PoolTooLarge,
  provable,
  Queries,
  suggestions,
  verify,
  type PoolAnswer,
  type Suggestion,
  type Verified,
} from "../../engines/pools/index.js";
import {
  isNdlog,
  isNdlogProperty,
  type Diagnostic,
  type NdlogLemma,
  type NdlogProgram,
  type NdlogProperty,
  type PoolProof,
  type Scope,
  type Stats,
  type Verdict,
} from "../../model/index.js";
import { ndlogDerivation, ndlogNarrative, ndlogReason, ndlogSchedule } from "../../report/index.js";
import { openSolver } from "../../solvers/index.js";
import type { EngineFinding, EngineRequest, EngineResult, Loaded, SearchEnd } from "../contracts.js";
import { total } from "../pipeline/totals.js";
import { drive, endOf, leftMs, whyOver, type Driven } from "./driving.js";
import { adviceOn } from "./solver-advice.js";

const QUERY_MS = 10_000;

export async function check({ subject }: Loaded, request: EngineRequest): Promise<EngineResult> {
  if (!isNdlog(subject)) throw new Error("there is no NDLog program to check");
  const { solver: name = "auto", dumpSmt } = request.symbolic ?? {};
  const { timeMs = Infinity, memoryBytes = Infinity } = request.budget;
  const opened = openSolver({
    name,
    timeMs: Math.min(QUERY_MS, timeMs),
    memoryMb: Math.max(64, Math.min(2048, Math.floor(memoryBytes / 2 ** 20))),
    dumpDirectory: dumpSmt,
  });
  const asked = request.properties.filter(isNdlogProperty);
  const started = performance.now();
  if (!opened) {
    const reason = `the solver '${name}' is not installed`;
    return resultOf(
      asked.map((property) => undecided(property, reason, "budget")),
      [],
      request,
    );
  }
  try {
    const queries = new Queries(new Pool(subject, new Encoder(opened.solver.terms)), opened.solver);
    const prepared = prepare(queries);
    const parts: Part[] = [];
    for (const property of asked)
      parts.push(
        prepared.undecided === undefined
          ? await answered(property, queries, prepared.lemmas, { request, opened, started })
          : undecided(property, prepared.undecided, "budget"),
      );
    return resultOf(parts, prepared.notices, request);
  } finally {
    opened.close();
  }
}

interface Prepared {
  readonly lemmas: readonly NdlogLemma[];
  readonly notices: readonly Diagnostic[];
  /** Nothing can be concluded. */
  readonly undecided: string | undefined;
}

/** Annotations and lemmas are assumed only after they are proved. */
function prepare(queries: Queries): Prepared {
  try {
    const { diagnostics, undecided: open } = checkAnnotations(queries);
    const isBroken = diagnostics.some(({ severity }) => severity === "error");
    const undecided = open ?? (isBroken ? "an annotation is not inductive" : undefined); // sound: test/session/ndlog.test.ts
    if (undecided !== undefined) return { lemmas: [], notices: diagnostics, undecided };
    const { proved, failed } = provable(queries, queries.pool.program.lemmas);
    const broken = failed.map(({ lemma, why }): Diagnostic => ({
      code: "ndlog/lemma-not-proved",
      severity: "warning",
      message: `the lemma is not inductive, and is not used: ${why}`,
      span: lemma.span,
      hint: "strengthen it, or add the lemmas that it needs",
    }));
    return { lemmas: proved, notices: [...diagnostics, ...broken], undecided: undefined };
  } catch (error) {
    if (!(error instanceof PoolTooLarge)) throw error;
    return { lemmas: [], notices: [], undecided: error.message };
  }
}

interface Part {
  readonly finding: EngineFinding;
  readonly stats: Stats;
  readonly end: SearchEnd;
  readonly proof?: PoolProof;
  readonly notices?: readonly Diagnostic[];
}

const noStats: Stats = { states: 0, transitions: 0, depth: 0, seconds: 0, peakBytes: 0, bytesPerState: 0 };

const ADVICE =
  "raise --max-states (unfoldings) or --time, or state a `lemma` or an `annotation` in the specification";

const undecided = (property: NdlogProperty, reason: string, end: SearchEnd): Part => ({
  finding: {
    property,
    verdict: { kind: "unknown", reason, advice: adviceOn(reason, ADVICE) },
    occurrences: 0,
  },
  stats: noStats,
  end,
});

async function answered(
  property: NdlogProperty,
  queries: Queries,
  lemmas: readonly NdlogLemma[],
  work: Driven,
): Promise<Part> {
  const begun = performance.now();
  const maxUnfoldings = work.request.budget.maxStates ?? DEFAULT_UNFOLDINGS;
  const verified = await drive(verify(queries, property, lemmas, { maxUnfoldings }), work, leftMs(work));
  if (!verified) return undecided(property, whyOver(work), endOf(work));
  const { answer, combinations, unfoldings } = verified;
  const stats: Stats = {
    ...noStats,
    states: combinations.length + unfoldings,
    transitions: unfoldings,
    seconds: (performance.now() - begun) / 1000,
    solver: queries.solver.figures(),
  };
  if (answer.kind === "undecided") return { ...undecided(property, answer.reason, "budget"), stats };
  const finding = findingOf(queries.pool.program, property, answer, verified);
  const notices =
    answer.kind === "violated" && property.asks === "always"
      ? repairsOf(
          property,
          await drive(
            suggestions(queries.pool.program, property, answer.counterexample, queries.solver),
            work,
            leftMs(work),
          ),
        )
      : [];
  const isProved = answer.kind === "holds" && property.asks === "always";
  return {
    finding,
    stats,
    end: finding.verdict.kind === "holds" ? "complete" : "errors",
    notices,
    ...(isProved ? { proof: poolProofOf(queries.pool, property, answer.proof) } : {}),
  };
}

const MOST_REPAIRS = 5;

/** Undefined: there was no time to look for them. */
const repairsOf = ({ name, span }: NdlogProperty, found: readonly Suggestion[] = []): Diagnostic[] =>
  found.slice(0, MOST_REPAIRS).map(({ kind, text }): Diagnostic => ({
    code: "ndlog/repair",
    severity: "note",
    message:
      kind === "constraint"
        ? `\`${name}\` holds with the assumption \`${text}\``
        : `\`${name}\` holds with \`${text}\` on its left`,
    span,
  }));

function findingOf(
  program: NdlogProgram,
  property: NdlogProperty,
  answer: Exclude<PoolAnswer, { kind: "undecided" }>,
  verified: Verified,
): EngineFinding {
  if (answer.kind === "holds") {
    const notes = [...notesOf(program, answer), ...figuresOf(verified)];
    const isDerivable = property.asks === "derivable";
    const verdict: Verdict = isDerivable
      ? { kind: "violated", reason: "no network derives such tuples", trace: undefined }
      : { kind: "holds", scope: { kind: "complete", by: "derivation pool", notes } };
    return { property, verdict, occurrences: isDerivable ? 1 : 0 };
  }
  const { counterexample } = answer;
  const { events, roots } = counterexample;
  const schedule = ndlogSchedule(program, [property], counterexample);
  const evidence = {
    narrative: ndlogNarrative(program, counterexample, schedule),
    derivation: ndlogDerivation(program, counterexample, roots, property.span),
  };
  const trace = { ...schedule, fault: -1, loopStart: undefined };
  const reason = `${ndlogReason(program, property, events, roots)} (${answer.rules})`;
  const verdict: Verdict =
    property.asks === "always"
      ? { kind: "violated", reason, trace }
      : {
          kind: "holds",
          scope: {
            kind: "complete",
            by: "a derivation",
            notes: [`by ${answer.rules}`, ...figuresOf(verified)],
          },
        };
  return { property, verdict, occurrences: property.asks === "always" ? 1 : 0, ...evidence };
}

const notesOf = (program: NdlogProgram, answer: Extract<PoolAnswer, { kind: "holds" }>): string[] => [
  ...(answer.isVacuous ? ["vacuously: no network derives such tuples"] : []),
  ...(answer.isInductive ? ["by induction on derivations"] : []),
  ...answer.lemmas.map((lemma) => `with the inferred lemma ${lemmaText(program, lemma)}`),
];

const figuresOf = ({ combinations, unfoldings }: Verified): string[] => {
  const vacuous = combinations.filter(({ status }) => status === "vacuous").length;
  return [
    `${combinations.length} ${combinations.length === 1 ? "combination" : "combinations"} of derivations` +
      (vacuous > 0 ? `, ${vacuous} vacuous` : ""),
    ...(unfoldings > 0 ? [`${unfoldings} unfoldings`] : []),
  ];
};

function resultOf(
  parts: readonly Part[],
  notices: readonly Diagnostic[],
  { wantsProofs }: EngineRequest,
): EngineResult {
  const scopes = parts.flatMap(({ finding: { verdict } }) =>
    verdict.kind === "holds" ? [verdict.scope] : [],
  );
  const [only] = scopes;
  const isAll = scopes.length === parts.length;
  const scope: Scope = isAll
    ? {
        kind: "complete",
        by: [...new Set(scopes.map(({ by }) => by))].join(" and "),
        notes: scopes.length === 1 ? (only?.notes ?? []) : [],
      }
    : { kind: "partial", by: only?.by ?? "", notes: ["some properties do not hold, or are undecided"] };
  const open = parts.find(({ end }) => end !== "complete" && end !== "errors")?.end;
  return {
    findings: parts.map(({ finding }) => finding),
    scope,
    end: open ?? (isAll ? "complete" : "errors"),
    runs: parts.map(({ finding, stats }) => ({
      properties: [finding.property.name],
      reductions: [],
      stats,
      method: "pools",
    })),
    stats: total(parts.map(({ stats }) => stats)),
    coversAll: false,
    notices: [...notices, ...parts.flatMap((part) => part.notices ?? [])],
    ...(wantsProofs ? { proofs: parts.flatMap(({ proof }) => (proof ? [proof] : [])) } : {}),
  };
}
