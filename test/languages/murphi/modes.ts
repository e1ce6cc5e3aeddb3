/** Compares the default mode and every forced reduction with the search of the whole system. */
import type { RuleProgram } from "../../../src/model/rules.js";
import type { CheckOptions, Checked, Registry } from "../../../src/session/index.js";
import { planSymmetry } from "../../../src/transforms/symmetry/index.js";
import { difference, explore, programOf, systemOf, type Explored } from "../../compile/rules/differential.js";
import { Orbits } from "../../transforms/symmetry/orbits.js";
import { loadingOnce } from "../../peers/loading-once.js";
import { sampling } from "../../session/sampling.js";
import { check } from "./fixtures.js";

export interface ModesCompared {
  /** False if the model is too large to compare. */
  readonly isCompared: boolean;
  /** Symmetry replaced the search of the whole system. */
  readonly isReduced: boolean;
  /** Kinds of properties that are violated in the whole system. */
  readonly violated: readonly string[];
  readonly differences: readonly string[];
}

export const NOT_COMPARED: ModesCompared = {
  isCompared: false,
  isReduced: false,
  violated: [],
  differences: [],
};

const MOST_STATES = 3000;
/** Most states whose steps the interpreter repeats. */
const MOST_INTERPRETED = 40;

const MODES: readonly (readonly [name: string, options: CheckOptions])[] = [
  ["symmetry", { reductions: ["symmetry"] }],
  ["symmetry, normal forms", { reductions: ["symmetry"], symmetry: "heuristic" }],
];

/**
 * With a `seed`, as from fuzzers, tests one form of symmetry, and either steps or orbits; every fourth model also tests
 * the conditions of symmetry. Without a seed, tests everything.
 */
export async function compareModes(
  text: string,
  { reductions: _, ...options }: CheckOptions,
  seed?: number,
): Promise<ModesCompared> {
  const common: CheckOptions = { ...options, maxErrors: Infinity, budget: { maxStates: MOST_STATES } };
  const loading = loadingOnce("murphi", ({ symmetry }) => symmetry ?? "");
  const registry = seed === undefined || seed % 4 === 0 ? loading : sampling(loading, "none");
  const isDrawn = (part: number): boolean => seed === undefined || (seed >> 1) % 2 === part;
  const plain = await check("m.m", text, { ...common, isPlain: true }, registry);
  const errors = plain.diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0)
    return { ...NOT_COMPARED, differences: errors.map((e) => `refused: ${e.code}: ${e.message}`) };
  const isCompared = plain.properties.every(({ verdict }) => verdict !== "unknown");
  if (!isCompared) return NOT_COMPARED;
  const differences = [];
  const whole = verdictsOf(plain);
  for (const [name, mode] of MODES.filter((_, part) => isDrawn(part))) {
    const ours = verdictsOf(await reportIn(text, { ...common, ...mode }, registry));
    if (ours !== whole) differences.push(`${name}: ${ours}; plain: ${whole}`);
  }
  // Half of the budget is for the whole system; then symmetry takes over. No states remain for properties that need a
  // separate search.
  const budget = { maxStates: Math.max(2, plain.stats.states) };
  const handedOver = await reportIn(text, { ...common, budget }, registry);
  const [ours, expected] = [verdictsOf(handedOver), whole].map((all) => all.replace(/, agef [^,]*/g, ""));
  if (ours !== expected) differences.push(`default, handed over: ${ours}; plain: ${expected}`);
  const program = programOf(text);
  const slow = isDrawn(0) ? difference(program, MOST_INTERPRETED) : undefined;
  if (slow !== undefined) differences.push(`the interpreter and the generated code: ${slow}`);
  const orbits = isDrawn(1) ? compareOrbits(program, MOST_STATES) : undefined;
  if (orbits?.difference !== undefined) differences.push(orbits.difference);
  const violated = plain.properties.filter(({ verdict }) => verdict === "violated");
  return {
    isCompared,
    isReduced: isReducedIn(handedOver),
    violated: [...new Set(violated.map(({ property }) => property.kind))],
    differences,
  };
}

type Report = Checked["report"];

/** The report, or the message of an internal error. */
async function reportIn(text: string, options: CheckOptions, among: Registry): Promise<Report | string> {
  try {
    return await check("m.m", text, options, among);
  } catch (error) {
    return (error as Error).message;
  }
}

const isReducedIn = (report: Report | string): boolean =>
  typeof report !== "string" && report.runs.some(({ reductions }) => reductions.includes("symmetry"));

/**
 * Verdict of each property and the length of its shortest violation: the first search is breadth-first. A run-time
 * error is reported once per source position; the first of several in one step depends on names of elements.
 */
function verdictsOf(report: Report | string): string {
  if (typeof report === "string") return report;
  const found = new Map<string, number>();
  for (const { property, verdict, trace } of report.properties) {
    const key = `${property.kind} '${property.name}' ${verdict}`;
    const steps = verdict === "violated" && property.kind !== "agef" ? (trace?.steps.length ?? 0) : 0;
    found.set(key, Math.min(steps, found.get(key) ?? Infinity));
  }
  return [...found].map(([key, steps]) => `${key} in ${steps}`).join(", ");
}

export interface OrbitsCompared {
  readonly isReduced: boolean;
  readonly difference: string | undefined;
}

/** Compares the number of representatives with the number of orbits, and the kinds of errors found. */
export function compareOrbits(program: RuleProgram, mostStates: number): OrbitsCompared {
  const { scalarsets } = planSymmetry(program);
  const full = explore(program, systemOf(program), mostStates);
  if (scalarsets.length === 0 || !full.isWhole) return { isReduced: false, difference: undefined };
  const reduced = explore(program, systemOf(program, { scalarsets, form: "canonical" }));
  const orbits = new Orbits(program, scalarsets);
  const kindOf = (site: number): string => {
    const { fault } = program.sites[site]!;
    return fault === "deadlock" || fault === "assertion" ? fault : "error";
  };
  const render = ({ states, faults, broken }: Explored): string => {
    const names = [...new Set(states.map((s) => orbits.nameOf(s)))].sort();
    const kinds = [...new Set([...faults].map(kindOf))].sort();
    return `${names.length} orbits, ${kinds.join(" ")}, broken ${[...broken].sort().join(" ")}\n${names.join("\n")}`;
  };
  const [ours, whole] = [render(reduced), render(full)];
  const isReduced = reduced.states.length < full.states.length;
  if (ours !== whole)
    return { isReduced, difference: `representatives: ${firstLine(ours)}; whole: ${firstLine(whole)}` };
  const count = Number.parseInt(ours, 10);
  return {
    isReduced,
    difference:
      reduced.states.length === count
        ? undefined
        : `${reduced.states.length} representatives of ${count} orbits`,
  };
}

const firstLine = (text: string): string => text.slice(0, text.indexOf("\n"));
