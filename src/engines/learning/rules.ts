/**
 * Rules and their teachers.
 *
 * `asym`: ⟨A⟩M₁⟨P⟩ and ⟨true⟩M₂⟨A⟩; where M₂ has several components, the rule is applied to it with A as the property. `circ` is `asym`
 * with M₁ once more at the end, which has no more traces. `sym`: ⟨Aᵢ⟩Mᵢ⟨P⟩ for every i, and words that all Aᵢ exclude satisfy P.
 * Cobleigh, Giannakopoulou and Păsăreanu, "Learning assumptions for compositional verification", TACAS 2003.
 */
import { ERROR_NAME, LtsBuilder, type Lts } from "../../model/lts.js";
import { nth } from "../../model/known.js";
import { assumptionLts, completeLts, mayFail, propertyLts, traceToError, type Dfa } from "./automata.js";
import { Learner } from "./learner.js";

export interface Component {
  readonly name: string;
  readonly lts: Lts;
  readonly alphabet: ReadonlySet<string>;
}

export const rules = ["asym", "sym", "circ"] as const;
export type Rule = (typeof rules)[number];

export interface Tools {
  /** The system of the components together, which synchronise on shared labels. */
  compose(components: readonly Component[]): Promise<Lts>;
  /** Visible actions of a shortest run to an error state, which ends the search, and the states that it has visited. */
  search(
    components: readonly Component[],
  ): Promise<{ readonly trace: readonly string[] | undefined; readonly states: number }>;
}

export interface Learned {
  /** The component that needs it. */
  readonly of: string;
  readonly alphabet: readonly string[];
  readonly dfa: Dfa;
  /** States that accept. */
  readonly states: number;
}

export type Outcome = {
  readonly queries: number;
  readonly candidates: number;
  /** Most states of any system that was built. */
  readonly largest: number;
} & (
  | { readonly kind: "proved"; readonly assumptions: readonly Learned[] }
  /** Visible actions of all components together. */
  | { readonly kind: "violated"; readonly trace: readonly string[] }
);

/** The alphabet of the property must be within the components' alphabets. */
export async function prove(
  components: readonly Component[],
  property: { readonly dfa: Dfa; readonly alphabet: readonly string[] },
  rule: Rule,
  tools: Tools,
): Promise<Outcome> {
  const proof = new Proof(tools);
  const [first] = components;
  const inOrder = rule === "circ" && first && components.length > 1 ? [...components, first] : components;
  const found = await (rule === "sym" && components.length > 1
    ? proof.symmetric(components, property)
    : proof.asymmetric(inOrder, property));
  const { queries, candidates, largest } = proof;
  return found.trace
    ? { kind: "violated", trace: found.trace, queries, candidates, largest }
    : { kind: "proved", assumptions: found.assumptions, queries, candidates, largest };
}

interface Question {
  readonly dfa: Dfa;
  readonly alphabet: readonly string[];
}

interface Found {
  readonly trace: readonly string[] | undefined;
  readonly assumptions: readonly Learned[];
}

class Proof {
  queries = 0;
  candidates = 0;
  largest = 0;
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  async asymmetric(components: readonly Component[], property: Question): Promise<Found> {
    const [first, ...rest] = components;
    if (!first) return { trace: undefined, assumptions: [] };
    const failing = await this.#failing(first, property);
    if (rest.length === 0) return { trace: traceToError(failing.lts), assumptions: [] };
    const others = new Set(rest.flatMap(({ alphabet }) => [...alphabet]));
    const alphabet = [...new Set([...first.alphabet, ...property.alphabet])].filter((name) =>
      others.has(name),
    );
    const student = this.#student(failing, alphabet);
    // Without any action of the others, the first component fails: no assumption helps.
    if (!(await student.learner.member([]))) return this.#lifted(failing, [], others);
    for (;;) {
      const dfa = await this.#candidate(student);
      const weak = await this.#premise(failing, dfa, alphabet);
      // sound: test/engines/learning/learning.test.ts
      if (weak) {
        await student.learner.refine(dfa, student.wordOf(weak));
        continue;
      }
      const under = await this.asymmetric(rest, { dfa, alphabet });
      if (!under.trace) {
        const own = { of: first.name, alphabet, dfa, states: dfa.accepting.filter(Boolean).length };
        return { trace: undefined, assumptions: [own, ...under.assumptions] };
      }
      const word = student.wordOf(under.trace);
      // sound: test/engines/learning/learning.test.ts
      if (!(await student.learner.member(word))) return this.#lifted(failing, under.trace, others);
      await student.learner.refine(dfa, word);
    }
  }

