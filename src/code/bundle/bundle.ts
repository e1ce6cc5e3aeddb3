/**
 * Bundles the user's files and their packages into one script for a realm.
 *
 * Node's modules become modules that run inside the realm, or refusals by name (`node-modules.ts`); every `import()`
 * becomes a call within the script; modules stay strict and may use top-level `await`.
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Script } from "node:vm";
import { build, type BuildFailure, type Message, type Metafile, type Plugin } from "esbuild";
import { withQueues } from "./async-generators.js";
import type { Diagnostic } from "../../model/index.js";
import { hasDeferred, usesGlobals, withoutDeferred } from "./deferred.js";
import { insideFile, isInsideFile } from "./inside-files.js";
import { nodeModules } from "./node-modules.js";
import { offsetIn } from "./offset.js";
import { viteImports } from "./vite-imports.js";

export interface BundleRequest {
  /** Text of the entry, which imports the user's files: `import * as file from "./queue.ts"; …`. */
  readonly entry: string;
  /** Base of the entry's imports. */
  readonly directory: string;
  /** Replacement files for modules, by import specifier (relative paths made absolute). */
  readonly replaced?: Readonly<Record<string, string>>;
  /** Aliases of the project's configuration: a name or prefix, with its replacement. */
  readonly aliases?: readonly { readonly find: string | RegExp; readonly replacement: string }[];
  /** Names of constants, as JSON. */
  readonly defines?: Readonly<Record<string, string>>;
  /** Additional values of `import.meta.env`. */
  readonly env?: Readonly<Record<string, string>>;
  readonly format?: "module" | "commonjs";
  /**
   * `function` (the default): wraps the script into a function. `script`: bindings of all modules are global names of
   * the realm, and private fields are stored in weak maps, so that all state is visible.
   */
  readonly scope?: "function" | "script";
  readonly plugins?: readonly Plugin[];
  /** Further conditions of the `exports` of packages. */
  readonly conditions?: readonly string[];
  /** Never adds Node's names to the global object, whose classes are not data. Names that code uses are still there. */
  readonly isBare?: boolean;
  /** Unsaved text of a file, given by its absolute path. */
  readonly unsaved?: { readonly file: string; readonly text: string };
}

