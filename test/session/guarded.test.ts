/** Guarded commands from text to answer: verdicts, inputs, replay, certificates, failing solvers. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkJson, overallVerdict } from "../../src/report/index.js";
import {
  certifyInput,
  checkInput,
  registry,
  replayInput,
  type CheckOptions,
} from "../../src/session/index.js";
import { parseSchedule, type Certificate, type InvariantProof } from "../../src/model/index.js";
import { isInstalled } from "../../src/solvers/index.js";
import { inRepository } from "../repository.js";

const example = (name: string): { file: string; text: string } => {
  const file = inRepository(`examples/guarded/${name}.gcl`);
  return { file, text: readFileSync(file, "utf8") };
};
const check = async (text: string, options: CheckOptions = {}): ReturnType<typeof checkInput> =>
  checkInput({ file: "m.gcl", text }, options, registry);

describe("examples", () => {
  for (const engine of [undefined, "ase", "chc"])
    for (const name of ["ticket", "hurry", "caches"])
      test(`${name} with ${engine ?? "the default engine"}`, { timeout: 240_000 }, async () => {
        const { file, text } = example(name);
        const expected = /expected: (\w+)/.exec(text)?.[1];
        const { report } = await checkInput({ file, text }, engine === undefined ? {} : { engine }, registry);
        expect(overallVerdict(report)).toBe(expected);
        const [property] = report.properties;
        if (expected === "violated") {
          const again = await replayInput(
            { file, text },
            { schedule: property?.trace?.schedule ?? "" },
            {},
            registry,
          );
          expect(again.outcome).toBe("failed");
        }
      });

  test("the baseline refuses undefined values by name", async () => {
    const { report } = await checkInput(example("hurry"), { engine: "ur" }, registry);
    expect(report.diagnostics[0]).toMatchObject({ code: "session/wrong-engine" });
    expect(report.diagnostics[0]?.message).toContain("`t` has no initial value");
  });
});

describe("inputs", () => {
  const text = "var x : int = *; init x >= 5; t: x >= 5 -> x := nondet; error low: x < -3;";

  test("are in schedule, JSON and replay, and nothing else fits", async () => {
    const { report } = await check(text);
    const { trace } = checkJson(report);
    expect(trace?.inputs).toHaveLength(2);
    expect(parseSchedule(trace?.schedule ?? "")?.inputs).toEqual(trace?.inputs);
    const outcome = async (schedule: string): Promise<string> =>
      (await replayInput({ file: "m.gcl", text }, { schedule }, {}, registry)).outcome;
    expect(await outcome(trace?.schedule ?? "")).toBe("failed");
    expect(await outcome("0:5,-4")).toBe("failed");
    expect(await outcome("0:5,0")).toBe("passed");
    for (const wrong of ["0:4,-4", "0:5", "0:5,1,2", "1:5,-4", "0", "0:5,x"])
      expect(await outcome(wrong), wrong).toBe("diverged");
  });

  test("a model without inputs refuses them", async () => {
    const input = { file: "m.pml", text: "byte x; active proctype P() { x = 1 }" };
    const { outcome, reason } = await replayInput(input, { schedule: "0:7" }, {}, registry);
    expect(outcome).toBe("diverged");
    expect(reason).toContain("takes none");
  });
});

test("an unsatisfiable initial condition holds vacuously, and says so", async () => {
  const { report } = await check("var x : int = *; init x > 0 && x < 0; error e: true;");
  expect(overallVerdict(report)).toBe("holds");
  expect(report.scope.notes.join()).toContain("vacuously");
  expect(report.diagnostics.map(({ code }) => code)).toEqual(["gcl/no-initial-state"]);
});

test(
  "Spacer's invariant is confirmed where inlined clauses would spoil it",
  { timeout: 240_000 },
  async () => {
    const text = `explicit var pc : pc = 1; var f : bool = 0;
    abstract var x : int = *; abstract var y : int = *; abstract var z : int = 1; init z == y + 2;
    t0: pc == 3 && x >= z -> pc := 3, f := 0;
    t1: pc == 3 && z == y + 1 -> pc := 2, y := z, z := z - 1, f := 0;
    t2: pc == 2 && x == x + -1 -> pc := 1, z := y + 2, f := 1;
    t3: pc == 1 && (f == 0 && (z < y)) -> pc := 1, x := 1, y := -1;
    error bad: pc == 2 && y < -1;`;
    for (const solver of isInstalled("z3") ? (["z3", "native"] as const) : (["z3"] as const))
      expect(overallVerdict((await check(text, { engine: "chc", solver })).report), solver).toBe("holds");
  },
);

describe("certificates", () => {
  const certificateOf = async (text: string, engine: string): Promise<Certificate> => {
    const { certificate } = await check(text, { wantsProofs: true, engine });
    if (!certificate) throw new Error("there is no certificate");
    return certificate;
  };
  const certify = async (text: string, certificate: Certificate): Promise<boolean | undefined> =>
    (await certifyInput({ file: "m.gcl", text }, certificate, registry)).proofs[0]?.isAccepted;

  test(
    "are accepted for their model, rejected when weakened, refused for another",
    { timeout: 240_000 },
    async () => {
      const { text } = example("ticket");
      for (const engine of ["ase", "chc", "ur"]) {
        const certificate = await certificateOf(text, engine);
        expect(await certify(text, certificate), engine).toBe(true);
        expect(await certify(text.replace("// expected", "/* */ // expected"), certificate)).toBe(true);
        const proof = certificate.proofs[0] as InvariantProof;
        for (const invariant of ["true", "false", `(or ${proof.invariant} (= |s| 7))`])
          expect(await certify(text, { ...certificate, proofs: [{ ...proof, invariant }] }), invariant).toBe(
            false,
          );
        const other = await certifyInput(
          { file: "m.gcl", text: text.replace("<= s", "<= s + 1") },
          certificate,
          registry,
        );
        expect(other.diagnostics[0]?.code).toBe("session/other-model");
      }
    },
  );

  test("a proof of another kind proves nothing", async () => {
    const { text } = example("ticket");
    const certificate = await certificateOf(text, "ase");
    const foreign = { kind: "provenance", property: "mutex", grain: "statement", invariant: [] } as never;
    expect(await certify(text, { ...certificate, proofs: [foreign] })).toBe(false);
  });
});

