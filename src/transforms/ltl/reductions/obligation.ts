/**
 * Minimal deterministic automata of obligation properties: if every component can be wholly accepting or wholly rejecting, the
 * powerset automaton with suitable components is deterministic and weak, and can be minimised (Dax, Eisinger and Klaedtke, ATVA 2007;
 * Löding, IPL 2001).
 */
import { componentsOf } from "../components.js";
import { accepts, type Lasso } from "../checks/lasso.js";
import { type LetterSet, none } from "../../../model/letters.js";
import { isProductEmpty } from "../product.js";
import { type SymbolicAutomaton, type SymbolicEdge, toAutomaton } from "../symbolic.js";
import { withUsefulStates } from "./trim.js";
import { entryOf, nth } from "../../../model/known.js";

/**
 * The minimal weak deterministic automaton, with equal marks on all edges of a state; undefined if the property is not an obligation,
 * or if there are more than `mostStates` sets of states. The second automaton accepts the complement of the first.
 */
export function smallestWeakDeterministic(
  automaton: SymbolicAutomaton,
  complement: SymbolicAutomaton,
  mostStates: number,
): SymbolicAutomaton | undefined {
  const states = powerset(automaton, mostStates);
  if (!states) return undefined;
  const { letters } = automaton;
  const colours = coloursOf(states, automaton);
  const weak = (isAccepting: (state: number) => boolean): SymbolicAutomaton => ({
    letters,
    conditions: 1,
    initial: 0,
    states: states.map(
      (edges, state) => edges.map((edge) => ({ ...edge, marks: isAccepting(state) ? 1 : 0 })), // sound: test/transforms/ltl/reductions/obligation.test.ts
    ),
  });
  const isRight =
    isProductEmpty(
      weak((state) => nth(colours, state) % 2 === 0), // sound: test/transforms/ltl/reductions/obligation.test.ts
      complement,
      // sound: test/transforms/ltl/reductions/obligation.test.ts
    ) &&
    isProductEmpty(
      weak((state) => nth(colours, state) % 2 === 1), // sound: test/transforms/ltl/reductions/obligation.test.ts
      automaton,
    );
  if (!isRight) return undefined; // sound: test/transforms/ltl/reductions/obligation.test.ts
  return withUsefulStates(minimised(weak((state) => nth(colours, state) % 2 === 0))); // sound: test/transforms/ltl/reductions/obligation.test.ts
}

/** There is an edge for each combination of guards, possibly exponentially many. */
const mostEdges = 2000;

/** Complete and deterministic; state 0 is initial. Undefined if it is too large. */
function powerset(automaton: SymbolicAutomaton, mostStates: number): SymbolicEdge[][] | undefined {
  const { letters } = automaton;
  const sets = new Map<string, number>([[`${automaton.initial}`, 0]]);
  const members: number[][] = [[automaton.initial]];
  const states: SymbolicEdge[][] = [];
  let edgesMade = 0;
  for (let i = 0; i < members.length; i++) {
    const edges = nth(members, i).flatMap((state) => nth(automaton.states, state));
    const row = letters.partition(edges.map(({ guard }) => guard)).map((guard): SymbolicEdge => {
      const targets = edges.filter((edge) => letters.and(edge.guard, guard) !== none).map(({ to }) => to); // sound: test/transforms/ltl/reductions/obligation.test.ts
      const next = [...new Set(targets)].sort((p, q) => p - q);
      const key = next.join(",");
      let to = sets.get(key);
      if (to === undefined) {
        to = members.push(next) - 1;
        sets.set(key, to);
      }
      return { guard, marks: 0, to };
    });
    states.push(row);
    edgesMade += row.length;
    if (members.length > mostStates || edgesMade > mostEdges) return undefined;
  }
  return states;
}

/**
 * Even if the state's component accepts, odd if it rejects, and as small as its successors allow: equal languages get equal colours,
 * in transient states as well.
 */
