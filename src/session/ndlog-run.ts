/**
 * Runs of an NDLog program, step by step, by its concrete semantics: a step inserts a base tuple that the constraints allow, or fires a rule.
 *
 * Base tuples are drawn from small integers, the constants of the program and attributes of the tuples that exist, so that joins match. Values
 * of functions are drawn once for each argument. Functions whose meaning is not analysed have no values: rules that apply them do not fire.
 */
import {
  derived,
  violatedConstraint,
  witnessOf,
  type Functions,
  type NdlogCondition,
  type NdlogEvent,
  type NdlogProgram,
  type NdlogProperty,
  type NdlogSum,
  type Shown,
  type Step,
} from "../model/index.js";
import { nth } from "../model/known.js";
import {
  ndlogNarrative,
  ndlogReason,
  ndlogSchedule,
  ndlogStep,
  tupleText,
  type NarratedStep,
  type Narrative,
  type NdlogRun,
} from "../report/index.js";
import type { Ending } from "./replay/ending.js";
import { Random } from "./replay/simulate.js";
import type { SteppedRun } from "./replay/stepped-run.js";

export class NdlogStepper implements SteppedRun {
  readonly usualSteps = 100;
  readonly choices: number[] = [];
  readonly #program: NdlogProgram;
  readonly #seed: number;
  readonly #functions: Functions;
  /** Followed to its end; undefined: the run is chosen step by step. */
  readonly #guide: readonly NdlogEvent[] | undefined;
  readonly #domain: readonly bigint[];
  readonly #events: NdlogEvent[] = [];
  /** Firings that are possible before each step, and now. */
  readonly #ready: (readonly NdlogEvent[])[];
  #offered: readonly NdlogEvent[] = [];

  constructor(program: NdlogProgram, seed: number, guide?: NdlogRun) {
    this.#program = program;
    this.#seed = seed;
    this.#guide = guide?.events;
    this.#functions = guide?.functions ?? drawn(program, seed);
    this.#domain = domainOf(program);
    this.#ready = [this.#firings(-1)];
    this.#offer();
  }

  get count(): number {
    return this.#offered.length;
  }

  get endReason(): string {
    return this.#guide ? "the trace ends here" : "no rule can fire, and the network is complete";
  }

  values(): readonly Shown[] {
    return this.narrative().final.values;
  }

  processes(): readonly [] {
    return [];
  }

  describe(choice: number): Step {
    return this.#told(choice);
  }

  take(choice: number): NarratedStep {
    const event = this.#offered[choice];
    if (!event) throw new RangeError(`choice ${choice} of ${this.count}`);
    const step = this.#told(choice);
    this.choices.push(choice);
    this.#events.push(event);
    const before = this.#ready.at(-1) ?? [];
    this.#ready.push([...before.filter((each) => each !== event), ...this.#firings(this.#events.length - 1)]);
    this.#offer();
    return step;
  }

  undo(): boolean {
    if (this.choices.pop() === undefined) return false;
    this.#events.pop();
    this.#ready.pop();
    this.#offer();
    return true;
  }

