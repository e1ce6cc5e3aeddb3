/** Forged certificates: none is accepted, and none causes an internal error. */
import { expect, test } from "vitest";
import { certifyInput, checkInput, parseCertificate, registry } from "../../src/session/index.js";

const program = (policy: string): string => `message m; channel c; provenance language;
principal A { var x; while (true) { x = m; send(c, x); } }
principal B { var y; while (true) { recv(c, y); } }
property p: provenance(B.y) ${policy};`;

const holding = { file: "m.mpp", text: program("in eps | A") };
const violated = { file: "m.mpp", text: program("notin A") };

/* eslint-disable @typescript-eslint/no-explicit-any */
type Edit = (certificate: any) => void;

async function certificateOf(): Promise<any> {
  const { certificate } = await checkInput(holding, { wantsProofs: true }, registry);
  return structuredClone({ ...certificate, file: "m.mpp" });
}

/** `accepted`, or the reason of rejection. */
async function judged(input: typeof holding, edit: Edit): Promise<string> {
  const certificate = await certificateOf();
  edit(certificate);
  const parsed = parseCertificate(JSON.stringify(certificate));
  if ("problem" in parsed) return parsed.problem;
  const { proofs, diagnostics } = await certifyInput(input, parsed, registry);
  const why = [
    ...diagnostics.map(({ code }) => code),
    ...proofs.flatMap((p) => (p.isAccepted ? [] : [p.reason])),
  ];
  return why.length > 0 ? why.join() : "accepted";
}

test("as it was written it is accepted", async () =>
  expect(await judged(holding, () => undefined)).toBe("accepted"));

const edits: readonly (readonly [string, Edit])[] = [
  ["no proof", (c) => (c.proofs = [])],
  ["the same proof twice", (c) => c.proofs.push(c.proofs[0])],
  ["no configurations", (c) => (c.proofs[0].invariant = [])],
  ["a configuration less", (c) => c.proofs[0].invariant.splice(1, 1)],
  ["nobody stands anywhere", (c) => (c.proofs[0].invariant[0].at = null)],
  ["nobody holds anything", (c) => (c.proofs[0].invariant[0].holds = null)],
  ["a location that is no number", (c) => (c.proofs[0].invariant[1].at.A = "length")],
  [
    "classes that are neither bad nor not",
    (c) => (c.proofs[0].classes.bad = c.proofs[0].classes.bad.map(() => 0)),
  ],
  ["classes that lead nowhere", (c) => (c.proofs[0].classes.sent = [[]])],
  ["a message more than doubles can count", (c) => (c.proofs[0].invariant[1].pending[0][3] = 2 ** 53)],
  ["a negative amount", (c) => (c.proofs[0].invariant[1].pending[0][3] = -1)],
  ["fewer messages", (c) => (c.proofs[0].invariant[1].pending[0][3] = 1)],
  ["an entry too long", (c) => c.proofs[0].invariant[1].pending[0].push(1)],
  ["an instance of nobody", (c) => c.proofs[0].invariant[1].instances.push(["A", "__proto__", [], 1])],
  ["another property", (c) => (c.proofs[0].property = "q")],
  ["another grain", (c) => (c.proofs[0].grain = "none")],
  ["another model", (c) => (c.model = "sha256:0")],
  ["another language", (c) => (c.language = "promela")],
];
test.each(edits)("%s", async (_, edit) => expect(await judged(holding, edit)).not.toBe("accepted"));

test.each([
  ["any", true],
  [0, true],
  [2 ** 32, true],
  [2 ** 32 + 1, false],
  [-1, false],
  [1.5, false],
  ["many", false],
  [null, false],
])("an amount of %s: %s", async (amount, isOne) => {
  const certificate = await certificateOf();
  certificate.proofs[0].invariant[1].pending[0][3] = amount;
  expect("problem" in parseCertificate(JSON.stringify(certificate))).toBe(!isOne);
});

test("a property without a proof is named", async () => {
  const text = `${holding.text} property q: provenance(A.x) in eps;`;
  const { certificate } = await checkInput(
    { file: "m.mpp", text },
    { wantsProofs: true, properties: ["p"] },
    registry,
  );
  const { proofs, unproved } = await certifyInput({ file: "m.mpp", text }, certificate!, registry);
  expect([proofs.map(({ isAccepted }) => isAccepted), unproved]).toEqual([[true], ["q"]]);
});

test("a property that is violated, by classes that are bad for the comparison alone", async () => {
  const { certificate: own } = await checkInput(
    { file: "m.mpp", text: program("notin A A") },
    { wantsProofs: true },
    registry,
  );
  const { hashOfMeaning } = await import("../../src/session/check/certificates.js");
  const { load } = await import("../../src/session/load.js");
  const { subject } = await load(violated, {}, registry);
  const forged = structuredClone(own) as any;
  forged.model = hashOfMeaning((subject as any).program);
  forged.proofs[0].classes = {
    sent: [
      [1, 2],
      [2, 2],
      [2, 2],
    ],
    bad: [false, 0, false],
    tests: [],
  };
  const parsed = parseCertificate(JSON.stringify({ ...forged, file: "m.mpp" }));
  expect(parsed).toEqual({ problem: "proof 0 is damaged" });
});
