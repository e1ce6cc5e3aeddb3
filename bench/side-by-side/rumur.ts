/** Rumur on one Murphi model of a folder: the faster of its two state representations. */
import { readFileSync } from "node:fs";
import { type RumurOutcome, measureRumur } from "../murphi-peer.js";
import { type Figures, type Outcome, failed } from "./figures.js";

export async function measureFasterRumur(
  file: string,
  isReduced: boolean,
  timeoutMs: number,
): Promise<Outcome> {
  const text = readFileSync(file, "utf8");
  const symmetry = isReduced ? "heuristic" : "off";
  const settings = { symmetry, timeoutMs, deadlocks: "off", measureMemory: true } as const;
  const packed = judge(await measureRumur(text, { ...settings, packs: true }));
  const unpacked = judge(await measureRumur(text, { ...settings, packs: false }));
  if (packed.kind === "failed" || unpacked.kind === "failed")
    return packed.kind === "failed" ? unpacked : packed;
  return packed.figures.searchSeconds <= unpacked.figures.searchSeconds ? packed : unpacked;
}

function judge(outcome: RumurOutcome): Outcome {
  switch (outcome.kind) {
    case "rejected":
      return failed(`${outcome.by} failed: ${outcome.message}`);
    case "timeout":
      return failed("rumur: time limit");
    case "crashed":
      return failed(`rumur ended with ${outcome.how}`);
    case "searched":
      if (outcome.run.errors > 0) return failed("rumur stopped at an error of the model");
      return { kind: "searched", figures: figuresOf(outcome.run) };
  }
}

const figuresOf = (run: Extract<RumurOutcome, { kind: "searched" }>["run"]): Figures => ({
  states: run.states,
  searchSeconds: run.searchSeconds,
  processorSeconds: Math.max(0.01, run.processorSeconds),
  wholeSeconds: run.totalSeconds,
  wholeProcessorSeconds: run.buildProcessorSeconds + run.processorSeconds,
  bytes: 0,
  residentBytes: run.peakBytes,
  stateBytes: 0,
  tableBytes: 0,
  stackBytes: 0,
});
