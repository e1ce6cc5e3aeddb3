/**
 * Runs of NDLog: as schedules, narratives and derivations.
 *
 * A choice below the number of predicates inserts a base tuple; others fire a rule. Inputs are the attributes of base tuples and the
 * numbers of premises, event by event, then values of functions, each when it is needed first.
 */
import {
  derived,
  formatSchedule,
  parseSchedule,
  violatedConstraint,
  witnessOf,
  type Functions,
  type NdlogEvent,
  type NdlogProgram,
  type NdlogProperty,
  type NdlogRule,
  type Span,
  type TupleDerivation,
} from "../model/index.js";
import { nth } from "../model/known.js";
import type { NarratedStep, Narrative } from "./narrative.js";

export interface NdlogRun {
  readonly events: readonly NdlogEvent[];
  readonly functions: Functions;
}

/** The schedule of a run, with the values of functions that judging the properties needs: in order, up to the first that it shows. */
export function ndlogSchedule(
  program: NdlogProgram,
  properties: readonly NdlogProperty[],
  { events, functions }: NdlogRun,
): { readonly choices: number[]; readonly inputs: string[] } {
  const count = program.predicates.length;
  const choices = events.map(({ rule, predicate }) => (rule === undefined ? predicate : count + rule));
  const inputs = events.flatMap(({ rule, values, premises }) =>
    (rule === undefined ? values : premises).map(String),
  );
  const asked: string[] = [];
  const table = new FunctionTable((name, args) => {
    const value = functions(name, args);
    asked.push(`${value}`);
    return value;
  });
  // In the order in which a replay asks.
  const run = runOf(program, choices, inputs.map(BigInt), () => table.apply);
  if ("problem" in run) throw new Error(`a run cannot be replayed: ${run.problem}`);
  violatedConstraint(program, run.events, table.apply);
  for (const property of properties) if (witnessOf(property, run.events, table.apply)) break;
  return { choices, inputs: [...inputs, ...asked] };
}

/** The run of a schedule, or the reason why there is none. */
export function ndlogRunOfSchedule(
  program: NdlogProgram,
  schedule: string,
): NdlogRun | { readonly problem: string } {
  const parsed = parseSchedule(schedule);
  if (!parsed || parsed.loopStart !== undefined)
    return { problem: `'${schedule.slice(0, 40)}' is not a schedule` };
  return runOf(program, parsed.choices, (parsed.inputs ?? []).map(BigInt), (rest) => {
    const values = [...rest];
    return new FunctionTable(() => values.shift() ?? 0n).apply;
  });
}

/** Asks for a value once for each argument. */
class FunctionTable {
  readonly #known = new Map<string, bigint>();
  readonly #ask: Functions;

  constructor(ask: Functions) {
    this.#ask = ask;
  }

  readonly apply: Functions = (name, args) => {
    const key = `${name}(${args.join()})`;
    const value = this.#known.get(key) ?? this.#ask(name, args);
    this.#known.set(key, value);
    return value;
  };
}

function runOf(
  program: NdlogProgram,
  choices: readonly number[],
  inputs: readonly bigint[],
  functionsOf: (rest: readonly bigint[]) => Functions,
): NdlogRun | { readonly problem: string } {
  const count = program.predicates.length;
  const sizes = choices.map((choice) =>
    choice < count ? program.predicates[choice]?.arity : program.rules[choice - count]?.body.atoms.length,
  );
  const missing = sizes.findIndex((size) => size === undefined);
  if (missing >= 0) return { problem: `the program offers no choice ${choices[missing]}` };
  const own = sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  if (own > inputs.length) return { problem: "the schedule lacks inputs" };
  const functions = functionsOf(inputs.slice(own));
  const events: NdlogEvent[] = [];
  let at = 0;
  for (const [index, choice] of choices.entries()) {
    const taken = inputs.slice(at, (at += sizes[index] ?? 0));
    const event =
      choice < count
        ? baseEvent(program, choice, taken)
        : ruleEvent(program, choice - count, taken.map(Number), events, functions);
    if (typeof event === "string") return { problem: `event ${index + 1}: ${event}` };
    events.push(event);
  }
  const constraint = violatedConstraint(program, events, functions);
  if (constraint !== undefined) return { problem: `its base tuples violate the constraint ${constraint}` };
  return { events, functions };
}

const baseEvent = (
  { predicates }: NdlogProgram,
  predicate: number,
  values: readonly bigint[],
): NdlogEvent | string =>
  predicates[predicate]?.isBase
    ? { rule: undefined, predicate, values, premises: [] }
    : `${predicates[predicate]?.name ?? ""} has no base tuples`;

