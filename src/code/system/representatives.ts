/**
 * Searches one representative per orbit of interchangeable nodes: the first state found. Representatives are states of
 * the system itself, so nodes never receive states that they cannot reach.
 *
 * Symmetry is declared, not proved. So states that are not searched are tested: the first ones all, later ones
 * occasionally. The run to the representative is repeated under the permutation, step by step; the resulting state must
 * have the same enabled steps and properties. A difference ends the search.
 */
import {
  Entry,
  Successors,
  faultSite,
  type Explainer,
  type Model,
  type System,
  type Trace,
  type Words,
} from "../../model/index.js";
import { DataNode } from "./data-node.js";
import type { SystemModel } from "./model.js";
import { Orbits } from "./orbits.js";
import { permutationsOf } from "./symmetry.js";
import { entryOf, nth } from "../../model/known.js";

/** Nodes or properties distinguish nodes that were declared interchangeable. */
export class NotSymmetric extends Error {
  /** Set if only this property distinguishes them. */
  readonly property: string | undefined;

  constructor(message: string, property?: string) {
    super(message);
    this.property = property;
  }
}

interface Chosen {
  readonly words: Int32Array;
  /** Its predecessor; undefined: the start. */
  readonly parent: Chosen | undefined;
  /** By permutation: the permuted state, as the system reaches it. */
  readonly images: (Int32Array | undefined)[];
}

export class Representatives {
  /** Number of states compared with their representatives. */
  compared = 0;
  readonly #original: SystemModel;
  readonly #orbits: Orbits;
  readonly #chosen = new Map<string, Chosen>();

