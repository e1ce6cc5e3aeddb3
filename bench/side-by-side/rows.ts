/** One row per model: both tools, and derived figures. */
import type { Figures, Outcome } from "./figures.js";

export interface Row {
  readonly model: string;
  readonly peer: "pan" | "rumur";
  /** States of the plain graph by the peer; undefined with reductions, or without its figure. */
  readonly reference: number | undefined;
  readonly theirs: Outcome;
  /** pan with `-DCOLLAPSE`. */
  readonly collapsed: Outcome | undefined;
  readonly ours: Outcome;
  /** Ours with several workers. */
  readonly workers: Outcome | undefined;
  /** Flags of the peer. */
  readonly flags: string;
}

/** A model on which both tools completed. */
export interface Pair {
  readonly row: Row;
  readonly theirs: Figures;
  readonly ours: Figures;
}

export const figuresOf = (outcome: Outcome | undefined): Figures | undefined =>
  outcome?.kind === "searched" ? outcome.figures : undefined;

export const pairsOf = (rows: readonly Row[]): Pair[] =>
  rows.flatMap((row) => {
    const [theirs, ours] = [figuresOf(row.theirs), figuresOf(row.ours)];
    return theirs && ours ? [{ row, theirs, ours }] : [];
  });

export type Agreement = "equal" | "DIFFERS" | "not compared";

export function agreementOf({ reference, ours, workers }: Row): Agreement {
  const counted = [figuresOf(ours), figuresOf(workers)].flatMap((one) => (one ? [one.states] : []));
  if (reference === undefined || counted.length === 0) return "not compared";
  return counted.every((states) => states === reference) ? "equal" : "DIFFERS";
}

/** Memory of both sides by the same kind of account; for Rumur, which gives none, resident memory. */
export const comparedBytes = (row: Row, figures: Figures): number =>
  row.peer === "rumur" ? figures.residentBytes : figures.bytes;

/** By the common states: breadth-first, pan stores more of them. */
export const bytesPerState = (row: Row, figures: Figures): number =>
  comparedBytes(row, figures) / Math.max(1, row.reference ?? figures.states);
