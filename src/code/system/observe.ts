/**
 * Samples a system before the search: its states, near and far, and the numbers that its nodes store.
 *
 * Half of the states come from long random walks, which reveal counters; half from a breadth-first search. The result
 * is deterministic.
 */
import { Successors, type Words } from "../../model/index.js";
import { fieldPath, pathsOf, type Snapshot } from "../heap/index.js";
import { DataNode } from "./data-node.js";
import type { SystemModel } from "./model.js";
import { nth } from "../../model/known.js";

/** A number stored in nodes, with its name as in `ignore`. */
export interface Variable {
  readonly path: string;
  readonly values: ReadonlySet<number | bigint>;
  /** Never decreases in any step. */
  readonly isMonotone: boolean;
  /** Prevents a node from equalling its initial state, as a `returns` condition requires. */
  readonly isHeld: boolean;
  readonly places: readonly Seen[];
}

/** An occurrence in one state of a node. */
export interface Seen {
  readonly node: number;
  readonly state: number;
  /** Indices of the object in the snapshot, and of the field in its image. */
  readonly object: number;
  readonly field: number;
  readonly value: number | bigint;
}

export interface Observation {
  readonly states: number;
  readonly variables: readonly Variable[];
  /** A state of the whole system that contains the local state. */
  stateWith(node: number, local: number): Words | undefined;
}

/** Undefined: `isStopped` returned true. */
export function observe(
  model: SystemModel,
  mostStates: number,
  isStopped: () => boolean,
): Observation | undefined {
  const explored = new Explored(model, isStopped);
  explored.walk(mostStates / 2);
  explored.breadthFirst(mostStates);
  if (isStopped()) return undefined;
  const numbers = new Numbers();
  for (const [node, process] of model.nodes.entries())
    if (process instanceof DataNode)
      for (const local of explored.localStates(node)) numbers.see(node, local, process);
  for (const { node, before, after } of explored.localSteps())
    numbers.compare(model.nodes[node] as DataNode, before, after);
  for (const state of explored.quiet)
    for (const node of model.nodeSystem.changedSinceStart(state, 0))
      numbers.hold(model.nodes[node] as DataNode, model.nodeSystem.startOf(node), nth(state, node));
  return {
    states: explored.count,
    variables: numbers.variables(),
    stateWith: (node, local) => explored.stateWith(node, local),
  };
}

class Explored {
  readonly quiet: Words[] = [];
  readonly #model: SystemModel;
  readonly #isStopped: () => boolean;
  readonly #seen = new Set<string>();
  readonly #out: Successors;
  readonly #holders: Map<number, Words>[];

  constructor(model: SystemModel, isStopped: () => boolean) {
    this.#model = model;
    this.#isStopped = isStopped;
    this.#out = new Successors(model.system.width);
    this.#holders = model.nodes.map(() => new Map<number, Words>());
  }

  get count(): number {
    return this.#seen.size;
  }

