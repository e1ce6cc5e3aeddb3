/** `check --certificate` and `certify` on the command line. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { inRepository } from "../repository.js";
import { useCli } from "./built-cli.js";

const cli = useCli();
const example = (name: string): string => readFileSync(inRepository(`examples/messages/${name}.mpp`), "utf8");

describe("certify", () => {
  beforeAll(async () => {
    cli.write("medical.mpp", example("medical"));
    cli.write("mutant.mpp", example("medical-mutant"));
    await cli.run(["check", "medical.mpp", "--certificate", "proof.json"]);
  });

  test("accepts what check wrote", async () => {
    const { exitCode, stdout } = await cli.run(["certify", "proof.json"]);
    expect(stdout).toMatch(/^medical.mpp: accepted: answered holds for every execution/);
    expect(exitCode).toBe(0);
  });

  test("rejects a proof that is none, with 1", async () => {
    const text = readFileSync(join(cli.directory, "proof.json"), "utf8");
    cli.write("broken.json", text.replace('"any"', "1"));
    const { exitCode, stdout } = await cli.run(["certify", "broken.json"]);
    expect(stdout).toContain("rejected: answered: ");
    expect(exitCode).toBe(1);
  });

  test("refuses a certificate for another model, with 3", async () => {
    const { exitCode, stderr } = await cli.run(["certify", "proof.json", "mutant.mpp"]);
    expect(stderr).toContain("session/other-model");
    expect(exitCode).toBe(3);
  });

  test("says what is no certificate, with 3", async () => {
    const { exitCode, stderr } = await cli.run(["certify", "medical.mpp"]);
    expect(stderr).toContain("'medical.mpp' is no certificate: not JSON");
    expect(exitCode).toBe(3);
  });

  test("as JSON", async () => {
    const result = (await cli.run(["certify", "proof.json", "--json"])).json<{ isAccepted: boolean }>();
    expect(result).toMatchObject({ isAccepted: true, proofs: [{ property: "answered", isAccepted: true }] });
  });

  test("there is nothing to write when nothing holds", async () => {
    const { stderr, exitCode } = await cli.run([
      "check",
      "mutant.mpp",
      "--certificate",
      "none.json",
      "--quiet",
    ]);
    expect(stderr).toContain("cli/nothing-to-write");
    expect(exitCode).toBe(1);
  });
});

describe("message-passing programs on the command line", () => {
  test("a random run, and a search of what really happens as far as it goes", async () => {
    const { stdout } = await cli.run(["simulate", "medical.mpp", "--seed", "3", "--steps", "20"]);
    expect(stdout).toContain("send(ch0, p1)");
    const search = await cli.run([
      "check",
      "mutant.mpp",
      "--engine",
      "explicit",
      "--max-states",
      "5000",
      "--quiet",
    ]);
    expect(search.stdout).toContain("violated");
  });

  test("the chart shows the messages", async () => {
    await cli.run(["check", "mutant.mpp", "--svg", "chart.svg"]);
    expect(readFileSync(join(cli.directory, "chart.svg"), "utf8")).toContain("HA via Patient Secretary");
  });

  test("a trace file replays", async () => {
    await cli.run(["check", "mutant.mpp", "--trace", "trace.json"]);
    const { exitCode, stdout } = await cli.run(["replay", "trace.json"]);
    expect(stdout).toContain("reproduced");
    expect(exitCode).toBe(1);
  });

  test("options that mean nothing here are refused", async () => {
    const { exitCode, stderr } = await cli.run(["check", "medical.mpp", "--dialect", "rumur"]);
    expect(stderr).toContain("session/option-not-taken");
    expect(exitCode).toBe(3);
  });
});
