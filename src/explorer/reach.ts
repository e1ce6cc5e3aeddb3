/** Walks over the states of a model for the explorer: keys of states, the state after a schedule, steps with their endings. */
import { createHash } from "node:crypto";
import { Entry, Successors, faultSite, type Model, type System, type Words } from "../model/index.js";
import { nth } from "../model/known.js";
import { endingOf, type Ending } from "../session/replay/ending.js";
import { CannotAnswer } from "./cannot-answer.js";

/** Trailing zeros are irrelevant: a state may be found before and after states were widened. */
export function keyOf(words: Words, { compareFrom }: System): string {
  let end = words.length;
  while (end > compareFrom && words[end - 1] === 0) end--;
  const bytes = new Uint8Array(words.buffer, words.byteOffset + 4 * compareFrom, 4 * (end - compareFrom));
  return createHash("sha1").update(bytes).digest("base64url").slice(0, 16);
}

export function widened(words: Words, { width }: System): Words {
  if (words.length >= width) return words;
  const wider = new Int32Array(width);
  wider.set(words);
  return wider;
}

export function firstState({ steps }: Model): Words {
  const out = new Successors(steps.width);
  steps.initial(out);
  if ((nth(out.flags, 0) & Entry.dead) !== 0)
    throw new CannotAnswer("the system fails before its first state");
  return out.stateAt(0);
}

/** A possible step of a state, and what it leads to. */
export interface Reached {
  readonly choice: number;
  /** Of a step that fails without a successor: the state before it. */
  readonly words: Words;
  readonly key: string;
  readonly ending: Ending;
}

/** All steps of a state, in the order of choices. */
export function reachedFrom(model: Model, words: Words): Reached[] {
  const { steps } = model;
  const out = new Successors(steps.width);
  steps.successors(words, 0, out);
  return Array.from({ length: out.count }, (_, choice) => {
    const flags = nth(out.flags, choice);
    const isDead = (flags & Entry.dead) !== 0;
    const next = isDead ? widened(words, steps) : out.stateAt(choice);
    const ending = endingOf(model, next, faultSite(flags));
    return { choice, words: next, key: isDead ? `after ${keyOf(next, steps)}` : keyOf(next, steps), ending };
  });
}

/** The states along a schedule, the first one included. */
export function statesAlong(model: Model, choices: readonly number[]): Reached[] {
  const first = firstState(model);
  const reached: Reached[] = [
    { choice: -1, words: first, key: keyOf(first, model.steps), ending: endingOf(model, first, -1) },
  ];
  for (const [index, choice] of choices.entries()) {
    const next = reachedFrom(model, nth(reached, index).words)[choice];
    if (!next) throw new CannotAnswer(`the model does not offer choice ${choice} at step ${index + 1}`);
    reached.push(next);
  }
  return reached;
}
