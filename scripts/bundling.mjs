/** How a TypeScript file is bundled to be run: types stripped, our own modules inlined, packages left alone. */
import { basename, join, resolve } from "node:path";

/** Options of esbuild for a file that is put into a folder, with what is imported when it is needed beside it. */
export const bundling = (file, folder) => ({
  entryPoints: [resolve(file)],
  outdir: folder,
  outExtension: { ".js": ".mjs" },
  bundle: true,
  // What is imported when it is needed is a file, which threads can be started from.
  splitting: true,
  platform: "node",
  format: "esm",
  target: "node20",
  packages: "external",
  logLevel: "warning",
});

export const bundleOf = (file, folder) => join(folder, `${basename(file, ".ts")}.mjs`);
