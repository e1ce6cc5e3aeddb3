/**
 * Walks towards unseen values: a cheap sample of the far parts of a state space.
 *
 * A walk prefers new observations, and every other walk starts where one was recent: so a ticket number that rises by one
 * now and then is followed to its maximum, which walks from the start rarely reach. Half of the walks are unfair: a
 * channel whose reader does not move fills up, which is rare under uniform scheduling.
 */
import { Entry, Successors, type System, type Words } from "../model/index.js";

/** Consecutive walks without news after which walking ends. */
const QUIET_WALKS = 30;
const MOST_WALKS = 100;
/** Limit of states seen, because a search waits. */
const MOST_LOOKS = 40_000;
const STEPS = 250;
const REMEMBERED = 16;

/**
 * Passes every state on the walks and all its successors to `look`, which reports news. The same system, labelled with
 * agents, yields the same walks.
 */
export function walkTowardsNews(
  system: System,
  look: (words: Words, at: number, width: number) => boolean,
): void {
  const out = new Successors(system.width);
  let state: Words = new Int32Array(system.width);
  /** The latest states with news. */
  const frontier: Words[] = [];
  let random = 0x2545f491;
  let looks = 0;
  for (let walk = 0, quiet = 0; walk < MOST_WALKS && quiet < QUIET_WALKS && looks < MOST_LOOKS; walk++) {
    out.clear();
    const start =
      walk % 2 === 0 ? undefined : frontier[frontier.length - 1 - ((walk >> 1) % frontier.length)];
    if (start) system.successors(widened(start, system.width), 0, out);
    else system.initial(out);
    let isQuiet = true;
    const isUnfair = walk % 4 >= 2;
    const order = random;
    for (let step = 0; step < STEPS && out.count > 0; step++) {
      random = (Math.imul(random ^ (random >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
      let choice = isUnfair ? eager(out, order, random) : (random >>> 8) % out.count;
      let isNew = false;
      looks += out.count;
      for (let i = 0; i < out.count; i++)
        if ((out.flags[i]! & Entry.dead) === 0 && look(out.words, i * out.stride, out.stride)) {
          choice = i;
          isNew = true;
        }
      if ((out.flags[choice]! & Entry.dead) !== 0) break;
      state = widened(state, out.stride);
      for (let k = 0, from = choice * out.stride; k < out.stride; k++) state[k] = out.words[from + k]!;
      if (isNew) {
        isQuiet = false;
        frontier.push(state.slice());
        if (frontier.length > REMEMBERED) frontier.shift();
      }
      out.clear();
      system.successors(state, 0, out);
    }
    quiet = isQuiet ? quiet + 1 : 0;
  }
}

/**
 * An arbitrary entry of the first agent in the walk's order; occasionally of any agent. So
 * some agents do not move while others can, and messages to them pile up.
 */
function eager({ labels, count }: Successors, order: number, random: number): number {
  const start = (random >>> 8) % count;
  if ((random >>> 4) % 64 === 0) return start;
  let choice = start;
  let first = -1;
  for (let k = 0; k < count; k++) {
    const i = (start + k) % count;
    const rank = Math.imul(labels[i]! ^ order, 0x9e3779b1) >>> 1;
    if (rank <= first) continue;
    first = rank;
    choice = i;
  }
  return choice;
}

/** The state in at least `width` words. */
function widened(state: Words, width: number): Words {
  if (state.length >= width) return state;
  const wider = new Int32Array(width);
  wider.set(state);
  return wider;
}
