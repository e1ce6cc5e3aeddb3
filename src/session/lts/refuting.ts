/**
 * Confirms violations of formulas over actions on the uncomposed product: runs are read letter by letter and evaluated by the semantics of
 * the formula; formulas about states are evaluated in the whole product, if it is small.
 */
import { ERROR_OWNER, type LtsProduct } from "../../compile/lts.js";
import { StateFormulas } from "../../engines/lts/index.js";
import {
  ERROR_NAME,
  LtsBuilder,
  Successors,
  type ActionQuestion,
  type Lts,
  type Model,
  type Words,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { evaluate } from "../../transforms/ltl/index.js";

const MOST_STATES = 20_000;

export const refutation =
  (
    { model, stepsOf }: LtsProduct,
    questions: ReadonlyMap<string, ActionQuestion>,
  ): NonNullable<Model["refutes"]> =>
  ({ name }, { choices, loopStart }) => {
    const question = questions.get(name);
    if (question?.kind === "states") {
      const lts = smallProduct(model, stepsOf);
      return !lts || lts.initial.some((state) => new StateFormulas(lts).holds(question.formula)[state] === 0);
    }
    if (question?.kind !== "runs") return false;
    const run = walk(model, stepsOf, choices);
    if (!run) return false;
    const letters = run.labels.map(question.letterOf);
    const lettersIn = (from: number, to: number): number[] =>
      letters.slice(from, to).filter((letter) => letter !== 0);
    // A run that is not ended may continue.
    // sound: test/session/compositional.test.ts
    if (loopStart === undefined && run.words !== undefined && stepsOf(run.words, false).length > 0)
      return false;
    const cycle = loopStart === undefined ? [] : lettersIn(loopStart, letters.length);
    const prefix = lettersIn(0, loopStart ?? letters.length);
    const read = question.valuesOf?.(prefix, cycle) ?? { prefix, cycle: cycle.length === 0 ? [0] : cycle };
    return !evaluate(question.formula, read.prefix, read.cycle);
  };

/** Labels of the steps, and the last state, unless the run ended with an error. */
function walk(
  { steps }: Model,
  stepsOf: LtsProduct["stepsOf"],
  choices: readonly number[],
): { readonly labels: readonly string[]; readonly words: Words | undefined } | undefined {
  let words: Words | undefined = firstWords(steps);
  const labels: string[] = [];
  for (const choice of choices) {
    const step: ReturnType<LtsProduct["stepsOf"]>[number] | undefined =
      words && stepsOf(words, false)[choice];
    if (!step) return undefined;
    labels.push(step.label);
    words = step.words;
  }
  return { labels, words };
}

export function firstWords(steps: Model["steps"]): Words {
  const out = new Successors(steps.width);
  steps.initial(out);
  return out.words.slice(0, steps.width);
}

/** The product as a system, if it is small. */
function smallProduct({ steps, sites }: Model, stepsOf: LtsProduct["stepsOf"]): Lts | undefined {
  const builder = new LtsBuilder();
  const numbers = new Map<string, number>();
  const states: Words[] = [];
  const numberOf = (words: Words): number => {
    const key = words.join();
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, states.length);
    return states.push(words) - 1;
  };
  numberOf(firstWords(steps));
  const failing: [number, string][] = [];
  for (let at = 0; at < states.length; at++) {
    if (states.length > MOST_STATES) return undefined;
    for (const { label, words, fault } of stepsOf(nth(states, at), false)) {
      if (words) builder.add(at, builder.labels.of(label), numberOf(words));
      // A run goes on after the violation of a property that watches.
      else if (sites[fault]?.owner === ERROR_OWNER) failing.push([at, label]);
    }
  }
  for (const [from, label] of failing) builder.add(from, builder.labels.of(label), states.length);
  const hasError = failing.length > 0;
  if (hasError) builder.add(states.length, builder.labels.of(ERROR_NAME), states.length);
  const starts = steps.hasRoot
    ? [
        ...new Set(
          stepsOf(nth(states, 0), false).flatMap(({ words }) =>
            words ? [numberOf(words)] : [states.length],
          ),
        ),
      ]
    : [0];
  return builder.finish(states.length + (hasError ? 1 : 0), starts, hasError ? states.length : -1);
}
