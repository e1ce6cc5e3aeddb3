// Takes the equality of Vitest's `expect`, and its asymmetric matchers, out of the installed package into one file that runs inside
// realms: `node scripts/vendor-equality.mjs`. All of the package would cost every realm several milliseconds. A test compares the
// file with this script's output for the installed package.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = join(root, "node_modules/@vitest/expect");
const names =
  "equals, iterableEquality, subsetEquality, typeEquality, sparseArrayEquality, arrayBufferEquality, isAsymmetric, isError";
const classes = "Any, Anything, ArrayContaining, CloseTo, ObjectContaining, StringContaining, StringMatching";

export async function vendoredEquality() {
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { outputFiles } = await build({
    stdin: { contents: `export { ${names}, ${classes} } from "@vitest/expect";`, resolveDir: root },
    bundle: true,
    write: false,
    format: "esm",
    target: "node20",
    legalComments: "inline",
    logLevel: "error",
    plugins: [slim],
  });
  const licence = readFileSync(join(folder, "LICENSE"), "utf8").trim();
  const header = `/* eslint-disable */\n// @ts-nocheck: JavaScript as it is in the package.\n/*!\n@vitest/expect ${version}: made by scripts/vendor-equality.mjs, do not edit.\n\n${licence}\n*/\n`;
  return header + outputFiles[0].text.replace(/^\/\/ (?:stub:|node_modules\/).*\n/gm, "");
}

/** Omits code that only the wording of messages needs. */
const slim = {
  name: "slim",
  setup({ onResolve, onLoad }) {
    onResolve(
      { filter: /^(chai|tinyrainbow|@vitest\/spy|@vitest\/utils\/(diff|display|error))$/ },
      ({ path }) => ({
        path,
        namespace: "stub",
        sideEffects: false,
      }),
    );
    onLoad({ filter: /.*/, namespace: "stub" }, () => ({
      contents:
        "export const [printDiffOrStringify, diff, stringify, isMockFunction, processError, use, util] = []; export default {};",
    }));
    onResolve({ filter: /^\.\.\/builtins\// }, ({ path }) => ({ path, external: true }));
    onLoad({ filter: /@vitest\/expect\/dist\/index\.js$/ }, ({ path }) => ({
      contents: `import { isUrl } from "../builtins/url-mark.js";\n${readFileSync(path, "utf8")
        // A realm that names the class has to make it.
        .replace('typeof URL === "function" && a instanceof URL && b instanceof URL', "isUrl(a) && isUrl(b)")
        .replace(/import \* as chai from 'chai';\nexport \{ chai \};/, "")
        // Asked for by matchers that this file does not have.
        .replace(/\tgetMatcherContext\(expect\) \{[^]*?\n\t\}\n/, "")
        .replace(/^if \(!Object\.hasOwn\(globalThis, MATCHERS_OBJECT\)\) \{[^]*?\n\}/m, "")
        .replace(
          /^AsymmetricMatcher\.prototype\[Symbol\.for\("chai\/inspect"\)\][^]*?\n\};/m,
          "",
        )}\nexport { CloseTo };`,
    }));
  },
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(join(root, "src/code/collect/vitest-equality.ts"), await vendoredEquality());
