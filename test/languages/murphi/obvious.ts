/**
 * Naive interpreter of Murphi in Rumur's dialect: runs the syntax tree, without type checks, lowering or code
 * generation, and compares states as text. Slow and short enough to verify by reading; all other implementations are
 * compared with it.
 *
 * Simple values are numbers, booleans, names of enum members, and `T#2` for elements of scalarsets.
 */
import type {
  Declaration,
  Designator,
  Expression,
  ProcedureUnit,
  PropertyNode,
  Quantifier,
  RuleUnit,
  Statement,
  TypeExpression,
  Unit,
} from "../../../src/languages/murphi/ast.js";
import { parseExpression, parseMurphi } from "../../../src/languages/murphi/parse.js";

export interface Obvious {
  readonly states: number;
  readonly rules: number;
  /** `holds`, or the kind of the first violation in breadth-first order. */
  readonly verdict: string;
}

export interface ObviousOptions {
  readonly constants?: Readonly<Record<string, string>>;
  readonly deadlock?: "stuttering" | "stuck" | "off";
  readonly maxStates?: number;
}

export function runObviously(text: string, options: ObviousOptions = {}): Obvious {
  const units = parseMurphi("m.m", text, "rumur", (problem) => {
    if (problem.severity === "error") throw new Error(problem.message);
  });
  return new World(units, options).explore();
}

type Simple = number | boolean | string;
interface Cell {
  value: Simple | undefined;
  readonly type: SimpleShape;
}
/** A variable with its parts; removed elements of a multiset leave no position. */
type Store =
  | Cell
  | { record: Map<string, Store> }
  | { array: Map<Simple, Store> }
  | { bag: Store[]; bound: number; element: Shape };

type SimpleShape =
  | { kind: "values"; values: readonly Simple[]; isNamedSet: boolean }
  | { kind: "range"; low: number; high: number };
type Shape =
  | SimpleShape
  | { kind: "record"; fields: readonly (readonly [string, Shape])[] }
  | { kind: "array"; index: SimpleShape; element: Shape }
  | { kind: "bag"; bound: number; element: Shape };

type Meaning =
  | { kind: "constant"; value: Simple }
  | { kind: "type"; shape: Shape }
  | { kind: "store"; store: Store }
  | { kind: "element"; element: Store | undefined }
  | { kind: "procedure"; unit: ProcedureUnit };
type Names = ReadonlyMap<string, Meaning>;

class Fault extends Error {}
class Discard extends Error {}
class Return {
  constructor(readonly value: Simple | Store | undefined) {}
}

const isCell = (store: Store): store is Cell => "type" in store;
const valuesOf = (shape: SimpleShape): readonly Simple[] =>
  shape.kind === "values"
    ? shape.values
    : Array.from({ length: shape.high - shape.low + 1 }, (_, i) => shape.low + i);
const fits = (value: Simple, shape: SimpleShape): boolean =>
  shape.kind === "values"
    ? shape.values.includes(value)
    : typeof value === "number" && value >= shape.low && value <= shape.high;

function fresh(shape: Shape): Store {
  switch (shape.kind) {
    case "record":
      return { record: new Map(shape.fields.map(([name, field]) => [name, fresh(field)])) };
    case "array":
      return { array: new Map(valuesOf(shape.index).map((value) => [value, fresh(shape.element)])) };
    case "bag":
      return { bag: [], bound: shape.bound, element: shape.element };
    default:
      return { value: undefined, type: shape };
  }
}

function clone(store: Store): Store {
  if (isCell(store)) return { ...store };
  if ("bag" in store) return { ...store, bag: store.bag.map(clone) };
  if ("record" in store) return { record: new Map([...store.record].map(([k, v]) => [k, clone(v)])) };
  return { array: new Map([...store.array].map(([k, v]) => [k, clone(v)])) };
}

const partsOf = (store: Store): Store[] =>
  isCell(store)
    ? []
    : "bag" in store
      ? store.bag
      : [...("record" in store ? store.record : store.array).values()];

