/** The command line, bundled from the current sources, in a separate process. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";
import type * as Library from "../../src/index.js";
import type { CheckJson, ExecutionJson } from "../../src/report/index.js";
import { inRepository } from "../repository.js";
import { problemsIn } from "./valid-json.js";

export interface CliResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Standard output as JSON; throws if it is not exactly one value. */
  json<T = CheckJson & ExecutionJson>(): T;
}

export interface CliRun {
  readonly input?: string;
  readonly env?: Record<string, string>;
  /** Receives the running process, for signals. */
  readonly meanwhile?: (
    signal: (name: NodeJS.Signals) => void,
    stderr: () => string,
    pid: number,
  ) => Promise<void>;
}

export interface Cli {
  run(args: readonly string[], options?: CliRun): Promise<CliResult>;
  /** Writes a file into the working folder of commands; returns its name. */
  write(name: string, text: string): string;
  /** Output of a pipe in that folder. */
  reads(pipe: string): Promise<string>;
  /** Working folder of commands. */
  readonly directory: string;
  /** The bundled script. */
  readonly script: string;
}

/** Builds before the tests of a suite; cleans up afterwards. */
export function useCli(): Cli {
  const root = newRoot();
  const directory = join(root, "work");
  mkdirSync(directory);
  // Slow on a busy machine.
  beforeAll(() => bundle(join(root, "bin")), 120_000);
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return {
    directory,
    script: join(root, "bin/index.js"),
    reads: (pipe) => readFile(join(directory, pipe), "utf8"),
    write(name, text) {
      writeFileSync(join(directory, name), text);
      return name;
    },
    run: (args, options = {}) => runCli(join(root, "bin/index.js"), args, directory, options),
  };
}

/** The library, bundled likewise: threads run JavaScript files. */
export function useLibrary(): () => typeof Library {
  let library: typeof Library;
  const root = newRoot();
  beforeAll(async () => {
    await bundle(join(root, "library"), "src/index.ts");
    library = (await import(pathToFileURL(join(root, "library/index.js")).href)) as typeof Library;
  }, 120_000);
  afterAll(() => rmSync(root, { recursive: true, force: true }));
  return () => library;
}

function newRoot(): string {
  const cache = inRepository("node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, "everypath-cli-"));
}

/** Includes the child program in a sibling folder, as in the package. */
export async function bundle(outdir: string, entry = "src/cli/index.ts"): Promise<void> {
  const name = basename(outdir);
  await build({
    entryPoints: {
      [`${name}/index`]: inRepository(entry),
      child: inRepository("src/child.ts"),
    },
    outdir: dirname(outdir),
    chunkNames: `${name}/[name]-[hash]`,
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "error",
    // esbuild contains a native program; TypeScript is large.
    external: ["esbuild", "typescript"],
    // commander is CommonJS and requires Node's modules.
    banner: {
      js: 'import { createRequire as nodeRequire } from "node:module"; const require = nodeRequire(import.meta.url);',
    },
  });
}

/** A result that the schema does not describe is an error of every test that reads it. */
function validJson(args: readonly string[], stdout: string): unknown {
  const value: unknown = JSON.parse(stdout);
  const problems = problemsIn(value);
  if (problems.length > 0)
    throw new Error(`everypath ${args.join(" ")}: not as \`everypath schema\` says: ${problems.join("; ")}`);
  return value;
}

function runCli(script: string, args: readonly string[], cwd: string, options: CliRun): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, EVERYPATH_ROOT: inRepository("."), ...options.env };
    const child = spawn(process.execPath, [script, ...args], { cwd, env });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", (exitCode) =>
      resolve({ exitCode, stdout, stderr, json: <T>() => validJson(args, stdout) as T }),
    );
    child.stdin.end(options.input ?? "");
    options
      .meanwhile?.(
        (name) => void child.kill(name),
        () => stderr,
        child.pid!,
      )
      .catch(reject);
  });
}
