/**
 * Can the rounds of a loop over a scalarset change places?
 *
 * They can if no round touches what another writes. Places that are indexed by the loop's own variable are different in different rounds.
 * Three kinds of writing to a common place are harmless as well, if nothing else in the loop touches it: the same constant every time,
 * counting by constants in one direction, and adding to a multiset. A local variable that each round sets before it uses it, and
 * that is not used after the loop, belongs to the round.
 */
import type {
  Argument,
  Call,
  Place,
  PlaceRoot,
  RuleExpr,
  RuleProgram,
  RuleStatement,
} from "../../model/rules.js";
import { below } from "./walk.js";

type Loop = RuleStatement & { kind: "for" };

/** Undefined if they can; else what is in the way. */
export function whyDependent(
  loop: Loop,
  frame: readonly RuleStatement[],
  program: RuleProgram,
): string | undefined {
  const round = new Round(program);
  const slots: Slots = new Map([[loop.slot, { kind: "value", index: OWN }]]);
  const isPrivate = privateSlots(loop, frame);
  round.statements(loop.body, slots);
  if (round.trouble !== undefined) return round.trouble;
  if (round.stops > 0 && round.stops + round.faults > 1) return "which error is met first depends on it";
  if (round.isRejecting && round.stops + round.faults > 0)
    return "whether an assumption or an error is met first depends on it";
  const touched = round.touches.filter((t) => !(t.root.kind === "slot" && isPrivate.has(t.root.slot)));
  for (const one of touched)
    for (const other of touched)
      if (one.how.kind !== "read" && overlaps(one, other) && !areHarmless(one, other))
        return "a round touches what another one writes";
  return undefined;
}

/** An index: the loop's own variable, a constant, or anything. */
type Index = typeof OWN | typeof ANY | number;
const OWN = "own";
const ANY = "any";

type Step = { readonly field: number } | { readonly index: Index };

/** Where something is read or written in a round. */
interface Touch extends Where {
  readonly how:
    | { readonly kind: "read" | "write" | "add" }
    | { readonly kind: "set"; readonly value: number }
    | { readonly kind: "count"; readonly isUp: boolean };
}

interface Where {
  readonly root: PlaceRoot;
  readonly path: readonly Step[];
}

/** What slots stand for; those that are missing are local variables of the frame with the loop. */
type Slots = Map<
  number,
  | { readonly kind: "value"; readonly index: Index }
  | { readonly kind: "place"; readonly where: Where }
  | { readonly kind: "local" }
>;

/** Collects what one round does. */
class Round {
  readonly touches: Touch[] = [];
  trouble: string | undefined;
  /** Statements that fail on purpose, and other places where something can fail. */
  stops = 0;
  faults = 0;
  isRejecting = false;
  readonly #program: RuleProgram;
  readonly #active = new Set<number>();

  constructor(program: RuleProgram) {
    this.#program = program;
  }

  statements(all: readonly RuleStatement[], slots: Slots): void {
    for (const statement of all) this.#statement(statement, slots);
  }

