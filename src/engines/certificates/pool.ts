/**
 * Checks proofs about NDLog programs through SMT-LIB text: the listed shapes of derivations are all there are, annotations and lemmas
 * are inductive, and every case of the property is refuted. `pool-text.ts` prints derivations of a shape.
 *
 * Shares nothing but the program with the engine.
 */
import type { PoolCase, PoolLemma, PoolProof, PoolTree } from "../../model/certificate.js";
import {
  sumOfVariable,
  type NdlogCondition,
  type NdlogProgram,
  type NdlogProperty,
  type ScriptRunner,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { refuted, type Claim } from "./claims.js";
import { choices, Malformed, PoolText, type Lemma } from "./pool-text.js";

export type PoolJudgement =
  | { readonly kind: "accepted"; readonly trees: number; readonly cases: number; readonly conditions: number }
  | { readonly kind: "rejected"; readonly why: string };

export function checkPoolProof(
  program: NdlogProgram,
  proof: PoolProof,
  runners: readonly ScriptRunner[],
  timeMs: number,
): PoolJudgement {
  try {
    const claims = new PoolChecker(program, proof).claims();
    if (runners.length === 0) return { kind: "rejected", why: "there is no solver" };
    for (const runner of runners) {
      const why = refuted(runner, claims, timeMs);
      if (why !== undefined) return { kind: "rejected", why }; // sound: test/engines/certificates/pool.test.ts
    }
    const trees = proof.pool.reduce((sum, { length }) => sum + length, 0);
    return { kind: "accepted", trees, cases: proof.cases.length, conditions: claims.length };
  } catch (error) {
    if (error instanceof Malformed) return { kind: "rejected", why: error.message };
    throw error;
  }
}

class PoolChecker {
  readonly #program: NdlogProgram;
  readonly #proof: PoolProof;
  readonly #property: NdlogProperty;
  readonly #lemmas: readonly Lemma[];

  constructor(program: NdlogProgram, proof: PoolProof) {
    this.#program = program;
    this.#proof = proof;
    const property = program.properties.find(({ name }) => name === proof.property);
    if (property?.asks !== "always") throw new Malformed(`there is no property '${proof.property}' to prove`); // sound: test/engines/certificates/pool.test.ts
    this.#property = property;
    this.#lemmas = proof.lemmas.map((lemma) => this.#lemma(lemma));
  }

  claims(): Claim[] {
    this.#checkPool();
    return [...this.#ofAnnotations(), ...this.#ofLemmas(), ...this.#ofCases()];
  }

  /** By induction on height, every derivation has a listed shape: a rule over listed shapes gives a listed one. */
  #checkPool(): void {
    const { predicates } = this.#program;
    if (this.#proof.pool.length !== predicates.length) throw new Malformed("the pool omits predicates");
    predicates.forEach(({ name }, predicate) => {
      const listed = new Set(this.#trees(predicate).map(keyOf));
      for (const tree of this.#needed(predicate))
        if (!listed.has(keyOf(tree))) throw new Malformed(`the pool of ${name} omits a derivation`); // sound: test/engines/certificates/pool.test.ts
    });
  }

  #needed(predicate: number): PoolTree[] {
    const { rules, predicates } = this.#program;
    const isCut = new Set(this.#proof.cut);
    const derived = rules.flatMap(({ head, body }, number): PoolTree[] =>
      head.predicate === predicate
        ? choices(
            body.atoms.map((atom) =>
              isCut.has(atom.predicate) ? [-2 as const] : this.#trees(atom.predicate),
            ),
          ).map((children) => [number, ...children])
        : [],
    );
    return nth(predicates, predicate).isBase ? [-1, ...derived] : derived; // sound: test/engines/certificates/pool.test.ts
  }

  #trees(predicate: number): readonly PoolTree[] {
    return nth(this.#proof.pool, predicate);
  }

  #ofAnnotations(): Claim[] {
    return this.#program.annotations.flatMap((annotation) =>
      this.#trees(annotation.predicate).map((tree) => {
        const text = new PoolText(this.#program);
        // At the root, where it is to be proved, an open leaf would assume it.
        if (tree === -2) throw new Malformed("a derivation of the pool is an open leaf"); // sound: test/engines/certificates/pool.test.ts
        text.breaks(annotation, text.derivation(tree, annotation.predicate));
        text.constraints(this.#program.constraints);
        text.assume(this.#program.annotations);
        const { name } = nth(this.#program.predicates, annotation.predicate);
        return { script: text.text(), failure: `${this.#ruleOf(tree)} breaks the annotation of ${name}` };
      }),
    );
  }

  #ofLemmas(): Claim[] {
    return this.#lemmas.flatMap(({ when, then }, index) => {
      const predicate = nth(when.atoms, 0).predicate;
      return this.#trees(predicate).map((tree) => {
        if (tree === -2) throw new Malformed("a derivation of the pool is an open leaf"); // sound: test/engines/certificates/pool.test.ts
        const failure = `${this.#ruleOf(tree)} breaks lemma ${index + 1}`;
        return { script: this.#violation([tree], { when, alternatives: [then] }), failure };
      });
    });
  }

  /** All combinations of listed shapes on the left of the property, unfolded as the proof says. */
  #ofCases(): Claim[] {
    const given = new Map(this.#proof.cases.map((each) => [JSON.stringify(each.trees), each]));
    const waiting = choices(this.#property.when.atoms.map(({ predicate }) => this.#trees(predicate)));
    const claims: Claim[] = [];
    for (let trees = waiting.pop(); trees; trees = waiting.pop()) {
      const found = given.get(JSON.stringify(trees));
      const rules = trees.map((tree) => this.#ruleOf(tree)).join("+");
      if (!found) throw new Malformed(`there is no case for derivations by ${rules}`); // sound: test/engines/certificates/pool.test.ts
      if (found.unfold) waiting.push(...this.#unfolded(found));
      else
        claims.push({
          script: this.#violation(trees, this.#property),
          failure: `derivations by ${rules} may violate the property`,
        });
      if (claims.length + waiting.length > MOST_CASES) throw new Malformed("there are too many cases");
    }
    return claims;
  }

  /** Derivations of these shapes that violate the property. */
  #violation(
    trees: readonly PoolTree[],
    { when, alternatives }: Pick<NdlogProperty, "when" | "alternatives">,
  ): string {
    const text = new PoolText(this.#program);
    const roots = trees.map((tree, index) => text.derivation(tree, nth(when.atoms, index).predicate));
    text.constraints(this.#program.constraints);
    text.assume(this.#program.annotations);
    text.violates(roots, when, alternatives, this.#lemmas);
    return text.text();
  }

  #unfolded({ trees, unfold = [] }: PoolCase): PoolTree[][] {
    const [first = -1, ...path] = unfold;
    const atom = this.#property.when.atoms[first];
    const tree = trees[first];
    if (!atom || tree === undefined) throw new Malformed("there is no leaf to unfold");
    return this.#replaced(tree, atom.predicate, path).map((each) => trees.with(first, each));
  }

  /** The tree with each listed shape instead of the open leaf. */
  #replaced(tree: PoolTree, predicate: number, [first, ...path]: readonly number[]): PoolTree[] {
    if (first === undefined) {
      if (tree !== -2) throw new Malformed("a leaf is not open"); // sound: test/engines/certificates/pool.test.ts
      return [...this.#trees(predicate)];
    }
    const [rule, ...children] = typeof tree === "number" ? [-1] : tree;
    const child = children[first];
    const atom = this.#program.rules[rule]?.body.atoms[first];
    if (child === undefined || !atom) throw new Malformed("there is no leaf to unfold");
    return this.#replaced(child, atom.predicate, path).map((each) => [rule, ...children.with(first, each)]);
  }

  #ruleOf(tree: PoolTree): string {
    return typeof tree === "number" ? "a base tuple" : (this.#program.rules[tree[0]]?.label ?? "");
  }

  #lemma(lemma: PoolLemma): Lemma {
    switch (lemma.kind) {
      case "declared": {
        const declared = this.#program.lemmas[lemma.lemma];
        if (!declared) throw new Malformed("there is no such lemma");
        return declared;
      }
      case "property": {
        const { when, alternatives } = this.#property;
        const [then, ...others] = alternatives;
        // sound: test/engines/certificates/pool.test.ts
        if (when.atoms.length !== 1 || !then || others.length > 0)
          throw new Malformed("the property is no lemma about one tuple");
        return { when, then };
      }
      case "equalities":
        return this.#ofEqualities(lemma);
    }
  }

  #ofEqualities({ outer, inside, equal }: Extract<PoolLemma, { kind: "equalities" }>): Lemma {
    const [own, inner] = [this.#program.predicates[outer], this.#program.predicates[inside]];
    if (!own || !inner || equal.some(([i, j]) => i >= own.arity || j >= inner.arity))
      throw new Malformed("a lemma compares attributes that are not there");
    const clause = (predicate: number, arity: number, first: number, condition: NdlogCondition) => ({
      atoms: [{ predicate, args: Array.from({ length: arity }, (_, k) => sumOfVariable(first + k)) }],
      definitions: [],
      condition,
    });
    const difference = ([i, j]: readonly [number, number]): NdlogCondition => ({
      kind: "zero",
      sum: {
        parts: [
          { coefficient: 1n, of: { kind: "variable", variable: i } },
          { coefficient: -1n, of: { kind: "variable", variable: own.arity + j } },
        ],
        constant: 0n,
      },
    });
    return {
      when: clause(outer, own.arity, 0, { kind: "constant", value: true }),
      then: clause(inside, inner.arity, own.arity, { kind: "and", all: equal.map(difference) }),
    };
  }
}

const keyOf = (tree: PoolTree): string => JSON.stringify(tree);

const MOST_CASES = 100_000;
