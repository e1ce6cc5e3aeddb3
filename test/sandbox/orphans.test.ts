/** A command that is ended by force leaves nothing behind, also where the code never gives its thread back. */
import { readFileSync, readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { useCli } from "../cli/built-cli.js";
import { inRepository } from "../repository.js";

const cli = useCli();

// The numbers of processes are read where the system shows them.
const isLinux = process.platform === "linux";
const title = (name: string): string =>
  `SIGKILL while ${name} runs${isLinux ? "" : ": skipped, needs /proc"}`;

for (const [name, ...options] of [["endless-condition.ts"], ["endless-late.ts", "--workers", "2"]] as const)
  test.skipIf(!isLinux)(title(name), { timeout: 60_000 }, async () => {
    const file = inRepository(`test/fixtures/code/system-escapes/${name}`);
    let child = 0;
    await cli.run(["check", file, ...options], {
      meanwhile: async (signal, _, pid) => {
        child = await busyChildOf(pid);
        signal("SIGKILL");
      },
    });
    expect(child).toBeGreaterThan(0);
    await until(() => !isThere(child));
  });

/** The process of the code, once it has used its processor for a while. */
async function busyChildOf(parent: number): Promise<number> {
  let found: number | undefined;
  await until(() => {
    found = descendantsOf(parent).find(
      (pid) => commandOf(pid).includes("sandbox/child") && ticksOf(pid) > 150,
    );
    return found !== undefined;
  });
  return found!;
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (isTrue()) return;
    await sleep(50);
  }
  expect.fail("it did not come about within 25 s");
}

/** The command watches a process, which starts the one of the code. */
const descendantsOf = (parent: number): number[] =>
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
const ticksOf = (pid: number): number => Number(statOf(pid)[11] ?? 0);

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** One that has ended and was not asked for yet is gone. */
const isThere = (pid: number): boolean => !["Z", undefined].includes(statOf(pid)[0]);
