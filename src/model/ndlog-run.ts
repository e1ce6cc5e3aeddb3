/**
 * Concrete semantics of NDLog: runs as sequences of events, and the violations that they show. Evaluates the program directly; shares no
 * code with the engine, whose counterexamples it replays.
 *
 * A run inserts base tuples and fires rules whose premises occur earlier; not every enabled rule has to fire. An event
 * lists its premises, so a run is also a set of derivation trees.
 */
import type {
  NdlogAtom,
  NdlogClause,
  NdlogCondition,
  NdlogProgram,
  NdlogProperty,
  NdlogRule,
  NdlogSum,
  NdlogTerm,
} from "./ndlog.js";
import { variableOfSum } from "./ndlog.js";
import { floorDivide, modulo } from "./terms.js";

export interface NdlogEvent {
  /** Undefined: a base tuple. */
  readonly rule: number | undefined;
  readonly predicate: number;
  readonly values: readonly bigint[];
  /** Positions of the premises, one for each atom of the rule. */
  readonly premises: readonly number[];
}

/** Values of uninterpreted functions. */
export type Functions = (name: string, args: readonly bigint[]) => bigint;

/** Values of variables; a missing one is not bound yet. */
export type Valuation = readonly (bigint | undefined)[];

export function sumValue({ parts, constant }: NdlogSum, values: Valuation, functions: Functions): bigint {
  return parts.reduce(
    (so, { coefficient, of }) => so + coefficient * termValue(of, values, functions),
    constant,
  );
}

function termValue(term: NdlogTerm, values: Valuation, functions: Functions): bigint {
  switch (term.kind) {
    case "variable": {
      const value = values[term.variable];
      if (value === undefined) throw new Error("a variable has no value");
      return value;
    }
    case "apply":
      return functions(
        term.name,
        term.args.map((arg) => sumValue(arg, values, functions)),
      );
    case "modulo":
      return modulo(sumValue(term.of, values, functions), term.by);
    case "quotient":
      return floorDivide(sumValue(term.of, values, functions), term.by);
  }
}

export function isConditionTrue(condition: NdlogCondition, values: Valuation, functions: Functions): boolean {
  switch (condition.kind) {
    case "constant":
      return condition.value;
    case "not":
      return !isConditionTrue(condition.of, values, functions);
    case "and":
      return condition.all.every((each) => isConditionTrue(each, values, functions));
    case "or":
      return condition.all.some((each) => isConditionTrue(each, values, functions));
    case "atMost":
      return sumValue(condition.sum, values, functions) <= 0n;
    case "zero":
      return sumValue(condition.sum, values, functions) === 0n;
    case "divides":
      return modulo(sumValue(condition.sum, values, functions), condition.divisor) === 0n;
  }
}

/** Values after matching an atom with a tuple; undefined: they do not match. */
export function matchAtom(
  { args }: NdlogAtom,
  tuple: readonly bigint[],
  values: Valuation,
  functions: Functions,
): Valuation | undefined {
  const bound = [...values];
  for (const [position, arg] of args.entries()) {
    const value = tuple[position];
    const variable = variableOfSum(arg);
    if (variable !== undefined && bound[variable] === undefined) bound[variable] = value;
    else if (sumValue(arg, bound, functions) !== value) return undefined;
  }
  return bound;
}

/** Values of all variables of a clause whose atoms match the tuples, if its condition holds. */
export function clauseValues(
  clause: NdlogClause,
  tuples: readonly (readonly bigint[])[],
  values: Valuation,
  functions: Functions,
): Valuation | undefined {
  let bound: Valuation | undefined = values;
  for (const [index, atom] of clause.atoms.entries()) {
    bound = matchAtom(atom, tuples[index] ?? [], bound, functions);
    if (!bound) return undefined;
  }
  const all = [...bound];
  for (const { variable, value } of clause.definitions) all[variable] = sumValue(value, all, functions);
  return isConditionTrue(clause.condition, all, functions) ? all : undefined;
}

