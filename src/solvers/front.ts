/**
 * The `Solver` of engines: decides simple queries and passes the rest to a back end.
 *
 * In this order: simplification (by the constructors of terms), slicing into parts without common variables, a cache of parts, the
 * difference-bound test, assignments of earlier answers, then the back end. Back ends keep no assertions between queries: the part
 * is sent as a whole, so that a restarted solver lacks nothing.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { eliminate, TooManyCases } from "../model/eliminate.js";
import type { QueryPurpose, Solver, SolverAnswer, SolverFigures, SolverLimits } from "../model/solver.js";
import {
  evaluate,
  variablesOf,
  type Assignment,
  type Term,
  type Terms,
  type VariableTerm,
} from "../model/terms.js";
import { SolverFailure, type Backend } from "./backend.js";
import { decideDifferences } from "./differences.js";
import { readExpressions, readValue } from "../model/s-expressions.js";
import { scriptOf, termText } from "./smtlib.js";

export interface FrontOptions {
  /** Limit of a query. */
  readonly timeMs: number;
  /** Folder for the queries that reach a back end. */
  readonly dumpDirectory?: string | undefined;
  /** Compare answers known here with the answers of all back ends. */
  readonly comparesAll?: boolean | undefined;
}

/** Two back ends contradict each other: an internal error, or a bug of a solver. */
export class SolverDisagreement extends Error {}

type Values = ReadonlyMap<number, bigint>;

type Answer =
  | { readonly kind: "sat"; readonly values: Values }
  | { readonly kind: "unsat" }
  | { readonly kind: "unknown"; readonly reason: string };

export class FrontSolver implements Solver {
  readonly terms: Terms;
  readonly #backends: readonly Backend[];
  readonly #options: FrontOptions;
  readonly #stack: Term[][] = [[]];
  readonly #cache = new Map<string, Answer>();
  readonly #recent: Values[] = [];
  readonly #byPurpose: Partial<Record<QueryPurpose, number>> = {};
  #queries = 0;
  #before = 0;
  #seconds = 0;
  #unanswered = 0;
  #lastReason: string | undefined;
  #dumped = 0;
  #values: Values = new Map();
  #core: readonly Term[] = [];

  constructor(terms: Terms, backends: readonly Backend[], options: FrontOptions) {
    this.terms = terms;
    this.#backends = backends;
    this.#options = options;
    if (options.dumpDirectory !== undefined) mkdirSync(options.dumpDirectory, { recursive: true });
  }

  push(): void {
    this.#stack.push([]);
  }

