/** Request and result of an exploration. */
import type { Stop } from "../../engines/explicit/index.js";
import type { MinimisingEquivalence, Relation } from "../../engines/lts/index.js";
import type { Budget, Control, Diagnostic, Lts, Sources } from "../../model/index.js";
import type { ModelOptions } from "../request.js";

export interface LtsOptions extends ModelOptions {
  /** Patterns of visible labels; all others are τ. Absent: all are visible. */
  readonly visible?: readonly string[];
  /** Replace the system by its quotient. */
  readonly minimise?: MinimisingEquivalence;
  /** The relation that will compare it. */
  readonly relation?: Relation;
  readonly budget?: Budget;
  readonly control?: Control;
}

export interface LtsResult {
  readonly file: string;
  readonly language: string;
  /** Absent if the input is wrong or the computation did not end. */
  readonly lts: Lts | undefined;
  /** Of the system before it was minimised. */
  readonly explored: { readonly states: number; readonly transitions: number };
  readonly seconds: number;
  /** Why the computation did not end. */
  readonly stop: Stop | undefined;
  /** Assumptions beyond the text. */
  readonly notes: readonly string[];
  /** The system is cut by a bound that the user chose. */
  readonly isCut: boolean;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
}
