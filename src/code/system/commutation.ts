/**
 * Tests the conditions of partial-order reduction by node on actual successors.
 *
 * In: a state, and a group of nodes that may be explored alone there. Out: the first violated condition. No step of
 * other nodes may disable a step of the group; both orders of a step of the group and a step of another node must lead
 * to the same states; an unexplored order must not fail if the explored one does not; and no property may observe both
 * kinds of step. Repeats the test in a successor by another node.
 *
 * Not tested here: that no transition is postponed forever, which the search ensures.
 */
import { Successors, type Words } from "../../model/index.js";
import type { SystemModel } from "./model.js";

/** Length of the path by steps of other nodes. */
const DEPTH = 2;
/** Limit of steps per test. */
const MOST_STEPS = 400;

export class Commutation {
  readonly #model: SystemModel;
  readonly #all: number;
  readonly #asked: readonly boolean[];
  #left = 0;

  /** `asked`: whether each condition of the model is checked, by index. */
  constructor(model: SystemModel, asked: readonly boolean[]) {
    this.#model = model;
    this.#asked = asked;
    this.#all = (1 << model.nodes.length) - 1;
  }

  /** The first condition that the group (bit i for node i) violates in the state; undefined if none was found. */
  whyNotAlone(state: Words, group: number): string | undefined {
    this.#left = MOST_STEPS;
    let here = state;
    for (let depth = 0; depth < DEPTH && this.#left > 0; depth++) {
      const square = this.#squareAt(here, group);
      // A group whose steps all lead back to the state is not explored alone.
      // sound: test/code/system/commutation.test.ts
      if (square.own.length === 0) return undefined;
      const why = whyDependent(square) ?? this.#whySeen(square);
      if (why !== undefined) return why;
      const next = square.others.find(({ end }) => end !== undefined);
      if (!next) return undefined;
      here = next.end!;
    }
    return undefined;
  }

  #squareAt(state: Words, group: number): Square {
    const outside = this.#all & ~group;
    const own = this.#steps(state, group);
    const others = this.#steps(state, outside);
    const behind = (steps: readonly Taken[], nodes: number): Behind[] =>
      steps.flatMap(({ end }) =>
        end && this.#left > 0 ? [{ from: end, steps: this.#steps(end, nodes) }] : [],
      );
    return { state, own, others, behindOwn: behind(own, outside), behindOthers: behind(others, group) };
  }

  /** A property that observes steps of both observes their order. */
  #whySeen({ state, own, others, behindOwn, behindOthers }: Square): string | undefined {
    const { invariants } = this.#model;
    const sees = (index: number, from: Words, steps: readonly Taken[]): boolean => {
      const before = this.#model.holds(index, from, 0);
      return steps.some(({ end }) => end !== undefined && this.#model.holds(index, end, 0) !== before);
    };
    const isSeen = (index: number, here: readonly Taken[], behind: readonly Behind[]): boolean =>
      [{ from: state, steps: here }, ...behind].some(({ from, steps }) => sees(index, from, steps));
    const seen = invariants.find(
      // sound: test/code/system/commutation.test.ts
      (_, index) =>
        this.#asked[index] && isSeen(index, own, behindOthers) && isSeen(index, others, behindOwn),
    );
    return seen && `'${seen.name}' observes its steps and other nodes' steps`;
  }

  #steps(state: Words, nodes: number): readonly Taken[] {
    const { nodeSystem } = this.#model;
    const out = new Successors(nodeSystem.width);
    nodeSystem.successorsOf(nodes, state, 0, out);
    this.#left -= out.count;
    return Array.from({ length: out.count }, (_, i) => ({
      end: !out.isDead(i) ? out.stateAt(i) : undefined,
      fault: out.faultAt(i),
    }));
  }
}

/** Steps of the group and of the others, in both orders. */
interface Square {
  readonly state: Words;
  readonly own: readonly Taken[];
  readonly others: readonly Taken[];
  /** Steps of the others after each step of the group. */
  readonly behindOwn: readonly Behind[];
  /** Steps of the group after each step of the others. */
  readonly behindOthers: readonly Behind[];
}

interface Behind {
  readonly from: Words;
  readonly steps: readonly Taken[];
}

interface Taken {
  /** Absent: the step fails. */
  readonly end: Words | undefined;
  /** Negative: no fault. */
  readonly fault: number;
}

function whyDependent({ own, others, behindOwn, behindOthers }: Square): string | undefined {
  const afterOwn = behindOwn.map(({ steps }) => keysOf(steps));
  const explored = new Set(afterOwn.flatMap((keys) => [...keys]));
  for (const { steps } of behindOwn)
    // sound: test/code/system/commutation.test.ts
    if (!isWithin(faultsOf(others), faultsOf(steps))) return "a failure of others depends on its steps";
  for (const { steps } of behindOthers) {
    const ends = keysOf(steps);
    // sound: test/code/system/commutation.test.ts
    if (!isWithin(faultsOf(steps), faultsOf(own))) return "its failure depends on a step of others";
    // sound: test/code/system/commutation.test.ts
    if (!isWithin(ends, explored)) return "the states depend on the order of a step of others and its own";
    // Two steps of the group may have merged: deliveries of messages that are now equal.
    // sound: test/code/system/commutation.test.ts
    if (!afterOwn.every((keys) => [...keys].some((key) => ends.has(key))))
      return "a step of others takes one of its steps away";
  }
  return undefined;
}

const keysOf = (steps: readonly Taken[]): ReadonlySet<string> =>
  new Set(steps.flatMap(({ end }) => (end ? [end.join()] : [])));

const faultsOf = (steps: readonly Taken[]): ReadonlySet<number> =>
  new Set(steps.flatMap(({ fault }) => (fault < 0 ? [] : [fault])));

const isWithin = <T>(part: ReadonlySet<T>, all: ReadonlySet<T>): boolean =>
  [...part].every((one) => all.has(one));
