/** Statements as JavaScript: they change the state in place. Faults are checked after each statement, before any lasting effect. */
import { NO_SITE, isSimple, valuesOf, type Place, type RuleStatement } from "../../../model/rules.js";
import { emitCode, emitPut } from "./cells.js";
import { boundOf, plus, type Expressions } from "./expressions.js";
import type { ModuleParts } from "./parts.js";
import {
  elementName,
  elementOf,
  fieldOf,
  leafNumber,
  partsOf,
  presenceOf,
  simpleType,
  type Found,
} from "./places.js";
import { block, bound, check, checked, indent, leave, type Located, type Scope } from "./scope.js";
import { TICK, canFail } from "./runtime.js";
import { hasCall, isWrittenOut } from "./weight.js";

export class Statements {
  readonly #module: ModuleParts;
  readonly #expressions: Expressions;

  constructor(module: ModuleParts, expressions: Expressions) {
    this.#module = module;
    this.#expressions = expressions;
  }

  emit(statements: readonly RuleStatement[], scope: Scope): string {
    const lines: string[] = [];
    let inside = scope;
    for (const statement of statements) {
      if (statement.kind === "bind" || statement.kind === "refer") {
        const { code, after } = this.bind(statement, inside);
        lines.push(checked(code, inside));
        inside = after;
      } else if (COMPOUND.has(statement.kind)) lines.push(this.#statement(statement, inside));
      else lines.push(checked(this.#statement(statement, inside), inside));
    }
    return lines.filter((line) => line !== "").join("\n");
  }

  /** The code, and the scope after it. */
  bind(
    statement: RuleStatement & { kind: "bind" | "refer" },
    scope: Scope,
  ): { readonly code: string; readonly after: Scope } {
    const { slot } = statement;
    if (statement.kind === "bind") {
      const known = this.#expressions.constant(statement.value, scope);
      if (known !== undefined)
        return { code: "", after: bound(scope, slot, { kind: "constant", value: known }) };
      const name = scope.text.fresh();
      const code = `${name} = ${this.#expressions.value(statement.value, scope)};`;
      return { code, after: bound(scope, slot, { kind: "value", name }) };
    }
    const { setup, place } = this.#expressions.locate(statement.place, scope);
    const frozen = frozenPlace(place, scope);
    const code = [...setup, ...frozen.setup].map((s) => `${s};`).join(" ");
    return { code, after: bound(scope, slot, { kind: "place", place: frozen.place }) };
  }

  #statement(s: RuleStatement, scope: Scope): string {
    const ex = this.#expressions;
    switch (s.kind) {
      case "bind":
      case "refer":
        throw new Error("bindings change the scope");
      case "assign":
        return this.#assign(s, scope);
      case "copy":
        return this.#copy(ex.locate(s.source, scope), ex.locate(s.target, scope), s.offset, s.site, scope);
      case "clear":
        return this.#fill(s.place, CLEARED, scope);
      case "undefine":
        return this.#fill(s.place, UNDEFINED, scope);
      case "if":
        return this.#if(s, scope);
      case "for":
        return this.#for(s, scope);
      case "while": {
        const rounds = scope.text.fresh();
        const { maxRounds } = this.#module.program;
        this.#module.reach(0, maxRounds + 1);
        const count = `if (${rounds}++ === ${maxRounds}) { fail(${s.site}); ${leave(scope)} }`; // sound: test/compile/rules/conditions.test.ts
        const test = ex.test(s.condition, scope);
        const looked = canFail(test) ? check(scope) : "";
        const body = this.emit(s.body, scope);
        return `${rounds} = 0;\n${block(`while (${test})`, `${looked}\n${TICK}\n${count}\n${body}`)}\n${looked}`;
      }
      case "call":
        return `${this.#module.call(s, scope)};`;
      case "assert":
        return `if (!${ex.test(s.condition, scope)}) fail(${s.site});`;
      case "assume":
        return `if (!${ex.test(s.condition, scope)}) ${scope.body.kind === "rule" ? "return false;" : "reject();"}`;
      case "cover":
        return `if ((${ex.test(s.condition, scope)}) && fault === 0) covered[${s.cover}] = 1;`; // sound: test/compile/rules/step.test.ts
      case "error":
        return `fail(${s.site});`;
      case "put":
        return this.#put(s.what, scope);
      case "return":
        return this.#return(s, scope);
      case "multiset-add":
        return this.#add(s, scope);
      case "multiset-remove": {
        const { setup, place } = ex.locate(s.multiset, scope);
        const name = elementName(scope, s.slot);
        const isThere = emitCode(presenceOf(place, name), scope);
        const absent =
          s.site === NO_SITE
            ? ""
            : `if (${name} < 0 || ${isThere} === 0) { fail(${s.site}); ${leave(scope)} }`; // sound: test/compile/rules/conditions.test.ts
        return `${setupLines(setup)}${absent} ${this.#vacate(place, name, scope)} ${name} = -1;`;
      }
      case "multiset-remove-if":
        return this.#removeIf(s, scope);
    }
  }

  #assign(s: RuleStatement & { kind: "assign" }, scope: Scope): string {
    const known = this.#expressions.constant(s.value, scope);
    const value = this.#expressions.value(s.value, scope);
    const { setup, place } = this.#expressions.locate(s.target, scope);
    const { low, high } = simpleType(place);
    this.#module.reach(low, high);
    if (known !== undefined) {
      const put =
        known >= low && known <= high ? emitPut(place, `${known - low + 1}`, scope) : `fail(${s.site});`; // sound: test/compile/rules/conditions.test.ts
      return `${setupLines(setup)}${put}`;
    }
    const { type } = s.value;
    const isChecked = s.site !== NO_SITE && (type.low < low || type.high > high); // sound: test/compile/rules/conditions.test.ts
    // Writing a part of a word reads the rest of it first, which a call may change.
    // sound: test/compile/rules/conditions.test.ts
    if (!isChecked && setup.length === 0 && !hasCall(s.value))
      return emitPut(place, plus(value, 1 - low), scope);
    const name = scope.text.fresh();
    const range = isChecked ? `if (${name} < ${low} || ${name} > ${high}) fail(${s.site}); ` : ""; // sound: test/compile/rules/conditions.test.ts
    return `${name} = ${value};\n${setupLines(setup)}${range}${emitPut(place, plus(name, 1 - low), scope)}`;
  }

  #copy(source: Found, target: Found, offset: number, site: number, scope: Scope): string {
    return (
      setupLines([...source.setup, ...target.setup]) +
      this.copyParts(source.place, target.place, offset, site, scope)
    );
  }

