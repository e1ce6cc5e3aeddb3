/** How programs of ours become one file that Node runs: types stripped, our modules inlined, packages left alone. */
import type { BuildOptions } from "esbuild";

export const asOneFile = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  logLevel: "error",
} as const satisfies BuildOptions;
