/** Decides which scalarsets can be permuted, with reasons for the others. */
import type { Span } from "../../model/diagnostic.js";
import {
  isSimple,
  propositionsOf,
  type Condition,
  type RuleExpr,
  type RuleProgram,
  type RuleStatement,
  type RuleType,
  type SimpleType,
} from "../../model/rules.js";
import { whyDependent, whyOrdered, type Body } from "./loops.js";
import { nodesIn } from "./walk.js";
import { nth } from "../../model/known.js";

export interface SymmetryPlan {
  /** Indices of scalarsets. */
  readonly scalarsets: readonly number[];
  readonly refused: readonly Refusal[];
}

export interface Refusal {
  readonly scalarset: number;
  readonly why: string;
  readonly span: Span;
}

export function planSymmetry(program: RuleProgram): SymmetryPlan {
  const refused = [...refusals(program)];
  const scalarsets = program.scalarsets.flatMap(({ name, size }, number) =>
    name !== undefined && size > 1 && !refused.some((r) => r.scalarset === number) ? [number] : [],
  );
  return { scalarsets, refused: firstOfEach(refused, program) };
}

/**
 * Is the condition invariant under permutation? Its instances for elements of scalarsets are not, nor for elements of multisets,
 * whose order permutation changes.
 */
export const isSymmetric = (condition: Condition, scalarsets: readonly number[]): boolean =>
  condition.binders.every(
    (binder) =>
      (binder.kind !== "values" && binder.kind !== "elements") || // sound: test/transforms/symmetry/order.test.ts
      scalarsetsUnder(nth(condition.slots, binder.slot).type).every((number) => !scalarsets.includes(number)), // sound: test/transforms/symmetry/order.test.ts
  );

/** Beyond this, computing representatives takes longer than a search without symmetry. */
const MOST_ELEMENTS = 10_000;

function* refusals(program: RuleProgram): Generator<Refusal> {
  for (const [scalarset, { size, span }] of program.scalarsets.entries())
    if (size > MOST_ELEMENTS) yield { scalarset, why: "there are too many of them", span };
  const covers = program.covers.flatMap(({ condition }) => (condition ? [condition] : []));
  const frames: (Body & object)[] = [
    ...program.procedures,
    ...program.starts,
    ...program.rules,
    ...program.invariants,
    ...program.assumptions,
    ...program.liveness,
    ...propositionsOf(program), // sound: test/session/murphi-temporal.test.ts
    ...covers,
  ];
  for (const frame of frames) for (const node of nodesIn(frame)) yield* refusalsOf(node, frame, program);
  for (const condition of [...program.assumptions, ...covers]) yield* instanceRefusals(condition, program);
}

/**
 * Evaluation stops at the decisive instance, which hides faults of later ones. This is harmless if a fault violates an invariant, as
 * a false instance does.
 */
function* instanceRefusals(condition: Condition, program: RuleProgram): Generator<Refusal> {
  const why = whyOrdered(condition.condition, undefined, false, condition, program);
  if (why === undefined) return; // sound: test/transforms/symmetry/order.test.ts
  for (const binder of condition.binders)
    if (binder.kind === "values" || binder.kind === "elements")
      for (const scalarset of scalarsetsUnder(nth(condition.slots, binder.slot).type))
        yield { scalarset, why: `the order of instances shows: ${why}`, span: condition.span };
}

type Node = RuleExpr | RuleStatement;

function* refusalsOf(node: Node, frame: Body, program: RuleProgram): Generator<Refusal> {
  const refuse = (type: RuleType, why: string): Refusal[] =>
    scalarsetsIn(type).map((scalarset) => ({ scalarset, why, span: node.span }));
  switch (node.kind) {
    case "clear":
      yield* refuse(node.place.type, "'clear' gives it its first element"); // sound: test/transforms/symmetry/order.test.ts
      break;
    case "constant":
      for (const scalarset of elementsAt(node.type, node.value, node.value))
        yield { scalarset, why: "an element is named", span: node.span };
      break;
    case "is-within":
      if (isSimple(node.place.type))
        for (const scalarset of partsCut(node.place.type, node.low, node.high))
          yield { scalarset, why: "some of its elements are distinguished from others", span: node.span };
      break;
    case "quantified": {
      const { type } = nth(frame.slots, node.slot);
      if (scalarsetsIn(type).length === 0) break;
      const why = whyOrdered(node.body, node.slot, node.isExhaustive, frame, program);
      if (why !== undefined)
        yield* refuse(type, `the order shows in which '${node.op}' goes through it: ${why}`); // sound: test/transforms/symmetry/order.test.ts
      break;
    }
    case "multiset-count":
    case "multiset-remove-if": {
      const why = whyOrdered(node.condition, undefined, true, frame, program);
      if (why === undefined) break;
      for (const scalarset of scalarsetsUnder(node.multiset.type))
        // sound: test/transforms/symmetry/order.test.ts
        yield { scalarset, why: `the order of a multiset's elements shows: ${why}`, span: node.span };
      break;
    }
    case "for": {
      const { type } = nth(frame.slots, node.slot);
      if (scalarsetsIn(type).length === 0) break;
      const why = whyDependent(node, frame, program);
      if (why !== undefined) yield* refuse(type, `the order of a loop over it matters: ${why}`); // sound: test/transforms/symmetry/order.test.ts
      break;
    }
    default:
      break;
  }
}

/** Keeps one refusal per scalarset, and none for unused scalarsets. */
const firstOfEach = (refused: readonly Refusal[], { scalarsets }: RuleProgram): Refusal[] =>
  refused.filter(
    ({ scalarset }, i) =>
      nth(scalarsets, scalarset).name !== undefined &&
      nth(scalarsets, scalarset).size > 1 &&
      refused.findIndex((other) => other.scalarset === scalarset) === i,
  );

/** Scalarsets whose elements occur in values of a type. */
function scalarsetsIn(type: RuleType): number[] {
  switch (type.kind) {
    case "scalarset":
      return [type.scalarset];
    case "union":
      return type.members.flatMap((member) => scalarsetsIn(member.type));
    case "record":
      return type.fields.flatMap((field) => scalarsetsIn(field.type));
    case "array":
    case "multiset":
      return scalarsetsIn(type.element);
    default:
      return [];
  }
}

/** The same, with scalarsets that index a part. */
function scalarsetsUnder(type: RuleType): number[] {
  switch (type.kind) {
    case "record":
      return type.fields.flatMap((field) => scalarsetsUnder(field.type));
    case "array":
      return [...scalarsetsIn(type.index), ...scalarsetsUnder(type.element)];
    case "multiset":
      return scalarsetsUnder(type.element);
    default:
      return scalarsetsIn(type);
  }
}

/** Scalarsets with an element in the range `low … high`. */
function elementsAt(type: SimpleType, low: number, high: number): number[] {
  if (type.kind === "scalarset") return [type.scalarset];
  if (type.kind !== "union") return [];
  return type.members.flatMap(({ type: member, offset }) =>
    member.kind === "scalarset" && low <= offset + member.high && high >= offset ? [member.scalarset] : [],
  );
}

/** Scalarsets with elements both inside and outside the range `low … high`. */
function partsCut(type: SimpleType, low: number, high: number): number[] {
  const members =
    type.kind === "union" ? type.members : type.kind === "scalarset" ? [{ type, offset: 0 }] : [];
  return members.flatMap(({ type: member, offset }) => {
    if (member.kind !== "scalarset") return [];
    const [first, last] = [offset, offset + member.high];
    const isMet = low <= last && high >= first;
    return isMet && (low > first || high < last) ? [member.scalarset] : [];
  });
}