  #statement(s: RuleStatement, slots: Slots): void {
    if ("site" in s && s.site >= 0 && s.kind !== "assert" && s.kind !== "error") this.faults++;
    switch (s.kind) {
      case "bind":
        this.#read(s.value, slots);
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
        this.#touch(s.place, slots, { kind: "write" });
        break;
      case "if":
        for (const { condition, body } of s.branches) {
          this.#read(condition, slots);
          this.statements(body, new Map(slots));
        }
        this.statements(s.otherwise, new Map(slots));
        break;
      case "for":
        if (s.over.kind === "steps")
          for (const e of [s.over.from, s.over.to, s.over.step]) this.#read(e, slots);
        this.statements(s.body, new Map(slots).set(s.slot, { kind: "value", index: ANY }));
        break;
      case "while":
        this.#read(s.condition, slots);
        this.statements(s.body, new Map(slots));
        break;
      case "call":
        this.#call(s, slots);
        break;
      case "assert":
        this.stops++;
        this.#read(s.condition, slots);
        break;
      case "error":
        this.stops++;
        break;
      case "assume":
        this.isRejecting = true;
        this.#read(s.condition, slots);
        break;
      case "cover":
        this.#read(s.condition, slots);
        break;
      case "put":
        this.trouble ??= "it prints";
        break;
      case "return":
        if (s.value) this.#read(s.value, slots);
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
          this.#read(s.condition, new Map(slots).set(s.slot, { kind: "value", index: ANY }));
        break;
    }
  }

  #assign({ value, target }: RuleStatement & { kind: "assign" }, slots: Slots): void {
    const step = countingStep(value, target);
    if (value.kind === "constant") this.#touch(target, slots, { kind: "set", value: value.value });
    else if (step !== undefined) this.#touch(target, slots, { kind: "count", isUp: step > 0 });
    else {
      this.#read(value, slots);
      this.#touch(target, slots, { kind: "write" });
    }
  }

  /** Every place that an expression looks at. */
  #read(e: RuleExpr, slots: Slots): void {
    if ("site" in e && e.site >= 0) this.faults++;
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
        this.#read(e.value, slots);
        break;
      case "same":
        this.#touch(e.left, slots, { kind: "read" });
        this.#touch(e.right, slots, { kind: "read" });
        break;
      case "unary":
      case "convert":
        this.#read(e.operand, slots);
        break;
      case "binary":
      case "logical":
        this.#read(e.left, slots);
        this.#read(e.right, slots);
        break;
      case "conditional":
        for (const part of [e.condition, e.then, e.otherwise]) this.#read(part, slots);
        break;
      case "quantified":
        if (e.over.kind === "steps")
          for (const b of [e.over.from, e.over.to, e.over.step]) this.#read(b, slots);
        this.#read(e.body, new Map(slots).set(e.slot, { kind: "value", index: ANY }));
        break;
      case "call":
        this.#call(e, slots);
        break;
      case "multiset-count":
        this.#touch(e.multiset, slots, { kind: "read" });
        this.#read(e.condition, new Map(slots).set(e.slot, { kind: "value", index: ANY }));
    }
  }

  #call(call: Call, slots: Slots): void {
    if (this.#active.has(call.procedure)) {
      this.trouble ??= "it calls a procedure that calls itself";
      return;
    }
    const { body, slots: own } = this.#program.procedures[call.procedure]!;
    const inside: Slots = new Map(own.map((_, slot) => [slot, { kind: "local" as const }]));
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
        if (argument.site >= 0) this.faults++;
        this.#read(argument.value, slots);
        inside.set(slot, { kind: "value", index: indexOf(argument.value, slots) });
        break;
      case "copy":
        this.#touch(argument.place, slots, { kind: "read" });
        break;
      case "reference":
        inside.set(slot, { kind: "place", where: this.#where(argument.place, slots) });
        break;
      case "undefined":
        break;
    }
  }

  #touch(place: Place, slots: Slots, how: Touch["how"]): void {
    if (isOwnLocal(place, slots)) {
      this.#where(place, slots);
      return;
    }
    this.touches.push({ ...this.#where(place, slots), how });
  }

  /** Its indices are read. */
  #where({ root, path }: Place, slots: Slots): Where {
    const binding = root.kind === "slot" ? slots.get(root.slot) : undefined;
    const start: Where = binding?.kind === "place" ? binding.where : { root, path: [] };
    const steps = path.map((step): Step => {
      if (step.kind === "field") return { field: step.field };
      if (step.kind === "element") return { index: ANY };
      if (step.site >= 0) this.faults++;
      this.#read(step.index, slots);
      return { index: indexOf(step.index, slots) };
    });
    return { root: start.root, path: [...start.path, ...steps] };
  }
}

/** A variable of a procedure that is called: every call has its own. */
const isOwnLocal = ({ root }: Place, slots: Slots): boolean =>
  root.kind === "slot" && slots.get(root.slot)?.kind === "local";