  /** Everything there; `offset` is added to simple values. */
  copyParts(source: Located, target: Located, offset: number, site: number, scope: Scope): string {
    const [from, to] = [partsOf(source), partsOf(target)];
    const isPlain = from.every((part, i) => isSameRange(part, to[i]!)) && offset === 0; // sound: test/compile/rules/conditions.test.ts
    if (from.length > MOST_WRITTEN_PARTS && isPlain)
      return `copyLeaves(${[scope.array, scope.base || "0", regionOf(source), leafNumber(source), regionOf(target), leafNumber(target), from.length].join(", ")});`;
    return from
      .map((part, i) => emitPut(to[i]!, this.recoded(part, to[i]!, offset, site, scope), scope))
      .join("\n");
  }

  /** Converts the source's code to the target's. */
  recoded(source: Located, target: Located, offset: number, site: number, scope: Scope): string {
    const code = emitCode(source, scope);
    const [from, to] = [simpleType(source), simpleType(target)];
    const shift = from.low - to.low + offset;
    this.#module.reach(shift, shift + valuesOf(from));
    const isContained = from.low + offset >= to.low && from.high + offset <= to.high; // sound: test/compile/rules/conditions.test.ts
    if (shift === 0 && isContained) return code; // sound: test/compile/rules/conditions.test.ts
    return `recoded(${code}, ${shift}, ${valuesOf(to)}, ${site})`;
  }

