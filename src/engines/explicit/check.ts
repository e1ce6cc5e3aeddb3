/** Turns a request about a model into a search, and the search's results into findings. */
import type {
  Budget,
  Control,
  Finding,
  Model,
  OmissionReport,
  Property,
  PropertyKind,
  Scope,
  Site,
  Span,
  StoreReport,
  Verdict,
} from "../../model/index.js";
import { StepTooLong, violationReason, whyStuck } from "../../model/index.js";
import type { Violation } from "./monitor.js";
import type { Stop } from "./order.js";
import { searchCompactly, type Resources } from "./compaction.js";
import { withRoot, withoutRoot } from "./root.js";
import type { Proviso } from "./reduction.js";
import type { OrderName, SearchOptions, SearchResult, SearchStats, StoreKind } from "./search.js";
import { searchAutomatically, type AutoResult } from "./stores/auto.js";
import { formatExpected, formatProbability, storeReport } from "./stores/report.js";
import { DEFAULT_SETTINGS, type StoreSettings } from "./stores/settings.js";
import { traceTo } from "./trace.js";

export interface ExplicitOptions {
  readonly order: OrderName;
  /** For the random order. */
  readonly seed?: number;
  /** Off: deadlocks are not errors. */
  readonly checkDeadlock: boolean;
  /** Stop after this number of errors. */
  readonly errors: number | "all";
  readonly budget: Budget;
  readonly control: Control;
  /** Absent: the search chooses. */
  readonly store?: StoreKind;
  /** For systems that propose candidates: the proviso of partial-order reduction. Absent: no reduction. */
  readonly proviso?: Proviso | undefined;
  /** For stores that the search chooses itself. */
  readonly storeSettings?: StoreSettings;
  /** It may choose a lossy one when nothing else fits into the memory. */
  readonly takesProbable?: boolean;
  /** Properties to check; absent: all. */
  readonly isChecked?: (property: Property) => boolean;
  /** Threads for a large breadth-first search, or a folder for states beyond memory. */
  readonly resources?: Resources;
}

export interface ExplicitResult {
  /** For each checked property: a finding per kind of violation, or one finding that it holds or is unknown, with the reason. */
  readonly findings: readonly ExplicitFinding[];
  readonly stats: SearchStats;
  /** Every reachable state was visited, so anything not reached is unreachable. */
  readonly isComplete: boolean;
  /** Why not, if not. */
  readonly stop: Stop | undefined;
  readonly store: StoreReport;
}

export interface ExplicitFinding extends Finding {
  /** Number of times the search met the violation; 0 if never. */
  readonly occurrences: number;
}

export async function checkExplicit(model: Model, options: ExplicitOptions): Promise<ExplicitResult> {
  const checked = model.properties.filter(
    (property) =>
      (options.isChecked?.(property) ?? true) && (options.checkDeadlock || property.kind !== "deadlock"),
  );
  const owners = new Owners(model, checked);
  const indexes = (isWanted: (property: Property) => boolean): number[] =>
    model.invariants.flatMap((property, index) =>
      checked.includes(property) && isWanted(property) ? [index] : [],
    );
  const found = await searchWith(model, options, {
    order: options.order,
    seed: options.seed,
    proviso: options.proviso,
    budget: withRoot(options.budget, model.system),
    control: options.control,
    maxErrors: options.errors === "all" ? Infinity : options.errors,
    checksDeadlock: checked.some((property) => property.kind === "deadlock"),
    checksSite: model.sites.map((_, site) => owners.checksSite(site)),
    invariants: indexes((property) => property.kind !== "agef"),
    sought: indexes((property) => property.kind === "cover"),
  });
  const result = { ...found.result, stats: withoutRoot(found.result.stats, model.system) };
  const { report } = found;
  return {
    findings: checked.flatMap((property) => findingsFor(property, owners, { ...found, result })),
    stats: result.stats,
    // sound: test/engines/explicit/conditions.test.ts
    isComplete: result.stop === undefined && report.omissions === null,
    stop: result.stop,
    store: report,
  };
}

async function searchWith(
  model: Model,
  { store, storeSettings = DEFAULT_SETTINGS, takesProbable = false, resources = {} }: ExplicitOptions,
  options: SearchOptions,
): Promise<AutoResult> {
  if (resources.disk) {
    // Uses a separate store, which keeps states whole.
    const found = await searchCompactly(model, options, resources);
    return { ...found, report: storeReport("flat", found.result) };
  }
  if (!store) return searchAutomatically(model, options, storeSettings, { takesProbable, resources });
  const found = await searchCompactly(model, { ...options, store }, resources);
  return { ...found, report: storeReport(store, found.result) };
}

/** Maps errors to the properties they belong to. */
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
export function ownerOf(site: Site, properties: readonly Property[]): Property {
  const kind: PropertyKind = STATED.find((stated) => stated === site.fault) ?? "runtime";
  const candidates = properties.filter((property) => property.kind === kind);
  const owner =
    properties.find(({ name }) => name === site.owner) ??
    candidates.find(({ span }) => span !== undefined && isSamePlace(span, site.span)) ??
    candidates.find(({ span }) => span === undefined) ??
    (candidates.length === 1 || kind === "never" ? candidates[0] : undefined);
  // A fault without a property would be dropped silently.
  // sound: test/engines/explicit/conditions.test.ts
  if (!owner) throw new Error(`no property of the model covers the fault "${site.message}"`);
  return owner;
}