/** Prints multisets in the order of their text. */
function textOf(store: Store): string {
  if (isCell(store)) return JSON.stringify(store.value ?? null);
  const parts = partsOf(store).map(textOf);
  return `[${("bag" in store ? parts.sort() : parts).join()}]`;
}

function copyInto(target: Store, source: Store): void {
  if (isCell(target) && isCell(source)) {
    if (source.value !== undefined && !fits(source.value, target.type)) throw new Fault("out-of-range");
    target.value = source.value;
  } else if ("bag" in target && "bag" in source) target.bag = source.bag.map(clone);
  else partsOf(target).forEach((part, i) => copyInto(part, partsOf(source)[i]!));
}

function reset(store: Store, isCleared: boolean): void {
  if (isCell(store)) store.value = isCleared ? valuesOf(store.type)[0]! : undefined;
  else if ("bag" in store) store.bag = [];
  else partsOf(store).forEach((part) => reset(part, isCleared));
}

type Instance = (state: Names) => Names;
interface Guarded {
  readonly unit: RuleUnit & { kind: "rule" | "startstate" };
  /** Enclosing constructs, outermost first. */
  readonly around: readonly RuleUnit[];
}

class World {
  readonly #globals = new Map<string, Meaning>();
  readonly #variables: string[] = [];
  readonly #rules: Guarded[] = [];
  readonly #starts: Guarded[] = [];
  readonly #properties: { node: PropertyNode; around: readonly RuleUnit[] }[] = [];
  readonly #options: ObviousOptions;
  readonly #localCovers = new Set<Statement>();
  readonly #met = new Set<unknown>();
  /** Global names, with the variables of the current state. */
  #now: Names = this.#globals;
  #sets = 0;
  #depth = 0;

  constructor(units: readonly Unit[], options: ObviousOptions) {
    this.#options = options;
    for (const unit of units) this.#findLocalCovers(unit, false);
    for (const unit of units)
      if (unit.kind === "procedure") this.#globals.set(unit.name.text, { kind: "procedure", unit });
      else if (unit.kind === "const" || unit.kind === "type" || unit.kind === "var")
        this.#declare(unit, this.#globals, true);
      else this.#collect(unit, []);
  }

