/**
 * The whole generated module.
 *
 * `expand` copies the source state into `s`, tries every rule, and writes successors to the list that it is given: entry n stands
 * at w[o …]. The root, which is all zeros, has the start states as successors.
 */
import { goalsOf, type Call, type RuleProgram } from "../../../model/rules.js";
import { firstAgents, parametersOf, strideOf } from "../agents.js";
import type { RuleLayout } from "../layout.js";
import { emitSortBags, hasBags } from "./bags.js";
import { constantExtract, constantInsert, maskOf } from "./cells.js";
import { Expressions } from "./expressions.js";
import type { ModuleParts } from "./parts.js";
import { noteStrides } from "./places.js";
import { Procedures } from "./procedures.js";
import { choices, Rules } from "./rules.js";
import { AGENT, RESET_TICKS, RUNTIME } from "./runtime.js";
import { FunctionText, block, type Scope } from "./scope.js";
import { Statements } from "./statements.js";
import { mayFail } from "./weight.js";

export interface ModuleOptions {
  /** Text that declares `canonicalise(w, o)`, which puts a representative in the place of a state. Absent: states stay as they are. */
  readonly canonicaliser?: string | undefined;
  /** Steps are labelled with the rule instances that take them. */
  readonly writesAgents?: boolean | "numbers";
}

export function emitModule(program: RuleProgram, layout: RuleLayout, options: ModuleOptions = {}): string {
  return new ModuleEmitter(program, layout).emit(options);
}

class ModuleEmitter implements ModuleParts {
  readonly program: RuleProgram;
  readonly layout: RuleLayout;
  readonly #functions: string[] = [];
  readonly #serials = new Map<string, number>();
  readonly #procedures: Procedures;
  readonly #rules: Rules;
  #memory = 0;

  constructor(program: RuleProgram, layout: RuleLayout) {
    this.program = program;
    this.layout = layout;
    layout.variables.forEach((node) => {
      noteStrides(node);
    });
    const expressions = new Expressions(this);
    const statements = new Statements(this, expressions);
    this.#procedures = new Procedures(this, expressions, statements);
    this.#rules = new Rules(this, expressions, statements);
  }

  call(call: Call, scope: Scope): string {
    return this.#procedures.call(call, scope);
  }

  addFunction(kind: string, emit: (name: string) => string): string {
    const serial = this.#serials.get(kind) ?? 0;
    this.#serials.set(kind, serial + 1);
    const name = `${kind}_${serial}`;
    this.#functions.push(emit(name));
    return name;
  }

  allocate(words: number): number {
    const address = this.#memory;
    this.#memory += words;
    return address;
  }