describe.skipIf(process.platform === "win32")("a solver that", () => {
  const path = process.env["PATH"];
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "everypath-fake-"));
  });
  afterEach(() => {
    process.env["PATH"] = path;
    rmSync(folder, { recursive: true });
  });
  /** A `z3` on PATH that does this. */
  const pretend = (script: string): void => {
    writeFileSync(join(folder, "z3"), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, "z3"), 0o755);
    process.env["PATH"] = `${folder}:${path}`;
  };
  const reasonWith = async (script: string): Promise<string> => {
    pretend(script);
    const { report } = await check(
      readFileSync(inRepository("test/fixtures/gcl/conformance/mesi-symbolic.gcl"), "utf8"),
      {
        engine: "ase",
        solver: "native",
        budget: { timeMs: 1500 },
      },
    );
    expect(overallVerdict(report)).toBe("unknown");
    return report.properties[0]?.reason ?? "";
  };

  test("hangs: unknown, in time", async () => {
    expect(await reasonWith("exec sleep 60")).toMatch(/does not answer|time ran out/);
  });
  test("dies: unknown", async () => {
    expect(await reasonWith("kill -9 $$")).toMatch(/killed|ended/);
  });
  test("is out of memory: unknown", async () => {
    expect(await reasonWith(`echo '(error "out of memory")'; exit 101`)).toMatch(/memory/);
  });
  test(
    "dies under ase leaves the decision to Spacer, which has another one",
    { timeout: 240_000 },
    async () => {
      pretend("kill -9 $$");
      const text = readFileSync(inRepository("test/fixtures/gcl/conformance/mesi-symbolic.gcl"), "utf8");
      const { report } = await check(text);
      expect(overallVerdict(report)).toBe("holds");
      expect(report.scope.notes).toContain("by chc");
    },
  );
  test("answers nonsense: unknown", async () => {
    expect(
      await reasonWith(
        `while read line; do case "$line" in *everypath*) echo maybe; echo everypath-answered;; esac; done`,
      ),
    ).toMatch(/maybe|answers/);
  });
  test("is not installed: unknown, by name", async () => {
    process.env["PATH"] = folder;
    expect(isInstalled("z3")).toBe(false);
    const { report } = await check("var x : int = 0; safety s: x == 0;", { solver: "cvc5" });
    expect(report.properties[0]?.reason).toContain("'cvc5' is not installed");
  });
});
