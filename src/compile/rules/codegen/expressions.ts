/**
 * Expressions as JavaScript: a number for a value, a boolean for a condition.
 *
 * A fault sets a flag and gives some value of the expression's type, so that further evaluation stays in bounds; the
 * enclosing statement checks the flag (`checked` in `scope.ts`). Constants are folded: rules are written out for each value
 * of their parameters, and most of their indices and comparisons are then constants.
 */
import { NO_SITE, valuesOf, type Iteration, type Place, type RuleExpr } from "../../../model/rules.js";
import { emitCode } from "./cells.js";
import type { ModuleParts } from "./parts.js";
import { locate, partsOf, presenceOf, simpleType, type Found } from "./places.js";
import { emitBinary, foldBinary, literal } from "./operators.js";
import { FunctionText, block, bound, checked, namesIn, usedIn, type Located, type Scope } from "./scope.js";
import { TICK, canFail } from "./runtime.js";
import { isWrittenOut } from "./weight.js";

export class Expressions {
  readonly #module: ModuleParts;

  constructor(module: ModuleParts) {
    this.#module = module;
  }

  /** A number. */
  value(e: RuleExpr, scope: Scope): string {
    const known = this.constant(e, scope);
    this.#module.reach(known ?? e.type.low, known ?? e.type.high);
    if (known !== undefined) return literal(known);
    // sound: test/compile/rules/conditions.test.ts
    if (e.type.kind === "boolean" && e.kind !== "slot" && e.kind !== "call" && e.kind !== "conditional")
      return `(${this.test(e, scope)} ? 1 : 0)`;
    switch (e.kind) {
      case "slot":
        return this.#slot(e.slot, scope);
      case "read": {
        const { setup, place } = this.locate(e.place, scope);
        const { low } = simpleType(place);
        this.#module.reach(low - 1, low);
        const code = emitCode(place, scope);
        const value =
          // sound: test/compile/rules/conditions.test.ts
          e.site === NO_SITE
            ? plus(code, low - 1)
            : `((t = ${code}) !== 0 ? ${plus("t", low - 1)} : failed(${e.site}, ${literal(low)}))`;
        return sequence(setup, value);
      }
      case "unary":
        return e.op === "-" ? `(-${this.value(e.operand, scope)})` : `(-1 - ${this.value(e.operand, scope)})`; // sound: test/compile/rules/conditions.test.ts
      case "binary":
        return emitBinary(e, this.value(e.left, scope), this.value(e.right, scope));
      case "conditional":
        return `(${this.test(e.condition, scope)} ? ${this.value(e.then, scope)} : ${this.value(e.otherwise, scope)})`;
      case "convert": {
        const { low, high } = e.type;
        const { type } = e.operand;
        this.#module.reach(type.low + e.offset, type.high + e.offset);
        const moved = plus(this.value(e.operand, scope), e.offset);
        return e.site === NO_SITE ? moved : `within(${moved}, ${low}, ${high}, ${e.site})`; // sound: test/compile/rules/conditions.test.ts
      }
      case "call":
        return this.#module.call(e, scope);
      case "multiset-count":
        return this.#count(e, scope);
      default:
        throw new Error(`${e.kind} has no number`);
    }
  }

  /** A truth value. */
  test(e: RuleExpr, scope: Scope): string {
    const known = this.constant(e, scope);
    if (known !== undefined) return known !== 0 ? "true" : "false"; // sound: test/compile/rules/conditions.test.ts
    switch (e.kind) {
      case "read": {
        const { setup, place } = this.locate(e.place, scope);
        return sequence(setup, comparedRead(emitCode(place, scope), TRUE_CODE, e.site, false));
      }
      case "unary":
        return `!${this.test(e.operand, scope)}`;
      case "logical":
        return this.#logical(e, scope);
      case "binary":
        return this.#comparison(e, scope);
      case "quantified":
        return this.#quantified(e, scope);
      case "is-undefined": {
        const { setup, place } = this.locate(e.place, scope);
        return sequence(setup, `${emitCode(place, scope)} === 0`);
      }
      case "same":
        return this.#same(e, scope);
      case "has-value":
        return this.#hasValue(e, scope);
      case "is-within": {
        const { setup, place } = this.locate(e.place, scope);
        const { low } = simpleType(place);
        const [first, last] = [e.low - low + 1, e.high - low + 1];
        this.#module.reach(first, last);
        // sound: test/compile/rules/conditions.test.ts
        const inside = `t >= ${first} && t <= ${last}`;
        const isDefined = e.site === NO_SITE ? "t !== 0" : `(t !== 0 || fail(${e.site}))`; // sound: test/compile/rules/conditions.test.ts
        return sequence([...setup, `t = ${emitCode(place, scope)}`], `${isDefined} && ${inside}`);
      }
      case "conditional":
        return `(${this.test(e.condition, scope)} ? ${this.test(e.then, scope)} : ${this.test(e.otherwise, scope)})`;
      case "slot":
      case "call":
        return `(${this.value(e, scope)} !== 0)`;
      default:
        throw new Error(`${e.kind} is no condition`);
    }
  }