  #fill(place: Place, kind: typeof CLEARED | typeof UNDEFINED, scope: Scope): string {
    const { setup, place: target } = this.#expressions.locate(place, scope);
    return setupLines(setup) + this.#fillParts(target, kind, scope);
  }

  #fillParts(target: Located, kind: typeof CLEARED | typeof UNDEFINED, scope: Scope): string {
    const code = kind === CLEARED && !hasMultiset(target.type) ? "1" : "0"; // sound: test/compile/rules/conditions.test.ts
    // sound: test/compile/rules/conditions.test.ts
    if (kind === CLEARED && code === "0" && target.type.kind !== "multiset")
      return children(target)
        .map((child) => this.#fillParts(child, kind, scope))
        .join("\n");
    const parts = partsOf(target);
    if (parts.length > MOST_WRITTEN_PARTS)
      return `fillLeaves(${[scope.array, scope.base || "0", regionOf(target), leafNumber(target), parts.length, code].join(", ")});`;
    return parts.map((part) => emitPut(part, code, scope)).join("\n");
  }

  #if(s: RuleStatement & { kind: "if" }, scope: Scope): string {
    const otherwise = this.emit(s.otherwise, scope);
    return s.branches.reduceRight((rest, { condition, body }) => {
      const test = this.#expressions.test(condition, scope);
      if (test === "true") return this.emit(body, scope); // sound: test/compile/rules/conditions.test.ts
      if (test === "false") return rest; // sound: test/compile/rules/conditions.test.ts
      const looked = canFail(test) ? `${check(scope)}\n` : "";
      const then = block(`if (${test})`, looked + this.emit(body, scope));
      const without = looked + rest;
      return without === "" ? then : `${then} else {\n${indent(without)}\n}`; // sound: test/compile/rules/conditions.test.ts
    }, otherwise);
  }

  #for(s: RuleStatement & { kind: "for" }, scope: Scope): string {
    if (isWrittenOut(s.over, s.body)) {
      const { low, high } = s.over;
      const rounds = Array.from({ length: high - low + 1 }, (_, i) =>
        this.emit(s.body, bound(scope, s.slot, { kind: "constant", value: low + i })),
      );
      return rounds.join("\n");
    }
    const name = scope.text.fresh();
    const { before, head } = this.#expressions.loop(name, s.over, scope);
    const body = this.emit(s.body, bound(scope, s.slot, { kind: "value", name }));
    return `${checked(before, scope)}\n${block(head, `${TICK}\n${body}`)}`;
  }

  /** Prints nothing, but evaluates the printed values for faults. */
  #put(what: (RuleStatement & { kind: "put" })["what"], scope: Scope): string {
    if (typeof what === "string") return "";
    if ("root" in what) return setupLines(this.#expressions.locate(what, scope).setup);
    return `${this.#expressions.value(what, scope)};`;
  }

  #return(s: RuleStatement & { kind: "return" }, scope: Scope): string {
    const { body } = scope;
    if (!s.value) return body.kind === "rule" ? "return true;" : "return;"; // sound: test/compile/rules/conditions.test.ts
    const value = this.#expressions.value(s.value, scope);
    const result = body.kind === "procedure" ? body.result : undefined; // sound: test/compile/rules/conditions.test.ts
    if (s.site === NO_SITE || !result) return `return ${value};`; // sound: test/compile/rules/conditions.test.ts
    return `return within(${value}, ${result.low}, ${result.high}, ${s.site});`;
  }

  #add(s: RuleStatement & { kind: "multiset-add" }, scope: Scope): string {
    const element = this.#expressions.locate(s.element, scope);
    const { setup, place } = this.#expressions.locate(s.multiset, scope);
    const free = scope.text.fresh();
    const length = boundOf(place);
    const isTaken = emitCode(presenceOf(place, free), scope);
    // sound: test/compile/rules/conditions.test.ts
    return `${setupLines([...element.setup, ...setup])}for (${free} = 0; ${free} < ${length} && ${isTaken} !== 0; ${free}++);
if (${free} === ${length}) { fail(${s.site}); ${leave(scope)} }
${emitPut(presenceOf(place, free), "1", scope)}
${this.copyParts(element.place, elementOf(place, free, 1), 0, s.range, scope)}`;
  }

  /** Frees a position. */
  #vacate(place: Located, position: string, scope: Scope): string {
    return [
      emitPut(presenceOf(place, position), "0", scope),
      this.#fillParts(elementOf(place, position, 1), UNDEFINED, scope),
    ].join(" ");
  }

  #removeIf(s: RuleStatement & { kind: "multiset-remove-if" }, scope: Scope): string {
    const { setup, place } = this.#expressions.locate(s.multiset, scope);
    const [name, verdicts, length] = [scope.text.fresh(), scope.text.fresh(), boundOf(place)];
    const inside = bound(scope, s.slot, { kind: "element", name });
    const test = this.#expressions.test(s.condition, inside);
    const head = `for (${name} = 0; ${name} < ${length}; ${name}++)`;
    const isThere = emitCode(presenceOf(place, name), scope);
    const vacate = this.#vacate(place, name, scope);
    // In a fresh variable, since a call in the condition may be recursive.
    // sound: test/compile/rules/conditions.test.ts
    if (length < 32)
      return `${setupLines(setup)}${verdicts} = 0;
${block(head, checked(`if (${isThere} !== 0 && (${test})) ${verdicts} |= 1 << ${name};`, scope))}
${block(`${head} if ((${verdicts} >>> ${name} & 1) !== 0)`, vacate)}`;
    // sound: test/compile/rules/conditions.test.ts
    return `${setupLines(setup)}${verdicts} = [];
${block(head, checked(`${verdicts}[${name}] = ${isThere} !== 0 && (${test});`, scope))}
${block(`${head} if (${verdicts}[${name}])`, vacate)}`;
  }
}

