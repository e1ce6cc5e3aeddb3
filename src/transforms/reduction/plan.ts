/** Which reductions the checked properties allow, and the reduced program. */
import type { Candidacy, Expr, Program, Property } from "../../model/index.js";
import { resetDead } from "./dead.js";
import { marking, whyInvariantsSee, whyNotReducible } from "./marking.js";
import { mergeStatements } from "./merge.js";
import { reductionNames, type ReductionName } from "./names.js";
import { Rewriter, type Rewriting, type RewritingStage } from "./rewriting.js";
import { slice } from "./slice.js";
import { edgesIn, expressionsAround, expressionsOf } from "../../model/program-walk.js";

export interface PlanRequest {
  readonly wanted: readonly ReductionName[];
  readonly properties: readonly Property[];
  /** Is a second claim on a channel reported? Then unreported claims can be relied on. */
  readonly trustsClaims: boolean;
}

export interface Plan extends Rewriting {
  readonly names: readonly ReductionName[];
  readonly candidacy: Candidacy | undefined;
  /** How the program was rewritten, step by step. */
  readonly stages: readonly RewritingStage[];
  /** As in `PlanRequest`. */
  readonly trustsClaims: boolean;
  /** Requested reductions that are not applied, and why. */
  readonly refused: readonly { readonly name: ReductionName; readonly why: string }[];
}

export function planReductions(program: Program, request: PlanRequest): Plan {
  const refused: { name: ReductionName; why: string }[] = [];
  const isAccepted = (name: ReductionName): boolean => {
    if (!request.wanted.includes(name)) return false;
    const why = whyNot(name, program, request);
    if (why !== undefined) refused.push({ name, why });
    return why === undefined;
  };
  // A `Program` has no scalarsets.
  const names = reductionNames.filter((name) => name !== "symmetry" && isAccepted(name));
  const checksAssertions = request.properties.some((p) => p.kind === "assertion");
  const rewriter = new Rewriter(program, checksAssertions);
  if (names.includes("slice")) rewriter.then("slice", "everywhere", (p) => slice(p, { checksAssertions }));
  if (names.includes("dead")) rewriter.then("dead", "from there on", (p) => resetDead(p));
  if (names.includes("merge")) rewriter.then("merge", "from there on", (p) => mergeStatements(p));
  const { rewriting, stages } = rewriter;
  const { trustsClaims } = request;
  const candidacy = names.includes("por") ? marking(rewriting.program, { trustsClaims }) : undefined;
  return { ...rewriting, names, candidacy, stages, trustsClaims, refused };
}

/** Safety in the sense of: something bad is seen in a state, or when a step is taken. */
const acceptedKinds: ReadonlySet<Property["kind"]> = new Set([
  "assertion",
  "deadlock",
  "runtime",
  "invariant",
]);

function whyNot(name: ReductionName, program: Program, { properties }: PlanRequest): string | undefined {
  const other = properties.find((p) => !acceptedKinds.has(p.kind)); // sound: test/session/reduction.test.ts
  if (other) return `'${other.name}' is not a safety property`;
  switch (name) {
    case "por":
      return whyNotReducible(program);
    case "merge":
      return whyNotMergeable(program);
    case "dead":
    case "slice":
    case "symmetry":
      return undefined;
  }
}

/** Properties that count steps or depend on the moving or enabled process can see that there are fewer steps. */
export function whyNotMergeable(program: Program): string | undefined {
  if (program.rules.usesPriorities) return "processes have priorities"; // sound: test/session/reduction.test.ts
  if (program.templates.some((t) => t.provided)) return "a process has a 'provided' clause"; // sound: test/session/reduction.test.ts
  const all = [...edgesIn(program)].flatMap((e) => [...expressionsOf(e)]);
  for (const e of [...all, ...expressionsAround(program)]) {
    const why = observers[e.kind];
    if (why) return why; // sound: test/session/reduction.test.ts
  }
  return whyInvariantsSee(program);
}

const observers: Partial<Record<Expr["kind"], string>> = {
  last: "it refers to '_last'",
  enabled: "it refers to enabled processes",
  "control-point": "it refers to another process's location",
  at: "it refers to another process's location",
  remote: "it looks at the variables of another process",
  "no-progress": "it refers to 'np_'",
  accepting: "it refers to another process's location",
};
