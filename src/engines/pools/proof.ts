/** Writes proofs as certificates: shapes of derivations, lemmas and cases, without conditions, which follow from the program. */
import type { PoolCase, PoolLemma, PoolProof, PoolTree } from "../../model/certificate.js";
import type { NdlogLemma, NdlogProperty } from "../../model/ndlog.js";
import { pairsOf } from "./lemmas.js";
import type { Node, Pool } from "./pool.js";

/** Cases of a proof, and the lemmas that they use. */
export interface PoolEvidence {
  readonly cases: readonly PoolCase[];
  readonly lemmas: readonly NdlogLemma[];
}

export function poolProofOf(pool: Pool, property: NdlogProperty, evidence: PoolEvidence): PoolProof {
  return {
    kind: "pool",
    property: property.name,
    cut: [...pool.cut].sort((a, b) => a - b),
    pool: pool.program.predicates.map((_, predicate) =>
      pool.entries(predicate).map(({ node }) => treeOf(node)),
    ),
    lemmas: evidence.lemmas.map((lemma) => lemmaOf(pool, property, lemma)),
    cases: evidence.cases,
  };
}

export const treeOf = ({ by, children }: Node): PoolTree =>
  by === "base" ? -1 : by === "rec" ? -2 : [by, ...children.map(treeOf)];

/** The number of the root, then of children. */
export function pathTo(nodes: readonly Node[], leaf: Node): number[] {
  for (const [index, node] of nodes.entries()) {
    if (node === leaf) return [index];
    const below = pathTo(node.children, leaf);
    if (below.length > 0) return [index, ...below];
  }
  return [];
}

function lemmaOf({ program }: Pool, property: NdlogProperty, lemma: NdlogLemma): PoolLemma {
  const declared = program.lemmas.indexOf(lemma);
  if (declared >= 0) return { kind: "declared", lemma: declared };
  if (lemma.when === property.when) return { kind: "property" };
  const [outer, inside] = [lemma.when.atoms[0], lemma.then.atoms[0]];
  if (!outer || !inside) throw new Error("an inferred lemma has no tuples");
  return {
    kind: "equalities",
    outer: outer.predicate,
    inside: inside.predicate,
    equal: pairsOf(lemma),
  };
}
