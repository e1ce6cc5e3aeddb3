/**
 * The skeleton of a process body: one node for each thing that Spin counts as a state of the body, chained in
 * the order in which they are written.
 *
 * Nodes carry Spin's own state numbers, because they are given in the same order: inner before outer, a
 * selection before its join. So `pc_value` and Spin's reports can be compared with ours.
 * `build.ts` makes the nodes, `atomic.ts`, `escapes.ts` and `joints.ts` mark and connect them, `transitions.ts`
 * reads the transitions off.
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

/** A statement that is one step of a process, whatever it does. */
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
 * - `join`: where the options of a selection, or the two parts of an `unless`, come together. A loop's join is
 *   its entry.
 * - `exit`: what `break` leaves a loop for.
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
  /** Spin's number of this state, from 1. */
  readonly number: number;
  /** An `atomic` inside another becomes a `block`. */
  kind: NodeKind;
  readonly span: Span;
  text: string;
  statement: BasicStatement | undefined;
  /** What follows when nothing jumps. */
  next: Node | undefined;
  /** The options of a selection; the main part and the escape of an `unless`. */
  readonly branches: readonly Chain[];
  /** What stands between the braces of a `block`, `atomic` or `step`. */
  readonly body: Chain | undefined;
  /** Where a `goto` (or a `break`) leads. */
  readonly destination: Destination | undefined;
  /** Escapes that can interrupt this node, the outermost first. */
  readonly escapes: Chain[];
  /** In the order in which they were set: the innermost first. */
  readonly labels: LabelSymbol[];
  /** The process keeps control after this node. */
  keepsControl: boolean;
  /** The last node of an atomic sequence: control may go elsewhere after it. */
  endsAtomic: boolean;
  inStep: boolean;
  /** Its transitions are known already. */
  isEmitted: boolean;
}

/** Nodes between two braces, or those of one option. */
export interface Chain {
  first: Node;
  last: Node;
  /** The last node that is written there: joins that are appended come after it. */
  extent: Node;
}

/** The place of a label, or the exit of a loop: not known yet when the first jump to it is met. */
export interface Destination {
  node: Node | undefined;
}

export function destinationOf(node: Node): Node {
  const target = node.destination?.node;
  if (!target) throw new Error(`the jump at state ${node.number} leads nowhere`);
  return target;
}

/** `skip`, `true` or `1` standing alone. */
export const isSkip = (node: Node): boolean => constantOf(node) === 1;

/** `false` or `0` standing alone. */
export const isNeverTrue = (node: Node): boolean => constantOf(node) === 0;

function constantOf(node: Node): number | undefined {
  if (node.statement?.kind !== "expression") return undefined;
  const { expression } = node.statement;
  return expression.kind === "number" ? expression.value : undefined;
}
