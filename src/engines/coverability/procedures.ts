/** The procedures by name; the first is the default. */
import { backward } from "./backward.js";
import { eec } from "./eec.js";
import { karpMiller } from "./karp-miller.js";
import type { Procedure } from "./procedure.js";

export const procedures: readonly Procedure[] = [
  { name: "backward", method: "backward search", decide: backward },
  { name: "eec", method: "expand-enlarge-check", decide: eec },
  { name: "karp-miller", method: "a Karp-Miller tree", decide: karpMiller },
];
