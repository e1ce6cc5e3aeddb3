/**
 * Processes with unbounded integers: a `Program` as guarded commands, in which numbers are mathematical integers and nothing wraps around.
 *
 * In: a program with fixed processes, scalars, arrays with constant indices and bounded channels. Out: guarded commands with the same runs as
 * long as no number leaves its type; or a diagnostic for every part outside the fragment. `bit`, `bool`, `mtype` and `pid` keep their values.
 * Read `storage.ts` (the variables), then `steps.ts` (edges as transitions); `expressions.ts` splits expressions into cases.
 *
 * Always true: nothing outside the fragment is translated.
 */
import type { Diagnostic, GuardedProgram, GuardedProperty, Program, Span } from "../../model/index.js";
import { conditionOf, Refused } from "./expressions.js";
import { Steps } from "./steps.js";
import { Storage } from "./storage.js";
import { and, constantSum, equal, not, or, TRUE, variableSum } from "./sums.js";

export interface Unbounded {
  /** Absent: a diagnostic is an error. */
  readonly program: GuardedProgram | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function unbounded(program: Program, file: string): Unbounded {
  const diagnostics: Diagnostic[] = [];
  const start: Span = { file, start: 0, end: 0 };
  const refuse = (span: Span, what: string): void =>
    void diagnostics.push({
      code: "unbounded/not-supported",
      severity: "error",
      message: `${what} cannot be checked with unbounded integers`,
      span,
      hint: "remove it, or check without --integers unbounded",
    });
  refuseWhole(program, start, refuse);
  const storage = new Storage(program, refuse);
  const steps = new Steps(storage, refuse);
  const transitions = steps.transitions();
  const properties = [...propertiesOf(program, storage, steps, refuse)];
  if (diagnostics.length > 0) return { program: undefined, diagnostics };
  const { variables } = storage;
  return {
    program: {
      kind: "guarded",
      name: program.name,
      variables,
      initial: TRUE,
      transitions,
      properties,
      predicates: [],
    },
    diagnostics,
  };
}

type Refuse = (span: Span, what: string) => void;

/** Parts that concern the whole program. */
function refuseWhole(
  { rules, temporal = [], endCondition, templates }: Program,
  start: Span,
  refuse: Refuse,
): void {
  if (rules.usesPriorities) refuse(start, "priorities of processes");
  if (rules.loseWhenFull) refuse(start, "--lose-when-full");
  if (rules.endNeedsEmptyChannels) refuse(start, "--end-needs-empty-channels");
  if (endCondition) refuse(start, "a trace of events");
  for (const { span, name } of temporal)
    refuse(span ?? start, `the property \`${name}\` of infinite executions`);
  for (const { span, name, provided, claims } of templates) {
    if (provided) refuse(span, `\`provided\` of \`${name}\``);
    if (claims.length > 0) refuse(span, `\`xr\` or \`xs\` of \`${name}\``);
  }
}

function* propertiesOf(
  { invariants, sites }: Program,
  { processes }: Storage,
  steps: Steps,
  refuse: Refuse,
): Generator<GuardedProperty> {
  const at = (variable: number, value: bigint) => equal(variableSum(variable), constantSum(value));
  const hasFailed = or(processes.map(({ location, failed }) => at(location, failed)));
  const asks = "safety";
  if (sites.some(({ fault }) => fault === "assertion"))
    yield { kind: "assertion", asks, name: "assertions", span: undefined, condition: not(hasFailed) };
  const ended = processes.map(({ location, dead, template }) =>
    or([
      at(location, dead),
      ...template.locations.flatMap(({ isEnd }, index) => (isEnd ? [at(location, BigInt(index))] : [])),
    ]),
  );
  const moves = or(processes.map((process) => steps.enabled(process)));
  // sound: test/transforms/unbounded.test.ts
  yield {
    kind: "deadlock",
    asks,
    name: "deadlock",
    span: undefined,
    condition: or([moves, and(ended), hasFailed]),
  };
  for (const { name, condition, span } of invariants)
    try {
      yield { kind: "invariant", asks, name, span, condition: conditionOf(condition, steps.outside()) };
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refuse(span, error.message);
    }
}
