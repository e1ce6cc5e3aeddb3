/**
 * A message-passing program with counted messages: finitely many states for each `k`.
 *
 *   words   the location of each principal that exists from the start; the value of each of its variables, as
 *           `message * classes + class`; then the cells (`cells.ts`).
 *
 * With `runsToReceive` a step is one edge of a principal and all internal edges that follow, until it can receive, ends, is stuck, or
 * revisits a configuration of this step. No other principal can prevent internal edges, and an early send only makes a message available
 * earlier. The property is tested after every edge.
 *
 * A violation is a fault without a successor: violating states are never stored.
 */
import {
  isLocal,
  observes,
  writtenBy,
  type Candidates,
  type Explainer,
  type MessageEdge,
  type MessageProgram,
  type ProcessView,
  type ProvenanceProperty,
  type Shown,
  type Step,
  type Successors,
  type System,
  type Words,
  Status,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { Cells, type Direction } from "./cells.js";
import type { Classes } from "./classes.js";
import { liveVariables } from "./liveness.js";

export interface CountingOptions {
  readonly k: number;
  readonly direction: Direction;
  readonly runsToReceive: boolean;
  /** Resets variables that are dead. */
  readonly resetsDead: boolean;
  /** Proposes principals that may be explored alone. */
  readonly proposes: boolean;
}

/** One edge inside a step, with the location and values of its principal before it. */
export interface CountedEdge {
  readonly principal: number;
  readonly location: number;
  readonly values: readonly number[];
  readonly edge: MessageEdge;
  /** The cell of the received message, or -1. */
  readonly taken: number;
}

/** A principal in the middle of a step, and the rest of the state. Immutable. */
interface Runner {
  readonly principal: number;
  readonly location: number;
  readonly values: readonly number[];
  readonly words: Int32Array;
}

interface Place {
  readonly principal: number;
  readonly location: number;
  readonly values: number;
}

type Emit = (words: Int32Array | "violation") => void;

export class CountingSystem implements System, Explainer {
  readonly compareFrom = 0;
  readonly candidates?: Candidates;
  readonly cells: Cells;
  readonly #program: MessageProgram;
  readonly #property: ProvenanceProperty;
  readonly #classes: Classes;
  readonly #options: CountingOptions;
  /** Offsets of the location and the variables of each principal that exists from the start. */
  readonly #places: readonly Place[];
  /** By principal; undefined for those that are spawned. */
  readonly #placeOf: readonly (Place | undefined)[];
  readonly #isDead: readonly (readonly (readonly boolean[])[])[];
  /** By principal and location: can it receive there, or is it an end? */
  readonly #rests: readonly (readonly boolean[])[];
  readonly #path: CountedEdge[] = [];

  constructor(
    program: MessageProgram,
    property: ProvenanceProperty,
    classes: Classes,
    options: CountingOptions,
  ) {
    this.#program = program;
    this.#property = property;
    this.#classes = classes;
    this.#options = options;
    const starting = program.principals.flatMap(({ isSpawned }, principal) => (isSpawned ? [] : [principal])); // sound: test/transforms/counting/conditions.test.ts
    let next = starting.length;
    this.#places = starting.map((principal, location) => {
      const values = next;
      next += nth(program.principals, principal).variables.length;
      return { principal, location, values };
    });
    this.#placeOf = program.principals.map(
      (_, p) => this.#places.find((place) => place.principal === p), // sound: test/transforms/counting/conditions.test.ts
    );
    this.cells = new Cells(next, options.k, options.direction);
    this.#isDead = program.principals.map(
      (principal, p) =>
        liveVariables(principal).map((live) => live.map((isLive, x) => !isLive && !observes(property, p, x))), // sound: test/transforms/counting/conditions.test.ts
    );
    this.#rests = program.principals.map(
      ({ locations }) =>
        locations.map((edges) => edges.length === 0 || edges.some(({ action }) => !isLocal(action))), // sound: test/transforms/counting/conditions.test.ts
    );
    if (options.proposes) this.candidates = this.#newCandidates();
  }

  get width(): number {
    return this.cells.width;
  }

  initial(out: Successors): void {
    this.#append(out, new Int32Array(this.width));
  }

  successors(state: Words, at: number, out: Successors): void {
    this.#expand(this.#wordsAt(state, at), (next) => this.#append(out, next));
  }

  status(): number {
    return Status.validEnd;
  }

  /** The edges of the step at position `choice` of `successors`. */
  edgesOf(state: Words, at: number, choice: number): readonly CountedEdge[] {
    let count = 0;
    let found: readonly CountedEdge[] | undefined;
    this.#expand(this.#wordsAt(state, at), () => {
      if (count++ === choice) found = [...this.#path];
    });
    if (!found) throw new Error(`an abstract state has no step ${choice}`);
    return found;
  }

  get runsToReceive(): boolean {
    return this.#options.runsToReceive;
  }

  /** Is the variable reset at the location? */
  isReset(principal: number, location: number, variable: number): boolean {
    return this.#options.resetsDead && this.isDead(principal, location, variable); // sound: test/transforms/counting/conditions.test.ts
  }

  /** Is the variable dead at the location? */
  isDead(principal: number, location: number, variable: number): boolean {
    return nth(nth(nth(this.#isDead, principal), location), variable);
  }

  locationOf(principal: number, state: Words, at: number): number {
    return nth(state, at + nth(this.#placeOf, principal).location);
  }

  valuesOf(principal: number, state: Words, at: number): readonly number[] {
    const first = at + nth(this.#placeOf, principal).values;
    return [...state.subarray(first, first + nth(this.#program.principals, principal).variables.length)];
  }

  messageIn(value: number): number {
    return Math.floor(value / this.#classes.count);
  }

  classIn(value: number): number {
    return value % this.#classes.count;
  }

  #wordsAt(state: Words, at: number): Int32Array {
    return state.slice(at, Math.min(state.length, at + this.width));
  }

  #expand(words: Int32Array, emit: Emit): void {
    for (const { principal } of this.#places) this.#expandPrincipal(principal, words, emit);
    // sound: test/transforms/counting/conditions.test.ts
    for (const slot of this.cells.ofInstances()) {
      if (!((words[slot] ?? 0) > 0)) continue; // sound: test/transforms/counting/conditions.test.ts
      const cell = this.cells.at(slot);
      if (cell.kind === "instance") this.#start({ ...cell, words: this.cells.decreased(words, slot) }, emit); // sound: test/transforms/counting/conditions.test.ts
    }
  }

  #expandPrincipal(principal: number, words: Int32Array, emit: Emit): void {
    const location = this.locationOf(principal, words, 0);
    this.#start({ principal, location, values: this.valuesOf(principal, words, 0), words }, emit);
  }

  #start(runner: Runner, emit: Emit): void {
    const met = new Map<string, "on the way" | "done">();
    this.#go(runner, met, emit);
  }

  /** Takes every edge of the runner; returns their number. */
  #go(runner: Runner, met: Map<string, "on the way" | "done">, emit: Emit): number {
    const key = this.#options.runsToReceive ? keyOf(runner) : ""; // sound: test/transforms/counting/conditions.test.ts
    met.set(key, "on the way");
    let count = 0;
    const { principal, location } = runner;
    // sound: test/transforms/counting/conditions.test.ts
    for (const edge of nth(nth(this.#program.principals, principal).locations, location))
      this.#take(runner, edge, (next, taken) => {
        count++;
        this.#path.push({ principal, location, values: runner.values, edge, taken });
        // sound: test/transforms/counting/conditions.test.ts
        if (edge.action.kind === "spawn" && this.#isBornViolating(edge.action.principal)) emit("violation");
        else this.#arrive(next, met, emit);
        this.#path.pop();
      });
    met.set(key, "done");
    return count;
  }

  #arrive(runner: Runner, met: Map<string, "on the way" | "done">, emit: Emit): void {
    if (this.#isViolating(runner)) return emit("violation"); // sound: test/transforms/counting/conditions.test.ts
    // sound: test/transforms/counting/conditions.test.ts
    if (!this.#options.runsToReceive || nth(this.#rests, runner.principal)[runner.location])
      return emit(this.#placed(runner));
    switch (met.get(keyOf(runner))) {
      case "done":
        return;
      case "on the way":
        return emit(this.#placed(runner));
      case undefined:
        if (this.#go(runner, met, emit) === 0) emit(this.#placed(runner)); // sound: test/transforms/counting/conditions.test.ts
    }
  }

  #take(runner: Runner, edge: MessageEdge, then: (next: Runner, taken: number) => void): void {
    const { principal, values, words } = runner;
    const { action, to } = edge;
    const { cells } = this;
    const classes = this.#classes;
    const go = (changed: Partial<Runner>, taken = -1): void =>
      then(this.#settled({ ...runner, location: to, ...changed }), taken);
    const store = (variable: number, message: number, provenanceClass: number): number[] =>
      values.with(variable, message * classes.count + provenanceClass);
    switch (action.kind) {
      case "skip":
        return go({});
      case "fresh":
        return go({ values: store(action.target, action.message, 0) });
      case "apply": {
        const value = nth(values, action.source);
        const { operation } = action;
        const from = this.classIn(value);
        const next = operation < 0 ? from : classes.after({ kind: "operation", operation, principal }, from); // sound: test/transforms/counting/conditions.test.ts
        return go({ values: store(action.target, nth(action.image, this.messageIn(value)), next) });
      }
      case "assume":
        if ((this.messageIn(nth(values, action.variable)) === action.message) === action.isEqual) go({}); // sound: test/transforms/counting/conditions.test.ts
        return;
      case "test":
        if (nth(classes.tests, action.test)[this.classIn(nth(values, action.variable))] === action.isMember)
          go({}); // sound: test/transforms/counting/conditions.test.ts
        return;
      case "send": {
        const value = nth(values, action.variable);
        const sent = classes.after({ kind: "send", principal }, this.classIn(value));
        const slot = cells.slotOfMessage(action.channel, this.messageIn(value), sent);
        return go({ words: cells.increased(words, slot) });
      }
      case "spawn": {
        const count = nth(this.#program.principals, action.principal).variables.length;
        const slot = cells.slotOfInstance(
          action.principal,
          0,
          Array.from({ length: count }, () => 0),
        );
        return go({ words: cells.increased(words, slot) });
      }
      case "receive":
        // sound: test/transforms/counting/conditions.test.ts
        for (const slot of cells.inChannel(action.channel)) {
          const cell = cells.at(slot);
          if (!((words[slot] ?? 0) > 0) || cell.kind !== "message") continue; // sound: test/transforms/counting/conditions.test.ts
          const received = classes.after({ kind: "receive", principal }, cell.class);
          go(
            { values: store(action.variable, cell.message, received), words: cells.decreased(words, slot) },
            slot,
          );
        }
    }
  }

  #settled(runner: Runner): Runner {
    if (!this.#options.resetsDead) return runner; // sound: test/transforms/counting/conditions.test.ts
    const dead = nth(nth(this.#isDead, runner.principal), runner.location);
    if (!runner.values.some((value, variable) => value !== 0 && dead[variable])) return runner; // sound: test/transforms/counting/conditions.test.ts
    return { ...runner, values: runner.values.map((value, variable) => (dead[variable] ? 0 : value)) }; // sound: test/transforms/counting/conditions.test.ts
  }

  #isViolating(runner: Runner): boolean {
    const { principal, variable, when } = this.#property;
    if (runner.principal !== principal && runner.principal !== when?.principal) return false; // sound: test/transforms/counting/conditions.test.ts
    const valueOf = (owner: number, which: number): number =>
      owner === runner.principal
        ? nth(runner.values, which)
        : nth(this.valuesOf(owner, runner.words, 0), which); // sound: test/transforms/counting/conditions.test.ts
    if (when && this.messageIn(valueOf(when.principal, when.variable)) !== when.message) return false; // sound: test/transforms/counting/conditions.test.ts
    return nth(this.#classes.isBad, this.classIn(valueOf(principal, variable)));
  }

  /** Does a new instance, without values, violate the property? */
  #isBornViolating(spawned: number): boolean {
    const { principal, when } = this.#property;
    return spawned === principal && nth(this.#classes.isBad, 0) && (when === undefined || when.message === 0); // sound: test/transforms/counting/conditions.test.ts
  }

  /** The state with the runner's location and values. */
  #placed({ principal, location, values, words }: Runner): Int32Array {
    const place = this.#placeOf[principal];
    if (!place) return this.cells.increased(words, this.cells.slotOfInstance(principal, location, values)); // sound: test/transforms/counting/conditions.test.ts
    const placed = words.slice();
    placed[place.location] = location;
    placed.set(values, place.values);
    return placed;
  }

  #append(out: Successors, next: Int32Array | "violation"): void {
    if (out.stride < this.width) out.widen(this.width);
    if (next === "violation") return out.addFault(0); // sound: test/transforms/counting/conditions.test.ts
    if (out.count === out.capacity) out.grow();
    const at = out.count++ * out.stride;
    out.words.fill(0, at, at + out.stride);
    out.words.set(next, at);
  }

  /** Proposes principals that have only internal edges and do not affect the property. */
  #newCandidates(): Candidates {
    return {
      propose: (state, at, out) => {
        let count = 0;
        const words = this.#wordsAt(state, at);
        // sound: test/transforms/counting/conditions.test.ts
        for (const { principal } of this.#places) {
          const edges = nth(
            nth(this.#program.principals, principal).locations,
            this.locationOf(principal, words, 0),
          );
          const isFine = edges.every(
            ({ action }) => isLocal(action) && !observes(this.#property, principal, writtenBy(action)), // sound: test/transforms/counting/conditions.test.ts
          );
          if (isFine && edges.length > 0) out[count++] = principal; // sound: test/transforms/counting/conditions.test.ts
        }
        return count;
      },
      successorsOf: (principal, state, at, out) =>
        this.#expandPrincipal(principal, this.#wordsAt(state, at), (next) => this.#append(out, next)),
    };
  }

  describe(state: Words, at: number, choice: number): Step {
    const edges = this.edgesOf(state, at, choice);
    return {
      participants: [nth(this.#program.principals, nth(edges, 0).principal).name],
      action: edges.map(({ edge }) => edge.text).join("; "),
      sources: edges.map(({ edge }) => edge.span),
      messages: [],
      output: "",
    };
  }

  snapshot(state: Words, at: number): readonly Shown[] {
    const text = (value: number): string =>
      `${nth(this.#program.messages, this.messageIn(value))}/${this.classIn(value)}`;
    const variables = this.#places.flatMap(({ principal }) => {
      const { name, variables: names } = nth(this.#program.principals, principal);
      const values = this.valuesOf(principal, state, at);
      return names.map((variable, x) => ({ name: `${name}.${variable}`, value: text(nth(values, x)) }));
    });
    const counted = this.cells.slots().flatMap((slot) => {
      const count = state[at + slot] ?? 0;
      const cell = this.cells.at(slot);
      const name =
        cell.kind === "message"
          ? `${nth(this.#program.channels, cell.channel)}: ${nth(this.#program.messages, cell.message)}/${cell.class}`
          : `${nth(this.#program.principals, cell.principal).name}@${cell.location}(${cell.values.map(text).join()})`;
      return count > 0 ? [{ name, value: this.cells.isUnbounded(count) ? "any number" : `${count}` }] : [];
    });
    return [...variables, ...counted];
  }

  processes(state: Words, at: number): readonly ProcessView[] {
    return this.#places.map(({ principal }) => {
      const { name, span, locations } = nth(this.#program.principals, principal);
      const edges = nth(locations, this.locationOf(principal, state, at));
      return { name, span: edges[0]?.span ?? span, isAtEnd: edges.length === 0 };
    });
  }
}

const keyOf = ({ location, values, words }: Runner): string => {
  // Ignores trailing zeros: states widen when a cell is created.
  let end = words.length;
  while (end > 0 && words[end - 1] === 0) end--; // sound: test/transforms/counting/conditions.test.ts
  return `${location}|${values.join()}|${words.subarray(0, end).join()}`;
};
