/** Learned assumptions as an engine of `check`: agreement with the search of the whole, traces, certificates, files. */
import { describe, expect, test } from "vitest";
import { ltsProduct } from "../../src/compile/lts.js";
import {
  ERROR_NAME,
  LtsBuilder,
  Sources,
  TAU_NAME,
  isComposition,
  type Certificate,
  type Lts,
  type LtsNetwork,
  type NetworkPart,
  type SyncVector,
} from "../../src/model/index.js";
import { Random, certifyInput, checkInput, registry, type CheckOptions } from "../../src/session/index.js";
import { engineRequest } from "../../src/session/check/engine-request.js";
import { reportProperties } from "../../src/session/check/property-reports.js";
import { check as search } from "../../src/session/pipeline/pipeline.js";
import * as explicit from "../../src/session/engines/explicit.js";
import { check } from "../../src/session/engines/learning.js";
import { exportedAssumptions } from "../../src/session/export/assumptions.js";
import { asked } from "../../src/session/lts/questions.js";
import { watching } from "../../src/transforms/lts/determinise.js";
import { loadFsp } from "../../src/languages/fsp/index.js";
import { randomLts } from "../engines/lts/random-lts.js";

const span = { file: "random", start: 0, end: 0 };
const names = ["a", "b", "c"];

/** Parts with hidden steps, several vectors of one label, error states and several initial states, and a property that watches. */
function randomNetwork(random: Random): LtsNetwork {
  const count = 2 + random.below(2);
  const parts = Array.from({ length: count }, (_, i): NetworkPart => {
    const states = 2 + random.below(3);
    const lts = randomLts(random, { states, labels: 3, transitions: states + random.below(5) });
    if (random.below(4) === 0) return { name: `p${i}`, lts: failing(random, lts) };
    return { name: `p${i}`, lts: random.below(6) === 0 ? { ...lts, initial: [0, 1] } : lts };
  });
  const property = randomLts(random, { states: 2, labels: 3, transitions: 5, isDeterministic: true });
  const { lts, violated } = watching(property, names);
  const watches = { state: violated, property: "watched", span };
  const labels = ["x", "y", "z", TAU_NAME];
  const vectors = Array.from({ length: 4 + random.below(4) }, (): SyncVector => {
    const own = parts.map(() => (random.below(2) === 0 ? undefined : names[random.below(3)]));
    own[random.below(count)] ??= names[random.below(3)];
    const seen = random.below(2) === 0 ? undefined : names[random.below(3)];
    return { label: labels[random.below(labels.length)]!, labels: [...own, seen] };
  });
  return { name: "random", parts: [...parts, { name: "property", lts, watches }], vectors, span };
}

function failing(random: Random, lts: Lts): Lts {
  const builder = new LtsBuilder();
  for (const label of lts.labels.slice(1)) builder.labels.of(label);
  const failed = random.below(lts.targets.length);
  for (let s = 0; s < lts.states; s++)
    for (let t = lts.firsts[s]!; t < lts.firsts[s + 1]!; t++)
      builder.add(s, lts.actions[t]!, t === failed ? lts.states : lts.targets[t]!);
  builder.add(lts.states, builder.labels.of(ERROR_NAME), lts.states);
  return builder.finish(lts.states + 1, lts.initial, lts.states);
}