/** The tuple that a rule derives from tuples of its atoms; undefined: it does not fire. */
export function derived(
  { head, body }: NdlogRule,
  tuples: readonly (readonly bigint[])[],
  functions: Functions,
): readonly bigint[] | undefined {
  const values = clauseValues(body, tuples, [], functions);
  return values && head.args.map((arg) => sumValue(arg, values, functions));
}

/** The reason why events are not a run of the program; undefined: they are. */
export function whyNoRun(
  { predicates, rules }: NdlogProgram,
  events: readonly NdlogEvent[],
  functions: Functions,
): string | undefined {
  for (const [position, { rule: number, predicate, values, premises }] of events.entries()) {
    const at = `event ${position + 1}`;
    const declared = predicates[predicate];
    if (!declared || declared.arity !== values.length) return `${at}: there is no such tuple`;
    if (number === undefined) {
      if (!declared.isBase) return `${at}: ${declared.name} has no base tuples`;
      continue;
    }
    const rule = rules[number];
    if (!rule || rule.head.predicate !== predicate) return `${at}: there is no such rule`;
    const sources = premises.map((premise) => (premise < position ? events[premise] : undefined));
    const fits =
      sources.length === rule.body.atoms.length &&
      rule.body.atoms.every((atom, index) => sources[index]?.predicate === atom.predicate);
    if (!fits) return `${at}: the premises of ${rule.label} are missing`;
    const head = derived(
      rule,
      sources.map((source) => source?.values ?? []),
      functions,
    );
    if (!head || head.some((value, index) => value !== values[index]))
      return `${at}: ${rule.label} does not derive it`;
  }
  return undefined;
}

/** Calls `use` with every choice of one event per atom. Stops when it returns true. */
export function someChoice(
  atoms: readonly NdlogAtom[],
  events: readonly NdlogEvent[],
  use: (chosen: readonly number[]) => boolean,
): boolean {
  const go = (chosen: readonly number[]): boolean => {
    const atom = atoms[chosen.length];
    if (!atom) return use(chosen);
    return events.some(({ predicate }, index) => predicate === atom.predicate && go([...chosen, index]));
  };
  return go([]);
}

/** Name of a constraint that the base tuples of a run violate. */
export function violatedConstraint(
  { constraints }: NdlogProgram,
  events: readonly NdlogEvent[],
  functions: Functions,
): string | undefined {
  const base = events.filter(({ rule }) => rule === undefined);
  return constraints.find(({ when, then }) =>
    someChoice(when.atoms, base, (chosen) => {
      const values = clauseValues(when, tuplesOf(base, chosen), [], functions);
      return values !== undefined && !isConditionTrue(then, values, functions);
    }),
  )?.name;
}

const tuplesOf = (events: readonly NdlogEvent[], chosen: readonly number[]): (readonly bigint[])[] =>
  chosen.map((index) => events[index]?.values ?? []);

/** The roots and all events from which they are derived. */
export function derivationOf(events: readonly NdlogEvent[], roots: readonly number[]): NdlogEvent[] {
  const found = new Set<number>();
  const visit = (number: number): void => {
    if (found.has(number)) return;
    found.add(number);
    for (const premise of events[number]?.premises ?? []) visit(premise);
  };
  roots.forEach(visit);
  return [...found].sort((a, b) => a - b).flatMap((number) => events[number] ?? []);
}

/**
 * Roots that violate `always`, or show `derivable`: one event for each atom of the property; undefined: there are none.
 */
export function witnessOf(
  { asks, when, alternatives }: NdlogProperty,
  events: readonly NdlogEvent[],
  functions: Functions,
): readonly number[] | undefined {
  let found: readonly number[] | undefined;
  someChoice(when.atoms, events, (roots) => {
    const values = clauseValues(when, tuplesOf(events, roots), [], functions);
    if (!values) return false;
    const inside = derivationOf(events, roots);
    const isMet =
      asks === "always" &&
      alternatives.some((clause) =>
        someChoice(
          clause.atoms,
          inside,
          (chosen) => clauseValues(clause, tuplesOf(inside, chosen), values, functions) !== undefined,
        ),
      );
    if (!isMet) found = roots;
    return !isMet;
  });
  return found;
}
