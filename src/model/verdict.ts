/**
 * Properties, findings, and their scope.
 *
 * Soundness rules: `holds` states its method and scope; a spent budget or a lossy store is `unknown`,
 * never `holds`; `violated` carries a trace that was replayed before it is shown; nothing unsupported ever
 * turns into `holds`.
 */
import type { Span } from "./diagnostic.js";
import type { Trace } from "./trace.js";

export type PropertyKind =
  | "assertion"
  | "deadlock"
  | "runtime"
  | "invariant"
  | "ltl"
  | "never"
  | "acceptance"
  | "progress"
  | "trace"
  | "notrace"
  | "determinism"
  /** A forbidden event, reported by a step that may continue after it. */
  | "event"
  /** A state that ought to be reachable: violated when everything was visited and it was not met. */
  | "cover"
  /** From every reachable state a certain state can still be reached (AG EF). */
  | "agef"
  /** Can a net cover the target? */
  | "coverability"
  | "boundedness"
  /** Possible provenances of a message. */
  | "provenance"
  /** A formula over the actions of a transition system. */
  | "actions"
  /** Every behaviour is one of a specification, by what is observed. */
  | "refinement";

export interface Property {
  readonly name: string;
  readonly kind: PropertyKind;
  readonly span: Span | undefined;
}

/** Properties that a model has without declaring them. */
const UNDECLARED = ["assertions", "deadlock", "runtime errors", "trace", "notrace"] as const;

/** Names of properties. Reports, engines and `--property` know a property by its name alone, so no two may share one. */
export class PropertyNames {
  // sound: test/session/names.test.ts
  readonly #taken = new Set<string>(UNDECLARED);

  /** The name that was wanted, numbered if it is taken. */
  take(wanted: string): string {
    let name = wanted;
    for (let n = 2; this.#taken.has(name); n++) name = `${wanted} (${n})`;
    this.#taken.add(name);
    return name;
  }
}

/** A violation has no trace only where no single execution shows it: a state that is never reached, a derivation. */
export type Verdict =
  | { readonly kind: "holds"; readonly scope: Scope }
  | { readonly kind: "violated"; readonly reason: string; readonly trace: Trace | undefined }
  | { readonly kind: "unknown"; readonly reason: string; readonly advice: string };

export type VerdictKind = Verdict["kind"];

export interface Scope {
  readonly kind: "complete" | "bounded" | "probabilistic" | "partial";
  /** `exhaustion`, `induction`, … */
  readonly by: string;
  readonly notes: readonly string[];
}

/** One answer about one property. A property may have several (`--errors all`). */
export interface Finding {
  readonly property: Property;
  readonly verdict: Verdict;
}

/** Violated before unknown before holds. */
export function worst(verdicts: readonly VerdictKind[]): VerdictKind {
  if (verdicts.includes("violated")) return "violated";
  return verdicts.includes("unknown") ? "unknown" : "holds";
}
