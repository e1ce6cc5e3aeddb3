/** The conditions of accepting a proof, in a second: every mutant of the checker runs this file. `certificates.test.ts` has more proofs. */
import { expect, test } from "vitest";
import { checkProof } from "../../src/engines/certificates/index.js";
import { loadMpp } from "../../src/languages/mpp/index.js";
import type { MessageProgram, ProvenanceProof } from "../../src/model/index.js";
import { checkInput, registry } from "../../src/session/index.js";
import { mutated } from "./mutated-proof.js";
import { isNaivelyValid } from "./naive-certificate.js";

const spawning = `message a; channel c, d;
  principal Main { var x, y; x = a; send(c, x); spawn Worker; spawn Worker; recv(d, y); }
  principal Worker { var w; recv(c, w); choose { [] send(c, w); [] send(d, w); } }
  property p: provenance(Main.y) in eps | Main Worker Worker?;`;
const asking = `message q, r; channel c, d;
  principal A { var x, y; x = q; send(c, x); recv(d, y); if (y == r) { x = q; send(c, x); } }
  principal B { var w; loop { recv(c, w); w = r(w); send(d, w); } }
  property p: provenance(A.y) in eps | A B when A.y == r;`;

/** A continues with q or with r depending on the received message. */
const deciding = `message q, r; channel c, d, e;
  principal A { var x, y; x = q; send(c, x); recv(d, y); if (y == q) { x = r; send(c, x); } if (y == r) { x = r; } send(e, x); recv(d, y); }
  principal B { var w; loop { recv(c, w); w = r(w); send(d, w); } }
  property p: provenance(A.y) in eps | A B;`;
/** A may receive its own message, and B before it. */
const own = `message q; channel c, d;
  principal A { var x, y; x = q; send(c, x); recv(c, y); recv(d, y); }
  principal B { var w; recv(c, w); send(d, w); }
  property p: provenance(A.y) in eps | A | A B;`;

const programOf = (text: string): MessageProgram => loadMpp("m.mpp", text).program!;

async function proofOf(text: string, isPlain: boolean): Promise<ProvenanceProof> {
  const options = { wantsProofs: true, isPlain, reducesAtOnce: !isPlain };
  const { certificate } = await checkInput({ file: "m.mpp", text }, options, registry);
  return certificate!.proofs[0] as ProvenanceProof;
}

for (const [name, text] of Object.entries({ spawning, asking, deciding, own }))
  for (const isPlain of [true, false])
    test(`${name}, ${isPlain ? "by statements" : "by runs"}: what a naive checker rejects is rejected, all else accepted`, async () => {
      const program = programOf(text);
      const proof = await proofOf(text, isPlain);
      expect(checkProof(program, proof).kind).toBe("accepted");
      let invalid = 0;
      for (let seed = 1; seed <= 60; seed++) {
        const mutant = mutated(proof, program, seed);
        const isValid = isNaivelyValid(program, mutant);
        if (!isValid) invalid++;
        expect(checkProof(program, mutant).kind, `seed ${seed}`).toBe(isValid ? "accepted" : "rejected");
      }
      expect(invalid).toBeGreaterThan(15);
      for (const which of proof.invariant.keys()) {
        const less = { ...proof, invariant: proof.invariant.toSpliced(which, 1) };
        const isValid = isNaivelyValid(program, less);
        expect(checkProof(program, less).kind, `without ${which}`).toBe(isValid ? "accepted" : "rejected");
      }
    });

test("a proof about a property that is not there, or with classes that lie, is rejected", async () => {
  const program = programOf(spawning);
  const proof = await proofOf(spawning, true);
  const rejected = (change: Partial<ProvenanceProof>): boolean =>
    checkProof(program, { ...proof, ...change }).kind === "rejected";
  const { classes } = proof;
  expect(rejected({ property: "other" })).toBe(true);
  expect(rejected({ classes: { ...classes, bad: classes.bad.map(() => false) } })).toBe(true);
  expect(rejected({ classes: { ...classes, tests: [classes.bad] } })).toBe(true);
  expect(rejected({ classes: { ...classes, sent: classes.sent.map(() => []) } })).toBe(true);
  expect(rejected({ invariant: [] })).toBe(true);
});

test("lists that are longer than the classes are rejected", async () => {
  const text = `message a; channel c; principal P { var x; x = a; send(c, x); recv(c, x); if (provenance(x) in P*) skip; }
    property p: provenance(P.x) in P*;`;
  const program = programOf(text);
  const proof = await proofOf(text, true);
  const { classes } = proof;
  const kind = (change: Partial<ProvenanceProof["classes"]>): string =>
    checkProof(program, { ...proof, classes: { ...classes, ...change } }).kind;
  expect(kind({})).toBe("accepted");
  expect(kind({ tests: classes.tests.map((row) => [...row, true]) })).toBe("rejected");
  expect(kind({ sent: classes.sent.map((row) => [...row, 0]) })).toBe("rejected");
});

test("a violation between two receives counts, and only where the message is the one that is asked for", async () => {
  const text = (asked: string): string => `message q, r, s; channel c, d;
    principal A { var x, y; x = r; send(c, x); recv(d, y); y = q(y); recv(d, x); }
    principal B { var w; recv(c, w); send(d, w); }
    property p: provenance(A.y) in eps when A.y == ${asked};`;
  const proof = await proofOf(text("s"), false);
  expect(proof.grain).toBe("run-to-receive");
  expect(checkProof(programOf(text("s")), proof).kind).toBe("accepted");
  expect(checkProof(programOf(text("r")), proof)).toMatchObject({
    kind: "rejected",
    why: expect.stringContaining("leads to a violation") as string,
  });
});
