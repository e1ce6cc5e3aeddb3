/**
 * How high a covering derivation need be at most: `(max taken + max asked + 2) ^ (3k)!` nodes on a path, where k is the number of
 * dimensions (Demri, Jurdziński, Lachish, Lazić). The procedures never need it; it says why they end.
 */
export function witnessHeight(dimensions: number, mostTaken: number, mostAsked: number): bigint {
  let factorial = 1n;
  for (let n = 2n; n <= 3n * BigInt(dimensions); n++) factorial *= n;
  return BigInt(mostTaken + mostAsked + 2) ** factorial;
}

/** With this i at the latest one of the two approximations answers. */
export const lastBound = (dimensions: number, mostTaken: number, mostAsked: number): bigint =>
  witnessHeight(dimensions, mostTaken, mostAsked) ** 2n;
