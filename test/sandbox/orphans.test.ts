/** A killed command leaves no processes behind, even if the code never yields its thread. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { useCli } from "../cli/built-cli.js";
import { commandOf, descendantsOf, isThere, ticksOf } from "../cli/processes.js";
import { inRepository } from "../repository.js";

const cli = useCli();

// Process numbers require /proc.
const isLinux = process.platform === "linux";
const title = (name: string): string =>
  `SIGKILL while ${name} runs${isLinux ? "" : ": skipped, needs /proc"}`;

for (const [name, ...options] of [["endless-condition.ts"], ["endless-late.ts", "--workers", "2"]] as const)
  test.skipIf(!isLinux)(title(name), { timeout: 240_000 }, async () => {
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

/** The process of the code, after it has used some CPU time. */
async function busyChildOf(parent: number): Promise<number> {
  let found: number | undefined;
  await until(() => {
    found = descendantsOf(parent).find((pid) => /\/child\.js\b/.test(commandOf(pid)) && ticksOf(pid) > 150);
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
