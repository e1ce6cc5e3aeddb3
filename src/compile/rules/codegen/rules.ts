/**
 * Rules as code: guards read the source state, bodies change a copy of it in the list of successors.
 *
 * A rule is written out for each value of its parameters, so that its indices are constants, unless that is too much code;
 * then its parameters are loops. Guards follow one another in functions of moderate length, since compilers give up on long
 * ones. After each instance `caught` ends the entry with its fault.
 */
import { type Binder, type Condition, type Rule } from "../../../model/rules.js";
import { valuesOfParameter } from "../agents.js";
import { emitCode } from "./cells.js";
import { boundOf, type Expressions } from "./expressions.js";
import type { ModuleParts } from "./parts.js";
import { presenceOf } from "./places.js";
import { Locals } from "./procedures.js";
import { FunctionText, block, bound, indent, namesIn, usedIn, type Scope } from "./scope.js";
import type { Statements } from "./statements.js";
import { TICK, canFail } from "./runtime.js";
import { mayFail, weight } from "./weight.js";

/** Nodes of a rule that is written out, of all of them together, and of one function of guards. */
const MOST_NODES_OF_RULE = 6_000;
const MOST_NODES = 24_000;
const NODES_OF_FUNCTION = 700;

export class Rules {
  readonly #module: ModuleParts;
  readonly #expressions: Expressions;
  readonly #statements: Statements;

  constructor(module: ModuleParts, expressions: Expressions, statements: Statements) {
    this.#module = module;
    this.#expressions = expressions;
    this.#statements = statements;
  }

  /** Calls of functions that together try every instance in order. `keep`: the call that ends a step of rule `number`. */
  tryAll(rules: readonly Rule[], keep: (number: number, instance: Scope) => string): string[] {
    const calls: string[] = [];
    let group = new Group();
    let left = MOST_NODES;
    const close = (): void => {
      if (group.cases.length > 0) calls.push(this.#addGroup(group));
      group = new Group();
    };
    rules.forEach((rule, number) => {
      const kept = (instance: Scope): string => keep(number, instance);
      const nodes = weight([rule.guard, rule.body, rule.binders]) + 5;
      const total = nodes * instancesOf(rule.binders);
      // sound: test/compile/rules/conditions.test.ts
      if (total > Math.min(left, MOST_NODES_OF_RULE) || failsForSeveral(rule.binders)) {
        close();
        calls.push(this.#addLoop(rule, kept));
        return;
      }
      left -= total;
      for (const values of choices(rule.binders)) {
        if (group.nodes > NODES_OF_FUNCTION) close();
        group.nodes += weight(rule.guard) + 5;
        group.cases.push(caught(this.#writtenOut(rule, values, kept, group.text)));
      }
    });
    close();
    return calls;
  }

  /** A function that decides whether all instances hold, or whether one does. */
  condition(condition: Condition, isForAll: boolean): string {
    return this.#asked(
      condition,
      (test) => (isForAll ? `if (!${test}) return false;` : `if (${test}) return true;`), // sound: test/compile/rules/conditions.test.ts
      `return ${isForAll ? "true" : "false"};`,
    );
  }

  /** A function that evaluates all instances, for the faults in that. */
  evaluation(condition: Condition): string {
    return this.#asked(condition, (test) => `${test};`, "");
  }

  #asked(condition: Condition, use: (test: string) => string, end: string): string {
    const { binders } = condition;
    const text = new FunctionText();
    const scope: Scope = { text, array: "w", base: "o", bindings: new Map(), body: { kind: "condition" } };
    const isLong = weight(condition.condition) * instancesOf(binders) > NODES_OF_FUNCTION;
    const decide = (inside: Scope): string => use(this.#expressions.test(condition.condition, inside));
    const body = isLong
      ? this.#loops(binders, scope, decide)
      : choices(binders)
          .map((values) => this.#bound(binders, values, scope, decide))
          .join("\n");
    return this.#module.addFunction(canFail(body) ? "conditionOrFail" : "condition", (name) =>
      block(`function ${name}(w, o)`, `${text.declarations()}\n${body}\n${end}`),
    );
  }

  /** One instance of a condition, for values of all its binders. */
  instance(condition: Condition, values: readonly number[]): string {
    const text = new FunctionText();
    const scope: Scope = { text, array: "w", base: "o", bindings: new Map(), body: { kind: "condition" } };
    const body = this.#bound(
      condition.binders,
      values,
      scope,
      (inside) => `return ${this.#expressions.test(condition.condition, inside)};`,
    );
    return this.#module.addFunction("instance", (name) =>
      block(`function ${name}(w, o)`, `${text.declarations()}\n${body}\nreturn false;`),
    );
  }

  #writtenOut(rule: Rule, values: readonly number[], keep: Keep, text: FunctionText): string {
    const scope = sourceScope(text);
    return this.#bound(rule.binders, values, scope, (inside) => this.#fire(rule, keep, inside));
  }