export interface Bundle {
  /** Absent if there are errors. */
  readonly script: string | undefined;
  readonly map: string;
  readonly files: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function bundle(request: BundleRequest): Promise<Bundle> {
  try {
    const first = await buildOnce(request, plainly);
    const needs = needsOf(request, first.metafile);
    const result = needs === plainly ? first : await buildOnce(request, needs);
    const built = result.outputFiles.find(({ path }) => path.endsWith(".js"))!.text;
    const code = needs.lowersAsync ? withQueues(built) : built; // sound: test/code/conditions.test.ts
    const map = result.outputFiles.find(({ path }) => path.endsWith(".map"))!.text;
    const files = Object.keys(result.metafile.inputs).filter((name) => isUsers(name));
    const script =
      request.scope === "script" ? `"use strict";${code}\n;0` : wrap(code, request.format ?? "module");
    return { script, map, files, diagnostics: [] };
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    return {
      script: undefined,
      map: "{}",
      files: [],
      diagnostics: error.errors.map((m) => toDiagnostic(m, request)),
    };
  }
}

const visiblePrivates = Object.fromEntries(
  ["accessor", "brand-check", "field", "method", "static-accessor", "static-field", "static-method"].map(
    (kind) => [`class-private-${kind}`, false],
  ),
);

/** Features with a cost, enabled on demand. */
interface Needs {
  /**
   * Values of AsyncLocalStorage must follow `await`, which is unobservable in native functions: they become generators
   * with the same number of promise jobs.
   */
  readonly lowersAsync: boolean;
  /** Inserts global names of Node where they are used. */
  readonly putsGlobals: boolean;
  /** Also adds them to the global object. */
  readonly fillsGlobal: boolean;
  readonly hasWebSockets: boolean;
  readonly hasDeferred: boolean;
}

/** The first bundle, which determines the further needs. */
const plainly: Needs = {
  lowersAsync: false,
  putsGlobals: true,
  fillsGlobal: false,
  hasWebSockets: false,
  hasDeferred: false,
};

function needsOf({ directory, isBare = false }: BundleRequest, metafile: Metafile): Needs {
  const inputs = Object.keys(metafile.inputs);
  const fillsGlobal = !isBare && inputs.some((name) => mentions(directory, name, /\b(globalThis|global)\b/));
  const needs: Needs = {
    lowersAsync: inputs.some((name) => /builtins\/async_hooks\.[jt]s$/.test(name)),
    putsGlobals: fillsGlobal || usesGlobals(metafile),
    fillsGlobal,
    hasWebSockets: inputs.some((name) => mentions(directory, name, /\bWebSocket\b/)),
    hasDeferred: hasDeferred(metafile),
  };
  const { lowersAsync, hasWebSockets } = needs;
  return lowersAsync || fillsGlobal || hasWebSockets || needs.hasDeferred ? needs : plainly;
}

/**
 * `globalThis.AbortController`, `const { URL } = global`: bundlers cannot resolve these names, so any mention counts.
 */
function mentions(directory: string, input: string, what: RegExp): boolean {
  const file = resolve(directory, input);
  if (isInsideFile(file) || !existsSync(file)) return false;
  return what.test(readFileSync(file, "utf8"));
}

const fillGlobal = ({ fillsGlobal, hasWebSockets }: Needs): string =>
  [
    ...(fillsGlobal ? [`import * as all from ${JSON.stringify(insideFile("builtins/globals"))};`] : []),
    ...(hasWebSockets
      ? [`import { WebSocket } from ${JSON.stringify(insideFile("builtins/web-socket"))};`]
      : []),
    `const values = { ${fillsGlobal ? "...all," : ""} ${hasWebSockets ? "WebSocket" : ""} };`,
    // If bindings of modules are global names, bundled ones already exist.
    "for (const name in values) if (Object.getOwnPropertyDescriptor(globalThis, name)?.configurable ?? true)",
    "  Object.defineProperty(globalThis, name, { value: values[name], writable: true, configurable: true });",
  ].join("\n");

const buildOnce = (request: BundleRequest, needs: Needs) => {
  const environment = JSON.stringify({ ...viteEnvironment, ...request.env });
  return build({
    stdin: {
      contents: `${needs.fillsGlobal || needs.hasWebSockets ? `import "${fillGlobalName}";` : ""}${request.entry}\nexport {};`,
      resolveDir: request.directory,
      sourcefile: entryName,
      loader: "ts",
    },
    absWorkingDir: request.directory,
    bundle: true,
    write: false,
    outfile: "bundle.js",
    sourcemap: "external",
    sourcesContent: false,
    metafile: true,
    format: "esm",
    platform: "node",
    target: "node20",
    // Selects the Node variant of packages.
    mainFields: ["main", "module"],
    conditions: ["node", ...(request.conditions ?? [])],
    supported: {
      "dynamic-import": false,
      ...(request.scope === "script" ? visiblePrivates : {}),
      ...(needs.lowersAsync ? { "async-await": false, "async-generator": false, "for-await": false } : {}),
    },
    keepNames: false,
    legalComments: "none",
    logLevel: "silent",
    inject: [...(needs.putsGlobals ? ["globals"] : []), "import-meta"].map((name) =>
      insideFile(`builtins/${name}`),
    ),
    define: {
      "import.meta": "everypathImportMeta",
      "import.meta.url": JSON.stringify("file:///main.js"),
      "import.meta.env": environment,
      everypathEnvironment: JSON.stringify(environment),
      __filename: JSON.stringify("/main.js"),
      __dirname: JSON.stringify("/"),
      ...request.defines,
    },
    plugins: [
      ...(request.plugins ?? []),
      ...(request.unsaved ? [unsavedText(request.unsaved)] : []),
      ...(needs.hasDeferred ? [] : [withoutDeferred]),
      globalFiller(needs),
      replacements(request),
      viteImports(request.directory),
      nodeModules(),
    ],
  });
};

/** `import.meta.env` in tests. */
const viteEnvironment = { MODE: "test", DEV: true, PROD: false, SSR: true, BASE_URL: "/", VITEST: "true" };

const unsavedText = ({ file, text }: NonNullable<BundleRequest["unsaved"]>): Plugin => ({
  name: "everypath-unsaved",
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, ({ path }) =>
      path === file ? { contents: text, loader: /\.[cm]?tsx?$/.test(file) ? "ts" : "js" } : undefined,
    );
  },
});

