/**
 * Checks proofs without searching: the given set of configurations must contain the initial one, be closed under all
 * statements, and contain no violation. `configuration.ts` executes statements, `read.ts` reads the proof, `classes.ts`
 * compares its classes of provenances with the policies.
 *
 * Invariant: shares nothing but the program with the engine that finds proofs.
 */
import type { MessageProgram, ProvenanceProof, ProvenanceProperty } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { wrongClasses } from "./classes.js";
import {
  Malformed,
  Statements,
  TooOpen,
  changed,
  placed,
  runnerOf,
  textOf,
  type Configuration,
  type Runner,
} from "./configuration.js";
import { readConfigurations } from "./read.js";

export { checkAssumptionProof, type AssumptionJudgement } from "./assumptions.js";
export { checkBooleanProof, type BooleanJudgement } from "./boolean.js";
export { checkInvariant, type InvariantJudgement } from "./invariant.js";
export { checkPoolProof, type PoolJudgement } from "./pool.js";

export type Judgement =
  | { readonly kind: "accepted"; readonly configurations: number }
  | { readonly kind: "rejected"; readonly why: string };

export function checkProof(program: MessageProgram, proof: ProvenanceProof): Judgement {
  const property = program.properties.find(({ name }) => name === proof.property);
  if (!property) return rejected(`there is no property '${proof.property}'`); // sound: test/provenance/quick-certificates.test.ts
  const { when } = property;
  if (proof.grain !== "statement" && when && when.principal !== property.principal)
    return rejected("a property of two principals needs a proof statement by statement");
  try {
    const wrong =
      wrongClasses(program, property, proof.classes) ?? new Checker(program, property, proof).problem();
    if (wrong !== undefined) return rejected(wrong); // sound: test/provenance/quick-certificates.test.ts
    return { kind: "accepted", configurations: proof.invariant.length };
  } catch (error) {
    if (error instanceof Malformed || error instanceof TooOpen) return rejected(error.message);
    throw error;
  }
}

const rejected = (why: string): Judgement => ({ kind: "rejected", why });

class Checker {
  readonly #program: MessageProgram;
  readonly #property: ProvenanceProperty;
  readonly #proof: ProvenanceProof;
  readonly #statements: Statements;
  readonly #given: readonly Configuration[];
  /** By the locations and values of the fixed principals. */
  readonly #index = new Map<string, Configuration[]>();
  #work = 0;

  constructor(program: MessageProgram, property: ProvenanceProperty, proof: ProvenanceProof) {
    this.#program = program;
    this.#property = property;
    this.#proof = proof;
    this.#statements = new Statements(program, proof);
    this.#given = readConfigurations(program, proof, this.#statements);
    for (const each of this.#given) {
      const key = controlOf(each);
      this.#index.set(key, [...(this.#index.get(key) ?? []), each]);
    }
  }

  problem(): string | undefined {
    if (!this.#isCovered(this.#statements.initial())) return "the first configuration is not in the set"; // sound: test/provenance/quick-certificates.test.ts
    for (const [number, each] of this.#given.entries()) {
      const wrong = this.#isViolating(each) ? "it violates the property" : this.#leaving(each);
      if (wrong !== undefined) return `configuration ${number}: ${wrong}`;
    }
    return undefined;
  }

  /** Describes a step that leaves the set, or undefined. */
  #leaving(from: Configuration): string | undefined {
    const fixed = from.fixed.flatMap((runner) => (runner ? [{ runner, rest: from }] : []));
    const instances = [...from.instances.keys()].map((kind) => ({
      runner: runnerOf(kind),
      rest: { ...from, instances: changed(from.instances, kind, -1) },
    }));
    for (const { runner, rest } of [...fixed, ...instances]) {
      const wrong = this.#follow(runner, rest, new Set()).wrong;
      if (wrong !== undefined) return wrong;
    }
    return undefined;
  }