  stateWith(node: number, local: number): Words | undefined {
    return nth(this.#holders, node).get(local);
  }

  localStates(node: number): Iterable<number> {
    return nth(this.#holders, node).keys();
  }

  /** Takes long random walks until `mostStates` are known or no new states appear. */
  walk(mostStates: number): void {
    let random = 0x2545f491;
    for (let idle = 0; idle < IDLE_WALKS && this.count < mostStates && !this.#isStopped(); idle++) {
      const before = this.count;
      let state = this.#initial();
      for (let step = 0; state && step < WALK_STEPS && this.count < mostStates; step++) {
        const next = this.#next(state);
        random = (Math.imul(random ^ (random >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
        state = next[(random >>> 8) % Math.max(1, next.length)];
        if (state) this.#meet(state);
      }
      if (this.count > before) idle = 0;
    }
  }

  breadthFirst(mostStates: number): void {
    const first = this.#initial();
    if (!first) return;
    const queue = [first];
    const queued = new Set([first.join()]);
    for (const state of queue) {
      if (this.count >= mostStates || this.#isStopped()) return;
      for (const next of this.#next(state)) {
        const key = this.#meet(next);
        if (!queued.has(key)) queue.push(next);
        queued.add(key);
      }
    }
  }

  /** Steps of single nodes between sampled states. */
  *localSteps(): Iterable<{ readonly node: number; readonly before: number; readonly after: number }> {
    const { nodes, local } = this.#model;
    for (const node of nodes.keys())
      for (const before of this.localStates(node)) {
        if (!nth(nodes, node).state(before).isUp) continue;
        for (const { call, mayFail } of local.callsIn(node, before))
          for (const { next } of local.outcomes(node, before, call, mayFail))
            if (next !== 0) yield { node, before, after: next };
      }
  }

  #initial(): Words | undefined {
    const [first] = this.#entries(() => this.#model.system.initial(this.#out));
    if (first) this.#meet(first);
    return first;
  }

  #next(state: Words): Words[] {
    return this.#entries(() => this.#model.system.successors(state, 0, this.#out));
  }

  #entries(fill: () => void): Words[] {
    const out = this.#out;
    out.clear();
    fill();
    const all: Words[] = [];
    for (let i = 0; i < out.count; i++) if (!out.isDead(i)) all.push(out.stateAt(i));
    return all;
  }

  #meet(state: Words): string {
    const key = state.join();
    if (this.#seen.has(key)) return key;
    this.#seen.add(key);
    for (const [node, holders] of this.#holders.entries())
      if (!holders.has(nth(state, node))) holders.set(nth(state, node), state);
    if (this.#model.isQuiet(state, 0)) this.quiet.push(state);
    return key;
  }
}

const WALK_STEPS = 1000;
const IDLE_WALKS = 20;

interface Known {
  readonly values: Set<number | bigint>;
  readonly places: Seen[];
  isNumber: boolean;
  isMonotone: boolean;
  isHeld: boolean;
}

class Numbers {
  readonly #known = new Map<string, Known>();

  see(node: number, state: number, process: DataNode): void {
    if (!process.state(state).isUp) return;
    eachField(process.snapshot(state), (path, object, field, value) => {
      const known = this.#at(path);
      if (typeof value !== "number" && typeof value !== "bigint") {
        known.isNumber = false;
        return;
      }
      known.values.add(value);
      known.places.push({ node, state, object, field, value });
    });
  }

  /** Detects decreasing numbers, if the node has the same objects before and after. */
  compare(process: DataNode, before: number, after: number): void {
    this.#pairs(process, before, after, (path, old, now) => {
      if (isNumber(old) && isNumber(now) && now < old) this.#at(path).isMonotone = false;
    });
  }

  hold(process: DataNode, start: number, now: number): void {
    this.#pairs(process, start, now, (path, old, value) => {
      if (!Object.is(old, value)) this.#at(path).isHeld = true;
    });
  }

  variables(): Variable[] {
    return [...this.#known]
      .filter(([, { isNumber: all, values }]) => all && values.size > 1)
      .map(([path, known]) => ({ path, ...known }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  #pairs(
    process: DataNode,
    a: number,
    b: number,
    take: (path: string, before: unknown, after: unknown) => void,
  ): void {
    if (!process.state(a).isUp || !process.state(b).isUp) return;
    const [before, after] = [process.snapshot(a), process.snapshot(b)];
    const byId = new Map(before.entries.map((entry) => [`${entry.idLow} ${entry.idHigh}`, entry]));
    const paths = pathsOf(after);
    for (const [place, entry] of after.entries.entries()) {
      const old = byId.get(`${entry.idLow} ${entry.idHigh}`);
      if (!old || old === entry || old.image.kind !== entry.image.kind) continue;
      const values = new Map(old.image.labels.map((label, i) => [label, old.image.values[i]]));
      for (const [i, label] of entry.image.labels.entries()) {
        const path = fieldPath(paths[place], entry.image, label);
        if (path !== undefined) take(path, values.get(label), entry.image.values[i]);
      }
    }
  }

  #at(path: string): Known {
    let known = this.#known.get(path);
    if (!known) {
      known = { values: new Set(), places: [], isNumber: true, isMonotone: true, isHeld: false };
      this.#known.set(path, known);
    }
    return known;
  }
}

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === "number" || typeof value === "bigint";

/** Visits every named field of every relevant object. */
function eachField(
  snapshot: Snapshot,
  take: (path: string, object: number, field: number, value: unknown) => void,
): void {
  const paths = pathsOf(snapshot);
  for (const [object, { image, hash }] of snapshot.entries.entries()) {
    if (!hash) return;
    for (const [field, label] of image.labels.entries()) {
      const path = fieldPath(paths[object], image, label);
      if (path !== undefined && path !== "") take(path, object, field, image.values[field]);
    }
  }
}
