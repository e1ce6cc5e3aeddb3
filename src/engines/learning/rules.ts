/**
 * Rules: which assumptions are learned, and the premises that imply the property.
 *
 * `asym`: ⟨A⟩M₁⟨P⟩ and ⟨true⟩M₂⟨A⟩; where M₂ has several components, the rule is applied to it with A as the property. `circ` is `asym`
 * with M₁ once more at the end, which has no more traces. `sym`: ⟨Aᵢ⟩Mᵢ⟨P⟩ for every i, and words that all Aᵢ exclude satisfy P.
 * Cobleigh, Giannakopoulou and Păsăreanu, "Learning assumptions for compositional verification", TACAS 2003; smaller alphabets:
 * Gheorghiu, Giannakopoulou and Păsăreanu, "Refining interface alphabets for compositional verification", TACAS 2007.
 */
import type { Assumption, LearningStep, Premise } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { traceToError, type Dfa } from "./automata.js";
import { Teacher, type Component, type Question, type Student, type Tools } from "./teacher.js";

/** A way to prove a property of components part by part. A caller checks the premises of a proof again, so a wrong rule proves nothing. */
export interface Rule {
  readonly name: string;
  readonly summary: string;
  prove(
    components: readonly Component[],
    property: Question,
    teacher: Teacher,
    options: RuleOptions,
  ): Promise<Found>;
}

export interface RuleOptions {
  /** `interface`: all actions that a component shares with the others. `refined`: few at first, then those that counterexamples show. */
  readonly alphabet: "interface" | "refined";
}

export type Found =
  /** Visible actions of all components together. */
  | { readonly kind: "violated"; readonly trace: readonly string[] }
  | {
      readonly kind: "proved";
      readonly assumptions: readonly Learned[];
      readonly premises: readonly Premise[];
    };

export interface Learned {
  readonly name: string;
  /** The component that needs it. */
  readonly of: string;
  readonly alphabet: readonly string[];
  readonly dfa: Dfa;
}

export type Outcome = Found & {
  readonly queries: number;
  readonly candidates: number;
  /** Most states of any system that was built. */
  readonly largest: number;
  readonly steps: readonly LearningStep[];
};

/** The alphabet of the property must be within the components' alphabets, and names of components differ. */
export async function prove(
  components: readonly Component[],
  property: Question,
  rule: Rule,
  tools: Tools,
  options: RuleOptions = { alphabet: "interface" },
): Promise<Outcome> {
  const teacher = new Teacher(tools);
  const found = await rule.prove(components, property, teacher, options);
  const { queries, candidates, largest, steps } = teacher;
  return { ...found, queries, candidates, largest, steps };
}

const asym: Rule = {
  name: "asym",
  summary: "each component under an assumption that the following ones guarantee",
  prove: (components, property, teacher, options) => new Chain(teacher, options).prove(components, property),
};

const circ: Rule = {
  name: "circ",
  summary: "as asym, and the first component guarantees the last assumption",
  prove: (components, property, teacher, options) =>
    new Chain(teacher, options).prove(
      components.length > 1 ? [...components, nth(components, 0)] : components,
      property,
    ),
};

const sym: Rule = {
  name: "sym",
  summary: "each component under an assumption; no run that all assumptions exclude violates the property",
  prove: async (components, property, teacher, options) => {
    if (components.length < 2) return asym.prove(components, property, teacher, options);
    if (options.alphabet === "refined") {
      const found = await symmetric(components, property, teacher, (_, all) =>
        all.filter((name) => property.alphabet.includes(name)),
      );
      if (found) return found;
    }
    const found = await symmetric(components, property, teacher, (_, all) => all);
    if (!found) throw new Error("a violation of the parts is none of the whole");
    return found;
  },
};

export const rules: readonly Rule[] = [asym, sym, circ];

/** ASYM, applied to the rest of the components with the assumption as its property. */
class Chain {
  readonly #teacher: Teacher;
  readonly #options: RuleOptions;