  /** Every statement the runner can execute. After leaving the set, it must return to it by the runner's statements alone. */
  #follow(
    runner: Runner,
    rest: Configuration,
    seen: Set<string>,
  ): { steps: number; wrong: string | undefined } {
    if (this.#work++ > MOST_WORK || seen.size > MOST_STATEMENTS)
      return { steps: 0, wrong: "a step leads so far out of the set that it is not followed any further" };
    let steps = 0;
    for (const edge of nth(nth(this.#program.principals, runner.principal).locations, runner.location))
      for (const next of this.#statements.after(runner, edge, rest)) {
        steps++;
        const wrong = this.#arrive(next.runner, next.rest, seen, edge.text);
        if (wrong !== undefined) return { steps, wrong };
      }
    return { steps, wrong: undefined };
  }

  #arrive(runner: Runner, rest: Configuration, seen: Set<string>, text: string): string | undefined {
    const here = placed(runner, rest);
    if (this.#isViolating(here)) return `'${text}' leads to a violation`; // sound: test/provenance/quick-certificates.test.ts
    if (this.#isCovered(here)) return undefined;
    if (this.#proof.grain === "statement") return `'${text}' leads out of the set`; // sound: test/provenance/quick-certificates.test.ts
    const { principal, location } = runner;
    const edges = nth(nth(this.#program.principals, principal).locations, location);
    if (edges.some(({ action }) => action.kind === "receive")) return `'${text}' leads out of the set`; // sound: test/provenance/quick-certificates.test.ts
    const key = `${textOf(runner)}\n${amountsOf(here)}`;
    // A cycle outside the set would never give other principals a turn.
    if (seen.has(key)) return `'${text}' leads round in a circle outside the set`; // sound: test/provenance/quick-certificates.test.ts
    const { steps, wrong } = this.#follow(runner, rest, new Set([...seen, key]));
    return wrong ?? (steps === 0 ? `'${text}' leads to an end outside the set` : undefined); // sound: test/provenance/quick-certificates.test.ts
  }

  #isCovered(configuration: Configuration): boolean {
    return (this.#index.get(controlOf(configuration)) ?? []).some(
      (given) =>
        isBelow(configuration.pending, given.pending) && isBelow(configuration.instances, given.instances), // sound: test/provenance/quick-certificates.test.ts
    );
  }

  #isViolating(configuration: Configuration): boolean {
    const { principal, variable, when } = this.#property;
    const runners = (of: number): Runner[] => {
      const fixed = configuration.fixed[of];
      return fixed
        ? [fixed]
        : [...configuration.instances.keys()].map(runnerOf).filter((it) => it.principal === of);
    };
    const isAsked = (runner: Runner): boolean =>
      !when ||
      (when.principal === principal ? [runner] : runners(when.principal)).some(
        ({ values }) => known(values[when.variable]).message === when.message,
      );
    return runners(principal).some(
      (runner) => isAsked(runner) && this.#proof.classes.bad[known(runner.values[variable]).class], // sound: test/provenance/quick-certificates.test.ts
    );
  }
}

/** Far above the needs of our proofs; per run, and in all. */
const MOST_STATEMENTS = 2000;
const MOST_WORK = 10_000_000;

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new TooOpen("the property asks for a variable that is left open");
  return value;
}

const controlOf = ({ fixed }: Configuration): string =>
  fixed.map((runner) => (runner ? textOf(runner) : "")).join("\n");

const amountsOf = ({ pending, instances }: Configuration): string =>
  [...pending, ...instances]
    .map(([kind, amount]) => `${kind}=${amount}`)
    .sort()
    .join();

function isBelow(amounts: ReadonlyMap<string, number>, bounds: ReadonlyMap<string, number>): boolean {
  for (const [kind, amount] of amounts) if (amount > (bounds.get(kind) ?? 0)) return false; // sound: test/provenance/quick-certificates.test.ts
  return true;
}