  /** Finds covers among statements anywhere in the tree, executed or not. */
  #findLocalCovers(node: unknown, isStatement: boolean): void {
    if (Array.isArray(node)) for (const part of node) this.#findLocalCovers(part, isStatement);
    else if (typeof node === "object" && node !== null) {
      const { kind, category } = node as { kind?: string; category?: string };
      if (isStatement && kind === "property" && category === "cover")
        this.#localCovers.add(node as Statement);
      const isBody = isStatement || kind === "rule" || kind === "startstate" || kind === "procedure";
      for (const part of Object.values(node)) this.#findLocalCovers(part, isBody);
    }
  }

  #collect(unit: RuleUnit, around: readonly RuleUnit[]): void {
    if (unit.kind === "rule") this.#rules.push({ unit, around });
    else if (unit.kind === "startstate") this.#starts.push({ unit, around });
    else if (unit.kind === "property") this.#properties.push({ node: unit, around });
    else if ("rules" in unit) for (const inner of unit.rules) this.#collect(inner, [...around, unit]);
  }

  #declare(node: Declaration, names: Map<string, Meaning>, isGlobal = false): void {
    if (node.kind === "const")
      for (const { text } of node.names) {
        const given = isGlobal ? this.#options.constants?.[text] : undefined;
        const value = given === undefined ? node.value : parseExpression("-D", given, () => undefined)!;
        names.set(text, { kind: "constant", value: this.#value(value, names) });
      }
    else if (node.kind === "type") {
      const shape = this.#shape(node.type, names, true);
      for (const { text } of node.names) names.set(text, { kind: "type", shape });
    } else {
      const shape = this.#shape(node.type, names);
      for (const { text } of node.names) {
        names.set(text, { kind: "store", store: fresh(shape) });
        if (isGlobal) this.#variables.push(text);
      }
    }
  }

  #shape(node: TypeExpression, names: Map<string, Meaning> | Names, isNamed = false): Shape {
    switch (node.kind) {
      case "boolean":
        return { kind: "values", values: [false, true], isNamedSet: false };
      case "named":
        return (names.get(node.name.text) as Meaning & { kind: "type" }).shape;
      case "range":
        return {
          kind: "range",
          low: this.#value(node.low, names) as number,
          high: this.#value(node.high, names) as number,
        };
      case "enum": {
        const values = node.members.map(({ text }) => text);
        for (const value of values) (names as Map<string, Meaning>).set(value, { kind: "constant", value });
        return { kind: "values", values, isNamedSet: false };
      }
      case "record":
        return {
          kind: "record",
          fields: node.fields.flatMap(({ names: own, type }) => {
            const shape = this.#shape(type, names);
            return own.map(({ text }) => [text, shape] as const);
          }),
        };
      case "array":
        return {
          kind: "array",
          index: this.#shape(node.index, names) as SimpleShape,
          element: this.#shape(node.element, names),
        };
      case "scalarset": {
        const size = this.#value(node.size, names) as number;
        const set = ++this.#sets;
        return {
          kind: "values",
          values: Array.from({ length: size }, (_, i) => `${set}#${i}`),
          isNamedSet: isNamed && size > 1,
        };
      }
      case "union": {
        const members = node.members.map(
          (member) => this.#shape(member, names) as SimpleShape & { kind: "values" },
        );
        return {
          kind: "values",
          values: members.flatMap(({ values }) => values),
          isNamedSet: members.some((m) => m.isNamedSet),
        };
      }
      case "multiset":
        return {
          kind: "bag",
          bound: this.#value(node.bound, names) as number,
          element: this.#shape(node.element, names),
        };
    }
  }

  // ---- expressions ------------------------------------------------------------------------------

  #value(node: Expression, names: Names): Simple {
    switch (node.kind) {
      case "number":
        return node.isOctal ? Number.parseInt(String(node.value), 8) : node.value;
      case "boolean":
        return node.value;
      case "designator": {
        const known = names.get(node.name.text)!;
        if (known.kind === "constant") return known.value;
        return this.#defined(this.#store(node, names));
      }
      case "unary": {
        const value = this.#value(node.operand, names);
        return node.op === "!"
          ? !value
          : node.op === "-"
            ? -(value as number) || 0
            : node.op === "~"
              ? ~(value as number)
              : value;
      }
      case "binary":
        return this.#binary(node, names);
      case "conditional":
        return this.#value(this.#value(node.condition, names) === true ? node.then : node.otherwise, names);
      case "call":
        return this.#call(node, names) as Simple;
      case "quantified":
        return this.#quantified(node.op === "forall", node.quantifiers, node.body, names);
      case "isundefined":
        return (this.#store(node.operand, names) as Cell).value === undefined;
      case "ismember":
        return fits(
          this.#defined(this.#store(node.operand, names)),
          this.#shape(node.type, names) as SimpleShape,
        );
      case "multisetcount":
        return this.#matching(node, names).length;
    }
  }

  #defined(store: Store): Simple {
    const { value } = store as Cell;
    if (value === undefined) throw new Fault("undefined-value");
    return value;
  }

  #binary({ op, left, right }: Expression & { kind: "binary" }, names: Names): Simple {
    if ((op === "=" || op === "!=") && left.kind === "designator" && right.kind === "designator") {
      const [a, b] = [this.#whole(left, names), this.#whole(right, names)];
      if (a && b && !isCell(a) && !isCell(b)) return (textOf(a) === textOf(b)) === (op === "=");
    }
    const a = this.#value(left, names);
    if ((op === "&" || op === "&&") && a === false) return false;
    if ((op === "|" || op === "||") && a === true) return true;
    if (op === "->" && a === false) return true;
    const b = this.#value(right, names);
    if (typeof a === "boolean" && ["&", "&&", "|", "||", "->"].includes(op)) return b;
    if (op === "=" || op === "!=") return (a === b) === (op === "=");
    return this.#arithmetic(op, a as number, b as number);
  }

  #arithmetic(op: string, a: number, b: number): Simple {
    if ((op === "/" || op === "%") && b === 0) throw new Fault("division-by-zero");
    switch (op) {
      case "+":
        return a + b;
      case "-":
        return a - b;
      case "*":
        return a * b || 0;
      case "/":
        return Math.trunc(a / b) || 0;
      case "%":
        return a % b || 0;
      case "<":
        return a < b;
      case "<=":
        return a <= b;
      case ">":
        return a > b;
      case ">=":
        return a >= b;
      case "&":
        return a & b;
      case "|":
        return a | b;
      case "^":
        return a ^ b;
      case "<<":
        return b < 0 ? a >> -b : a << b;
      default:
        return b < 0 ? a << -b : a >> b;
    }
  }

  #quantified(
    isForall: boolean,
    quantifiers: readonly Quantifier[],
    body: Expression,
    names: Names,
  ): boolean {
    const [first, ...rest] = quantifiers;
    if (!first) return this.#value(body, names) === true;
    const { values, isNamedSet } = this.#range(first, names);
    let result = isForall;
    for (const value of values) {
      if (this.#quantified(isForall, rest, body, withConstant(names, first, value)) === isForall) continue;
      result = !isForall;
      // A scalarset has no order that could hide an error.
      if (!isNamedSet) break;
    }
    return result;
  }

  #range(node: Quantifier, names: Names): { values: readonly Simple[]; isNamedSet: boolean } {
    if (node.kind === "over") {
      const shape = this.#shape(node.type, names) as SimpleShape;
      return { values: valuesOf(shape), isNamedSet: shape.kind === "values" && shape.isNamedSet };
    }
    const [from, to] = [this.#value(node.from, names) as number, this.#value(node.to, names) as number];
    const step = node.by ? (this.#value(node.by, names) as number) : from <= to ? 1 : -1;
    if (step === 0 || (to - from) * step < 0) throw new Fault("endless");
    const values: number[] = [];
    for (let value = from; step > 0 ? value <= to : value >= to; value += step) values.push(value);
    return { values, isNamedSet: false };
  }

  #matching(
    node: { name: { text: string }; multiset: Designator; condition: Expression },
    names: Names,
  ): Store[] {
    const { bag } = this.#store(node.multiset, names) as Store & { bag: Store[] };
    return bag.filter(
      (element) =>
        this.#value(node.condition, new Map([...names, [node.name.text, { kind: "element", element }]])) ===
        true,
    );
  }

  #call(node: Statement & { kind: "call" }, names: Names): Simple | Store | undefined {
    const { unit } = names.get(node.name.text) as Meaning & { kind: "procedure" };
    const own = new Map(this.#now);
    const formals = unit.formals.flatMap((formal) => formal.names.map(({ text }) => ({ ...formal, text })));
    const shapes = formals.map(({ type }) => this.#shape(type, own));
    const stores = formals.map(({ isVar }, i): Store => {
      const actual = node.arguments[i]!;
      if (isVar) return this.#store(actual as Designator, names);
      const store = fresh(shapes[i]!);
      if (actual.kind === "undefined") return store;
      const whole = actual.kind === "designator" ? this.#whole(actual, names) : undefined;
      // Copying an undefined variable is allowed; reading the copy is a fault.
      const isUndefined = whole && isCell(whole) && whole.value === undefined;
      if (isUndefined) return store;
      if (whole && !isCell(whole)) copyInto(store, whole);
      else this.#assign(store, this.#value(actual, names));
      return store;
    });
    formals.forEach(({ text }, i) => own.set(text, { kind: "store", store: stores[i]! }));
    const result = unit.result && this.#shape(unit.result, own);
    for (const declaration of unit.declarations) this.#declare(declaration, own);
    if (++this.#depth > 1000) throw new Fault("endless");
    const returned = this.#run(unit.body, own);
    this.#depth--;
    if (!result) return undefined;
    if (!returned) throw new Fault("error");
    if (typeof returned.value !== "object" && !fits(returned.value!, result as SimpleShape))
      throw new Fault("out-of-range");
    return returned.value;
  }

  /** The store of a designator that is not a constant. */
  #whole(node: Designator, names: Names): Store | undefined {
    return names.get(node.name.text)!.kind === "constant" ? undefined : this.#store(node, names);
  }

  #store(node: Designator, names: Names): Store {
    let store = (names.get(node.name.text) as Meaning & { kind: "store" }).store;
    for (const step of node.path) {
      if (step.kind === "field")
        store = (store as { record: Map<string, Store> }).record.get(step.name.text)!;
      else if ("bag" in store) {
        const { element } = names.get((step.index as Designator).name.text) as Meaning & { kind: "element" };
        if (!element || !store.bag.includes(element)) throw new Fault("undefined-value");
        store = element;
      } else {
        const found = (store as { array: Map<Simple, Store> }).array.get(this.#value(step.index, names));
        if (!found) throw new Fault("array-bounds");
        store = found;
      }
    }
    return store;
  }

  // ---- statements -------------------------------------------------------------------------------

  #assign(store: Store, value: Simple): void {
    const cell = store as Cell;
    if (!fits(value, cell.type)) throw new Fault("out-of-range");
    cell.value = value;
  }

  #run(statements: readonly Statement[], names: Names): Return | undefined {
    for (const statement of statements) {
      const returned = this.#execute(statement, names);
      if (returned) return returned;
    }
    return undefined;
  }

  #execute(node: Statement, names: Names): Return | undefined {
    switch (node.kind) {
      case "assign": {
        if (node.value.kind === "undefined") return void reset(this.#store(node.target, names), false);
        const whole = node.value.kind === "designator" ? this.#whole(node.value, names) : undefined;
        // As in Rumur: a simple value is read first, any other value last.
        const value = whole && !isCell(whole) ? whole : this.#value(node.value, names);
        const target = this.#store(node.target, names);
        if (typeof value === "object") copyInto(target, clone(value));
        else this.#assign(target, value);
        return undefined;
      }
      case "if":
        return this.#run(
          node.branches.find((b) => this.#value(b.condition, names) === true)?.body ?? node.otherwise,
          names,
        );
      case "switch": {
        const value = this.#value(node.subject, names);
        const found = node.cases.find(({ labels }) =>
          labels.some((label) => this.#value(label, names) === value),
        );
        return this.#run(found?.body ?? node.otherwise, names);
      }
      case "for":
        return this.#loop(node.quantifiers, node.body, names);
      case "while":
        for (let round = 0; this.#value(node.condition, names) === true; round++) {
          if (round >= 1_000_000) throw new Fault("endless");
          const returned = this.#run(node.body, names);
          if (returned) return returned;
        }
        return undefined;
      case "alias":
        return this.#run(node.body, this.#aliased(node.aliases, names));
      case "call":
        return void this.#call(node, names);
      case "clear":
      case "undefine":
        return void reset(this.#store(node.target, names), node.kind === "clear");
      case "error":
        throw new Fault("error");
      case "property":
        return this.#local(node, names);
      case "put":
        return undefined;
      case "return": {
        const whole = node.value?.kind === "designator" ? this.#whole(node.value, names) : undefined;
        return new Return(whole && !isCell(whole) ? whole : node.value && this.#value(node.value, names));
      }
      case "multisetadd": {
        const element = this.#store(node.element, names);
        const bag = this.#store(node.multiset, names) as Store & { bag: Store[]; bound: number };
        if (bag.bag.length === bag.bound) throw new Fault("out-of-range");
        const own = fresh((bag as unknown as { element: Shape }).element);
        copyInto(own, element);
        return void bag.bag.push(own);
      }
      case "multisetremove": {
        const { element } = names.get(node.name.text) as Meaning & { kind: "element" };
        const bag = this.#store(node.multiset, names) as Store & { bag: Store[] };
        if (!element || !bag.bag.includes(element)) throw new Fault("undefined-value");
        return void (bag.bag = bag.bag.filter((each) => each !== element));
      }
      case "multisetremovepred": {
        const gone = this.#matching(node, names);
        const bag = this.#store(node.multiset, names) as Store & { bag: Store[] };
        return void (bag.bag = bag.bag.filter((each) => !gone.includes(each)));
      }
    }
  }

  #loop(quantifiers: readonly Quantifier[], body: readonly Statement[], names: Names): Return | undefined {
    const [first, ...rest] = quantifiers;
    if (!first) return this.#run(body, names);
    for (const value of this.#range(first, names).values) {
      const returned = this.#loop(rest, body, withConstant(names, first, value));
      if (returned) return returned;
    }
    return undefined;
  }

  #local(node: PropertyNode, names: Names): undefined {
    const isTrue = this.#value(node.condition, names) === true;
    if (node.category === "cover") {
      if (isTrue) this.#met.add(node);
    } else if (!isTrue) throw node.category === "assume" ? new Discard() : new Fault("assertion");
  }

  #aliased(aliases: readonly { name: { text: string }; value: Expression }[], names: Names): Names {
    const own = new Map(names);
    for (const { name, value } of aliases) {
      const whole = value.kind === "designator" ? this.#whole(value, own) : undefined;
      own.set(
        name.text,
        whole ? { kind: "store", store: whole } : { kind: "constant", value: this.#value(value, own) },
      );
    }
    return own;
  }

  // ---- steps ------------------------------------------------------------------------------------

  /** All instances, as functions from a state to their names. */
  *#instances(around: readonly RuleUnit[], state: Names): Generator<Instance> {
    const [first, ...rest] = around;
    if (!first) return yield (names) => names;
    if (first.kind === "aliasRules") {
      const bind: Instance = (names) => this.#aliased(first.aliases, names);
      for (const inner of this.#instances(rest, bind(state))) yield (names) => inner(bind(names));
    } else if (first.kind === "choose") {
      const count = (this.#store(first.multiset, state) as Store & { bag: Store[] }).bag.length;
      for (let i = 0; i < count; i++) {
        const bind: Instance = (names) => {
          const { bag } = this.#store(first.multiset, names) as Store & { bag: Store[] };
          return new Map([...names, [first.name.text, { kind: "element", element: bag[i] }]]);
        };
        for (const inner of this.#instances(rest, bind(state))) yield (names) => inner(bind(names));
      }
    } else if (first.kind === "ruleset") yield* this.#quantifiedInstances(first.quantifiers, rest, state);
  }

  *#quantifiedInstances(
    quantifiers: readonly Quantifier[],
    rest: readonly RuleUnit[],
    state: Names,
  ): Generator<Instance> {
    const [first, ...others] = quantifiers;
    if (!first) return yield* this.#instances(rest, state);
    for (const value of this.#range(first, state).values) {
      const bind: Instance = (names) => withConstant(names, first, value);
      for (const inner of this.#quantifiedInstances(others, rest, bind(state)))
        yield (names) => inner(bind(names));
    }
  }

  #namesOf(stores: ReadonlyMap<string, Store>): Names {
    const variables = [...stores].map(([name, store]) => [name, { kind: "store", store }] as const);
    return (this.#now = new Map<string, Meaning>([...this.#globals, ...variables]));
  }

  /** Successor states, and faults. */
  #steps(rules: readonly Guarded[], stores: ReadonlyMap<string, Store>): (Map<string, Store> | string)[] {
    const steps: (Map<string, Store> | string)[] = [];
    for (const { unit, around } of rules)
      for (const instance of this.#instances(around, this.#namesOf(stores))) {
        const next = new Map([...stores].map(([name, store]) => [name, clone(store)]));
        try {
          if (unit.guard && this.#value(unit.guard, instance(this.#namesOf(stores))) === false) continue;
          const names = new Map(instance(this.#namesOf(next)));
          for (const declaration of unit.declarations) this.#declare(declaration, names);
          this.#run(unit.body, names);
          steps.push(next);
        } catch (error) {
          this.#depth = 0;
          if (error instanceof Fault) steps.push(error.message);
          else if (!(error instanceof Discard)) throw error;
        }
      }
    return steps;
  }

  #all(category: string, stores: ReadonlyMap<string, Store>): boolean {
    const names = this.#namesOf(stores);
    return this.#properties
      .filter(({ node }) => node.category === category)
      .every(({ node, around }) =>
        [...this.#instances(around, names)].every(
          (instance) => this.#value(node.condition, instance(names)) === true,
        ),
      );
  }

  explore(): Obvious {
    const { deadlock = "stuttering", maxStates = 1e5 } = this.#options;
    const keyOf = (stores: ReadonlyMap<string, Store>): string => [...stores.values()].map(textOf).join();
    const seen = new Map<string, string[]>();
    const queue: Map<string, Store>[] = [];
    let rules = 0;
    let verdict = "holds";
    const fail = (what: string): void => void (verdict = verdict === "holds" ? what : verdict);
    const visit = (stores: Map<string, Store>): void => {
      const key = keyOf(stores);
      if (seen.has(key)) return;
      seen.set(key, []);
      queue.push(stores);
      try {
        if (!this.#all("invariant", stores) || !this.#all("assert", stores)) fail("invariant");
        this.#meet(stores);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        fail(error.message);
      }
    };
    const nothing = new Map(
      this.#variables.map((name) => [name, clone((this.#globals.get(name) as { store: Store }).store)]),
    );
    for (const start of this.#steps(this.#starts, nothing))
      if (typeof start === "string") fail(start);
      else if (this.#all("assume", start)) visit(start);
    for (let at = 0; at < queue.length && verdict === "holds" && seen.size < maxStates; at++) {
      const source = queue[at]!;
      const key = keyOf(source);
      const steps = this.#steps(this.#rules, source);
      let isMoving = false;
      for (const step of steps) {
        if (typeof step === "string") {
          fail(step);
          continue;
        }
        rules++;
        const next = keyOf(step);
        const isKept = this.#all("assume", step);
        isMoving ||= deadlock !== "stuttering" || !isKept || next !== key;
        if (!isKept) continue;
        visit(step);
        seen.get(next)!.push(key);
      }
      if (!isMoving && deadlock !== "off" && !steps.some((step) => typeof step === "string"))
        fail("deadlock");
    }
    if (verdict === "holds" && !this.#isCovered()) verdict = "cover";
    if (verdict === "holds" && !this.#isLive(queue, keyOf, seen)) verdict = "agef";
    return { states: seen.size, rules, verdict };
  }

  #meet(stores: ReadonlyMap<string, Store>): void {
    const names = this.#namesOf(stores);
    for (const property of this.#properties)
      if (property.node.category === "cover" || property.node.category === "liveness")
        for (const instance of this.#instances(property.around, names))
          if (this.#value(property.node.condition, instance(names)) === true) this.#met.add(property);
  }

  #isCovered(): boolean {
    const covers = this.#properties.filter(({ node }) => node.category === "cover");
    return [...covers, ...this.#localCovers].every((cover) => this.#met.has(cover));
  }

  /**
   * Whether, for every instance, a state with the condition is reachable from everywhere; `sources`: predecessors by
   * state.
   */
  #isLive(
    queue: readonly Map<string, Store>[],
    keyOf: (s: Map<string, Store>) => string,
    sources: Map<string, string[]>,
  ): boolean {
    return this.#properties
      .filter(({ node }) => node.category === "liveness")
      .every(({ node, around }) =>
        [...this.#instances(around, this.#globals)].every((instance) => {
          const good = queue
            .filter((stores) => this.#value(node.condition, instance(this.#namesOf(stores))) === true)
            .map(keyOf);
          const reached = new Set(good);
          for (const key of reached) for (const source of sources.get(key)!) reached.add(source);
          return reached.size === sources.size;
        }),
      );
  }
}

const withConstant = (names: Names, { name }: Quantifier, value: Simple): Names =>
  new Map<string, Meaning>([...names, [name.text, { kind: "constant", value }]]);
