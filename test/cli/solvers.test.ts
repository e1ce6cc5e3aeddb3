/** Solvers that fail, seen from the command line: `unknown` with the reason and fitting advice, exit 2, nothing left running. */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { inRepository } from "../repository.js";
import { isInstalled } from "../../src/solvers/index.js";
import type { CheckJson } from "../../src/report/index.js";
import { useCli } from "./built-cli.js";
import { descendantsOf } from "./processes.js";

const cli = useCli();
/** Its queries need a solver. */
const mesi = inRepository("test/fixtures/gcl/conformance/mesi-symbolic.gcl");
const routes = inRepository("examples/declarative/routes.ndlog");

interface Ended {
  readonly exitCode: number | null;
  readonly reason: string;
  readonly advice: string;
}

/** `before`: shell commands, such as limits. `meanwhile`: with the processes of the command while it runs. */
async function check(
  args: readonly string[],
  {
    before = ":",
    folder = "",
    meanwhile,
  }: { before?: string; folder?: string; meanwhile?: (pids: number[]) => boolean },
): Promise<Ended> {
  const mark = `everypath-mark-${process.pid}-${Math.random()}`;
  const env = {
    ...process.env,
    EVERYPATH_ROOT: inRepository("."),
    EVERYPATH_MARK: mark,
    PATH: `${folder === "" ? "" : `${folder}:`}${process.env["PATH"] ?? ""}`,
  };
  const command = `${before}; exec "$0" "$@"`;
  const child = spawn("sh", ["-c", command, process.execPath, cli.script, "check", ...args, "--json"], {
    env,
  });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const timer = meanwhile
    ? setInterval(() => {
        if (meanwhile(descendantsOf(child.pid ?? 0))) clearInterval(timer);
      }, 20)
    : undefined;
  const exitCode = await new Promise<number | null>((resolve) => child.on("close", resolve));
  clearInterval(timer);
  // A killed process needs a moment to disappear.
  for (let i = 0; i < 50 && marked(mark).length > 0; i++)
    await new Promise((resolve) => setTimeout(resolve, 100));
  expect(marked(mark)).toEqual([]);
  const { verdict, properties } = JSON.parse(output) as CheckJson;
  expect(verdict).toBe("unknown");
  return { exitCode, reason: properties[0]?.reason ?? "", advice: properties[0]?.advice ?? "" };
}

/** Processes that inherited the mark of a command, whoever their parent is now. */
const marked = (mark: string): string[] =>
  readdirSync("/proc").filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, "utf8").includes(mark);
    } catch {
      return false;
    }
  });

/** A folder with a `z3` that runs this script. */
function pretend(name: string, script: string): string {
  const folder = join(cli.directory, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, "z3"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "z3"), 0o755);
  return folder;
}

describe.skipIf(process.platform !== "linux")("unknown, exit 2, nothing left running", () => {
  const inputs = [
    ["guarded commands", [mesi, "--engine", "ase"]],
    ["horn clauses", [mesi, "--engine", "chc"]],
    ["NDLog", [routes]],
  ] as const;

  describe.each(inputs)("%s", (_, args) => {
    test("the solver hangs", { timeout: 240_000 }, async () => {
      const folder = pretend("hangs", "exec sleep 600");
      const ended = await check([...args, "--solver", "native", "--time", "2s"], { folder });
      expect(ended.exitCode).toBe(2);
      expect(ended.reason).toMatch(/does not answer|time ran out/);
      expect(ended.advice).toContain("--time");
    });

    test("the solver is out of memory", { timeout: 240_000 }, async () => {
      const folder = pretend("exhausted", `echo '(error "out of memory")'; exit 101`);
      const ended = await check([...args, "--solver", "native", "--time", "5s"], { folder });
      expect(ended.exitCode).toBe(2);
      expect(ended.reason).toContain("out of memory");
      expect(ended.advice).toContain("--memory");
    });

    test("the address space is too small for the embedded solver", { timeout: 240_000 }, async () => {
      const ended = await check([...args, "--solver", "z3"], { before: "ulimit -v 8000000" });
      expect(ended.exitCode).toBe(2);
      expect(ended.reason).toContain("could not allocate memory");
      expect(ended.advice).toContain("ulimit -v");
    });

    test("the address space is too small for anything", { timeout: 240_000 }, async () => {
      const ended = await check([...args, "--solver", "z3"], { before: "ulimit -v 2000000" });
      expect(ended.exitCode).toBe(2);
      expect(ended.reason).toContain("memory");
    });

    test("the solver's process is killed", { timeout: 240_000 }, async () => {
      const folder = pretend("killed", "exec sleep 600");
      const kill = (pids: number[]): boolean =>
        pids.filter(isAsleep).map((pid) => process.kill(pid, "SIGKILL")).length > 0;
      const ended = await check([...args, "--solver", "native", "--time", "20s"], {
        folder,
        meanwhile: (pids) => (kill(pids), false),
      });
      expect(ended.exitCode).toBe(2);
      expect(ended.reason).toContain("was killed");
      expect(ended.advice).toContain("--solver");
    });
  });
});

const isAsleep = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "sleep";
  } catch {
    return false;
  }
};

test.skipIf(!isInstalled("z3") || process.platform !== "linux")(
  "a native solver without address space: unknown, exit 2",
  { timeout: 240_000 },
  async () => {
    const folder = pretend("limited", 'ulimit -v 20000; PATH="${PATH#*:}"; exec z3 "$@"');
    const ended = await check([routes, "--solver", "native", "--time", "20s"], { folder });
    expect(ended.exitCode).toBe(2);
    expect(ended.reason).toMatch(/memory|ended|killed|cannot be started/);
  },
);
