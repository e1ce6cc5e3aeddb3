/**
 * Semantics of a rule program's expressions and statements, followed literally: the reference for the generated code, and the
 * basis of traces.
 */
import {
  NO_SITE,
  type Binder,
  type Call,
  type Frame,
  type Iteration,
  type Place,
  type RuleExpr,
  type RuleProgram,
  type RuleStatement,
  type SimpleType,
} from "../../../model/rules.js";
import { patience } from "../../../model/patience.js";
import { computeRule } from "../../../model/rule-arithmetic.js";
import {
  clearedValue,
  cloneValue,
  isSameValue,
  isWithin,
  undefinedValue,
  type Reference,
  type Value,
} from "./values.js";

/** A fault ends the step. */
export class RuleFault {
  constructor(readonly site: number) {}
}

/** A local assumption does not hold: the step is not there. */
export class Discarded {}

export interface Observer {
  /** Receives the output of `put`. */
  print(what: string): void;
  /** A `cover` statement was met. */
  cover(index: number): void;
}

/** Contents of a body's slots: values, references, or positions. */
type Slots = (Value | Reference)[];

/** The way a body was left: by a `return`, with its value. */
interface Returned {
  readonly value: number | undefined;
}

/** In rounds of generated code, about. */
const COST_OF_ROUND = 100;

export class Machine {
  readonly #program: RuleProgram;
  readonly #state: Value[];
  readonly #observer: Observer;
  readonly #show: (value: Value, place: Place | RuleExpr) => string;
  #depth = 0;
  #rounds = 0;
  #look = 0;
  /** Result types of the running procedures. */
  readonly #results: (SimpleType | undefined)[] = [];

  /** Changes `state` in place. */
  constructor(
    program: RuleProgram,
    state: Value[],
    observer: Observer,
    show: (value: Value, place: Place | RuleExpr) => string,
  ) {
    this.#program = program;
    this.#state = state;
    this.#observer = observer;
    this.#show = show;
  }

  newSlots({ slots }: Frame): Slots {
    return slots.map((slot) => (slot.kind === "variable" ? undefinedValue(slot.type) : undefined)); // sound: test/compile/rules/conditions.test.ts
  }

  /** Gives the binders their values: `choices` has one for each that has several. */
  bind(binders: readonly Binder[], choices: readonly number[], slots: Slots): void {
    let next = 0;
    for (const binder of binders)
      // sound: test/compile/rules/conditions.test.ts
      if (binder.kind === "values" || binder.kind === "elements") slots[binder.slot] = choices[next++]!;
      else this.#execute(binder, slots);
  }

  /** The values that the binder after the given choices can have. */
  optionsFor(binder: Binder & { kind: "values" | "elements" }, slots: Slots): Iterable<number> {
    if (binder.kind === "values") return this.#steps(binder.low, binder.high, binder.step); // sound: test/compile/rules/conditions.test.ts
    const elements = this.#read(this.#reference(binder.multiset, slots)) as Value[];
    return elements.flatMap((element, position) => (element === null ? [] : [position])); // sound: test/compile/rules/conditions.test.ts
  }

