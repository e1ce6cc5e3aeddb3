/** Selects the C compiler for pan. */
import { hasPeer } from "../peers.js";

export type Optimisation = "-O0" | "-O1" | "-O2";

export interface PanCompiler {
  readonly command: "gcc" | "tcc";
  readonly arguments: readonly string[];
}

/**
 * tcc takes a twentieth of gcc's time, which dominates short runs on hundreds of random programs; measurements request
 * an optimisation level and get gcc.
 */
export function panCompiler(optimise: Optimisation = "-O0"): PanCompiler {
  if (optimise === "-O0" && hasPeer("tcc")) return { command: "tcc", arguments: ["-w"] };
  return { command: "gcc", arguments: [optimise, "-w"] };
}