  /** The guard, and the call of the body. */
  #fire(rule: Rule, keep: Keep, scope: Scope): string {
    const test = rule.guard ? this.#expressions.test(rule.guard, scope) : "true";
    if (test === "false") return ""; // sound: test/compile/rules/conditions.test.ts
    const body = `fork(); if (${this.#body(rule, scope)}) ${keep(scope)}`;
    if (test === "true") return `{ ${body} }`;
    return canFail(test) ? `if ((${test}) && fault === 0) { ${body} }` : `if (${test}) { ${body} }`; // sound: test/compile/rules/step.test.ts
  }

  #body(rule: Rule, scope: Scope): string {
    const text = new FunctionText(scope.text.level + 1);
    const locals = new Locals(rule, rule.body, this.#module);
    const bindings = new Map([...locals.bindings, ...scope.bindings]);
    const inside: Scope = { text, array: "w", base: "o", bindings, body: { kind: "rule" } };
    const code = this.#statements.emit(rule.body, inside);
    const names = usedIn(code, namesIn(scope));
    const head = [text.declarations(), locals.declarations(), locals.reset()].filter((line) => line !== "");
    const name = this.#module.addFunction(
      canFail(code) ? "ruleOrFail" : "rule",
      (own) =>
        `// ${titleOf(rule)}\n${block(`function ${own}(${["w", "o", ...names].join(", ")})`, [...head, code, "return true;"].join("\n"))}`,
    );
    return `${name}(${["w", "o", ...names].join(", ")})`;
  }

  #addGroup({ cases, text }: Group): string {
    const body = `${text.declarations()}\n${cases.join("\n")}`;
    const name = this.#module.addFunction("try", (own) => block(`function ${own}()`, body));
    return `${name}();`;
  }

  #addLoop(rule: Rule, keep: Keep): string {
    const text = new FunctionText();
    const code = this.#loops(
      rule.binders,
      sourceScope(text),
      (inside) => caught(this.#fire(rule, keep, inside)),
      caught,
    );
    const name = this.#module.addFunction("try", (own) =>
      block(`function ${own}()`, `${text.declarations()}\n${code}`),
    );
    return `${name}();`;
  }

  /** Code for fixed values of the binders, one number for each. */
  #bound(
    binders: readonly Binder[],
    values: readonly number[],
    scope: Scope,
    rest: (inside: Scope) => string,
  ): string {
    const [first, ...others] = binders;
    if (!first) return rest(scope);
    const [value, ...otherValues] = values;
    const go = (inside: Scope): string => this.#bound(others, otherValues, inside, rest);
    switch (first.kind) {
      case "values":
        return go(bound(scope, first.slot, { kind: "constant", value: value! }));
      case "elements": {
        const { setup, place } = this.#expressions.locate(first.multiset, scope);
        const name = scope.text.fresh();
        const isThere = emitCode(presenceOf(place, value!), scope);
        const inside = go(bound(scope, first.slot, { kind: "element", name }));
        return unlessFailed(
          setup.map((s) => `${s};`).join(" "),
          `if (${isThere} !== 0) { ${name} = ${value}; ${inside} }`, // sound: test/compile/rules/conditions.test.ts
        );
      }
      case "bind":
      case "refer": {
        const { code, after } = this.#statements.bind(first, scope);
        return unlessFailed(code, go(after));
      }
    }
  }

  /** `around`: wraps code that can fail before its loops begin. */
  #loops(
    binders: readonly Binder[],
    scope: Scope,
    rest: (inside: Scope) => string,
    around: (code: string) => string = (code) => code,
  ): string {
    const [first, ...others] = binders;
    if (!first) return rest(scope);
    const go = (inside: Scope): string => this.#loops(others, inside, rest, around);
    switch (first.kind) {
      case "values": {
        const name = scope.text.fresh();
        const { low, high, step } = first;
        this.#module.reach(Math.min(low, high + step), Math.max(low, high + step));
        const test = step > 0 ? `${name} <= ${high}` : `${name} >= ${high}`; // sound: test/compile/rules/conditions.test.ts
        const head = `for (${name} = ${low}; ${test}; ${name} += ${step})`;
        return block(head, `${TICK}\n${go(bound(scope, first.slot, { kind: "value", name }))}`);
      }
      case "elements": {
        const { setup, place } = this.#expressions.locate(first.multiset, scope);
        const name = scope.text.fresh();
        const isThere = emitCode(presenceOf(place, name), scope);
        const head = `for (${name} = 0; ${name} < ${boundOf(place)} && ${isThere} !== 0; ${name}++)`; // sound: test/compile/rules/conditions.test.ts
        const body = go(bound(scope, first.slot, { kind: "element", name }));
        return around(unlessFailed(setup.map((s) => `${s};\n`).join(""), block(head, body)));
      }
      case "bind":
      case "refer": {
        const { code, after } = this.#statements.bind(first, scope);
        return around(unlessFailed(code, go(after)));
      }
    }
  }
}

