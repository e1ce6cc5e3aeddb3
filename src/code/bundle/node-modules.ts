/**
 * Node's modules: replaced by modules in `builtins` that run inside the realm; refused by name otherwise.
 *
 * Missing names, and missing modules, can be imported and are refused at use, because packages import much that they
 * never call. Such imports in the user's own files are refused before anything runs.
 */
import { builtinModules, createRequire } from "node:module";
import { buildSync, type PartialMessage, type Plugin } from "esbuild";
import { refusalOf } from "./node-catalogue.js";
import { hasInsideFile, insideFile, isInsideFile } from "./inside-files.js";
import { missingImports } from "./named-imports.js";
import { nth } from "../../model/known.js";

export function nodeModules(): Plugin {
  return {
    name: "everypath-node-modules",
    setup(build) {
      build.onResolve(
        { filter: /^(node:)?[a-z_0-9]+(\/[a-z_]+)*$/ },
        async ({ path, kind, importer, namespace }) => {
          const name = path.replace(/^node:/, "");
          if (!builtinModules.includes(name) && !path.startsWith("node:")) return undefined;
          const isImport = kind === "import-statement" && namespace === "file";
          if (isImport && isUsersFile(importer) && !isSupportedModule(name))
            return { errors: [unsupported(name)] }; // sound: test/code/bundle.test.ts
          const errors =
            isImport && isUsersFile(importer) ? await missingImports(importer, name, missingIn(name)) : [];
          if (errors.length > 0) return { errors }; // sound: test/code/refusals.test.ts
          const isRequired = kind === "require-call" && namespace !== required;
          return { path: name, namespace: isRequired ? required : provided, sideEffects: false };
        },
      );
      // The real package requires HTTP.
      build.onResolve({ filter: /^(isomorphic-)?ws$/ }, () => ({ path: insideFile("builtins/web-socket") }));
      build.onResolve({ filter: /\.node$/ }, ({ path }) => ({
        errors: [
          {
            text: `the native add-on ${path} cannot run inside a world`,
            detail: { code: "code/native-add-on" },
          },
        ],
      }));
      // `require` returns the default export, which is what `module.exports` is in Node: a class, a function, or an
      // object that code may change.
      build.onLoad({ filter: /.*/, namespace: required }, ({ path }) => ({
        contents: `module.exports = require("node:${path}").default;`,
        resolveDir: "/",
      }));
      build.onLoad({ filter: /.*/, namespace: provided }, ({ path }) => ({
        contents: moduleText(path),
        resolveDir: insideFile("builtins/x").replace(/\/x\.\w+$/, ""),
        loader: "ts",
      }));
    },
  };
}

const provided = "everypath-node";
const required = "everypath-node-required";

const isUsersFile = (file: string): boolean => !isInsideFile(file) && !/[\\/]node_modules[\\/]/.test(file);

const unsupported = (name: string): PartialMessage => ({
  text: `node:${name} is not supported: ${refusalOf(name) ?? "a world does not have it"}`,
  detail: {
    code: "code/not-supported",
    hint: "import() it where it is used, or move it to a separate module and replace that module",
  },
});

/** Whether a Node module is supported inside a world. */
export const isSupportedModule = (name: string): boolean => hasInsideFile(fileOf(name));

const fileOf = (name: string): string => `builtins/${name.replaceAll("/", "-")}`;

const texts = new Map<string, string>();

function moduleText(name: string): string {
  let text = texts.get(name);
  if (text === undefined) texts.set(name, (text = makeModuleText(name)));
  return text;
}

/** Names of Node's module that the replacement lacks. */
function missingIn(name: string): readonly string[] {
  const ours = exportedNames(name);
  return namesIn(name).filter((key) => !ours.includes(key) && isIdentifier(key));
}

const exported = new Map<string, readonly string[]>();

function exportedNames(name: string): readonly string[] {
  let names = exported.get(name);
  if (!names)
    exported.set(name, (names = isSupportedModule(name) ? exportsOf(insideFile(fileOf(name))) : []));
  return names;
}

function makeModuleText(name: string): string {
  const ours = exportedNames(name);
  const missing = missingIn(name);
  const from = JSON.stringify(insideFile(fileOf(name)));
  return [
    `import { completed, refused, replaced } from ${JSON.stringify(insideFile("builtins/refused"))};`,
    ...(ours.length > 0 ? [`export * from ${from};`] : []),
    ...missing.map(
      (key, i) => `const refused${i} = /* @__PURE__ */ refused(${JSON.stringify(`${name}.${key}`)});`,
    ),
    `export { ${missing.map((key, i) => `refused${i} as ${key}`).join(", ")} };`,
    ours.includes("default")
      ? `import ours from ${from}; const whole = ${completed(name, missing)}; export default whole; export { whole as "module.exports" };`
      : `const whole = /* @__PURE__ */ refused(${JSON.stringify(name)}); export default whole; export { whole as "module.exports" };`,
  ].join("\n");
}

/** The default export also contains the missing names. `process` is a single object. */
const completed = (name: string, missing: readonly string[]): string =>
  missing.length === 0 || name === "process"
    ? "ours"
    : `/* @__PURE__ */ completed(ours, { ${missing.map((key) => accessor(name, key)).join(", ")} })`;

function accessor(module: string, key: string): string {
  const [name, text] = [JSON.stringify(`${module}.${key}`), JSON.stringify(key)];
  return `get ${text}() { return refused(${name}); }, set ${text}(value) { replaced(this, ${text}, value); }`;
}

function exportsOf(file: string): readonly string[] {
  const { metafile } = buildSync({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: "esm",
    metafile: true,
    outfile: "x.js",
    platform: "neutral",
  });
  return nth(Object.values(metafile.outputs), 0).exports;
}

/** Exported names of Node's module; none if this version of Node lacks it. */
function namesIn(name: string): readonly string[] {
  try {
    const real = createRequire(import.meta.url)(`node:${name}`) as object;
    return Object.keys(real).filter((key) => key !== "default");
  } catch {
    return [];
  }
}

const isIdentifier = (key: string): boolean => /^[A-Za-z_$][\w$]*$/.test(key) && key !== "default";