  async symmetric(components: readonly Component[], property: Question): Promise<Found> {
    const students = await Promise.all(
      components.map(async (component, i) => {
        const others = new Set(components.flatMap(({ alphabet }, j) => (i === j ? [] : [...alphabet])));
        const shared = [...component.alphabet].filter((name) => others.has(name));
        const alphabet = [...new Set([...shared, ...property.alphabet])];
        const failing = await this.#failing(component, property);
        return { component, failing, alphabet, ...this.#student(failing, alphabet) };
      }),
    );
    for (;;) {
      const dfas: Dfa[] = [];
      for (const student of students) dfas.push(await this.#strongEnough(student));
      const trace = await this.#excludedByAll(students, dfas, property);
      if (!trace)
        return {
          trace: undefined,
          assumptions: students.map(({ component, alphabet }, i) => {
            const dfa = nth(dfas, i);
            return { of: component.name, alphabet, dfa, states: dfa.accepting.filter(Boolean).length };
          }),
        };
      let isReal = true;
      for (const [i, student] of students.entries()) {
        const word = student.wordOf(trace);
        // sound: test/engines/learning/learning.test.ts
        if (!(await student.learner.member(word))) continue;
        isReal = false;
        await student.learner.refine(nth(dfas, i), word);
      }
      if (isReal) return { trace, assumptions: [] };
    }
  }

  /** A candidate under which the component satisfies the property. */
  async #strongEnough(
    student: Student & { readonly failing: Component; readonly alphabet: readonly string[] },
  ): Promise<Dfa> {
    for (;;) {
      const dfa = await this.#candidate(student);
      const weak = await this.#premise(student.failing, dfa, student.alphabet);
      if (!weak) return dfa;
      await student.learner.refine(dfa, student.wordOf(weak));
    }
  }

  /** A word that every assumption excludes, and that violates the property. */
  async #excludedByAll(
    students: readonly { readonly alphabet: readonly string[] }[],
    dfas: readonly Dfa[],
    property: Question,
  ): Promise<readonly string[] | undefined> {
    const parts = students.map(({ alphabet }, i): Component => {
      const lts = completeLts(nth(dfas, i), alphabet, EXCLUDED);
      return { name: `${i}`, lts, alphabet: new Set([...alphabet, EXCLUDED]) };
    });
    const violated = completeLts(property.dfa, property.alphabet, EXCLUDED);
    const alphabet = new Set([...property.alphabet, EXCLUDED]);
    const all = [...parts, { name: "property", lts: violated, alphabet }, ALARM];
    return (await this.#search(all))?.filter((label) => label !== EXCLUDED);
  }

  /** The component with the property, whose violation is the error state. */
  async #failing(component: Component, { dfa, alphabet }: Question): Promise<Component> {
    const property = { name: "property", lts: propertyLts(dfa, alphabet), alphabet: new Set(alphabet) };
    const lts = await this.#compose([component, property]);
    return { name: component.name, lts, alphabet: new Set([...component.alphabet, ...alphabet]) };
  }

  /** ⟨A⟩M⟨P⟩; undefined if it holds. */
  async #premise(
    failing: Component,
    dfa: Dfa,
    alphabet: readonly string[],
  ): Promise<readonly string[] | undefined> {
    // No run satisfies an assumption that excludes the empty word.
    if (dfa.accepting[0] !== true) return undefined;
    const assumption = { name: "assumption", lts: assumptionLts(dfa, alphabet), alphabet: new Set(alphabet) };
    return this.#search([assumption, failing]);
  }

  /** A trace of the others, joined with the first component: one of the whole. */
  async #lifted(failing: Component, trace: readonly string[], others: ReadonlySet<string>): Promise<Found> {
    const run: Component = { name: "trace", lts: lineOf(trace), alphabet: others };
    const lifted = await this.#search([run, failing]);
    if (!lifted) throw new Error("a violation of the parts is none of the whole");
    return { trace: lifted, assumptions: [] };
  }

  async #candidate({ learner }: Student): Promise<Dfa> {
    this.candidates++;
    return learner.candidate();
  }

  #student(failing: Component, alphabet: readonly string[]): Student {
    const letters = new Map(alphabet.map((name, letter) => [name, letter]));
    const isLetter = (label: string): boolean => letters.has(label);
    const learner = new Learner(alphabet.length, (word) => {
      this.queries++;
      const names = word.map((letter) => nth(alphabet, letter));
      return Promise.resolve(!mayFail(failing.lts, names, isLetter));
    });
    return { learner, wordOf: (trace) => trace.flatMap((label) => letters.get(label) ?? []) };
  }

  async #search(components: readonly Component[]): Promise<readonly string[] | undefined> {
    const { trace, states } = await this.#tools.search(components);
    this.largest = Math.max(this.largest, states);
    return trace;
  }

  async #compose(components: readonly Component[]): Promise<Lts> {
    const lts = await this.#tools.compose(components);
    this.largest = Math.max(this.largest, lts.states);
    return lts;
  }
}

interface Student {
  readonly learner: Learner;
  /** The letters of a trace. */
  wordOf(trace: readonly string[]): number[];
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
