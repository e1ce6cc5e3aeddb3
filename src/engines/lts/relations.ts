/** The relations, strongest first where they are nested. */
export const equivalences = ["strong", "divergence-branching", "branching", "weak"] as const;
/** The first system is compared with the second, not the second with the first. */
export const preorders = ["trace", "simulation"] as const;

export type Equivalence = (typeof equivalences)[number];
export type Preorder = (typeof preorders)[number];
export type Relation = Equivalence | Preorder;

export const relations: readonly Relation[] = [...equivalences, ...preorders];

export const isEquivalence = (relation: Relation): relation is Equivalence =>
  (equivalences as readonly string[]).includes(relation);
