/**
 * Labelled transition systems as a `Model`: the product of the parts by synchronisation vectors. One word per part, its state plus
 * one. The error state of a part is a fault of the step that enters it, and ends the run. A part that watches reports a fault when it
 * enters its state, and the run goes on: the violation of one property must not hide that of another.
 *
 * Several initial states are successors of a root, whose words are zero.
 */
import {
  Entry,
  Status,
  Successors,
  TAU,
  TAU_NAME,
  faultSite,
  type Explainer,
  type Lts,
  type LtsNetwork,
  type Model,
  type ProgressQuestion,
  type Property,
  type System,
  type Words,
} from "../model/index.js";
import { nth } from "../model/known.js";
import { controlOf, isDrawn } from "./control.js";

export const ltsModel = (network: LtsNetwork, progress: readonly ProgressQuestion[] = []): Model =>
  ltsProduct(network, progress).model;

/** A step of a product: by part, the transition that it takes, or -1. `words` are absent if the run ends. */
export interface NetworkStep {
  readonly label: string;
  readonly taken: Int32Array;
  /** Site of the fault, or -1. */
  readonly fault: number;
  readonly words: Words | undefined;
}

export interface LtsProduct {
  readonly model: Model;
  /** Choices of `model.steps`; `ends`: of `model.actions`, where a violated property ends the run. */
  stepsOf(words: Words, ends: boolean): readonly NetworkStep[];
}

export function ltsProduct(network: LtsNetwork, progress: readonly ProgressQuestion[] = []): LtsProduct {
  const { parts, span } = network;
  const sites = sitesOf(network);
  const product = new Product(network, sites, true);
  // To a relation, a violation is the error state.
  const ending = parts.some(({ watches }) => watches) ? new Product(network, sites, false) : product;
  const owners = [...new Set(sites.map(({ owner }) => owner))].map((name): Property => ({
    name,
    kind: "assertion",
    span: parts.find(({ watches }) => watches?.property === name)?.watches?.span,
  }));
  const goals = progress.map(({ name, span: own }): Property => ({ name, kind: "agef", span: own }));
  const offers = progress.map(({ has }) => product.offering(has));
  const premises = progress.map(({ premise }) => premise && product.offering(premise));
  const model: Model = {
    system: product,
    steps: product,
    properties: [...owners, { name: "deadlock", kind: "deadlock", span: undefined }, ...goals],
    sites: sites.map(({ owner, message }) => ({ fault: "assertion", message, span, owner })),
    invariants: goals,
    holds: (index, state, at) => nth(offers, index)(state, at),
    premise: (index) => premises[index],
    stuck: "no transition is possible",
    actions: {
      system: ending,
      nameOf: (action) => ending.nameOf(action),
      sourcesOf: () => [],
    },
    coverage: { parts: [], reached: new Uint8Array(0) },
    ...(isDrawn(network) ? { control: controlOf(network, product) } : {}),
  };
  return { model, stepsOf: (words, ends) => (ends ? ending : product).stepsOf(words) };
}

/** The property that error states of parts violate. */
export const ERROR_OWNER = "error state";

export interface PartSite {
  readonly part: number;
  readonly owner: string;
  readonly message: string;
}

/** One for all error states, one for each property. */
const sitesOf = ({ parts }: LtsNetwork): PartSite[] => [
  ...(parts.some(({ lts }) => lts.error >= 0)
    ? [{ part: -1, owner: ERROR_OWNER, message: "the error state is reached" }]
    : []),
  ...parts.flatMap(({ watches }, part) =>
    watches ? [{ part, owner: watches.property, message: `property '${watches.property}' is violated` }] : [],
  ),
];

/** A vector by numbers, from its first part on. */
interface Step {
  /** Number of the label of the product; 0 is τ. */
  readonly action: number;
  readonly others: readonly { readonly part: number; readonly action: number }[];
}

/**
 * Words that the parts share, behind the words of the parts: transitions have conditions on them, steps change them. The product alone decides
 * who moves together.
 */
export interface SharedWords {
  readonly width: number;
  initial(words: Words, at: number): void;
  /** 1: the transition may be taken in the state; 0: it may not; `~site`: its condition cannot be evaluated. */
  allows(part: number, transition: number, state: Words, at: number): number;
  /** Writes the shared words after a step, `taken` by part; its label, or `~site` for a fault. */
  step(action: number, taken: Int32Array, state: Words, at: number, words: Words, to: number): number;
  /** Is a state without successors a valid end? */
  isEnd(state: Words, at: number): boolean;
}

/** What a step of a product is made of. */
export interface TakenStep {
  readonly action: number;
  /** By part: its transition, or -1. */
  readonly taken: Int32Array;
}

