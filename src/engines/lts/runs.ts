/**
 * Runs of a system that an automaton accepts. A letter is a visible action; τ is skipped. A run that ends, or that takes τ without end,
 * continues with empty letters.
 *
 * Nodes are pairs of states; a run is accepted iff its node lies in a component with a visible arc, whose arcs have all marks.
 */
import { TAU, allMarks, type Automaton, type Lts } from "../../model/index.js";
import { nth } from "../../model/known.js";

/** Transitions of the system; `loopStart`: the rest repeats. Without it, the run ends. */
export interface AcceptedRun {
  readonly transitions: readonly number[];
  readonly loopStart: number | undefined;
}

/** `undefined`: no run is accepted. */
export function acceptedRun(
  lts: Lts,
  automaton: Automaton,
  letterOf: (label: string) => number,
): AcceptedRun | undefined {
  return new RunSearch(lts, automaton, letterOf).find();
}

interface Arc {
  readonly to: number;
  readonly marks: number;
  /** Reads a letter. */
  readonly isRead: boolean;
  /** Of the system; -1: it is silent. */
  readonly transition: number;
}

class RunSearch {
  readonly #lts: Lts;
  readonly #automaton: Automaton;
  readonly #letters: Int32Array;
  readonly #silent: number;
  readonly #isQuiet: Uint8Array;
  readonly #arcs = new Map<number, readonly Arc[]>();

  constructor(lts: Lts, automaton: Automaton, letterOf: (label: string) => number) {
    this.#lts = lts;
    this.#automaton = automaton;
    this.#letters = Int32Array.from(lts.labels, (label) => letterOf(label));
    this.#silent = lts.states;
    this.#isQuiet = quietStates(lts);
  }

  find(): AcceptedRun | undefined {
    const roots = this.#lts.initial.map((state) => this.#node(state, this.#automaton.initial));
    const cameBy = this.#reach(roots);
    const components = componentsOf([...cameBy.keys()], (node) => this.#from(node).map(({ to }) => to));
    const accepting = new Set<number>();
    for (const component of components)
      if (this.#accepts(component)) for (const node of component) accepting.add(node);
    // The first node found is nearest to the start.
    const entry = [...cameBy.keys()].find((node) => accepting.has(node));
    if (entry === undefined) return undefined;
    const component = new Set(components.find((nodes) => nodes.includes(entry)));
    return this.#runOf(entry, component, cameBy);
  }

  #runOf(
    entry: number,
    component: ReadonlySet<number>,
    cameBy: ReadonlyMap<number, { readonly node: number; readonly arc: Arc } | undefined>,
  ): AcceptedRun {
    const prefix: Arc[] = [];
    for (let step = cameBy.get(entry); step; step = cameBy.get(step.node)) prefix.unshift(step.arc);
    const before = prefix.map(({ transition }) => transition).filter((transition) => transition >= 0);
    if (this.#stateOf(entry) === this.#silent) return this.#quietRun(before);
    const cycle = this.#cycle(entry, component).map(({ transition }) => transition);
    return { transitions: [...before, ...cycle], loopStart: before.length };
  }

  /** Ends after these transitions, or takes τ without end. */
  #quietRun(before: readonly number[]): AcceptedRun {
    const { targets, firsts, actions } = this.#lts;
    const state = before.length === 0 ? this.#quietInitial() : targets[nth(before, before.length - 1)];
    if (firsts[state] === firsts[state + 1]) return { transitions: before, loopStart: undefined };
    const loop = shortestPath(
      [state],
      (s) => transitionsOf(firsts, s).filter((t) => actions[t] === TAU),
      (t) => targets[t],
      (t) => targets[t] === state,
    );
    if (!loop) throw new Error("a quiet state neither ends nor takes τ without end");
    return { transitions: [...before, ...loop], loopStart: before.length };
  }

  #quietInitial(): number {
    const found = this.#lts.initial.find((state) => this.#isQuiet[state] === 1);
    if (found === undefined) throw new Error("no initial state is quiet");
    return found;
  }

  /** From the entry through arcs of all marks, and back; at least one arc reads a letter. */
  #cycle(entry: number, component: ReadonlySet<number>): Arc[] {
    const inside = (node: number): Arc[] => this.#from(node).filter(({ to }) => component.has(to));
    const all = allMarks(this.#automaton.conditions);
    const path: Arc[] = [];
    let at = entry;
    let marks = 0;
    let hasRead = false;
    const go = (isGoal: (arc: Arc) => boolean): void => {
      const found = shortestPath([at], inside, ({ to }) => to, isGoal);
      if (!found) throw new Error("a component is not connected");
      for (const arc of found) {
        path.push(arc);
        marks |= arc.marks;
        hasRead ||= arc.isRead;
        at = arc.to;
      }
    };
    while (marks !== all) go((arc) => (arc.marks & ~marks) !== 0);
    if (!hasRead) go(({ isRead }) => isRead);
    if (at !== entry) go(({ to }) => to === entry);
    return path;
  }

  #accepts(component: readonly number[]): boolean {
    const inside = new Set(component);
    let marks = 0;
    let hasRead = false;
    for (const node of component)
      for (const arc of this.#from(node)) {
        if (!inside.has(arc.to)) continue;
        marks |= arc.marks;
        hasRead ||= arc.isRead;
      }
    // sound: test/engines/lts/runs.test.ts
    return hasRead && marks === allMarks(this.#automaton.conditions);
  }

