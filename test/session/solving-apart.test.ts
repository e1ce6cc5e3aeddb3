/** Engines that ask a solver run in a process of their own, which may die. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkJson, overallVerdict, renderCheck } from "../../src/report/index.js";
import { checkApart } from "../../src/session/apart/index.js";
import { readInput, registry, type Input } from "../../src/session/index.js";
import { inRepository } from "../repository.js";

const folder = mkdtempSync(join(tmpdir(), "everypath-apart-"));
const path = process.env["PATH"];
beforeAll(() => {
  // Kills the process that asks; its own parent is a shell.
  const file = join(folder, "z3");
  writeFileSync(
    file,
    '#!/bin/sh\nif [ "$1" = --version ]; then echo Z3 version 4.13.0; exit; fi\nkill -9 $(ps -o ppid= -p $PPID)\n',
  );
  chmodSync(file, 0o755);
});
afterAll(() => {
  process.env["PATH"] = path;
  rmSync(folder, { recursive: true, force: true });
});

const inputOf = (file: string): Input => {
  const input = readInput(inRepository(file));
  if ("code" in input) throw new Error(input.message);
  return input;
};

test("a proof, a counterexample with its picture, and a finite program", { timeout: 240_000 }, async () => {
  const ticket = inputOf("test/fixtures/gcl/conformance/mutex-input.gcl");
  const held = await checkApart(ticket, { engine: "ase", wantsProofs: true, draws: "page" }, registry);
  expect(overallVerdict(held.report)).toBe("holds");
  expect(held.certificate?.proofs).toHaveLength(1);
  expect(held.report.properties[0]?.abstraction?.states).toHaveLength(10);
  const balancer = await checkApart(inputOf("examples/declarative/balancer.ndlog"), {}, registry);
  expect(overallVerdict(balancer.report)).toBe("violated");
  expect(balancer.report.picture).toBeDefined();
  expect(renderCheck(balancer.report)).toContain("r4 derives recvPacket");
  const finite = { file: "m.gcl", text: "var x : 0..3 = 0; up: x < 3 -> x := x + 1; error e: x == 3;" };
  const found = await checkApart(finite, { engine: "ase" }, registry);
  expect(checkJson(found.report).properties[0]?.trace?.length).toBe(4);
  expect(found.model).toBeDefined();
});

test("the death of the process is unknown, with the reason", { timeout: 240_000 }, async () => {
  process.env["PATH"] = `${folder}:${path}`;
  try {
    const text = readFileSync(inRepository("test/fixtures/gcl/conformance/ticket-symbolic.gcl"), "utf8");
    const { report } = await checkApart(
      { file: "t.gcl", text },
      { engine: "ase", solver: "native" },
      registry,
    );
    expect(overallVerdict(report)).toBe("unknown");
    expect(report.properties[0]?.reason).toContain("the process of the solver has ended");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const { stdout } = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" });
    expect(stdout.split("\n").filter((line) => line.includes(folder))).toEqual([]);
  } finally {
    process.env["PATH"] = path;
  }
});

test("every engine that opens a solver says so", () => {
  const asking = registry.engines.filter(({ asksSolver }) => asksSolver).map(({ name }) => name);
  expect(asking).toEqual(["guarded", "ase", "chc", "ur", "pools", "egt"]);
  for (const name of ["guarded", "pools", "egt"])
    expect(readFileSync(inRepository(`src/session/engines/${name}.ts`), "utf8")).toContain("openSolver");
});
