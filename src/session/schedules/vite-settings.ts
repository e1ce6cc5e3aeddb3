/** Import settings of the project's Vite configuration, for bundling a test file a second time. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { BundleRequest } from "../../code/bundle/index.js";

export interface ProjectSettings extends Required<Pick<BundleRequest, "aliases" | "defines" | "env">> {
  readonly setupFiles: readonly string[];
  /** A global setup runs once before all test files. */
  readonly hasGlobalSetup: boolean;
}

export async function projectSettings(testFile: string): Promise<ProjectSettings> {
  const config = configOf(testFile);
  if (config === undefined)
    return { aliases: [], setupFiles: [], hasGlobalSetup: false, defines: {}, env: {} };
  let settings = known.get(config);
  if (!settings) known.set(config, (settings = read(config)));
  return settings;
}

const known = new Map<string, Promise<ProjectSettings>>();

function configOf(file: string): string | undefined {
  const names = ["vitest.config", "vite.config"].flatMap((name) =>
    ["ts", "mts", "js", "mjs", "cts", "cjs"].map((extension) => `${name}.${extension}`),
  );
  for (let at = dirname(file); at !== dirname(at); at = dirname(at)) {
    const found = names.map((name) => join(at, name)).find(existsSync);
    if (found !== undefined) return found;
    if (existsSync(join(at, "package.json"))) return undefined;
  }
  return undefined;
}

interface Loaded {
  readonly config: {
    readonly define?: Record<string, unknown>;
    readonly envDir?: string | false;
    readonly envPrefix?: string | string[];
    readonly resolve?: { readonly alias?: Alias[] | Record<string, string> };
    readonly test?: {
      readonly alias?: Alias[] | Record<string, string>;
      readonly setupFiles?: string | string[];
      readonly globalSetup?: string | string[];
      readonly env?: Record<string, string>;
    };
  };
}

interface Alias {
  readonly find: string | RegExp;
  readonly replacement: string;
}

async function read(config: string): Promise<ProjectSettings> {
  const root = dirname(config);
  // The project's Vite, or Vitest's.
  const fromProject = createRequire(config);
  const vite =
    resolveFrom(fromProject, "vite") ?? resolveFrom(createRequire(fromProject.resolve("vitest")), "vite")!;
  const { loadConfigFromFile, loadEnv } = (await import(pathToFileURL(vite).href)) as {
    loadConfigFromFile(env: object, file: string, root: string): Promise<Loaded | null>;
    loadEnv(mode: string, directory: string, prefixes?: string | string[]): Record<string, string>;
  };
  const loaded = await loadConfigFromFile({ command: "serve", mode: "test" }, config, root);
  const { resolve: resolving, test, define, envDir, envPrefix } = loaded?.config ?? {};
  const fromFiles = envDir === false ? {} : loadEnv("test", resolve(root, envDir ?? ""), envPrefix);
  return {
    aliases: [...aliasesOf(test?.alias), ...aliasesOf(resolving?.alias)],
    defines: definesOf(define),
    env: { ...fromFiles, ...test?.env },
    hasGlobalSetup: [test?.globalSetup ?? []].flat().length > 0,
    setupFiles: [test?.setupFiles ?? []].flat().map((file) => resolve(root, file)),
  };
}

function resolveFrom(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name).replace(/index\.cjs$/, "dist/node/index.js");
  } catch {
    return undefined;
  }
}

/** Strings are expressions, other values are literals. */
const definesOf = (define: Record<string, unknown> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(define).map(([name, value]) => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );

const aliasesOf = (alias: Alias[] | Record<string, string> | undefined): Alias[] =>
  Array.isArray(alias)
    ? alias
    : Object.entries(alias ?? {}).map(([find, replacement]) => ({ find, replacement }));
