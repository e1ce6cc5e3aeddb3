// Builds the package into dist/: declarations by tsc, one file for each entry; code bundled by esbuild.
// Bundled because start-up counts: Chevrotain alone loads in 300 ms as separate modules, in 13 ms as one file.
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { buildPage } from "./build-page.mjs";
import { rollUpDeclarations } from "./declarations.mjs";
import { licenceTexts } from "./licences.mjs";
import { tsc } from "./types.mjs";
import { namesUsed, typescriptParser } from "./typescript-parser.mjs";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const fresh = `${root}/dist.new`;
rmSync(fresh, { recursive: true, force: true });
const declarations = `${fresh}/declarations`;
tsc("-p", `${root}/tsconfig.build.json`, "--outDir", declarations);
await rollUpDeclarations(declarations, fresh, {
  index: "index",
  "testing/vitest": "testing/vitest",
  "testing/jest": "testing/jest",
  "testing/node-test": "testing/node-test",
  "testing/code": "testing/code",
  "code/system/define": "code/system/define",
  "code/machines/define": "code/machines/define",
});
rmSync(declarations, { recursive: true });
const sources = readdirSync(`${root}/src`, { recursive: true })
  .filter((file) => file.endsWith(".ts"))
  .map((file) => readFileSync(`${root}/src/${file}`, "utf8"));
const usesParser = (text) => /(from |import\()"typescript"/.test(text);
const { metafile: bundles } = await build({
  absWorkingDir: root,
  metafile: true,
  entryPoints: {
    index: "src/index.ts",
    "cli/index": "src/cli/index.ts",
    "testing/vitest": "src/testing/vitest.ts",
    "testing/jest": "src/testing/jest.ts",
    "testing/node-test": "src/testing/node-test.ts",
    "testing/code": "src/testing/code.ts",
    child: "src/child.ts",
  },
  // The bundler has a program for each platform; the solver is large and loaded on demand; the test framework is the user's.
  external: ["esbuild", "vitest", "z3-solver", "koffi"],
  plugins: [typescriptParser(namesUsed(sources.filter(usesParser)))],
  outdir: "dist.new",
  bundle: true,
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
  format: "esm",
  platform: "node",
  target: "node20",
  sourcemap: true,
  // commander is CommonJS and requires Node's modules.
  banner: {
    js: 'import { createRequire as nodeRequire } from "node:module"; const require = nodeRequire(import.meta.url);',
  },
  logLevel: "warning",
});
// Maps name the lines of packages, which their authors publish: their texts would be a third of the maps.
for (const file of Object.keys(bundles.outputs).filter((name) => name.endsWith(".map"))) {
  const map = JSON.parse(readFileSync(`${root}/${file}`, "utf8"));
  const withoutPackages = (text, index) => (map.sources[index].includes("node_modules/") ? null : text);
  writeFileSync(
    `${root}/${file}`,
    JSON.stringify({ ...map, sourcesContent: map.sourcesContent.map(withoutPackages) }),
  );
}
// Code that runs inside realms is bundled together with the user's code at run time: each file stays a module. Their
// imports determine the files, so that none can be missing.
const inside = {
  absWorkingDir: root,
  format: "esm",
  target: "node20",
  logLevel: "warning",
  // `require` there is bundled with the rest later, as a call that the bundler recognises.
  logOverride: { "unsupported-require-call": "silent" },
};
const closureOf = async (entryPoints) =>
  (
    await build({
      ...inside,
      entryPoints,
      outdir: "unused",
      bundle: true,
      write: false,
      metafile: true,
      external: ["node:*"],
    })
  ).metafile;
const filesIn = (folder) =>
  readdirSync(`${root}/${folder}`)
    .filter((name) => /\.[jt]s$/.test(name) && !name.endsWith(".d.ts"))
    .map((name) => `${folder}/${name}`);
const folders = ["world", "builtins", "devices", "tracking", "collect", "machines"].map(
  (name) => `src/code/${name}`,
);
const { inputs } = await closureOf([
  ...folders.flatMap(filesIn),
  ...["node-runtime", "define", "refine"].map((name) => `src/code/system/${name}.ts`),
]);
await build({ ...inside, entryPoints: Object.keys(inputs), outdir: "dist.new/inside", outbase: "src" });
// Fails if an import of a built file has no target.
await closureOf(
  readdirSync(`${fresh}/inside`, { recursive: true })
    .filter((file) => file.endsWith(".js"))
    .map((file) => join("dist.new/inside", file)),
);
const page = await buildPage(`${fresh}/explorer`);
writeFileSync(
  `${fresh}/THIRD-PARTY-LICENSES.txt`,
  `${licenceTexts([...Object.keys(bundles.inputs), ...Object.keys(inputs), ...page], root)}\n`,
);
writeFileSync(`${fresh}/everypath.1`, execFileSync(process.execPath, [`${fresh}/cli/index.js`, "man"]));
chmodSync(`${fresh}/cli/index.js`, 0o755);
// The old build stays until the new one is complete.
rmSync(`${root}/dist`, { recursive: true, force: true });
renameSync(fresh, `${root}/dist`);
