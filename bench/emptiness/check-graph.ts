/** The emptiness check of a graph in one go, without a budget: for tests and measurements. */
import type { AcceptanceGraph } from "../../../model/index.js";
import { Ledger } from "../ledger.js";
import type { ConstructedRun, RunStyle } from "./accepting-run.js";
import { prepare, type EmptinessAlgorithm } from "./algorithms.js";
import type { DegeneralisationOptions } from "./degeneralised.js";
import { Memory } from "./memory.js";

export interface GraphCheckOptions {
  readonly degeneralisation?: DegeneralisationOptions;
  readonly maxDepth?: number;
}

export interface GraphCheckResult {
  /** Undefined when something was too deep. */
  readonly isEmpty: boolean | undefined;
  readonly states: number;
  readonly transitions: number;
  readonly stack: number;
  /** When not empty: constructs a run and follows it. */
  construct(style?: RunStyle): ConstructedRun;
}

export function checkGraph(
  graph: AcceptanceGraph,
  algorithm: EmptinessAlgorithm,
  options: GraphCheckOptions = {},
): GraphCheckResult {
  const limits = { memory: new Memory(new Ledger()), maxDepth: options.maxDepth ?? Infinity };
  const { search, construct } = prepare(algorithm, graph, limits, options.degeneralisation);
  while (search.advance(SLICE));
  const { states, transitions, stack, outcome } = search;
  const isEmpty = outcome === undefined ? undefined : outcome === "empty";
  return { isEmpty, states, transitions, stack, construct };
}

const SLICE = 1 << 16;
