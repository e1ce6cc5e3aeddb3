/**
 * Guarded commands whose variables all have ranges, as rules: a state is the values of the variables, a transition is a rule, an undefined
 * initial value is a choice among start states.
 *
 * Sums must fit into 32 bits, so that unbounded arithmetic and that of rules agree; other programs are not compiled (`whyNoStates`).
 */
import type {
  Condition,
  GuardedProgram,
  GuardedRun,
  GuardedTransition,
  GuardedVariable,
  LinearSum,
  Range,
} from "../model/guarded.js";
import { statesOf } from "../model/guarded.js";
import type { Span } from "../model/diagnostic.js";
import { nth } from "../model/known.js";
import { Successors } from "../model/system.js";
import type { Trace } from "../model/trace.js";
import {
  NO_SITE,
  type BooleanType,
  type RangeType,
  type Rule,
  type RuleExpr,
  type RuleOperator,
  type RuleProgram,
  type RuleStatement,
} from "../model/rules.js";
import { compileRules, type RuleModel } from "./rules/index.js";

/** The reason why the states of a program cannot be enumerated; undefined: they can. */
export function whyNoStates({ variables, ...program }: GuardedProgram): string | undefined {
  const open = variables.find(({ range }) => !range);
  if (open) return `\`${open.name}\` is an unbounded integer`;
  const starts = variables.reduce(
    (product, { initial, range }) => (initial === undefined ? product * sizeOf(range) : product),
    1n,
  );
  if (starts > MOST_STARTS) return `undefined initial values have ${starts} combinations`;
  const values = variables.map((_, variable) => ({ parts: [{ variable, coefficient: 1n }], constant: 0n }));
  // sound: test/compile/guarded.test.ts
  if (![...values, ...sumsOf(program)].every((sum) => fits(sum, variables)))
    return "a sum has values that exceed 32 bits, which states do not hold";
  return undefined;
}

const MOST_STARTS = 65_536n;
const MOST = 2n ** 31n - 1n;

const sizeOf = (range: Range | undefined): bigint => (range ? range.high - range.low + 1n : 1n);

function sumsOf({
  initial,
  transitions,
  properties,
}: Pick<GuardedProgram, "initial" | "transitions" | "properties">): LinearSum[] {
  const conditions = [
    initial,
    ...transitions.map(({ guard }) => guard),
    ...properties.map(({ condition }) => condition),
  ];
  const assigned = transitions.flatMap(({ assignments }) =>
    assignments.flatMap(({ value }) => (value === "nondet" ? [] : [value])),
  );
  return [...conditions.flatMap(sumsIn), ...assigned];
}

function sumsIn(condition: Condition): LinearSum[] {
  switch (condition.kind) {
    case "constant":
      return [];
    case "not":
      return sumsIn(condition.of);
    case "and":
    case "or":
      return condition.all.flatMap(sumsIn);
    case "divides":
      return [condition.sum, { parts: [], constant: condition.divisor }];
    case "atMost":
    case "zero":
      return [condition.sum];
  }
}

/** Do all partial sums, in any order, fit into 32 bits? */
function fits({ parts, constant }: LinearSum, variables: readonly GuardedVariable[]): boolean {
  const sizes = parts.map(({ variable, coefficient }) => {
    const { low, high } = rangeOf(nth(variables, variable));
    const largest = absolute(low) > absolute(high) ? absolute(low) : absolute(high);
    return absolute(coefficient) * (largest > 1n ? largest : 1n);
  });
  return sizes.reduce((sum, size) => sum + size, absolute(constant)) <= MOST;
}

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** `whyNoStates` has shown that there is one. */
function rangeOf({ range, name }: GuardedVariable): Range {
  if (!range) throw new Error(`${name} has no range`);
  return range;
}

export interface GuardedModel extends RuleModel {
  readonly rules: RuleProgram;
  /** A run as choices of the model. */
  traceOf(run: GuardedRun): Trace;
  /** The transition behind choice `choice` of a state; undefined: a start state. */
  transitionAt(state: Int32Array, at: number, choice: number): number | undefined;
}

