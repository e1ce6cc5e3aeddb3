/** Certificates: rejected if a naive checker finds an error, accepted if equivalent. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { checkProof } from "../../src/engines/certificates/index.js";
import { loadMpp } from "../../src/languages/mpp/index.js";
import type { Certificate, MessageProgram, ProvenanceProof } from "../../src/model/index.js";
import { certifyInput, checkInput, parseCertificate, registry } from "../../src/session/index.js";
import { inRepository } from "../repository.js";
import { mutated } from "./mutated-proof.js";
import { isNaivelyValid } from "./naive-certificate.js";

const medical = readFileSync(inRepository("examples/messages/medical.mpp"), "utf8");
const spawning = `message a; channel c, d;
  principal Main { var x, y; x = a; send(c, x); spawn Worker; spawn Worker; recv(d, y); }
  principal Worker { var w; recv(c, w); choose { [] send(c, w); [] send(d, w); } }
  property p: provenance(Main.y) in eps | Main Worker Worker?;`;

const certificateOf = async (text: string, isPlain = false): Promise<Certificate> => {
  const { certificate } = await checkInput(
    { file: "m.mpp", text },
    { wantsProofs: true, isPlain, reducesAtOnce: !isPlain },
    registry,
  );
  return certificate!;
};
const programOf = (text: string): MessageProgram => loadMpp("m.mpp", text).program!;

describe("mutants", () => {
  for (const [name, text, isPlain] of [
    ["of a proof by runs", medical, false],
    ["of a proof with spawned principals", spawning, false],
    ["of a proof by statements", spawning, true],
  ] as const)
    test(
      `${name}: all that a naive checker rejects are rejected, all others accepted`,
      { timeout: 240_000 },
      async () => {
        const program = programOf(text);
        const { proofs } = await certificateOf(text, isPlain);
        const proof = proofs[0] as ProvenanceProof;
        expect(isNaivelyValid(program, proof)).toBe(true);
        let invalid = 0;
        let valid = 0;
        for (let seed = 1; invalid < 80 && seed < 3000; seed++) {
          const mutant = mutated(proof, program, seed);
          const isValid = isNaivelyValid(program, mutant);
          if (isValid) valid++;
          else invalid++;
          expect(checkProof(program, mutant).kind, `seed ${seed}`).toBe(isValid ? "accepted" : "rejected");
        }
        expect(invalid).toBeGreaterThanOrEqual(80);
        expect(valid).toBeGreaterThan(0);
      },
    );
});

describe("a certificate", () => {
  let certificate: Certificate;
  beforeAll(async () => {
    certificate = await certificateOf(medical);
  });
  const certify = (text: string, given = certificate): ReturnType<typeof certifyInput> =>
    certifyInput({ file: "m.mpp", text }, given, registry);

  test("is accepted for its model", async () => {
    expect((await certify(medical)).proofs).toMatchObject([{ property: "answered", isAccepted: true }]);
  });

  test("is accepted after edits of the model that change nothing of what it means", async () => {
    const edited = medical
      .replace("p1 = HQ; send(ch0, p1);", "ask: p1 = HQ;\n   /* now */ send( ch0 ,p1 );")
      .replace("while (true)", "loop");
    expect((await certify(edited)).proofs[0]!.isAccepted).toBe(true);
  });

  test("is accepted in another order, with configurations repeated, and with smaller ones added", async () => {
    const proof = certificate.proofs[0] as ProvenanceProof;
    const smaller = proof.invariant.map((each) => ({ ...each, pending: each.pending.slice(1) }));
    const invariant = [...smaller, ...proof.invariant.toReversed(), ...proof.invariant];
    const result = await certify(medical, { ...certificate, proofs: [{ ...proof, invariant }] });
    expect(result.proofs[0]!.isAccepted).toBe(true);
  });

  test("is refused for another model", async () => {
    const mutant = medical.replace("s2 = AA(s1)", "s2 = HA(s1)");
    expect(await certify(mutant)).toMatchObject({
      proofs: [],
      diagnostics: [{ code: "session/other-model" }],
    });
  });

  test("is rejected if it is made for another model by hand", async () => {
    const mutant = programOf(medical.replace("s2 = AA(s1)", "s2 = HA(s1)"));
    expect(checkProof(mutant, certificate.proofs[0] as ProvenanceProof)).toMatchObject({ kind: "rejected" });
  });

  test("is rejected when its classes lie about the policy", () => {
    const proof = certificate.proofs[0] as ProvenanceProof;
    const bad = proof.classes.bad.map(() => false);
    expect(checkProof(programOf(medical), { ...proof, classes: { ...proof.classes, bad } })).toMatchObject({
      kind: "rejected",
      why: expect.stringContaining("class") as string,
    });
  });

  test("is rejected when it does not say where everybody stands, or says what is not there", () => {
    const proof = certificate.proofs[0] as ProvenanceProof;
    const [first, ...rest] = proof.invariant;
    const whyWith = (at: Record<string, number>): unknown =>
      checkProof(programOf(medical), { ...proof, invariant: [{ ...first!, at }, ...rest] });
    expect(whyWith({})).toMatchObject({ kind: "rejected", why: "the location of 'Patient' is missing" });
    expect(whyWith({ ...first!.at, Patient: 99 })).toMatchObject({ why: "'Patient' has no location 99" });
  });

  test("survives being written and read; what is damaged is said", () => {
    const text = JSON.stringify(certificate);
    expect(parseCertificate(text)).toEqual(certificate);
    expect(parseCertificate(text.slice(1))).toHaveProperty("problem");
    expect(parseCertificate('{"format":"other"}')).toHaveProperty("problem");
    expect(parseCertificate(text.replace('"open":', '"closed":'))).toEqual({ problem: "proof 0 is damaged" });
  });
});
