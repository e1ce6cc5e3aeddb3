/**
 * Decides whether the iterations of a loop over a scalarset commute.
 *
 * They do if no iteration accesses a place that another writes. Places indexed by the loop variable differ between iterations. Some
 * writes to a common place are harmless if nothing else in the loop accesses it: assigning the same constant, clearing or undefining
 * it, counting by constants in one direction, and adding to a multiset. A local variable that each iteration sets before use, and
 * that is not used after the loop, is private to the iteration.
 */
import type {
  Argument,
  Binder,
  Call,
  Frame,
  Iteration,
  Place,
  PlaceRoot,
  RuleExpr,
  RuleProgram,
  RuleStatement,
  RuleType,
} from "../../model/rules.js";
import { below } from "./walk.js";
import { entryOf, nth } from "../../model/known.js";

type Loop = RuleStatement & { kind: "for" };

/** Undefined: they commute; otherwise the obstacle. */
export function whyDependent(loop: Loop, frame: Body, program: RuleProgram): string | undefined {
  const round = new Round(program, frame);
  round.statements(loop.body, round.slotsWith(loop.slot, OWN));
  const why = round.trouble ?? round.whyOrdered();
  if (why !== undefined) return why;
  const isPrivate = privateSlots(loop, frame);
  const touched = round.touches.filter((t) => !(t.root.kind === "local" && isPrivate.has(t.root.slot)));
  for (const one of touched)
    for (const other of touched)
      // sound: test/transforms/symmetry/order.test.ts
      if (one.how.kind !== "read" && overlaps(one, other) && !areHarmless(one, other))
        return "an iteration accesses a place that another one writes";
  return undefined;
}

/**
 * The same for a condition evaluated for one element after another. `isExhaustive`: evaluation does not stop early. Undefined: the
 * order of elements is unobservable.
 */
export function whyOrdered(
  body: RuleExpr,
  slot: number | undefined,
  isExhaustive: boolean,
  frame: Body,
  program: RuleProgram,
): string | undefined {
  const round = new Round(program, frame);
  round.read(body, round.slotsWith(slot, OWN));
  if (round.trouble !== undefined) return round.trouble;
  // sound: test/transforms/symmetry/order.test.ts
  if (round.touches.some(({ how }) => how.kind !== "read")) return "a called function changes the state";
  // sound: test/transforms/symmetry/order.test.ts
  if (!isExhaustive && round.hasOutcome) return "it may stop before it meets an error";
  return round.whyOrdered();
}

/** A frame with slots and statements. */
export type Body = Frame & {
  readonly binders?: readonly Binder[];
  readonly body?: readonly RuleStatement[];
};

/** An index: the loop variable, a constant, or unknown. */
type Index = typeof OWN | typeof ANY | number;
const OWN = "own";
const ANY = "any";

type Step = { readonly field: number } | { readonly index: Index };

/** A place accessed by an iteration. */
interface Touch extends Where {
  readonly type: RuleType;
  readonly how:
    | { readonly kind: "read" | "write" | "add" | "undefine" | "clear" }
    | { readonly kind: "set"; readonly value: number }
    | { readonly kind: "count"; readonly isUp: boolean };
}

interface Where {
  readonly root: Root;
  readonly path: readonly Step[];
}

type Root =
  | { readonly kind: "state"; readonly variable: number }
  /** A variable of the frame with the loop. */
  | { readonly kind: "local"; readonly slot: number }
  /** The target of a reference parameter of the enclosing frame: any place of its type except local variables of the frame. */
  | { readonly kind: "parameter"; readonly slot: number }
  /** A local variable of a called procedure: every call has a fresh one. */
  | { readonly kind: "own" };

type Slots = Map<
  number,
  | { readonly kind: "value"; readonly index: Index }
  /** `index`: the value of a parameter that is never written. */
  | { readonly kind: "place"; readonly where: Where; readonly index?: Index }
>;