/** Compound statements check faults themselves. */
const COMPOUND: ReadonlySet<RuleStatement["kind"]> = new Set(["if", "for", "while", "return"]);

const CLEARED = "cleared";
const UNDEFINED = "undefined";

/** Longer ones are copied and filled by a loop over leaf numbers. */
const MOST_WRITTEN_PARTS = 48;

const setupLines = (setup: readonly string[]): string => setup.map((s) => `${s};\n`).join("");

function isSameRange(a: Located, b: Located): boolean {
  const [first, second] = [simpleType(a), simpleType(b)];
  return first.low === second.low && first.high === second.high; // sound: test/compile/rules/conditions.test.ts
}

function children(place: Located): Located[] {
  if (place.type.kind === "record") return place.type.fields.map((_, field) => fieldOf(place, field));
  if (place.type.kind === "array") {
    const { low, high } = place.type.index;
    return Array.from({ length: high - low + 1 }, (_, i) => elementOf(place, i, 0));
  }
  return [place];
}

const regionOf = (place: Located): string =>
  place.kind === "numbered" && place.region === "memory" ? "1" : "0"; // sound: test/compile/rules/conditions.test.ts

function hasMultiset(type: Located["type"]): boolean {
  if (isSimple(type)) return false;
  switch (type.kind) {
    case "record":
      return type.fields.some((field) => hasMultiset(field.type)); // sound: test/compile/rules/conditions.test.ts
    case "array":
      return hasMultiset(type.element);
    case "multiset":
      return true;
  }
}

/** A place that can be handed on: its leaf number is in a variable. */
function frozenPlace(place: Located, scope: Scope): Found {
  // sound: test/compile/rules/conditions.test.ts
  if (place.kind !== "numbered" || typeof place.leaf === "number" || /^\w+$/.test(place.leaf))
    return { setup: [], place };
  const name = scope.text.fresh();
  return { setup: [`${name} = ${place.leaf}`], place: { ...place, leaf: name } };
}
