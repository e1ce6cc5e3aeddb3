/** A finite partition of provenances that refines every test of the program and the property. The class of a new message is 0. */
import {
  classAfter,
  isInPolicy,
  type DomainEvent,
  type MessageProgram,
  type Policy,
  type Provenance,
  type ProvenanceProperty,
} from "../../model/index.js";
import { entryOf, nth } from "../../model/known.js";
import { automatonOf } from "./word-automaton.js";

export interface Classes {
  readonly count: number;
  /** Does a provenance of this class violate the property? */
  readonly isBad: readonly boolean[];
  /** By test of the program, then by class: does the test succeed? */
  readonly tests: readonly (readonly boolean[])[];
  after(event: DomainEvent, from: number): number;
  of(provenance: Provenance): number;
}

export function classify(program: MessageProgram, property: ProvenanceProperty): Classes {
  const policies = [property.policy, ...program.tests];
  const { domain } = program;
  // sound: test/transforms/counting/conditions.test.ts
  if (domain.kind === "declared")
    return classesOfDomain(domain.classes.length, domain.steps, policies, property);
  return classesOfWords(program.principals.length, policies, property);
}

function classesOfDomain(
  count: number,
  steps: Parameters<typeof classAfter>[0],
  [policy, ...tests]: readonly Policy[],
  { isAllowed }: ProvenanceProperty,
): Classes {
  const members = (set: Policy): boolean[] =>
    Array.from({ length: count }, (_, each) => isInPolicy(set, each === 0 ? [] : [each])); // sound: test/transforms/counting/conditions.test.ts
  return {
    count,
    isBad: members(policy!).map((isMember) => isMember !== isAllowed), // sound: test/transforms/counting/conditions.test.ts
    tests: tests.map(members),
    after: (event, from) => classAfter(steps, event, from),
    of: (provenance) => provenance[0] ?? 0,
  };
}

/** The reachable product of the policies' automata. */
function classesOfWords(
  letters: number,
  policies: readonly Policy[],
  { isAllowed }: ProvenanceProperty,
): Classes {
  const automata = policies.map((policy) => automatonOf(policy, letters));
  const states: number[][] = [automata.map(() => 0)];
  const numbers = new Map([[nth(states, 0).join(), 0]]);
  const steps: number[][] = [];
  for (const each of states)
    steps.push(
      Array.from({ length: letters }, (_, letter) => {
        const next = each.map((state, which) => nth(nth(nth(automata, which).steps, state), letter));
        const key = next.join();
        if (!numbers.has(key)) numbers.set(key, states.push(next) - 1);
        return entryOf(numbers, key);
      }),
    );
  const members = (which: number): boolean[] =>
    states.map((state) => nth(nth(automata, which).accepting, nth(state, which)));
  return {
    count: states.length,
    isBad: members(0).map((isMember) => isMember !== isAllowed), // sound: test/transforms/counting/conditions.test.ts
    tests: policies.slice(1).map((_, index) => members(index + 1)),
    after: (event, from) => (event.kind === "send" ? nth(nth(steps, from), event.principal) : from), // sound: test/transforms/counting/conditions.test.ts
    of: (provenance) => provenance.reduce((state, letter) => nth(nth(steps, state), letter), 0),
  };
}
