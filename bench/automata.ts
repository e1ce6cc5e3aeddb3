/**
 * Sizes of automata beside Spin's, with proofs: `npm run bench:automata -- [--negations] [--seconds N] [--json FILE]`.
 *
 * Uses the 94 formulas of the literature (and with `--negations` their negations). Sizes are counted alike on both sides,
 * from the text of a never claim: a state is a label (or several at one place), a transition an option (`::`); a final
 * `skip`, where every continuation is accepted, is a state with one transition. Hence Spin's automaton is compared with
 * our state-based automaton with one condition. Formulas with `X` are excluded, as this Spin rejects them.
 *
 * Proves every formula equivalent to a second, independent translation: neither automaton shares a word with the other
 * translation of the negated formula, and each accepts the second translation's language.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Formula } from "../src/model/index.js";
import {
  areDisjoint,
  edgeCount,
  hasNext,
  isIncluded,
  negate,
  renderNeverClaim,
  translate,
  translateToBuchi,
} from "../src/transforms/ltl/index.js";
import { translateByAlternation } from "./automata/alternating.js";
import { hasPeer } from "../test/peers.js";
import { claimSize, type Size, spinFormula } from "../test/transforms/ltl/claims.js";
import {
  dwyerAvruninCorbett,
  etessamiHolzmann,
  parsed,
  somenziBloem,
} from "../test/transforms/ltl/literature.js";

const { values } = parseArgs({
  options: {
    negations: { type: "boolean", default: false },
    seconds: { type: "string", default: "60" },
    json: { type: "string" },
  },
});

interface Row {
  readonly name: string;
  readonly formula: string;
  readonly spin: Size | string;
  readonly ours: Size;
  readonly generalised: Size & { readonly conditions: number };
  readonly isProved: boolean;
}

const suites = { EH: etessamiHolzmann, SB: somenziBloem, D: dwyerAvruninCorbett };
const rows = Object.entries(suites).flatMap(([suite, formulas]) =>
  formulas.flatMap((text, i) =>
    (values.negations ? [false, true] : [false]).map((isNegated) => {
      const row = measure(`${suite}${i + 1}${isNegated ? "-" : ""}`, text, isNegated);
      console.log(render(row));
      return row;
    }),
  ),
);
const isGood = [sums(rows), proofs(rows), conditions()].every(Boolean);
if (values.json) writeFileSync(values.json, JSON.stringify(rows, null, 1));
process.exitCode = isGood ? 0 : 1;

function measure(name: string, text: string, isNegated: boolean): Row {
  const [{ formula: positive, propositions }] = parsed(text);
  const formula = isNegated ? negate(positive) : positive;
  const small = translate(formula, propositions);
  const buchi = translateToBuchi(formula, propositions);
  return {
    name,
    formula: isNegated ? `!(${text})` : text,
    spin: hasNext(formula) ? "X: not compared" : sizeInSpin(formula, propositions),
    ours: claimSize(renderNeverClaim(buchi)),
    generalised: { states: small.states.length, transitions: edgeCount(small), conditions: small.conditions },
    isProved: isProved(formula, propositions),
  };
}

function sizeInSpin(formula: Formula, propositions: readonly string[]): Size | string {
  if (!hasPeer("spin")) return "SKIPPED: no spin";
  const { stdout, error } = spawnSync("spin", ["-f", spinFormula(formula, propositions)], {
    encoding: "utf8",
    timeout: Number(values.seconds) * 1000,
  });
  if (error) return `not within ${values.seconds} s`;
  if (!stdout.includes("never")) throw new Error(`spin wrote no claim: ${stdout}`);
  return claimSize(stdout);
}

function isProved(formula: Formula, propositions: readonly string[]): boolean {
  const second = translateByAlternation(formula, propositions);
  const secondNegated = translateByAlternation(negate(formula), propositions);
  const isDisjoint = areDisjoint(translate(negate(formula), propositions), second);
  return [translate(formula, propositions), translateToBuchi(formula, propositions)].every(
    (ours) => isDisjoint && areDisjoint(ours, secondNegated) && isIncluded(second, ours),
  );
}

function render({ name, formula, spin, ours, generalised, isProved }: Row): string {
  const size = (s: Size | string): string => (typeof s === "string" ? s : `${s.states}/${s.transitions}`);
  const larger = typeof spin !== "string" && isLarger(ours, spin) ? " LARGER" : "";
  return [
    name.padEnd(6),
    `spin ${size(spin)}`.padEnd(22),
    `ours ${size(ours)}${larger}`.padEnd(13),
    `generalised ${size(generalised)}, ${generalised.conditions}`.padEnd(22),
    isProved ? "proved " : "NOT PROVED",
    formula,
  ].join("  ");
}

function isLarger(ours: Size, spin: Size): boolean {
  return ours.states > spin.states || ours.transitions > spin.transitions;
}

function sums(all: readonly Row[]): boolean {
  const compared = all.flatMap(({ spin, ours }) => (typeof spin === "string" ? [] : [{ spin, ours }]));
  const total = (size: (row: { spin: Size; ours: Size }) => number): number =>
    compared.reduce((sum, row) => sum + size(row), 0);
  const spin = { states: total((row) => row.spin.states), transitions: total((row) => row.spin.transitions) };
  const ours = { states: total((row) => row.ours.states), transitions: total((row) => row.ours.transitions) };
  const larger = compared.filter((row) => isLarger(row.ours, row.spin)).length;
  console.log(
    `\nsum over ${compared.length} of ${all.length} formulas (states/transitions of the never claim)`,
  );
  console.log(`  spin ${spin.states}/${spin.transitions}`);
  console.log(`  ours ${ours.states}/${ours.transitions}, larger on ${larger}`);
  return !isLarger(ours, spin);
}

function proofs(all: readonly Row[]): boolean {
  const proved = all.filter((row) => row.isProved).length;
  console.log(`equivalent to the second translation: expected ${all.length}, proved ${proved}`);
  return proved === all.length;
}

/** EC-13: acceptance conditions of the exact translation, of all formulas and their negations. */
function conditions(): boolean {
  const counts = new Array<number>(7).fill(0);
  for (const text of Object.values(suites).flat()) {
    const [{ formula, propositions }] = parsed(text);
    for (const f of [formula, negate(formula)])
      counts[translate(f, propositions, { exact: true }).conditions]!++;
  }
  const expected = "20/61/71/18/6/7/5";
  console.log(`EC-13: formulas with 0 to 6 conditions: expected ${expected}, obtained ${counts.join("/")}`);
  return counts.join("/") === expected;
}
