/**
 * Parts of the state that a rule instance reads and writes, as far as its text shows.
 *
 * Parts are numbered: a simple value is one part, a multiset is one part as a whole, records and arrays are ranges. An index
 * that is a constant for the instance selects an element; any other index stands for the whole array. Always true: the parts
 * found are a superset of the parts that an execution touches.
 */
import {
  isSimple,
  valuesOf,
  type Argument,
  type Binder,
  type Call,
  type Condition,
  type Frame,
  type Iteration,
  type Place,
  type RuleExpr,
  type RuleProgram,
  type RuleStatement,
  type RuleType,
} from "../../../model/rules.js";
import { nth } from "../../../model/known.js";

/** Parts `first … first + count - 1`. */
export interface Region {
  readonly first: number;
  readonly count: number;
}

export interface Accesses {
  readonly reads: readonly Region[];
  readonly writes: readonly Region[];
}

export const overlaps = (some: readonly Region[], others: readonly Region[]): boolean =>
  some.some(
    (a) => others.some((b) => a.first < b.first + b.count && b.first < a.first + a.count), // sound: test/transforms/reduction/rules.test.ts
  );

/** Known contents of a slot: a constant, a place in the state, or a place outside of it. Absent: anything. */
type Known = { readonly constant: number } | { readonly region: Region; readonly type: RuleType } | "local";

/** Place of a value: a region of the state with its type (undefined: some part of the region), or outside of the state. */
type Located = { readonly region: Region; readonly type: RuleType | undefined } | "local";

/** More nodes than this are not looked at: then everything is accessed. */
const MOST_NODES = 200_000;

/** Numbers the parts of a program's states and finds the accesses of its texts. */
export class PartFinder {
  readonly everything: Region;
  readonly #program: RuleProgram;
  readonly #variables: readonly Region[];

