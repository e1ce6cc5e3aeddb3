/**
 * Counted mutants of certificates that engines wrote: cases dropped, conditions weakened, other models. A proof that is accepted for another
 * model must be about one in which the property holds.
 */
import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { checkBooleanProof, checkInvariant } from "../../../src/engines/certificates/index.js";
import { proofOf } from "../../../src/engines/parametric/index.js";
import type { BooleanProgram, BooleanProof } from "../../../src/model/index.js";
import { printExpression, readExpressions, type SExpression } from "../../../src/model/s-expressions.js";
import { openCheckers } from "../../../src/solvers/index.js";
import { inRepository } from "../../repository.js";
import { PLAIN, programIn, run } from "../boolean-agreement.js";
import { analyse, programOf, solverForTests } from "../guarded/analyse.js";

const opened = solverForTests();
const checkers = openCheckers("auto").slice(0, 1);
afterAll(() => {
  opened.close();
  for (const checker of checkers) checker.close();
});

const fixture = (name: string): string =>
  readFileSync(inRepository(`test/fixtures/gcl/conformance/${name}.gcl`), "utf8");

/** With one case of a disjunction left out, or one condition of a conjunction taken for true. */
function* weakenings(tree: SExpression): Generator<SExpression> {
  if (typeof tree === "string") return;
  const [head, ...parts] = tree;
  for (const [index, part] of parts.entries()) {
    if (head === "or" && parts.length > 1) yield [head, ...parts.toSpliced(index, 1)];
    if (head === "and" && parts.length > 1) yield [head, ...parts.toSpliced(index, 1)];
    if (head === "or" || head === "and")
      for (const other of weakenings(part)) yield [head, ...parts.with(index, other)];
  }
}

const judged = (text: string, invariant: string): string => {
  const program = programOf(text);
  const property = program.properties[0]?.name ?? "";
  return checkInvariant(program, { kind: "invariant", property, by: "test", invariant }, checkers, 20_000)
    .kind;
};

/** A model with one sign, bound or comparison changed. */
const otherModels = (text: string): string[] =>
  [...text.matchAll(/\b\d+\b|<=|==|[<>+-](?![=>])/g)].flatMap(({ 0: found, index }) => {
    const instead = /\d/.test(found)
      ? [`${Number(found) + 1}`]
      : ({ "<=": ["<", ">="], "==": ["!=", "<="], "<": ["<="], ">": [">="], "+": ["-"], "-": ["+"] }[found] ??
        []);
    return instead.map((each) => text.slice(0, index) + each + text.slice(index + found.length));
  });

test("two hundred mutants of guarded commands' proofs are rejected", { timeout: 240_000 }, () => {
  const count = { dropped: 0, models: 0, accepted: 0 };
  for (const name of ["mutex-input", "ticket-symbolic", "synapse", "mesi-symbolic"]) {
    const text = fixture(name);
    const { answer } = analyse(text, opened.solver);
    if (answer.kind !== "safe" || answer.invariant === undefined) throw new Error(`${name} is not proved`);
    const { invariant } = answer;
    expect(judged(text, invariant), name).toBe("accepted");
    const [tree] = readExpressions(invariant);
    const mutants = tree ? [...weakenings(tree)].slice(0, 75) : [];
    for (const mutant of mutants)
      if (judged(text, printExpression(mutant)) === "rejected") count.dropped++;
      // A redundant part: the property holds all the same.
      else count.accepted++;
    for (const other of otherModels(text)) {
      if (!ifAny(() => programOf(other))) continue;
      if (judged(other, invariant) === "rejected") count.models++;
      else {
        count.accepted++;
        expect(analyse(other, opened.solver).answer.kind, other).not.toBe("unsafe");
      }
    }
  }
  console.log(JSON.stringify(count));
  expect(count.dropped + count.models).toBeGreaterThanOrEqual(200);
  expect(Math.min(count.dropped, count.models)).toBeGreaterThan(20);
});

