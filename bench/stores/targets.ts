/** What the stores are to reach on a bench model, beside what they did. */
import type { BenchModel } from "../models/index.js";

export interface Measured {
  readonly states: number;
  readonly seconds: number;
  /** At rest. */
  readonly bytes: number;
  /** Of one state, packed; 0 for pan. */
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
    ...(exact.stateBytes >= 32 ? [atMost("tree, bytes a state at rest", 16, tree.bytes / tree.states)] : []),
    atMost("tree, memory of the flat one's", 1, tree.bytes / exact.bytes),
    atMost("tree, time of the flat one's", 1.5, tree.seconds / exact.seconds),
    ...deltaTargets(measured, exact),
    ...coverage(model, measured.get("bitstate 3"), measured.get("pan -DBITSTATE")),
  ];
}

const atMost = (name: string, limit: number, obtained: number): Target => ({
  name: `${name}, at most ${limit}`,
  obtained: obtained.toFixed(2),
  isMet: obtained <= limit,
});

/** As published for all nets together; below 20 bytes a state the method does not pay, and only its time is judged. */
function deltaTargets(measured: ReadonlyMap<string, Measured>, exact: Measured): Target[] {
  return Object.entries({ "delta 5": 1.4, "delta 20": 2.3, "delta 50": 3.4 }).flatMap(([name, limit]) => {
    const delta = measured.get(name);
    if (!delta) return [];
    return [
      atMost(`${name}, time of the flat one's`, limit, delta.seconds / exact.seconds),
      ...(exact.stateBytes >= 20
        ? [atMost(`${name}, memory of the flat one's`, 1, delta.bytes / exact.bytes)]
        : []),
    ];
  });
}

/** Which states are lost is chance: three standard deviations of ours are allowed for. */
function coverage(model: BenchModel, ours: Measured | undefined, pans: Measured | undefined): Target[] {
  if (!ours || !pans) return [];
  const [lost, lostByPan] = [model.states - ours.states, model.states - pans.states];
  return [
    {
      name: "bitstate, states lost, at most as many as pan with as many bits",
      obtained: `${lost}, pan ${lostByPan}`,
      isMet: lost <= lostByPan + 3 * Math.sqrt(lost),
    },
  ];
}
