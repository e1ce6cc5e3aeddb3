/**
 * The relations, strongest first where they are nested. Each is a bisimilarity of the engine on a view of the systems (`view.ts`): what is seen
 * of states and actions, and whether the first step counts separately.
 */
export const basicEquivalences = ["strong", "divergence-branching", "branching", "weak"] as const;
/** They compare what is seen of states: all actions are steps, or all but those with the environment. */
export const stateEquivalences = ["interaction-sensitive", "stuttering"] as const;
/** A system can be replaced by its quotient. */
export const minimisingEquivalences = [...basicEquivalences, ...stateEquivalences] as const;
/** The first step is matched by a step: needed where a choice stands around a system. */
export const rootedEquivalences = [
  "rooted-divergence-branching",
  "rooted-branching",
  "rooted-weak",
  "rooted-interaction-sensitive",
  "rooted-stuttering",
] as const;
/**
 * Rooted and interaction-sensitive from every state: `congruence` in an environment that may change the state at any time, so also beside other
 * processes; `isolated-congruence` alone.
 */
export const congruences = ["congruence", "isolated-congruence"] as const;

export const equivalences = [...minimisingEquivalences, ...rootedEquivalences, ...congruences] as const;
/** The first system is compared with the second, not the second with the first. */
export const preorders = ["trace", "simulation"] as const;

export type BasicEquivalence = (typeof basicEquivalences)[number];
// As unions of named arrays: the generator of the schema does not evaluate spreads.
export type MinimisingEquivalence = BasicEquivalence | (typeof stateEquivalences)[number];
export type Equivalence =
  MinimisingEquivalence | (typeof rootedEquivalences)[number] | (typeof congruences)[number];
export type Preorder = (typeof preorders)[number];
export type Relation = Equivalence | Preorder;

export const relations: readonly Relation[] = [...equivalences, ...preorders];

export const isEquivalence = (relation: Relation): relation is Equivalence =>
  (equivalences as readonly string[]).includes(relation);

/** How a relation is decided. */
export interface Seen {
  readonly base: BasicEquivalence;
  /** Relates only states of equal observation; keeps the labels of no action, or of those with the environment. */
  readonly keeps?: "nothing" | "interactions";
  readonly isRooted?: true;
  /** Systems are started in every state. */
  readonly from?: "alone" | "environment";
}

const stuttering = { base: "divergence-branching", keeps: "nothing" } as const;
const sensitive = { base: "divergence-branching", keeps: "interactions" } as const;

export const seenBy: Readonly<Record<Equivalence, Seen>> = {
  strong: { base: "strong" },
  "divergence-branching": { base: "divergence-branching" },
  branching: { base: "branching" },
  weak: { base: "weak" },
  stuttering,
  "interaction-sensitive": sensitive,
  "rooted-divergence-branching": { base: "divergence-branching", isRooted: true },
  "rooted-branching": { base: "branching", isRooted: true },
  "rooted-weak": { base: "weak", isRooted: true },
  "rooted-stuttering": { ...stuttering, isRooted: true },
  "rooted-interaction-sensitive": { ...sensitive, isRooted: true },
  "isolated-congruence": { ...sensitive, isRooted: true, from: "alone" },
  congruence: { ...sensitive, isRooted: true, from: "environment" },
};

/** Of a relation that compares states. */
export const seesStates = (relation: Relation): boolean =>
  isEquivalence(relation) && seenBy[relation].keeps !== undefined;