export class Product implements System, Explainer {
  readonly width: number;
  readonly compareFrom = 0;
  readonly labels = "actions";
  readonly hasRoot: boolean;
  readonly #name: string;
  readonly #parts: readonly Lts[];
  readonly #named: LtsNetwork["parts"];
  readonly #names: readonly string[];
  /** By part and label: the vectors that begin with it. */
  readonly #steps: readonly (readonly (readonly Step[])[])[];
  /** By part: the transition that it takes in the current step, or -1. */
  readonly #taken: Int32Array;
  /** Receives the steps, to describe one of them. */
  #recorded: TakenStep[] | undefined;
  /** By part: the state that violates its property, or -1, and the site of the fault. */
  readonly #violated: Int32Array;
  readonly #sites: Int32Array;
  readonly #goesOn: boolean;
  readonly #shared: SharedWords | undefined;

  /** `goesOn`: a run goes on after the violation of a property. */
  constructor(
    { name, parts, vectors }: LtsNetwork,
    sites: readonly PartSite[],
    goesOn: boolean,
    shared?: SharedWords,
  ) {
    this.#name = name;
    this.#shared = shared;
    this.#goesOn = goesOn;
    this.#violated = Int32Array.from(parts, ({ watches }) => watches?.state ?? -1);
    this.#sites = Int32Array.from(parts, (_, part) =>
      Math.max(
        0,
        sites.findIndex((site) => site.part === part),
      ),
    );
    this.#parts = parts.map(({ lts }) => lts);
    this.#named = parts;
    this.width = parts.length + (shared?.width ?? 0);
    this.#taken = new Int32Array(parts.length).fill(-1);
    this.hasRoot = this.#parts.some(({ initial }) => initial.length !== 1);
    this.#names = [...new Set([TAU_NAME, ...vectors.map(({ label }) => label)])];
    const numbers = new Map(this.#names.map((label, number) => [label, number]));
    const steps = this.#parts.map(({ labels }) => labels.map((): Step[] => []));
    for (const of of steps) of[TAU].push({ action: TAU, others: [] });
    const byName = this.#parts.map(({ labels }) => new Map(labels.map((label, number) => [label, number])));
    for (const { label, labels } of vectors) {
      const moves = labels.flatMap((own, part) =>
        own === undefined ? [] : [{ part, action: byName[part].get(own) ?? -1 }],
      );
      // A part without this label can never participate.
      if (moves.length === 0 || moves.some(({ action }) => action < 0)) continue;
      const [first, ...others] = moves;
      steps[first.part][first.action].push({ action: numbers.get(label) ?? TAU, others });
    }
    this.#steps = steps;
  }

  nameOf(action: number): string | undefined {
    return action === TAU ? undefined : this.#names[action];
  }

