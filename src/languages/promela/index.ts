/**
 * Promela, the language of Spin, as a `Program`.
 *
 * In: text. Out: a program, or diagnostics. `front.ts` parses, `check.ts` gives names and types their meaning,
 * `lower/lower.ts` makes the program.
 *
 * Not here: never claims, traces and temporal formulas. They are parsed and checked, and listed as unsupported.
 */
import { hasErrors, type Diagnostic } from "../../model/diagnostic.js";
import type { Program, Rules } from "../../model/program.js";
import { checkPromela } from "./check.js";
import { parsePromela, type PromelaInput } from "./front.js";
import { lowerPromela, type UnsupportedProperty } from "./lower/lower.js";

export type { UnsupportedProperty } from "./lower/lower.js";

export interface LoadRequest extends PromelaInput {
  /** What is not said here is as in Spin. */
  readonly rules?: Partial<Rules>;
  /** Conditions over global variables that must hold in every state. */
  readonly invariants?: readonly string[];
}

export interface LoadedPromela {
  /** Absent when a diagnostic is an error. */
  readonly program: Program | undefined;
  /** Declared, but not checked yet. */
  readonly unsupported: readonly UnsupportedProperty[];
  readonly diagnostics: readonly Diagnostic[];
}

export function loadPromela(request: LoadRequest): LoadedPromela {
  const parsed = parsePromela(request);
  if (hasErrors(parsed.diagnostics))
    return { program: undefined, unsupported: [], diagnostics: parsed.diagnostics };
  const checked = checkPromela(parsed.model);
  const diagnostics = [...parsed.diagnostics, ...checked.diagnostics];
  if (hasErrors(diagnostics)) return { program: undefined, unsupported: [], diagnostics };
  const { sources } = request;
  const lowered = lowerPromela(parsed.model, checked.info, {
    rules: rulesOf(request),
    invariants: [],
    sources,
  });
  return { ...lowered, diagnostics: [...diagnostics, ...lowered.diagnostics] };
}

/** Spin's limits, and as many channels as processes when more are asked for. */
function rulesOf({ rules = {} }: LoadRequest): Rules {
  const maxProcesses = rules.maxProcesses ?? 255;
  return {
    maxProcesses,
    maxChannels: rules.maxChannels ?? Math.max(255, maxProcesses),
    loseWhenFull: rules.loseWhenFull ?? false,
    endNeedsEmptyChannels: rules.endNeedsEmptyChannels ?? false,
    usesPriorities: rules.usesPriorities ?? false,
  };
}