  locate(place: Place, scope: Scope): Found {
    const { layout, program } = this.#module;
    return locate(place, scope, layout, program.variables, (step, inside) => {
      const { low, high } = step.array.index;
      this.#module.reach(low, high);
      const known = this.constant(step.index, inside);
      // sound: test/compile/rules/conditions.test.ts
      if (known !== undefined) return known >= low && known <= high ? known - low : `fail(${step.site})`;
      const index = this.value(step.index, inside);
      const { type } = step.index;
      // sound: test/compile/rules/conditions.test.ts
      if (step.site === NO_SITE || (type.low >= low && type.high <= high)) return plus(index, -low);
      // sound: test/compile/rules/conditions.test.ts
      return `((t = ${index}) >= ${low} && t <= ${high} ? ${plus("t", -low)} : fail(${step.site}))`;
    });
  }

  /** Its value, if constant here. */
  constant(e: RuleExpr, scope: Scope): number | undefined {
    switch (e.kind) {
      case "constant":
        return e.value;
      case "slot": {
        const binding = scope.bindings.get(e.slot);
        return binding?.kind === "constant" ? binding.value : undefined; // sound: test/compile/rules/conditions.test.ts
      }
      case "unary": {
        const operand = this.constant(e.operand, scope);
        if (operand === undefined) return undefined;
        return e.op === "-" ? -operand : e.op === "!" ? 1 - operand : -1 - operand; // sound: test/compile/rules/conditions.test.ts
      }
      case "binary": {
        const left = this.constant(e.left, scope);
        const right = left === undefined ? undefined : this.constant(e.right, scope);
        return right === undefined ? undefined : foldBinary(e.op, left!, right);
      }
      case "logical": {
        const left = this.constant(e.left, scope);
        if (left === undefined) return undefined;
        // sound: test/compile/rules/conditions.test.ts
        if (e.op === "or" ? left === 1 : left === 0) return e.op === "and" ? 0 : 1;
        return this.constant(e.right, scope);
      }
      case "conditional": {
        const condition = this.constant(e.condition, scope);
        if (condition === undefined) return undefined;
        return this.constant(condition === 1 ? e.then : e.otherwise, scope); // sound: test/compile/rules/conditions.test.ts
      }
      default:
        return undefined;
    }
  }

  /** The loop over an iteration: its head, and statements before it. */
  loop(name: string, over: Iteration, scope: Scope): { before: string; head: string } {
    // sound: test/compile/rules/conditions.test.ts
    if (over.kind === "values") {
      this.#module.reach(over.low, over.high + 1);
      return { before: "", head: `for (${name} = ${over.low}; ${name} <= ${over.high}; ${name}++)` };
    }
    const { text } = scope;
    // The variable is incremented once more than the number of iterations.
    const [last, by] = [over.to.type, over.step.type];
    this.#module.reach(last.low + Math.min(0, by.low), last.high + Math.max(0, by.high));
    const [from, to, step] = [text.fresh(), text.fresh(), text.fresh()];
    const before = [
      `${from} = ${this.value(over.from, scope)};`,
      `${to} = ${this.value(over.to, scope)};`,
      `${step} = ${this.value(over.step, scope)};`,
      over.site === NO_SITE ? "" : `if (${step} === 0) fail(${over.site});`, // sound: test/compile/rules/conditions.test.ts
      // sound: test/compile/rules/conditions.test.ts
      over.wrongWay === NO_SITE
        ? ""
        : `if (${step} > 0 ? ${from} > ${to} : ${from} < ${to}) fail(${over.wrongWay});`,
    ];
    const head = `for (${name} = ${from}; ${step} > 0 ? ${name} <= ${to} : ${name} >= ${to}; ${name} += ${step})`; // sound: test/compile/rules/conditions.test.ts
    return { before: before.filter((line) => line !== "").join("\n"), head };
  }

