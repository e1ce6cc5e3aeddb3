/** Checks that the classes of a proof agree with the policies on every provenance. */
import {
  policyReader,
  type CertifiedClasses,
  type MessageProgram,
  type Policy,
  type PolicyReader,
  type ProvenanceProperty,
} from "../../model/index.js";
import { nth } from "../../model/known.js";

/** The first mistake in the classes, or undefined. */
export function wrongClasses(
  program: MessageProgram,
  property: ProvenanceProperty,
  classes: CertifiedClasses,
): string | undefined {
  if (classes.tests.length !== program.tests.length) return "the tests of the program are not all there"; // sound: test/provenance/quick-certificates.test.ts
  const isInPolicy = classes.bad.map((isBad) => isBad !== property.isAllowed);
  if (classes.tests.some((row) => row.length !== classes.bad.length)) return "the classes differ in number"; // sound: test/provenance/quick-certificates.test.ts
  const claims = program.tests.map((policy, test) => claimOf(policy, nth(classes.tests, test)));
  claims.unshift(claimOf(property.policy, isInPolicy));
  return program.domain.kind === "declared"
    ? wrongDeclared(program.domain.classes.length, isInPolicy.length, claims)
    : wrongWords(program.principals.length, claims, classes.sent);
}

/** A policy, and its result for each class according to a proof. */
interface Claim {
  readonly reader: PolicyReader;
  readonly said: readonly boolean[];
}

const claimOf = (policy: Policy, said: readonly boolean[]): Claim => ({ reader: policyReader(policy), said });

function wrongDeclared(count: number, claimed: number, claims: readonly Claim[]): string | undefined {
  if (claimed !== count) return `the domain has ${count} classes`;
  for (let each = 0; each < count; each++)
    for (const { reader, said } of claims)
      if (reader.accepts(`${each}`) !== said[each]) return `class ${each} does not agree with the policy`;
  return undefined;
}

/** Explores the product of the classes and the policy readers over all words. */
function wrongWords(
  letters: number,
  claims: readonly Claim[],
  sent: readonly (readonly number[])[],
): string | undefined {
  const start = { at: 0, states: claims.map(({ reader }) => reader.start) };
  const seen = new Map([[JSON.stringify(start), start]]);
  for (const { at, states } of seen.values()) {
    const successors = sent[at];
    if (successors?.length !== letters) return `class ${at} lacks successors`; // sound: test/provenance/quick-certificates.test.ts
    for (const [which, { reader, said }] of claims.entries())
      // sound: test/provenance/quick-certificates.test.ts
      if (reader.accepts(nth(states, which)) !== said[at])
        return `class ${at} does not agree with the policy`;
    for (const [letter, to] of successors.entries()) {
      const next = {
        at: to,
        states: claims.map(({ reader }, which) => reader.read(nth(states, which), letter)),
      };
      seen.set(JSON.stringify(next), next);
    }
  }
  return undefined;
}
