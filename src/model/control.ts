/** Control of processes as automata, to be drawn: locations, the edges between them, and where each process stands. */
import type { Span } from "./diagnostic.js";
import type { Words } from "./system.js";

export interface ProcessControl {
  readonly automata: readonly ProcessAutomaton[];
  /** Live processes in a state. */
  standing(state: Words, at: number): readonly Standing[];
}

export interface ProcessAutomaton {
  readonly name: string;
  readonly initial: number;
  readonly locations: readonly ControlLocation[];
  readonly edges: readonly ControlEdge[];
}

export interface ControlLocation {
  /** Names in the source; may be empty. */
  readonly labels: readonly string[];
  readonly span: Span | undefined;
  readonly isEnd: boolean;
  /** Entering it is an error. */
  readonly isError: boolean;
}

export interface ControlEdge {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface Standing {
  /** As in the descriptions of steps. */
  readonly process: string;
  readonly automaton: number;
  readonly location: number;
}
