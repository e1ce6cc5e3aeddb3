/**
 * A rule program as a system of steps that can be explained: slow and obvious. `machine.ts` interprets statements, `codec.ts`
 * encodes states; the order of successors equals the generated code's.
 *
 * The root's successors are the start states. A step that a global assumption discards is a dead entry without a fault. A
 * deadlocked state has the fault of the deadlock after its steps, followed by the faults of covers and liveness properties
 * that cannot be evaluated there.
 */
import {
  Entry,
  Status,
  type Explainer,
  type ObservedSystem,
  type ProcessView,
  type Shown,
  type Step,
  type Successors,
  type Words,
} from "../../../model/index.js";
import {
  goalsOf,
  isSimple,
  type Binder,
  type Condition,
  type Rule,
  type RuleProgram,
} from "../../../model/rules.js";
import { firstAgents, labelOf, parametersOf, strideOf } from "../agents.js";
import type { RuleLayout } from "../layout.js";
import { Codec } from "./codec.js";
import { Discarded, Machine, RuleFault } from "./machine.js";
import { Shower } from "./show.js";
import { cloneValue, undefinedValue, type Value } from "./values.js";

export type { Value } from "./values.js";

export interface RuleInterpreter extends ObservedSystem, Explainer {
  /** Does it hold for all instances? A fault is thrown as `RuleFault`. */
  allHold(condition: Condition, state: Words, at: number): boolean;
  /** Does it hold for that instance? */
  holdsFor(condition: Condition, choices: readonly number[], state: Words, at: number): boolean;
  someHolds(condition: Condition, state: Words, at: number): boolean;
  /** Events at each entry that `successors` gives there. */
  eventsAt(state: Words, at: number): readonly RuleEvent[];
}

/** One entry of the successors. */
export interface RuleEvent {
  /** Undefined for the deadlock, and for properties that cannot be evaluated. */
  readonly rule: Rule | undefined;
  readonly property: Condition | undefined;
  readonly isStart: boolean;
  /** The number of the rule instance, for fairness; -1 where no rule fires. */
  readonly agent: number;
  /** Names and values of its parameters. */
  readonly parameters: readonly Shown[];
  /** The fault's site, or -1. */
  readonly fault: number;
  /** After the step; of one that failed, as far as it went. */
  readonly after: readonly Value[];
  readonly isDiscarded: boolean;
  readonly output: string;
  readonly covered: readonly number[];
}

export { Discarded, RuleFault } from "./machine.js";

export function interpretRules(program: RuleProgram, layout: RuleLayout): RuleInterpreter {
  return new Interpreter(program, layout);
}

class Interpreter implements RuleInterpreter {
  readonly compareFrom = 0;
  readonly hasRoot = true;
  readonly labels = "agents";
  readonly #program: RuleProgram;
  readonly #firstAgents: readonly number[];
  readonly #codec: Codec;
  readonly #shower: Shower;

  constructor(program: RuleProgram, layout: RuleLayout) {
    this.#program = program;
    this.#firstAgents = firstAgents(program);
    this.#codec = new Codec(program, layout);
    this.#shower = new Shower(program);
  }

  get width(): number {
    return this.#codec.width;
  }

  initial(out: Successors): void {
    this.#widen(out);
    if (out.count === out.capacity) out.grow();
    out.words.fill(0, out.count * out.stride, (out.count + 1) * out.stride);
    out.count++;
  }

  successors(state: Words, at: number, out: Successors): void {
    this.#widen(out);
    for (const { fault, isDiscarded, after, agent } of this.eventsAt(state, at)) {
      // sound: test/compile/rules/conditions.test.ts
      if (fault >= 0) out.addFault(fault);
      else if (isDiscarded)
        this.#addDead(out); // sound: test/compile/rules/conditions.test.ts
      else {
        if (out.count === out.capacity) out.grow();
        out.labels[out.count] = agent < 0 ? 0 : labelOf(agent);
        this.#codec.write(after, out.words, out.count++ * out.stride);
      }
    }
  }

