/** What accepting a proof rests on, in a second: run by every mutant of the checker. `certificates.test.ts` has more proofs. */
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

const programOf = (text: string): MessageProgram => loadMpp("m.mpp", text).program!;

async function proofOf(text: string, isPlain: boolean): Promise<ProvenanceProof> {
  const options = { wantsProofs: true, isPlain, reducesAtOnce: !isPlain };
  const { certificate } = await checkInput({ file: "m.mpp", text }, options, registry);
  return certificate!.proofs[0]!;
}

for (const [name, text] of Object.entries({ spawning, asking }))
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
