/** Protocols of classes, learned in the locked process. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useCli } from "../cli/built-cli.js";

const folder = mkdtempSync(join(tmpdir(), "everypath-learned-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const cli = useCli();

const write = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
let reader: string;
beforeAll(() => {
  reader = write(
    "reader.ts",
    `export class Reader {
  #state: "closed" | "open" = "closed";
  #lines = 0;
  open(): void { if (this.#state !== "closed") throw new Error("open"); this.#state = "open"; this.#lines = 2; }
  read(): string { if (this.#state !== "open" || this.#lines === 0) throw new Error("no"); this.#lines--; return "x"; }
  async close(): Promise<void> { if (this.#state !== "open") throw new Error("closed"); this.#state = "closed"; this.#lines = 0; }
}
export class Counter {
  count = 0;
  add(by: number): void { if (by < 0) throw new Error("negative"); this.count += by; }
  done(): void { if (this.count < 3) throw new Error("early"); }
}
export class Coin {
  flip(): void { if (Math.random() > 0.5) throw new Error("tails"); }
}
export class Late {
  #due = false;
  start(): void { setTimeout(() => (this.#due = true), 10); }
  take(): void { if (!this.#due) throw new Error("early"); }
}
`,
  );
});

const learn = async (...args: string[]) => {
  const { exitCode, stdout, stderr } = await cli.run(["learn", reader, ...args]);
  return { exitCode, stdout, stderr };
};

test("a class whose states are captured: complete", { timeout: 120_000 }, async () => {
  const { exitCode, stdout } = await learn("--class", "Reader", "--json");
  const { protocol } = JSON.parse(stdout) as {
    protocol: { states: number; isComplete: boolean; edges: unknown[] };
  };
  expect([exitCode, protocol.states, protocol.isComplete, protocol.edges.length]).toEqual([0, 4, true, 6]);
  const aut = await learn("--class", "Reader", "--aut");
  expect(aut.stdout.split("\n")[0]).toBe("des (0, 6, 4)");
  const fsp = await learn("--class", "Reader", "--fsp");
  expect(fsp.stdout).toContain("PROTOCOL = Q0,");
});

test("an unbounded class: bounded, and exit code 2 unless accepted", { timeout: 120_000 }, async () => {
  const calls = ["--class", "Counter", "--call", "add(1)", "--call", "done()", "--max-states", "40"];
  const bounded = await learn(...calls);
  expect(bounded.exitCode, bounded.stderr).toBe(2);
  expect(bounded.stdout).toContain("bounded: all sequences of at most");
  expect((await learn(...calls, "--accept", "bounded")).exitCode).toBe(0);
});

test("what is no protocol is refused", { timeout: 120_000 }, async () => {
  for (const [args, text] of [
    [[], "--class chooses one"],
    [["--class", "Nobody"], "no class 'Nobody'"],
    [["--class", "Counter"], "need --call: add"],
    [["--class", "Counter", "--call", "less(1)"], "no method 'less'"],
    [["--class", "Late"], "timers"],
  ] as const) {
    const { exitCode, stderr, stdout } = await learn(...args);
    expect(exitCode, stdout + stderr).toBe(3);
    expect(stderr).toContain(text);
  }
  expect((await learn("--class", "Counter", "--call", "add")).exitCode).toBe(3);
});
