/** The two tables of the bench: times, and memory. */
import { renderColumns } from "../statistics.js";
import type { Figures, Outcome } from "./figures.js";
import { type Row, agreementOf, bytesPerState, comparedBytes, figuresOf } from "./rows.js";

export function renderTimes(rows: readonly Row[], workers: number): string {
  const heading = [
    ...["model", "peer", "states: peer", "ours", "states"],
    ...["search s: peer", "COLLAPSE", "ours", "ratio"],
    ...["processor s: peer", "COLLAPSE", "ours", "ratio"],
    ...["end to end s: peer", "ours", "ratio", "processor s: peer", "ours", "ratio"],
    ...(workers > 1 ? [`search s: --workers ${workers}`, "beside one"] : []),
    "flags",
  ];
  return renderColumns([heading, ...rows.map((row) => timeCells(row, workers))]);
}

function timeCells(row: Row, workers: number): string[] {
  const [theirs, ours, collapsed] = [row.theirs, row.ours, row.collapsed].map(figuresOf);
  const ratio = (of: (figures: Figures) => number): string =>
    theirs && ours ? `${(of(theirs) / of(ours)).toFixed(2)}x` : NONE;
  return [
    ...[row.model, row.peer, count(theirs?.states), count(ours?.states), agreementOf(row)],
    ...[failureOr(row.theirs, (f) => f.searchSeconds.toFixed(2)), seconds(collapsed?.searchSeconds)],
    ...[failureOr(row.ours, (f) => f.searchSeconds.toFixed(2)), ratio((f) => f.searchSeconds)],
    ...[theirs, collapsed, ours].map((figures) => seconds(figures?.processorSeconds)),
    ratio((f) => f.processorSeconds),
    ...[seconds(theirs?.wholeSeconds), seconds(ours?.wholeSeconds), ratio((f) => f.wholeSeconds)],
    ...[seconds(theirs?.wholeProcessorSeconds), seconds(ours?.wholeProcessorSeconds)],
    ratio((f) => f.wholeProcessorSeconds),
    ...(workers > 1 ? workerCells(row) : []),
    row.flags,
  ];
}

function workerCells({ ours, workers }: Row): string[] {
  const [one, several] = [figuresOf(ours), figuresOf(workers)];
  if (!workers) return [NONE, NONE];
  const gain = one && several ? `${(one.searchSeconds / several.searchSeconds).toFixed(2)}x` : NONE;
  return [failureOr(workers, (f) => f.searchSeconds.toFixed(2)), gain];
}

/** Explains the comparison, since each tool measures memory differently. */
export const memoryTitle = [
  "Memory, MiB. pan: its own account (states, hash table, DFS stack; total with its other stacks).",
  "Ours: tables of visited states when the search ended, and stats.peakBytes: all arrays of the search at their peak (states, tables,",
  "stack or queue, parents). Bytes per state: pan's total and our peakBytes, by the states of the plain graph; with --defaults, by each tool's own.",
  "Resident: the whole process. Rumur has no account of its own: beside it bytes per state and ratio compare resident memory.",
].join("\n");

export function renderMemory(rows: readonly Row[]): string {
  const heading = [
    ...["model", "pan states", "hash table", "stack", "total", "COLLAPSE total"],
    ...["our tables", "peakBytes", "bytes per state: peer", "COLLAPSE", "ours", "ratio", "COLLAPSE"],
    ...["resident: peer", "ours"],
  ];
  return renderColumns([heading, ...rows.map(memoryCells)]);
}

function memoryCells(row: Row): string[] {
  const [theirs, ours, collapsed] = [row.theirs, row.ours, row.collapsed].map(figuresOf);
  const each = (figures: Figures | undefined): string =>
    figures ? bytesPerState(row, figures).toFixed(1) : NONE;
  const ratio = (figures: Figures | undefined): string =>
    figures && ours ? `${(comparedBytes(row, figures) / comparedBytes(row, ours)).toFixed(2)}x` : NONE;
  return [
    ...[row.model, mebibytes(theirs?.stateBytes), mebibytes(theirs?.tableBytes)],
    ...[mebibytes(theirs?.stackBytes), mebibytes(theirs?.bytes), mebibytes(collapsed?.bytes)],
    ...[mebibytes(ours?.stateBytes), mebibytes(ours?.bytes), each(theirs), each(collapsed), each(ours)],
    ...[ratio(theirs), ratio(collapsed)],
    ...[mebibytes(theirs?.residentBytes), mebibytes(ours?.residentBytes)],
  ];
}

const NONE = "–";

/** The summary has the reason. */
const failureOr = (outcome: Outcome, cell: (figures: Figures) => string): string =>
  outcome.kind === "failed" ? "FAILED" : cell(outcome.figures);

const count = (value: number | undefined): string => value?.toLocaleString("en") ?? NONE;
const seconds = (value: number | undefined): string => value?.toFixed(2) ?? NONE;
const mebibytes = (value: number | undefined): string =>
  value === undefined ? NONE : (value / 2 ** 20).toFixed(1);
