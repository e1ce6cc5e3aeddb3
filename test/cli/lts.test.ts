/** `everypath lts` and `everypath compare` from the command line. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { CompareJson } from "../../src/cli/compare.js";
import type { LtsResultJson } from "../../src/cli/lts.js";
import { inRepository } from "../repository.js";
import { useCli } from "./built-cli.js";

const cli = useCli();
beforeAll(() => {
  for (const folder of ["lts", "networks"])
    cpSync(inRepository(`examples/${folder}`), join(cli.directory, folder), { recursive: true });
});

describe("lts", () => {
  test("builds, minimises and writes a system", async () => {
    const built = await cli.run([
      "lts",
      "lts/as-built.vectors",
      "--minimise",
      "branching",
      "-o",
      "small.aut",
      "--aut",
    ]);
    expect(built).toMatchObject({ exitCode: 0, stdout: "" });
    const { stdout } = await cli.run(["lts", "small.aut"]);
    expect(stdout).toBe("small.aut: 3 states, 4 transitions, 2 visible labels\n");
    expect(await cli.run(["compare", "small.aut", "lts/as-built.vectors"])).toMatchObject({ exitCode: 0 });
  });

  test("prints JSON", async () => {
    const result = (await cli.run(["lts", "lts/core.aut", "--json"])).json<LtsResultJson>();
    expect(result).toMatchObject({ language: "lts", states: 3, initial: [0] });
    expect(result.transitions).toHaveLength(4);
  });

  test("refuses two formats and broken input", async () => {
    expect(await cli.run(["lts", "lts/core.aut", "--aut", "--dot"])).toMatchObject({
      exitCode: 3,
      stdout: "",
    });
    const broken = cli.write("broken.aut", "des (0, 1, 2)\n(0, a\n");
    const { exitCode, stderr } = await cli.run(["lts", broken]);
    expect(exitCode).toBe(3);
    expect(stderr).toMatch(/^broken\.aut:2:\d+: error\[aut\//);
  });

  test("a spent budget is unknown, and nothing is written", async () => {
    const result = await cli.run(["lts", "networks/ssh.sdn", "--max-states", "10", "--aut"]);
    expect(result).toMatchObject({ exitCode: 2 });
    expect(result.stdout).not.toMatch(/^des/m);
  });
});

describe("compare", () => {
  test.each([
    [["lts/as-built.vectors", "lts/refactored.vectors"], 0, "alike"],
    [["lts/as-built.vectors", "lts/refactored.vectors", "--relation", "strong"], 1, "different"],
    [["lts/checkout.pml", "lts/checkout-rewritten.pml"], 1, "different"],
    [["lts/checkout-rewritten.pml", "lts/checkout.pml", "--relation", "trace"], 0, "alike"],
    [["lts/checkout.pml", "lts/checkout-rewritten.pml", "--relation", "trace"], 1, "different"],
    [["networks/served.sdn", "networks/served.sdn", "--max-states", "5"], 2, "unknown"],
  ] as const)("%j", async (args, exitCode, verdict) => {
    const result = await cli.run(["compare", ...args, "--json"]);
    expect(result.exitCode).toBe(exitCode);
    const { evidence, ...json } = result.json<CompareJson>();
    expect(json.verdict).toBe(verdict);
    expect(evidence === null).toBe(verdict !== "different");
  });

  test("a bound that the user asked for decides nothing", async () => {
    const [one, other] = ["networks/barrier-reply.sdn", "networks/served.sdn"];
    for (const args of [
      [one, one],
      [one, other],
    ]) {
      const result = await cli.run(["compare", ...args, "--concrete", "1", "--json"]);
      expect(result).toMatchObject({ exitCode: 2 });
      expect(result.json<CompareJson>().verdict).toBe("unknown");
    }
  }, 240_000);
});