const isSamePlace = (a: Span, b: Span): boolean =>
  a.file === b.file && a.start === b.start && a.end === b.end;

function findingsFor(
  property: Property,
  owners: Owners,
  { model, result, report }: AutoResult,
): ExplicitFinding[] {
  const own = result.violations.filter((violation) => owners.of(violation) === property);
  if (property.kind === "cover") return [coverage(model, property, own[0], result, report)];
  if (own.length === 0) return [{ property, verdict: unviolated(property, result, report), occurrences: 0 }];
  return own.map((violation) => ({
    property,
    verdict: {
      kind: "violated",
      reason: reasonFor(violation, model),
      trace: traceTo(violation, model),
    },
    occurrences: violation.occurrences,
  }));
}

/** Being met suffices; not being met is an answer only if everything was visited. */
function coverage(
  model: Model,
  property: Property,
  met: Violation | undefined,
  result: SearchResult,
  report: StoreReport,
): ExplicitFinding {
  // sound: test/engines/explicit/conditions.test.ts
  if (met || model.isMet?.(property)) {
    const scope: Scope = { kind: "complete", by: "witness", notes: [] };
    return { property, verdict: { kind: "holds", scope }, occurrences: met?.occurrences ?? 1 };
  }
  const verdict = unviolated(property, result, report);
  // sound: test/engines/explicit/conditions.test.ts
  if (verdict.kind !== "holds") return { property, verdict, occurrences: 0 };
  const reason = `no reachable state is covered by ${property.name}`;
  return { property, verdict: { kind: "violated", reason, trace: undefined }, occurrences: 1 };
}

function unviolated(property: Property, { stop, stats }: SearchResult, store: StoreReport): Verdict {
  if (!SUPPORTED.has(property.kind))
    return {
      kind: "unknown",
      reason: "not yet supported",
      advice: "only safety properties are checked by this search",
    };
  // sound: test/engines/explicit/conditions.test.ts
  if (stop === undefined && store.omissions) return unproven(store.omissions);
  return withoutFinding(stop, stats);
}

/** The verdict of a search that found nothing, and saw everything unless it was stopped. */
export function withoutFinding(
  stop: Stop | undefined,
  stats: Pick<SearchStats, "states" | "transitions" | "depth">,
): Verdict {
  // sound: test/engines/explicit/conditions.test.ts
  if (stop === undefined) return { kind: "holds", scope: { kind: "complete", by: "exhaustion", notes: [] } };
  const { reason, advice } = STOPS[stop];
  const figures = `${grouped(stats.states)} states, ${grouped(stats.transitions)} transitions, depth ${grouped(stats.depth)}`;
  return { kind: "unknown", reason: `${reason} after ${figures}`, advice };
}

/** A lossy store that found nothing. */
export function unproven({ probability, expected, runs, recommendation }: OmissionReport): Verdict {
  const how = runs > 1 ? ` by all ${runs} runs` : "";
  return {
    kind: "unknown",
    reason:
      "nothing was found, but states may have been omitted: " +
      `with a probability of ${formatProbability(probability)}${how}; ${formatExpected(expected)} expected`,
    advice: recommendation,
  };
}

/** `1,234,567`. */
const grouped = (n: number): string => `${n}`.replace(/\B(?=(\d{3})+$)/g, ",");

/** Faults that have a property of the same kind; all others are run-time errors. */
const STATED = ["assertion", "deadlock", "trace", "notrace", "never", "event"] as const;

const SUPPORTED: ReadonlySet<PropertyKind> = new Set([
  "assertion",
  "deadlock",
  "runtime",
  "invariant",
  "trace",
  "notrace",
  "event",
  // Of nets: a target is an invariant, and a search that visits every marking has shown that there are finitely many.
  "coverability",
  "boundedness",
  "cover",
  "provenance",
]);

const STOPS: Readonly<Record<Stop, { readonly reason: string; readonly advice: string }>> = {
  states: { reason: "the limit on states was reached", advice: "raise --max-states" },
  depth: { reason: "the limit on depth was reached", advice: "raise --max-depth" },
  memory: {
    reason: "the memory ran out",
    advice:
      "raise --memory, make the model smaller, or take a probable answer: --store auto --accept probabilistic",
  },
  full: {
    reason: "the table of the store is full",
    advice: "give it more with --table, keep fewer bits with --hash-bits, or use --store bitstate",
  },
  time: { reason: "the time ran out", advice: "raise --time" },
  step: {
    reason: new StepTooLong("step").message,
    advice: "make its loops, rulesets or scalarsets smaller",
  },
  tokens: {
    reason: "a place would have more tokens than a word can count",
    advice:
      "ask for --target or --bounded with another --engine: procedures on nets do not visit every marking",
  },
  disk: {
    reason: "the disk is full or failed",
    advice: "make room in the folder of --disk, and go on with --resume",
  },
  interrupted: { reason: "the search was interrupted", advice: "let it run to the end" },
  errors: {
    reason: "the search stopped at an error of another property",
    advice: "go on after errors with --errors all, or check this property alone with --property",
  },
};

function reasonFor({ cause, path }: Violation, model: Model): string {
  switch (cause.kind) {
    case "fault":
      return model.sites[cause.site]!.message;
    case "invariant":
      return violationReason(model, cause.index, path.state(path.length - 1), 0);
    case "deadlock":
      return whyStuck(model);
  }
}
