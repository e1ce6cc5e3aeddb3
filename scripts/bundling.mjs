/** Bundles a TypeScript file to be run: strips types, inlines the modules of this repository, keeps packages external. */
import { basename, join, resolve } from "node:path";

/** Options of esbuild for a bundle in a folder, with dynamically imported modules beside it. */
export const bundling = (file, folder) => ({
  entryPoints: [resolve(file)],
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  // Dynamically imported modules are files, from which threads can be started.
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  logLevel: "warning",
});

export const bundleOf = (file, folder) => join(folder, `${basename(file, ".ts")}.mjs`);