  emit({ canonicaliser, writesAgents = false }: ModuleOptions): string {
    const { program } = this;
    const isBefore = `${constantExtract(this.layout.started, this.#entry())} === 0`;
    const starts = this.#rules.tryAll(program.starts, () => "keepStart();");
    const firsts = firstAgents(program);
    const label = writesAgents === "numbers" ? "" : "agent";
    const rules = this.#rules.tryAll(program.rules, (rule, instance) =>
      writesAgents
        ? `{ labels[n] = ${label}(${this.#agent(rule, firsts[rule]!, instance)}); keep(${rule}); }`
        : `keep(${rule});`,
    );
    const assumed = program.assumptions.map((a) => this.#rules.condition(a, true));
    const invariants = program.invariants.map((c) => this.#rules.condition(c, true));
    const covers = program.covers.map((c) => c.condition && this.#rules.condition(c.condition, false));
    const liveness = program.liveness.flatMap((c) =>
      choices(c.binders).map((values) => this.#rules.instance(c, values)),
    );
    const evaluated = goalsOf(program)
      .filter(({ condition, binders }) => mayFail([condition, binders])) // sound: test/compile/rules/conditions.test.ts
      .map((c) => this.#rules.evaluation(c));
    const valuations = program.temporal.map(({ propositions, rejected }) => ({
      tests: propositions.map(({ condition }) => this.#rules.condition(condition, true)),
      rejected,
    }));
    // Before a start state has been chosen, every variable is undefined: no state of the model.
    const holds = questions("holds", invariants, `if (${isBefore}) return true;`); // sound: test/compile/rules/conditions.test.ts
    const isCovered = questions("isCovered", covers, `if (${isBefore}) return false;`); // sound: test/compile/rules/conditions.test.ts
    return [
      `"use strict";`,
      this.#tables(),
      RUNTIME,
      writesAgents === true ? AGENT : "",
      this.#state(),
      canonicaliser ?? "",
      hasBags(this.layout) ? emitSortBags(this.layout) : "",
      ...this.#functions,
      this.#keep(assumed, canonicaliser !== undefined),
      this.#expand(starts, rules, evaluated),
      holds,
      isCovered,
      questions("isAlive", liveness),
      this.#valuation(valuations),
      `reserve(${this.#memory}); top = ${this.#memory};`,
      `return { expand, initial, holds, isCovered, isAlive, valuation${canonicaliser ? ", canonicalise" : ""}${hasBags(this.layout) ? ", sortBags" : ""} };`,
    ]
      .filter((part) => part !== "")
      .join("\n\n");
  }

  /** Word, shift and mask of each leaf, for places that are known by number only. */
  #tables(): string {
    const { leaves } = this.layout;
    const table = (name: string, values: readonly number[]): string =>
      `${name} = Int32Array.of(${values.join(", ")})`;
    return `const ${[
      table(
        "LW",
        leaves.map((l) => l.word),
      ),
      table(
        "LS",
        leaves.map((l) => l.shift),
      ),
      table(
        "LM",
        leaves.map((l) => maskOf(l.bits)),
      ),
    ].join(",\n  ")};`;
  }

  #state(): string {
    const { words } = this.layout;
    return `// The state being expanded.
const s = new Int32Array(${words});
// The entries being written.
let out, w, flags, labels, n = 0, o = 0, limit = 0, flagged = false, moved = false;

function load(target) {
  if (target.stride !== ${words}) target.widen(${words});
  out = target; w = out.words; flags = out.flags; labels = out.labels; n = out.count; o = n * ${words}; limit = out.capacity * ${words};
}
function grow() {
  out.count = n;
  out.grow();
  load(out);
}
/** Begins an entry as a copy of the source. */
function fork() {
  if (o === limit) grow();
${unrolled(words, (k) => `  w[${at(k)}] = s[${k}];`, "  for (let i = 0; i < WORDS; i++) w[o + i] = s[i];")}
}
function next() {
  n++; o += ${words};
}
/** Ends the entry that was being written with what went wrong. */
function caught(error) {
  if (error === REJECTED) return;
  if (error !== FAULT) throw error;
  if (o === limit) grow();
  flags[n] = 1 | fault << 2;
  flagged = true; moved = true; depth = 0; top = ${this.#memory};
  next();
}`;
  }

  #keep(assumed: readonly string[], isCanonicalised: boolean): string {
    const { words } = this.layout;
    const sort = hasBags(this.layout) ? "sortBags(w, o);\n  " : "";
    const canonicalise = isCanonicalised ? "canonicalise(w, o);\n  " : "";
    const isAssumed = assumed.map((name) => `${name}(w, o)`).join(" && ");
    const discard = (otherwise: string): string =>
      assumed.length === 0 ? "" : `if (!(${isAssumed})) { ${otherwise} }\n  `;
    const stutters = this.program.deadlock.mode === "stuttering";
    const look = stutters ? `if (!moved) moved = ${differs(words)};\n  ` : "moved = true;\n  ";
    return `function keep(rule) {
  reached[rule] = 1; fired[rule]++;
  ${sort}${discard("moved = true; flags[n] = 1; flagged = true; next(); return;")}${look}${canonicalise}next();
}
function keepStart() {
  ${constantInsert(this.layout.started, "1", this.#entry())}
  ${sort}${discard("return;")}${canonicalise}next();
}`;
  }

  /** `evaluated`: conditions that are no step, and whose faults are faults of the model. */
  #expand(starts: readonly string[], rules: readonly string[], evaluated: readonly string[]): string {
    const { words, started } = this.layout;
    const { deadlock } = this.program;
    const source: Scope = { ...this.#entry(), array: "s", base: "" };
    const stuck =
      deadlock.mode === "off"
        ? ""
        : `
    if (!moved) { if (o === limit) grow(); flags[n] = 1 | ${deadlock.site + 1} << 2; flagged = true; next(); }`;
    return `${block("function start()", starts.join("\n"))}
${block("function step()", rules.join("\n"))}
function expand(state, p, target) {
  load(target);
  flagged = false; moved = false;
  ${RESET_TICKS} depth = 0; top = ${this.#memory};
${unrolled(words, (k) => `  s[${k}] = state[${at(k, "p")}];`, "  for (let i = 0; i < WORDS; i++) s[i] = state[p + i];")}
  if (${constantExtract(started, source)} === 0) start();
  else {
    step();${stuck}${evaluated.map((name) => `\n    try { ${name}(s, 0); } catch (error) { caught(error); }`).join("")}
  }
  out.count = n;
  if (flagged) out.isFlagged = true;
}
function initial(target) {
  load(target);
  if (o === limit) grow();
  w.fill(0, o, o + ${words});
  next();
  out.count = n;
}`;
  }

  /** The number of the instance in whose scope a step ends. */
  #agent(rule: number, first: number, { bindings }: Scope): string {
    const parameters = parametersOf(this.program.rules[rule]!);
    return parameters.reduce((before, parameter, i) => {
      const { low, step, slot } = parameter;
      const binding = bindings.get(slot);
      if (binding?.kind !== "constant" && binding?.kind !== "value")
        throw new Error("a parameter of a rule has no value");
      const value = binding.kind === "constant" ? `${binding.value}` : binding.name;
      return `${before} + (${value} - ${low}) / ${step} * ${strideOf(parameters, i)}`; // sound: test/compile/rules/valuation.test.ts
    }, `${first}`);
  }

  /** Bit i of the valuation of a property: does its proposition i hold? The complement of a site when that cannot be said. */
  #valuation(properties: readonly { tests: readonly string[]; rejected: number }[]): string {
    const cases = properties.map(({ tests, rejected }, index) => {
      const bits = tests.map((name, i) => `(${name}(w, o) ? ${1 << i} : 0)`);
      return `case ${index}: rejected = ${rejected}; return ${bits.join(" | ") || "0"};`;
    });
    // sound: test/compile/rules/valuation.test.ts
    return `function valuation(index, w, o) {
  let rejected = 0;
  ${RESET_TICKS} depth = 0; top = ${this.#memory};
  try {
    switch (index) { ${cases.join(" ")} }
  } catch (error) {
    depth = 0; top = ${this.#memory};
    if (error === REJECTED) return ~rejected;
    if (error !== FAULT) throw error;
    return ~(fault - 1);
  }
}`;
  }

