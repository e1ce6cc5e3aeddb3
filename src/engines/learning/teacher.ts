/**
 * Answers the queries of learners by composing and searching, and keeps the figures. Rules (`rules.ts`) ask it; they decide which part learns
 * against which property.
 */
import type { LearningStep } from "../../model/index.js";
import { ERROR_NAME, LtsBuilder, type Lts } from "../../model/lts.js";
import { nth } from "../../model/known.js";
import { assumptionLts, completeLts, mayFail, propertyLts, type Dfa } from "./automata.js";
import { Learner } from "./learner.js";

export interface Component {
  readonly name: string;
  readonly lts: Lts;
  readonly alphabet: ReadonlySet<string>;
}

/** A prefix-closed language that runs must belong to. */
export interface Question {
  readonly dfa: Dfa;
  readonly alphabet: readonly string[];
}

export interface Searched {
  /** Visible actions of a shortest run to an error state, which ends the search. */
  readonly trace: readonly string[] | undefined;
  readonly states: number;
  readonly transitions: number;
}

export interface Tools {
  /** The system of the components together, which synchronise on shared labels. */
  compose(components: readonly Component[]): Promise<Lts>;
  search(components: readonly Component[]): Promise<Searched>;
}

/** A learner of the weakest assumption under which a component satisfies a property. */
export interface Student {
  /** The component with the property, whose violation is the error state. */
  readonly failing: Component;
  readonly alphabet: readonly string[];
  readonly learner: Learner;
  /** The letters of a trace. */
  wordOf(trace: readonly string[]): number[];
}

export class Teacher {
  queries = 0;
  candidates = 0;
  largest = 0;
  readonly steps: LearningStep[] = [];
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** The component with the property, whose violation is the error state. */
  async failing(component: Component, { dfa, alphabet }: Question): Promise<Component> {
    const property = { name: "property", lts: propertyLts(dfa, alphabet), alphabet: new Set(alphabet) };
    const lts = await this.#tools.compose([component, property]);
    this.largest = Math.max(this.largest, lts.states);
    return { name: component.name, lts, alphabet: new Set([...component.alphabet, ...alphabet]) };
  }

  student(failing: Component, alphabet: readonly string[]): Student {
    const letters = new Map(alphabet.map((name, letter) => [name, letter]));
    const isLetter = (label: string): boolean => letters.has(label);
    const learner = new Learner(alphabet.length, (word) => {
      this.queries++;
      const names = word.map((letter) => nth(alphabet, letter));
      return Promise.resolve(!mayFail(failing.lts, names, isLetter));
    });
    return {
      failing,
      alphabet,
      learner,
      wordOf: (trace) => trace.flatMap((label) => letters.get(label) ?? []),
    };
  }

  /**
   * A candidate under which the component satisfies the property: strengthened until it does.
   * `answered`: notes the outcome of the candidate, once it is known.
   */
  async strongEnough(
    student: Student,
  ): Promise<{ dfa: Dfa; answered: (outcome: LearningStep["outcome"]) => void }> {
    const { learner, failing, alphabet, wordOf } = student;
    for (;;) {
      this.candidates++;
      const dfa = await learner.candidate();
      const size = dfa.accepting.filter(Boolean).length;
      const { trace, states, transitions } = await this.#premise(failing, dfa, alphabet);
      const answered = (outcome: LearningStep["outcome"]): void =>
        void this.steps.push({ of: failing.name, size, states, transitions, outcome });
      // sound: test/engines/learning/learning.test.ts
      if (!trace) return { dfa, answered };
      answered("too weak");
      await learner.refine(dfa, wordOf(trace));
    }
  }

  /** ⟨A⟩M⟨P⟩. */
  async #premise(failing: Component, dfa: Dfa, alphabet: readonly string[]): Promise<Searched> {
    // No run satisfies an assumption that excludes the empty word.
    if (dfa.accepting[0] !== true) return { trace: undefined, states: 0, transitions: 0 };
    const assumption = { name: "assumption", lts: assumptionLts(dfa, alphabet), alphabet: new Set(alphabet) };
    return this.search([assumption, failing]);
  }

  /** A word that every assumption excludes, and that violates the property. */
  async excludedByAll(
    assumptions: readonly Question[],
    property: Question,
  ): Promise<readonly string[] | undefined> {
    const outside = ({ dfa, alphabet }: Question, name: string): Component => ({
      name,
      lts: completeLts(dfa, alphabet, EXCLUDED),
      alphabet: new Set([...alphabet, EXCLUDED]),
    });
    const all = [
      ...assumptions.map((each, i) => outside(each, `${i}`)),
      outside(property, "property"),
      ALARM,
    ];
    const { trace } = await this.search(all);
    return trace?.filter((label) => label !== EXCLUDED);
  }

  /** A trace over an alphabet, joined with the component and others: one of all of them that fails, if there is one. */
  async lifted(
    failing: Component,
    trace: readonly string[],
    alphabet: ReadonlySet<string>,
    others: readonly Component[] = [],
  ): Promise<readonly string[] | undefined> {
    return (await this.search([{ name: "trace", lts: lineOf(trace), alphabet }, failing, ...others])).trace;
  }

  async search(components: readonly Component[]): Promise<Searched> {
    const found = await this.#tools.search(components);
    this.largest = Math.max(this.largest, found.states);
    return found;
  }
}

/** Possible when every assumption has excluded the word and the property is violated. */
const EXCLUDED = "excluded by all";

const ALARM: Component = { name: "alarm", lts: alarm(), alphabet: new Set([EXCLUDED]) };

function alarm(): Lts {
  const builder = new LtsBuilder();
  builder.add(0, builder.labels.of(EXCLUDED), 1);
  builder.add(1, builder.labels.of(ERROR_NAME), 1);
  return builder.finish(2, [0], 1);
}

function lineOf(trace: readonly string[]): Lts {
  const builder = new LtsBuilder();
  for (const [i, label] of trace.entries()) builder.add(i, builder.labels.of(label), i + 1);
  return builder.finish(trace.length + 1, [0]);
}