  initial(out: Successors): void {
    for (let part = 0; part < this.#parts.length; part++)
      out.words[part] = this.hasRoot ? 0 : this.#parts[part].initial[0] + 1;
    this.#shared?.initial(out.words, this.#parts.length);
    out.flags[out.count++] = 0;
  }

  successors(state: Words, at: number, out: Successors): void {
    if (this.#isRoot(state, at)) return this.#starts(0, [], out);
    for (let part = 0; part < this.#parts.length; part++) {
      const { firsts, actions } = this.#parts[part];
      const s = state[at + part] - 1;
      for (let t = firsts[s]; t < firsts[s + 1]; t++) {
        if (this.#shared && !this.#isAllowed(part, t, state, at, out)) continue;
        const steps = this.#steps[part][actions[t]];
        this.#taken[part] = t;
        for (let i = 0; i < steps.length; i++) this.#join(steps[i], 0, state, at, out);
        this.#taken[part] = -1;
      }
    }
  }

  /** Lets the others of a vector choose their transitions, from the `n`-th on. */
  #join(step: Step, n: number, state: Words, at: number, out: Successors): void {
    if (n === step.others.length) return this.#emit(step.action, state, at, out);
    const { part, action } = step.others[n];
    const { firsts, actions } = this.#parts[part];
    const s = state[at + part] - 1;
    for (let t = firsts[s]; t < firsts[s + 1]; t++) {
      if (actions[t] !== action) continue;
      // A condition that cannot be evaluated is a fault of the part that has it.
      if (this.#shared && this.#shared.allows(part, t, state, at) !== 1) continue;
      this.#taken[part] = t;
      this.#join(step, n + 1, state, at, out);
      this.#taken[part] = -1;
    }
  }

  #isAllowed(part: number, transition: number, state: Words, at: number, out: Successors): boolean {
    const allowed = this.#shared?.allows(part, transition, state, at) ?? 1;
    if (allowed >= 0) return allowed === 1;
    this.#taken[part] = transition;
    this.#fault(TAU, ~allowed, out);
    this.#taken[part] = -1;
    return false;
  }

  /** The moves of the parts, then what the step does to the words that they share. */
  #share(shared: SharedWords, action: number, state: Words, at: number, out: Successors): void {
    this.#begin(action, out);
    const to = out.count * out.stride;
    const count = this.#parts.length;
    for (let part = 0; part < count; part++) {
      const t = this.#taken[part];
      out.words[to + part] = t < 0 ? state[at + part] : this.#parts[part].targets[t] + 1;
    }
    const label = shared.step(action, this.#taken, state, at, out.words, to);
    if (label < 0) return out.addFault(~label);
    out.labels[out.count] = label;
    out.flags[out.count++] = 0;
  }

  #emit(action: number, state: Words, at: number, out: Successors): void {
    if (this.#shared) return this.#share(this.#shared, action, state, at, out);
    let fault = -1;
    for (let part = 0; part < this.width; part++) {
      const t = this.#taken[part];
      if (t < 0) continue;
      const target = this.#parts[part].targets[t];
      // sound: test/session/lts.test.ts
      if (target === this.#parts[part].error) return this.#fault(action, 0, out);
      // sound: test/session/fsp.test.ts
      if (target !== this.#violated[part] || state[at + part] === target + 1) continue;
      // A step that violates several properties reports each.
      // sound: test/session/fsp.test.ts
      if (fault >= 0) this.#fault(action, fault, out);
      fault = this.#sites[part];
    }
    if (fault >= 0 && !this.#goesOn) return this.#fault(action, fault, out);
    this.#begin(action, out);
    const to = out.count * out.stride;
    for (let part = 0; part < this.width; part++) {
      const t = this.#taken[part];
      out.words[to + part] = t < 0 ? state[at + part] : this.#parts[part].targets[t] + 1;
    }
    if (fault >= 0) out.isFlagged = true;
    out.flags[out.count++] = fault < 0 ? 0 : (fault + 1) << Entry.faultShift;
  }

  #fault(action: number, site: number, out: Successors): void {
    this.#begin(action, out);
    out.addFault(site);
  }

  /** Makes room for an entry, and notes its action. */
  #begin(action: number, out: Successors): void {
    this.#recorded?.push({ action, taken: this.#taken.slice() });
    if (out.count === out.capacity) out.grow();
    out.labels[out.count] = action;
  }

  /** Is an action of the set possible in a state? */
  offering(has: (label: string) => boolean): (state: Words, at: number) => boolean {
    const isOf = this.#names.map((name, action) => action !== TAU && has(name));
    const out = new Successors(this.width);
    return (state, at) => {
      out.clear();
      this.successors(state, at, out);
      for (let i = 0; i < out.count; i++) if (isOf[out.labels[i]] === true) return true;
      return false;
    };
  }

  #starts(part: number, chosen: readonly number[], out: Successors): void {
    if (part < this.#parts.length)
      return this.#parts[part].initial.forEach((s) => this.#starts(part + 1, [...chosen, s + 1], out));
    if (out.count === out.capacity) out.grow();
    out.labels[out.count] = TAU;
    out.words.set(chosen, out.count * out.stride);
    if (chosen.some((s, p) => s - 1 === this.#parts[p].error)) return out.addFault(0);
    out.flags[out.count++] = 0;
  }

  #isRoot(state: Words, at: number): boolean {
    return this.hasRoot && state[at] === 0;
  }

  /** The end of a run is a transition `√`, or a property of the shared words. */
  status(state: Words, at: number): number {
    return this.#shared?.isEnd(state, at) ? Status.validEnd : 0;
  }

  /** All steps of a state, in the order of its choices. */
  stepsOf(state: Words): NetworkStep[] {
    const out = new Successors(this.width);
    const recorded = this.stepsAt(state, 0, out);
    return Array.from({ length: out.count }, (_, i) => ({
      label: nth(this.#names, recorded[i]?.action ?? TAU),
      taken: recorded[i]?.taken ?? new Int32Array(0),
      fault: faultSite(nth(out.flags, i)),
      words: out.isDead(i) ? undefined : out.stateAt(i),
    }));
  }

  /** The steps of a state, in the order of `successors`. */
  stepsAt(state: Words, at: number, out = new Successors(this.width)): readonly TakenStep[] {
    const recorded: TakenStep[] = [];
    this.#recorded = recorded;
    this.successors(state, at, out);
    this.#recorded = undefined;
    return recorded;
  }

  describe(state: Words, at: number, choice: number): ReturnType<Explainer["describe"]> {
    const recorded = this.stepsAt(state, at);
    if (this.#isRoot(state, at)) return { ...NOTHING_TOLD, participants: [this.#name], action: "start" };
    if (recorded[choice] === undefined) throw new RangeError(`no choice ${choice} in this state`);
    const { action, taken } = recorded[choice];
    const movers = [...taken.keys()].filter((part) => taken[part] >= 0);
    return {
      ...NOTHING_TOLD,
      participants: [
        ...new Set(movers.map((part) => this.#named[part].owner ?? this.#named[part].name)),
      ].filter((name) => name !== ""),
      action: this.#names[action],
      sources: movers.flatMap((part) => {
        const { origins } = this.#parts[part];
        return origins ? [...origins.spansOf(origins.numbers[taken[part]])] : [];
      }),
    };
  }

  snapshot(state: Words, at: number): ReturnType<Explainer["snapshot"]> {
    if (this.#isRoot(state, at)) return [];
    return this.#named.map(({ name, states }, part) => {
      const own = state[at + part] - 1;
      return { name, value: states?.[own] ?? `${own}` };
    });
  }

  processes(): ReturnType<Explainer["processes"]> {
    return [];
  }
}

const NOTHING_TOLD = { sources: [], messages: [], output: "" } as const;
