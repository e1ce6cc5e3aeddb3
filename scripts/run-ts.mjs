/**
 * Runs a TypeScript file: `node scripts/run-ts.mjs FILE [ARGUMENT…]`.
 *
 * The file is bundled (types stripped, our own modules inlined, packages left alone) into a folder in the cache of
 * node_modules, so that imports of packages resolve as usual, and run in a child process whose exit code
 * becomes ours.
 */
import { spawn } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const [file, ...args] = process.argv.slice(2);
if (!file) {
  console.error("usage: node scripts/run-ts.mjs FILE [ARGUMENT…]");
  process.exit(3);
}

const root = resolve(fileURLToPath(import.meta.url), "../..");
const cache = join(root, "node_modules/.cache/run-ts");
const folder = join(cache, `${basename(file, ".ts")}-${process.pid}`);
const bundle = join(folder, `${basename(file, ".ts")}.mjs`);
mkdirSync(folder, { recursive: true });
await build({
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
  sourcemap: "inline",
  logLevel: "warning",
});

// A bundle lies in a folder of its own: what looks for the files of the package is told where they are.
const env = { ...process.env, EVERYPATH_ROOT: process.env.EVERYPATH_ROOT ?? root };
const child = spawn(process.execPath, ["--enable-source-maps", bundle, ...args], { stdio: "inherit", env });
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => child.kill(signal));
child.on("close", (code, signal) => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = code ?? (signal ? 1 : 0);
});