  pop(): void {
    if (this.#stack.length === 1) throw new Error("no level to pop");
    this.#stack.pop();
  }

  assert(term: Term): void {
    this.#stack.at(-1)?.push(term);
  }

  check(assumptions: readonly Term[], { purpose, timeMs }: SolverLimits): SolverAnswer {
    this.#queries++;
    this.#byPurpose[purpose] = (this.#byPurpose[purpose] ?? 0) + 1;
    const whole = this.terms.and([...this.#stack.flat(), ...assumptions]);
    if (whole.kind === "constant") return this.#constant(whole === this.terms.true, assumptions);
    const literals = whole.kind === "and" ? whole.all : [whole];
    const values = new Map<number, bigint>();
    let unknown: SolverAnswer | undefined;
    let isAsked = false;
    for (const slice of slicesOf(literals)) {
      const { answer, isBefore } = this.#decide(slice, timeMs ?? this.#options.timeMs);
      isAsked ||= !isBefore;
      if (answer.kind === "unsat") {
        if (!isAsked) this.#before++;
        this.#core = assumptions.filter((each) => conjuncts(each).some((one) => slice.includes(one)));
        return answer;
      }
      if (answer.kind === "unknown") unknown ??= answer;
      else for (const [id, value] of answer.values) values.set(id, value);
    }
    if (!isAsked) this.#before++;
    if (unknown) return unknown;
    this.#values = values;
    return { kind: "sat" };
  }

  #constant(isTrue: boolean, assumptions: readonly Term[]): SolverAnswer {
    this.#before++;
    this.#values = new Map();
    this.#core = assumptions;
    return { kind: isTrue ? "sat" : "unsat" };
  }

  #decide(slice: readonly Term[], timeMs: number): { readonly answer: Answer; readonly isBefore: boolean } {
    const key = slice.map(({ id }) => id).join(",");
    const cached = this.#cache.get(key);
    if (cached) return { answer: cached, isBefore: true };
    const here = this.#decideHere(slice);
    const isBefore = here !== undefined && this.#options.comparesAll !== true;
    const answer = isBefore ? here : this.#askAll(slice, timeMs, here);
    if (answer.kind !== "unknown") this.#cache.set(key, answer);
    if (answer.kind === "sat" && this.#recent.unshift(answer.values) > MOST_RECENT) this.#recent.pop();
    return { answer, isBefore };
  }

  #decideHere(slice: readonly Term[]): Answer | undefined {
    const decided = decideDifferences(slice);
    if (decided) return decided;
    if (slice.some((literal) => hasFunction(literal))) return undefined;
    const fitting = this.#recent.find((values) => {
      const value = ({ id }: VariableTerm): bigint => values.get(id) ?? 0n;
      const known = new Map<number, bigint>();
      return slice.every((literal) => evaluate(literal, { value }, known) === 1n);
    });
    return fitting && { kind: "sat", values: restricted(fitting, slice) };
  }

  #askAll(slice: readonly Term[], timeMs: number, here: Answer | undefined): Answer {
    const answers = this.#backends.map((backend) => ({
      name: backend.name,
      answer: this.#ask(backend, slice, timeMs),
    }));
    if (here) answers.push({ name: "the difference-bound test", answer: here });
    const decided = answers.filter(({ answer }) => answer.kind !== "unknown");
    const [first] = decided;
    const other = decided.find(({ answer }) => answer.kind !== first?.answer.kind);
    if (first && other)
      throw new SolverDisagreement(
        `${first.name} answers ${first.answer.kind}, ${other.name} ${other.answer.kind}: ${slice.map((each) => termText(each)).join(" ")}`,
      );
    return first?.answer ?? answers[0]?.answer ?? { kind: "unknown", reason: "there is no solver" };
  }

  #ask(backend: Backend, slice: readonly Term[], timeMs: number): Answer {
    const started = performance.now();
    const script = scriptOf(slice);
    let answer: Answer;
    try {
      answer = exchange(backend, script, slice, timeMs);
    } catch (error) {
      if (!(error instanceof SolverFailure)) throw error;
      answer = { kind: "unknown", reason: error.message };
    }
    this.#seconds += (performance.now() - started) / 1000;
    if (answer.kind === "unknown") {
      this.#unanswered++;
      this.#lastReason = answer.reason;
    }
    this.#dump(script, `${backend.name}: ${answer.kind}`);
    return answer;
  }

  #dump(script: string, note: string): void {
    const { dumpDirectory } = this.#options;
    if (dumpDirectory === undefined) return;
    const name = `query-${String(++this.#dumped).padStart(6, "0")}.smt2`;
    writeFileSync(join(dumpDirectory, name), `; ${note}\n(set-logic ALL)\n${script}\n(check-sat)\n`);
  }

  model(): Assignment {
    const values = this.#values;
    return { value: ({ id }) => values.get(id) ?? 0n };
  }

  core(): readonly Term[] {
    return this.#core;
  }

  project(formula: Term, variables: readonly VariableTerm[]): Term | undefined {
    try {
      return eliminate(this.terms, formula, variables);
    } catch (error) {
      if (error instanceof TooManyCases) return undefined;
      throw error;
    }
  }

  figures(): SolverFigures {
    return {
      names: this.#backends.map(({ name }) => name),
      queries: this.#queries,
      byPurpose: { ...this.#byPurpose },
      answeredBefore: this.#before,
      unanswered: this.#unanswered,
      ...(this.#lastReason === undefined ? {} : { lastReason: this.#lastReason }),
      seconds: this.#seconds,
    };
  }

  close(): void {
    for (const backend of this.#backends) backend.close();
  }
}

const MOST_RECENT = 12;

function exchange(backend: Backend, script: string, slice: readonly Term[], timeMs: number): Answer {
  const output = backend.ask(`${backend.limit(timeMs)}(push 1)\n${script}\n(check-sat)`, timeMs).trim();
  const [word = ""] = output.split(/\s/);
  const answer = answerOf(backend, word, output, slice, timeMs);
  backend.ask("(pop 1)", timeMs);
  return answer;
}

function answerOf(
  backend: Backend,
  word: string,
  output: string,
  slice: readonly Term[],
  timeMs: number,
): Answer {
  if (word === "unsat") return { kind: "unsat" };
  if (word === "sat") return { kind: "sat", values: valuesFrom(backend, slice, timeMs) };
  const why = word === "unknown" ? "gives up" : `answers ${output.slice(0, 200)}`;
  if (word !== "unknown") backend.close();
  return { kind: "unknown", reason: `${backend.name} ${why}` };
}

function valuesFrom(backend: Backend, slice: readonly Term[], timeMs: number): Values {
  const wanted = [...variablesIn(slice).values()];
  if (wanted.length === 0) return new Map();
  const output = backend.ask(`(get-value (${wanted.map((each) => termText(each)).join(" ")}))`, timeMs);
  const [rows] = readExpressions(output);
  if (!Array.isArray(rows))
    throw new SolverFailure(`${backend.name} gives no values: ${output.slice(0, 200)}`);
  return new Map(
    wanted.map(({ id }, index) => {
      const row = rows[index] as readonly string[] | undefined;
      return [id, readValue(row?.[1])];
    }),
  );
}

/** Functions have no value in the assignment: their terms are only ever compared by the solver. */
const hasFunction = (term: Term): boolean =>
  [...variablesOf(term).values()].some(({ kind }) => kind === "apply");

const variablesIn = (slice: readonly Term[]): Map<number, Term> => {
  const found = new Map<number, Term>();
  const seen = new Set<number>();
  for (const literal of slice) variablesOf(literal, found, seen);
  for (const [id, { kind }] of found) if (kind === "apply") found.delete(id);
  return found;
};

const restricted = (values: Values, slice: readonly Term[]): Values =>
  new Map([...variablesIn(slice).keys()].map((id) => [id, values.get(id) ?? 0n]));

const conjuncts = (term: Term): readonly Term[] => (term.kind === "and" ? term.all : [term]);

/** Parts that share no variable and no function; each sorted by id. */
function slicesOf(literals: readonly Term[]): Term[][] {
  const owner = new Map<string, Term[]>();
  const slices = new Set<Term[]>();
  for (const literal of literals) {
    let mine: Term[] = [literal];
    // A function joins all its applications.
    const names = namesIn(literal);
    for (const name of names) {
      const other = owner.get(name);
      if (!other || other === mine) continue;
      const [large, small] = other.length >= mine.length ? [other, mine] : [mine, other];
      large.push(...small);
      slices.delete(small);
      for (const [key, slice] of owner) if (slice === small) owner.set(key, large);
      mine = large;
    }
    for (const name of names) owner.set(name, mine);
    slices.add(mine);
  }
  return [...slices].map((slice) => slice.sort((a, b) => a.id - b.id));
}

/** Path conditions repeat their literals in every query. */
const namesKnown = new WeakMap<Term, readonly string[]>();

function namesIn(literal: Term): readonly string[] {
  const known = namesKnown.get(literal);
  if (known) return known;
  const names = [...variablesOf(literal).values()].map((each) =>
    each.kind === "apply" ? `f ${each.name}` : `v ${each.id}`,
  );
  namesKnown.set(literal, names);
  return names;
}
