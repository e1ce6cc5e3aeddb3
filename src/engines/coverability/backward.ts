/**
 * Backward search (Abdulla, Čerāns, Jonsson, Tsay): which markings lead to the target? The set is upward closed, so its minimal
 * markings say all; going back over transitions until nothing smaller is found, one sees whether the initial marking is in it.
 *
 * Markings that no run can reach because a weighted sum of tokens never grows are left out (`weights.ts`). Markings are taken in
 * the order in which they were found, so that a run is a shortest one.
 */
import { MOST_TOKENS, TokenOverflow, type Net, type Tokens } from "../../model/index.js";
import { Antichain } from "./antichain.js";
import { denseNet, denseVector, isBelow, isCoveringRun, withSources, type DenseTransition } from "./dense.js";
import { counted, type CoverAnswer } from "./procedure.js";
import { Weights } from "./weights.js";
import type { Work } from "./work.js";

export interface BackwardOptions {
  /** Leave out markings that are too heavy to be reached; by default so. */
  readonly weighs?: boolean;
}

export function* backward(
  net: Net,
  alternatives: readonly Tokens[],
  work: Work,
  { weighs = true }: BackwardOptions = {},
): Generator<number, CoverAnswer> {
  const dense = denseNet(net);
  const targets = alternatives.map((tokens) => denseVector(tokens, dense.width));
  const weights = weighs ? new Weights(dense, work) : undefined;
  const basis = new Antichain(dense.width, "smallest");
  const parents: number[] = [];
  const causes: number[] = [];
  const depths: number[] = [];
  const vector = new Int32Array(dense.width);
  /** True when the initial marking is above it. */
  const insert = (parent: number, cause: number): boolean => {
    work.steps++;
    if (basis.has(vector) || weights?.exclude(vector)) return false;
    basis.add(vector);
    parents.push(parent);
    causes.push(cause);
    depths.push(parent < 0 ? 0 : depths[parent]! + 1);
    work.depth = Math.max(work.depth, depths.at(-1)!);
    work.vectors++;
    work.words += dense.width;
    return isBelow(vector, dense.start);
  };
  const covered = (): CoverAnswer => {
    const moves: number[] = [];
    for (let at = basis.count - 1; parents[at]! >= 0; at = parents[at]!) moves.push(causes[at]!);
    const firing = withSources(dense, moves, targets);
    if (!isCoveringRun(dense, firing, targets)) throw new Error("a backward run is no run of the net");
    return { kind: "covered", firing, notes: [] };
  };
  for (const target of targets) {
    vector.set(target);
    if (insert(-1, -1)) return covered();
  }
  for (let from = 0; from < basis.count; from++) {
    if (!basis.isMember(from)) continue;
    work.check();
    if ((from & 63) === 0) yield basis.count - from;
    for (const t of dense.moves) {
      const transition = dense.transitions[t]!;
      vector.set(basis.at(from));
      if (!goBack(transition, vector)) continue;
      if (insert(from, t)) return covered();
    }
  }
  const notes = [counted(basis.members.length, "minimal marking"), ...(weights?.notes ?? [])];
  return { kind: "uncovered", notes };
}

/** The smallest marking from which the transition leads above the vector; false when that is above the vector itself. */
function goBack(transition: DenseTransition, vector: Int32Array): boolean {
  const { guardPlaces, guardCounts, effectPlaces, effectCounts } = transition;
  let helps = false;
  for (let i = 0; i < effectPlaces.length; i++)
    if (effectCounts[i]! > 0 && vector[effectPlaces[i]!]! > 0) helps = true;
  if (!helps) return false;
  for (let i = 0; i < effectPlaces.length; i++) {
    const before = vector[effectPlaces[i]!]! - effectCounts[i]!;
    if (before > MOST_TOKENS) throw new TokenOverflow("a marking on the way back");
    vector[effectPlaces[i]!] = Math.max(0, before);
  }
  for (let i = 0; i < guardPlaces.length; i++)
    if (vector[guardPlaces[i]!]! < guardCounts[i]!) vector[guardPlaces[i]!] = guardCounts[i]!;
  return true;
}
