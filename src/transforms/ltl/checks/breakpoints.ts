/**
 * Determinisation of weak automata, in which each component accepts on all of its cycles or on none (Miyano and Hayashi, TCS 1984):
 * far smaller than Safra's.
 *
 * A state is a set of states and its subset of states whose runs have stayed on marked edges since the last breakpoint. When the subset is
 * empty, a breakpoint occurs and the subset is reset. A word is accepted iff it has finitely many breakpoints.
 */
import { componentsOf } from "../components.js";
import type { Deterministic, DeterministicEdge } from "./determinise.js";
import { none } from "../../../model/letters.js";
import { AutomatonTooLarge, type SymbolicAutomaton } from "../symbolic.js";
import { nth } from "../../../model/known.js";

/** Requires a trimmed automaton with one condition. */
export function isWeak({ initial, states }: SymbolicAutomaton): boolean {
  const component = componentsOf({ initial, states });
  const marksOf = new Map<number, number>();
  return states.every((edges, state) =>
    edges
      // sound: test/transforms/ltl/checks/answers.test.ts
      .filter(({ to }) => component[to] === component[state])
      .every(({ marks, to }) => {
        const known = marksOf.get(nth(component, to)) ?? marks;
        marksOf.set(nth(component, to), known);
        return known === marks; // sound: test/transforms/ltl/checks/answers.test.ts
      }),
  );
}

interface Watch {
  readonly members: readonly number[];
  readonly staying: readonly number[];
}

/** The only name is renewed with every letter, and lost with every breakpoint. */
export class Breakpoints implements Deterministic {
  readonly #automaton: SymbolicAutomaton;
  readonly #watches: Watch[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #edges: (DeterministicEdge[] | undefined)[] = [];
  readonly #mostStates: number;

  constructor(automaton: SymbolicAutomaton, mostStates: number) {
    this.#automaton = automaton;
    this.#mostStates = mostStates;
    this.#numberOf({ members: [automaton.initial], staying: [] });
  }

  edges(state: number): readonly DeterministicEdge[] {
    return (this.#edges[state] ??= this.#edgesOf(nth(this.#watches, state)));
  }

  #edgesOf({ members, staying }: Watch): DeterministicEdge[] {
    const { letters, states } = this.#automaton;
    const guards = members.flatMap((member) => nth(states, member).map(({ guard }) => guard));
    return letters.partition(guards).map((guard) => {
      const next = this.#successors(members, guard, false); // sound: test/transforms/ltl/checks/answers.test.ts
      const stayed = this.#successors(staying, guard, true); // sound: test/transforms/ltl/checks/answers.test.ts
      const isBreakpoint = stayed.length === 0; // sound: test/transforms/ltl/checks/answers.test.ts
      const to = this.#numberOf({ members: next, staying: isBreakpoint ? next : stayed }); // sound: test/transforms/ltl/checks/answers.test.ts
      return { guard, to, renewed: 1, lost: isBreakpoint ? 1 : 0 }; // sound: test/transforms/ltl/checks/answers.test.ts
    });
  }

  #successors(members: readonly number[], letter: number, isMarked: boolean): number[] {
    const { letters, states } = this.#automaton;
    const targets = members.flatMap((member) =>
      nth(states, member)
        .filter(
          ({ guard, marks }) => (!isMarked || marks !== 0) && letters.and(guard, letter) !== none, // sound: test/transforms/ltl/checks/answers.test.ts
        )
        .map(({ to }) => to),
    );
    return [...new Set(targets)].sort((p, q) => p - q);
  }

  #numberOf(watch: Watch): number {
    const key = `${watch.members.join(",")};${watch.staying.join(",")}`;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#watches.push(watch) - 1;
      if (number === this.#mostStates)
        throw new AutomatonTooLarge(`a deterministic automaton has more than ${number} states`);
      this.#numbers.set(key, number);
    }
    return number;
  }
}