  constructor(program: RuleProgram) {
    this.#program = program;
    let first = 0;
    this.#variables = program.variables.map(({ type }) => {
      const count = partsOf(type);
      return { first: (first += count) - count, count };
    });
    this.everything = { first: 0, count: first };
  }

  /** An instance: its binders with values for the parameters, in order. */
  ofBinders(frame: Frame, binders: readonly Binder[], values: readonly number[]): Walk {
    const walk = new Walk(this.#program, this.#variables, this.everything, frame);
    let parameter = 0;
    for (const binder of binders)
      if (binder.kind === "values") walk.bind(binder.slot, { constant: nth(values, parameter++) });
      else walk.binder(binder);
    return walk;
  }

  /** All instances of a condition together. */
  ofCondition(condition: Condition): readonly Region[] {
    const walk = new Walk(this.#program, this.#variables, this.everything, condition);
    for (const binder of condition.binders) if (binder.kind !== "values") walk.binder(binder);
    walk.expression(condition.condition);
    return walk.accesses().reads;
  }
}

interface Found {
  readonly reads: Region[];
  readonly writes: Region[];
  /** Visited so far. */
  nodes: number;
}

export class Walk {
  readonly #program: RuleProgram;
  readonly #variables: readonly Region[];
  readonly #everything: Region;
  readonly #frame: Frame;
  readonly #known: Map<number, Known>;
  readonly #found: Found;
  readonly #calls: readonly number[];

  constructor(
    program: RuleProgram,
    variables: readonly Region[],
    everything: Region,
    frame: Frame,
    outer?: { readonly found: Found; readonly calls: readonly number[] },
  ) {
    this.#program = program;
    this.#variables = variables;
    this.#everything = everything;
    this.#frame = frame;
    this.#known = new Map();
    this.#found = outer?.found ?? { reads: [], writes: [], nodes: 0 };
    this.#calls = outer?.calls ?? [];
  }

  accesses(): Accesses {
    const { reads, writes } = this.#found;
    return { reads: [...reads], writes: [...writes] };
  }

  bind(slot: number, known: Known): void {
    this.#known.set(slot, known);
  }

  binder(binder: Exclude<Binder, { kind: "values" }>): void {
    if (binder.kind === "elements") this.#element(binder.slot, binder.multiset);
    else this.statement(binder);
  }

  statements(all: readonly RuleStatement[]): void {
    for (const one of all) this.statement(one);
  }

  statement(statement: RuleStatement): void {
    if (this.#isTooMuch()) return;
    switch (statement.kind) {
      case "bind": {
        this.expression(statement.value);
        const constant = this.#constant(statement.value);
        if (constant === undefined) this.#known.delete(statement.slot);
        else this.bind(statement.slot, { constant });
        return;
      }
      case "refer": {
        const place = this.#locate(statement.place);
        if (place === "local") this.bind(statement.slot, "local");
        else if (place.type) this.bind(statement.slot, { region: place.region, type: place.type });
        else this.bind(statement.slot, { region: place.region, type: FUZZY });
        return;
      }
      case "assign":
        this.expression(statement.value);
        return this.#write(statement.target);
      case "copy":
        this.#read(statement.source);
        return this.#write(statement.target);
      case "clear":
      case "undefine":
        return this.#write(statement.place);
      case "if":
        for (const { condition, body } of statement.branches) {
          this.expression(condition);
          this.statements(body);
        }
        return this.statements(statement.otherwise);
      case "for":
        this.#iterate(statement.slot, statement.over);
        return this.statements(statement.body);
      case "while":
        this.expression(statement.condition);
        return this.statements(statement.body);
      case "call":
        return this.#call(statement);
      case "assert":
      case "assume":
      case "cover":
        return this.expression(statement.condition);
      case "error":
        return;
      case "put": {
        const { what } = statement;
        if (typeof what === "string") return;
        return "root" in what ? this.#read(what) : this.expression(what);
      }
      case "return":
        if (statement.value) this.expression(statement.value);
        return;
      case "multiset-add":
        this.#read(statement.element);
        this.#read(statement.multiset);
        return this.#write(statement.multiset);
      case "multiset-remove":
        this.#read(statement.multiset);
        return this.#write(statement.multiset);
      case "multiset-remove-if":
        this.#element(statement.slot, statement.multiset);
        this.expression(statement.condition);
        return this.#write(statement.multiset);
    }
  }

  expression(expression: RuleExpr): void {
    if (this.#isTooMuch()) return;
    switch (expression.kind) {
      case "constant":
      case "slot":
        return;
      case "read":
      case "is-undefined":
      case "is-within":
        return this.#read(expression.place);
      case "unary":
      case "convert":
        return this.expression(expression.operand);
      case "binary":
      case "logical":
        this.expression(expression.left);
        return this.expression(expression.right);
      case "conditional":
        this.expression(expression.condition);
        this.expression(expression.then);
        return this.expression(expression.otherwise);
      case "quantified":
        this.#iterate(expression.slot, expression.over);
        return this.expression(expression.body);
      case "same":
        this.#read(expression.left);
        return this.#read(expression.right);
      case "has-value":
        this.#read(expression.place);
        return this.expression(expression.value);
      case "call":
        return this.#call(expression);
      case "multiset-count":
        this.#element(expression.slot, expression.multiset);
        return this.expression(expression.condition);
    }
  }

  #isTooMuch(): boolean {
    if (++this.#found.nodes <= MOST_NODES) return false;
    this.#accessAll();
    return true;
  }

  #accessAll(): void {
    this.#found.reads.push(this.#everything);
    this.#found.writes.push(this.#everything);
  }

  /** The slot takes values that are not known. */
  #iterate(slot: number, over: Iteration): void {
    if (over.kind === "steps") for (const part of [over.from, over.to, over.step]) this.expression(part);
    this.#known.delete(slot);
  }

  #element(slot: number, multiset: Place): void {
    this.#read(multiset);
    this.#known.delete(slot);
  }

  #read(place: Place): void {
    const located = this.#locate(place);
    if (located !== "local") this.#found.reads.push(located.region); // sound: test/transforms/reduction/rules.test.ts
  }

  #write(place: Place): void {
    const located = this.#locate(place);
    if (located !== "local") this.#found.writes.push(located.region); // sound: test/transforms/reduction/rules.test.ts
  }

  #locate({ root, path }: Place): Located {
    let located = this.#rootOf(root);
    for (const step of path) {
      if (step.kind === "index") this.expression(step.index);
      if (located !== "local") located = this.#step(located, step);
    }
    return located;
  }

  #rootOf(root: Place["root"]): Located {
    if (root.kind === "state") {
      const { type } = nth(this.#program.variables, root.variable);
      return { region: nth(this.#variables, root.variable), type };
    }
    const known = this.#known.get(root.slot);
    if (known === "local" || nth(this.#frame.slots, root.slot).kind === "variable") return "local";
    if (known && "region" in known)
      return { region: known.region, type: known.type === FUZZY ? undefined : known.type };
    return { region: this.#everything, type: undefined };
  }

  /** One step of a path. Inside an array whose index is unknown, and inside a multiset, parts are not distinguished. */
  #step(located: Exclude<Located, "local">, step: Place["path"][number]): Located {
    const { region, type } = located;
    if (step.kind === "field" && type?.kind === "record") {
      const before = type.fields.slice(0, step.field).reduce((sum, field) => sum + partsOf(field.type), 0);
      const field = nth(type.fields, step.field).type;
      return { region: { first: region.first + before, count: partsOf(field) }, type: field };
    }
    if (step.kind === "index" && type?.kind === "array") {
      const index = this.#constant(step.index);
      const { low, high } = type.index;
      const isIn = index !== undefined && index >= low && index <= high;
      if (!isIn) return { region, type: undefined }; // sound: test/transforms/reduction/rules.test.ts
      const count = partsOf(type.element);
      return { region: { first: region.first + (index - low) * count, count }, type: type.element };
    }
    return { region, type: undefined };
  }

  #call({ procedure, arguments: given }: Call): void {
    const { parameters, body, isPure } = nth(this.#program.procedures, procedure);
    // sound: test/transforms/reduction/rules.test.ts
    if (this.#calls.includes(procedure)) {
      for (const argument of given) this.#argument(argument);
      this.#found.reads.push(this.#everything);
      if (!isPure) this.#found.writes.push(this.#everything);
      return;
    }
    const inside = new Walk(
      this.#program,
      this.#variables,
      this.#everything,
      nth(this.#program.procedures, procedure),
      { found: this.#found, calls: [...this.#calls, procedure] },
    );
    given.forEach((argument, slot) => {
      const known = this.#argument(argument);
      if (known !== undefined && nth(parameters, slot).kind !== "copy") inside.bind(slot, known);
    });
    inside.statements(body);
  }

  /** Accesses the argument; returns its known value. */
  #argument(argument: Argument): Known | undefined {
    switch (argument.kind) {
      case "value": {
        this.expression(argument.value);
        const constant = this.#constant(argument.value);
        return constant === undefined ? undefined : { constant };
      }
      case "copy":
        this.#read(argument.place);
        return undefined;
      case "reference": {
        const located = this.#locate(argument.place);
        return located === "local" ? "local" : { region: located.region, type: located.type ?? FUZZY };
      }
      case "undefined":
        return undefined;
    }
  }

  /** The value, if it is the same in every state. */
  #constant(expression: RuleExpr): number | undefined {
    switch (expression.kind) {
      case "constant":
        return expression.value;
      case "slot": {
        const known = this.#known.get(expression.slot);
        return known && known !== "local" && "constant" in known ? known.constant : undefined;
      }
      case "convert": {
        const operand = this.#constant(expression.operand);
        return operand === undefined ? undefined : operand + expression.offset;
      }
      case "binary": {
        if (expression.op !== "+" && expression.op !== "-") return undefined;
        const [left, right] = [this.#constant(expression.left), this.#constant(expression.right)];
        if (left === undefined || right === undefined) return undefined;
        return expression.op === "+" ? left + right : left - right;
      }
      default:
        return undefined;
    }
  }
}

/** The type of a place whose parts are not distinguished. */
const FUZZY: RuleType = { kind: "record", fields: [] };

function partsOf(type: RuleType): number {
  if (isSimple(type) || type.kind === "multiset") return 1;
  if (type.kind === "array") return valuesOf(type.index) * partsOf(type.element);
  return type.fields.reduce((sum, field) => sum + partsOf(field.type), 0);
}
