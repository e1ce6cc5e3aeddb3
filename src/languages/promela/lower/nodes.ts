/**
 * Skeleton of a process body: one node for each of Spin's states of the body, chained in textual order.
 *
 * Nodes have Spin's state numbers, because they are created in the same order: inner before outer, a selection before
 * its join. `pc_value` and Spin's reports are therefore comparable. `build.ts` creates the nodes, `atomic.ts`,
 * `escapes.ts` and `joints.ts` mark and connect them, `transitions.ts` derives the transitions.
 */
import type { Span } from "../../../model/diagnostic.js";
import type {
  AssertStatement,
  AssignStatement,
  ExpressionStatement,
  IncrementStatement,
  PrintfStatement,
  PrintmStatement,
  ReceiveStatement,
  SendStatement,
  SetPriorityStatement,
} from "../ast.js";
import type { LabelSymbol } from "../check.js";

export type BasicStatement =
  | AssertStatement
  | AssignStatement
  | ExpressionStatement
  | IncrementStatement
  | PrintfStatement
  | PrintmStatement
  | ReceiveStatement
  | SendStatement
  | SetPriorityStatement;

/**
 * - `join`: where the options of a selection, or the two parts of an `unless`, meet. A loop's join is its entry.
 * - `exit`: the target of `break`.
 * - `end`: the closing brace of the body.
 */
export type NodeKind =
  | "statement"
  | "else"
  | "goto"
  | "join"
  | "exit"
  | "selection"
  | "unless"
  | "block"
  | "atomic"
  | "step"
  | "end";

export interface Node {
  /** Spin's state number, from 1. */
  readonly number: number;
  /** An `atomic` inside another becomes a `block`. */
  kind: NodeKind;
  readonly span: Span;
  text: string;
  statement: BasicStatement | undefined;
  /** Successor in textual order. */
  next: Node | undefined;
  /** The options of a selection; the main part and the escape of an `unless`. */
  readonly branches: readonly Chain[];
  /** The contents of a `block`, `atomic` or `step`. */
  readonly body: Chain | undefined;
  readonly destination: Destination | undefined;
  /** Escapes that can interrupt this node, outermost first. */
  readonly escapes: Chain[];
  /** In order of placement: innermost first. */
  readonly labels: LabelSymbol[];
  keepsControl: boolean;
  /** The last node of an atomic sequence, which releases control. */
  endsAtomic: boolean;
  inStep: boolean;
  /** Its transitions have been emitted. */
  isEmitted: boolean;
}

/** Nodes between two braces, or of one option. */
export interface Chain {
  first: Node;
  last: Node;
  /** The last node before appended joins. */
  extent: Node;
}

/** The node of a label, or the exit of a loop; undefined until it is placed. */
export interface Destination {
  node: Node | undefined;
}

/** The contents of a `block`, `atomic` or `step`. */
export function bodyOf(node: Node): Chain {
  if (!node.body) throw new Error(`the ${node.kind} at state ${node.number} has no body`);
  return node.body;
}

export function destinationOf(node: Node): Node {
  const target = node.destination?.node;
  if (!target) throw new Error(`the jump at state ${node.number} leads nowhere`);
  return target;
}

/** `skip`, `true` or `1` as a statement. */
export const isSkip = (node: Node): boolean => constantOf(node) === 1;

/** `false` or `0` as a statement. */
export const isNeverTrue = (node: Node): boolean => constantOf(node) === 0;

function constantOf(node: Node): number | undefined {
  if (node.statement?.kind !== "expression") return undefined;
  const { expression } = node.statement;
  return expression.kind === "number" ? expression.value : undefined;
}
