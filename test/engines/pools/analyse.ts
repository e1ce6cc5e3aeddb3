/** Analyses NDLog texts with the embedded or native solver. */
import {
  checkAnnotations,
  Encoder,
  lemmaText,
  Pool,
  provable,
  Queries,
  verify,
  type PoolOptions,
  type Verified,
} from "../../../src/engines/pools/index.js";
import { loadNdlog } from "../../../src/languages/ndlog/index.js";
import type { Diagnostic, NdlogProgram, Solver } from "../../../src/model/index.js";
import { openSolver } from "../../../src/solvers/index.js";

export interface Analysis {
  readonly program: NdlogProgram;
  readonly pool: Pool;
  readonly queries: Queries;
  readonly annotations: readonly Diagnostic[];
  readonly failedLemmas: readonly string[];
  /** By the name of the property. */
  readonly verified: Readonly<Record<string, Verified>>;
}

export function analyse(
  text: string,
  options: Partial<PoolOptions> & { readonly wrap?: (solver: Solver) => Solver } = {},
): Analysis {
  const { program, diagnostics } = loadNdlog("test.ndlog", text);
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  const opened = openSolver({ name: "auto", timeMs: 10_000, memoryMb: 1024 });
  if (!opened) throw new Error("there is no solver");
  try {
    const solver = options.wrap?.(opened.solver) ?? opened.solver;
    const pool = new Pool(program, new Encoder(solver.terms));
    const queries = new Queries(pool, solver);
    const annotations = checkAnnotations(queries).diagnostics;
    const { proved, failed } = provable(queries, program.lemmas);
    const verified = Object.fromEntries(
      program.properties.map((property) => {
        const steps = verify(queries, property, proved, { maxUnfoldings: 20, ...options });
        let step = steps.next();
        while (!step.done) step = steps.next();
        return [property.name, step.value];
      }),
    );
    return { program, pool, queries, annotations, failedLemmas: failed.map(({ why }) => why), verified };
  } finally {
    opened.close();
  }
}

/** `holds`, `holds vacuously`, `violated r1+r2`, `undecided`, by property. */
export function verdicts(...given: Parameters<typeof analyse>): Record<string, string> {
  const { verified } = analyse(...given);
  return Object.fromEntries(Object.entries(verified).map(([name, each]) => [name, textOf(each)]));
}

function textOf({ answer, combinations }: Verified): string {
  if (answer.kind === "holds") return answer.isVacuous ? "holds vacuously" : "holds";
  if (answer.kind === "undecided") return "undecided";
  return `violated ${combinations.flatMap(({ rules, status }) => (status === "violated" ? [rules] : [])).join(" ")}`;
}

export { lemmaText };
