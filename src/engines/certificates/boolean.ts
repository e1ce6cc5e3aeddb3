/**
 * Checks proofs about Boolean programs through SMT-LIB text: no set is at a bad location, the initial states are in set 0, and every step
 * of every set is impossible or leads into the set that the proof names.
 *
 * Shares nothing but the program with the engine: it executes steps and substitutes inputs itself, and prints formulas without quantifiers.
 */
import {
  isBadAt,
  movableThreads,
  type BooleanCover,
  type BooleanExpr,
  type BooleanProgram,
  type BooleanProof,
  type BooleanSet,
  type ScriptRunner,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { refuted, type Claim } from "./claims.js";

export type BooleanJudgement =
  | { readonly kind: "accepted"; readonly sets: number; readonly conditions: number }
  | { readonly kind: "rejected"; readonly why: string };

class Malformed extends Error {}

export function checkBooleanProof(
  program: BooleanProgram,
  proof: BooleanProof,
  runners: readonly ScriptRunner[],
  timeMs: number,
): BooleanJudgement {
  try {
    const claims = new BooleanChecker(program, proof).claims();
    if (runners.length === 0) return { kind: "rejected", why: "there is no solver" };
    for (const runner of runners) {
      const why = refuted(runner, claims, timeMs);
      if (why !== undefined) return { kind: "rejected", why }; // sound: test/engines/certificates/boolean.test.ts
    }
    return { kind: "accepted", sets: proof.sets.length, conditions: claims.length };
  } catch (error) {
    if (error instanceof Malformed) return { kind: "rejected", why: error.message };
    throw error;
  }
}

/** Values of all variables as SMT-LIB names. */
type Values = readonly string[];

class BooleanChecker {
  readonly #program: BooleanProgram;
  readonly #proof: BooleanProof;

  constructor(program: BooleanProgram, proof: BooleanProof) {
    this.#program = program;
    this.#proof = proof;
    this.#checkShape();
  }

  claims(): Claim[] {
    const { sets, covers } = this.#proof;
    const property = this.#program.properties.find(({ name }) => name === this.#proof.property);
    if (!property) throw new Malformed(`there is no property '${this.#proof.property}'`);
    const bad = sets.findIndex(({ at }) => isBadAt(property, at));
    if (bad >= 0) throw new Malformed(`set ${bad} is at a location of the property`); // sound: test/engines/certificates/boolean.test.ts
    const given = new Map(covers.map((cover) => [keyOf(cover), cover]));
    if (given.size !== covers.length) throw new Malformed("a step is covered twice");
    const needed = [
      { from: -1, thread: -1, step: -1 },
      ...sets.flatMap(({ at }, from) =>
        movableThreads(this.#program, at).flatMap((thread) =>
          nth(nth(this.#program.threads, thread).locations, nth(at, thread)).steps.map((_, step) => ({
            from,
            thread,
            step,
          })),
        ),
      ),
    ];
    return needed.map((key) => {
      const cover = given.get(keyOf(key));
      // sound: test/engines/certificates/boolean.test.ts
      if (!cover) throw new Malformed(`step ${key.step} of thread ${key.thread} leaves set ${key.from}`);
      return this.#claim(cover);
    });
  }

  #claim(cover: BooleanCover): Claim {
    const { from, thread, step: number, choices, to, instances } = cover;
    const script = new Script(this.#proof);
    const source: BooleanSet | undefined = from < 0 ? undefined : nth(this.#proof.sets, from);
    if (new Set(choices).size !== choices.length) throw new Malformed("two choices share an input"); // sound: test/engines/certificates/boolean.test.ts
    const before = source ? this.#values(source, script) : this.#initial(choices, script);
    const guards = source ? source.guards.map((lit) => script.literal(lit)) : [];
    // Choices are new at every step: an input that the set mentions would be chosen already.
    const used = source ? script.mentioned() : new Set<number>();
    if (choices.some((input) => used.has(input))) throw new Malformed("a choice is an input of its set"); // sound: test/engines/certificates/boolean.test.ts
    let { after, at } = { after: before, at: this.#program.threads.map(() => 0) as readonly number[] };
    if (source) {
      const { locations } = nth(this.#program.threads, thread);
      const step = nth(nth(locations, nth(source.at, thread)).steps, number);
      if (choices.length !== step.choices) throw new Malformed("a step has another number of choices");
      const chosen = choices.map((input) => script.literal(2 * input));
      const next = [...before];
      for (const { variable, value } of step.assignments)
        next[variable] = textOf(value, before, before, chosen);
      guards.push(textOf(step.constraint, before, next, chosen));
      at = source.at.map((location, t) => (t === thread ? step.to : location));
      after = next;
    }
    const failure =
      from < 0 ? "an initial state is not in set 0" : `step ${number} of thread ${thread} leaves set ${from}`;
    if (from < 0 && to !== 0) throw new Malformed(failure);
    const target = to < 0 ? undefined : nth(this.#proof.sets, to);
    // sound: test/engines/certificates/boolean.test.ts
    if (target && target.at.some((location, t) => location !== at[t]))
      throw new Malformed(`${failure}: set ${to} is at other locations`);
    const names = after.map((value) => script.define(value));
    const cases = target ? instances.map((instance) => this.#fits(target, instance, names, script)) : [];
    // sound: test/engines/certificates/boolean.test.ts
    return { script: script.text(["true", ...guards, ...cases.map((each) => `(not ${each})`)]), failure };
  }

  /** Variables that a set does not list have either value. */
  #values({ values }: BooleanSet, script: Script): Values {
    const listed = new Map(values);
    return this.#program.variables.map((_, variable) => {
      const lit = listed.get(variable);
      return lit === undefined ? script.free() : script.literal(lit); // sound: test/engines/certificates/boolean.test.ts
    });
  }

  #initial(choices: readonly number[], script: Script): Values {
    const open = this.#program.variables.filter(({ initial }) => initial === undefined);
    if (open.length !== choices.length) throw new Malformed("another number of initial values is open");
    let next = 0;
    return this.#program.variables.map(({ initial }) =>
      initial === undefined ? script.literal(2 * nth(choices, next++)) : initial ? "true" : "false",
    );
  }

  /** The values are in the set, with these inputs. */
  #fits(
    target: BooleanSet,
    instance: BooleanCover["instances"][number],
    values: Values,
    script: Script,
  ): string {
    const inputs = new Map(instance.map(([input, lit]) => [input, script.literal(lit)]));
    const copy = script.copy((input) => inputs.get(input) ?? script.literal(2 * input));
    const parts = [
      ...target.guards.map(copy),
      ...target.values.map(([variable, lit]) => `(= ${nth(values, variable)} ${copy(lit)})`),
    ];
    return parts.length === 0 ? "true" : `(and true ${parts.join(" ")})`;
  }

  #checkShape(): void {
    const { inputs, ands, sets, covers } = this.#proof;
    const nodes = 1 + inputs + ands.length;
    const check = (isRight: boolean, what: string): void => {
      if (!isRight) throw new Malformed(what);
    };
    const isLiteral = (lit: number): boolean => lit >= 0 && lit < 2 * nodes;
    const isInput = (input: number): boolean => input >= 1 && input <= inputs;
    ands.forEach(([left, right], index) => {
      const own = 2 * (1 + inputs + index);
      check(left < own && right < own, `conjunction ${index} mentions a later one`);
    });
    for (const { at, values, guards } of sets) {
      check(
        at.length === this.#program.threads.length &&
          at.every((location, t) => this.#program.threads[t]?.locations[location] !== undefined),
        "a set has no location of a thread",
      );
      check(guards.every(isLiteral), "a guard is no formula");
      check(
        values.every(([variable, lit]) => this.#program.variables[variable] !== undefined && isLiteral(lit)),
        "a value is no formula",
      );
    }
    for (const { from, to, choices, instances } of covers) {
      check(from < sets.length && to < sets.length, "a step leads to no set");
      check(choices.every(isInput), "a choice is no input");
      check(
        instances.every((instance) => instance.every(([input, lit]) => isInput(input) && isLiteral(lit))),
        "an instance is no formula",
      );
    }
  }
}

