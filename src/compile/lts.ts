/**
 * Labelled transition systems as a `Model`: the product of the parts by synchronisation vectors. One word per part, its state plus
 * one. The error state of a part is a fault of the step that enters it, and ends the run. A part that watches reports a fault when it
 * enters its state, and the run goes on: the violation of one property must not hide that of another.
 *
 * Several initial states are successors of a root, whose words are zero.
 */
import {
  Entry,
  Successors,
  TAU,
  TAU_NAME,
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

export function ltsModel(network: LtsNetwork, progress: readonly ProgressQuestion[] = []): Model {
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
  return {
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
  };
}

interface PartSite {
  readonly part: number;
  readonly owner: string;
  readonly message: string;
}

/** One for all error states, one for each property. */
const sitesOf = ({ parts }: LtsNetwork): PartSite[] => [
  ...(parts.some(({ lts }) => lts.error >= 0)
    ? [{ part: -1, owner: "error state", message: "the error state is reached" }]
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

class Product implements System, Explainer {
  readonly width: number;
  readonly compareFrom = 0;
  readonly labels = "actions";
  readonly hasRoot: boolean;
  readonly #name: string;
  readonly #parts: readonly Lts[];
  readonly #partNames: readonly string[];
  readonly #names: readonly string[];
  /** By part and label: the vectors that begin with it. */
  readonly #steps: readonly (readonly (readonly Step[])[])[];
  /** By part: the transition that it takes in the current step, or -1. */
  readonly #taken: Int32Array;
  /** Receives the steps, to describe one of them. */
  #recorded: { readonly action: number; readonly taken: Int32Array }[] | undefined;
  /** By part: the state that violates its property, or -1, and the site of the fault. */
  readonly #violated: Int32Array;
  readonly #sites: Int32Array;
  readonly #goesOn: boolean;

  /** `goesOn`: a run goes on after the violation of a property. */
  constructor({ name, parts, vectors }: LtsNetwork, sites: readonly PartSite[], goesOn: boolean) {
    this.#name = name;
    this.#goesOn = goesOn;
    this.#violated = Int32Array.from(parts, ({ watches }) => watches?.state ?? -1);
    this.#sites = Int32Array.from(parts, (_, part) =>
      Math.max(
        0,
        sites.findIndex((site) => site.part === part),
      ),
    );
    this.#parts = parts.map(({ lts }) => lts);
    this.#partNames = parts.map((part) => part.name);
    this.width = parts.length;
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
    for (let part = 0; part < this.width; part++)
      out.words[part] = this.hasRoot ? 0 : this.#parts[part].initial[0] + 1;
    out.flags[out.count++] = 0;
  }

  successors(state: Words, at: number, out: Successors): void {
    if (this.#isRoot(state, at)) return this.#starts(0, [], out);
    for (let part = 0; part < this.width; part++) {
      const { firsts, actions } = this.#parts[part];
      const s = state[at + part] - 1;
      for (let t = firsts[s]; t < firsts[s + 1]; t++) {
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
      this.#taken[part] = t;
      this.#join(step, n + 1, state, at, out);
      this.#taken[part] = -1;
    }
  }

  #emit(action: number, state: Words, at: number, out: Successors): void {
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
    if (part < this.width)
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

  /** The end of a run is a transition `√`. */
  status(): number {
    return 0;
  }

  describe(state: Words, at: number, choice: number): ReturnType<Explainer["describe"]> {
    const recorded: { readonly action: number; readonly taken: Int32Array }[] = [];
    this.#recorded = recorded;
    this.successors(state, at, new Successors(this.width));
    this.#recorded = undefined;
    if (this.#isRoot(state, at)) return { ...NOTHING_TOLD, participants: [this.#name], action: "start" };
    if (recorded[choice] === undefined) throw new RangeError(`no choice ${choice} in this state`);
    const { action, taken } = recorded[choice];
    const movers = [...taken.keys()].filter((part) => taken[part] >= 0);
    return {
      ...NOTHING_TOLD,
      participants: movers.map((part) => this.#partNames[part]),
      action: this.#names[action],
      sources: movers.flatMap((part) => {
        const { origins } = this.#parts[part];
        return origins ? [...origins.spansOf(origins.numbers[taken[part]])] : [];
      }),
    };
  }

  snapshot(state: Words, at: number): ReturnType<Explainer["snapshot"]> {
    if (this.#isRoot(state, at)) return [];
    return this.#partNames.map((name, part) => ({ name, value: `${state[at + part] - 1}` }));
  }

  processes(): ReturnType<Explainer["processes"]> {
    return [];
  }
}

const NOTHING_TOLD = { sources: [], messages: [], output: "" } as const;