export function compileGuarded(program: GuardedProgram): GuardedModel {
  const rules = rulesOf(program);
  const model = compileRules(rules);
  const transitionAt: GuardedModel["transitionAt"] = (state, at, choice) => {
    const { rule, isStart } = nth(model.eventsAt(state, at), choice);
    return isStart || !rule ? undefined : rule.number - 1;
  };
  return {
    ...model,
    rules,
    properties: program.properties,
    invariants: program.properties,
    transitionAt,
    traceOf: (run) => traceOf(program, model, run, transitionAt),
  };
}

/** Follows the run: the start state with its values, then its transitions. */
function traceOf(
  program: GuardedProgram,
  { steps }: RuleModel,
  run: GuardedRun,
  transitionAt: GuardedModel["transitionAt"],
): Trace {
  if (!statesOf(program, run)) throw new Error("the run cannot be executed");
  const out = new Successors(steps.width);
  steps.initial(out);
  let words = out.stateAt(0);
  const take = (isWanted: (choice: number) => boolean): number => {
    out.clear();
    steps.successors(words, 0, out);
    const choice = Array.from({ length: out.count }, (_, index) => index).find(isWanted);
    if (choice === undefined) throw new Error("a step of the run is not possible in the model");
    words = out.stateAt(choice);
    return choice;
  };
  const first = run.first.join();
  const choices = [
    take((choice) => {
      const shown = steps.snapshot(out.stateAt(choice), 0).map(({ value }) => value);
      return shown.join() === first;
    }),
    ...run.steps.map(({ transition }) => take((choice) => transitionAt(words, 0, choice) === transition)),
  ];
  return { choices, fault: -1, loopStart: undefined };
}

function rulesOf({ name, variables, initial, transitions, properties }: GuardedProgram): RuleProgram {
  const writer = new Writer(variables);
  return {
    name,
    scalarsets: [],
    variables: variables.map((variable) => ({ name: variable.name, type: typeOf(variable), span: NOWHERE })),
    procedures: [],
    starts: [writer.start(initial)],
    rules: transitions.map((transition, index) => writer.rule(transition, index + 1)),
    invariants: properties.map(({ name: written, condition, span }) => ({
      name: written,
      slots: [],
      binders: [],
      condition: writer.condition(condition),
      span: span ?? NOWHERE,
    })),
    assumptions: [],
    covers: [],
    liveness: [],
    temporal: [],
    sites: [],
    deadlock: { mode: "off", site: NO_SITE },
    maxCallDepth: 1,
    maxRounds: 1,
  };
}

const NOWHERE: Span = { file: "", start: 0, end: 0 };
const BOOLEAN: BooleanType = { kind: "boolean", low: 0, high: 1 };

const typeOf = (variable: GuardedVariable): RangeType => {
  const { low, high } = rangeOf(variable);
  return { kind: "range", low: Number(low), high: Number(high) };
};

class Writer {
  readonly #variables: readonly GuardedVariable[];

  constructor(variables: readonly GuardedVariable[]) {
    this.#variables = variables;
  }

