/**
 * Rewrites a χ term towards its normal form, `|[ s | encap(q1 || … || qn) ]|` with sequential parts and guards in front of single actions, by
 * laws alone. Each application is recorded with its position, so that it can be certified.
 *
 * Rewrites bottom-up to a fixed point. Terms that no law covers stay: a parallel composition below a choice, a star or a guard becomes an automaton of
 * its residual terms when it is translated (`remaining`).
 */
import {
  chiParts,
  freshName,
  renamedApart,
  renderChi,
  visitChi,
  withChiParts,
  type ChiProgram,
  type ChiTerm,
} from "../../model/index.js";
import { applied, chiLaws, type ChiLaw } from "./laws.js";

export interface LawApplication {
  readonly law: string;
  readonly condition: string | undefined;
  /** Numbers of parts from the whole term down. */
  readonly position: readonly number[];
  readonly before: ChiTerm;
  readonly after: ChiTerm;
}

export interface NormalForm {
  readonly term: ChiTerm;
  readonly applications: readonly LawApplication[];
  /** Parts that are not sequential and that no law removes. */
  readonly remaining: readonly ChiTerm[];
}

/** Laws that lead to the normal form, in the order in which they are tried. */
const USED: readonly string[] = [
  "eps;p",
  "p;eps",
  "delta;p",
  "p[]delta",
  "delta[]p",
  "p||eps",
  "eps||p",
  "p[]p",
  "9.1",
  "9.2",
  "7.1",
  "7.2",
  "7.3",
  "7.4",
  "7.5",
  "7.6",
  "8",
  "9.3",
  "9.4",
  "9.6",
  "10.1",
  "10.2",
  "encap(encap(p))",
];

/**
 * Laws that divide a sequence into parallel parts. Inside a star, a choice or a guard a parallel composition remains in any case; there law 8
 * would make a sequence of what they divided, and so on without end.
 */
const SPLITTING: ReadonlySet<string> = new Set(["10.1", "10.2"]);
const INSIDE: ReadonlySet<ChiTerm["kind"]> = new Set(["star", "alt", "guard"]);

const used: readonly ChiLaw[] = USED.flatMap((id) => chiLaws.filter((law) => law.id === id));
const byId = (id: string): readonly ChiLaw[] => chiLaws.filter((law) => law.id === id);
/** Scopes on the right of a choice or a composition are first moved to the left. */
const turning = [
  { law: byId("commutative []"), kind: "alt" },
  { law: byId("commutative ||"), kind: "par" },
] as const;

const MOST_APPLICATIONS = 10_000;

export function normalForm(program: Pick<ChiProgram, "globals" | "system">): NormalForm {
  const taken = new Set(program.globals.map(({ name }) => name));
  const applications: LawApplication[] = [];
  const fresh = (): string => freshName("w", taken);
  const rewrite = (term: ChiTerm, position: readonly number[], isInside: boolean): ChiTerm => {
    const isInner = isInside || INSIDE.has(term.kind);
    const parts = chiParts(term).map((part, i) => rewrite(part, [...position, i], isInner));
    const inner = withChiParts(term, parts);
    if (applications.length >= MOST_APPLICATIONS) return inner;
    for (const law of lawsFor(inner)) {
      const after = applied(law, inner, fresh);
      if (!after || (isInside && SPLITTING.has(law.id))) continue;
      applications.push({ law: law.id, condition: law.condition, position, before: inner, after });
      return rewrite(after, position, isInside);
    }
    return inner;
  };
  const term = rewrite(renamedApart(program.system, taken), [], false);
  return { term, applications, remaining: remainingIn(term) };
}

function lawsFor(term: ChiTerm): readonly ChiLaw[] {
  for (const { law, kind } of turning)
    if (term.kind === kind && term.right.kind === "scope" && term.left.kind !== "scope") return law;
  return used;
}

/** Parallel compositions below anything but scopes, encapsulations and parallel compositions. */
function remainingIn(term: ChiTerm): ChiTerm[] {
  if (term.kind === "scope" || term.kind === "encap") return remainingIn(term.body);
  if (term.kind === "par") return [...remainingIn(term.left), ...remainingIn(term.right)];
  let hasParallel = false;
  visitChi(term, ({ kind }) => (hasParallel ||= kind === "par" || kind === "scope" || kind === "encap"));
  return hasParallel ? [term] : [];
}

/** One application, for the log. */
export const renderApplication = ({ law, position, condition, before, after }: LawApplication): string =>
  `law ${law} at ${position.length === 0 ? "the top" : position.join(".")}${condition === undefined ? "" : ` (${condition})`}: ${renderChi(before)}  =  ${renderChi(after)}`;
