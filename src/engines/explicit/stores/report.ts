/** Report on a store after a search: settings, and for a lossy one the analysis of omissions. */
import type { OmissionReport, StoreReport } from "../../../model/index.js";
import { SharedStore } from "../parallel/shared-store.js";
import type { SearchResult, StoreKind } from "../search.js";
import type { Stop } from "../order.js";
import type { BitstateChoice, CompactChoice, StoreChoice } from "./choice.js";
import { cellShape, signatureValues } from "./cells.js";
import { CompactStore } from "./compact.js";
import { DeltaBackend } from "./delta-backend.js";
import { LossyBackend } from "./lossy-backend.js";
import { missedState, omissionsBeside, reliability, type Lossy } from "./omissions.js";
import { PartialStore } from "./partial-store.js";
import { bytesFor, plans, rounded } from "./plan.js";

export function storeReport(kind: StoreKind | undefined, result: SearchResult, reason = ""): StoreReport {
  const base = { reason, omissions: null, delta: null };
  if (typeof kind !== "object")
    return { ...base, kind: kind === "tree" ? "tree" : "exact", settings: exactSettings(kind) };
  const settings = settingsText(kind);
  const analysed = (lossy: Lossy, levels: readonly number[]): StoreReport => {
    const { stats, stop } = result;
    const { states, transitions } = stats;
    const omissions = omissionReport(lossy, { stored: states, states, transitions, stop, levels });
    return { ...base, kind: kind.kind, settings, omissions };
  };
  const shared = result.store instanceof SharedStore ? result.store : undefined;
  if (shared?.lossy) return analysed(shared.lossy, shared.levelSizes());
  const backend = result.store instanceof PartialStore ? (result.store as PartialStore).backend : undefined;
  if (backend instanceof DeltaBackend)
    return { ...base, kind: "delta", settings, delta: { ...backend.store.figures() } };
  // sound: test/engines/explicit/endings.test.ts test/engines/stores/delta-store.test.ts
  if (!(backend instanceof LossyBackend)) return { ...base, kind: kind.kind, settings };
  return analysed(lossyOf(backend), (result.store as PartialStore).levelSizes());
}

/** Of a search that enters states more than once, in another guise each time. */
export function lossyReport(
  choice: BitstateChoice | CompactChoice,
  figures: Omit<LossyFigures, "levels">,
): StoreReport {
  const lossy: Lossy =
    choice.kind === "compact"
      ? compactOf(choice)
      : { kind: "bitstate", bits: choice.bits, functions: choice.functions };
  const omissions = omissionReport(lossy, { ...figures, levels: [] });
  return { reason: "", delta: null, kind: choice.kind, settings: settingsText(choice), omissions };
}

interface LossyFigures {
  readonly stored: number;
  readonly states: number;
  readonly transitions: number;
  readonly stop: Stop | undefined;
  /** States by level, breadth-first. */
  readonly levels: readonly number[];
}

/** Several runs with different seeds missed the same state only if each of them did. */
export function combined(reports: readonly OmissionReport[]): OmissionReport {
  const last = reports.at(-1)!;
  return {
    ...last,
    runs: reports.length,
    expected: Math.min(...reports.map(({ expected }) => expected)),
    probability: reports.reduce((product, { probability }) => product * probability, 1),
  };
}

/** `58 %`, `0.4 %`, `1.2e-7`. */
export function formatProbability(p: number): string {
  if (p === 0) return "0";
  if (p < 1e-4) return p.toExponential(1);
  return p >= 0.0995 ? `${Math.round(100 * p)} %` : `${Number((100 * p).toPrecision(2))} %`;
}

/** `16,064`, `20.7`, `0.0042`, `1.2e-7`. */
export function formatExpected(n: number): string {
  if (n >= 100) return grouped(n);
  if (n >= 0.001) return `${Number(n.toPrecision(n >= 10 ? 3 : 2))}`;
  return n === 0 ? "0" : n.toExponential(1);
}

function omissionReport(
  store: Lossy,
  { stored, states, transitions, stop, levels }: LossyFigures,
): OmissionReport {
  const { expected, probability } = omissionsBeside(store, stored);
  const estimatedStates = Math.round(states + expected);
  const bytes = tableBytes(store);
  return {
    expected,
    probability,
    runs: 1,
    estimatedStates,
    inDegree: states === 0 ? 0 : transitions / states,
    reliability: reliability(transitions, states),
    missedState: store.kind === "compact" && levels.length > 0 ? missedState(store, levels) : null,
    // A stopped search does not give the number of states.
    ...(stop === undefined
      ? advice(estimatedStates, bytes)
      : { recommendation: "", alternative: "", estimatedStates: null }),
  };
}

/** Recommendation for the same memory, and the memory that would suffice. */
function advice(states: number, bytes: number): Pick<OmissionReport, "recommendation" | "alternative"> {
  const best = plans(states, bytes)[0];
  const enough = bytesFor(states, TARGET);
  const recommendation = best
    ? `${best.options}: ${lossyText(best.store)}, probability of an omission ${formatProbability(best.omissions.probability)}`
    : `more memory, such as --table ${formatSize(enough)}`;
  const more = plans(states, enough)[0]!;
  const alternative =
    enough > bytes
      ? `${more.options} --table ${formatSize(enough)}: probability of an omission ${formatProbability(more.omissions.probability)}`
      : `--store tree or --store delta, which lose nothing, if ${rounded(states)} states fit into memory`;
  return { recommendation, alternative };
}

/** Below this probability of an omission no further run is recommended. */
export const TARGET = 1e-3;

function compactOf(choice: CompactChoice): Lossy {
  const shape = cellShape(choice);
  return { kind: "compact", cells: shape.cells, width: choice.width, values: signatureValues(shape) };
}

function lossyOf({ store }: LossyBackend): Lossy {
  return store instanceof CompactStore
    ? store.lossy
    : { kind: "bitstate", bits: store.bits, functions: store.functions };
}

const tableBytes = (store: Lossy): number =>
  Math.floor((store.kind === "bitstate" ? store.bits : store.cells * store.width) / 8);

const lossyText = (store: Lossy): string =>
  store.kind === "bitstate" ? `${store.functions} bits per state` : `${store.width} bits per state`;

const exactSettings = (kind: "flat" | "tree" | undefined): string =>
  kind === "tree" ? "states in parts, each part once" : "whole states";

function settingsText(choice: StoreChoice): string {
  switch (choice.kind) {
    case "delta":
      return `a whole state every ${choice.distance} levels`;
    case "bitstate":
      return `${grouped(choice.bits)} bits, ${choice.functions} for a state; ${choice.hash} hashing, seed ${choice.seed}`;
    case "compact":
      return `${grouped(choice.cells)} cells of ${choice.width} bits; ${choice.hash} hashing, seed ${choice.seed}`;
  }
}

const grouped = (n: number): string => `${Math.round(n)}`.replace(/\B(?=(\d{3})+$)/g, ",");

const formatSize = (bytes: number): string =>
  bytes < 1e6
    ? `${Math.ceil(bytes / 1e3)}k`
    : bytes < 1e9
      ? `${Math.ceil(bytes / 1e6)}M`
      : `${(Math.ceil(bytes / 1e8) / 10).toFixed(1)}G`;
