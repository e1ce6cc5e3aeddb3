/** The partition of a system, computed in small slices. */
import { partitioning, type MinimisingEquivalence, type Partition } from "../../../src/engines/lts/index.js";
import type { Lts } from "../../../src/model/index.js";

export function partition(lts: Lts, relation: MinimisingEquivalence, quota = 3): Partition {
  const slices = partitioning(lts, relation);
  while (slices.advance(quota));
  return slices.result();
}