  /** Undefined initial values are parameters; combinations that violate the initial condition are no start states. */
  start(initial: Condition): Rule {
    const open = this.#variables.flatMap((variable, index) =>
      variable.initial === undefined ? [{ ...typeOf(variable), name: variable.name, index }] : [],
    );
    const slotOf = new Map(open.map(({ index }, slot) => [index, slot]));
    const values = this.#variables.map((variable, index): RuleStatement => {
      const slot = slotOf.get(index);
      const value: RuleExpr =
        slot === undefined
          ? constant(Number(variable.initial ?? 0n))
          : { kind: "slot", type: typeOf(variable), slot, span: NOWHERE };
      return this.#assign(index, value);
    });
    return {
      name: "start",
      number: 1,
      slots: open.map(({ name, low, high }) => ({
        kind: "value",
        name,
        type: { kind: "range", low, high },
        isReadOnly: true,
      })),
      binders: open.map(({ low, high }, slot) => ({ kind: "values", slot, low, high, step: 1 })),
      guard: undefined,
      // sound: test/compile/guarded.test.ts
      body: [...values, { kind: "assume", condition: this.condition(initial), span: NOWHERE }],
      span: NOWHERE,
    };
  }

  rule({ label, process, guard, assignments, span }: GuardedTransition, number: number): Rule {
    const values = assignments.map(({ variable, value }) => {
      if (value === "nondet") throw new Error("the front end tries the values of a range one by one");
      return { variable, value: this.sum(value), reads: value.parts.map((part) => part.variable) };
    });
    // Right-hand sides read the values before the step.
    // sound: test/compile/guarded.test.ts
    const isOld = values.map(({ reads }, index) =>
      values.slice(0, index).some(({ variable }) => reads.includes(variable)),
    );
    const kept = values.filter((_, index) => isOld[index]);
    const slotOf = new Map(kept.map(({ variable }, slot) => [variable, slot]));
    return {
      name: label === "" ? `${process} ${number}` : `${process} ${label}`,
      number,
      slots: kept.map(({ variable, value: { type } }) => ({
        kind: "value",
        name: nth(this.#variables, variable).name,
        type,
        isReadOnly: true,
      })),
      binders: [],
      guard: this.condition(guard),
      body: [
        ...kept.map(({ value }, slot): RuleStatement => ({ kind: "bind", slot, value, span })),
        ...values.map(({ variable, value }) => {
          const slot = slotOf.get(variable);
          return this.#assign(
            variable,
            slot === undefined ? value : { kind: "slot", type: value.type, slot, span },
          );
        }),
      ],
      span,
    };
  }

  /** The front end has checked that the value is inside the range. */
  #assign(variable: number, value: RuleExpr): RuleStatement {
    return { kind: "assign", value, target: this.#place(variable), site: NO_SITE, span: NOWHERE };
  }

  #place(variable: number): Extract<RuleStatement, { kind: "assign" }>["target"] {
    const type = typeOf(nth(this.#variables, variable));
    return { root: { kind: "state", variable }, path: [], type, span: NOWHERE };
  }

  condition(of: Condition): RuleExpr {
    switch (of.kind) {
      case "constant":
        return { ...constant(of.value ? 1 : 0), type: BOOLEAN };
      case "not":
        return { kind: "unary", op: "!", type: BOOLEAN, operand: this.condition(of.of), span: NOWHERE };
      case "and":
      case "or":
        return this.#all(of.kind, of.all);
      case "atMost":
        return compared("<=", this.sum(of.sum));
      case "zero":
        return compared("==", this.sum(of.sum));
      case "divides":
        return compared("==", divided(this.sum(of.sum), Number(of.divisor)));
    }
  }

  #all(op: "and" | "or", all: readonly Condition[]): RuleExpr {
    const [first, ...others] = all.map((each) => this.condition(each));
    if (!first) return { ...constant(op === "and" ? 1 : 0), type: BOOLEAN };
    return others.reduce(
      (left, right) => ({ kind: "logical", op, type: BOOLEAN, left, right, span: NOWHERE }),
      first,
    );
  }

  sum({ parts, constant: last }: LinearSum): RuleExpr {
    const scaled = parts.map(({ variable, coefficient }): RuleExpr => {
      const place = this.#place(variable);
      const type = typeOf(nth(this.#variables, variable));
      const read: RuleExpr = { kind: "read", type, place, site: NO_SITE, span: NOWHERE };
      return coefficient === 1n ? read : computed("*", constant(Number(coefficient)), read);
    });
    const all = last === 0n && scaled.length > 0 ? scaled : [...scaled, constant(Number(last))];
    return all.reduce((left, right) => computed("+", left, right));
  }
}

const constant = (value: number): RuleExpr & { kind: "constant" } => ({
  kind: "constant",
  type: { kind: "range", low: value, high: value },
  value,
  span: NOWHERE,
});

const binary = (op: RuleOperator, left: RuleExpr, right: RuleExpr, type: RuleExpr["type"]): RuleExpr => ({
  kind: "binary",
  op,
  type,
  left,
  right,
  site: NO_SITE,
  span: NOWHERE,
});

const compared = (op: "<=" | "==", sum: RuleExpr): RuleExpr => binary(op, sum, constant(0), BOOLEAN);

function computed(op: "+" | "*", left: RuleExpr, right: RuleExpr): RuleExpr {
  const ends = [left.type.low, left.type.high].flatMap((a) =>
    [right.type.low, right.type.high].map((b) => (op === "+" ? a + b : a * b)),
  );
  return binary(op, left, right, { kind: "range", low: Math.min(...ends), high: Math.max(...ends) });
}

function divided(sum: RuleExpr, divisor: number): RuleExpr {
  const most = Math.abs(divisor) - 1;
  return binary("%", sum, constant(divisor), { kind: "range", low: -most, high: most });
}
