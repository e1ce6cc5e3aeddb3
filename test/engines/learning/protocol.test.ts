/** Protocols of runnable objects against the automata that they come from. */
import { expect, test } from "vitest";
import { learnProtocol, type Runnable } from "../../../src/engines/learning/protocol.js";
import { Random } from "../../../src/session/index.js";

/** A random object: by state and letter the next state, or -1. */
function randomObject(random: Random): Runnable<number> & { readonly table: readonly (readonly number[])[] } {
  const states = 1 + random.below(6);
  const letters = ["a", "b", "c"].slice(0, 1 + random.below(3));
  const table = Array.from({ length: states }, () =>
    letters.map(() => (random.below(4) === 0 ? -1 : random.below(states))),
  );
  const step = (state: number, letter: number): number | undefined => {
    const to = table[state]![letter]!;
    return to < 0 ? undefined : to;
  };
  return { letters, initial: 0, step, keyOf: String, table };
}

test("random objects: the automaton accepts what the object accepts", async () => {
  const random = new Random(3);
  for (let i = 0; i < 200; i++) {
    const object = randomObject(random);
    const { dfa, isComplete } = await learnProtocol(object, { maxStates: 1000, isStopped: () => false });
    expect(isComplete).toBe(true);
    for (let run = 0; run < 40; run++) {
      let [state, at]: [number | undefined, number] = [0, 0];
      for (let length = random.below(12); length >= 0 && state !== undefined; length--) {
        const letter = random.below(object.letters.length);
        state = object.step(state, letter);
        at = dfa.next[at]![letter]!;
        expect(dfa.accepting[at], `object ${i}`).toBe(state !== undefined);
      }
    }
  }
});

test("a bound is never complete", async () => {
  const counter: Runnable<number> = {
    letters: ["add"],
    initial: 0,
    step: (state) => (state === 50 ? undefined : state + 1),
    keyOf: String,
  };
  const bounded = await learnProtocol(counter, { maxStates: 10, isStopped: () => false });
  expect([bounded.isComplete, bounded.depth]).toEqual([false, 9]);
  const whole = await learnProtocol(counter, { maxStates: 1000, isStopped: () => false });
  expect([whole.isComplete, whole.dfa.accepting.filter(Boolean).length]).toEqual([true, 51]);
  const stopped = await learnProtocol(counter, { maxStates: 1000, isStopped: () => true });
  expect(stopped.isComplete).toBe(false);
});
