/** Which C compiler makes pan. */
import { hasPeer } from "../peers.js";

export type Optimisation = "-O0" | "-O1" | "-O2";

export interface PanCompiler {
  readonly command: "gcc" | "tcc";
  readonly arguments: readonly string[];
}

/**
 * tcc needs a twentieth of gcc's time for a pan that is run once and briefly, which is most of what hundreds of random
 * programs cost; whoever measures pan asks for an optimisation and gets gcc.
 */
export function panCompiler(optimise: Optimisation = "-O0"): PanCompiler {
  if (optimise === "-O0" && hasPeer("tcc")) return { command: "tcc", arguments: ["-w"] };
  return { command: "gcc", arguments: [optimise, "-w"] };
}
