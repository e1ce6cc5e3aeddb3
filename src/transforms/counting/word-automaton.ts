/** Deterministic automata of policies: Glushkov's construction, subset construction, minimisation. */
import type { Policy, WordExpression } from "../../model/index.js";
import { entryOf, nth } from "../../model/known.js";

/** Complete and deterministic. State 0 is initial. */
export interface CompleteAutomaton {
  /** By state, then by letter. */
  readonly steps: readonly (readonly number[])[];
  readonly accepting: readonly boolean[];
}

/** The minimal complete automaton of a policy over that number of letters. */
export function automatonOf(policy: Policy, letters: number): CompleteAutomaton {
  return minimised(determinised(policy, letters));
}

/** The automaton of a policy before determinisation; undefined for sets of principals. */
export function nondeterministic(policy: Policy): Nondeterministic | undefined {
  switch (policy.kind) {
    case "words":
      return glushkov(policy.expression);
    case "automaton": {
      const { states, initial, accepting, steps } = policy.automaton;
      return {
        states,
        initial,
        isAccepting: (state) => accepting.includes(state),
        steps: (state, letter) =>
          steps.filter((step) => step.from === state && step.letter === letter).map(({ to }) => to), // sound: test/transforms/counting/conditions.test.ts
      };
    }
    case "subset":
    case "contains":
    case "classes":
      return undefined;
  }
}

function determinised(policy: Policy, letters: number): CompleteAutomaton {
  switch (policy.kind) {
    case "words":
    case "automaton":
      return subsets(nondeterministic(policy)!, letters);
    case "subset":
      // sound: test/transforms/counting/conditions.test.ts
      return explored(true, letters, {
        step: (isFine, letter) => isFine && policy.principals.includes(letter), // sound: test/transforms/counting/conditions.test.ts
        accepts: (isFine) => isFine,
        key: String,
      });
    case "contains":
      return explored<readonly number[]>([], letters, {
        step: (seen, letter) =>
          // sound: test/transforms/counting/conditions.test.ts
          seen.includes(letter) || !policy.sets.flat().includes(letter)
            ? seen
            : [...seen, letter].sort((a, b) => a - b),
        accepts: (seen) => policy.sets.some((set) => set.every((letter) => seen.includes(letter))), // sound: test/transforms/counting/conditions.test.ts
        key: (seen) => seen.join(),
      });
    case "classes":
      throw new Error("classes of a declared domain need no automaton");
  }
}

export interface Nondeterministic {
  readonly states: number;
  readonly initial: number;
  isAccepting(state: number): boolean;
  steps(state: number, letter: number): readonly number[];
}

const subsets = (automaton: Nondeterministic, letters: number): CompleteAutomaton =>
  explored<readonly number[]>([automaton.initial], letters, {
    step: (states, letter) =>
      [...new Set(states.flatMap((state) => automaton.steps(state, letter)))].sort((a, b) => a - b),
    accepts: (states) => states.some((state) => automaton.isAccepting(state)), // sound: test/transforms/counting/conditions.test.ts
    key: (states) => states.join(),
  });

/** State 0, and a state for each letter occurrence in the expression, entered by reading it. */
function glushkov(expression: WordExpression): Nondeterministic {
  const letters: (readonly number[])[] = [[]];
  const follow: Set<number>[] = [new Set()];
  interface Ends {
    readonly first: readonly number[];
    readonly last: readonly number[];
    readonly isNullable: boolean;
  }
  const join = (from: readonly number[], to: readonly number[]): void =>
    from.forEach((place) => to.forEach((next) => nth(follow, place).add(next)));
  const visit = (node: WordExpression): Ends => {
    switch (node.kind) {
      case "empty":
        return { first: [], last: [], isNullable: true }; // sound: test/transforms/counting/conditions.test.ts
      case "letters": {
        const place = letters.push(node.principals) - 1;
        follow.push(new Set());
        return { first: [place], last: [place], isNullable: false }; // sound: test/transforms/counting/conditions.test.ts
      }
      case "sequence": {
        const a = visit(node.first);
        const b = visit(node.second);
        join(a.last, b.first);
        return {
          first: a.isNullable ? [...a.first, ...b.first] : a.first, // sound: test/transforms/counting/conditions.test.ts
          last: b.isNullable ? [...a.last, ...b.last] : b.last, // sound: test/transforms/counting/conditions.test.ts
          isNullable: a.isNullable && b.isNullable, // sound: test/transforms/counting/conditions.test.ts
        };
      }
      case "choice": {
        const options = node.options.map(visit);
        return {
          first: options.flatMap(({ first }) => first),
          last: options.flatMap(({ last }) => last),
          isNullable: options.some(({ isNullable }) => isNullable), // sound: test/transforms/counting/conditions.test.ts
        };
      }
      case "repeat": {
        const { first, last } = visit(node.body);
        join(last, first);
        return { first, last, isNullable: true }; // sound: test/transforms/counting/conditions.test.ts
      }
    }
  };
  const { first, last, isNullable } = visit(expression);
  join([0], first);
  return {
    states: letters.length,
    initial: 0,
    isAccepting: (place) => last.includes(place) || (place === 0 && isNullable), // sound: test/transforms/counting/conditions.test.ts
    steps: (place, letter) => [...nth(follow, place)].filter((next) => nth(letters, next).includes(letter)), // sound: test/transforms/counting/conditions.test.ts
  };
}

interface Machine<S> {
  step(state: S, letter: number): S;
  accepts(state: S): boolean;
  key(state: S): string;
}

/** Reachable states, numbered in order of discovery. */
function explored<S>(start: S, letters: number, machine: Machine<S>): CompleteAutomaton {
  const states = [start];
  const numbers = new Map([[machine.key(start), 0]]);
  const steps: number[][] = [];
  for (const state of states)
    steps.push(
      Array.from({ length: letters }, (_, letter) => {
        const next = machine.step(state, letter);
        const key = machine.key(next);
        if (!numbers.has(key)) numbers.set(key, states.push(next) - 1);
        return entryOf(numbers, key);
      }),
    );
  return { steps, accepting: states.map((state) => machine.accepts(state)) };
}

/** Minimises by partition refinement (Moore). */
function minimised({ steps, accepting }: CompleteAutomaton): CompleteAutomaton {
  let groups = accepting.map(Number);
  for (let count = 0; ;) {
    const keys = new Map<string, number>();
    const next = steps.map((row, state) => {
      const key = `${groups[state]}:${row.map((to) => groups[to]).join()}`;
      if (!keys.has(key)) keys.set(key, keys.size); // sound: test/transforms/counting/conditions.test.ts
      return entryOf(keys, key);
    });
    groups = next;
    if (keys.size === count) break; // sound: test/transforms/counting/conditions.test.ts
    count = keys.size;
  }
  // The initial state has number 0, and so has its block.
  const members = [...new Set(groups)].map((group) => groups.indexOf(group));
  return {
    steps: members.map((state) => nth(steps, state).map((to) => nth(groups, to))),
    accepting: members.map((state) => nth(accepting, state)),
  };
}