function ruleEvent(
  { rules }: NdlogProgram,
  number: number,
  premises: readonly number[],
  before: readonly NdlogEvent[],
  functions: Functions,
): NdlogEvent | string {
  const rule = rules[number];
  if (!rule) return "there is no such rule";
  const sources = premises.map((premise) => before[premise]);
  if (rule.body.atoms.some(({ predicate }, index) => sources[index]?.predicate !== predicate))
    return `${rule.label} has no such premises`;
  const values = derived(
    rule,
    sources.map((source) => source?.values ?? []),
    functions,
  );
  return values
    ? { rule: number, predicate: rule.head.predicate, values, premises }
    : `${rule.label} does not fire`;
}

/** `link(@1, 2, 3)`: strings by their text, values of sorts by sort and number. */
export function tupleText(
  { predicates, strings }: NdlogProgram,
  { predicate, values }: Pick<NdlogEvent, "predicate" | "values">,
): string {
  const declared = predicates[predicate];
  const texts = values.map((value, index) => {
    const text = strings.get(value);
    const sort = declared?.sorts?.[index];
    const shown =
      text === undefined ? `${sort === undefined || sort === "int" ? "" : sort}${value}` : `"${text}"`;
    return index === declared?.location ? `@${shown}` : shown;
  });
  return `${declared?.name ?? ""}(${texts.join(", ")})`;
}

export function ndlogNarrative(
  program: NdlogProgram,
  { events, functions }: NdlogRun,
  { choices, inputs }: { readonly choices: readonly number[]; readonly inputs: readonly string[] },
): Narrative {
  const steps = events.map((_, index) => ndlogStep(program, { events, functions }, index));
  const values = new Map(steps.flatMap(({ changes }) => [...changes]));
  return {
    schedule: formatSchedule(choices, undefined, inputs),
    length: steps.length,
    initial: [],
    steps,
    fault: -1,
    loopStart: undefined,
    inputs,
    final: {
      words: new Int32Array(0),
      values: [...values].map(([name, value]) => ({ name, value: value ?? "" })),
      processes: [],
    },
  };
}

/** The step that adds an event of a run. */
export function ndlogStep(
  program: NdlogProgram,
  { events, functions }: NdlogRun,
  index: number,
): NarratedStep {
  const event = nth(events, index);
  const rule = event.rule === undefined ? undefined : program.rules[event.rule];
  const tuple = tupleText(program, event);
  const place = event.values[program.predicates[event.predicate]?.location ?? -1];
  const from = event.premises.map((premise) => premise + 1).join(", ");
  return {
    number: index + 1,
    participants: [place === undefined ? "network" : (program.strings.get(place) ?? `${place}`)],
    action: rule
      ? `${rule.label} derives ${tuple}${from === "" ? "" : ` from ${from}`}${appliedIn(rule, event, events, functions)}`
      : `insert ${tuple}`,
    sources: rule ? [rule.span] : [],
    messages: [],
    output: "",
    isIntermediate: false,
    fault: -1,
    changes: new Map([[tuple, rule ? "derived" : "base"]]),
  };
}

/** ` with f_hash(2) = 7`: the values of functions that the rule needs. */
function appliedIn(
  rule: NdlogRule,
  { premises }: NdlogEvent,
  events: readonly NdlogEvent[],
  functions: Functions,
): string {
  const applied = new Set<string>();
  derived(
    rule,
    premises.map((premise) => events[premise]?.values ?? []),
    (name, args) => {
      const value = functions(name, args);
      applied.add(`${name}(${args.join(", ")}) = ${value}`);
      return value;
    },
  );
  return applied.size === 0 ? "" : ` with ${[...applied].join(", ")}`;
}

/** `where`: for base tuples, which no rule derives. */
export function ndlogDerivation(
  program: NdlogProgram,
  { events }: NdlogRun,
  roots: readonly number[],
  where: Span,
): TupleDerivation {
  const steps = events.map((event) => {
    const rule = event.rule === undefined ? undefined : program.rules[event.rule];
    return {
      rule: rule ? { name: rule.label, span: rule.span } : { name: "base", span: where },
      premises: event.premises,
      tuple: tupleText(program, event),
    };
  });
  return { steps, roots };
}

/** A violation in words. */
export function ndlogReason(
  program: NdlogProgram,
  property: NdlogProperty,
  events: readonly NdlogEvent[],
  roots: readonly number[],
): string {
  const tuples = roots.flatMap((root) => (events[root] ? [tupleText(program, events[root])] : []));
  const needed = property.alternatives.map(({ atoms }) =>
    [...new Set(atoms.map(({ predicate }) => program.predicates[predicate]?.name ?? ""))].join(", "),
  );
  const missing = needed.some((names) => names !== "")
    ? `without ${needed.join(" or ")} as required`
    : "against its condition";
  return `${tuples.join(" and ")} derived ${missing}`;
}
