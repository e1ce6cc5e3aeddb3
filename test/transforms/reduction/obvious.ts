/**
 * The obvious reduced search: a map of states, candidates one after the other, the proviso as documented
 * (`docs/techniques/partial-order.md`). Slow; the reference for the engine.
 */
import { Entry, Status, Successors, faultSite, type System, type Words } from "../../../src/model/index.js";

export type Proviso =
  | "next-level"
  | "queue"
  | "stack"
  | "none"
  /** One of the successors is new: a published proviso that the engine does not use. */
  | "visited";

export interface ObviousResult {
  readonly states: number;
  /** Arrivals, as Spin counts them: the initial state is one. */
  readonly transitions: number;
  readonly reduced: number;
  readonly rejected: number;
  /** `deadlock`, or a fault's site. */
  readonly errors: ReadonlySet<string>;
}

/** Without a proviso in the request nothing is reduced. */
export function obviousReduced(
  system: System,
  order: "bfs" | "dfs",
  proviso: Proviso | "full",
): ObviousResult {
  return new Obvious(system, proviso)[order]();
}

class Obvious {
  readonly #known = new Map<string, { isWaiting: boolean; level?: number }>();
  readonly #errors = new Set<string>();
  readonly #agents = new Int32Array(4096);
  #transitions = 1;
  #reduced = 0;
  #rejected = 0;

  constructor(
    readonly system: System,
    readonly proviso: Proviso | "full",
  ) {}

  bfs(): ObviousResult {
    const first = initialOf(this.system);
    const queue = [first];
    this.#known.set(this.#key(first), { isWaiting: true, level: 0 });
    for (const state of queue) {
      const self = this.#known.get(this.#key(state))!;
      self.isWaiting = false;
      const expand = (agent: number) => {
        const met = { count: 0, fresh: 0, waiting: 0, ahead: 0 };
        for (const next of this.#expand(state, agent)) {
          this.#transitions++;
          met.count++;
          const key = this.#key(next);
          if (!this.#known.has(key)) {
            this.#known.set(key, { isWaiting: true, level: self.level! + 1 });
            queue.push(next);
            met.fresh++;
          }
          if (this.#known.get(key)!.isWaiting) met.waiting++;
          if (this.#known.get(key)!.level! > self.level!) met.ahead++;
        }
        return met;
      };
      this.#choose(state, expand, ({ count, fresh, waiting, ahead }) => {
        if (count === 0) return false;
        if (this.proviso === "next-level") return ahead > 0;
        if (this.proviso === "visited") return fresh > 0;
        return this.proviso === "queue" ? waiting > 0 : true;
      });
    }
    return this.#result();
  }

  /** `isWaiting` says here: on the stack. No recursion: a frame is a generator of the states to enter. */
  dfs(): ObviousResult {
    const first = initialOf(this.system);
    this.#known.set(this.#key(first), { isWaiting: true });
    const stack = [this.#visit(first)];
    while (stack.length > 0) {
      const { value, done } = stack.at(-1)!.next();
      if (done) stack.pop();
      else stack.push(this.#visit(value));
    }
    return this.#result();
  }

  *#visit(state: Words): Generator<Words, void> {
    const self = this.#known.get(this.#key(state))!;
    const candidates = this.proviso === "full" ? [] : [...this.#candidates(state)];
    let isReduced = false;
    for (const agent of candidates) {
      let outside = 0;
      const successors = this.#expand(state, agent);
      for (const next of successors) if (!(yield* this.#arrive(next))) outside++;
      isReduced = this.proviso === "stack" ? outside > 0 : successors.length > 0;
      if (isReduced) break;
      if (successors.length > 0) this.#rejected++;
    }
    if (isReduced) this.#reduced++;
    else {
      const all = this.#expand(state, -1);
      for (const next of all) yield* this.#arrive(next);
      if (all.length === 0) this.#stuck(state);
    }
    self.isWaiting = false;
  }

  /** Enters a new state; whether it was on the stack already. */
  *#arrive(next: Words): Generator<Words, boolean> {
    this.#transitions++;
    const known = this.#known.get(this.#key(next));
    if (known) return known.isWaiting;
    this.#known.set(this.#key(next), { isWaiting: true });
    yield next;
    return false;
  }

  #choose<T extends { readonly count: number }>(
    state: Words,
    expand: (agent: number) => T,
    isEnough: (met: T) => boolean,
  ): void {
    if (this.proviso !== "full")
      for (const agent of this.#candidates(state)) {
        const met = expand(agent);
        if (isEnough(met)) return void this.#reduced++;
        if (met.count > 0) this.#rejected++;
      }
    if (expand(-1).count === 0) this.#stuck(state);
  }

  #candidates(state: Words): Int32Array {
    const padded = extended(state, this.system.width);
    return this.#agents.slice(0, this.system.candidates!.propose(padded, 0, this.#agents));
  }

  /** The states after one step of that agent, or of any (-1), atomic sequences run through. */
  #expand(state: Words, agent: number): Words[] {
    const found: Words[] = [];
    const seen = new Set<string>();
    const follow = (from: Words, who: number): void => {
      const out = new Successors(this.system.width);
      const padded = extended(from, this.system.width);
      if (who < 0) this.system.successors(padded, 0, out);
      else this.system.candidates!.successorsOf(who, padded, 0, out);
      if (out.count === 0 && from !== state) this.#stuck(from);
      for (let i = 0; i < out.count; i++) {
        const flags = out.flags[i]!;
        if (faultSite(flags) >= 0) this.#errors.add(`${faultSite(flags)}`);
        if ((flags & Entry.dead) !== 0) continue;
        const words = out.words.slice(i * out.stride, (i + 1) * out.stride);
        if ((flags & Entry.intermediate) === 0) found.push(words);
        else if (!seen.has(this.#key(words))) {
          seen.add(this.#key(words));
          follow(words, -1);
        }
      }
    };
    follow(state, agent);
    return found;
  }

  #key(state: Words): string {
    return keyOf(state.subarray(this.system.compareFrom));
  }

  #stuck(state: Words): void {
    const out = new Successors(this.system.width);
    const padded = extended(state, this.system.width);
    this.system.successors(padded, 0, out); // faults alone are not a deadlock
    if (out.count === 0 && (this.system.status(padded, 0) & Status.validEnd) === 0)
      this.#errors.add("deadlock");
  }

  #result(): ObviousResult {
    return {
      states: this.#known.size,
      transitions: this.#transitions,
      reduced: this.#reduced,
      rejected: this.#rejected,
      errors: this.#errors,
    };
  }
}

function initialOf(system: System): Words {
  const out = new Successors(system.width);
  system.initial(out);
  return out.words.slice(0, out.stride);
}

function extended(state: Words, width: number): Words {
  if (state.length >= width) return state;
  const wide = new Int32Array(width);
  wide.set(state);
  return wide;
}

function keyOf(state: Words): string {
  let end = state.length;
  while (end > 0 && state[end - 1] === 0) end--;
  return String.fromCharCode(...new Uint16Array(state.buffer, state.byteOffset, 2 * end));
}
