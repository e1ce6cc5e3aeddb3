/**
 * Decides whether a relation keeps the answer to a question, so that parts may be replaced by their quotients. All four relations are
 * congruences for products by vectors and for hiding.
 *
 * Every formula about states is kept by strong bisimilarity. The others keep formulas whose truth does not change along inert τ: the
 * fragment below. `observed` formulas hold in some state of a block, which is enough below `EF{A}` if A contains τ.
 */
import { TAU_NAME, contains, type ActionQuestion, type StateFormula } from "../../model/index.js";

export const keepingRelations = ["branching", "divergence-branching", "strong"] as const;
type Known = (typeof keepingRelations)[number] | "weak";

/** The reason why the relation does not keep the answer; undefined: it does. */
export function whyNotKept(question: ActionQuestion, relation: string): string | undefined {
  if (!isKnown(relation)) return `'${relation}' is not used for compositions`;
  // sound: test/transforms/actions.test.ts
  if (relation === "strong") return undefined;
  switch (question.kind) {
    case "error":
      return undefined;
    case "deadlock":
    case "runs":
      // sound: test/transforms/actions.test.ts test/session/compositional.test.ts
      return relation === "divergence-branching" ? undefined : forgetsDivergence(relation, question.kind);
    case "states":
      return unstable(question.formula, relation);
  }
}

const isKnown = (relation: string): relation is Known =>
  relation === "weak" || (keepingRelations as readonly string[]).includes(relation);

const forgetsDivergence = (relation: string, kind: "deadlock" | "runs"): string =>
  `${relation} bisimilarity forgets endless internal work: ${
    kind === "deadlock"
      ? "a state that works without end would be a deadlock"
      : "a run that never ends would end"
  }`;

/** Why the truth of the formula may differ between related states. */
function unstable(f: StateFormula, relation: Exclude<Known, "strong">): string | undefined {
  const both = (a: StateFormula, b: StateFormula): string | undefined =>
    unstable(a, relation) ?? unstable(b, relation);
  switch (f.kind) {
    case "true":
    case "false":
    case "variable":
      return undefined;
    case "deadlock":
      return "an internal step may precede a deadlock: write EF deadlock or AG !deadlock";
    case "not":
    case "least":
    case "greatest":
      return unstable(f.of, relation);
    case "and":
    case "or":
      return both(f.left, f.right);
    case "diamond":
    case "box":
      return "a modality asks about the next step, and an internal step may precede it: write <any* . a> or AG [a]";
    case "exists-until":
      // sound: test/transforms/actions.test.ts
      if (!contains(f.by, TAU_NAME)) return WITHOUT_TAU;
      // sound: test/transforms/actions.test.ts
      if (relation === "weak" && f.during.kind !== "true")
        return "weak bisimilarity forgets the states between two visible actions";
      // An observation may need inert τ first, which only `true` is sure to allow.
      // sound: test/transforms/actions.test.ts
      if (f.during.kind !== "true") return both(f.during, f.then);
      return unobserved(f.then, relation);
    case "all-until":
    case "exists-always":
      // sound: test/transforms/actions.test.ts
      if (relation !== "divergence-branching")
        return `${relation} bisimilarity forgets endless internal work, on which AF, EG and A[U] depend`;
      // sound: test/transforms/actions.test.ts
      if (!contains(f.by, TAU_NAME)) return WITHOUT_TAU;
      return f.kind === "exists-always" ? unstable(f.of, relation) : both(f.during, f.then);
  }
}

const WITHOUT_TAU = "a path without internal steps is not kept: add tau to the set";

/** Is it not enough that some state of a block satisfies the formula? */
function unobserved(f: StateFormula, relation: Exclude<Known, "strong">): string | undefined {
  const why = unstable(f, relation);
  if (why === undefined) return undefined;
  switch (f.kind) {
    case "deadlock":
      // sound: test/transforms/actions.test.ts
      return relation === "divergence-branching" ? undefined : forgetsDivergence(relation, "deadlock");
    case "diamond":
      // sound: test/transforms/actions.test.ts
      if (contains(f.by, TAU_NAME)) return why;
      // After its action, weak bisimilarity allows internal steps: only what they cannot make false is kept.
      // sound: test/transforms/actions.test.ts
      return relation === "weak" && !isReachability(f.of) ? WEAK_AFTER : unstable(f.of, relation);
    case "or":
      return unobserved(f.left, relation) ?? unobserved(f.right, relation);
    case "and":
      return withStable(f.left, f.right, unobserved, why, relation);
    case "not":
      return unobservedNegation(f.of, why, relation);
    default:
      return why;
  }
}

const WEAK_AFTER = "weak bisimilarity allows internal steps after an action";

/** The same for the negation of a formula. */
function unobservedNegation(
  f: StateFormula,
  why: string,
  relation: Exclude<Known, "strong">,
): string | undefined {
  if (unstable(f, relation) === undefined) return undefined;
  const negated = (g: StateFormula): string | undefined => unobservedNegation(g, why, relation);
  switch (f.kind) {
    case "not":
      return unobserved(f.of, relation);
    case "box":
      // sound: test/transforms/actions.test.ts
      if (contains(f.by, TAU_NAME)) return why;
      return relation === "weak" && !isReachability({ kind: "not", of: f.of })
        ? WEAK_AFTER
        : unstable(f.of, relation);
    case "and":
      return negated(f.left) ?? negated(f.right);
    case "or":
      return withStable(f.left, f.right, negated, why, relation);
    default:
      return why;
  }
}

/** Two observations may come from different states of a block: only one is allowed. */
function withStable(
  left: StateFormula,
  right: StateFormula,
  other: (f: StateFormula, relation: Exclude<Known, "strong">) => string | undefined,
  why: string,
  relation: Exclude<Known, "strong">,
): string | undefined {
  // sound: test/transforms/actions.test.ts
  if (relation === "weak") return why;
  if (unstable(left, relation) === undefined) return other(right, relation);
  // sound: test/transforms/actions.test.ts
  return unstable(right, relation) === undefined ? other(left, relation) : why;
}

/** True formulas that stay true before an internal step. */
function isReachability(f: StateFormula): boolean {
  if (f.kind === "true" || f.kind === "false" || f.kind === "exists-until") return true;
  if (f.kind === "not")
    return f.of.kind === "true" || f.of.kind === "false" || (f.of.kind === "not" && isReachability(f.of.of));
  return (f.kind === "and" || f.kind === "or") && isReachability(f.left) && isReachability(f.right);
}