/** The call that ends a step of a rule. */
type Keep = (instance: Scope) => string;

/** Guards in one function. */
class Group {
  readonly text = new FunctionText();
  readonly cases: string[] = [];
  nodes = 0;
}

const sourceScope = (text: FunctionText): Scope => ({
  text,
  array: "s",
  base: "",
  bindings: new Map(),
  body: { kind: "condition" },
});

/** Ends the entry with the code's fault. */
const caught = (code: string): string => (canFail(code) ? `${code}\nif (fault !== 0) caught();` : code); // sound: test/compile/rules/step.test.ts

/** The code after a binder, unless the binder failed. */
const unlessFailed = (before: string, rest: string): string =>
  canFail(before) ? `${before}\nif (fault === 0) {\n${indent(rest)}\n}` : `${before} ${rest}`; // sound: test/compile/rules/step.test.ts

const titleOf = (rule: Rule): string => (rule.name ?? `rule ${rule.number}`).replace(/\s+/g, " ");

/** Upper bound on the number of instances. */
export function instancesOf(binders: readonly Binder[]): number {
  return binders.reduce((product, binder) => {
    if (binder.kind === "values") return product * valuesOfParameter(binder);
    if (binder.kind === "elements" && binder.multiset.type.kind === "multiset")
      return product * binder.multiset.type.bound;
    return product;
  }, 1);
}

/** For each instance a number for each binder: a value, a position, or nothing of interest. */
export function choices(binders: readonly Binder[]): number[][] {
  return binders.reduce<number[][]>(
    (all, binder) => {
      const values = optionsOf(binder);
      return all.flatMap((before) => values.map((value) => [...before, value]));
    },
    [[]],
  );
}

function optionsOf(binder: Binder): number[] {
  if (binder.kind === "values") return valuesOfBinder(binder); // sound: test/compile/rules/conditions.test.ts
  if (binder.kind === "elements" && binder.multiset.type.kind === "multiset")
    return Array.from({ length: binder.multiset.type.bound }, (_, i) => i);
  return [0];
}

/** Does a binder that fails stand for several instances? It fails once, so that it must not be written out for each of them. */
const failsForSeveral = (binders: readonly Binder[]): boolean =>
  binders.some(
    (binder, i) =>
      mayFail(binder) && binders.slice(i).some(({ kind }) => kind === "values" || kind === "elements"), // sound: test/compile/rules/conditions.test.ts
  );

function valuesOfBinder({ low, high, step }: Binder & { kind: "values" }): number[] {
  const values: number[] = [];
  for (let v = low; step > 0 ? v <= high : v >= high; v += step) values.push(v); // sound: test/compile/rules/conditions.test.ts
  return values;
}
