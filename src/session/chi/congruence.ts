/** Compares χ terms over the same variables and channels, and certifies applications of laws. */
import { ChiTooLarge, chiModel } from "../../compile/chi/index.js";
import { exploreLts } from "../../engines/explicit/index.js";
import { comparing, seenBy, type Comparison, type Equivalence } from "../../engines/lts/index.js";
import {
  chiFree,
  visitChi,
  type Budget,
  type ChiProgram,
  type ChiTerm,
  type ChiVariable,
  type Lts,
} from "../../model/index.js";
import { normalForm, type LawApplication } from "../../transforms/chi/index.js";
import { actionsOf } from "../lts/labels.js";

/** What the terms are about. */
export type ChiContext = Pick<ChiProgram, "globals" | "channels">;

/** The transition system of a term as a relation compares it; undefined: it is larger than the budget. */
export async function ltsOfTerm(
  context: ChiContext,
  term: ChiTerm,
  relation: Equivalence,
  budget: Budget = {},
): Promise<Lts | undefined> {
  const span = { file: "", start: 0, end: 0 };
  const base = { name: "term", invariants: [], goals: [], checksDeadlock: true, span };
  const { steps, actions } = chiModel({ ...base, ...context, system: term });
  const { from } = seenBy[relation];
  const among = from ? (actions.among?.(from) ?? "no environment") : actions;
  if (typeof among === "string") throw new ChiTooLarge(among);
  return (
    await exploreLts(
      actionsOf({ steps, actions: among }, () => true),
      budget,
      {},
    )
  ).lts;
}

/** Undefined: larger than the budget. */
export async function compareTerms(
  context: ChiContext,
  left: ChiTerm,
  right: ChiTerm,
  relation: Equivalence = "congruence",
  budget: Budget = {},
): Promise<Comparison | undefined> {
  const first = await ltsOfTerm(context, left, relation, budget);
  const second = await ltsOfTerm(context, right, relation, budget);
  if (!first || !second) return undefined;
  const slices = comparing(first, second, relation);
  while (slices.advance(100_000));
  return slices.result();
}

export interface Certified {
  readonly applications: readonly LawApplication[];
  /** Applications that were compared and found congruent. */
  readonly confirmed: number;
  /** Larger than the limit. */
  readonly open: readonly LawApplication[];
  readonly refuted: readonly LawApplication[];
}

/** Compares both sides of every application on the way to the normal form, under every environment. */
export async function certifyLaws(program: ChiProgram, maxStates = 20_000): Promise<Certified> {
  const { applications } = normalForm(program);
  const around = applications.flatMap(({ before, after }) => [...scopedIn(before), ...scopedIn(after)]);
  const open: LawApplication[] = [];
  const refuted: LawApplication[] = [];
  for (const application of applications) {
    const { before, after } = application;
    const comparison = await compared(
      program,
      [...scopedIn(program.system), ...around],
      before,
      after,
      maxStates,
    );
    if (!comparison) open.push(application);
    // sound: test/languages/chi/traps.test.ts
    else if (!comparison.isRelated) refuted.push(application);
  }
  return { applications, confirmed: applications.length - open.length - refuted.length, open, refuted };
}

function scopedIn(term: ChiTerm): ChiVariable[] {
  const found: ChiVariable[] = [];
  visitChi(term, (part) => part.kind === "scope" && found.push(...part.variables));
  return found;
}

/** A side that mentions variables of scopes around it is compared with these as global variables. */
async function compared(
  { globals, channels }: ChiProgram,
  around: readonly ChiVariable[],
  before: ChiTerm,
  after: ChiTerm,
  maxStates: number,
): Promise<Comparison | undefined> {
  try {
    const free = new Set([...chiFree(before), ...chiFree(after)]);
    const used = globals.filter(({ name }) => free.has(name));
    const outer = around.filter(({ name }) => free.has(name) && !used.some((own) => own.name === name));
    const context = { globals: [...used, ...outer], channels };
    return await compareTerms(context, before, after, "congruence", { maxStates });
  } catch (error) {
    if (error instanceof ChiTooLarge) return undefined;
    throw error;
  }
}
