/**
 * Breadth-first search like Spin 6.5's, for comparison of figures only: stores, queues and applies the proviso to states
 * inside atomic sequences like any other, whereas our search has nominal states alone. Slow, as it follows the
 * interpreter.
 */
import { analyse } from "../src/compile/analyse.js";
import type { CompiledModel } from "../src/compile/index.js";
import { writeScalar } from "../src/compile/interpreter/bits.js";
import { layOut } from "../src/compile/layout.js";
import { Entry, Successors, walkRandomly, type Program, type Words } from "../src/model/index.js";

export interface SpinFigures {
  readonly stored: number;
  /** Excludes states in which an atomic sequence continued. */
  readonly nominal: number;
  readonly transitions: number;
}

export function spinBreadthFirst(
  program: Program,
  model: CompiledModel,
  proviso: "queue" | "visited",
): SpinFigures {
  const { steps, system } = model;
  const { exclusive } = layOut(program, analyse(program));
  /** Spin identifies states that differ only in the process inside an atomic sequence. */
  const keyOf = (state: Words): string => {
    const words = state.slice();
    if (exclusive) writeScalar(words, 0, exclusive, 0);
    let end = words.length;
    while (end > 0 && words[end - 1] === 0) end--;
    return String.fromCharCode(...new Uint16Array(words.buffer, 0, 2 * end));
  };
  const agents = new Int32Array(256);
  const known = new Map<string, { isQueued: boolean }>();
  const queue: { words: Words; isInside: boolean }[] = [];
  let transitions = 0;
  let inside = 0;

  const arrive = (words: Words, isInside: boolean): { isNew: boolean; isQueued: boolean } => {
    transitions++;
    const key = keyOf(words);
    const found = known.get(key);
    if (found) return { isNew: false, isQueued: found.isQueued };
    known.set(key, { isQueued: true });
    queue.push({ words, isInside });
    return { isNew: true, isQueued: true };
  };

  const expand = (words: Words, agent: number): { count: number; isEnough: boolean } => {
    const out = new Successors(steps.width);
    const source = new Int32Array(steps.width);
    source.set(words);
    steps.successors(source, 0, out);
    const moves = agent < 0 ? [] : model.movesAt(source, 0);
    let count = 0;
    let isEnough = false;
    for (let i = 0; i < out.count; i++) {
      if (agent >= 0 && moves[i]!.process !== agent) continue;
      if ((out.flags[i]! & Entry.dead) !== 0) continue;
      const next = out.words.slice(i * out.stride, (i + 1) * out.stride);
      const { isNew, isQueued } = arrive(next, (out.flags[i]! & Entry.intermediate) !== 0);
      count++;
      isEnough ||= proviso === "visited" ? isNew : isQueued;
    }
    return { count, isEnough };
  };

  walkRandomly(system, () => undefined); // generated code finds the width of states by creating processes
  const first = new Successors(steps.width);
  steps.initial(first);
  arrive(first.words.slice(0, first.stride), false);
  for (let head = 0; head < queue.length; head++) {
    const { words, isInside } = queue[head]!;
    known.get(keyOf(words))!.isQueued = false;
    queue[head] = undefined!;
    if (isInside) {
      inside++;
      if (expand(words, -1).count > 0) continue;
    }
    const wide = new Int32Array(Math.max(system.width, words.length));
    wide.set(words);
    const proposed = isInside ? 0 : system.candidates!.propose(wide, 0, agents);
    let isReduced = false;
    for (const agent of agents.slice(0, proposed)) {
      isReduced = expand(words, agent).isEnough;
      if (isReduced) break;
    }
    if (!isReduced && !isInside) expand(words, -1);
  }
  return { stored: known.size, nominal: known.size - inside, transitions };
}
