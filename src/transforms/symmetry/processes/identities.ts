/**
 * Finds the values that distinguish processes: their numbers, constant values that differ from process to process, and private
 * channels. Processes of several templates with the same identities form one element.
 */
import type { Program, ScalarType } from "../../../model/index.js";
import { placeKey, type SettledProcesses } from "../../../model/symmetry.js";
import { fits, type Reason, type ValueClass } from "./classes.js";
import type { Uses } from "./uses.js";
import { entryOf, known, nth } from "../../../model/known.js";

/** Elements, permuted together: for each template its processes in the order of the elements. */
export type ElementSet = ReadonlyMap<number, readonly number[]>;

/** A local that distinguishes the processes of a template. */
export interface Identity {
  readonly template: number;
  readonly slot: number;
  /** By process, in the order of the template's processes. */
  readonly values: readonly number[];
}

/** A class of values that identify processes. */
export interface IdentityClass {
  readonly node: number;
  /** One for each template. */
  readonly identities: readonly Identity[];
}

export class Identities {
  /** Sets whose elements are interchangeable. */
  readonly sets: readonly ElementSet[];
  /** Classes whose values may be exchanged. */
  readonly classes: readonly IdentityClass[];
  /** Channels each of which belongs to one process of a template for good. */
  readonly channels: readonly Identity[];
  readonly namesProcesses: boolean;
  readonly namesChannels: boolean;
  readonly #program: Program;
  readonly #settled: SettledProcesses;
  readonly #uses: Uses;
  readonly #refused = new Map<number, Reason>();

