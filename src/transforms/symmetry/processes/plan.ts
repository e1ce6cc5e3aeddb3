/**
 * Finds interchangeable processes of a `Program` and the parts of its states that name them.
 *
 * The proof has two parts. Processes of one template are interchangeable if their numbers are used as names only: stored, compared
 * with `==`, used as an index, sent. Likewise, values that identify processes (an argument that differs from process to process) are
 * interchangeable if used as names only. Both permutations map every step of a settled state to a step, so a state and its image
 * satisfy the same symmetric properties. The first settled state need not be symmetric.
 *
 * Always true: unproved symmetry is refused, with the statement that prevents the proof.
 */
import type { Program } from "../../../model/index.js";
import type { ProcessSymmetry, RepresentativeForm, SettledProcesses } from "../../../model/symmetry.js";
import type { Reason } from "./classes.js";
import { endOf, type Ending } from "./endings.js";
import { Identities } from "./identities.js";
import { symmetryOf } from "./naming.js";
import { Uses, type AskedCondition } from "./uses.js";
import { nth } from "../../../model/known.js";

export interface ProcessPlan {
  /** Absent: no processes are interchangeable. */
  readonly symmetry: ProcessSymmetry | undefined;
  /** Templates with several processes that are not interchangeable. */
  readonly refused: readonly ProcessRefusal[];
}

export interface ProcessRefusal extends Reason {
  readonly template: number;
}

export function planProcesses(
  program: Program,
  settled: SettledProcesses,
  form: RepresentativeForm,
  asked: readonly AskedCondition[] = [],
): ProcessPlan {
  const uses = new Uses(program, settled, asked);
  const several = severalOf(settled);
  const ending = endOf(program, settled);
  const why = whyNever(program, uses, ending);
  if (why) return { symmetry: undefined, refused: several.map((template) => ({ template, ...why })) };
  const identities = new Identities(program, settled, uses, several);
  return {
    symmetry: symmetryOf(program, settled, uses, identities, form),
    refused: several.flatMap((template) => {
      const reason = identities.whyNot(template);
      return reason ? [{ template, ...reason }] : [];
    }),
  };
}

/** Templates with more than one process. */
const severalOf = ({ templates }: SettledProcesses): number[] =>
  [...new Set(templates)].filter((t) => templates.filter((other) => other === t).length > 1);

function whyNever(program: Program, uses: Uses, ending: Ending | undefined): Reason | undefined {
  const { rules, templates, sites } = program;
  const span = nth(templates, 0).span;
  if (rules.usesPriorities) return { why: "processes have priorities", span }; // sound: test/transforms/symmetry/processes.test.ts
  const trace = sites.find(({ fault }) => fault === "trace" || fault === "notrace");
  // sound: test/transforms/symmetry/processes.test.ts
  if (trace) return { why: "an event trace watches the channels", span: trace.span };
  // sound: test/transforms/symmetry/processes.test.ts
  return uses.refused[0] ?? (ending && whyEndShows(uses, ending));
}

/** Promela removes ended processes in the order of their numbers; this search keeps them, which must be unobservable. */
function whyEndShows({ removal }: Uses, { channels, claims }: Ending): Reason | undefined {
  const [first] = removal;
  // sound: test/transforms/symmetry/processes.test.ts
  if (first) return { why: `${first.why} depends on when ended processes are removed`, span: first.span };
  // sound: test/transforms/symmetry/processes.test.ts
  if (channels) return { why: "a process that ends takes its channels with it", span: channels };
  // sound: test/transforms/symmetry/processes.test.ts
  return claims && { why: "a process that ends gives up its claim on a channel", span: claims };
}