  #widen(out: Successors): void {
    if (out.stride !== this.width) out.widen(this.width);
  }

  #addDead(out: Successors): void {
    out.addFault(0);
    out.flags[out.count - 1] = Entry.dead;
  }

  status(): number {
    return Status.validEnd;
  }

  // ---- for people -------------------------------------------------------------------------------

  describe(state: Words, at: number, choice: number): Step {
    const event = this.eventsAt(state, at)[choice]!;
    const { rule, property, isStart, parameters, output } = event;
    const kind = isStart ? "startstate" : "rule";
    if (!rule)
      return {
        participants: ["model"],
        action: property ? `property "${property.name}"` : "deadlock",
        sources: property ? [property.span] : [],
        messages: [],
        output: "",
      };
    const title = rule.name === undefined ? `${kind} ${rule.number}` : `${kind} "${rule.name}"`;
    const action = [title, ...parameters.map(({ name, value }) => `${name}: ${value}`)].join(", ");
    return { participants: [kind], action, sources: [rule.span], messages: [], output };
  }

  snapshot(state: Words, at: number): readonly Shown[] {
    return this.#codec.isRoot(state, at) ? [] : this.#shower.state(this.#codec.read(state, at));
  }

  processes(): readonly ProcessView[] {
    return [];
  }

  // ---- conditions -------------------------------------------------------------------------------

  allHold(condition: Condition, state: Words, at: number): boolean {
    return this.#codec.isRoot(state, at) || this.#holds(condition, this.#codec.read(state, at), true); // sound: test/compile/rules/conditions.test.ts
  }

  someHolds(condition: Condition, state: Words, at: number): boolean {
    return !this.#codec.isRoot(state, at) && this.#holds(condition, this.#codec.read(state, at), false); // sound: test/compile/rules/conditions.test.ts
  }

  holdsFor(condition: Condition, choices: readonly number[], state: Words, at: number): boolean {
    if (this.#codec.isRoot(state, at)) return false; // sound: test/compile/rules/conditions.test.ts
    const machine = this.#machine(this.#codec.read(state, at));
    const slots = machine.newSlots(condition);
    machine.bind(condition.binders, choices, slots);
    return machine.evaluate(condition.condition, slots) === 1; // sound: test/compile/rules/conditions.test.ts
  }

  valuation(index: number, state: Words, at: number): number {
    const { propositions, rejected } = this.#program.temporal[index]!;
    try {
      return propositions.reduce(
        (bits, { condition }, i) => (this.holdsFor(condition, [], state, at) ? bits | (1 << i) : bits),
        0,
      );
    } catch (error) {
      if (error instanceof Discarded) return ~rejected; // sound: test/compile/rules/valuation.test.ts
      if (!(error instanceof RuleFault)) throw error;
      return ~error.site; // sound: test/compile/rules/valuation.test.ts
    }
  }

  /** For all instances, or for some. */
  #holds(condition: Condition, values: Value[], isForAll: boolean): boolean {
    const machine = this.#machine(values);
    for (const choices of instances(machine, condition)) {
      const slots = machine.newSlots(condition);
      machine.bind(condition.binders, choices, slots);
      if ((machine.evaluate(condition.condition, slots) === 1) !== isForAll) return !isForAll; // sound: test/compile/rules/conditions.test.ts
    }
    return isForAll;
  }

  #machine(state: Value[], output: string[] = [], covered: number[] = []): Machine {
    return new Machine(
      this.#program,
      state,
      { print: (what) => output.push(what), cover: (index) => covered.push(index) },
      (value, what) =>
        this.#shower.line(value, what.type, "kind" in what ? "" : this.#nameOf(what)).replace(/^:/, ""),
    );
  }

  #nameOf({
    root,
  }: {
    readonly root:
      | { readonly kind: "state"; readonly variable: number }
      | { readonly kind: "slot"; readonly slot: number };
  }): string {
    return root.kind === "state" ? this.#program.variables[root.variable]!.name : "";
  }

  // ---- steps ------------------------------------------------------------------------------------

  eventsAt(state: Words, at: number): readonly RuleEvent[] {
    if (this.#codec.isRoot(state, at)) {
      const nothing = this.#program.variables.map(({ type }) => undefinedValue(type));
      return this.#program.starts
        .flatMap((start) => this.#eventsOf(start, nothing, true))
        .filter((event) => !event.isDiscarded); // sound: test/compile/rules/conditions.test.ts
    }
    const before = this.#codec.read(state, at);
    const events = this.#program.rules.flatMap((rule) => this.#eventsOf(rule, before, false));
    const { mode, site } = this.#program.deadlock;
    const isDeadlock = mode !== "off" && this.#isDeadlock(before, events); // sound: test/compile/rules/conditions.test.ts
    return [...events, ...(isDeadlock ? [notStep(site, before)] : []), ...this.#faultsOfGoals(before)];
  }

  #faultsOfGoals(state: readonly Value[]): RuleEvent[] {
    return goalsOf(this.#program).flatMap((property) => {
      try {
        this.#evaluateAll(property, [...state]);
        return [];
      } catch (error) {
        if (error instanceof Discarded) return [];
        if (!(error instanceof RuleFault)) throw error;
        return [notStep(error.site, state, property)];
      }
    });
  }

  #evaluateAll(condition: Condition, values: Value[]): void {
    const machine = this.#machine(values);
    for (const choices of instances(machine, condition)) {
      const slots = machine.newSlots(condition);
      machine.bind(condition.binders, choices, slots);
      machine.evaluate(condition.condition, slots);
    }
  }

  #isDeadlock(before: readonly Value[], events: readonly RuleEvent[]): boolean {
    if (this.#program.deadlock.mode === "stuck") return events.length === 0; // sound: test/compile/rules/conditions.test.ts
    const key = this.#key(before);
    return events.every(
      ({ fault, isDiscarded, after }) => fault < 0 && !isDiscarded && this.#key(after) === key, // sound: test/compile/rules/conditions.test.ts
    );
  }

  /** Distinguishes states: the words, in which multisets are in order. */
  #key(values: readonly Value[]): string {
    const words = new Int32Array(this.width);
    this.#codec.write(values, words, 0);
    return words.join();
  }

  /** Events of every enabled instance, and of every instance whose guard fails. */
  #eventsOf(rule: Rule, before: readonly Value[], isStart: boolean): RuleEvent[] {
    const events: RuleEvent[] = [];
    const looking = this.#machine([...before]);
    /** A fault is an entry; an assumption that does not hold is none. */
    const attempt = <T>(choices: readonly number[], ask: () => T): T | undefined => {
      try {
        return ask();
      } catch (error) {
        if (error instanceof Discarded) return undefined;
        if (!(error instanceof RuleFault)) throw error;
        events.push({ ...this.#event(rule, isStart, choices), fault: error.site, after: before });
        return undefined;
      }
    };
    for (const choices of instances(looking, rule, attempt)) {
      const isEnabled = attempt(choices, () => {
        const slots = looking.newSlots(rule);
        looking.bind(rule.binders, choices, slots);
        return !rule.guard || looking.evaluate(rule.guard, slots) === 1; // sound: test/compile/rules/conditions.test.ts
      });
      if (isEnabled !== true) continue; // sound: test/compile/rules/conditions.test.ts
      const event = this.#fire(rule, choices, before, isStart);
      if (event) events.push(event);
    }
    return events;
  }

  /** Undefined where a local assumption does not hold. */
  #fire(
    rule: Rule,
    choices: readonly number[],
    before: readonly Value[],
    isStart: boolean,
  ): RuleEvent | undefined {
    const after = before.map(cloneValue);
    const [output, covered]: [string[], number[]] = [[], []];
    const machine = this.#machine(after, output, covered);
    const slots = machine.newSlots(rule);
    let fault = -1;
    let isDiscarded = false;
    try {
      machine.bind(rule.binders, choices, slots);
      machine.run(rule.body, slots);
      isDiscarded = this.#program.assumptions.some(
        (assumption) => !this.#holds(assumption, this.#settled(after), true), // sound: test/compile/rules/conditions.test.ts
      );
    } catch (error) {
      if (error instanceof Discarded) return undefined;
      if (!(error instanceof RuleFault)) throw error;
      fault = error.site;
    }
    return {
      ...this.#event(rule, isStart, choices),
      fault,
      after,
      isDiscarded,
      output: output.join(""),
      covered,
    };
  }

  /** As a later step will see it: multisets in order. */
  #settled(values: readonly Value[]): Value[] {
    const words = new Int32Array(this.width);
    this.#codec.write(values, words, 0);
    return this.#codec.read(words, 0);
  }

  #event(rule: Rule, isStart: boolean, choices: readonly number[]): RuleEvent {
    const parameters = rule.binders
      .filter((binder) => binder.kind === "values" || binder.kind === "elements")
      .map((binder, i): Shown => {
        const { name, type } = rule.slots[binder.slot]!;
        const value = choices[i];
        if (binder.kind === "elements" || value === undefined || !isSimple(type))
          return { name, value: `${value ?? "?"}` };
        return { name, value: this.#shower.simple(value, type) };
      });
    return {
      rule,
      property: undefined,
      isStart,
      agent: isStart ? -1 : this.#agentOf(rule, choices),
      parameters,
      fault: -1,
      after: [],
      isDiscarded: false,
      output: "",
      covered: [],
    };
  }

  #agentOf(rule: Rule, choices: readonly number[]): number {
    const chosen = rule.binders.filter((binder) => binder.kind === "values" || binder.kind === "elements");
    const parameters = parametersOf(rule);
    return parameters.reduce((agent, parameter, i) => {
      const value = choices[chosen.indexOf(parameter)] ?? parameter.low;
      return agent + ((value - parameter.low) / parameter.step) * strideOf(parameters, i);
    }, this.#firstAgents[this.#program.rules.indexOf(rule)]!);
  }
}

const notStep = (site: number, after: readonly Value[], property?: Condition): RuleEvent => ({
  rule: undefined,
  property,
  isStart: false,
  agent: -1,
  parameters: [],
  fault: site,
  after,
  isDiscarded: false,
  output: "",
  covered: [],
});

/** Every combination of values for the binders, the last varying fastest. There are none where a binder cannot be evaluated. */
function* instances(
  machine: Machine,
  frame: Rule | Condition,
  attempt: <T>(choices: readonly number[], ask: () => T) => T | undefined = (_, ask) => ask(),
): Generator<number[]> {
  const several = frame.binders.filter((binder) => binder.kind === "values" || binder.kind === "elements");
  function* choose(chosen: number[]): Generator<number[]> {
    const binder = several[chosen.length];
    if (!binder) return yield chosen;
    const options = attempt(chosen, () => {
      const slots = machine.newSlots(frame);
      machine.bind(upTo(frame.binders, binder), chosen, slots);
      return machine.optionsFor(binder, slots);
    });
    for (const option of options ?? []) yield* choose([...chosen, option]);
  }
  yield* choose([]);
}

const upTo = (binders: readonly Binder[], binder: Binder): readonly Binder[] =>
  binders.slice(0, binders.indexOf(binder));
