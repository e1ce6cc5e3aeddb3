/** NDLog from text to answer: verdicts, specifications in other files, replay, vacuity, annotations, failing solvers. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { hasErrors } from "../../src/model/index.js";
import { renderHtml } from "../../src/report/html.js";
import { checkJson, overallVerdict, renderCheck } from "../../src/report/index.js";
import {
  certifyInput,
  checkInput,
  parseCertificate,
  registry,
  replayInput,
  type CheckOptions,
  type Input,
} from "../../src/session/index.js";
import { inRepository } from "../repository.js";

const read = (file: string): string | undefined => {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
};
const example = (name: string): Input => {
  const file = inRepository(`examples/declarative/${name}.ndlog`);
  return { file, text: read(file) ?? "", readFile: read };
};
const check = async (text: string, options: CheckOptions = {}): ReturnType<typeof checkInput> =>
  checkInput({ file: "m.ndlog", text }, options, registry);

describe("examples", () => {
  test("routes hold in every network", async () => {
    const { report } = await checkInput(example("routes"), {}, registry);
    expect(overallVerdict(report)).toBe("holds");
  });

  test("the balancer is violated; trace and derivation replay", async () => {
    const input = example("balancer");
    const { report } = await checkInput(input, {}, registry);
    expect(overallVerdict(report)).toBe("violated");
    const { properties, trace } = checkJson(report);
    expect(properties[0]?.derivation?.map(({ rule }) => rule)).toContain("r3");
    expect(properties[0]?.derivation?.[0]?.tuple).toContain("(@");
    const again = await replayInput(input, { schedule: trace?.schedule ?? "" }, {}, registry);
    expect(again.outcome).toBe("failed");
    expect(renderCheck(report)).toContain("Derivation");
    expect(renderHtml(report)).toContain("<th>tuple</th>");
  });

  test("--claim replaces the specification beside the program", async () => {
    const claims = [inRepository("examples/declarative/balancer-repaired.ndspec")];
    const { report } = await checkInput(example("balancer"), { claims }, registry);
    expect(overallVerdict(report)).toBe("holds");
    const missing = await checkInput(example("balancer"), { claims: ["no-such.ndspec"] }, registry);
    expect(missing.report.diagnostics.map(({ code }) => code)).toEqual(["ndlog/no-file"]);
  });
});

describe("replay", () => {
  const text =
    "r1 p(@X,V) :- b(@X), V := f_h(X). constraint c { b(X) => X > 0 } property low { p(X,V) => V < 5 }";
  const outcome = async (schedule: string): Promise<string> => {
    const again = await replayInput({ file: "m.ndlog", text }, { schedule }, {}, registry);
    return again.outcome;
  };

  test("judges the end of the run", async () => {
    const { report } = await check(text);
    expect(await outcome(checkJson(report).trace?.schedule ?? "")).toBe("failed");
    expect(await outcome("1.2:3,0,9")).toBe("failed");
    expect(await outcome("1.2:3,0,4")).toBe("passed");
    expect(await outcome("1:3")).toBe("passed");
  });

  test.each([
    ["0:1,2", "no base tuples of a derived predicate"],
    ["1:0", "a constraint is violated"],
    ["1", "inputs are missing"],
    ["2:0", "a premise is missing"],
    ["9", "no such rule"],
  ])("refuses %s: %s", async (schedule) => {
    const again = await replayInput({ file: "m.ndlog", text }, { schedule }, {}, registry);
    expect(again.diagnostics.map(({ code }) => code)).toEqual(["session/cannot-replay"]);
  });
});

describe("certificates", () => {
  const claims = [inRepository("examples/declarative/balancer-repaired.ndspec")];

  test("of the repaired balancer are accepted, also with its specification in another file", async () => {
    const { certificate } = await checkInput(example("balancer"), { claims, wantsProofs: true }, registry);
    const parsed = parseCertificate(JSON.stringify({ ...certificate, claims }));
    if ("problem" in parsed) throw new Error(parsed.problem);
    const { proofs, diagnostics } = await certifyInput(example("balancer"), parsed, registry);
    expect(diagnostics).toEqual([]);
    expect(proofs.map(({ isAccepted }) => isAccepted)).toEqual([true]);
    // Without the claims, the specification beside the program counts, which is another one.
    const { claims: _, ...alone } = parsed;
    const other = await certifyInput(example("balancer"), alone, registry);
    expect(other.diagnostics.map(({ code }) => code)).toEqual(["session/other-model"]);
  });

  test("of another kind prove nothing, and damaged ones are refused", async () => {
    const { certificate } = await checkInput(example("routes"), { wantsProofs: true }, registry);
    expect(certificate?.proofs.map(({ property }) => property)).toEqual(["cost", "first", "last"]);
    const invariant = { kind: "invariant", property: "cost", by: "ase", invariant: "true" } as const;
    if (!certificate) throw new Error("there is no certificate");
    const { proofs } = await certifyInput(
      example("routes"),
      { ...certificate, proofs: [invariant] },
      registry,
    );
    expect(proofs.map(({ isAccepted }) => isAccepted)).toEqual([false]);
    const [first] = certificate.proofs;
    for (const broken of [
      { cut: -1 },
      { pool: [[[-3]]] },
      { cases: [{ trees: [["0"]] }] },
      { lemmas: [{ kind: "x" }] },
    ])
      expect(parseCertificate(JSON.stringify({ ...certificate, proofs: [{ ...first, ...broken }] }))).toEqual(
        {
          problem: "proof 0 is damaged",
        },
      );
    expect(parseCertificate(JSON.stringify({ ...certificate, claims: [1] }))).toHaveProperty("problem");
  });
});

test("vacuous truth is in text and JSON", async () => {
  const { report } = await check("r1 p(@X) :- b(@X), X > 0, X < 0. property never { p(X) => X == 7 }");
  expect(renderCheck(report)).toContain("vacuously");
  expect(checkJson(report).scope.notes).toContain("vacuously: no network derives such tuples");
});

test("an annotation that is not inductive proves nothing, and is an error", async () => {
  const text = `d1 r(@X,C) :- b(@X,C). d2 r(@X,C) :- r(@X,D), C := D + 1. annotation r(X,C): C > 0;
    property positive { r(X,C), X == 1 => C > 0 }`;
  const { report } = await check(text);
  expect(hasErrors(report.diagnostics)).toBe(true);
  expect(overallVerdict(report)).toBe("unknown");
});

test("derivable: a witness, or none", async () => {
  const text = `r1 p(@X) :- b(@X), X > 2. derivable some { p(X) } derivable none { p(X), X < 2 }`;
  const { report } = await check(text);
  const { properties } = checkJson(report);
  expect(properties.map(({ verdict }) => verdict)).toEqual(["holds", "violated"]);
  expect(properties[0]?.trace?.length).toBe(2);
  expect(properties[0]?.derivation).toHaveLength(2);
});

test("a limit of unfoldings is unknown, with advice", async () => {
  const text = "r1 p(@X) :- p(@X). r2 p(@X) :- q(@X), b(@X). r3 q(@X) :- p(@X). derivable some { p(X) }";
  const { report } = await check(text, { budget: { maxStates: 3 } });
  expect(overallVerdict(report)).toBe("unknown");
  expect(report.properties[0]?.reason).toContain("3 unfoldings");
  expect(report.properties[0]?.advice).toContain("--max-states");
});

test("a solver that is not installed is unknown", async () => {
  const path = process.env["PATH"];
  process.env["PATH"] = "/nonexistent";
  try {
    const { report } = await check("r1 p(@X) :- b(@X). property s { p(X) => b(X) }", { solver: "cvc5" });
    expect(overallVerdict(report)).toBe("unknown");
  } finally {
    process.env["PATH"] = path;
  }
});

test("the embedded solver answers alike", { timeout: 240_000 }, async () => {
  const { report } = await checkInput(example("routes"), { solver: "z3" }, registry);
  expect(overallVerdict(report)).toBe("holds");
});
