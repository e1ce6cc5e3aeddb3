/** The explorer, started by the bundled command line with its page, in a separate process. */
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll } from "vitest";
import { bundle } from "../cli/built-cli.js";
import { inRepository } from "../repository.js";

export interface Started {
  /** With the token. */
  readonly url: string;
  readonly origin: string;
  readonly token: string;
  readonly port: number;
  log(): string;
  /** Sends Ctrl-C; returns the exit code. */
  stop(): Promise<number | null>;
}

export interface Bench {
  /** Working folder of explorers. */
  readonly directory: string;
  write(name: string, text: string): string;
  /** Runs until the end of the test. */
  start(file: string, ...args: readonly string[]): Promise<Started>;
  /** Runs until the end of all tests. */
  keep(file: string): Promise<Started>;
}

/** `page`: built as for the package, or two stub files. */
export function useExplorer(page: "built" | "stub"): Bench {
  const cache = inRepository("node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const root = mkdtempSync(join(cache, "everypath-explorer-"));
  const directory = join(root, "work");
  mkdirSync(directory);
  const running: Started[] = [];
  const kept: Started[] = [];
  beforeAll(async () => {
    await Promise.all([bundle(join(root, "bin")), buildPage(page, join(root, "bin/explorer"))]);
  }, 120_000);
  afterEach(async () => {
    for (const started of running.splice(0)) await started.stop();
  }, HOOK_MS);
  afterAll(async () => {
    for (const started of kept) await started.stop();
    rmSync(root, { recursive: true, force: true });
  }, HOOK_MS);
  const begin = (file: string, args: readonly string[]): Promise<Started> =>
    startCli([join(root, "bin/index.js"), "explore", file, "--no-open", ...args], directory);
  return {
    directory,
    write(name, text) {
      writeFileSync(join(directory, name), text);
      return name;
    },
    async start(file, ...args) {
      const started = await begin(file, args);
      running.push(started);
      return started;
    },
    async keep(file) {
      const started = await begin(file, []);
      kept.push(started);
      return started;
    },
  };
}

/** Chromium and other suites run at the same time: threads may end late. */
const HOOK_MS = 60_000;

async function buildPage(page: "built" | "stub", folder: string): Promise<void> {
  if (page === "built") {
    await promisify(execFile)(process.execPath, [inRepository("scripts/build-page.mjs"), folder]);
    return;
  }
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>stub</title>");
  writeFileSync(join(folder, "assets/page.js"), "export {};");
}

function startCli(args: readonly string[], cwd: string): Promise<Started> {
  const env = { ...process.env, EVERYPATH_ROOT: inRepository(".") };
  const child = spawn(process.execPath, args, { cwd, env });
  let stdout = "";
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return new Promise((resolve, reject) => {
    child.on("exit", (code) => reject(new Error(`the explorer ended with ${code}: ${stderr}`)));
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      const [, url, origin, port, token] =
        /((http:\/\/127\.0\.0\.1:(\d+))\/#token=(\S+))\n/.exec(stdout) ?? [];
      if (url === undefined) return;
      const stop = (): Promise<number | null> => stopped(child);
      resolve({ url, origin: origin!, port: Number(port), token: token!, log: () => stderr, stop });
    });
  });
}

function stopped(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once("exit", resolve);
    child.kill("SIGINT");
  });
}
