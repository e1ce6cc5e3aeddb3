/**
 * Backward search (Abdulla, Čerāns, Jonsson, Tsay): computes the minimal markings of the upward-closed set that can reach
 * the target, until no smaller marking appears, and checks whether it contains the initial marking.
 *
 * Prunes markings excluded by weighted sums of tokens that never grow (`weights.ts`). Expands markings in order of
 * discovery, so that runs are shortest.
 */
import { TokenOverflow, type Net, type Tokens } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { Antichain } from "./antichain.js";
import {
  LONGEST_RUN,
  backtrack,
  denseNet,
  denseVector,
  isBelow,
  isCoveringRun,
  type DenseNet,
} from "./dense.js";
import { goBack, predecessors } from "./predecessors.js";
import { counted, type CoverAnswer } from "./procedure.js";
import { Weights } from "./weights.js";
import type { Work } from "./work.js";

export interface BackwardOptions {
  /** Prune markings too heavy to be reachable; default true. */
  readonly weighs?: boolean;
}

export type BackwardAnswer = CoverAnswer & {
  /** Of `uncovered`: the minimal markings found. Only markings above them, or too heavy to be reachable, can reach the target. */
  readonly minimal?: readonly Int32Array[];
};

export function* backward(
  net: Net,
  alternatives: readonly Tokens[],
  work: Work,
  { weighs = true }: BackwardOptions = {},
): Generator<number, BackwardAnswer> {
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
    const depth = parent < 0 ? 0 : nth(depths, parent) + 1;
    depths.push(depth);
    work.depth = Math.max(work.depth, depth);
    work.vectors++;
    work.words += dense.width;
    return isBelow(vector, dense.start); // sound: test/engines/coverability/quick.test.ts
  };
  const covered = (): CoverAnswer => {
    const last = basis.count - 1;
    const firing = [...startingTokens(dense, basis.at(last)), ...backtrack(last, parents, causes)];
    if (!isCoveringRun(dense, firing, targets)) throw new Error("a backward run is not a run of the net");
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
    for (const { number, transition } of dense.moves) {
      vector.set(basis.at(from));
      // sound: test/engines/coverability/transfers.test.ts
      if (transition.transfersFrom.length > 0) {
        let found = 0;
        for (const _ of predecessors(transition, vector)) {
          work.check();
          if ((++found & 255) === 0) yield basis.count - from;
          if (insert(from, number)) return covered();
        }
      } else if (goBack(transition, vector) && insert(from, number)) return covered(); // sound: test/engines/coverability/quick.test.ts
    }
  }
  const notes = [counted(basis.members.length, "minimal marking"), ...(weights?.notes ?? [])];
  const minimal = basis.members.map((member) => basis.at(member).slice());
  return { kind: "uncovered", notes, minimal };
}

/** The source transitions that add the tokens missing in the initial marking. */
function startingTokens({ sources, initial }: DenseNet, marking: Int32Array): number[] {
  return [...sources].flatMap(([place, source]) => {
    const missing = Math.max(0, marking[place]! - initial[place]!);
    if (missing > LONGEST_RUN) throw new TokenOverflow("the start of a run");
    return Array<number>(missing).fill(source);
  });
}