  #entry(): Scope {
    const text = new FunctionText();
    return { text, array: "w", base: "o", bindings: new Map(), body: { kind: "condition" } };
  }
}

/** States of up to so many words are copied without a loop. */
const MOST_UNROLLED = 32;

function unrolled(words: number, line: (k: number) => string, loop: string): string {
  if (words > MOST_UNROLLED) return loop.replace("WORDS", String(words));
  return Array.from({ length: words }, (_, k) => line(k)).join("\n");
}

const at = (k: number, base = "o"): string => (k === 0 ? base : `${base} + ${k}`);

/** Is the entry another state than the source? */
function differs(words: number): string {
  if (words > MOST_UNROLLED) return "s.some((word, i) => word !== w[o + i])";
  return Array.from({ length: words }, (_, k) => `w[${at(k)}] !== s[${k}]`).join(" || ");
}

/** A question about a state, by number. What cannot be answered because of a fault is answered with no. */
function questions(name: string, functions: readonly (string | undefined)[], first = ""): string {
  const cases = functions.map((f, i) => (f === undefined ? "" : `case ${i}: return ${f}(w, o);`));
  return `function ${name}(index, w, o) {
  ${first}
  ${RESET_TICKS}
  try {
    switch (index) { ${cases.join(" ")} }
  } catch (error) {
    if (error !== FAULT && error !== REJECTED) throw error;
    depth = 0;
  }
  return false;
}`;
}
