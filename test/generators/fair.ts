/**
 * Decides whether a lasso is fair, step by step in the fine-grained system: which agents move in the loop, and which
 * could.
 */
import { Entry, Status, Successors, type Fairness, type Model, type Words } from "../../src/model/index.js";

export interface Loop {
  readonly choices: readonly number[];
  readonly loopStart: number | undefined;
}

export const isWeaklyFair = (model: Model, loop: Loop): boolean => isFair(model, loop, "weak");

/**
 * Weak: every agent moves in the loop, or is disabled in some state of it. Strong: it moves, or is disabled in all.
 * Finite executions are fair.
 */
export function isFair({ steps }: Model, { choices, loopStart }: Loop, fairness: Fairness): boolean {
  if (loopStart === undefined || fairness === "none") return true;
  const out = new Successors(steps.width);
  steps.initial(out);
  let state: Words = out.words.slice(0, out.stride);
  let moved = 0;
  let [always, sometimes] = [~0, 0];
  for (const [step, choice] of choices.entries()) {
    const wide = new Int32Array(steps.width);
    wide.set(state);
    out.clear();
    steps.successors(wide, 0, out);
    const isNominal = (steps.status(wide, 0) & Status.intermediate) === 0;
    if (step >= loopStart) {
      moved |= out.labels[choice]!;
      if (isNominal) {
        always &= enabled(out);
        sometimes |= enabled(out);
      }
    }
    state = out.words.slice(choice * out.stride, (choice + 1) * out.stride);
  }
  const waiting = fairness === "weak" ? always : sometimes;
  return loopStart === choices.length || (waiting & ~moved) === 0;
}

function enabled({ labels, flags, count }: Successors): number {
  let agents = 0;
  for (let i = 0; i < count; i++) if ((flags[i]! & Entry.dead) === 0) agents |= labels[i]!;
  return agents;
}