  *#steps(from: number, to: number, step: number): Generator<number> {
    for (let value = from; step > 0 ? value <= to : value >= to; value += step) {
      this.#tick();
      yield value;
    }
  }

  /** Counts a round or a call; each takes the time of many rounds of generated code. */
  #tick(): void {
    this.#rounds += COST_OF_ROUND;
    if (this.#rounds > this.#look) this.#look = patience(this.#rounds);
  }

  run(statements: readonly RuleStatement[], slots: Slots): Returned | undefined {
    for (const statement of statements) {
      const returned = this.#execute(statement, slots);
      if (returned) return returned;
    }
    return undefined;
  }

  // ---- expressions ------------------------------------------------------------------------------

  evaluate(expr: RuleExpr, slots: Slots): number {
    switch (expr.kind) {
      case "constant":
        return expr.value;
      case "slot":
        return slots[expr.slot] as number;
      case "read":
        return this.#defined(this.#read(this.#reference(expr.place, slots)), expr.site);
      case "unary": {
        const value = this.evaluate(expr.operand, slots);
        return expr.op === "!" ? 1 - value : expr.op === "-" ? 0 - value : -value - 1; // sound: test/compile/rules/conditions.test.ts
      }
      case "binary": {
        const left = this.evaluate(expr.left, slots);
        return computeRule(expr.op, left, this.evaluate(expr.right, slots)) ?? this.#fail(expr.site);
      }
      case "logical": {
        const isDecided = (this.evaluate(expr.left, slots) === 1) === (expr.op === "or"); // sound: test/compile/rules/conditions.test.ts
        return isDecided ? Number(expr.op !== "and") : this.evaluate(expr.right, slots); // sound: test/compile/rules/conditions.test.ts
      }
      case "conditional":
        return this.evaluate(this.evaluate(expr.condition, slots) === 1 ? expr.then : expr.otherwise, slots); // sound: test/compile/rules/conditions.test.ts
      case "quantified":
        return this.#quantify(expr, slots);
      case "is-undefined":
        return Number(this.#read(this.#reference(expr.place, slots)) === undefined); // sound: test/compile/rules/conditions.test.ts
      case "same": {
        const left = this.#read(this.#reference(expr.left, slots));
        return Number(isSameValue(left, this.#read(this.#reference(expr.right, slots))) !== expr.isNegated); // sound: test/compile/rules/conditions.test.ts
      }
      case "has-value": {
        const value = this.#read(this.#reference(expr.place, slots)) as number | undefined;
        const wanted = this.evaluate(expr.value, slots);
        return Number((value !== undefined && value + expr.offset === wanted) !== expr.isNegated); // sound: test/compile/rules/conditions.test.ts
      }
      case "is-within": {
        const value = this.#read(this.#reference(expr.place, slots)) as number | undefined;
        if (value === undefined && expr.site === NO_SITE) return 0; // sound: test/compile/rules/conditions.test.ts
        const defined = this.#defined(value, expr.site);
        return Number(defined >= expr.low && defined <= expr.high); // sound: test/compile/rules/conditions.test.ts
      }
      case "convert": {
        const value = this.evaluate(expr.operand, slots) + expr.offset;
        return isWithin(value, expr.type) ? value : this.#fail(expr.site); // sound: test/compile/rules/conditions.test.ts
      }
      case "call":
        return this.#call(expr, slots)!;
      case "multiset-count":
        return this.#matching(expr.multiset, expr.slot, expr.condition, slots).length;
    }
  }

  #quantify(expr: RuleExpr & { kind: "quantified" }, slots: Slots): number {
    const decisive = Number(expr.op === "exists");
    let result = 1 - decisive;
    for (const value of this.#values(expr.over, slots)) {
      slots[expr.slot] = value;
      if (this.evaluate(expr.body, slots) !== decisive) continue; // sound: test/compile/rules/conditions.test.ts
      result = decisive;
      if (!expr.isExhaustive) break; // sound: test/compile/rules/conditions.test.ts
    }
    return result;
  }

  #values(over: Iteration, slots: Slots): Iterable<number> {
    if (over.kind === "values") return this.#steps(over.low, over.high, 1);
    const from = this.evaluate(over.from, slots);
    const to = this.evaluate(over.to, slots);
    const step = this.evaluate(over.step, slots);
    if (step === 0) this.#fail(over.site); // sound: test/compile/rules/conditions.test.ts
    if ((to - from) * step < 0 && over.wrongWay !== NO_SITE) this.#fail(over.wrongWay); // sound: test/compile/rules/conditions.test.ts
    return this.#steps(from, to, step);
  }

  /** Positions of the elements that satisfy the condition. */
  #matching(multiset: Place, slot: number, condition: RuleExpr, slots: Slots): number[] {
    const elements = this.#read(this.#reference(multiset, slots)) as Value[];
    return elements.flatMap((element, position) => {
      if (element === null) return []; // sound: test/compile/rules/conditions.test.ts
      slots[slot] = position;
      return this.evaluate(condition, slots) === 1 ? [position] : []; // sound: test/compile/rules/conditions.test.ts
    });
  }

  #call(call: Call, slots: Slots): number | undefined {
    this.#tick();
    const procedure = this.#program.procedures[call.procedure]!;
    const own = this.newSlots(procedure);
    call.arguments.forEach((argument, i) => {
      const { type } = procedure.parameters[i]!;
      switch (argument.kind) {
        case "value":
          own[i] = this.#checked(this.evaluate(argument.value, slots), type, argument.site);
          return;
        case "copy":
          own[i] = this.#checked(
            cloneValue(this.#read(this.#reference(argument.place, slots))),
            type,
            argument.site,
          );
          return;
        case "reference":
          own[i] = this.#reference(argument.place, slots);
          return;
        case "undefined":
          own[i] = undefinedValue(type);
      }
    });
    if (call.tooDeep !== NO_SITE && this.#depth >= this.#program.maxCallDepth) this.#fail(call.tooDeep); // sound: test/compile/rules/conditions.test.ts
    this.#depth++;
    this.#results.push(procedure.result);
    let returned: Returned | undefined;
    try {
      returned = this.run(procedure.body, own);
    } finally {
      // Other instances are tried after one that failed.
      this.#results.pop();
      this.#depth--;
    }
    if (!returned && procedure.noResult !== NO_SITE) this.#fail(procedure.noResult); // sound: test/compile/rules/conditions.test.ts
    return returned?.value;
  }

  // ---- places -----------------------------------------------------------------------------------

  #reference({ root, path }: Place, slots: Slots): Reference {
    let reference: Reference;
    if (root.kind === "state") reference = { holder: this.#state, key: root.variable };
    else {
      const held = slots[root.slot];
      reference = isReference(held) ? held : { holder: slots as Value[], key: root.slot };
    }
    for (const step of path) {
      const holder = this.#read(reference) as Value[];
      switch (step.kind) {
        case "field":
          reference = { holder, key: step.field };
          break;
        case "index": {
          const key = this.evaluate(step.index, slots) - step.array.index.low;
          if (key < 0 || key >= holder.length) this.#fail(step.site); // sound: test/compile/rules/conditions.test.ts
          reference = { holder, key };
          break;
        }
        case "element": {
          const key = slots[step.slot] as number;
          if (key < 0 || holder[key] === null) this.#fail(step.site); // sound: test/compile/rules/conditions.test.ts
          reference = { holder, key };
        }
      }
    }
    return reference;
  }

  #read({ holder, key }: Reference): Value {
    return holder[key];
  }

  #defined(value: Value, site: number): number {
    return value === undefined ? this.#fail(site) : (value as number); // sound: test/compile/rules/conditions.test.ts
  }

  #checked<T extends Value>(value: T, type: Place["type"], site: number): T {
    return isWithin(value, type) ? value : this.#fail(site); // sound: test/compile/rules/conditions.test.ts
  }

  #fail(site: number): never {
    if (site === NO_SITE) throw new Error("a fault that was held to be impossible");
    throw new RuleFault(site);
  }

  // ---- statements -------------------------------------------------------------------------------

  #execute(statement: RuleStatement, slots: Slots): Returned | undefined {
    switch (statement.kind) {
      case "bind":
        slots[statement.slot] = this.evaluate(statement.value, slots);
        return undefined;
      case "refer":
        slots[statement.slot] = this.#reference(statement.place, slots);
        return undefined;
      case "assign": {
        const value = this.evaluate(statement.value, slots);
        const target = this.#reference(statement.target, slots);
        this.#write(target, this.#checked(value, statement.target.type, statement.site));
        return undefined;
      }
      case "copy":
        return this.#copy(statement, slots);
      case "clear":
        this.#write(this.#reference(statement.place, slots), clearedValue(statement.place.type));
        return undefined;
      case "undefine":
        this.#write(this.#reference(statement.place, slots), undefinedValue(statement.place.type));
        return undefined;
      case "if": {
        const branch = statement.branches.find(({ condition }) => this.evaluate(condition, slots) === 1); // sound: test/compile/rules/conditions.test.ts
        return this.run(branch?.body ?? statement.otherwise, slots);
      }
      case "for":
        for (const value of this.#values(statement.over, slots)) {
          slots[statement.slot] = value;
          const returned = this.run(statement.body, slots);
          if (returned) return returned;
        }
        return undefined;
      case "while":
        return this.#while(statement, slots);
      case "call":
        this.#call(statement, slots);
        return undefined;
      case "assert":
        if (this.evaluate(statement.condition, slots) === 0) this.#fail(statement.site); // sound: test/compile/rules/conditions.test.ts
        return undefined;
      case "assume":
        if (this.evaluate(statement.condition, slots) === 0) throw new Discarded(); // sound: test/compile/rules/conditions.test.ts
        return undefined;
      case "cover":
        if (this.evaluate(statement.condition, slots) === 1) this.#observer.cover(statement.cover); // sound: test/compile/rules/conditions.test.ts
        return undefined;
      case "error":
        return this.#fail(statement.site);
      case "put":
        this.#put(statement, slots);
        return undefined;
      case "return": {
        const { value, site } = statement;
        if (!value) return { value: undefined };
        return { value: this.#checked(this.evaluate(value, slots), this.#results.at(-1)!, site) };
      }
      case "multiset-add":
      case "multiset-remove":
      case "multiset-remove-if":
        this.#changeMultiset(statement, slots);
        return undefined;
    }
  }

  /** The list that holds it stays: others may refer to it. */
  #write({ holder, key }: Reference, value: Value): void {
    const old = holder[key];
    if (!Array.isArray(old) || !Array.isArray(value)) {
      holder[key] = value;
      return;
    }
    value.forEach((part, i) => {
      this.#write({ holder: old, key: i }, part);
    });
  }

  #copy({ source, target, offset, site }: RuleStatement & { kind: "copy" }, slots: Slots): undefined {
    const from = this.#reference(source, slots);
    const reference = this.#reference(target, slots);
    const value = cloneValue(this.#read(from));
    const moved = typeof value === "number" ? value + offset : value;
    this.#write(reference, this.#checked(moved, target.type, site));
  }

  #while({ condition, body, site }: RuleStatement & { kind: "while" }, slots: Slots): Returned | undefined {
    for (let round = 0; this.evaluate(condition, slots) === 1; round++) {
      this.#tick();
      if (round >= this.#program.maxRounds) this.#fail(site); // sound: test/compile/rules/conditions.test.ts
      const returned = this.run(body, slots);
      if (returned) return returned;
    }
    return undefined;
  }

  #put({ what }: RuleStatement & { kind: "put" }, slots: Slots): void {
    if (typeof what === "string") this.#observer.print(what);
    else if ("kind" in what) this.#observer.print(this.#show(this.evaluate(what, slots), what));
    else this.#observer.print(this.#show(this.#read(this.#reference(what, slots)), what));
  }

  #changeMultiset(
    statement: RuleStatement & { kind: "multiset-add" | "multiset-remove" | "multiset-remove-if" },
    slots: Slots,
  ): void {
    switch (statement.kind) {
      case "multiset-add": {
        const from = this.#reference(statement.element, slots);
        const holder = this.#read(this.#reference(statement.multiset, slots)) as Value[];
        const element = cloneValue(this.#read(from));
        const key = holder.indexOf(null);
        if (key < 0) this.#fail(statement.site); // sound: test/compile/rules/conditions.test.ts
        const { type } = statement.multiset;
        if (type.kind === "multiset") this.#checked(element, type.element, statement.range);
        holder[key] = element;
        return;
      }
      case "multiset-remove": {
        const holder = this.#read(this.#reference(statement.multiset, slots)) as Value[];
        const key = slots[statement.slot] as number;
        if (key < 0 || holder[key] === null) this.#fail(statement.site); // sound: test/compile/rules/conditions.test.ts
        holder[key] = null;
        slots[statement.slot] = -1;
        return;
      }
      case "multiset-remove-if": {
        const { multiset, slot, condition } = statement;
        const matching = this.#matching(multiset, slot, condition, slots);
        const holder = this.#read(this.#reference(multiset, slots)) as Value[];
        for (const key of matching) holder[key] = null;
      }
    }
  }
}

const isReference = (held: Value | Reference): held is Reference =>
  typeof held === "object" && held !== null && !Array.isArray(held);
