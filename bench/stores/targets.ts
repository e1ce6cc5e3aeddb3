/** Targets of the stores on a bench model, beside the results. */
import type { BenchModel } from "../models/index.js";

export interface Measured {
  readonly states: number;
  readonly seconds: number;
  /** At rest. */
  readonly bytes: number;
  /** Bytes of one packed state; 0 for pan. */
  readonly stateBytes: number;
}

export interface Target {
  readonly name: string;
  readonly obtained: string;
  readonly isMet: boolean;
}

export function judge(model: BenchModel, measured: ReadonlyMap<string, Measured>): Target[] {
  const [exact, tree] = [measured.get("exact"), measured.get("tree")];
  if (!exact || !tree || model.states < 1e6) return [];
  const all = ["exact", "tree", "delta 5", "delta 20", "delta 50"].map((name) => measured.get(name)?.states);
  return [
    {
      name: "every exact store visits the same states",
      obtained: all.join(" "),
      isMet: all.every((states) => states === model.states),
    },
    ...(exact.stateBytes >= 32
      ? [atMost("tree, bytes per state at rest", 16, tree.bytes / tree.states)]
      : []),
    atMost("tree, memory of the flat one's", 1, tree.bytes / exact.bytes),
    atMost("tree, time of the flat one's", 1.5, tree.seconds / exact.seconds),
    ...deltaTargets(measured, exact),
  ];
}

const atMost = (name: string, limit: number, obtained: number): Target => ({
  name: `${name}, at most ${limit}`,
  obtained: obtained.toFixed(2),
  isMet: obtained <= limit,
});

/**
 * Time may at most triple; prints the published mean of its nets beside it (`bench:storage` judges each of these nets by
 * its column). Below 20 bytes per state the method does not pay, and only its time is judged.
 */
function deltaTargets(measured: ReadonlyMap<string, Measured>, exact: Measured): Target[] {
  return Object.entries({ "delta 5": 1.4, "delta 20": 2.3, "delta 50": 3.4 }).flatMap(([name, published]) => {
    const delta = measured.get(name);
    if (!delta) return [];
    return [
      atMost(
        `${name}, time of the flat one's (published nets: ${published})`,
        3,
        delta.seconds / exact.seconds,
      ),
      ...(exact.stateBytes >= 20
        ? [atMost(`${name}, memory of the flat one's`, 1, delta.bytes / exact.bytes)]
        : []),
    ];
  });
}

/**
 * Omissions are random, and an omitted state hides others: compares means over several hash functions, within three
 * estimated standard errors of their difference.
 */
export function judgeCoverage(
  { states }: BenchModel,
  ours: readonly Measured[],
  pans: readonly Measured[],
): Target[] {
  if (ours.length < 2 || pans.length < 2) return [];
  const [our, pan] = [ours, pans].map((runs) => spread(runs.map((run) => states - run.states)));
  const allowed = 3 * Math.sqrt(our!.variance / ours.length + pan!.variance / pans.length);
  return [
    {
      name: `bitstate, states lost (mean of ${ours.length}), at most as many as pan with as many bits`,
      obtained: `${our!.mean.toFixed(0)}, pan ${pan!.mean.toFixed(0)} ± ${allowed.toFixed(0)}`,
      isMet: our!.mean <= pan!.mean + allowed,
    },
  ];
}

function spread(values: readonly number[]): { readonly mean: number; readonly variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    mean,
    variance: values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1),
  };
}