const fillGlobalName = "everypath-global-object";

/** Evaluated before the entry's imports. */
const globalFiller = (needs: Needs): Plugin => ({
  name: fillGlobalName,
  setup(pluginBuild) {
    const filter = new RegExp(`^${fillGlobalName}$`);
    pluginBuild.onResolve({ filter }, ({ path }) => ({ path, namespace: fillGlobalName }));
    pluginBuild.onLoad({ filter, namespace: fillGlobalName }, () => ({
      contents: fillGlobal(needs),
      resolveDir: "/",
    }));
  },
});

export const entryName = "everypath-entry.ts";

/**
 * On one line before the code, so that lines in stacks are lines of the source map. A CommonJS entry runs
 * `process.nextTick` callbacks before promise jobs, a module after them.
 */
function wrap(code: string, format: "module" | "commonjs"): string {
  const ticks = format === "commonjs" ? `${mailbox}.tick();` : "";
  const plain = `(()=>{${prologue}${code}\n${ticks}})();0`;
  try {
    new Script(plain);
    return plain;
  } catch {
    // Top-level `await`: the file is loaded when it completes.
    return `${mailbox}.loading(true);(async()=>{${prologue}${code}\n})().finally(()=>${mailbox}.loading(false));0`;
  }
}

const mailbox = 'globalThis[Symbol.for("everypath.mailbox")]';
const prologue =
  '"use strict";const require=(name)=>{throw new Error(`require(${JSON.stringify(name)}) cannot be resolved when the program runs`)};';

const isUsers = (name: string): boolean =>
  !name.includes("node_modules/") && !name.includes(":") && !name.endsWith(entryName);

function replacements({ replaced = {}, aliases = [] }: BundleRequest): Plugin {
  return {
    name: "everypath-replacements",
    setup(pluginBuild) {
      pluginBuild.onResolve({ filter: /.*/ }, async (args) => {
        const written = args.path.startsWith(".") ? resolve(args.resolveDir, args.path) : args.path;
        const file = Object.hasOwn(replaced, written) ? replaced[written] : undefined;
        if (file !== undefined) return { path: file };
        if (args.pluginData === aliased) return undefined;
        const path = withAlias(args.path, aliases);
        if (path === args.path) return undefined;
        const { importer, resolveDir, kind } = args;
        return pluginBuild.resolve(path, { importer, resolveDir, kind, pluginData: aliased });
      });
    },
  };
}

/** Marks a path with a resolved alias, to prevent recursion. */
const aliased = Symbol("aliased");

function withAlias(path: string, aliases: NonNullable<BundleRequest["aliases"]>): string {
  for (const { find, replacement } of aliases) {
    if (typeof find !== "string") {
      if (find.test(path)) return path.replace(find, replacement);
    } else if (path === find || path.startsWith(`${find}/`)) return replacement + path.slice(find.length);
  }
  return path;
}

const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && Array.isArray((error as Partial<BuildFailure>).errors);

function toDiagnostic(message: Message, { directory, unsaved }: BundleRequest): Diagnostic {
  const { location, text, detail } = message;
  const file = location?.file ?? "";
  const path = resolve(directory, file);
  const start = location
    ? offsetIn(path, location.line, location.column, path === unsaved?.file ? unsaved.text : undefined)
    : 0;
  const { code = "code/bundle", hint } = (detail ?? {}) as { code?: string; hint?: string };
  return {
    code,
    severity: "error",
    message: text,
    span: { file, start, end: start + (location?.length ?? 0) },
    ...(hint === undefined ? {} : { hint }),
  };
}
