/**
 * Disables dangerous operations for code that escapes from its realm: processes, threads, add-ons, the network, files
 * other than the listed ones. A thread has one instance of each Node module, so every later import receives the
 * replacement.
 *
 * Guards against mistakes, not against malice: isolation within one process cannot.
 */
import childProcess, { ChildProcess } from "node:child_process";
import cluster from "node:cluster";
import dgram from "node:dgram";
import dns from "node:dns";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { resolve, sep } from "node:path";
import v8 from "node:v8";
import workers, { type WorkerOptions } from "node:worker_threads";

export interface Lock {
  /** Readable files and folders, recursively. */
  readonly reads: readonly string[];
  /** Whether the search stores states in files. */
  readonly writes: boolean;
  /** Whether the search starts threads, from readable files only. */
  readonly threads: boolean;
}

export const lockOfThread = (): Lock | undefined => applied;

let applied: Lock | undefined;

export function lockDown(lock: Lock): void {
  if (applied) return;
  applied = lock;
  const { writes, threads } = lock;
  const reads = lock.reads.map((path) => resolve(path));
  refuseAll(childProcess, "child_process");
  refuseAll(cluster, "cluster");
  refuseAll(dns, "dns");
  refuseAll(dns.promises, "dns.promises");
  refuse(ChildProcess.prototype, "spawn", "child_process");
  refuse(net.Socket.prototype, "connect", "net.Socket");
  refuse(net.Server.prototype, "listen", "net.Server");
  for (const name of ["bind", "connect", "send"]) refuse(dgram.Socket.prototype, name, "dgram.Socket");
  for (const name of ["writeHeapSnapshot", "setHeapSnapshotNearHeapLimit"]) refuse(v8, name, "v8");
  for (const name of ["binding", "_linkedBinding", "dlopen", "kill", "chdir", "execve"])
    refuse(process, name, "process");
  refuse(process.report, "writeReport", "process.report");
  if (threads) lockThreads(reads);
  else refuse(workers, "Worker", "worker_threads");
  if (!writes) lockFiles(reads);
  syncBuiltinESMExports();
}

/** Allows the search's threads, which lock themselves before running any code. */
function lockThreads(reads: readonly string[]): void {
  const { Worker } = workers;
  put(
    workers,
    "Worker",
    class extends Worker {
      constructor(file: string | URL, options: WorkerOptions = {}) {
        const isOwn = !options.eval && !options.execArgv && isAmong(reads, pathOf(file));
        if (!isOwn) throw denied("worker_threads.Worker");
        super(file, options);
      }
    },
  );
}

const isAmong = (reads: readonly string[], path: string): boolean =>
  reads.some((read) => `${path}${sep}`.startsWith(`${read}${sep}`));

function lockFiles(reads: readonly string[]): void {
  const guarded = (owner: object, name: string): void => {
    const original = (owner as Functions)[name]!;
    const guard = function (this: unknown, path: unknown, ...rest: unknown[]): unknown {
      const isReading = !/open/i.test(name) || rest[0] === undefined || rest[0] === "r" || rest[0] === 0;
      if (isReading && isAmong(reads, pathOf(path))) return original.call(this, path, ...rest);
      throw denied(`fs.${name}`);
    };
    put(owner, name, Object.assign(guard, original));
  };
  for (const owner of [fs, fs.promises])
    for (const name of Object.keys(owner))
      if (!kept.has(name) && typeof (owner as unknown as Functions)[name] === "function") {
        if (reading.has(name)) guarded(owner, name);
        else refuse(owner, name, "fs");
      }
}

/** Paths may be strings or URLs. */
const pathOf = (path: unknown): string =>
  resolve(path instanceof URL ? decodeURIComponent(path.pathname) : String(path));

/** Functions that take paths; Node's module loader uses some of them. */
const reading = new Set(
  ["readFile", "stat", "lstat", "realpath", "access", "exists", "open", "readdir"].flatMap((name) => [
    name,
    `${name}Sync`,
  ]),
);

/** Functions on open files, and classes of results. */
const kept = new Set([
  "close",
  "closeSync",
  "read",
  "readSync",
  "fstat",
  "fstatSync",
  "Stats",
  "Dirent",
  "Dir",
]);

type Functions = Record<string, ((...all: unknown[]) => unknown) | undefined>;

function refuseAll(owner: object, what: string): void {
  for (const name of Object.keys(owner))
    if (typeof (owner as Functions)[name] === "function") refuse(owner, name, what);
}

/** Makes a function or constructor throw. */
function refuse(owner: object | undefined, name: string, what: string): void {
  if (!owner || !(name in owner)) return;
  put(owner, name, function () {
    throw denied(`${what}.${name}`);
  });
}

function put(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, configurable: false, writable: false, enumerable: true });
}

const denied = (what: string): Error =>
  Object.assign(new Error(`${what} is not there for code under test`), { code: "ERR_ACCESS_DENIED" });
