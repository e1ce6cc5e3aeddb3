/** Laws on random instances. */
import { renderChi, type ChiTerm } from "../../../src/model/index.js";
import { Random } from "../../../src/session/index.js";
import { compareTerms } from "../../../src/session/chi/congruence.js";
import type { ChiLaw } from "../../../src/transforms/chi/index.js";
import { CHANNELS, ChiMaker, GLOBALS } from "../../generators/chi.js";

export interface LawFigures {
  /** Instances that were compared. */
  readonly compared: number;
  /** Too large to compare. */
  readonly skipped: number;
  readonly refuted: readonly {
    readonly left: ChiTerm;
    readonly right: ChiTerm;
    readonly text: string;
    readonly evidence: string;
  }[];
}

const LIMIT = 3_000;

/** Compares instances that satisfy the condition of the law, or violate it. */
export async function checkLaw(
  law: ChiLaw,
  count: number,
  seed: number,
  isBroken = false,
  depth = 3,
): Promise<LawFigures> {
  const maker = new ChiMaker(new Random(seed));
  const refuted: LawFigures["refuted"][number][] = [];
  let compared = 0;
  let skipped = 0;
  for (let tries = 0; compared < count && tries < 60 * count; tries++) {
    const needsProper = law.condition?.includes("ε") === true && !isBroken;
    const { term, bindings } = maker.instance(law.left, law.id.startsWith("10") ? 2 : depth, needsProper);
    if (law.isAllowed(bindings) === isBroken) continue;
    const right = law.right(bindings, "w");
    const comparison = await compareTerms(
      { globals: GLOBALS, channels: CHANNELS },
      term,
      right,
      "congruence",
      { maxStates: LIMIT },
    );
    if (!comparison) {
      skipped++;
      continue;
    }
    compared++;
    if (comparison.isRelated) continue;
    const evidence = comparison.evidence?.kind === "formula" ? comparison.evidence.text : "";
    refuted.push({ left: term, right, text: `${renderChi(term)}  =  ${renderChi(right)}`, evidence });
    if (isBroken) break;
  }
  return { compared, skipped, refuted };
}
