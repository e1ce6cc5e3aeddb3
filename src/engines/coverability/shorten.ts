/** Shortens covering runs: removes superfluous transitions and moves source tokens to the front. */
import type { Net, Tokens } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { denseNet, denseVector, isCoveringRun } from "./dense.js";

export function shorten(net: Net, alternatives: readonly Tokens[], firing: readonly number[]): number[] {
  const dense = denseNet(net);
  const targets = alternatives.map((tokens) => denseVector(tokens, dense.width));
  let run = [...firing];
  let replayedSteps = 0;
  for (let size = Math.max(1, run.length >> 1); size >= 1; size >>= 1)
    for (let from = Math.max(0, run.length - size); replayedSteps < MOST_REPLAYED_STEPS; from -= size) {
      const shorter = run.toSpliced(Math.max(0, from), size + Math.min(0, from));
      replayedSteps += shorter.length;
      if (isCoveringRun(dense, shorter, targets)) run = shorter; // sound: test/engines/coverability/quick.test.ts
      if (from <= 0) break;
    }
  const isSource = (t: number): boolean => nth(net.transitions, t).isSource ?? false;
  return [...run.filter(isSource), ...run.filter((t) => !isSource(t))];
}

/** A fraction of a second. */
const MOST_REPLAYED_STEPS = 2_000_000;
