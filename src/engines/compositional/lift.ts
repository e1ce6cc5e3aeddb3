/**
 * Leads a path of a composed system back to steps of its parts. A cursor stands in a state of a group's product, and in a cursor for each
 * of its parts; a transition of the quotient is followed by inert τ before the action that it names, and, for weak bisimilarity, by τ
 * after it. τ is never synchronised, so all parts of a step first do their τ, then move at once.
 */
import { TAU, type Lts, type Words } from "../../model/index.js";
import { known, nth } from "../../model/known.js";
import type { ComposedGroup } from "./compose.js";
import { completeLabel, isPartial } from "./parts.js";

/** Moves of parts at once: by part, its transition. `label` is undefined for a step that is internal or hidden. */
export interface PartStep {
  readonly moves: ReadonlyMap<number, number>;
  readonly label: string | undefined;
}

interface Lifted {
  readonly before: readonly PartStep[];
  readonly step: PartStep;
  readonly after: readonly PartStep[];
}

export class Cursor {
  readonly #group: ComposedGroup;
  readonly #isWeak: boolean;
  readonly #children: readonly (Cursor | { readonly part: number })[];
  #state: number;
  #words: Words | undefined;

  /** Stands in an initial state of block `initial`. */
  constructor(group: ComposedGroup, initial: number, isWeak: boolean) {
    this.#group = group;
    this.#isWeak = isWeak;
    const { full, blocks, walk, children } = group;
    const index = full.initial.findIndex((state) => blocks[state] === initial);
    this.#state = nth(full.initial, index);
    const words = walk.initial(index);
    this.#words = words;
    this.#children = children.map((child, i) =>
      "part" in child ? child : new Cursor(child, nth(words, i) - 1, isWeak),
    );
  }

  /** Follows a transition of the quotient. */
  follow(transition: number): PartStep[] {
    const { actions, targets } = this.#group.lts;
    const { before, step, after } = this.#take(nth(actions, transition), nth(targets, transition));
    return [...before, step, ...after];
  }

  /** Takes inert τ until there is none, in all groups: what the quotient cannot do is then impossible. */
  settle(): PartStep[] {
    const steps: PartStep[] = [];
    for (let t = this.#inert(); t >= 0; t = this.#inert()) steps.push(...flat(this.#perform(t)));
    for (const child of this.#children) if (child instanceof Cursor) steps.push(...child.settle());
    return steps;
  }

  /** By part: its state. */
  positions(): Map<number, number> {
    const words = known(this.#words, "a state after the error");
    return new Map(
      this.#children.flatMap((child, i): [number, number][] =>
        child instanceof Cursor ? [...child.positions()] : [[child.part, nth(words, i) - 1]],
      ),
    );
  }

  #inert(): number {
    const { full, blocks } = this.#group;
    for (let t = full.firsts[this.#state]; t < full.firsts[this.#state + 1]; t++)
      if (full.actions[t] === TAU && blocks[nth(full.targets, t)] === blocks[this.#state]) return t;
    return -1;
  }

  #take(action: number, block: number): Lifted {
    const path = this.#pathTo(action, block);
    const main = path.findIndex((t) => this.#group.full.actions[t] === action && action !== TAU);
    const at = main >= 0 ? main : path.length - 1;
    const lifted = path.map((t) => this.#perform(t));
    const { before, step, after } = nth(lifted, at);
    return {
      before: [...lifted.slice(0, at).flatMap(flat), ...before],
      step,
      after: [...after, ...lifted.slice(at + 1).flatMap(flat)],
    };
  }

  /** Transitions of the product that the transition of the quotient stands for. */
  #pathTo(action: number, block: number): number[] {
    const { full, blocks } = this.#group;
    const from = this.#state;
    const own = blocks[from];
    const found = this.#isWeak
      ? weakPath(full, from, action, (state) => blocks[state] === block)
      : pathOf(
          full,
          from,
          (t) => full.actions[t] === TAU && blocks[nth(full.targets, t)] === own,
          (t) => full.actions[t] === action && blocks[nth(full.targets, t)] === block,
        );
    return known(found, "a path of the product for a transition of its quotient");
  }

  #perform(transition: number): Lifted {
    const { full, walk } = this.#group;
    const words = known(this.#words, "a state after the error");
    const step = nth(walk.steps(words), transition - nth(full.firsts, this.#state));
    const label = nth(full.labels, nth(full.actions, transition));
    if (step.label !== label) throw new Error(`the product takes '${step.label}' instead of '${label}'`);
    const lifted = this.#children.flatMap((child, i): Lifted[] => {
      const taken = nth(step.taken, i);
      if (taken < 0) return [];
      if (child instanceof Cursor) return [child.#along(taken)];
      return [{ before: [], step: { moves: new Map([[child.part, taken]]), label: undefined }, after: [] }];
    });
    this.#state = nth(full.targets, transition);
    this.#words = step.words;
    return {
      before: lifted.flatMap(({ before }) => before),
      step: {
        moves: new Map(lifted.flatMap(({ step: { moves } }) => [...moves])),
        label: isPartial(label) ? undefined : completeLabel(label),
      },
      after: lifted.flatMap(({ after }) => after),
    };
  }

  #along(transition: number): Lifted {
    const { actions, targets } = this.#group.lts;
    return this.#take(nth(actions, transition), nth(targets, transition));
  }
}

const flat = ({ before, step, after }: Lifted): PartStep[] => [...before, step, ...after];

/** Through transitions of `passes` to one of `isGoal`, fewest first. */
function pathOf(
  { firsts, targets }: Lts,
  from: number,
  passes: (transition: number) => boolean,
  isGoal: (transition: number) => boolean,
): number[] | undefined {
  const cameBy = new Map<number, readonly [number, number] | undefined>([[from, undefined]]);
  for (const [state] of cameBy)
    for (let t = firsts[state]; t < firsts[state + 1]; t++) {
      if (isGoal(t)) {
        const path = [t];
        for (let step = cameBy.get(state); step; step = cameBy.get(step[0])) path.unshift(step[1]);
        return path;
      }
      const to = nth(targets, t);
      if (passes(t) && !cameBy.has(to)) cameBy.set(to, [state, t]);
    }
  return undefined;
}

/** τ, the action and τ; nodes are states before the action, and states after it as `~state`. */
function weakPath(
  { firsts, actions, targets }: Lts,
  from: number,
  action: number,
  isGoal: (state: number) => boolean,
): number[] | undefined {
  const start = action === TAU ? ~from : from;
  const cameBy = new Map<number, readonly [number, number] | undefined>([[start, undefined]]);
  for (const [node] of cameBy) {
    const state = node < 0 ? ~node : node;
    if (node < 0 && isGoal(state)) {
      const path: number[] = [];
      for (let step = cameBy.get(node); step; step = cameBy.get(step[0])) path.unshift(step[1]);
      return path;
    }
    for (let t = firsts[state]; t < firsts[state + 1]; t++) {
      const to = nth(targets, t);
      const next =
        actions[t] === TAU ? (node < 0 ? ~to : to) : actions[t] === action && node >= 0 ? ~to : undefined;
      if (next !== undefined && !cameBy.has(next)) cameBy.set(next, [node, t]);
    }
  }
  return undefined;
}
