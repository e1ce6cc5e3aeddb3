/** Bundles our programs into one file for Node: types stripped, our modules inlined, packages external. */
import type { BuildOptions } from "esbuild";

export const asOneFile = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  logLevel: "error",
} as const satisfies BuildOptions;
