/** The program of the process that runs code under test: a file of the package, or built from sources once per process. */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { insideFile } from "../code/bundle/inside-files.js";

export async function childProgram(): Promise<string> {
  // The build puts this module into a file of a sibling folder.
  const built = fileURLToPath(new URL("../child.js", import.meta.url));
  return existsSync(built)
    ? built
    : (made ??= make(dirname(dirname(dirname(dirname(insideFile("world/index")))))));
}

let made: Promise<string> | undefined;

/** In the repository, beside `node_modules`, so that unbundled packages are found. */
async function make(root: string): Promise<string> {
  const cache = join(root, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const outdir = mkdtempSync(join(cache, "everypath-child-"));
  process.on("exit", () => rmSync(outdir, { recursive: true, force: true }));
  const { build } = await import("esbuild");
  await build({
    entryPoints: [join(root, "src/child.ts")],
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: ["esbuild", "typescript"],
    logLevel: "warning",
    banner: {
      js: 'import { createRequire as nodeRequire } from "node:module"; const require = nodeRequire(import.meta.url);',
    },
  });
  return join(outdir, "child.mjs");
}
