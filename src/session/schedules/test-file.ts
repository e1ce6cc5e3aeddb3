/** A test file as a script for realms: bundled again, with imports of the framework redirected to collectors. */
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  bundle,
  insideFile,
  SourceMapped,
  worldSource,
  type BundleRequest,
} from "../../code/bundle/index.js";
import type { Diagnostic } from "../../model/index.js";

export type Framework = "vitest" | "jest" | "node-test" | "code";

export interface TestFile {
  readonly file: string;
  readonly base: string;
  readonly script: string;
  readonly places: SourceMapped;
  /** Absolute paths of all bundled files. */
  readonly files: readonly string[];
}

export interface TestFileRequest {
  readonly file: string;
  readonly framework: Framework;
  readonly aliases?: BundleRequest["aliases"];
  readonly defines?: BundleRequest["defines"];
  readonly env?: BundleRequest["env"];
  /** Files that are evaluated before the tests. */
  readonly setupFiles?: readonly string[];
  /** The text to read instead of the file's. */
  readonly unsaved?: string;
}

export type LoadedTestFile = TestFile | { readonly diagnostics: readonly Diagnostic[] };

/** Caches the bundle until one of its files changes. */
export async function loadTestFile(request: TestFileRequest): Promise<LoadedTestFile> {
  const key = JSON.stringify([request.file, request.framework, request.setupFiles]);
  const known = loaded.get(key);
  // A text that is not saved has no date.
  if (request.unsaved !== undefined) return (await load(request)).result;
  if (known && known.files.every(([file, changed]) => changedAt(file) === changed)) return known.result;
  const { result, files } = await load(request);
  loaded.set(key, { result, files: files.map((file) => [file, changedAt(file)]) });
  return result;
}

const loaded = new Map<
  string,
  { result: Promise<LoadedTestFile> | LoadedTestFile; files: [string, number][] }
>();

const changedAt = (file: string): number => {
  try {
    return statSync(file).mtimeMs;
  } catch {
    return 0;
  }
};

async function load({ file, framework, setupFiles = [], ...settings }: TestFileRequest): Promise<{
  result: LoadedTestFile;
  files: readonly string[];
}> {
  const directory = projectOf(file);
  const bundled = await bundle({
    entry: entryOf(file, framework, setupFiles),
    directory,
    replaced: { ...replaced(), ...ourOwn() },
    format: "module",
    ...(settings.unsaved === undefined ? {} : { unsaved: { file, text: settings.unsaved } }),
    ...(settings.aliases ? { aliases: settings.aliases } : {}),
    ...(settings.defines ? { defines: settings.defines } : {}),
    ...(settings.env ? { env: settings.env } : {}),
  });
  const files = [file, ...bundled.files.map((name) => resolve(directory, name))];
  if (bundled.script === undefined) {
    const diagnostics = bundled.diagnostics.map((d) => ({
      ...d,
      span: { ...d.span, file: resolve(directory, d.span.file) },
    }));
    return { result: { diagnostics }, files };
  }
  const places = new SourceMapped(bundled.map, directory);
  return { result: { file, base: worldSource(), script: bundled.script, places, files }, files };
}

function entryOf(file: string, framework: Framework, setupFiles: readonly string[]): string {
  const name = (path: string): string => JSON.stringify(path);
  const globals =
    framework === "vitest" && usesGlobals(file)
      ? `import * as framework from ${name(collector("vitest"))}; Object.assign(globalThis, framework);`
      : framework === "jest"
        ? `import ${name(collector("jest"))};`
        : "";
  return [globals, ...[...setupFiles, file].map((path) => `import ${name(path)};`)].join("\n");
}

/** A file that imports nothing from Vitest may rely on its globals. Most do not, and save their cost. */
const usesGlobals = (file: string): boolean => !/\bfrom\s*["']vitest["']/.test(readFileSync(file, "utf8"));

const collector = (name: string): string => insideFile(`collect/${name}`);

/** Replaces every entry point: a framework's code finds no runner in a realm, and would count nothing. */
function replaced(): Record<string, string> {
  const everypath = collector("everypath");
  const doors = ["vitest", "jest", "node-test", "code"].map((door) => [`everypath/${door}`, everypath]);
  return {
    ...(Object.fromEntries(doors) as Record<string, string>),
    vitest: collector("vitest"),
    "@jest/globals": collector("jest"),
    "node:test": collector("node-test"),
  };
}

/** In the repository the doors are imported by path. */
function ourOwn(): Record<string, string> {
  const sources = resolve(dirname(insideFile("world/index")), "../../testing");
  const doors = ["vitest", "jest", "node-test", "code"];
  return Object.fromEntries(doors.map((door) => [join(sources, `${door}.js`), collector("everypath")]));
}

/** The folder with the nearest package.json: names in source maps and messages are relative to it. */
function projectOf(file: string): string {
  for (let at = dirname(file); at !== dirname(at); at = dirname(at))
    try {
      readFileSync(join(at, "package.json"));
      return at;
    } catch {
      continue;
    }
  return dirname(file);
}