const keyOf = ({ from, thread, step }: Pick<BooleanCover, "from" | "thread" | "step">): string =>
  `${from} ${thread} ${step}`;

/** Formulas of one claim: definitions of the nodes that it mentions, once each. */
class Script {
  readonly #proof: BooleanProof;
  readonly #lines: string[] = [];
  readonly #names = new Map<number, string>([[0, "false"]]);
  #count = 0;

  constructor(proof: BooleanProof) {
    this.#proof = proof;
  }

  free(): string {
    const name = `f${this.#count++}`;
    this.#lines.push(`(declare-fun ${name} () Bool)`);
    return name;
  }

  define(formula: string): string {
    if (/^[a-z0-9]+$/.test(formula)) return formula;
    const name = `d${this.#count++}`;
    this.#lines.push(`(define-fun ${name} () Bool ${formula})`);
    return name;
  }

  /** A formula over the inputs themselves. */
  literal(lit: number): string {
    return signed(
      lit,
      this.#node(lit >> 1, this.#names, (input) => this.#input(input)),
    );
  }

  /** Inputs that formulas over the inputs themselves mention so far. */
  mentioned(): Set<number> {
    return new Set([...this.#names.keys()].filter((node) => node > 0 && node <= this.#proof.inputs));
  }

  /** Formulas with other inputs. */
  copy(replacement: (input: number) => string): (lit: number) => string {
    const names = new Map<number, string>([[0, "false"]]);
    return (lit) => signed(lit, this.#node(lit >> 1, names, replacement));
  }

  #input(input: number): string {
    const name = `i${input}`;
    this.#lines.push(`(declare-fun ${name} () Bool)`);
    return name;
  }

  #node(node: number, names: Map<number, string>, inputOf: (input: number) => string): string {
    const waiting = [node];
    while (waiting.length > 0) {
      const next = nth(waiting, waiting.length - 1);
      const { inputs, ands } = this.#proof;
      const operands = next > inputs ? nth(ands, next - inputs - 1) : [];
      const open = names.has(next) ? [] : operands.map((lit) => lit >> 1).filter((each) => !names.has(each));
      waiting.push(...open);
      if (open.length > 0) continue;
      waiting.pop();
      if (names.has(next)) continue;
      const [left = 0, right = 0] = operands;
      const of = (lit: number): string => signed(lit, names.get(lit >> 1) ?? "false");
      names.set(next, next <= inputs ? inputOf(next) : this.define(`(and ${of(left)} ${of(right)})`));
    }
    return names.get(node) ?? "false";
  }

  text(assertions: readonly string[]): string {
    return `(push 1)\n${this.#lines.join("\n")}\n${assertions.map((each) => `(assert ${each})`).join("\n")}\n(check-sat)(pop 1)`;
  }
}

const signed = (lit: number, name: string): string => (lit & 1 ? `(not ${name})` : name);

function textOf(expr: BooleanExpr, before: Values, after: Values, choices: Values): string {
  const inner = (each: BooleanExpr): string => textOf(each, before, after, choices);
  switch (expr.kind) {
    case "constant":
      return expr.value ? "true" : "false";
    case "variable":
      return nth(expr.isPrimed ? after : before, expr.variable);
    case "choice":
      return nth(choices, expr.choice);
    case "not":
      return `(not ${inner(expr.of)})`;
    case "and":
    case "or":
    case "xor":
      return `(${expr.kind} ${inner(expr.left)} ${inner(expr.right)})`;
  }
}
