/**
 * Starts the process in which code under test runs.
 *
 * Three mechanisms restrict the process: `../code/isolation` inside it, limits of the operating system (memory, no writes to files),
 * and Node's permission model if the code needs no inspector, which that model disables. Nodes need the inspector to distinguish
 * closures. The parent bundles, because the bundler is a process.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { childProgram } from "./child-program.js";
import { defaultMemoryBytes } from "./memory.js";

export interface Limits {
  /** Time without a sign of life after which the process counts as hanging: 20 s. */
  readonly hangMs?: number;
  /** Limit of the JavaScript heap; absent: Node's default, or slightly more than the budget of the search. */
  readonly heapMb?: number;
}

export interface Start extends Limits {
  /** The memory budget of the search. */
  readonly memoryBytes?: number | undefined;
  /** The search stores states in files, so the process may write. */
  readonly writes?: boolean;
  readonly stdin?: "inherit" | "pipe";
  /** It runs no code but our own: nothing is restricted. */
  readonly isOurs?: boolean;
  /** Node's permission model; excludes the inspector and threads. */
  readonly permission?: Permission;
}

export interface Permission {
  /** Limit of processor time, which ends an orphaned process: no thread can watch for the parent. Infinite: none. */
  readonly processorSeconds: number;
}

export async function startChild(start: Start): Promise<ChildProcess> {
  // Node resolves links before it checks read permission.
  const file = realpathSync(await childProgram());
  const args = [
    ...heapFlag(start),
    ...(start.isOurs ? OUR_FLAGS : FLAGS),
    ...permissionFlags(start, file),
    file,
    String(process.pid),
  ];
  const [command, all] = limited(process.execPath, args, start);
  const output = start.stdin ? "pipe" : "ignore";
  return spawn(command, all, {
    stdio: [start.stdin ?? "ignore", output, "pipe", "ipc", "pipe"],
    serialization: "advanced",
    // The same zone and language on every machine.
    env: start.isOurs
      ? process.env
      : { TZ: "UTC", LANG: "en_US.UTF-8", LC_ALL: "en_US.UTF-8", ...ownVariables() },
  });
}

/** No code from strings, in any realm: the constructors of a leaked host object could create some. */
const OUR_FLAGS = ["--no-warnings"];
const FLAGS = ["--no-addons", "--no-warnings", "--disallow-code-generation-from-strings"];

function permissionFlags({ permission }: Start, file: string): string[] {
  if (!permission) return [];
  const flag = process.allowedNodeEnvironmentFlags.has("--permission")
    ? "--permission"
    : "--experimental-permission";
  // Realms of schedules are short-lived: a larger young generation frees most of them without promotion.
  return [flag, `--allow-fs-read=${dirname(file)}`, "--max-semi-space-size=32"];
}

const ownVariables = (): Record<string, string> => {
  const root = process.env["EVERYPATH_ROOT"];
  return root === undefined ? {} : { EVERYPATH_ROOT: root };
};

function heapFlag({ heapMb, memoryBytes }: Start): string[] {
  const wanted = heapMb ?? (memoryBytes === undefined ? undefined : Math.ceil(memoryBytes / 2 ** 20) + 512);
  return wanted === undefined ? [] : [`--max-old-space-size=${wanted}`];
}

/**
 * Limits of the operating system, if supported: on memory outside Node's heap, such as typed arrays, on writes to files, and on
 * processor time.
 */
function limited(command: string, args: readonly string[], start: Start): [string, string[]] {
  if (process.platform === "win32" || start.isOurs) return [command, [...args]];
  const { heapMb, memoryBytes, writes, permission } = start;
  const granted = heapMb === undefined ? (memoryBytes ?? defaultMemoryBytes()) : heapMb * 2 ** 20;
  const data = `ulimit -d ${Math.ceil(granted / 512) + 2 ** 20} 2>/dev/null;`;
  const files = writes ? "" : "ulimit -f 0 2>/dev/null;";
  const seconds = permission?.processorSeconds ?? Infinity;
  const time = Number.isFinite(seconds) ? `ulimit -t ${seconds} 2>/dev/null;` : "";
  return ["/bin/sh", ["-c", `${data} ${files} ${time} exec "$@"`, "sh", command, ...args]];
}
