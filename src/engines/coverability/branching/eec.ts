/**
 * Expand, enlarge, check for branching vector addition systems: finite approximations from below and from above, each exact up to
 * i, until one of them answers. What is covered is shown by a derivation, what is not by a set that is closed under all
 * rules; both are checked by code that knows nothing of the search.
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
      throw new Error("what was derived below is no derivation");
    return { kind: "covered", i, derivation };
  }
}

/**
 * A real derivation, where the approximation from above has found something: what it found, evaluated without arbitrarily many; or
 * what a short look from below finds that counts as far as the target asks.
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
