/**
 * Possible futures of a thread from each of its locations, computed once: variables that are live, and variables that
 * are read or written by any step that can follow.
 */
import { accessOf, type BooleanProgram, type BooleanStep, type BooleanThread } from "../../model/index.js";
import { nth } from "../../model/known.js";

export interface Access {
  readonly reads: ReadonlySet<number>;
  readonly writes: ReadonlySet<number>;
}

export class Analysis {
  readonly #live: readonly (readonly ReadonlySet<number>[])[];
  readonly #next: readonly (readonly Access[])[];
  readonly #future: readonly (readonly Access[])[];
  readonly #closing: readonly ReadonlySet<number>[];

  constructor({ threads }: BooleanProgram) {
    this.#live = threads.map(liveIn);
    this.#next = threads.map(({ locations }) => locations.map(({ steps }) => united(steps.map(accessOf))));
    this.#future = threads.map((thread, t) => futureOf(thread, nth(this.#next, t)));
    this.#closing = threads.map(closingIn);
  }

  /** Some step there closes a cycle of the thread's control flow: every cycle has a location like this. */
  closesCycle(thread: number, location: number): boolean {
    return nth(this.#closing, thread).has(location);
  }

  /** Variables whose values some thread may read before it assigns them: all threads count, wherever they are. */
  live(at: readonly number[]): Set<number> {
    const found = new Set<number>();
    at.forEach((location, thread) => {
      for (const variable of nth(nth(this.#live, thread), location)) found.add(variable); // sound: test/engines/parametric/traps.test.ts
    });
    return found;
  }

  /**
   * The next steps of a thread commute with all future steps of the others. Looking at their next steps alone would
   * miss a conflict that comes later.
   */
  isIndependent(thread: number, at: readonly number[]): boolean {
    const own = nth(nth(this.#next, thread), nth(at, thread));
    return at.every((location, other) => {
      if (other === thread) return true;
      const { reads, writes } = nth(nth(this.#future, other), location);
      // sound: test/engines/parametric/traps.test.ts
      for (const variable of own.writes) if (reads.has(variable) || writes.has(variable)) return false;
      // sound: test/engines/parametric/traps.test.ts
      for (const variable of own.reads) if (writes.has(variable)) return false;
      return true;
    });
  }
}

function united(all: readonly Access[]): Access {
  const reads = new Set<number>();
  const writes = new Set<number>();
  for (const each of all) {
    for (const variable of each.reads) reads.add(variable);
    for (const variable of each.writes) writes.add(variable);
  }
  return { reads, writes };
}

function futureOf({ locations }: BooleanThread, next: readonly Access[]): Access[] {
  const future = next.map(({ reads, writes }) => ({ reads: new Set(reads), writes: new Set(writes) }));
  const grow = (into: Set<number>, from: ReadonlySet<number>): boolean => {
    const before = into.size;
    for (const variable of from) into.add(variable);
    return into.size > before;
  };
  for (let isStable = false; !isStable;) {
    isStable = true;
    for (let location = locations.length - 1; location >= 0; location--)
      for (const { to } of nth(locations, location).steps) {
        const own = nth(future, location);
        const more = nth(future, to);
        if (grow(own.reads, more.reads)) isStable = false;
        if (grow(own.writes, more.writes)) isStable = false;
      }
  }
  return future;
}

/** Locations with a step to a location on the stack of a depth-first search. */
function closingIn({ locations }: BooleanThread): Set<number> {
  const closing = new Set<number>();
  const seen = new Set<number>([0]);
  const isOpen = new Set<number>([0]);
  const stack = [{ location: 0, next: 0 }];
  for (let top = stack.at(-1); top; top = stack.at(-1)) {
    const step = nth(locations, top.location).steps[top.next++];
    if (!step) {
      isOpen.delete(top.location);
      stack.pop();
      continue;
    }
    if (isOpen.has(step.to)) closing.add(top.location); // sound: test/engines/parametric/traps.test.ts
    if (seen.has(step.to)) continue;
    seen.add(step.to);
    isOpen.add(step.to);
    stack.push({ location: step.to, next: 0 });
  }
  return closing;
}

function liveIn({ locations }: BooleanThread): ReadonlySet<number>[] {
  const live = locations.map(() => new Set<number>());
  const access = new Map<BooleanStep, Access>();
  for (const { steps } of locations) for (const step of steps) access.set(step, accessOf(step));
  for (let isStable = false; !isStable;) {
    isStable = true;
    for (let location = locations.length - 1; location >= 0; location--) {
      const own = nth(live, location);
      const before = own.size;
      for (const step of nth(locations, location).steps) {
        const { reads, writes } = access.get(step) ?? accessOf(step);
        for (const variable of reads) own.add(variable);
        for (const variable of nth(live, step.to)) if (!writes.has(variable)) own.add(variable); // sound: test/engines/parametric/traps.test.ts
      }
      if (own.size > before) isStable = false;
    }
  }
  return live;
}