test(
  "random networks agree with the search of the whole, and traces replay there",
  { timeout: 300_000 },
  async () => {
    const random = new Random(2024);
    const seen = { holds: 0, violated: 0 };
    for (let i = 0; i < 60; i++) {
      const network = randomNetwork(random);
      const sources = new Sources();
      const input = { file: "random", text: "" };
      const loaded = asked(network, ltsProduct(network), {}, input, { sources });
      const { subject, model } = loaded;
      if (!isComposition(subject) || !model) throw new Error("not loaded");
      const whole = { model, subject, unsupported: [], diagnostics: [] };
      const safety = subject.properties.filter(({ kind }) => kind === "assertion");
      for (const property of safety)
        for (const options of [
          { rule: "asym" },
          { rule: "sym" },
          { rule: "circ", order: "interface" },
          { rule: "asym", alphabet: "refined", order: "given" },
        ] satisfies CheckOptions[]) {
          const request = engineRequest(input, [property], options, undefined, sources);
          const context = `network ${i}, '${property.name}', ${JSON.stringify(options)}`;
          const [expected] = reportProperties(model, await search(explicit, whole, request));
          const [report] = reportProperties(model, await check(whole, request));
          expect(report!.verdict, context).toBe(expected!.verdict);
          if (report!.verdict === "violated") {
            expect(report!.trace?.steps.length, context).toBeGreaterThanOrEqual(
              expected!.trace!.steps.length,
            );
            seen.violated++;
          } else seen.holds++;
        }
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(30);
  },
);

const ORDER = `
Input = (input -> send -> ack -> Input).
Output = (send -> output -> ack -> Output).
property Order = (input -> output -> Order).
||SYSTEM = (Input || Output || Order).
`;

const checkFsp = (text: string, options: CheckOptions = {}) =>
  checkInput(
    { file: "system.fsp", text },
    { engine: "learning", properties: ["Order"], ...options },
    registry,
  );

describe("FSP", () => {
  test("an alphabet extension blocks, and so changes the verdict", async () => {
    const base =
      "M = (a -> M).\nN = (b -> N)EXT.\nproperty Order = (b -> Order) + {a}.\n||S = (M || N || Order).\n";
    const free = await checkFsp(base.replace("EXT", ""));
    const blocked = await checkFsp(base.replace("EXT", " + {a}"));
    expect(free.report.properties[0]?.verdict).toBe("violated");
    expect(blocked.report.properties[0]?.verdict).toBe("holds");
  });

  test("hidden, relabelled and prefixed processes", async () => {
    const text = `
CLIENT = (acquire -> work -> enter -> exit -> release -> CLIENT) \\ {work}.
LOCK = (acquire -> release -> LOCK).
property Order = ({a,b}.enter -> {a,b}.exit -> Order).
||S = (a:CLIENT || b:CLIENT || {a,b}::LOCK || Order).
`;
    for (const rule of ["asym", "sym", "circ"])
      expect((await checkFsp(text, { rule })).report.properties[0]?.verdict, rule).toBe("holds");
    const broken = text.replace("LOCK = (acquire -> release -> LOCK)", "LOCK = ({acquire,release} -> LOCK)");
    for (const rule of ["asym", "sym", "circ"]) {
      const { report } = await checkFsp(broken, { rule });
      expect(report.properties[0]?.verdict, rule).toBe("violated");
      const steps = report.properties[0]?.trace?.steps ?? [];
      expect(
        steps.every(({ sources }) => sources.length > 0),
        rule,
      ).toBe(true);
    }
  });

  test("a property about an action of no process is refused", async () => {
    const { report } = await checkFsp(ORDER.replace("output -> Order)", "print -> Order)"));
    expect(report.diagnostics).toMatchObject([{ code: "session/not-learnable", severity: "error" }]);
    expect(report.properties).toEqual([]);
  });

  test("a spent budget is unknown", async () => {
    const { report } = await checkFsp(ORDER, { budget: { maxStates: 2 } });
    expect(report.properties[0]).toMatchObject({
      verdict: "unknown",
      reason: "a premise has more than 2 states",
    });
  });

  test("deadlocks and progress are refused by name", async () => {
    const { report } = await checkInput(
      { file: "system.fsp", text: ORDER },
      { engine: "learning" },
      registry,
    );
    expect(report.diagnostics).toMatchObject([{ code: "session/property-not-supported" }]);
  });
});

describe("certificates and files", () => {
  test("certify accepts a proof, and rejects it for another system", async () => {
    const { certificate, report } = await checkFsp(ORDER, { wantsProofs: true });
    if (!certificate) throw new Error("no certificate");
    const accepted = await certifyInput({ file: "system.fsp", text: ORDER }, certificate, registry);
    expect(accepted.proofs).toMatchObject([{ property: "Order", isAccepted: true }]);
    expect(accepted.unproved).toContain("deadlock");
    const other = ORDER.replace("output -> ack", "ack -> output");
    const refused = await certifyInput({ file: "system.fsp", text: other }, certificate, registry);
    expect(refused.diagnostics).toMatchObject([{ code: "session/other-model" }]);
    // The same proof, said to be for the other system.
    const again = await checkFsp(other, { wantsProofs: true });
    expect(again.report.properties[0]?.verdict).toBe("violated");
    expect(report.runs[0]?.learning).toMatchObject({ queries: 10, candidates: 2, rule: "asym" });
    const forged = (proof: object): Certificate =>
      ({ ...certificate, proofs: [{ ...certificate.proofs[0], ...proof }] }) as Certificate;
    const judged = async (proof: object) =>
      (await certifyInput({ file: "system.fsp", text: ORDER }, forged(proof), registry)).proofs[0];
    expect(await judged({ kind: "invariant", by: "", invariant: "" })).toMatchObject({ isAccepted: false });
    expect(await judged({ property: "deadlock" })).toMatchObject({ isAccepted: false });
    expect(await judged({ premises: [] })).toMatchObject({ isAccepted: false });
  });

  test("assumptions as FSP, .aut, .dot, .svg and .json", async () => {
    const { report } = await checkFsp(ORDER);
    const fsp = exportedAssumptions(report, "x.fsp");
    if (typeof fsp !== "string") throw new Error(fsp.why);
    const { system, diagnostics } = loadFsp("x.fsp", fsp);
    expect(diagnostics).toEqual([]);
    expect(system?.term).toMatchObject({ parts: [{ alphabet: new Set(["send", "ack", "output"]) }] });
    expect(exportedAssumptions(report, "x.aut")).toBe(
      'des (0, 4, 2)\n(0, "send", 1)\n(0, "ack", 0)\n(1, "send", 0)\n(1, "output", 0)\n',
    );
    expect(exportedAssumptions(report, "x.dot")).toContain('label = "send"');
    expect(exportedAssumptions(report, "x.svg")).toContain("A1 of Input");
    expect(exportedAssumptions(report, "x.json")).toContain('"alphabet"');
    expect(exportedAssumptions(report, "x.txt")).toMatchObject({
      why: expect.stringContaining(".fsp") as string,
    });
    const symmetric = (await checkFsp(ORDER, { rule: "sym" })).report;
    expect(exportedAssumptions(symmetric, "x.aut")).toMatchObject({
      why: expect.stringContaining("A1, A2") as string,
    });
    expect(exportedAssumptions(symmetric, "A2.aut")).toContain("des (0, ");
  });
});