/** Collects the accesses of one iteration. */
class Round {
  readonly touches: Touch[] = [];
  trouble: string | undefined;
  /** Statements that fail on purpose, and other possible faults. */
  #stops = 0;
  #faults = 0;
  #isRejecting = false;
  #isCovering = false;
  readonly #program: RuleProgram;
  readonly #frame: Body;
  readonly #active = new Set<number>();

  constructor(program: RuleProgram, frame: Body) {
    this.#program = program;
    this.#frame = frame;
  }

  /** Meanings of the frame's slots. References bound outside the loop denote the same place in all iterations. */
  slotsWith(own: number | undefined, index: Index): Slots {
    const slots: Slots = new Map();
    this.#frame.slots.forEach(({ kind }, slot) => {
      if (kind === "variable")
        slots.set(slot, { kind: "place", where: { root: { kind: "local", slot }, path: [] } });
      // sound: test/transforms/symmetry/order.test.ts
      if (kind === "reference")
        slots.set(slot, { kind: "place", where: { root: { kind: "parameter", slot }, path: [] } });
    });
    for (const node of below([this.#frame.binders ?? [], this.#frame.body ?? []]))
      // sound: test/transforms/symmetry/order.test.ts
      if (node.kind === "refer") slots.set(node.slot, { kind: "place", where: whereOf(node.place, slots) });
    if (own !== undefined) slots.set(own, { kind: "value", index });
    return slots;
  }

  /** Is there an effect other than a value: a fault, a discarded step, a cover? */
  get hasOutcome(): boolean {
    return this.#stops + this.#faults > 0 || this.#isRejecting || this.#isCovering;
  }

  /** Undefined: the outcome does not depend on the order of iterations. */
  whyOrdered(): string | undefined {
    const failures = this.#stops + this.#faults;
    // sound: test/transforms/symmetry/order.test.ts
    if (this.#stops > 0 && failures > 1) return "which error comes first depends on it";
    // sound: test/transforms/symmetry/order.test.ts
    if (this.#isRejecting && failures > 0)
      return "whether an assumption or an error comes first depends on it";
    // sound: test/transforms/symmetry/order.test.ts
    if (this.#isCovering && (this.#isRejecting || failures > 0))
      return "whether a cover is met before the step ends depends on it";
    return undefined;
  }

  statements(all: readonly RuleStatement[], slots: Slots): void {
    for (const statement of all) this.#statement(statement, slots);
  }

  #statement(s: RuleStatement, slots: Slots): void {
    if ("site" in s && s.site >= 0 && s.kind !== "assert" && s.kind !== "error") this.#faults++;
    switch (s.kind) {
      case "bind":
        this.read(s.value, slots);
        slots.set(s.slot, { kind: "value", index: indexOf(s.value, slots) });
        break;
      case "refer":
        slots.set(s.slot, { kind: "place", where: this.#where(s.place, slots) });
        break;
      case "assign":
        this.#assign(s, slots);
        break;
      case "copy":
        this.#touch(s.source, slots, { kind: "read" });
        this.#touch(s.target, slots, { kind: "write" });
        break;
      case "clear":
      case "undefine":
        this.#touch(s.place, slots, { kind: s.kind });
        break;
      case "if":
        for (const { condition, body } of s.branches) {
          this.read(condition, slots);
          this.statements(body, new Map(slots));
        }
        this.statements(s.otherwise, new Map(slots));
        break;
      case "for":
        this.#iteration(s.over, slots);
        this.statements(s.body, new Map(slots).set(s.slot, { kind: "value", index: ANY }));
        break;
      case "while":
        this.read(s.condition, slots);
        this.statements(s.body, new Map(slots));
        break;
      case "call":
        this.#call(s, slots);
        break;
      case "assert":
        this.#stops++;
        this.read(s.condition, slots);
        break;
      case "error":
        this.#stops++;
        break;
      case "assume":
        this.#isRejecting = true;
        this.read(s.condition, slots);
        break;
      case "cover":
        this.#isCovering = true;
        this.read(s.condition, slots);
        break;
      case "put":
        this.trouble ??= "it prints";
        break;
      case "return":
        if (s.value) this.read(s.value, slots);
        if (this.#active.size === 0) this.trouble ??= "it is left by 'return'";
        break;
      case "multiset-add":
        this.#touch(s.element, slots, { kind: "read" });
        this.#touch(s.multiset, slots, { kind: "add" });
        break;
      case "multiset-remove":
      case "multiset-remove-if":
        this.#touch(s.multiset, slots, { kind: "write" });
        if (s.kind === "multiset-remove-if")
          this.read(s.condition, new Map(slots).set(s.slot, { kind: "value", index: ANY }));
        break;
    }
  }

  #assign({ value, target }: RuleStatement & { kind: "assign" }, slots: Slots): void {
    const step = countingStep(value, target);
    if (step !== undefined) this.#faults++;
    if (value.kind === "constant") this.#touch(target, slots, { kind: "set", value: value.value });
    else if (step !== undefined) this.#touch(target, slots, { kind: "count", isUp: step > 0 });
    else {
      this.read(value, slots);
      this.#touch(target, slots, { kind: "write" });
    }
  }

  #iteration(over: Iteration, slots: Slots): void {
    if (over.kind !== "steps") return;
    if (over.site >= 0 || over.wrongWay >= 0) this.#faults++;
    for (const e of [over.from, over.to, over.step]) this.read(e, slots);
  }

  /** Records every place that an expression reads. */
  read(e: RuleExpr, slots: Slots): void {
    if ("site" in e && e.site >= 0) this.#faults++;
    switch (e.kind) {
      case "constant":
      case "slot":
        break;
      case "read":
      case "is-undefined":
      case "is-within":
        this.#touch(e.place, slots, { kind: "read" });
        break;
      case "has-value":
        this.#touch(e.place, slots, { kind: "read" });
        this.read(e.value, slots);
        break;
      case "same":
        this.#touch(e.left, slots, { kind: "read" });
        this.#touch(e.right, slots, { kind: "read" });
        break;
      case "unary":
      case "convert":
        this.read(e.operand, slots);
        break;
      case "binary":
      case "logical":
        this.read(e.left, slots);
        this.read(e.right, slots);
        break;
      case "conditional":
        for (const part of [e.condition, e.then, e.otherwise]) this.read(part, slots);
        break;
      case "quantified":
        this.#iteration(e.over, slots);
        this.read(e.body, new Map(slots).set(e.slot, { kind: "value", index: ANY }));
        break;
      case "call":
        this.#call(e, slots);
        break;
      case "multiset-count":
        this.#touch(e.multiset, slots, { kind: "read" });
        this.read(e.condition, new Map(slots).set(e.slot, { kind: "value", index: ANY }));
    }
  }

  #call(call: Call, slots: Slots): void {
    if (this.#active.has(call.procedure)) {
      this.trouble ??= "it calls a procedure that calls itself";
      return;
    }
    const { body, slots: own, noResult } = nth(this.#program.procedures, call.procedure);
    if (call.tooDeep >= 0 || noResult >= 0) this.#faults++;
    const inside: Slots = new Map();
    own.forEach(({ kind }, slot) => {
      if (kind === "value") inside.set(slot, { kind, index: ANY });
      else inside.set(slot, { kind: "place", where: { root: { kind: "own" }, path: [] } });
    });
    call.arguments.forEach((argument, slot) => {
      this.#argument(argument, slot, slots, inside);
    });
    this.#active.add(call.procedure);
    this.statements(body, inside);
    this.#active.delete(call.procedure);
  }

  #argument(argument: Argument, slot: number, slots: Slots, inside: Slots): void {
    switch (argument.kind) {
      case "value":
        if (argument.site >= 0) this.#faults++;
        this.read(argument.value, slots);
        inside.set(slot, { ...entryOf(inside, slot), index: indexOf(argument.value, slots) });
        break;
      case "copy":
        if (argument.site >= 0) this.#faults++;
        this.#touch(argument.place, slots, { kind: "read" });
        inside.set(slot, { ...entryOf(inside, slot), index: heldAt(argument.place, slots) });
        break;
      case "reference":
        inside.set(slot, { kind: "place", where: this.#where(argument.place, slots) });
        break;
      case "undefined":
        break;
    }
  }

  #touch(place: Place, slots: Slots, how: Touch["how"]): void {
    const where = this.#where(place, slots);
    if (where.root.kind !== "own") this.touches.push({ ...where, type: place.type, how });
  }

  /** Records the reads of its indices. */
  #where(place: Place, slots: Slots): Where {
    for (const step of place.path) {
      if (step.kind === "field") continue;
      if (step.site >= 0) this.#faults++;
      if (step.kind === "index") this.read(step.index, slots);
    }
    return whereOf(place, slots);
  }
}

function whereOf({ root, path }: Place, slots: Slots): Where {
  const binding = root.kind === "slot" ? slots.get(root.slot) : undefined;
  if (root.kind === "slot" && binding?.kind !== "place")
    throw new Error("a place has a slot that refers to one");
  const start: Where = binding?.kind === "place" ? binding.where : { root: root as Root, path: [] };
  const steps = path.map((step): Step => {
    if (step.kind === "field") return { field: step.field };
    return { index: step.kind === "index" ? indexOf(step.index, slots) : ANY };
  });
  return { root: start.root, path: [...start.path, ...steps] };
}

function indexOf(e: RuleExpr, slots: Slots): Index {
  if (e.kind === "constant") return e.value;
  // Conversion between a scalarset and a union is injective.
  if (e.kind === "convert") return indexOf(e.operand, slots) === OWN ? OWN : ANY;
  if (e.kind === "slot") return slots.get(e.slot)?.index ?? ANY;
  return e.kind === "read" ? heldAt(e.place, slots) : ANY;
}

function heldAt({ root, path }: Place, slots: Slots): Index {
  return root.kind === "slot" && path.length === 0 ? (slots.get(root.slot)?.index ?? ANY) : ANY;
}

/** The increment of `x := x + 1`. */
function countingStep(value: RuleExpr, target: Place): number | undefined {
  if (value.kind !== "binary" || value.left.kind !== "read" || value.right.kind !== "constant")
    return undefined;
  if (!isSamePlace(value.left.place, target)) return undefined;
  if (value.op === "+") return value.right.value;
  return value.op === "-" ? -value.right.value : undefined;
}

/** Syntactically equal, without computed indices. */
function isSamePlace(a: Place, b: Place): boolean {
  const name = ({ root, path }: Place): string | undefined => {
    const steps = path.map((step) => {
      if (step.kind === "field") return `.${step.field}`;
      if (step.kind === "index" && step.index.kind === "constant") return `[${step.index.value}]`;
      return step.kind === "index" && step.index.kind === "slot" ? `[slot ${step.index.slot}]` : undefined;
    });
    return steps.includes(undefined) ? undefined : JSON.stringify(root) + steps.join("");
  };
  return name(a) !== undefined && name(a) === name(b);
}

/** May the two overlap in different iterations? */
function overlaps(a: Touch, b: Touch): boolean {
  if (!isSameRoot(a.root, b.root)) return mayAlias(a, b); // sound: test/transforms/symmetry/order.test.ts
  for (let i = 0; i < Math.min(a.path.length, b.path.length); i++) {
    const [one, other] = [nth(a.path, i), nth(b.path, i)];
    if ("field" in one && "field" in other) {
      if (one.field !== other.field) return false;
    } else if ("index" in one && "index" in other) {
      // sound: test/transforms/symmetry/order.test.ts
      if (one.index === OWN && other.index === OWN) return false;
      if (typeof one.index === "number" && typeof other.index === "number" && one.index !== other.index)
        return false;
    }
  }
  return true;
}

function isSameRoot(a: Root, b: Root): boolean {
  if (a.kind === "state") return b.kind === "state" && a.variable === b.variable;
  if (a.kind === "own") return false;
  return a.kind === b.kind && a.slot === b.slot;
}

/** A reference parameter may denote any place with parts of the same types, except local variables of its frame. */
function mayAlias(a: Touch, b: Touch): boolean {
  const kinds = [a.root.kind, b.root.kind];
  if (!kinds.includes("parameter") || kinds.includes("local")) return false; // sound: test/transforms/symmetry/order.test.ts
  const parts = new Set(leafTypes(a.type));
  return leafTypes(b.type).some((leaf) => parts.has(leaf));
}

function leafTypes(type: RuleType): string[] {
  switch (type.kind) {
    case "record":
      return type.fields.flatMap((field) => leafTypes(field.type));
    case "array":
    case "multiset":
      return leafTypes(type.element);
    case "scalarset":
      return [`scalarset ${type.scalarset}`];
    default:
      return [`${type.kind} ${type.low} ${type.high}`];
  }
}

function areHarmless({ how: a }: Touch, { how: b }: Touch): boolean {
  if (a.kind === "set" && b.kind === "set") return a.value === b.value; // sound: test/transforms/symmetry/order.test.ts
  if (a.kind === "count" && b.kind === "count") return a.isUp === b.isUp; // sound: test/transforms/symmetry/order.test.ts
  // sound: test/transforms/symmetry/order.test.ts
  return a.kind === b.kind && (a.kind === "add" || a.kind === "undefine" || a.kind === "clear");
}

/** Local variables that each iteration assigns as a whole first, and that are not used elsewhere. */
function privateSlots(loop: Loop, frame: Body): Set<number> {
  const slots = new Set<number>();
  const seen = new Set<number>();
  for (const statement of loop.body) {
    const target = wholeTarget(statement);
    for (const slot of slotsUsed(statement, target)) seen.add(slot); // sound: test/transforms/symmetry/order.test.ts
    const slot = target?.root.kind === "slot" ? target.root.slot : undefined;
    // sound: test/transforms/symmetry/order.test.ts
    if (slot !== undefined && nth(frame.slots, slot).kind === "variable" && !seen.has(slot)) slots.add(slot);
  }
  const inside = new Set<object>(below(loop.body));
  for (const node of below(frame.body))
    if (!inside.has(node) && node !== loop && !containsLoop(node, loop))
      for (const slot of slotsUsed(node, undefined)) slots.delete(slot); // sound: test/transforms/symmetry/order.test.ts
  return slots;
}

/** The variable that a statement assigns as a whole. */
function wholeTarget(s: RuleStatement): Place | undefined {
  const place =
    s.kind === "assign" || s.kind === "copy"
      ? s.target
      : s.kind === "undefine" || s.kind === "clear"
        ? s.place
        : undefined;
  return place?.path.length === 0 ? place : undefined; // sound: test/transforms/symmetry/order.test.ts
}

/** Roots of all places in a node except the assigned one: further occurrences of the variable are reads. */
function* slotsUsed(node: unknown, set: Place | undefined): Generator<number> {
  if (node === set && node !== undefined) return;
  if (Array.isArray(node)) for (const item of node) yield* slotsUsed(item, set);
  else if (typeof node === "object" && node !== null) {
    if ("root" in node) {
      const root = node.root as PlaceRoot;
      if (root.kind === "slot") yield root.slot;
    }
    for (const [key, part] of Object.entries(node))
      if (key !== "type" && key !== "span") yield* slotsUsed(part, set);
  }
}

function containsLoop(node: object, loop: Loop): boolean {
  for (const inner of below(node)) if (inner === loop) return true;
  return false;
}