  ending(): Ending {
    const property = this.#analysed().find((each) => this.#roots(each) !== undefined); // sound: test/session/ndlog-run.test.ts
    if (property) {
      const reason = ndlogReason(this.#program, property, this.#events, this.#roots(property) ?? []);
      return { kind: "failed", property, fault: undefined, reason };
    }
    return this.count === 0 ? { kind: "ended" } : { kind: "open", choices: this.count };
  }

  narrative(): Narrative {
    const run = { events: this.#events, functions: this.#functions };
    return ndlogNarrative(this.#program, run, ndlogSchedule(this.#program, this.#analysed(), run));
  }

  #told(choice: number): NarratedStep {
    const events = [...this.#events, nth(this.#offered, choice)];
    return ndlogStep(this.#program, { events, functions: this.#functions }, events.length - 1);
  }

  /** Properties that need no function without a value. */
  #analysed(): NdlogProperty[] {
    return this.#program.properties.filter(
      (property) =>
        property.asks === "always" &&
        withoutDoubt(() => {
          this.#roots(property);
          return true;
        }) === true,
    );
  }

  #roots(property: NdlogProperty): readonly number[] | undefined {
    return witnessOf(property, this.#events, this.#functions);
  }

  #offer(): void {
    if (this.#guide) {
      const next = this.#guide[this.#events.length];
      this.#offered = next ? [next] : [];
      return;
    }
    this.#offered = [...(this.#ready.at(-1) ?? []), ...this.#insertions()];
  }

  /** Base tuples that the network may also have. */
  #insertions(): NdlogEvent[] {
    const base = this.#events.filter(({ rule }) => rule === undefined);
    if (base.length >= MOST_BASE_TUPLES) return [];
    const random = new Random(this.#seed + 7919 * this.#events.length);
    const known = [...new Set([...this.#domain, ...base.flatMap(({ values }) => values)])];
    const names = new Set(base.map((each) => tupleText(this.#program, each)));
    const found: NdlogEvent[] = [];
    for (const [predicate, { arity, isBase }] of this.#program.predicates.entries())
      for (let tries = 0, made = 0; isBase && tries < MOST_TRIES && made < TUPLES_OF_EACH; tries++) {
        const values = Array.from({ length: arity }, () => nth(known, random.below(known.length)));
        const event = { rule: undefined, predicate, values, premises: [] };
        const name = tupleText(this.#program, event);
        if (names.has(name) || !this.#isAllowed([...base, event])) continue;
        names.add(name);
        found.push(event);
        made++;
      }
    return found;
  }

  #isAllowed(base: readonly NdlogEvent[]): boolean {
    return (
      withoutDoubt(() => violatedConstraint(this.#program, base, this.#functions) === undefined) === true
    ); // sound: test/session/ndlog-run.test.ts
  }

  /** Rules that fire with the event among their premises; -1: without premises. */
  #firings(newest: number): NdlogEvent[] {
    return this.#program.rules.flatMap((rule, number) =>
      premisesWith(
        rule.body.atoms.map(({ predicate }) => predicate),
        this.#events,
        newest,
      ).flatMap((premises): NdlogEvent[] => {
        const tuples = premises.map((premise) => nth(this.#events, premise).values);
        const values = withoutDoubt(() => derived(rule, tuples, this.#functions));
        return values ? [{ rule: number, predicate: rule.head.predicate, values, premises }] : [];
      }),
    );
  }
}

const MOST_BASE_TUPLES = 12;
const TUPLES_OF_EACH = 2;
const MOST_TRIES = 60;

/** All choices of events by predicate that contain the newest one; without predicates, the empty one, if there is no newest. */
function premisesWith(
  predicates: readonly number[],
  events: readonly NdlogEvent[],
  newest: number,
): number[][] {
  if (predicates.length === 0) return newest < 0 ? [[]] : [];
  let chosen: number[][] = [[]];
  for (const wanted of predicates) {
    const fitting = events.flatMap(({ predicate }, index) => (predicate === wanted ? [index] : []));
    chosen = chosen.flatMap((before) => fitting.map((index) => [...before, index]));
    if (chosen.length > MOST_PREMISES) chosen = chosen.slice(-MOST_PREMISES);
  }
  return chosen.filter((each) => each.includes(newest));
}

/** The rest is not offered: not every enabled rule has to fire. */
const MOST_PREMISES = 20_000;

/** A function without a value was applied. */
class NotAnalysed extends Error {}

/** Undefined: the result depends on a function whose meaning is not analysed. */
function withoutDoubt<T>(evaluate: () => T): T | undefined {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof NotAnalysed) return undefined;
    throw error;
  }
}

function drawn({ definedFunctions }: NdlogProgram, seed: number): Functions {
  return (name, args) => {
    if (definedFunctions.has(name)) throw new NotAnalysed(name); // sound: test/session/ndlog-run.test.ts
    let mixed = seed;
    for (const code of `${name}(${args.join()})`)
      mixed = Math.imul(mixed ^ (code.codePointAt(0) ?? 0), 0x01000193);
    return BigInt(new Random(mixed).below(MOST_VALUE));
  };
}

const MOST_VALUE = 10;

/** Small integers, strings, and the constants with which rules and constraints compare. */
function domainOf({ strings, rules, constraints, properties }: NdlogProgram): bigint[] {
  const found = new Set<bigint>([0n, 1n, 2n, 3n, ...strings.keys()]);
  const addSum = ({ constant }: NdlogSum): void => void found.add(constant < 0n ? -constant : constant);
  const add = (condition: NdlogCondition): void => {
    if (condition.kind === "and" || condition.kind === "or") condition.all.forEach(add);
    else if (condition.kind === "not") add(condition.of);
    else if ("sum" in condition) addSum(condition.sum);
  };
  for (const { body } of rules) {
    add(body.condition);
    for (const { value } of body.definitions) addSum(value);
    for (const { args } of body.atoms) args.forEach(addSum);
  }
  for (const { when, then } of constraints) [when.condition, then].forEach(add);
  for (const { when } of properties) add(when.condition);
  return [...found];
}
