/**
 * Formulas over fluents as questions about runs: the automaton of the formula reads values of fluents, so it is multiplied with them and then reads actions.
 * A letter is the number of an effect, the fluents that an action starts and ends.
 */
import {
  type ActionQuestion,
  type Automaton,
  type AutomatonEdge,
  type Diagnostic,
  type Fluent,
  type FluentQuestion,
} from "../../model/index.js";
import { entryOf, nth } from "../../model/known.js";
import { AutomatonTooLarge, translate } from "../../transforms/ltl/index.js";

const MOST_STATES = 20_000;

/** `labels`: all visible actions of the system. */
export function fluentQuestion(
  { name, formula, fluents, span }: FluentQuestion,
  labels: readonly string[],
): { readonly question: ActionQuestion } | { readonly diagnostic: Diagnostic } {
  const problem = (code: string, message: string, at = span): { readonly diagnostic: Diagnostic } => ({
    diagnostic: { code, severity: "error", message, span: at },
  });
  // A fluent that nothing starts is a constant: more likely a misspelt action.
  // sound: test/session/fluents.test.ts
  const idle = fluents.find((fluent) => !fluent.isInitially && !labels.some((label) => fluent.starts(label)));
  if (idle) return problem("fsp/unknown-action", `no visible action makes '${idle.name}' true`, idle.span);
  const effects = new Effects(fluents, labels);
  try {
    const automaton = translate(
      { kind: "not", operand: formula },
      fluents.map((fluent) => fluent.name),
    );
    const made = overEffects(automaton, effects);
    if (!made) return problem("formula/too-large", `the automaton of '${name}' is too large`);
    return {
      question: {
        kind: "runs",
        formula,
        automaton: made,
        letterOf: (label) => effects.letterOf(label),
        valuesOf: (prefix, cycle) => effects.valuesOf(prefix, cycle),
      },
    };
  } catch (error) {
    if (error instanceof AutomatonTooLarge)
      return problem("formula/too-large", `the automaton of '${name}' is too large`);
    throw error;
  }
}

/**
 * Letters from 1 on, for every visible action: one that changes no fluent is a position as well, and the first position is after the first action. 0 follows the end of
 * a run.
 */
// sound: test/session/fluents.test.ts
class Effects {
  readonly #letters = new Map<string, number>();
  readonly #all: { readonly starts: number; readonly ends: number }[] = [{ starts: 0, ends: 0 }];
  readonly initial: number;

  constructor(fluents: readonly Fluent[], labels: readonly string[]) {
    this.initial = bits(fluents, ({ isInitially }) => isInitially);
    const known = new Map<string, number>();
    for (const label of labels) {
      const starts = bits(fluents, (fluent) => fluent.starts(label));
      const ends = bits(fluents, (fluent) => fluent.ends(label)) & ~starts;
      const key = `${starts} ${ends}`;
      const letter = known.get(key) ?? this.#all.push({ starts, ends }) - 1;
      known.set(key, letter);
      this.#letters.set(label, letter);
    }
  }

  get count(): number {
    return this.#all.length;
  }

  letterOf(label: string): number {
    return this.#letters.get(label) ?? 0;
  }

  after(values: number, letter: number): number {
    const { starts, ends } = nth(this.#all, letter);
    return (values & ~ends) | starts;
  }

  /** Values after each letter. The first turn of a cycle may begin with other values than all later ones. */
  valuesOf(prefix: readonly number[], cycle: readonly number[]): { prefix: number[]; cycle: number[] } {
    let values = this.initial;
    const read = (letters: readonly number[]): number[] =>
      letters.map((letter) => (values = this.after(values, letter)));
    const before = read(prefix);
    if (cycle.length === 0) return { prefix: before, cycle: [values] };
    const first = read(cycle);
    return { prefix: [...before, ...first], cycle: read(cycle) };
  }
}

const bits = (fluents: readonly Fluent[], is: (fluent: Fluent) => boolean): number =>
  fluents.reduce((found, fluent, i) => (is(fluent) ? found | (1 << i) : found), 0);

/** States are pairs of a state and values of fluents. Undefined if there are too many. */
function overEffects({ states, initial, conditions }: Automaton, effects: Effects): Automaton | undefined {
  const width = Math.max(1, Math.ceil(Math.log2(effects.count + 1)));
  const care = (1 << width) - 1;
  const numbers = new Map<string, number>();
  const pairs: (readonly [number, number])[] = [];
  const numberOf = (state: number, values: number): number => {
    const key = `${state} ${values}`;
    if (!numbers.has(key)) numbers.set(key, pairs.push([state, values]) - 1);
    return entryOf(numbers, key);
  };
  numberOf(initial, effects.initial);
  const made: AutomatonEdge[][] = [];
  for (let at = 0; at < pairs.length; at++) {
    if (pairs.length > MOST_STATES) return undefined;
    const [state, values] = nth(pairs, at);
    const edges: AutomatonEdge[] = [];
    for (let letter = 0; letter < effects.count; letter++) {
      const after = effects.after(values, letter);
      for (const { guard, marks, to } of nth(states, state))
        if (guard.some((cube) => (after & cube.care) === cube.value))
          edges.push({ guard: [{ care, value: letter }], marks, to: numberOf(to, after) });
    }
    made.push(edges);
  }
  const propositions = Array.from({ length: width }, (_, i) => `effect bit ${i}`);
  return { propositions, conditions, initial: 0, states: made };
}