  /** A call of a new function with that body, which can access the names in scope. */
  helper(scope: Scope, body: (inside: Scope) => string): string {
    const text = new FunctionText(scope.text.level + 1);
    const inside: Scope = { ...scope, text, array: "w", base: "o", body: { kind: "condition" } };
    const code = body(inside);
    const names = usedIn(code, namesIn(scope));
    const name = this.#module.addFunction(canFail(code) ? "loopOrFail" : "loop", (own) =>
      block(`function ${own}(${["w", "o", ...names].join(", ")})`, `${text.declarations()}\n${code}`),
    );
    return `${name}(${[scope.array, scope.base || "0", ...names].join(", ")})`;
  }

  #slot(slot: number, { bindings }: Scope): string {
    const binding = bindings.get(slot);
    if (binding?.kind !== "value") throw new Error(`slot ${slot} is not a value`);
    return binding.name;
  }

  #logical(e: RuleExpr & { kind: "logical" }, scope: Scope): string {
    const left = this.constant(e.left, scope);
    // Only the right side remains to be evaluated.
    if (left !== undefined) return this.test(e.right, scope);
    const [first, second] = [this.test(e.left, scope), this.test(e.right, scope)];
    if (e.op === "implies") return second === "true" ? `(${first}, true)` : `(!${first} || ${second})`; // sound: test/compile/rules/conditions.test.ts
    return `(${first} ${e.op === "and" ? "&&" : "||"} ${second})`; // sound: test/compile/rules/conditions.test.ts
  }

  #comparison(e: RuleExpr & { kind: "binary" }, scope: Scope): string {
    const isEquality = e.op === "==" || e.op === "!="; // sound: test/compile/rules/conditions.test.ts
    const right = this.constant(e.right, scope);
    // sound: test/compile/rules/conditions.test.ts
    if (isEquality && e.left.kind === "read" && right !== undefined) {
      const { setup, place } = this.locate(e.left.place, scope);
      const { low, high } = simpleType(place);
      const code = emitCode(place, scope);
      // A value that the variable cannot have has no code.
      const wanted = right >= low && right <= high ? right - low + 1 : -1; // sound: test/compile/rules/conditions.test.ts
      return sequence(setup, comparedRead(code, wanted, e.left.site, e.op === "!=")); // sound: test/compile/rules/conditions.test.ts
    }
    const op = isEquality ? `${e.op}=` : e.op; // sound: test/compile/rules/conditions.test.ts
    return `(${this.value(e.left, scope)} ${op} ${this.value(e.right, scope)})`;
  }

  #quantified(e: RuleExpr & { kind: "quantified" }, scope: Scope): string {
    const isForAll = e.op === "forall"; // sound: test/compile/rules/conditions.test.ts
    if (isWrittenOut(e.over, e.body)) {
      const { low, high } = e.over;
      const instances = Array.from({ length: high - low + 1 }, (_, i) =>
        this.test(e.body, bound(scope, e.slot, { kind: "constant", value: low + i })),
      );
      return e.isExhaustive ? joinedExhaustively(instances, isForAll) : joined(instances, isForAll);
    }
    return this.helper(scope, (inside) => {
      const name = inside.text.fresh();
      const { before, head } = this.loop(name, e.over, inside);
      const test = this.test(e.body, bound(inside, e.slot, { kind: "value", name }));
      const isDecided = isForAll ? `!${test}` : test; // sound: test/compile/rules/conditions.test.ts
      const first = checked(before, inside);
      const check = canFail(test) ? " if (fault !== 0) return false;" : "";
      // sound: test/compile/rules/conditions.test.ts
      if (e.isExhaustive)
        return `let decided = false;\n${first}\n${head} { ${TICK} if (${isDecided}) decided = true;${check} }\nreturn ${isForAll ? "!" : ""}decided;`;
      return `${first}\n${head} { ${TICK} if (${isDecided}) return ${String(!isForAll)};${check} }\nreturn ${String(isForAll)};`; // sound: test/compile/rules/conditions.test.ts
    });
  }

  #same(e: RuleExpr & { kind: "same" }, scope: Scope): string {
    const [left, right] = [this.locate(e.left, scope), this.locate(e.right, scope)];
    const [lefts, rights] = [partsOf(left.place), partsOf(right.place)];
    const tests = lefts.map((part, i) => this.#equalParts(part, rights[i]!, scope));
    const all = `(${tests.join(" && ") || "true"})`;
    return sequence([...left.setup, ...right.setup], e.isNegated ? `!${all}` : all); // sound: test/compile/rules/conditions.test.ts
  }

  #hasValue(e: RuleExpr & { kind: "has-value" }, scope: Scope): string {
    const { setup, place } = this.locate(e.place, scope);
    const { low, high } = simpleType(place);
    const known = this.constant(e.value, scope);
    const code = emitCode(place, scope);
    const not = e.isNegated ? "!" : ""; // sound: test/compile/rules/conditions.test.ts
    this.#module.reach(low + e.offset - 1, high + e.offset);
    if (known !== undefined) {
      const own = known - e.offset;
      const wanted = own >= low && own <= high ? own - low + 1 : -1; // sound: test/compile/rules/conditions.test.ts
      return sequence(setup, `${code} ${e.isNegated ? "!==" : "==="} ${wanted}`); // sound: test/compile/rules/conditions.test.ts
    }
    const [held, other] = [scope.text.fresh(), scope.text.fresh()];
    return sequence(
      [...setup, `${held} = ${code}`, `${other} = ${this.value(e.value, scope)}`],
      `${not}(${held} !== 0 && ${plus(held, low - 1 + e.offset)} === ${other})`, // sound: test/compile/rules/conditions.test.ts
    );
  }

  #count(e: RuleExpr & { kind: "multiset-count" }, scope: Scope): string {
    return this.helper(scope, (inside) => {
      const { setup, place } = this.locate(e.multiset, inside);
      const name = inside.text.fresh();
      const test = this.test(e.condition, bound(inside, e.slot, { kind: "element", name }));
      // sound: test/compile/rules/conditions.test.ts
      return `${checked(setup.map((s) => `${s};\n`).join(""), inside)}let count = 0;
for (${name} = 0; ${name} < ${boundOf(place)}; ${name}++) if (${emitCode(presenceOf(place, name), inside)} !== 0 && ${test}) count++;
return count;`;
    });
  }

  #equalParts(left: Located, right: Located, scope: Scope): string {
    const [l, r] = [emitCode(left, scope), emitCode(right, scope)];
    const type = simpleType(left);
    const shift = type.low - simpleType(right).low;
    this.#module.reach(shift, shift + valuesOf(type));
    return shift === 0 ? `${l} === ${r}` : `sameValue(${l}, ${r}, ${shift})`; // sound: test/compile/rules/conditions.test.ts
  }
}

