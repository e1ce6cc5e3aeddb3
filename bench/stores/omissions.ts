/** Predicted omissions in a search's report beside actual ones: the mean over several seeds. */
import { check } from "../../src/index.js";
import type { BenchModel } from "../models/index.js";
import type { Target } from "./targets.js";

const SEEDS = 8;

export async function judgeOmissions(model: BenchModel): Promise<Target[]> {
  const stores = {
    "bitstate, 16 bits per state, k=12": {
      store: "bitstate",
      storeRequest: { tableBytes: 2 * model.states, hashFunctions: 12 },
    },
    "bitstate, 8 bits per state, k=7": {
      store: "bitstate",
      storeRequest: { tableBytes: model.states, hashFunctions: 7 },
    },
    "compaction to 16 bits": {
      store: "compact",
      storeRequest: { tableBytes: Math.ceil(2.2 * model.states), hashBits: 16 },
    },
  } as const;
  const targets: Target[] = [];
  for (const [name, request] of Object.entries(stores)) {
    let [predicted, lost] = [0, 0];
    for (let seed = 1; seed <= SEEDS; seed++) {
      const report = await check(
        { file: "model.pml", text: model.text },
        { ...request, seed, isPlain: true, search: "dfs" },
      );
      predicted += report.runs[0]!.store!.omissions!.expected / SEEDS;
      lost += (model.states - report.stats.states) / SEEDS;
    }
    const error = 3 * Math.sqrt(predicted / SEEDS);
    targets.push({
      name: `${name}, ${SEEDS} seeds: states lost, predicted ${predicted.toFixed(1)} ± ${error.toFixed(1)}`,
      obtained: lost.toFixed(1),
      isMet: Math.abs(lost - predicted) <= error,
    });
  }
  return targets;
}
