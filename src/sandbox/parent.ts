/**
 * Starts the process in which code under test runs.
 *
 * What the process cannot do is taken away three times: by `../code/isolation` there, by limits of the operating system here (memory, no
 * byte into any file), and by Node's permission model where the code needs no inspector, which that model takes away as well. Nodes need
 * one, by which closures are told apart. The parent bundles, because the bundler is a process.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { childProgram } from "./child-program.js";
import { defaultMemoryBytes } from "./memory.js";

export interface Limits {
  /** A process that is silent for this time hangs: 20 s. */
  readonly hangMs?: number;
  /** Limit of the JavaScript heap; absent: Node's default, or slightly more than the budget of the search. */
  readonly heapMb?: number;
}

export interface Start extends Limits {
  /** The memory budget of the search. */
  readonly memoryBytes?: number | undefined;
  /** The search keeps states in files: it may write. */
  readonly writes?: boolean;
  readonly stdin?: "inherit" | "pipe";
  /** With Node's permission model: no inspector, and no threads either. */
  readonly permission?: Permission;
}

export interface Permission {
  /**
   * A process whose parent was ended by force ends after so long: there is no thread that could look for the parent. Not finite: never.
   */
  readonly processorSeconds: number;
}

export async function startChild(start: Start): Promise<ChildProcess> {
  // Node follows links before it asks for permission to read.
  const file = realpathSync(await childProgram());
  const args = [...heapFlag(start), ...FLAGS, ...permissionFlags(start, file), file, String(process.pid)];
  const [command, all] = limited(process.execPath, args, start);
  const output = start.stdin ? "pipe" : "ignore";
  return spawn(command, all, {
    stdio: [start.stdin ?? "ignore", output, "pipe", "ipc", "pipe"],
    serialization: "advanced",
    // The same zone and language on every machine.
    env: { TZ: "UTC", LANG: "en_US.UTF-8", LC_ALL: "en_US.UTF-8", ...ownVariables() },
  });
}

/** No code from strings, in any realm: the constructors of a leaked host object could create some. */
const FLAGS = ["--no-addons", "--no-warnings", "--disallow-code-generation-from-strings"];

function permissionFlags({ permission }: Start, file: string): string[] {
  if (!permission) return [];
  const flag = process.allowedNodeEnvironmentFlags.has("--permission")
    ? "--permission"
    : "--experimental-permission";
  // Realms of schedules are short-lived: with more room for what is young, most are gone before they are looked at.
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
 * The limits of the operating system, where it has such: on memory beside Node's own heap, such as that of typed arrays, on what is written
 * into files, and on processor time.
 */
function limited(command: string, args: readonly string[], start: Start): [string, string[]] {
  if (process.platform === "win32") return [command, [...args]];
  const { heapMb, memoryBytes, writes, permission } = start;
  const granted = heapMb === undefined ? (memoryBytes ?? defaultMemoryBytes()) : heapMb * 2 ** 20;
  const data = `ulimit -d ${Math.ceil(granted / 512) + 2 ** 20} 2>/dev/null;`;
  const files = writes ? "" : "ulimit -f 0 2>/dev/null;";
  const seconds = permission?.processorSeconds ?? Infinity;
  const time = Number.isFinite(seconds) ? `ulimit -t ${seconds} 2>/dev/null;` : "";
  return ["/bin/sh", ["-c", `${data} ${files} ${time} exec "$@"`, "sh", command, ...args]];
}
