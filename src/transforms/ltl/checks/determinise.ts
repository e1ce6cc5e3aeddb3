/**
 * Safra's determinisation of automata with one condition (FOCS 1988, with marks on edges), for inclusion tests. `breakpoints.ts` has
 * a simpler construction for weak automata.
 *
 * A state is a tree of sets of states. The root has the current states of all runs; a child has the runs that have seen a mark since
 * the child was created. When the children together contain all members of their parent, every run there has seen a mark: the parent
 * is renewed. A word is accepted iff some name is renewed infinitely often and lost finitely often.
 */
import { all, none } from "../../../model/letters.js";
import { AutomatonTooLarge, type SymbolicAutomaton } from "../symbolic.js";
import { nth } from "../../../model/known.js";

export interface DeterministicEdge {
  readonly guard: number;
  readonly to: number;
  /** Names renewed, and names lost, as bit sets. */
  readonly renewed: number;
  readonly lost: number;
}

/** Complete; state 0 is initial. Accepts iff some name is renewed infinitely often and lost finitely often. */
export interface Deterministic {
  edges(state: number): readonly DeterministicEdge[];
}

interface Node {
  readonly name: number;
  /** Sorted. */
  readonly members: readonly number[];
  /** Oldest first; their members are disjoint. */
  readonly children: readonly Node[];
}

type Tree = Node | undefined;

/** Creates states on demand. */
export class SafraTrees implements Deterministic {
  readonly #automaton: SymbolicAutomaton;
  readonly #trees: Tree[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #edges: (DeterministicEdge[] | undefined)[] = [];
  readonly #mostStates: number;

  constructor(automaton: SymbolicAutomaton, mostStates: number) {
    if (automaton.conditions !== 1)
      throw new Error("only automata with one condition are made deterministic");
    if (automaton.states.length > mostMembers)
      throw new AutomatonTooLarge(
        `an automaton with more than ${mostMembers} states is not made deterministic`,
      );
    this.#automaton = automaton;
    this.#mostStates = mostStates;
    this.#numberOf({ name: 0, members: [automaton.initial], children: [] });
  }

  edges(state: number): readonly DeterministicEdge[] {
    return (this.#edges[state] ??= this.#edgesOf(this.#trees[state]));
  }

  #edgesOf(tree: Tree): DeterministicEdge[] {
    const { letters, states } = this.#automaton;
    const outgoing = (tree?.members ?? []).flatMap((member) => nth(states, member));
    return letters.partition(outgoing.map(({ guard }) => guard)).map((guard) => {
      const step = new Step(this.#automaton, guard, tree);
      return { guard, to: this.#numberOf(step.result), renewed: step.renewed, lost: step.lost };
    });
  }

  #numberOf(tree: Tree): number {
    const key = JSON.stringify(tree ?? null);
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#trees.push(tree) - 1;
      if (number === this.#mostStates)
        throw new AutomatonTooLarge(`a deterministic automaton has more than ${number} states`);
      this.#numbers.set(key, number);
    }
    return number;
  }
}

/** A tree has at most one node per state; the second half of the names is for nodes created in a step. */
const mostMembers = 15;

/** The reading of one letter. */
class Step {
  result: Tree;
  renewed = 0;
  lost = 0;
  readonly #automaton: SymbolicAutomaton;
  readonly #guard: number;
  /** Names in use before the step or during it. */
  #taken: number;

  constructor(automaton: SymbolicAutomaton, guard: number, tree: Tree) {
    this.#automaton = automaton;
    this.#guard = guard;
    const before = namesIn(tree);
    this.#taken = before;
    this.result = tree && this.#settle(this.#move(tree), new Set());
    // A member that accepts every word needs no further bookkeeping.
    const certain = this.result?.members.find((member) => acceptsAll(automaton, member));
    // sound: test/transforms/ltl/checks/answers.test.ts
    if (certain !== undefined) {
      this.result = { name: 0, members: [certain], children: [] };
      this.renewed |= 1;
    }
    this.lost = before & ~namesIn(this.result);
  }

  /** Moves the members; targets of marked edges also enter a new youngest child. */
  #move({ name, members, children }: Node): Node {
    const marked = this.#successors(members, true); // sound: test/transforms/ltl/checks/answers.test.ts
    const moved = children.map((child) => this.#move(child));
    if (marked.length > 0) moved.push({ name: this.#freshName(), members: marked, children: [] }); // sound: test/transforms/ltl/checks/answers.test.ts
    return { name, members: this.#successors(members, false), children: moved }; // sound: test/transforms/ltl/checks/answers.test.ts
  }

  #successors(members: readonly number[], isMarked: boolean): number[] {
    const { letters, states } = this.#automaton;
    const targets = members.flatMap((member) =>
      nth(states, member)
        .filter(
          ({ guard, marks }) => (!isMarked || marks !== 0) && letters.and(guard, this.#guard) !== none, // sound: test/transforms/ltl/checks/answers.test.ts
        )
        .map(({ to }) => to),
    );
    return [...new Set(targets)].sort((p, q) => p - q);
  }

  #freshName(): number {
    let name = 0;
    while ((this.#taken >>> name) & 1) name++; // sound: test/transforms/ltl/checks/answers.test.ts
    this.#taken |= 1 << name;
    return name;
  }

  /** Removes members that older nodes have, then empty nodes; renews nodes whose children contain all members. */
  #settle(node: Node, older: ReadonlySet<number>): Tree {
    const members = node.members.filter((member) => !older.has(member)); // sound: test/transforms/ltl/checks/answers.test.ts
    if (members.length === 0) return undefined; // sound: test/transforms/ltl/checks/answers.test.ts
    const seen = new Set(older);
    const children: Node[] = [];
    for (const child of node.children) {
      const settled = this.#settle(child, seen);
      if (!settled) continue; // sound: test/transforms/ltl/checks/answers.test.ts
      children.push(settled);
      settled.members.forEach((member) => seen.add(member));
    }
    if (!members.every((member) => seen.has(member))) return { name: node.name, members, children }; // sound: test/transforms/ltl/checks/answers.test.ts
    this.renewed |= 1 << node.name;
    return { name: node.name, members, children: [] };
  }
}

const namesIn = (tree: Tree): number =>
  tree ? tree.children.reduce((names, child) => names | namesIn(child), 1 << tree.name) : 0;

/** A state with a marked loop on every letter. The root, which is never lost, then contains it alone. */
const acceptsAll = ({ states }: SymbolicAutomaton, state: number): boolean =>
  nth(states, state).some(({ guard, marks, to }) => guard === all && marks !== 0 && to === state); // sound: test/transforms/ltl/checks/answers.test.ts
