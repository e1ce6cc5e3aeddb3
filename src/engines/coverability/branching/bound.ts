/**
 * Bound on the height of a covering derivation: `(max taken + max asked + 2) ^ (3k)!` nodes on a path in k dimensions
 * (Demri, Jurdziński, Lachish, Lazić). Justifies termination; the procedures do not use it.
 */
export function witnessHeight(dimensions: number, mostTaken: number, mostAsked: number): bigint {
  let factorial = 1n;
  for (let n = 2n; n <= 3n * BigInt(dimensions); n++) factorial *= n;
  return BigInt(mostTaken + mostAsked + 2) ** factorial;
}

/** At this i at the latest, one of the two approximations answers. */
export const lastBound = (dimensions: number, mostTaken: number, mostAsked: number): bigint =>
  witnessHeight(dimensions, mostTaken, mostAsked) ** 2n;
