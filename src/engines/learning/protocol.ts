/**
 * Learns the protocol of an object that runs: which sequences of calls it accepts. Membership queries run it; a candidate is compared with it on all pairs of
 * states, which is complete if there are finitely many.
 */
import { nth } from "../../model/known.js";
import type { Dfa } from "./automata.js";
import { Learner, type Word } from "./learner.js";

export interface Runnable<S> {
  readonly letters: readonly string[];
  readonly initial: S;
  /** Undefined: the object refuses the call. */
  step(state: S, letter: number): S | undefined;
  /** Equal for states that no call distinguishes. */
  keyOf(state: S): string;
}

export interface Protocol {
  readonly dfa: Dfa;
  readonly queries: number;
  readonly candidates: number;
  /** States of the object that the last comparison has visited. */
  readonly states: number;
  /** Every state was visited; otherwise all sequences of at most `depth` calls were compared. */
  readonly isComplete: boolean;
  readonly depth: number;
}

export interface ProtocolLimits {
  /** Pairs of states of one comparison. */
  readonly maxStates: number;
  isStopped(): boolean;
}

export async function learnProtocol<S>(runnable: Runnable<S>, limits: ProtocolLimits): Promise<Protocol> {
  let queries = 0;
  const learner = new Learner(runnable.letters.length, (word) => {
    queries++;
    let state: S | undefined = runnable.initial;
    for (const letter of word) {
      state = runnable.step(state, letter);
      if (state === undefined) return Promise.resolve(false);
    }
    return Promise.resolve(true);
  });
  for (let candidates = 1; ; candidates++) {
    const dfa = await learner.candidate();
    const { word, ...compared } = difference(runnable, dfa, limits);
    // sound: test/engines/learning/protocol.test.ts
    if (!word) return { dfa, queries, candidates, ...compared };
    await learner.refine(dfa, word);
  }
}

interface Compared {
  /** Accepted by one of both. */
  readonly word: Word | undefined;
  readonly states: number;
  readonly isComplete: boolean;
  readonly depth: number;
}

/** Breadth-first, so a difference is a shortest one. */
function difference<S>(
  runnable: Runnable<S>,
  { next, accepting }: Dfa,
  { maxStates, isStopped }: ProtocolLimits,
): Compared {
  const keys = new Set<string>();
  const seen = new Set<string>();
  let level: { readonly state: S; readonly at: number; readonly word: Word }[] = [];
  const visit = (state: S, at: number, word: Word, into: typeof level): void => {
    const key = runnable.keyOf(state);
    keys.add(key);
    const pair = `${at} ${key}`;
    if (seen.has(pair)) return;
    seen.add(pair);
    into.push({ state, at, word });
  };
  visit(runnable.initial, 0, [], level);
  for (let depth = 0; level.length > 0; depth++) {
    const deeper: typeof level = [];
    for (const { state, at, word } of level)
      for (let letter = 0; letter < runnable.letters.length; letter++) {
        // sound: test/engines/learning/protocol.test.ts
        if (seen.size >= maxStates || isStopped())
          return { word: undefined, states: keys.size, isComplete: false, depth };
        const after = runnable.step(state, letter);
        const to = nth(nth(next, at), letter);
        // sound: test/engines/learning/protocol.test.ts
        if (nth(accepting, to) !== (after !== undefined))
          return { word: [...word, letter], states: keys.size, isComplete: false, depth };
        if (after !== undefined) visit(after, to, [...word, letter], deeper);
      }
    level = deeper;
    if (level.length === 0) return { word: undefined, states: keys.size, isComplete: true, depth };
  }
  return { word: undefined, states: keys.size, isComplete: true, depth: 0 };
}
