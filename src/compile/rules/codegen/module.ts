/**
 * The whole generated module.
 *
 * `expand` copies the source state into `s`, tries every rule, and writes successors to the list that it is given: entry
 * n begins at w[o …]. The root, which is all zeros, has the start states as successors.
 */
import { Status } from "../../../model/index.js";
import { goalsOf, type Call, type RuleProgram } from "../../../model/rules.js";
import { firstAgents, parametersOf, strideOf } from "../agents.js";
import type { RuleLayout } from "../layout.js";
import { emitSortBags, hasBags } from "./bags.js";
import { constantExtract, constantInsert, maskOf } from "./cells.js";
import { Expressions } from "./expressions.js";
import type { ModuleParts } from "./parts.js";
import { isInt32 } from "./operators.js";
import { noteStrides } from "./places.js";
import { Procedures } from "./procedures.js";
import { choices, Rules } from "./rules.js";
import { AGENT, RESET_TICKS, RUNTIME, WIDE_RUNTIME, canFail, emitMemory } from "./runtime.js";
import { FunctionText, block, indent, type Scope } from "./scope.js";
import { Statements } from "./statements.js";
import { mayFail } from "./weight.js";

export interface ModuleOptions {
  /** Text that declares `canonicalise(w, o)`, which replaces a state by a representative; absent: no symmetry reduction. */
  readonly canonicaliser?: string | undefined;
  /** Steps are labelled with the rule instances that take them. */
  readonly writesAgents?: boolean | "numbers";
}

/** The text, and whether it is step code as far as its numbers are concerned: all of them have 32 bits. */
export interface RuleText {
  readonly code: string;
  readonly isNarrow: boolean;
}

export function emitModule(program: RuleProgram, layout: RuleLayout, options: ModuleOptions = {}): RuleText {
  const emitter = new ModuleEmitter(program, layout);
  return { code: emitter.emit(options), isNarrow: emitter.isNarrow };
}

class ModuleEmitter implements ModuleParts {
  readonly program: RuleProgram;
  readonly layout: RuleLayout;
  readonly #functions: string[] = [];
  readonly #serials = new Map<string, number>();
  readonly #procedures: Procedures;
  readonly #rules: Rules;
  #memory = 0;
  #isGrowing = false;
  isNarrow: boolean;

