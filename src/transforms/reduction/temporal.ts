/**
 * The reductions that a temporal property allows, and the program to search.
 *
 * - `slice` and `dead` change values that neither the program nor the property reads. Step by step the executions are
 *   unchanged, for every property and every fairness. Operations that could fail are kept: a failing step has no successor.
 * - `merge` lets a process continue at once through invisible statements that are always executable. That only removes
 *   repetitions, so the property must not count steps. Under fairness the intermediate locations must not matter to others: a
 *   rendezvous is impossible there, and `timeout` is false.
 * - `por` postpones steps: see `marking.ts`. Not under fairness, which depends on the enabled processes.
 */
import type { Expr, Program, ProgramProperty } from "../../model/index.js";
import { isStutterInvariant, isStutterInvariantAutomaton } from "../ltl/index.js";
import { resetDead } from "./dead.js";
import { marking, whyNotReducible } from "./marking.js";
import { mergeStatements } from "./merge.js";
import { reductionNames, type ReductionName } from "./names.js";
import { whyNotMergeable, type Plan } from "./plan.js";
import { Rewriter } from "./rewriting.js";
import { Sight } from "./sight.js";
import { slice } from "./slice.js";
import { expressionsIn, within } from "../../model/program-walk.js";

export interface TemporalPlanRequest {
  readonly wanted: readonly ReductionName[];
  readonly property: ProgramProperty;
  readonly fairness: "none" | "weak" | "strong";
}

export function planTemporal(program: Program, request: TemporalPlanRequest): Plan {
  const { property, wanted } = request;
  const alone: Program = { ...program, invariants: [], temporal: [property] };
  const observed = property.propositions.map((p) => p.condition);
  const refused: { name: ReductionName; why: string }[] = [];
  const isAccepted = (name: ReductionName): boolean => {
    if (!wanted.includes(name)) return false;
    const why = whyNot(name, alone, observed, request);
    if (why !== undefined) refused.push({ name, why });
    return why === undefined;
  };
  const names = reductionNames.filter((name) => name !== "symmetry" && isAccepted(name));
  const rewriter = new Rewriter(alone, false);
  if (names.includes("slice"))
    rewriter.then("slice", "everywhere", (p) => slice(p, { checksAssertions: false, observed }));
  if (names.includes("dead")) rewriter.then("dead", "from there on", (p) => resetDead(p, observed));
  if (names.includes("merge"))
    rewriter.then("merge", "from there on", (p) => mergeStatements(p, new Sight(p, observed)));
  const { rewriting, stages } = rewriter;
  // Accesses against an `xr` or `xs` are not reported here.
  const candidacy = names.includes("por")
    ? marking(rewriting.program, { trustsClaims: false, observed })
    : undefined;
  const hasCandidates = candidacy?.locations.some((template) => template.some((l) => l !== undefined));
  return {
    ...rewriting,
    names,
    candidacy: hasCandidates ? candidacy : undefined,
    stages,
    trustsClaims: false,
    refused,
  };
}

function whyNot(
  name: ReductionName,
  program: Program,
  observed: readonly Expr[],
  { property, fairness }: TemporalPlanRequest,
): string | undefined {
  const isFair = fairness !== "none";
  switch (name) {
    case "por":
      if (isFair) return "fairness depends on the enabled processes of every state"; // sound: test/session/reduction.test.ts test/transforms/reduction/temporal.test.ts
      return (
        whyNotReducible(program) ??
        whyCounting(property) ??
        (observed.every(looksAtGlobals)
          ? undefined
          : `'${property.name}' looks at more than global variables`)
      );
    case "merge":
      return (
        whyNotMergeable(program) ??
        whyCounting(property) ??
        whyWatching(property, observed) ??
        (isFair ? whyFairnessSees(program) : undefined)
      );
    default:
      return undefined;
  }
}

function whyCounting({ name, requirement }: ProgramProperty): string | undefined {
  if (requirement.kind === "avoids")
    return isStutterInvariantAutomaton(requirement.claim.automaton)
      ? undefined
      : `'${name}' may count steps, as claims can`;
  return isStutterInvariant(requirement.formula) ? undefined : `'${name}' counts steps, with 'next'`;
}

/** Observations that an invisible step could still change. */
function whyWatching({ name }: ProgramProperty, observed: readonly Expr[]): string | undefined {
  for (const e of observed.flatMap((o) => [...within(o)])) {
    const watched = watchers[e.kind];
    if (watched !== undefined) return `'${name}' asks ${watched}`; // sound: test/session/reduction.test.ts test/transforms/reduction/temporal.test.ts
  }
  return undefined;
}

const watchers: Partial<Record<Expr["kind"], string>> = {
  last: "who moved last",
  enabled: "which processes are enabled",
  "control-point": "the location of each process",
  timeout: "whether anything can move",
  priority: "for priorities",
};

/** Which processes can move may depend on the location of a process between two statements. */
function whyFairnessSees(program: Program): string | undefined {
  if (program.channelTypes.some((c) => c.capacity === 0))
    return "fairness looks at who could move, and a rendezvous is possible only at both locations";
  if ([...expressionsIn(program)].some((e) => e.kind === "timeout"))
    return "fairness looks at who could move, and 'timeout' is true only where no other can";
  return undefined;
}

/** The writers of a global are known; other conditions may change with any step. */
function looksAtGlobals(e: Expr): boolean {
  switch (e.kind) {
    case "constant":
      return true;
    case "load":
      return (
        e.place.scope === "global" &&
        e.place.path.every((step) => step.kind === "field" || looksAtGlobals(step.index))
      );
    case "unary":
      return looksAtGlobals(e.operand);
    case "binary":
      return looksAtGlobals(e.left) && looksAtGlobals(e.right);
    case "conditional":
      return looksAtGlobals(e.test) && looksAtGlobals(e.then) && looksAtGlobals(e.otherwise);
    default:
      return false;
  }
}
