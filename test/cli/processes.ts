/** Processes as Linux shows them. */
import { readFileSync, readdirSync } from "node:fs";

/** The command watches a process, which starts the one of the code. */
export const descendantsOf = (parent: number): number[] =>
  childrenOf(parent).flatMap((child) => [child, ...descendantsOf(child)]);

const childrenOf = (parent: number): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => statOf(pid)[1] === String(parent));

/** What follows the name of the program: the state, the parent and so on. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
  } catch {
    return [];
  }
}

/** Of user time, in hundredths of a second. */
export const ticksOf = (pid: number): number => Number(statOf(pid)[11] ?? 0);

export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** One that has ended and was not asked for yet is gone. */
export const isThere = (pid: number): boolean => !["Z", undefined].includes(statOf(pid)[0]);