function coloursOf(states: readonly (readonly SymbolicEdge[])[], automaton: SymbolicAutomaton): number[] {
  const component = componentsOf({ initial: 0, states });
  const original = toAutomaton(automaton, []);
  const count = component.reduce((most, own) => Math.max(most, own + 1), 0);
  const colour: number[] = [];
  for (let own = 0; own < count; own++) {
    const members = [...component.keys()].filter((state) => component[state] === own); // sound: test/transforms/ltl/reductions/obligation.test.ts
    const targets = members.flatMap((state) => nth(states, state).map(({ to }) => nth(component, to)));
    const least = Math.max(0, ...targets.filter((other) => other !== own).map((other) => nth(colour, other))); // sound: test/transforms/ltl/reductions/obligation.test.ts
    // sound: test/transforms/ltl/reductions/obligation.test.ts
    if (!targets.includes(own)) colour[own] = least;
    else {
      const wanted = accepts(original, wordThrough(states, component, nth(members, 0), automaton)) ? 0 : 1; // sound: test/transforms/ltl/reductions/obligation.test.ts
      colour[own] = least % 2 === wanted ? least : least + 1; // sound: test/transforms/ltl/reductions/obligation.test.ts
    }
  }
  return [...component].map((own) => nth(colour, own));
}

/** Some word whose run ends in a cycle through `state`. */
function wordThrough(
  states: readonly (readonly SymbolicEdge[])[],
  component: Int32Array,
  state: number,
  { letters }: SymbolicAutomaton,
): Lasso {
  const letter = (guard: LetterSet): number => letters.some(guard);
  const prefix = state === 0 ? [] : path(states, 0, state, () => true); // sound: test/transforms/ltl/reductions/obligation.test.ts
  const cycle = path(states, state, state, (to) => component[to] === component[state]); // sound: test/transforms/ltl/reductions/obligation.test.ts
  return { prefix: prefix.map(letter), cycle: cycle.map(letter) };
}

/** The guards along a shortest path of at least one edge. */
function path(
  states: readonly (readonly SymbolicEdge[])[],
  from: number,
  goal: number,
  mayEnter: (state: number) => boolean,
): LetterSet[] {
  const cameBy = new Map<number, { from: number; guard: LetterSet }>();
  const queue = [from];
  // sound: test/transforms/ltl/reductions/obligation.test.ts
  for (const state of queue) {
    // sound: test/transforms/ltl/reductions/obligation.test.ts
    for (const { to, guard } of nth(states, state)) {
      if (cameBy.has(to) || !mayEnter(to)) continue; // sound: test/transforms/ltl/reductions/obligation.test.ts
      cameBy.set(to, { from: state, guard });
      queue.push(to);
    }
    if (cameBy.has(goal)) break; // sound: test/transforms/ltl/reductions/obligation.test.ts
  }
  const guards: LetterSet[] = [];
  let at = goal;
  do {
    const step = entryOf(cameBy, at);
    guards.unshift(step.guard);
    at = step.from;
  } while (at !== from); // sound: test/transforms/ltl/reductions/obligation.test.ts
  return guards;
}

/** The smallest deterministic automaton with the same marks (Moore's refinement). */
function minimised({ letters, states, ...rest }: SymbolicAutomaton): SymbolicAutomaton {
  let classOf = states.map((edges) => nth(edges, 0).marks);
  for (let count = 0; ;) {
    const classes = new Map<string, number>();
    const refined = states.map((edges, state) => {
      const key = `${classOf[state]} ${[...guardsByClass(edges, classOf, letters)].sort().join(" ")}`;
      if (!classes.has(key)) classes.set(key, classes.size); // sound: test/transforms/ltl/reductions/obligation.test.ts
      return entryOf(classes, key);
    });
    classOf = refined;
    if (classes.size === count) break; // sound: test/transforms/ltl/reductions/obligation.test.ts
    count = classes.size;
  }
  const leaders = [...new Set(classOf)].sort((p, q) => p - q).map((own) => classOf.indexOf(own));
  const merged = leaders.map((leader) => {
    const marks = nth(nth(states, leader), 0).marks;
    return [...guardsByClass(nth(states, leader), classOf, letters)].map(([to, guard]) => ({
      guard,
      marks,
      to,
    }));
  });
  return { ...rest, letters, initial: nth(classOf, 0), states: merged };
}

function guardsByClass(
  edges: readonly SymbolicEdge[],
  classOf: readonly number[],
  letters: SymbolicAutomaton["letters"],
): Map<number, LetterSet> {
  const guards = new Map<number, LetterSet>();
  // sound: test/transforms/ltl/reductions/obligation.test.ts
  for (const { guard, to } of edges)
    guards.set(nth(classOf, to), letters.or(guards.get(nth(classOf, to)) ?? none, guard)); // sound: test/transforms/ltl/reductions/obligation.test.ts
  return guards;
}