  constructor(teacher: Teacher, options: RuleOptions) {
    this.#teacher = teacher;
    this.#options = options;
  }

  prove(components: readonly Component[], property: Question): Promise<Found> {
    return this.#prove(components, property, null, 1);
  }

  /** `goal`: the name of the property, an assumption of an outer level; null: the property of the system. */
  async #prove(
    components: readonly Component[],
    property: Question,
    goal: string | null,
    level: number,
  ): Promise<Found> {
    const [first, ...rest] = components;
    if (!first) return { kind: "proved", assumptions: [], premises: [] };
    const failing = await this.#teacher.failing(first, property);
    const premise = { excludes: [], parts: [first.name], guarantees: goal };
    if (rest.length === 0) {
      const trace = traceToError(failing.lts);
      if (trace) return { kind: "violated", trace };
      return { kind: "proved", assumptions: [], premises: [{ ...premise, assumes: [] }] };
    }
    const others = new Set(rest.flatMap(({ alphabet }) => [...alphabet]));
    const interfaceOf = [...new Set([...first.alphabet, ...property.alphabet])].filter((name) =>
      others.has(name),
    );
    const name = `A${level}`;
    let alphabet =
      this.#options.alphabet === "interface"
        ? interfaceOf
        : interfaceOf.filter((each) => property.alphabet.includes(each));
    for (;;) {
      const found = await this.#learn(this.#teacher.student(failing, alphabet), {
        rest,
        others,
        name,
        level,
        isWhole: alphabet.length === interfaceOf.length,
      });
      if (found.kind === "violated") return found;
      if (found.kind === "proved")
        return { ...found, premises: [{ ...premise, assumes: [name] }, ...found.premises] };
      const more = new Set(await this.#missing(failing, found.trace, alphabet, interfaceOf));
      alphabet = interfaceOf.filter((each) => alphabet.includes(each) || more.has(each));
    }
  }

  /** `spurious`: the trace is none of the whole, since the alphabet omits actions. */
  async #learn(
    student: Student,
    { rest, others, name, level, isWhole }: Level,
  ): Promise<Found | { readonly kind: "spurious"; readonly trace: readonly string[] }> {
    const { failing, learner, alphabet } = student;
    const real = async (
      trace: readonly string[],
    ): Promise<Found | { readonly kind: "spurious"; readonly trace: readonly string[] }> => {
      const lifted = await this.#teacher.lifted(failing, trace, others);
      if (lifted) return { kind: "violated", trace: lifted };
      if (isWhole) throw new Error("a violation of the parts is none of the whole");
      return { kind: "spurious", trace };
    };
    // Whatever the others do within the alphabet, the first component fails: no assumption over it helps.
    if (!(await learner.member([]))) return real([]);
    for (;;) {
      const { dfa, answered } = await this.#teacher.strongEnough(student);
      const under = await this.#prove(rest, { dfa, alphabet }, name, level + 1);
      if (under.kind === "proved") {
        answered("accepted");
        const own = { name, of: failing.name, alphabet, dfa };
        return { ...under, assumptions: [own, ...under.assumptions] };
      }
      const word = student.wordOf(under.trace);
      // sound: test/engines/learning/learning.test.ts
      if (!(await learner.member(word))) {
        answered("refuted");
        return real(under.trace);
      }
      answered("too strong");
      await learner.refine(dfa, word);
    }
  }

  /** Actions of the interface in which a trace of the others and a failing run of the component first differ. */
  async #missing(
    failing: Component,
    trace: readonly string[],
    alphabet: readonly string[],
    interfaceOf: readonly string[],
  ): Promise<readonly string[]> {
    const letters = new Set(alphabet);
    const word = trace.filter((label) => letters.has(label));
    const failed = (await this.#teacher.lifted(failing, word, letters)) ?? [];
    const shared = new Set(interfaceOf);
    const [own, theirs] = [failed, trace].map((run) => run.filter((label) => shared.has(label)));
    const at = (own ?? []).findIndex((label, i) => label !== theirs?.[i]);
    const more = [own?.[at], theirs?.[at]].filter((label) => label !== undefined && !letters.has(label));
    return more.length > 0 ? more.map((label) => label ?? "") : interfaceOf;
  }
}

