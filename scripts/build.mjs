// Builds the package into dist/: declarations by tsc, code bundled by esbuild.
// Bundled because start-up counts: Chevrotain alone loads in 300 ms as separate modules, in 13 ms as one file.
import { execFileSync } from "node:child_process";
import { chmodSync, renameSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildPage } from "./build-page.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const fresh = `${root}/dist.new`;
rmSync(fresh, { recursive: true, force: true });
const tsc = `${root}/node_modules/typescript/bin/tsc`;
execFileSync(process.execPath, [tsc, "-p", `${root}/tsconfig.build.json`, "--outDir", fresh], {
  cwd: root,
  stdio: "inherit",
});
await build({
  absWorkingDir: root,
  entryPoints: {
    index: "src/index.ts",
    "cli/index": "src/cli/index.ts",
    "testing/vitest": "src/testing/vitest.ts",
    "testing/jest": "src/testing/jest.ts",
    "testing/node-test": "src/testing/node-test.ts",
    "testing/code": "src/testing/code.ts",
    "testing/child": "src/testing/child.ts",
    "sandbox/child": "src/sandbox/child.ts",
  },
  // The bundler and the compiler are packages of their own, needed by few; the test framework is the user's.
  external: ["esbuild", "typescript", "vitest"],
  outdir: "dist.new",
  bundle: true,
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  format: "esm",
  platform: "node",
  target: "node20",
  sourcemap: true,
  // commander is CommonJS and asks for Node's own modules by require.
  banner: {
    js: 'import { createRequire as nodeRequire } from "node:module"; const require = nodeRequire(import.meta.url);',
  },
  logLevel: "warning",
});
// What runs inside realms is bundled together with the user's code, when that is: each file stays a module of its own.
await build({
  absWorkingDir: root,
  entryPoints: [
    "src/code/world/*.ts",
    "src/code/builtins/*.ts",
    "src/code/devices/*.ts",
    "src/code/tracking/*.ts",
    ...["inside", "asking", "define", "refine", "side", "watched", "weak"].map((name) => `src/code/system/${name}.ts`),
    "src/code/collect/*.ts",
    "src/model/chooser.ts",
    "src/model/linearizability.ts",
  ],
  outdir: "dist.new/inside",
  outbase: "src",
  format: "esm",
  target: "node20",
  logLevel: "warning",
  // What is required there is bundled with the rest later, by then as a call that the bundler knows.
  logOverride: { "unsupported-require-call": "silent" },
});
await buildPage(`${fresh}/explorer`);
chmodSync(`${fresh}/cli/index.js`, 0o755);
// The old build stays until the new one is whole.
rmSync(`${root}/dist`, { recursive: true, force: true });
renameSync(fresh, `${root}/dist`);
