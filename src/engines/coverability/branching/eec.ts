/**
 * Expand, enlarge, check for branching vector addition systems: finite approximations from below and above, each exact up
 * to i, until one answers. A derivation witnesses `covered`, a set closed under all rules `uncovered`; code independent
 * of the search checks both.
 */
import type { Bvas, Derivation } from "../../../model/index.js";
import type { EecOptions } from "../eec.js";
import { Spent, Work, runAtOnce } from "../work.js";
import { coversTarget, isDerivation, isInvariant } from "./certify.js";
import { closure, type Closure } from "./closure.js";
import { derivationOf } from "./derivation.js";

export type BvasAnswer =
  | { readonly kind: "covered"; readonly i: number; readonly derivation: Derivation }
  | { readonly kind: "uncovered"; readonly i: number; readonly invariant: readonly Int32Array[] };

export function* branchingEec(
  bvas: Bvas,
  targets: readonly (readonly number[])[],
  work: Work,
  options: EecOptions = {},
): Generator<number, BvasAnswer> {
  const { start = 0, next = (i) => (i < 4 ? i + 1 : 2 * i), concretises = true } = options;
  const sought = targets.map((target) => Int32Array.from(target));
  for (let i = start; ; i = next(i)) {
    work.depth = i;
    const over = yield* closure(bvas, { i, mode: "over", targets: sought }, work);
    // sound: test/engines/coverability/quick-branching.test.ts
    if (over.covering === undefined) {
      const invariant = over.derived.members.map((member) => over.derived.at(member).slice());
      if (!isInvariant(bvas, invariant, targets, () => work.check()))
        throw new Error("the over-approximation is not closed");
      return { kind: "uncovered", i, invariant };
    }
    const guess = concretises ? concretise(bvas, targets, over, i) : undefined;
    if (guess) return { kind: "covered", i, derivation: guess };
    const under = yield* closure(bvas, { i, mode: "under", targets: sought }, work);
    if (under.covering === undefined) continue;
    const derivation = derivationOf(bvas, under, under.covering);
    if (!derivation || !isDerivation(bvas, derivation) || !coversTarget(derivation, targets))
      throw new Error("the under-approximation's result is not a derivation");
    return { kind: "covered", i, derivation };
  }
}

/**
 * Turns a hit of the over-approximation into a real derivation: by evaluating it without `OMEGA`, or by a short
 * under-approximation bounded by the target.
 */
function concretise(
  bvas: Bvas,
  targets: readonly (readonly number[])[],
  over: Closure,
  i: number,
): Derivation | undefined {
  const isGood = (derivation: Derivation | undefined): boolean =>
    derivation !== undefined && coversTarget(derivation, targets) && isDerivation(bvas, derivation); // sound: test/engines/coverability/quick-branching.test.ts
  const guess = derivationOf(bvas, over, over.covering!);
  if (isGood(guess)) return guess;
  const request = {
    i: Math.max(i, ...targets.flat()),
    mode: "under",
    targets: targets.map((target) => Int32Array.from(target)),
  } as const;
  try {
    const under = runAtOnce(closure(bvas, request, new Work({ maxStates: SHORT_LOOK })));
    const found = under.covering === undefined ? undefined : derivationOf(bvas, under, under.covering);
    return isGood(found) ? found : undefined;
  } catch (error) {
    if (error instanceof Spent) return undefined;
    throw error;
  }
}

/** Vectors: a few milliseconds. */
const SHORT_LOOK = 200;
