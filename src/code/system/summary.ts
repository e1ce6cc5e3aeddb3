/** The system file without its functions, reported by the realm's mailbox. */
import type { Data, FaultDefinition, NetworkDefinition } from "./define.js";

export interface SystemSummary {
  /** Whether `-D` affects the system. */
  readonly takesParameters: boolean;
  /** The file lists the names of `-D`, and others are refused. */
  readonly declaresParameters: boolean;
  /** Problems of the file; if there are any, the other fields are empty. */
  readonly problems: readonly string[];
  readonly nodes: readonly string[];
  readonly network: NetworkDefinition;
  readonly faults: FaultDefinition;
  readonly budgets: Readonly<Record<string, number>>;
  readonly timers: "any" | "in-order";
  readonly random: number;
  readonly capture: "auto" | "replay";
  readonly ignore: readonly string[];
  readonly symmetric: readonly (readonly string[])[];
  readonly hasDiscard: boolean;
  readonly hasGuide: boolean;
  readonly hasPicture: boolean;
  readonly hasObserve: boolean;
  readonly hasFinished: boolean;
  readonly fieldValues?: number;
  readonly loopsProgress: boolean;
  readonly always: readonly string[];
  readonly sometimes: readonly string[];
  readonly eventually: readonly string[];
  readonly recoverable: readonly string[];
  readonly returns: readonly string[];
  readonly messages: readonly string[];
  readonly actions: readonly ActionSummary[];
}

export interface ActionSummary {
  readonly name: string;
  readonly on: readonly string[];
  readonly values: readonly Data[];
  readonly hasValues: boolean;
  readonly times?: number;
  readonly budget?: string;
  readonly hasWhen: boolean;
}
