/** Which scalarsets may be renamed, and why others may not. */
import type { Span } from "../../model/diagnostic.js";
import {
  isSimple,
  type Condition,
  type Frame,
  type RuleExpr,
  type RuleProgram,
  type RuleStatement,
  type RuleType,
  type SimpleType,
} from "../../model/rules.js";
import { whyDependent } from "./loops.js";
import { nodesIn } from "./walk.js";

export interface SymmetryPlan {
  /** By number. */
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

/** Is the condition true in a state if and only if it is in every renamed one? Its instances for elements are not. */
export const isSymmetric = (condition: Condition, scalarsets: readonly number[]): boolean =>
  condition.binders.every(
    (binder) =>
      binder.kind !== "values" ||
      scalarsetsIn(condition.slots[binder.slot]!.type).every((number) => !scalarsets.includes(number)),
  );

function* refusals(program: RuleProgram): Generator<Refusal> {
  const frames: (Frame & { readonly body: readonly RuleStatement[] })[] = [
    ...program.procedures,
    ...program.starts,
    ...program.rules,
  ];
  for (const frame of frames) for (const node of nodesIn(frame)) yield* refusalsOf(node, frame, program);
  const conditions = [
    ...program.invariants,
    ...program.assumptions,
    ...program.liveness,
    ...program.covers.flatMap(({ condition }) => (condition ? [condition] : [])),
  ];
  for (const frame of conditions) for (const node of nodesIn(frame)) yield* refusalsOf(node, frame, program);
}

type Node = RuleExpr | RuleStatement;

function* refusalsOf(
  node: Node,
  frame: Frame & { readonly body?: readonly RuleStatement[] },
  program: RuleProgram,
): Generator<Refusal> {
  const refuse = (type: RuleType, why: string): Refusal[] =>
    scalarsetsIn(type).map((scalarset) => ({ scalarset, why, span: node.span }));
  switch (node.kind) {
    case "clear":
      yield* refuse(node.place.type, "'clear' gives it its first element");
      break;
    case "constant":
      for (const scalarset of elementsAt(node.type, node.value, node.value))
        yield { scalarset, why: "an element is named", span: node.span };
      break;
    case "is-within":
      if (isSimple(node.place.type))
        for (const scalarset of partsCut(node.place.type, node.low, node.high))
          yield { scalarset, why: "some of its elements are told from others", span: node.span };
      break;
    case "quantified": {
      const { type } = frame.slots[node.slot]!;
      if (!node.isExhaustive && canFail(node.body))
        yield* refuse(type, `'${node.op}' may stop before it meets an error`);
      break;
    }
    case "for": {
      const { type } = frame.slots[node.slot]!;
      if (scalarsetsIn(type).length === 0) break;
      const why = whyDependent(node, frame.body ?? [], program);
      if (why !== undefined) yield* refuse(type, `the order of a loop over it matters: ${why}`);
      break;
    }
    default:
      break;
  }
}

/** One refusal a scalarset is enough, and one that takes part in nothing needs none. */
const firstOfEach = (refused: readonly Refusal[], { scalarsets }: RuleProgram): Refusal[] =>
  refused.filter(
    ({ scalarset }, i) =>
      scalarsets[scalarset]!.name !== undefined &&
      scalarsets[scalarset]!.size > 1 &&
      refused.findIndex((other) => other.scalarset === scalarset) === i,
  );

/** Scalarsets whose elements are among the values, or the parts of values, of a type. */
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

/** Scalarsets with an element among the values `low … high`. */
function elementsAt(type: SimpleType, low: number, high: number): number[] {
  if (type.kind === "scalarset") return [type.scalarset];
  if (type.kind !== "union") return [];
  return type.members.flatMap(({ type: member, offset }) =>
    member.kind === "scalarset" && low <= offset + member.high && high >= offset ? [member.scalarset] : [],
  );
}

/** Scalarsets of which some elements are among the values `low … high` and some are not. */
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

/** Can evaluating it be a fault? What functions do is looked into by whoever made the program, who says so by making it exhaustive. */
function canFail(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(canFail);
  if (typeof part !== "object" || part === null) return false;
  return ("site" in part && (part.site as number) >= 0) || Object.values(part).some(canFail);
}
