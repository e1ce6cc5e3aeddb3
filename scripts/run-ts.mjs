/**
 * Runs a TypeScript file: `node scripts/run-ts.mjs FILE [ARGUMENT…]`.
 *
 * Bundles the file (strips types, inlines the modules of this repository, keeps packages external) into a folder in the
 * cache of node_modules, so that imports of packages resolve as usual. Runs the bundle in a child process and exits with
 * its exit code.
 */
import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleOf, bundling } from "./bundling.mjs";

const [file, ...args] = process.argv.slice(2);
if (!file) {
  console.error("usage: node scripts/run-ts.mjs FILE [ARGUMENT…]");
  process.exit(3);
}

const root = resolve(fileURLToPath(import.meta.url), "../..");
const cache = join(root, "node_modules/.cache/run-ts");
const folder = join(cache, `${basename(file, ".ts")}-${process.pid}`);
const bundle = bundleOf(file, folder);
mkdirSync(folder, { recursive: true });
await build({ ...bundling(file, folder), sourcemap: "inline" });

// A bundle is in a separate folder: the variable leads to the files of the package.
const env = { ...process.env, EVERYPATH_ROOT: process.env.EVERYPATH_ROOT ?? root };
const child = spawn(process.execPath, ["--enable-source-maps", bundle, ...args], { stdio: "inherit", env });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("close", (code, signal) => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = code ?? (signal ? 1 : 0);
});