export function boundOf(place: Located): number {
  if (place.type.kind !== "multiset") throw new Error("not a multiset");
  return place.type.bound;
}

const TRUE_CODE = 2;

export const plus = (code: string, constant: number): string =>
  constant === 0 ? code : constant < 0 ? `(${code} - ${-constant})` : `(${code} + ${constant})`; // sound: test/compile/rules/conditions.test.ts

export const sequence = (setup: readonly string[], last: string): string =>
  setup.length === 0 ? `(${last})` : `(${[...setup, last].join(", ")})`;

/** Is the code the wanted one? Undefined is a fault, if there is a site for it. */
function comparedRead(code: string, wanted: number, site: number, isNegated: boolean): string {
  if (site === NO_SITE) return `${code} ${isNegated ? "!==" : "==="} ${wanted}`; // sound: test/compile/rules/conditions.test.ts
  // sound: test/compile/rules/conditions.test.ts
  return isNegated
    ? `(t = ${code}) !== ${wanted} && (t !== 0 || fail(${site}))`
    : `(t = ${code}) === ${wanted} || t === 0 && fail(${site})`;
}

function joined(tests: readonly string[], isForAll: boolean): string {
  const [neutral, decisive] = isForAll ? ["true", "false"] : ["false", "true"]; // sound: test/compile/rules/conditions.test.ts
  const relevant = tests.filter((test) => test !== neutral);
  const end = relevant.indexOf(decisive);
  const kept = end < 0 ? relevant : relevant.slice(0, end + 1); // sound: test/compile/rules/conditions.test.ts
  return kept.length === 0 ? neutral : `(${kept.join(isForAll ? " && " : " || ")})`; // sound: test/compile/rules/conditions.test.ts
}

function joinedExhaustively(tests: readonly string[], isForAll: boolean): string {
  const relevant = tests.filter((test) => test !== (isForAll ? "true" : "false"));
  if (relevant.length === 0) return isForAll ? "true" : "false"; // sound: test/compile/rules/conditions.test.ts
  return `((${relevant.map((test) => `(${test} ? 1 : 0)`).join(isForAll ? " & " : " | ")}) !== 0)`;
}
