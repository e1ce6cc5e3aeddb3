/** The emptiness check of a graph in one go, without a budget. */
import type { AcceptanceGraph } from "../../src/model/index.js";
import { Ledger } from "../../src/engines/explicit/ledger.js";
import type { ConstructedRun } from "../../src/engines/explicit/emptiness/accepting-run.js";
import { prepare, type EmptinessAlgorithm } from "../../src/engines/explicit/emptiness/algorithms.js";
import { Memory } from "../../src/engines/explicit/emptiness/memory.js";

interface GraphCheckOptions {
  readonly maxDepth?: number;
}

interface GraphCheckResult {
  /** Undefined if a limit of depth was reached. */
  readonly isEmpty: boolean | undefined;
  readonly states: number;
  readonly transitions: number;
  readonly stack: number;
  /** When not empty: constructs a run and follows it. */
  construct(): ConstructedRun;
}

export function checkGraph(
  graph: AcceptanceGraph,
  algorithm: EmptinessAlgorithm,
  options: GraphCheckOptions = {},
): GraphCheckResult {
  const limits = { memory: new Memory(new Ledger()), maxDepth: options.maxDepth ?? Infinity };
  const { search, construct } = prepare(algorithm, graph, limits);
  while (search.advance(SLICE));
  const { states, transitions, stack, outcome } = search;
  const isEmpty = outcome === undefined ? undefined : outcome === "empty";
  return { isEmpty, states, transitions, stack, construct };
}

const SLICE = 1 << 16;