/** Undefined: the text is refused. */
function ifAny<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}

const LOCK = `bool lock, x = 0, *;
thread A { bool l; while (*) { lock = 1 constrain(!lock); l = *; x = l; assert(x == l); lock = 0; } }
thread B { while (*) { lock = 1 constrain(!lock); x = *; lock = 0; } }`;
const TURNS = `bool f0, f1, turn, c;
thread A { while (*) { f0 = 1; turn = 1; assume(!f1 || !turn); assert(!c); c = 1; c = 0; f0 = 0; } }
thread B { while (*) { f1 = 1; turn = 0; assume(!f0 || turn); assert(!c); c = 1; c = 0; f1 = 0; } }`;

function proved(text: string): { program: BooleanProgram; proof: BooleanProof } | undefined {
  const program = programIn(text);
  const property = program.properties[0]!;
  const { answer } = run(program, property, { ...PLAIN, dropsDead: true, keepsProof: true });
  return answer.kind === "unreachable" && answer.proof
    ? { program, proof: proofOf(property.name, answer.proof) }
    : undefined;
}

/** Covers left out, led elsewhere or called impossible; sets smaller by a guard, or with other values. */
function* changes(proof: BooleanProof): Generator<BooleanProof> {
  const { covers, sets } = proof;
  for (const [index, cover] of covers.entries()) {
    yield { ...proof, covers: covers.toSpliced(index, 1) };
    if (cover.to < 0) continue;
    yield { ...proof, covers: covers.with(index, { ...cover, to: -1, instances: [] }) };
    yield { ...proof, covers: covers.with(index, { ...cover, instances: [] }) };
    yield { ...proof, covers: covers.with(index, { ...cover, to: (cover.to + 1) % sets.length }) };
  }
  for (const [index, set] of sets.entries()) {
    yield { ...proof, sets: sets.toSpliced(index, 1) };
    for (const [k, [variable, literal]] of set.values.entries())
      yield {
        ...proof,
        sets: sets.with(index, { ...set, values: set.values.with(k, [variable, literal ^ 1]) }),
      };
    for (const k of set.values.keys())
      yield { ...proof, sets: sets.with(index, { ...set, values: set.values.toSpliced(k, 1) }) };
  }
}

const otherPrograms = (text: string): string[] =>
  [...text.matchAll(/ constrain\([^)]*\)|== |!(?=\w)|\b[01]\b|&&|\|\|/g)].map(({ 0: found, index }) => {
    const instead = { "== ": "!= ", "!": "", "0": "1", "1": "0", "&&": "||", "||": "&&" }[found] ?? "";
    return text.slice(0, index) + instead + text.slice(index + found.length);
  });

test("two hundred mutants of Boolean programs' proofs are rejected", { timeout: 240_000 }, () => {
  const count = { changed: 0, models: 0, accepted: 0 };
  for (const text of [LOCK, TURNS]) {
    const found = proved(text);
    if (!found) throw new Error("it is not proved");
    const { program, proof } = found;
    const kind = (of: BooleanProgram, each: BooleanProof): string =>
      checkBooleanProof(of, each, checkers, 30_000).kind;
    expect(kind(program, proof)).toBe("accepted");
    for (const each of [...changes(proof)].filter((_, number) => number % 5 === 0))
      if (kind(program, each) === "rejected") count.changed++;
      // A set that is not needed, or larger than needed.
      else count.accepted++;
    for (const other of otherPrograms(text)) {
      const changed = ifAny(() => programIn(other));
      if (!changed) continue;
      if (kind(changed, proof) === "rejected") count.models++;
      else {
        count.accepted++;
        expect(run(changed, changed.properties[0]!, PLAIN).answer.kind, other).toBe("unreachable");
      }
    }
  }
  console.log(JSON.stringify(count));
  expect(count.changed + count.models).toBeGreaterThanOrEqual(200);
  expect(count.models).toBeGreaterThan(5);
});