  /** `several`: templates with more than one process. */
  constructor(program: Program, settled: SettledProcesses, uses: Uses, several: readonly number[]) {
    this.#program = program;
    this.#settled = settled;
    this.#uses = uses;
    const { classes } = uses;
    const numbers = several.flatMap((t) => this.#processesOf(t));
    const whyNoNumbers = this.#whyNumeric(classes.processes, numbers);
    const whyNoChannels = this.#whyNoChannels(channelNumbers(program, settled));
    this.namesProcesses = whyNoNumbers === undefined;
    this.namesChannels = whyNoChannels === undefined;
    for (const t of several) {
      // sound: test/transforms/symmetry/processes.test.ts
      if (uses.numbered.has(t)) this.#refuse(t, whyNoNumbers);
      // sound: test/transforms/symmetry/processes.test.ts
      if (createsChannels(program, t)) this.#refuse(t, whyNoChannels);
    }
    const identities = several.flatMap((t) => this.#identitiesOf(t));
    const whyOf = ({ node, identities: own }: IdentityClass): Reason | undefined =>
      node === classes.find(classes.processes)
        ? whyNoNumbers
        : classes.facts(node).isChannel
          ? whyNoChannels
          : this.#whyNumeric(
              node,
              own.flatMap((i) => i.values),
            );
    const aligned = this.#aligned(several, this.#classesOf(identities), whyOf);
    const isOfChannels = ({ node }: IdentityClass): boolean => classes.facts(node).isChannel;
    this.sets = aligned.sets.filter((set) => this.#isWhole(set));
    this.classes = aligned.classes.filter(
      (c) => c.node !== classes.find(classes.processes) && !isOfChannels(c),
    );
    this.channels = aligned.classes.filter(isOfChannels).flatMap((c) => c.identities);
  }

  /** Undefined: its processes are interchangeable. */
  whyNot(template: number): Reason | undefined {
    const { name, span } = nth(this.#program.templates, template);
    const isIn = this.sets.some((set) => set.has(template));
    const other = { why: `'${name}' shares its identities with processes that are not`, span };
    return isIn ? undefined : (this.#refused.get(template) ?? other);
  }

  /** Keeps the first reason; without one, does nothing. */
  #refuse(template: number, reason: Reason | undefined): void {
    if (reason && !this.#refused.has(template)) this.#refused.set(template, reason);
  }

  #processesOf(template: number): number[] {
    return this.#settled.templates.flatMap((t, process) => (t === template ? [process] : []));
  }

  #nodeOf({ template, slot }: Identity): number {
    const { classes } = this.#uses;
    return classes.find(classes.of(placeKey(template, slot, "")));
  }

  /** Locals of the template that differ from process to process and are never written by settled processes. */
  #identitiesOf(template: number): Identity[] {
    const processes = this.#processesOf(template);
    return nth(this.#program.templates, template).locals.flatMap((_, slot) => {
      const values = processes.map((p) => nth(this.#settled.values, p)[slot]);
      const isSame = new Set(values).size < values.length || values.includes(undefined);
      // sound: test/transforms/symmetry/processes.test.ts
      if (isSame || this.#uses.written.has(`${template}.${slot}`)) return [];
      return [{ template, slot, values: values as number[] }];
    });
  }

  /** Identities by class, the first of each template. */
  #classesOf(identities: readonly Identity[]): IdentityClass[] {
    const found = new Map<number, Identity[]>();
    for (const identity of identities) {
      const node = this.#nodeOf(identity);
      const known = found.get(node) ?? [];
      if (!known.some(({ template }) => template === identity.template)) known.push(identity);
      found.set(node, known);
    }
    return [...found].map(([node, own]) => ({ node, identities: own }));
  }

  /** Puts templates with the same identities into one set. Classes whose values cannot be exchanged refuse their templates. */
  #aligned(
    several: readonly number[],
    all: readonly IdentityClass[],
    whyOf: (one: IdentityClass) => Reason | undefined,
  ): { readonly sets: readonly ElementSet[]; readonly classes: readonly IdentityClass[] } {
    let sets: ElementSet[] = several.map((t) => new Map([[t, this.#processesOf(t)]]));
    const classes = all.filter((one) => {
      const { identities } = one;
      const joined = this.#joined(sets, identities);
      const why = whyOf(one) ?? (joined ? undefined : this.#whyUnaligned(identities));
      if (joined && !why) sets = joined;
      for (const { template } of identities) this.#refuse(template, why);
      return why === undefined;
    });
    return { sets, classes };
  }

  /** Joins the sets of templates with equal identities; undefined: impossible. */
  #joined(sets: readonly ElementSet[], identities: readonly Identity[]): ElementSet[] | undefined {
    let result = [...sets];
    for (const [i, one] of identities.entries())
      for (const other of identities.slice(i + 1)) {
        const common = one.values.filter((v) => other.values.includes(v)).length;
        if (common === 0) continue;
        // sound: test/transforms/symmetry/processes.test.ts
        if (common < one.values.length || common < other.values.length) return undefined;
        const next = this.#joinedBy(result, one, other);
        if (!next) return undefined;
        result = next;
      }
    return result;
  }

  #joinedBy(sets: readonly ElementSet[], one: Identity, other: Identity): ElementSet[] | undefined {
    const setOf = ({ template }: Identity): ElementSet =>
      known(
        sets.find((set) => set.has(template)),
        "the set of an identity",
      );
    const [into, from] = [setOf(one), setOf(other)];
    const valueOf = ({ template, values }: Identity, process: number): number =>
      nth(values, this.#processesOf(template).indexOf(process));
    const wanted = entryOf(into, one.template).map((process) => valueOf(one, process));
    const given = entryOf(from, other.template).map((process) => valueOf(other, process));
    // sound: test/transforms/symmetry/processes.test.ts
    if (into === from) return wanted.every((v, e) => v === given[e]) ? [...sets] : undefined;
    const order = wanted.map((v) => given.indexOf(v));
    const moved = [...from].map(([t, processes]): [number, number[]] => [
      t,
      order.map((e) => nth(processes, e)),
    ]);
    return [...sets.filter((set) => set !== into && set !== from), new Map([...into, ...moved])];
  }

  #isWhole(set: ElementSet): boolean {
    return [...set.keys()].every((t) => !this.#refused.has(t)); // sound: test/transforms/symmetry/processes.test.ts
  }

  /** The reason why values of a class are not mere names. */
  #whyNumeric(node: number, values: readonly number[]): Reason | undefined {
    const facts = this.#uses.classes.facts(node);
    const { templates } = this.#program;
    // sound: test/transforms/symmetry/processes.test.ts
    if (facts.numeric) return facts.numeric;
    // sound: test/transforms/symmetry/processes.test.ts
    if (facts.isProcess && facts.isChannel)
      return { why: "a value stands for a process and for a channel", span: nth(templates, 0).span };
    return whyNamed(facts, values) ?? whyLimited(facts, values, nth(templates, 0).span);
  }

  /** A single numeric use excludes permutation of all channels. */
  #whyNoChannels(numbers: readonly number[]): Reason | undefined {
    const { classes } = this.#uses;
    for (const node of classes.all) {
      const why = classes.facts(node).isChannel ? this.#whyNumeric(node, numbers) : undefined;
      if (why) return why; // sound: test/transforms/symmetry/processes.test.ts
    }
    return undefined;
  }

  #whyUnaligned([first, ...others]: readonly Identity[]): Reason {
    const { templates } = this.#program;
    const names = others.map(({ template }) => `'${nth(templates, template).name}'`).join(", ");
    const { name, span } = nth(templates, known(first, "an identity").template);
    return { why: `the identities of '${name}' and ${names} do not match`, span };
  }
}

/** A constant among the values distinguishes an element. */
function whyNamed({ constants }: ValueClass, values: readonly number[]): Reason | undefined {
  // sound: test/transforms/symmetry/processes.test.ts
  const found = constants.find(({ value }) => values.includes(value));
  return found && { why: `${found.at.why} singles out ${found.value}`, span: found.at.span };
}

/** If one value fits into a variable or an array index, all must. */
function whyLimited(
  { types, lengths }: ValueClass,
  values: readonly number[],
  span: Reason["span"],
): Reason | undefined {
  // sound: test/transforms/symmetry/processes.test.ts
  if (values.some((v) => v < 0 || v > MOST)) return { why: `an identity is not within 0 … ${MOST}`, span };
  // sound: test/transforms/symmetry/processes.test.ts
  const narrow = types.find(({ type }) => values.some((v) => !fits(v, type)));
  if (narrow) return { why: `${narrow.at.why} cannot hold every identity`, span: narrow.at.span };
  // A value that fits one of two types may be truncated to an identity by the other.
  // sound: test/transforms/symmetry/processes.test.ts
  const other = types.find(({ type }) => !isSameRange(type, nth(types, 0).type));
  if (other) return { why: `${other.at.why} keeps it in another type`, span: other.at.span };
  // sound: test/transforms/symmetry/processes.test.ts
  const short = lengths.find(({ length }) => values.some((v) => v >= length));
  return short && { why: `${short.at.why} indexes an array that is too short for some`, span: short.at.span };
}

const isSameRange = (a: ScalarType, b: ScalarType): boolean => a.bits === b.bits && a.signed === b.signed;

/** Tables are indexed by value. */
const MOST = 65_535;

const createsChannels = ({ templates }: Program, t: number): boolean =>
  nth(templates, t).initialisers.some((i) => i.kind === "channel");

const channelNumbers = ({ initialisers, templates }: Program, settled: SettledProcesses): number[] =>
  [initialisers, ...settled.templates.map((t) => nth(templates, t).initialisers)]
    .flat()
    .filter((i) => i.kind === "channel")
    .map((_, i) => i + 1);
