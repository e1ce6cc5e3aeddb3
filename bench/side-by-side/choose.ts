/** The flags that suit pan best on a model: the smallest depth that completes, the fastest size of the hash table. */
import type { PanReport } from "../../test/peers/pan-output.js";

export const FIRST_DEPTH = 10_000;
const LARGEST_DEPTH = 2 ** 30;

/** Doubles the depth until a search is not cut by it; then asks for no more stack than that search used. */
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

/** Tables to try: about half a slot a state up to about four. */
export function hashBitsToTry(states: number): readonly number[] {
  const fitting = Math.min(30, Math.max(16, Math.ceil(Math.log2(Math.max(1, states)))));
  return [fitting - 1, fitting, fitting + 1, fitting + 2];
}

/** Goes up through the tables while each is faster by three percent (and by more than the clock's grain), and keeps the last such one. */
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