interface Level {
  readonly rest: readonly Component[];
  readonly others: ReadonlySet<string>;
  readonly name: string;
  readonly level: number;
  /** The alphabet is the whole interface. */
  readonly isWhole: boolean;
}

/** Undefined: a violation of the parts is none of the whole, since the alphabets omit actions. */
async function symmetric(
  components: readonly Component[],
  property: Question,
  teacher: Teacher,
  chosen: (component: Component, all: readonly string[]) => readonly string[],
): Promise<Found | undefined> {
  const students: Student[] = [];
  for (const [i, component] of components.entries()) {
    const others = new Set(components.flatMap(({ alphabet }, j) => (i === j ? [] : [...alphabet])));
    const shared = [...component.alphabet].filter((name) => others.has(name));
    const all = [...new Set([...shared, ...property.alphabet])];
    students.push(teacher.student(await teacher.failing(component, property), chosen(component, all)));
  }
  for (;;) {
    const candidates: Awaited<ReturnType<Teacher["strongEnough"]>>[] = [];
    for (const student of students) candidates.push(await teacher.strongEnough(student));
    const assumptions = students.map(({ alphabet }, i) => ({ alphabet, dfa: nth(candidates, i).dfa }));
    const trace = await teacher.excludedByAll(assumptions, property);
    if (!trace) {
      for (const { answered } of candidates) answered("accepted");
      return provedTogether(components, assumptions);
    }
    let isReal = true;
    for (const [i, student] of students.entries()) {
      const word = student.wordOf(trace);
      const { dfa, answered } = nth(candidates, i);
      // sound: test/engines/learning/learning.test.ts
      if (!(await student.learner.member(word))) {
        answered("refuted");
        continue;
      }
      isReal = false;
      answered("too strong");
      await student.learner.refine(dfa, word);
    }
    if (isReal) return violatedTogether(components, property, students, trace, teacher);
  }
}

/** A run of all components along the word. */
async function violatedTogether(
  components: readonly Component[],
  property: Question,
  students: readonly Student[],
  trace: readonly string[],
  teacher: Teacher,
): Promise<Found | undefined> {
  const [first, ...rest] = components;
  if (!first) return undefined;
  const letters = new Set(students.flatMap(({ alphabet }) => alphabet));
  const failing = await teacher.failing(first, property);
  const found = await teacher.lifted(failing, trace, letters, rest);
  return found && { kind: "violated", trace: found };
}

const provedTogether = (components: readonly Component[], assumptions: readonly Question[]): Found => {
  const learned = assumptions.map(({ alphabet, dfa }, i) => ({
    name: `A${i + 1}`,
    of: nth(components, i).name,
    alphabet,
    dfa,
  }));
  return {
    kind: "proved",
    assumptions: learned,
    premises: [
      ...learned.map(({ name, of }) => ({ assumes: [name], excludes: [], parts: [of], guarantees: null })),
      { assumes: [], excludes: learned.map(({ name }) => name), parts: [], guarantees: null },
    ],
  };
};

/** As plain data; rejecting states are dropped. */
export function assumptionOf({ name, of, alphabet, dfa }: Learned): Assumption {
  const numbers = new Map<number, number>();
  for (const [state, accepts] of dfa.accepting.entries()) if (accepts) numbers.set(state, numbers.size);
  if (dfa.accepting[0] !== true) return { name, of, alphabet, states: 0, edges: [] };
  const edges = dfa.next.flatMap((row, state) =>
    row.flatMap((target, letter): [number, number, number][] => {
      const [from, to] = [numbers.get(state), numbers.get(target)];
      return from === undefined || to === undefined ? [] : [[from, letter, to]];
    }),
  );
  return { name, of, alphabet, states: numbers.size, edges };
}
