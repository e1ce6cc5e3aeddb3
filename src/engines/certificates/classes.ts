/** Checks that the classes of a proof agree with the policies on every provenance. */
import {
  policyReader,
  type CertifiedClasses,
  type MessageProgram,
  type Policy,
  type ProvenanceProperty,
} from "../../model/index.js";

/** The first mistake in the classes, or undefined. */
export function wrongClasses(
  program: MessageProgram,
  property: ProvenanceProperty,
  classes: CertifiedClasses,
): string | undefined {
  const policies = [property.policy, ...program.tests];
  if (classes.tests.length !== program.tests.length) return "the tests of the program are not all there"; // sound: test/provenance/quick-certificates.test.ts
  const said = [classes.bad.map((isBad) => isBad !== property.isAllowed), ...classes.tests];
  if (said.some((row) => row.length !== classes.bad.length)) return "the classes differ in number"; // sound: test/provenance/quick-certificates.test.ts
  return program.domain.kind === "declared"
    ? wrongDeclared(program.domain.classes.length, policies, said)
    : wrongWords(program.principals.length, policies, said, classes.sent);
}

function wrongDeclared(
  count: number,
  policies: readonly Policy[],
  said: readonly (readonly boolean[])[],
): string | undefined {
  if (said[0]!.length !== count) return `the domain has ${count} classes`;
  for (let each = 0; each < count; each++)
    for (const [which, policy] of policies.entries()) {
      const reader = policyReader(policy);
      if (reader.accepts(`${each}`) !== said[which]![each])
        return `class ${each} does not agree with the policy`;
    }
  return undefined;
}

/** Explores the product of the classes and the policy readers over all words. */
function wrongWords(
  letters: number,
  policies: readonly Policy[],
  said: readonly (readonly boolean[])[],
  sent: readonly (readonly number[])[],
): string | undefined {
  const readers = policies.map(policyReader);
  const start = { at: 0, states: readers.map((reader) => reader.start) };
  const seen = new Map([[JSON.stringify(start), start]]);
  for (const { at, states } of seen.values()) {
    if (sent[at]?.length !== letters) return `class ${at} lacks successors`; // sound: test/provenance/quick-certificates.test.ts
    for (const [which, reader] of readers.entries())
      // sound: test/provenance/quick-certificates.test.ts
      if (reader.accepts(states[which]!) !== said[which]![at])
        return `class ${at} does not agree with the policy`;
    for (let letter = 0; letter < letters; letter++) {
      const next = {
        at: sent[at]![letter]!,
        states: states.map((state, which) => readers[which]!.read(state, letter)),
      };
      seen.set(JSON.stringify(next), next);
    }
  }
  return undefined;
}
