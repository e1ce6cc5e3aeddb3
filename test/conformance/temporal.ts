/**
 * Compares temporal verdicts with Spin's for every formula, claim and kind of label, with and without weak fairness.
 *
 * Spin runs as its manual describes: `pan -a -N name` for a formula or claim, `-DNOCLAIM` and `pan -a` for accept
 * labels, `-DNP` and `pan -l` for progress labels, each with and without `-f`.
 */
import { checkInput, load, readInput, registry, type Fairness, type Input } from "../../src/session/index.js";
import type { TemporalProperty } from "../../src/model/index.js";
import type { Optimisation } from "../peers/pan-compiler.js";
import { spinVerdictsOnFile, type SpinVerdict, type TemporalRequest } from "../peers/spin-temporal.js";

export interface TemporalRow {
  readonly model: string;
  readonly property: string;
  readonly fairness: Fairness;
  readonly verdict: "agree" | "EXCLUDED" | "DIFFERS";
  readonly spin: string;
  readonly ours: string;
  readonly note: string;
}

export interface TemporalModel {
  readonly name: string;
  readonly file: string;
  readonly defines: readonly string[];
}

export interface TemporalEffort {
  /** Limit for each property and each tool. */
  readonly timeoutMs: number;
  readonly maxStates?: number;
  readonly optimise?: Optimisation;
}

/** All temporal properties of a model. */
export async function compareTemporal(model: TemporalModel, effort: TemporalEffort): Promise<TemporalRow[]> {
  const input = readInput(model.file);
  if ("code" in input) throw new Error(input.message);
  const { model: loaded } = await load(input, { defines: model.defines }, registry);
  const rows: TemporalRow[] = [];
  const properties = loaded?.temporal?.properties ?? [];
  for (const property of properties)
    rows.push(...(await compareProperty(model, input, property, properties, effort)));
  return rows;
}

const fairnesses = ["none", "weak"] as const;

async function compareProperty(
  model: TemporalModel,
  input: Input,
  property: TemporalProperty,
  others: readonly TemporalProperty[],
  effort: TemporalEffort,
): Promise<TemporalRow[]> {
  const text = withoutOtherFormulas(input, property, others);
  const request = { ...requestFor(property, text), spin: model.defines.map((define) => `-D${define}`) };
  const spin = await askSpin(model.file, text, request, effort);
  const rows: TemporalRow[] = [];
  for (const [i, fairness] of fairnesses.entries()) {
    const expected = withoutOthers(spin[i]!, input.text);
    const common = { model: model.name, property: property.name, fairness };
    if (expected.kind === "excluded") {
      rows.push({ ...common, verdict: "EXCLUDED", spin: "", ours: "", note: expected.why });
      continue;
    }
    const ours = await ourVerdict(model, input, property, fairness, effort);
    const isUnknown = ours.startsWith("unknown");
    const verdict = ours === expected.kind ? "agree" : isUnknown ? "EXCLUDED" : "DIFFERS";
    const note = expected.kind === "violated" ? expected.message : "";
    rows.push({ ...common, verdict, spin: expected.kind, ours, note });
  }
  return rows;
}

/** Retries with reductions when the plain search exceeds the time. */
async function askSpin(
  file: string,
  text: string,
  request: TemporalRequest,
  { timeoutMs, optimise }: TemporalEffort,
): Promise<SpinVerdict[]> {
  const plain = await spinVerdictsOnFile(file, text, { ...request, timeoutMs, optimise });
  const isLate = (verdict: SpinVerdict): boolean =>
    verdict.kind === "excluded" && /time-out/.test(verdict.why);
  if (!plain.some(isLate)) return plain;
  const reduced = await spinVerdictsOnFile(file, text, { ...request, timeoutMs, optimise, isReduced: true });
  return plain.map((verdict, i) => (isLate(verdict) ? reduced[i]! : verdict));
}

/**
 * Spin translates every formula of a file, and rejects the file for a single unsupported one (Debian's build lacks
 * `X`).
 */
function withoutOtherFormulas(
  { file, text }: Input,
  property: TemporalProperty,
  all: readonly TemporalProperty[],
): string {
  return all.reduce((rest, { kind, span }) => {
    if (kind !== "ltl" || span === property.span || span?.file !== file) return rest;
    return (
      rest.slice(0, span.start) + rest.slice(span.start, span.end).replace(/\S/g, " ") + rest.slice(span.end)
    );
  }, text);
}

function requestFor({ kind, name }: TemporalProperty, text: string): TemporalRequest {
  const searches = (...options: string[]): string[][] => [options, [...options, "-f"]];
  // Spin numbers anonymous formulas from 0, and refuses -N for a single anonymous claim.
  const claimName = name === "ltl" ? "ltl_0" : name;
  switch (kind) {
    case "acceptance":
      return { compile: ["NOCLAIM"], searches: searches("-a", "-A", "-E") };
    case "progress":
      return { compile: ["NP"], searches: searches("-l", "-A", "-E") };
    case "never":
      return { searches: searches("-a", "-E", ...(/\bnever\s+\w/.test(text) ? ["-N", claimName] : [])) };
    default:
      return { searches: searches("-a", "-E", "-N", claimName) };
  }
}

/**
 * An assertion of the model ends pan's search before its search for cycles; assertions of Spin's claims begin with a
 * negation.
 */
function withoutOthers(verdict: SpinVerdict, text: string): SpinVerdict {
  const isOther =
    verdict.kind === "violated" &&
    /^assertion violated/.test(verdict.message) &&
    !/^assertion violated\s+!\(/.test(verdict.message) &&
    /\bassert\b/.test(text);
  return isOther ? { kind: "excluded", why: "pan stops at an assertion of the model" } : verdict;
}

async function ourVerdict(
  model: TemporalModel,
  input: Input,
  { name }: TemporalProperty,
  fairness: Fairness,
  { timeoutMs, maxStates }: TemporalEffort,
): Promise<string> {
  const budget = { timeMs: timeoutMs, ...(maxStates === undefined ? {} : { maxStates }) };
  const options = { defines: model.defines, properties: [name], fairness, budget };
  const { report } = await checkInput(input, options, registry);
  const property = report.properties.find((p) => p.property.name === name);
  if (!property) return `no answer: ${report.diagnostics[0]?.message ?? ""}`;
  return property.verdict === "unknown" ? `unknown: ${property.reason}` : property.verdict;
}

export function renderTemporal(rows: readonly TemporalRow[]): string {
  const cells = rows.map((r) => [r.verdict, r.model, r.property, r.fairness, r.spin, r.ours, r.note]);
  const header = ["", "model", "property", "fairness", "Spin", "ours", ""];
  const widths = header.map((title, i) =>
    Math.min(48, Math.max(title.length, ...cells.map((c) => c[i]!.length))),
  );
  const line = (c: readonly string[]): string =>
    c
      .map((text, i) => text.slice(0, 60).padEnd(widths[i]!))
      .join("  ")
      .trimEnd();
  const count = (verdict: TemporalRow["verdict"]): number => rows.filter((r) => r.verdict === verdict).length;
  const totals = `${rows.length} verdicts: ${count("agree")} agree, ${count("EXCLUDED")} excluded, ${count("DIFFERS")} differ`;
  return [line(header), ...cells.map(line), "", totals].join("\n");
}
