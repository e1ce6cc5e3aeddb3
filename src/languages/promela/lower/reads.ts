/** Statements between syntax tree and node, and the builder's interface for expansions. */
import type { Span } from "../../../model/diagnostic.js";
import type { Sequence } from "../ast.js";
import type { LabelSymbol, ProcessSymbol, VariableSymbol } from "../check.js";
import type { Context } from "./context.js";
import type { BasicStatement, Chain, Destination, Node } from "./nodes.js";

/** A statement whose inner sequences are built, before it is placed. */
export type Read =
  | BasicRead
  | { readonly kind: "else"; readonly span: Span }
  | { readonly kind: "goto"; readonly span: Span; readonly text: string; readonly destination: Destination }
  | {
      readonly kind: "selection";
      readonly span: Span;
      readonly options: readonly Chain[];
      /** For a loop: the target of `break`. */
      readonly exit: Destination | undefined;
    }
  | { readonly kind: "block" | "atomic" | "step"; readonly span: Span; readonly body: Chain }
  | { readonly kind: "unless"; readonly span: Span; readonly main: Chain; readonly escape: Chain }
  | { readonly kind: "labelled"; readonly labels: readonly LabelSymbol[]; readonly inner: Read }
  | { readonly kind: "end"; readonly span: Span };

export interface BasicRead {
  readonly kind: "basic";
  readonly statement: BasicStatement;
  readonly text: string;
}

export interface Builder {
  readonly context: Context;
  readonly process: ProcessSymbol;
  /** Creates the node of a statement and appends it to the sequence. */
  place(read: Read): Node;
  /** The sequence of the nodes that `fill` places. */
  chainOf(fill: () => void): Chain;
  /** Places the steps between two braces. */
  placeScope(sequence: Sequence): void;
  /** The target of `break` until `closeLoop`. */
  openLoop(): Destination;
  closeLoop(): void;
  /** The hidden counter of loops over channels, shared by loops in the same block, as in Spin. */
  counter(make: () => VariableSymbol): VariableSymbol;
}

export const skipAt = (span: Span): BasicRead => ({
  kind: "basic",
  statement: { kind: "expression", span, expression: { kind: "number", span, value: 1, form: "skip" } },
  text: "skip",
});

/**
 * The step of a declaration after a statement. As in Spin, it assigns only the first element of an array, and nothing
 * of a record.
 */
export function declarationStep(symbol: VariableSymbol, context: Context): Read {
  const { initializer, span } = symbol.declarator;
  const isRecord = symbol.type.kind === "record";
  const target = isRecord ? context.referToNothing(span) : context.refer(symbol, span);
  const given = initializer?.kind === "value" ? initializer.value : undefined;
  const first = initializer?.kind === "list" ? initializer.values[0] : undefined;
  const value = given ?? first ?? ({ kind: "number", span, value: 0, form: "decimal" } as const);
  const text =
    initializer || isRecord ? context.textAt(span) : `${symbol.name}${target.index ? "[0]" : ""} = 0`;
  return { kind: "basic", statement: { kind: "assign", span, target, value, isReturn: false }, text };
}
