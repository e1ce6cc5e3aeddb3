/** pan's best flags for a model: the smallest depth that completes, the fastest size of the hash table. */
import type { PanReport } from "../../test/peers/pan-output.js";

export const FIRST_DEPTH = 10_000;
const LARGEST_DEPTH = 2 ** 30;

/** Doubles the depth until a search completes; then reduces the stack to the depth used. */
export async function chooseDepth(
  search: (depth: number) => Promise<PanReport | undefined>,
): Promise<{ readonly depth: number; readonly report: PanReport } | undefined> {
  for (let depth = FIRST_DEPTH; depth < LARGEST_DEPTH; depth *= 2) {
    const report = await search(depth);
    if (!report) return undefined;
    if (report.incomplete !== "depth") return { depth: Math.min(depth, report.depth + 10), report };
  }
  return undefined;
}

/** Tables to try: from about half a slot per state to about four. */
export function hashBitsToTry(states: number): readonly number[] {
  const fitting = Math.min(30, Math.max(16, Math.ceil(Math.log2(Math.max(1, states)))));
  return [fitting - 1, fitting, fitting + 1, fitting + 2];
}

/** Enlarges the table while that is faster by three percent and more than the clock's resolution. */
export async function chooseHashBits(
  states: number,
  seconds: (hashBits: number) => Promise<number | undefined>,
): Promise<number | undefined> {
  let best: { hashBits: number; seconds: number } | undefined;
  for (const hashBits of hashBitsToTry(states)) {
    const taken = await seconds(hashBits);
    if (taken === undefined) continue;
    if (best && taken > 0.97 * best.seconds - CLOCK_GRAIN) break;
    best = { hashBits, seconds: taken };
  }
  return best?.hashBits;
}

const CLOCK_GRAIN = 0.01;