function indexOf(e: RuleExpr, slots: Slots): Index {
  if (e.kind === "constant") return e.value;
  // Between a scalarset and a union, different elements stay different.
  if (e.kind === "convert") return indexOf(e.operand, slots) === OWN ? OWN : ANY;
  if (e.kind !== "slot") return ANY;
  const binding = slots.get(e.slot);
  return binding?.kind === "value" ? binding.index : ANY;
}

/** Of `x := x + 1`: by how much. */
function countingStep(value: RuleExpr, target: Place): number | undefined {
  if (value.kind !== "binary" || value.left.kind !== "read" || value.right.kind !== "constant")
    return undefined;
  if (!isSamePlace(value.left.place, target)) return undefined;
  if (value.op === "+") return value.right.value;
  return value.op === "-" ? -value.right.value : undefined;
}

/** Written alike, without anything computed in it. */
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

/** May the two be the same, or one a part of the other, in two different rounds? */
function overlaps(a: Where, b: Where): boolean {
  if (!isSameRoot(a.root, b.root)) return false;
  for (let i = 0; i < Math.min(a.path.length, b.path.length); i++) {
    const [one, other] = [a.path[i]!, b.path[i]!];
    if ("field" in one && "field" in other) {
      if (one.field !== other.field) return false;
    } else if ("index" in one && "index" in other) {
      if (one.index === OWN && other.index === OWN) return false;
      if (typeof one.index === "number" && typeof other.index === "number" && one.index !== other.index)
        return false;
    }
  }
  return true;
}

const isSameRoot = (a: PlaceRoot, b: PlaceRoot): boolean =>
  a.kind === "state"
    ? b.kind === "state" && a.variable === b.variable
    : b.kind === "slot" && a.slot === b.slot;

function areHarmless({ how: a }: Touch, { how: b }: Touch): boolean {
  if (a.kind === "set" && b.kind === "set") return a.value === b.value;
  if (a.kind === "count" && b.kind === "count") return a.isUp === b.isUp;
  return a.kind === "add" && b.kind === "add";
}

/** Local variables that each round sets as a whole, before anything else, and that are used nowhere else. */
function privateSlots(loop: Loop, frame: readonly RuleStatement[]): Set<number> {
  const slots = new Set<number>();
  const seen = new Set<number>();
  for (const statement of loop.body) {
    const target = wholeTarget(statement);
    for (const slot of slotsUsed(statement, target)) seen.add(slot);
    if (target !== undefined && !seen.has(target)) slots.add(target);
  }
  const inside = new Set<object>(below(loop.body));
  for (const node of below(frame))
    if (!inside.has(node) && node !== loop && !containsLoop(node, loop))
      for (const slot of slotsUsed(node, undefined)) slots.delete(slot);
  return slots;
}

/** The local variable that a statement sets as a whole. */
function wholeTarget(s: RuleStatement): number | undefined {
  const place =
    s.kind === "assign" || s.kind === "copy"
      ? s.target
      : s.kind === "undefine" || s.kind === "clear"
        ? s.place
        : undefined;
  return place?.root.kind === "slot" && place.path.length === 0 ? place.root.slot : undefined;
}

/** Roots of all places in a node, but for one that it sets. */
function* slotsUsed(node: unknown, set: number | undefined): Generator<number> {
  if (Array.isArray(node)) for (const item of node) yield* slotsUsed(item, set);
  else if (typeof node === "object" && node !== null) {
    if ("root" in node) {
      const root = node.root as PlaceRoot;
      const isSet =
        "path" in node && (node.path as unknown[]).length === 0 && root.kind === "slot" && root.slot === set;
      if (root.kind === "slot" && !isSet) yield root.slot;
    }
    for (const [key, part] of Object.entries(node))
      if (key !== "type" && key !== "span") yield* slotsUsed(part, set);
  }
}

function containsLoop(node: object, loop: Loop): boolean {
  for (const inner of below(node)) if (inner === loop) return true;
  return false;
}