  #reach(roots: readonly number[]): Map<number, { readonly node: number; readonly arc: Arc } | undefined> {
    const cameBy = new Map<number, { readonly node: number; readonly arc: Arc } | undefined>();
    for (const root of roots) cameBy.set(root, undefined);
    for (const [node] of cameBy)
      for (const arc of this.#from(node)) if (!cameBy.has(arc.to)) cameBy.set(arc.to, { node, arc });
    return cameBy;
  }

  #node(state: number, at: number): number {
    return state * this.#automaton.states.length + at;
  }

  #stateOf(node: number): number {
    return Math.floor(node / this.#automaton.states.length);
  }

  #from(node: number): readonly Arc[] {
    const known = this.#arcs.get(node);
    if (known) return known;
    const found = this.#arcsFrom(this.#stateOf(node), node % this.#automaton.states.length);
    this.#arcs.set(node, found);
    return found;
  }

  #arcsFrom(state: number, at: number): Arc[] {
    const reading = (letter: number, target: number, transition: number): Arc[] =>
      nth(this.#automaton.states, at)
        .filter(({ guard }) => guard.some(({ care, value }) => (letter & care) === value))
        .map(({ marks, to }) => ({ to: this.#node(target, to), marks, isRead: true, transition }));
    if (state === this.#silent) return reading(0, this.#silent, -1);
    const { firsts, actions, targets } = this.#lts;
    const found: Arc[] = [];
    for (const t of transitionsOf(firsts, state)) {
      if (actions[t] !== TAU) found.push(...reading(this.#letters[actions[t]], targets[t], t));
      else found.push({ to: this.#node(targets[t], at), marks: 0, isRead: false, transition: t });
    }
    // sound: test/engines/lts/runs.test.ts
    if (this.#isQuiet[state] === 1) found.push(...reading(0, this.#silent, -1));
    return found;
  }
}

const transitionsOf = (firsts: Int32Array, state: number): number[] =>
  Array.from({ length: firsts[state + 1] - firsts[state] }, (_, i) => firsts[state] + i);

/** States without transitions, and states on a cycle of τ. */
function quietStates({ states, firsts, actions, targets }: Lts): Uint8Array {
  const taus = (s: number): number[] => transitionsOf(firsts, s).filter((t) => actions[t] === TAU);
  const found = new Uint8Array(states);
  for (let s = 0; s < states; s++) if (firsts[s] === firsts[s + 1]) found[s] = 1;
  const all = Array.from({ length: states }, (_, s) => s);
  for (const component of componentsOf(all, (s) => taus(s).map((t) => targets[t])))
    if (component.length > 1 || taus(nth(component, 0)).some((t) => targets[t] === component[0]))
      for (const s of component) found[s] = 1;
  return found;
}

/** Strongly connected components (Tarjan), without recursion. */
export function componentsOf(
  nodes: readonly number[],
  successors: (node: number) => readonly number[],
): number[][] {
  const numbers = new Map<number, number>();
  const low = new Map<number, number>();
  const onStack = new Set<number>();
  const stack: number[] = [];
  const found: number[][] = [];
  for (const root of nodes) {
    if (numbers.has(root)) continue;
    const work: { readonly node: number; readonly next: readonly number[]; at: number }[] = [];
    const enter = (node: number): void => {
      numbers.set(node, numbers.size);
      low.set(node, numbers.size - 1);
      stack.push(node);
      onStack.add(node);
      work.push({ node, next: successors(node), at: 0 });
    };
    enter(root);
    for (let top = work.at(-1); top; top = work.at(-1)) {
      const { node } = top;
      const lower = (value: number): void => void low.set(node, Math.min(low.get(node) ?? value, value));
      if (top.at < top.next.length) {
        const to = nth(top.next, top.at++);
        if (!numbers.has(to)) enter(to);
        else if (onStack.has(to)) lower(numbers.get(to) ?? 0);
        continue;
      }
      work.pop();
      const parent = work.at(-1);
      if (parent) low.set(parent.node, Math.min(low.get(parent.node) ?? 0, low.get(node) ?? 0));
      if (low.get(node) !== numbers.get(node)) continue;
      const component = stack.splice(stack.lastIndexOf(node));
      for (const member of component) onStack.delete(member);
      found.push(component);
    }
  }
  return found;
}

/** The fewest arcs of which the last is a goal. */
export function shortestPath<A>(
  starts: readonly number[],
  arcsOf: (node: number) => readonly A[],
  targetOf: (arc: A) => number,
  isGoal: (arc: A) => boolean,
): A[] | undefined {
  const cameBy = new Map<number, { readonly node: number; readonly arc: A } | undefined>();
  for (const start of starts) cameBy.set(start, undefined);
  for (const [node] of cameBy)
    for (const arc of arcsOf(node)) {
      if (isGoal(arc)) {
        const path = [arc];
        for (let step = cameBy.get(node); step; step = cameBy.get(step.node)) path.unshift(step.arc);
        return path;
      }
      if (!cameBy.has(targetOf(arc))) cameBy.set(targetOf(arc), { node, arc });
    }
  return undefined;
}