  constructor(program: RuleProgram, layout: RuleLayout) {
    this.program = program;
    this.layout = layout;
    this.isNarrow = layout.leaves.every(({ bits }) => bits < 32); // sound: test/compile/rules/step.test.ts
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

  growMemory(): void {
    this.#isGrowing = true;
  }

  reach(low: number, high: number): void {
    if (!isInt32({ low, high })) this.isNarrow = false;
  }

  emit({ canonicaliser, writesAgents = false }: ModuleOptions): string {
    const { program } = this;
    const isBefore = `${constantExtract(this.layout.started, this.#entry())} === 0`;
    const assumed = program.assumptions.map((a) => this.#rules.condition(a, true));
    const suffix = assumed.some((name) => canFail(`${name}(`)) ? "OrFail_0" : ""; // sound: test/compile/rules/step.test.ts
    const starts = this.#rules.tryAll(program.starts, () => `keepStart${suffix}();`);
    const firsts = firstAgents(program);
    const label = writesAgents === "numbers" ? "" : "agent";
    const rules = this.#rules.tryAll(program.rules, (rule, instance) =>
      writesAgents
        ? `{ labels[n] = ${label}(${this.#agent(rule, firsts[rule]!, instance)}); keep${suffix}(${rule}); }`
        : `keep${suffix}(${rule});`,
    );
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
    const asked = [
      ...invariants.map((f) => ({ text: `${f}(w, o)`, before: true, ifFailed: false })),
      // A cover is a question whose answer is to be no.
      ...covers.map((f) => ({ text: f && `!${f}(w, o)`, before: true, ifFailed: true })), // sound: test/compile/rules/model.test.ts
      ...liveness.map((f) => ({ text: `${f}(w, o)`, before: undefined, ifFailed: false })),
    ];
    return [
      `"use strict";`,
      this.#tables(),
      emitMemory(this.#memory, this.#isGrowing),
      RUNTIME,
      this.isNarrow ? "" : WIDE_RUNTIME,
      writesAgents === true ? AGENT : "",
      this.#state(),
      canonicaliser ?? "",
      hasBags(this.layout) ? emitSortBags(this.layout) : "",
      ...this.#functions,
      this.#keep(assumed, suffix, canonicaliser !== undefined),
      this.#expand(starts, rules, evaluated),
      this.#holds(asked, isBefore),
      this.#valuation(valuations),
      `/** Every state is a valid end: deadlocks are faults. */
function status(state, at) {
  return ${Status.validEnd};
}`,
      `return { expand, initial, status, holds, valuation${canonicaliser ? ", canonicalise" : ""}${hasBags(this.layout) ? ", sortBags" : ""} };`,
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
function caught() {
  const what = fault;
  fault = 0;
  if (what === REJECTED) return;
  if (o === limit) grow();
  flags[n] = 1 | what << 2;
  flagged = true; moved = true;
  next();
}
function isOther() {
  for (let i = 0; i < ${words}; i++) if (w[o + i] !== s[i]) return true;
  return false;
}
function begin() {
  ${RESET_TICKS} depth = 0; fault = 0; top = ${this.#memory};
}`;
  }

  #keep(assumed: readonly string[], suffix: string, isCanonicalised: boolean): string {
    const { words } = this.layout;
    const sort = hasBags(this.layout) ? "sortBags(w, o);\n  " : "";
    const canonicalise = isCanonicalised ? "canonicalise(w, o);\n  " : "";
    const isAssumed = assumed.map((name) => `${name}(w, o)`).join(" && ");
    const failed = suffix === "" ? "" : "if (fault !== 0) return;\n  ";
    const discard = (otherwise: string): string =>
      assumed.length === 0
        ? ""
        : `const isAssumed = ${isAssumed};\n  ${failed}if (!isAssumed) { ${otherwise} }\n  `;
    const stutters = this.program.deadlock.mode === "stuttering";
    const look = stutters ? `if (!moved) moved = ${differs(words)};\n  ` : "moved = true;\n  ";
    return `function keep${suffix}(rule) {
  reached[rule] = 1; fired[rule]++;
  ${sort}${discard("moved = true; flags[n] = 1; flagged = true; next(); return;")}${look}${canonicalise}next();
}
function keepStart${suffix}() {
  ${constantInsert(this.layout.started, "1", this.#entry())}
  ${sort}${discard("return;")}${canonicalise}next();
}`;
  }

  /** `evaluated`: conditions that are not steps, but whose faults are faults of the model. */
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
  begin();
${unrolled(words, (k) => `  s[${k}] = state[${at(k, "p")}];`, "  for (let i = 0; i < WORDS; i++) s[i] = state[p + i];")}
  if (${constantExtract(started, source)} === 0) start();
  else {
    step();${stuck}${evaluated.map((name) => `\n    ${name}(s, 0); if (fault !== 0) caught();`).join("")}
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

  /** Bit i of the valuation of a property: does its proposition i hold? The complement of a site if a fault prevents the answer. */
  #valuation(properties: readonly { tests: readonly string[]; rejected: number }[]): string {
    const cases = properties.map(({ tests, rejected }, index) => {
      const bits = tests.map((name, i) => `(${name}(w, o) ? ${1 << i} : 0)`);
      return `case ${index}: rejected = ${rejected}; bits = ${bits.join(" | ") || "0"}; break;`;
    });
    // sound: test/compile/rules/valuation.test.ts
    return `function valuation(index, w, o) {
  let rejected = 0, bits = 0;
  begin();
  switch (index) { ${cases.join(" ")} }
  const what = fault;
  fault = 0;
  if (what === 0) return bits;
  return what === REJECTED ? ~rejected : ~(what - 1);
}`;
  }

  /** Questions about a state, by number. `before`: the answer in the root, before a start state was chosen. */
  #holds(asked: readonly Asked[], isBefore: string): string {
    const cases = asked.map(({ text, before, ifFailed }, i) => {
      if (text === undefined) return `case ${i}: return true;`;
      const first = before === undefined ? "" : `if (${isBefore}) return ${String(before)}; `; // sound: test/compile/rules/conditions.test.ts
      return `case ${i}: ${first}answer = ${text}; return fault === 0 ? answer : unanswered(${String(ifFailed)});`;
    });
    return `function unanswered(otherwise) {
  fault = 0;
  return otherwise;
}
function holds(index, w, o) {
  let answer = false;
  begin();
  switch (index) {
${indent(cases.join("\n"))}
  }
  return false;
}`;
  }

  #entry(): Scope {
    const text = new FunctionText();
    return { text, array: "w", base: "o", bindings: new Map(), body: { kind: "condition" } };
  }
}

/** States of up to this number of words are copied without a loop. */
const MOST_UNROLLED = 32;

function unrolled(words: number, line: (k: number) => string, loop: string): string {
  if (words > MOST_UNROLLED) return loop.replace("WORDS", String(words));
  return Array.from({ length: words }, (_, k) => line(k)).join("\n");
}

const at = (k: number, base = "o"): string => (k === 0 ? base : `${base} + ${k}`);

/** Is the entry another state than the source? */
function differs(words: number): string {
  if (words > MOST_UNROLLED) return "isOther()";
  return Array.from({ length: words }, (_, k) => `w[${at(k)}] !== s[${k}]`).join(" || ");
}

interface Asked {
  /** Undefined: the answer is yes. */
  readonly text: string | undefined;
  readonly before: boolean | undefined;
  /** The answer if a fault prevents the evaluation. */
  readonly ifFailed: boolean;
}
