/** Transitions in order, as choices of a net's model: the position of each among those that are enabled. */
import { Successors, type Model, type Net, type Trace, type Words } from "../model/index.js";

export function choicesOf(net: Net, firing: readonly number[]): number[] {
  const state = Int32Array.from(net.initial);
  return firing.map((number, index) => {
    let choice = 0;
    for (let t = 0; t < number; t++) if (isEnabled(net, t, state)) choice++;
    if (!isEnabled(net, number, state)) throw new Error(`step ${index + 1} of the run cannot be taken`);
    for (const [place, count] of net.transitions[number]!.effect) state[place]! += count;
    return choice;
  });
}

const isEnabled = (net: Net, transition: number, state: Words): boolean =>
  net.transitions[transition]!.guard.every(([place, count]) => state[place]! >= count);

/**
 * Does the run come, at its end, to a state that is larger than the one at which its loop begins, and smaller nowhere? Then the
 * loop can be repeated for ever: more tokens disable nothing.
 */
export function grows(model: Model, { choices, loopStart }: Pick<Trace, "choices" | "loopStart">): boolean {
  if (loopStart === undefined) return false;
  const out = new Successors(model.steps.width);
  model.steps.initial(out);
  let state = out.words.slice(0, out.stride);
  let before = state;
  for (const [index, choice] of choices.entries()) {
    if (index === loopStart) before = state;
    out.clear();
    model.steps.successors(state, 0, out);
    if (choice >= out.count) return false;
    state = out.words.slice(choice * out.stride, (choice + 1) * out.stride);
  }
  if (loopStart >= choices.length) return false;
  return before.every((count, place) => count <= state[place]!) && before.some((c, p) => c < state[p]!);
}