  constructor(original: SystemModel) {
    const { summary, network, words } = original;
    const nodes = original.nodes.filter((node) => node instanceof DataNode);
    if (nodes.length < original.nodes.length) throw new Error("a node that is replayed cannot be renamed");
    this.#original = original;
    this.#orbits = new Orbits(nodes, network, permutationsOf(summary), {
      words,
      isFifo: summary.network.order === "fifo",
    });
    this.#begin();
  }

  get model(): Model {
    const { recipe: _, ...rest } = this.#original;
    const { system, steps } = rest;
    return {
      ...rest,
      system: this.#between(system),
      steps: {
        ...this.#between(steps),
        describe: (state, at, choice) => steps.describe(state, at, choice),
        snapshot: (state, at) => steps.snapshot(state, at),
        processes: (state, at) => steps.processes(state, at),
      } satisfies System & Explainer,
    };
  }

  /** The run of the original system that a run of representatives stands for; nodes keep their names throughout. */
  concretise(trace: Trace): Trace {
    const { system } = this.#original;
    let real = this.#start();
    let represented = real;
    let { fault } = trace;
    const choices = trace.choices.map((choice, step) => {
      const wanted = this.#expanded(represented);
      const found = this.#expanded(real);
      const look = this.#look(wanted, choice);
      let entry = 0;
      while (entry < found.count && this.#look(found, entry) !== look) entry++;
      if (entry === found.count)
        throw new NotSymmetric(
          "a step of one node cannot be taken by another that is declared to be like it",
        );
      if (fault >= 0 && step === trace.choices.length - 1) fault = found.faultAt(entry);
      if (!found.isDead(entry)) {
        real = successorAt(found, entry, system.width);
        represented = entryOf(this.#chosen, this.#orbits.keyOf(wanted.words, choice * wanted.stride)).words;
      }
      return entry;
    });
    return { ...trace, choices, fault };
  }

  #between(inner: System): System {
    return {
      width: inner.width,
      compareFrom: inner.compareFrom,
      ...(inner.hasRoot ? { hasRoot: true } : {}),
      initial: (out) => inner.initial(out),
      successors: (state, at, out) => {
        const first = out.count;
        inner.successors(state, at, out);
        for (let entry = first; entry < out.count; entry++)
          if (!out.isDead(entry)) this.#replace(out, entry, state, at);
      },
      status: (state, at) => inner.status(state, at),
    };
  }

  #begin(): void {
    const out = new Successors(this.#original.system.width);
    this.#original.system.initial(out);
    if (out.isDead(0)) return;
    const start = this.#start();
    if (!this.#orbits.isFixed(start, 0)) throw new NotSymmetric("the nodes do not start alike");
    this.#choose(this.#orbits.keyOf(start, 0), start, undefined);
  }

  #start(): Int32Array {
    const out = new Successors(this.#original.system.width);
    this.#original.system.initial(out);
    return successorAt(out, 0, this.#original.system.width);
  }

  /** Replaces a successor by its representative. */
  #replace(out: Successors, entry: number, state: Words, at: number): void {
    const { width } = this.#original.system;
    const key = this.#orbits.keyOf(out.words, entry * out.stride);
    const known = this.#chosen.get(key);
    if (known) return out.words.set(known.words, entry * out.stride);
    this.#choose(key, successorAt(out, entry, width), entryOf(this.#chosen, this.#orbits.keyOf(state, at)));
  }

  #choose(key: string, words: Int32Array, parent: Chosen | undefined): void {
    const chosen: Chosen = { words, parent, images: [words] };
    this.#chosen.set(key, chosen);
    const { permutationCount: ways } = this.#orbits;
    const number = this.#chosen.size;
    if (this.compared < EVERY_STATE)
      for (let permutation = 1; permutation < ways; permutation++) this.#compare(chosen, permutation);
    else if (number % SOME_STATES === 0) this.#compare(chosen, 1 + ((number / SOME_STATES) % (ways - 1)));
  }

  #compare(chosen: Chosen, permutation: number): void {
    const { system, invariants, holds } = this.#original;
    this.compared++;
    const image = this.#image(chosen, permutation);
    if (system.status(chosen.words, 0) !== system.status(image, 0))
      throw new NotSymmetric("'finished' is not the same when the names of nodes are exchanged", "deadlock");
    if (this.#steps(chosen.words, permutation) !== this.#steps(image, 0))
      throw new NotSymmetric("in states that differ in the names of nodes only, not the same can happen");
    for (const [index, { name }] of invariants.entries())
      if (holds(index, chosen.words, 0) !== holds(index, image, 0))
        throw new NotSymmetric(`'${name}' is not the same when the names of nodes are exchanged`, name);
  }

  /** The permuted state, reached by the permuted run. */
  #image(chosen: Chosen, permutation: number): Int32Array {
    const { words, parent, images } = chosen;
    if (!parent) return words;
    const known = images[permutation];
    if (known) return known;
    const wanted = this.#orbits.keyUnder(words, 0, permutation);
    const out = this.#expanded(this.#image(parent, permutation));
    for (let entry = 0; entry < out.count; entry++)
      if (!out.isDead(entry) && this.#keyOf(out, entry, 0) === wanted)
        return (images[permutation] = successorAt(out, entry, this.#original.system.width));
    throw new NotSymmetric("nodes that are declared to be alike have different steps");
  }

  /** Enabled steps of a state under a permutation. */
  #steps(state: Int32Array, permutation: number): string {
    const out = this.#expanded(state);
    const looks = Array.from({ length: out.count }, (_, entry) => {
      const flags = nth(out.flags, entry);
      return (flags & Entry.dead) === 0
        ? `${this.#fault(flags)} ${this.#keyOf(out, entry, permutation)}`
        : this.#fault(flags);
    });
    return looks.sort().join(";");
  }

  #keyOf(out: Successors, entry: number, permutation: number): string {
    return this.#orbits.keyUnder(out.words, entry * out.stride, permutation);
  }

  #expanded(state: Int32Array): Successors {
    const out = new Successors(this.#original.system.width);
    this.#original.system.successors(state, 0, out);
    return out;
  }

  /** A step up to permutation: its fault, and the key of its successor. */
  #look(out: Successors, entry: number): string {
    const flags = nth(out.flags, entry);
    const fault = this.#fault(flags);
    return (flags & Entry.dead) === 0
      ? `${fault} ${this.#orbits.keyOf(out.words, entry * out.stride)}`
      : fault;
  }

  /** Without the message, which may name a node. */
  #fault(flags: number): string {
    const site = this.#original.sites[faultSite(flags)];
    return site ? `${site.fault} ${site.owner ?? ""} ${site.span.start}` : "";
  }
}

const successorAt = (out: Successors, entry: number, width: number): Int32Array =>
  out.words.slice(entry * out.stride, entry * out.stride + width) as Int32Array;

/** The first states are all compared, later ones occasionally. */
const EVERY_STATE = 2000;
const SOME_STATES = 16;
