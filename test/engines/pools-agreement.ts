/**
 * Compares the engine for NDLog with the definition: all networks with few base tuples over a small domain, all their derivations. Every
 * violation is replayed, both as found and from its schedule.
 */
import { spawnSync } from "node:child_process";
import {
  checkAnnotations,
  Encoder,
  Pool,
  provable,
  Queries,
  verify,
  type PoolAnswer,
} from "../../src/engines/pools/index.js";
import { loadNdlog } from "../../src/languages/ndlog/index.js";
import {
  derived,
  someChoice,
  violatedConstraint,
  witnessOf,
  type Functions,
  type NdlogEvent,
  type NdlogProgram,
  type NdlogProperty,
} from "../../src/model/index.js";
import type { Solver } from "../../src/model/solver.js";
import { ndlogRunOfSchedule, ndlogSchedule } from "../../src/report/index.js";
import { formatSchedule } from "../../src/model/index.js";
import { DOMAIN, type RandomNdlog } from "../generators/ndlog.js";

export interface Agreement {
  readonly problem: string | undefined;
  /** By property. */
  readonly kinds: readonly string[];
}

export function compareNdlog(made: RandomNdlog, solver: Solver, usesGringo = false): Agreement {
  const { program, diagnostics } = loadNdlog("random.ndlog", made.text);
  if (!program) return { problem: diagnostics.map(({ message }) => message).join("; "), kinds: [] };
  const queries = new Queries(new Pool(program, new Encoder(solver.terms)), solver);
  const annotated = checkAnnotations(queries);
  if (annotated.undecided !== undefined) return { problem: annotated.undecided, kinds: [] };
  const { proved } = provable(queries, program.lemmas);
  const networks = networksOf(program, 3);
  const kinds: string[] = [];
  for (const property of program.properties) {
    const steps = verify(queries, property, proved, { maxUnfoldings: 12 });
    let step = steps.next();
    while (!step.done) step = steps.next();
    const { answer } = step.value;
    kinds.push(answer.kind === "holds" && answer.isVacuous ? "vacuous" : answer.kind);
    const problem = disagreement(program, property, answer, networks, made);
    if (problem !== undefined) return { problem: `${property.name}: ${problem}`, kinds };
  }
  if (usesGringo && !made.hasFunctions) {
    const network = networks.at(-1);
    const problem = network && gringoDisagrees(program, made, network);
    if (problem !== undefined) return { problem, kinds };
  }
  return { problem: undefined, kinds };
}

const FUNCTIONS: readonly Functions[] = [() => 0n, (_, [x = 0n]) => x, (_, [x = 0n]) => 1n - x];

function disagreement(
  program: NdlogProgram,
  property: NdlogProperty,
  answer: PoolAnswer,
  networks: readonly (readonly NdlogEvent[])[],
  made: RandomNdlog,
): string | undefined {
  if (answer.kind === "undecided") return undefined;
  if (answer.kind === "holds")
    for (const functions of made.hasFunctions ? FUNCTIONS : FUNCTIONS.slice(0, 1))
      for (const network of networks) {
        const events = closure(program, network, functions);
        if (witnessOf(property, events, functions)) return `holds, but not in ${textOf(program, network)}`;
        const matches = witnessOf({ ...property, asks: "derivable" }, events, functions);
        if (answer.isVacuous && matches) return `vacuous, but not in ${textOf(program, network)}`;
      }
  if (answer.kind === "violated") {
    const { counterexample } = answer;
    const base = counterexample.events.filter(({ rule }) => rule === undefined);
    const events = closure(program, base, counterexample.functions);
    if (!made.isRecursive && !witnessOf(property, events, counterexample.functions))
      return `violated, but not in ${textOf(program, base)}`;
    const { choices, inputs } = ndlogSchedule(program, [property], counterexample);
    const run = ndlogRunOfSchedule(program, formatSchedule(choices, undefined, inputs));
    if ("problem" in run) return `its schedule does not replay: ${run.problem}`;
    if (!witnessOf(property, run.events, run.functions)) return "its schedule shows nothing";
  }
  return undefined;
}

const textOf = ({ predicates }: NdlogProgram, events: readonly NdlogEvent[]): string =>
  events.map(({ predicate, values }) => `${predicates[predicate]?.name}(${values.join()})`).join(" ");

/** All sets of at most `most` base tuples that satisfy the constraints. */
function networksOf(program: NdlogProgram, most: number): NdlogEvent[][] {
  const tuples = program.predicates.flatMap(({ isBase }, predicate) =>
    isBase
      ? DOMAIN.flatMap((x) =>
          DOMAIN.map((y): NdlogEvent => ({ rule: undefined, predicate, values: [x, y], premises: [] })),
        )
      : [],
  );
  let sets: NdlogEvent[][] = [[]];
  for (const tuple of tuples)
    sets = [...sets, ...sets.filter(({ length }) => length < most).map((set) => [...set, tuple])];
  return sets.filter((set) => violatedConstraint(program, set, () => 0n) === undefined);
}

/** All derivations, by repeated application of all rules; of recursive programs the shallow ones. */
function closure(program: NdlogProgram, base: readonly NdlogEvent[], functions: Functions): NdlogEvent[] {
  const events = [...base];
  const known = new Set<string>();
  for (let round = 0; round < 3; round++) {
    const before = events.slice(0, MOST_EVENTS);
    for (const [number, rule] of program.rules.entries())
      someChoice(rule.body.atoms, before, (premises) => {
        const key = [number, ...premises].join();
        if (known.has(key) || events.length >= MOST_EVENTS) return false;
        known.add(key);
        const values = derived(
          rule,
          premises.map((premise) => before[premise]?.values ?? []),
          functions,
        );
        if (values) events.push({ rule: number, predicate: rule.head.predicate, values, premises });
        return false;
      });
  }
  return events;
}

const MOST_EVENTS = 60;

/** Tuples derived by gringo and by the interpreter. */
function gringoDisagrees(
  program: NdlogProgram,
  { rules, isRecursive }: RandomNdlog,
  network: readonly NdlogEvent[],
): string | undefined {
  if (isRecursive) return undefined;
  const text = [
    ...textOf(program, network)
      .split(" ")
      .filter((fact) => fact !== "")
      .map((fact) => `${fact}.`),
    ...rules.map((rule) =>
      rule
        .replace(/^r\d+ /, "")
        .replaceAll("@", "")
        .replaceAll(":=", "=")
        .replaceAll("==", "="),
    ),
  ].join("\n");
  const { stdout, status } = spawnSync("gringo", ["--text", "-W", "none"], { input: text, encoding: "utf8" });
  if (status !== 0 && status !== 30) return `gringo: status ${status}\n${text}`;
  const wanted = sorted(
    stdout
      .split(/\s+/)
      .filter((line) => line.includes("("))
      .map((line) => line.replace(/\.$/, "")),
  );
  const found = sorted(
    textOf(
      program,
      closure(program, network, () => 0n),
    )
      .split(" ")
      .filter((fact) => fact !== ""),
  );
  return wanted === found ? undefined : `gringo derives ${wanted}, the interpreter ${found}`;
}

const sorted = (facts: readonly string[]): string => [...new Set(facts)].sort().join(" ");
