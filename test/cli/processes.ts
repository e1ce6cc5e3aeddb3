/** Processes in Linux's `/proc`. */
import { readFileSync, readdirSync } from "node:fs";

/** The command supervises a process, which starts the process of the code. */
export const descendantsOf = (parent: number): number[] =>
  childrenOf(parent).flatMap((child) => [child, ...descendantsOf(child)]);

const childrenOf = (parent: number): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statOf(pid)[1] === String(parent));

/** Fields after the program's name: state, parent and so on. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
  } catch {
    return [];
  }
}

/** User time in hundredths of a second. */
export const ticksOf = (pid: number): number => Number(statOf(pid)[11] ?? 0);

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** A zombie counts as gone. */
export const isThere = (pid: number): boolean => !["Z", undefined].includes(statOf(pid)[0]);
