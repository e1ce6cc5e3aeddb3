/** Figures of one run of one tool on one model, and the medians of several runs. */
import { median } from "../statistics.js";

export interface Figures {
  readonly states: number;
  /** Wall time of the search alone, by the tool's clock. */
  readonly searchSeconds: number;
  /** Processor time, user and system, of the searching process; of ours, less the time of a run that stops at once. */
  readonly processorSeconds: number;
  /** From the model's text to the answer: for peers, translation, C compiler and verifier. */
  readonly wholeSeconds: number;
  readonly wholeProcessorSeconds: number;
  /** For states, tables, stack or queue, as the tool reports; 0 for Rumur, which reports none. */
  readonly bytes: number;
  /** Peak resident memory of the searching process. */
  readonly residentBytes: number;
  /** Parts of `bytes`, if the tool prints them. */
  readonly stateBytes: number;
  readonly tableBytes: number;
  readonly stackBytes: number;
}

export type Outcome =
  | { readonly kind: "searched"; readonly figures: Figures }
  /** `why`: a few words for a cell of the table. */
  | { readonly kind: "failed"; readonly why: string };

export const failed = (why: string): Outcome => ({ kind: "failed", why: firstLine(why) });

const firstLine = (text: string): string => (text.trim().split("\n")[0] ?? "").slice(0, 100);

/** The medians; a single failure decides the outcome. */
export function medianOutcome(all: readonly Outcome[]): Outcome {
  const failure = all.find(({ kind }) => kind === "failed");
  if (failure) return failure;
  const figures = all.flatMap((one) => (one.kind === "searched" ? [one.figures] : []));
  if (new Set(figures.map(({ states }) => states)).size > 1)
    return failed("states differ between repetitions");
  const of = (name: keyof Figures): number => median(figures.map((one) => one[name]));
  return {
    kind: "searched",
    figures: {
      states: of("states"),
      searchSeconds: of("searchSeconds"),
      processorSeconds: of("processorSeconds"),
      wholeSeconds: of("wholeSeconds"),
      wholeProcessorSeconds: of("wholeProcessorSeconds"),
      bytes: of("bytes"),
      residentBytes: of("residentBytes"),
      stateBytes: of("stateBytes"),
      tableBytes: of("tableBytes"),
      stackBytes: of("stackBytes"),
    },
  };
}
