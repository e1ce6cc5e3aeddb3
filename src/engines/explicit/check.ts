/** From what is asked of a model to a search, and from what the search saw to findings. */
import type {
  Budget,
  Control,
  Finding,
  Model,
  Property,
  PropertyKind,
  Site,
  Span,
  Verdict,
} from "../../model/index.js";
import type { Violation } from "./monitor.js";
import type { Stop } from "./order.js";
import { searchCompactly } from "./compaction.js";
import type { SearchResult, SearchStats, StoreKind } from "./search.js";
import { traceTo } from "./trace.js";

export interface ExplicitOptions {
  readonly order: "bfs" | "dfs";
  /** Off: a state without a way on is no error. */
  readonly checkDeadlock: boolean;
  /** Stop after so many errors. */
  readonly errors: number | "all";
  readonly budget: Budget;
  readonly control: Control;
  /** Absent: whatever suits the search. */
  readonly store?: StoreKind;
  /** Which properties to check; all when absent. */
  readonly isChecked?: (property: Property) => boolean;
}

export interface ExplicitResult {
  /** For each checked property: one for each way it was violated, or one that says it holds or why that is unknown. */
  readonly findings: readonly ExplicitFinding[];
  readonly stats: SearchStats;
  /** Every reachable state was visited: what was not reached is unreachable. */
  readonly isComplete: boolean;
  /** Why not, if not. */
  readonly stop: Stop | undefined;
}

export interface ExplicitFinding extends Finding {
  /** How often the search met the violation; 0 when there is none. */
  readonly occurrences: number;
}

export async function checkExplicit(model: Model, options: ExplicitOptions): Promise<ExplicitResult> {
  const checked = model.properties.filter(
    (property) =>
      (options.isChecked?.(property) ?? true) && (options.checkDeadlock || property.kind !== "deadlock"),
  );
  const owners = new Owners(model, checked);
  const { result, model: searched } = await searchCompactly(model, {
    order: options.order,
    ...(options.store ? { store: options.store } : {}),
    budget: options.budget,
    control: options.control,
    maxErrors: options.errors === "all" ? Infinity : options.errors,
    checksDeadlock: checked.some((property) => property.kind === "deadlock"),
    checksSite: model.sites.map((_, site) => owners.checksSite(site)),
    invariants: model.invariants.flatMap((property, index) => (checked.includes(property) ? [index] : [])),
  });
  return {
    findings: checked.flatMap((property) => findingsFor(property, owners, searched, result)),
    stats: result.stats,
    isComplete: result.stop === undefined,
    stop: result.stop,
  };
}

/** Which property an error belongs to. */
class Owners {
  readonly #model: Model;
  readonly #bySite: readonly Property[];
  readonly #checked: readonly Property[];

  constructor(model: Model, checked: readonly Property[]) {
    this.#model = model;
    this.#checked = checked;
    this.#bySite = model.sites.map((site) => ownerOf(site, model.properties));
  }

  /** Is a fault there to be reported? */
  checksSite(site: number): boolean {
    return this.#checked.includes(this.#bySite[site]!);
  }

  of({ cause }: Violation): Property | undefined {
    switch (cause.kind) {
      case "fault":
        return this.#bySite[cause.site];
      case "invariant":
        return this.#model.invariants[cause.index];
      case "deadlock":
        return this.#checked.find((property) => property.kind === "deadlock");
    }
  }
}

/** The property at the site's own place in the source, else the one for all faults of its kind. */
function ownerOf(site: Site, properties: readonly Property[]): Property {
  const kind: PropertyKind = site.fault === "assertion" ? "assertion" : "runtime";
  const candidates = properties.filter((property) => property.kind === kind);
  const owner =
    candidates.find(({ span }) => span !== undefined && isSamePlace(span, site.span)) ??
    candidates.find(({ span }) => span === undefined) ??
    (candidates.length === 1 ? candidates[0] : undefined);
  // A fault that nobody owns would be dropped without a word.
  if (!owner) throw new Error(`no property of the model covers the fault "${site.message}"`);
  return owner;
}

const isSamePlace = (a: Span, b: Span): boolean =>
  a.file === b.file && a.start === b.start && a.end === b.end;

function findingsFor(
  property: Property,
  owners: Owners,
  model: Model,
  result: SearchResult,
): ExplicitFinding[] {
  const own = result.violations.filter((violation) => owners.of(violation) === property);
  if (own.length === 0) return [{ property, verdict: unviolated(property, result), occurrences: 0 }];
  return own.map((violation) => ({
    property,
    verdict: {
      kind: "violated",
      reason: reasonFor(violation, property, model),
      trace: traceTo(violation, model),
    },
    occurrences: violation.occurrences,
  }));
}

function unviolated(property: Property, { stop, stats }: SearchResult): Verdict {
  if (!SUPPORTED.has(property.kind))
    return {
      kind: "unknown",
      reason: "not yet supported",
      advice: "only safety properties are checked by this search",
    };
  if (stop === undefined) return { kind: "holds", scope: { kind: "complete", by: "exhaustion", notes: [] } };
  const { reason, advice } = STOPS[stop];
  const figures = `${grouped(stats.states)} states, ${grouped(stats.transitions)} transitions, depth ${grouped(stats.depth)}`;
  return { kind: "unknown", reason: `${reason} after ${figures}`, advice };
}

/** `1,234,567`. */
const grouped = (n: number): string => `${n}`.replace(/\B(?=(\d{3})+$)/g, ",");

const SUPPORTED: ReadonlySet<PropertyKind> = new Set(["assertion", "deadlock", "runtime", "invariant"]);

const STOPS: Readonly<Record<Stop, { readonly reason: string; readonly advice: string }>> = {
  states: { reason: "the limit on states was reached", advice: "raise --max-states" },
  depth: { reason: "the limit on depth was reached", advice: "raise --max-depth" },
  memory: { reason: "the memory ran out", advice: "raise --memory, or make the model smaller" },
  time: { reason: "the time ran out", advice: "raise --time" },
  interrupted: { reason: "the search was interrupted", advice: "let it run to the end" },
  errors: {
    reason: "the search stopped at an error of another property",
    advice: "go on after errors with --errors all, or check this property alone with --property",
  },
};

function reasonFor({ cause }: Violation, property: Property, model: Model): string {
  switch (cause.kind) {
    case "fault":
      return model.sites[cause.site]!.message;
    case "invariant":
      return `invariant violated: ${property.name}`;
    case "deadlock":
      return "deadlock: no process can move, and not all are at a valid end";
  }
}
