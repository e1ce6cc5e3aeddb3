/**
 * Syntax tree of a Promela model, after expansion of macros and inlines.
 *
 * Facts about nodes (symbols, types) are in the maps of `ModelInfo` (`check.ts`), not in the nodes.
 *
 * Invariants:
 * - `span` refers to the user's text. Code from a macro refers to the macro's use; code from an inline refers to the
 *   inline's body, and `expandedFrom` has the calls that led there. An argument of an inline call refers to the
 *   argument in the call.
 * - No node object occurs twice in the tree, with one exception: the target of `x = f(…)` is shared by the assignments
 *   that replace each `return` of `f` (see `AssignStatement`).
 * - Expressions are at most `MAX_DEPTH` operators deep and statements at most `MAX_NESTING` levels, so passes may
 *   recurse (`limits.ts`).
 */
import type { Span } from "../../model/diagnostic.js";
import type { Abstracts } from "./abstract/expand.js";
import type { Macro } from "./macros.js";

export interface Name {
  readonly kind: "name";
  readonly text: string;
  readonly span: Span;
}

/** The call of an inline that a node comes from. */
export interface Expansion {
  readonly inline: string;
  readonly call: Span;
  /** The enclosing call, if inlines call inlines. */
  readonly outer?: Expansion;
}

export interface PromelaModel {
  readonly kind: "model";
  readonly file: string;
  readonly span: Span;
  /** In textual order, which is also the order of process creation and of mtype numbering. */
  readonly units: readonly Unit[];
  /** The macro that the code at a span comes from; keyed by identity of the nodes' `Span` objects. */
  readonly macroUses: ReadonlyMap<Span, MacroUse>;
  /** Global sets and queues, which expressions on the command line may use. */
  readonly abstracts?: Abstracts | undefined;
  /** The macros defined at the end of the text, which expressions on the command line may use. */
  readonly macros: ReadonlyMap<string, Macro>;
}

export interface MacroUse {
  readonly name: string;
  /** Absent if defined on the command line. */
  readonly definedAt?: Span;
}

// ---------------------------------------------------------------------------------------------- units

export type Unit =
  | ProctypeUnit
  | InitUnit
  | NeverUnit
  | TraceUnit
  | LtlUnit
  | TypedefUnit
  | MtypeUnit
  | Declaration
  | EmbeddedC;

export interface ProctypeUnit {
  readonly kind: "proctype";
  readonly span: Span;
  readonly name: Name;
  /** `D_proctype`: claims that at most one option is executable at any time. */
  readonly deterministic: boolean;
  /** Present for `active`; `count` for `active [n]`. */
  readonly active?: { readonly span: Span; readonly count?: Expression };
  readonly parameters: readonly Declaration[];
  readonly priority?: NumberLiteral;
  readonly provided?: Expression;
  readonly body: Sequence;
}

export interface InitUnit {
  readonly kind: "init";
  readonly span: Span;
  readonly priority?: NumberLiteral;
  readonly body: Sequence;
}

export interface NeverUnit {
  readonly kind: "never";
  readonly span: Span;
  readonly name?: Name;
  readonly body: Sequence;
}

/** `trace` or, negated, `notrace`. */
export interface TraceUnit {
  readonly kind: "trace";
  readonly span: Span;
  readonly negated: boolean;
  readonly body: Sequence;
}

export interface LtlUnit {
  readonly kind: "ltl";
  readonly span: Span;
  readonly name?: Name;
  readonly formula: Formula;
}

export interface TypedefUnit {
  readonly kind: "typedef";
  readonly span: Span;
  readonly name: Name;
  readonly fields: readonly Declaration[];
}

/** `mtype = { a, b }` or `mtype:subtype = { a, b }`. */
export interface MtypeUnit {
  readonly kind: "mtypeDeclaration";
  readonly span: Span;
  readonly subtype?: Name;
  /** Declared as `enum`. */
  readonly isEnum?: boolean;
  readonly names: readonly Name[];
}

/** c_code, c_expr, c_decl, c_state, c_track: always an error, so later passes never encounter it. */
export interface EmbeddedC {
  readonly kind: "embeddedC";
  readonly span: Span;
  readonly keyword: string;
  readonly expandedFrom?: Expansion;
}

// --------------------------------------------------------------------------------------- declarations

/** A unit, a parameter group, a field group or a step in a body: `byte a, b[3] = 1`. */
export interface Declaration {
  readonly kind: "declaration";
  readonly span: Span;
  readonly expandedFrom?: Expansion;
  readonly visibility?: "hidden" | "show" | "local";
  readonly type: TypeName;
  readonly variables: readonly Declarator[];
}

export type BasicType = "bit" | "bool" | "byte" | "pid" | "short" | "int" | "unsigned" | "mtype" | "chan";

export type TypeName =
  | { readonly kind: "basicType"; readonly span: Span; readonly name: BasicType; readonly subtype?: Name }
  | { readonly kind: "namedType"; readonly span: Span; readonly name: Name }
  /** `set s = [n] of { E }`: replaced before names are resolved (`abstract/`). */
  | { readonly kind: "abstractType"; readonly span: Span; readonly name: "set" | "queue" };

export interface Declarator {
  readonly kind: "declarator";
  readonly span: Span;
  readonly name: Name;
  /** `: n` of an unsigned. */
  readonly width?: NumberLiteral;
  /** `[n]`. A constant expression, or the name of a variable with a constant initialiser. */
  readonly size?: Expression;
  readonly initializer?: Initializer;
}

export type Initializer =
  | { readonly kind: "value"; readonly span: Span; readonly value: Expression }
  /** `{ 1, 2, 3 }`, for arrays: constants only. */
  | { readonly kind: "list"; readonly span: Span; readonly values: readonly Expression[] }
  | ChannelInitializer;

/** `[capacity] of { type, … }`. */
export interface ChannelInitializer {
  readonly kind: "channel";
  readonly span: Span;
  readonly capacity: Expression;
  readonly fields: readonly TypeName[];
}

// ----------------------------------------------------------------------------------------- statements

/** The steps between braces, or between `::` and the next option. Opens a scope only in `Block`-like statements. */
export interface Sequence {
  readonly kind: "sequence";
  readonly span: Span;
  readonly steps: readonly Statement[];
}

export type Statement =
  | Declaration
  | ExclusiveStatement
  | UnlessStatement
  | LabelledStatement
  | ChoiceStatement
  | ForRangeStatement
  | ForInStatement
  | SelectStatement
  | BlockStatement
  | SendStatement
  | ReceiveStatement
  | AssignStatement
  | IncrementStatement
  | ExpressionStatement
  | ElseStatement
  | BreakStatement
  | GotoStatement
  | PrintfStatement
  | PrintmStatement
  | AssertStatement
  | SetPriorityStatement
  | EmbeddedC;

interface StatementBase {
  readonly span: Span;
  /** Present if the statement is in the body of an inline. */
  readonly expandedFrom?: Expansion;
}

/** `xr q` / `xs q`: only this process receives from / sends to these channels. */
export interface ExclusiveStatement extends StatementBase {
  readonly kind: "exclusive";
  readonly access: "receive" | "send";
  readonly channels: readonly VariableReference[];
}

export interface UnlessStatement extends StatementBase {
  readonly kind: "unless";
  readonly main: Statement;
  readonly escape: Statement;
}

/** `a: b: statement`. Without a statement (`L: }`) it is a `skip`. */
export interface LabelledStatement extends StatementBase {
  readonly kind: "labelled";
  readonly labels: readonly Name[];
  readonly statement?: Statement;
}

/** `if … fi` or `do … od`. */
export interface ChoiceStatement extends StatementBase {
  readonly kind: "if" | "do";
  readonly options: readonly Sequence[];
  /** Parts of the options that `refactorby` names. */
  readonly refactors?: readonly Refactor[];
}

/** `refactorby x, y { :: … }`: the `count` options from `first`. */
export interface Refactor {
  readonly span: Span;
  readonly keys: readonly VariableReference[];
  readonly first: number;
  readonly count: number;
}

export interface ForRangeStatement extends StatementBase {
  readonly kind: "forRange";
  readonly variable: VariableReference;
  readonly from: Expression;
  readonly to: Expression;
  readonly body: Sequence;
}

/** `for (i in array)` or `for (message in channel)`, depending on the symbol of `collection`. */
export interface ForInStatement extends StatementBase {
  readonly kind: "forIn";
  readonly variable: VariableReference;
  readonly collection: VariableReference;
  readonly body: Sequence;
}

export interface SelectStatement extends StatementBase {
  readonly kind: "select";
  readonly variable: VariableReference;
  readonly from: Expression;
  readonly to: Expression;
}

/**
 * `{ … }`, `atomic { … }` or `d_step { … }`. Also a call of an inline: its span is the call, and `inline` identifies it
 * (its steps have it as `expandedFrom`).
 */
export interface BlockStatement extends StatementBase {
  readonly kind: "block" | "atomic" | "dStep";
  readonly body: Sequence;
  readonly inline?: Expansion;
  /** The `x` of `x = f(…)`, resolved outside the block. */
  readonly returnTarget?: VariableReference;
}

export interface SendStatement extends StatementBase {
  readonly kind: "send";
  readonly channel: VariableReference;
  readonly sorted: boolean;
  /** `q!a(b, c)` is `q!a, b, c`. A variable of a record type abbreviates all its fields. */
  readonly arguments: readonly Expression[];
}

export interface ReceiveStatement extends StatementBase {
  readonly kind: "receive";
  readonly channel: VariableReference;
  /** `??`. */
  readonly random: boolean;
  /** `?<…>`: the message stays in the channel. */
  readonly peek: boolean;
  readonly arguments: readonly ReceiveArgument[];
}

/** `eval(e)` or a constant must match; a variable is assigned (`_` discards the field). */
export type ReceiveArgument =
  | { readonly kind: "match"; readonly span: Span; readonly value: Expression }
  | { readonly kind: "bind"; readonly span: Span; readonly variable: VariableReference };

export interface AssignStatement extends StatementBase {
  readonly kind: "assign";
  readonly target: VariableReference;
  readonly value: Expression;
  /** The `return value` of an inline; `target` is the `returnTarget` of the enclosing block, the same object. */
  readonly isReturn: boolean;
}

/** `x++` or `x--`. */
export interface IncrementStatement extends StatementBase {
  readonly kind: "increment";
  readonly target: VariableReference;
  readonly by: 1 | -1;
}

/** A condition, `skip`, `timeout` or `run P()` as a statement. */
export interface ExpressionStatement extends StatementBase {
  readonly kind: "expression";
  readonly expression: Expression;
}

export interface ElseStatement extends StatementBase {
  readonly kind: "else";
}

export interface BreakStatement extends StatementBase {
  readonly kind: "break";
}

export interface GotoStatement extends StatementBase {
  readonly kind: "goto";
  readonly label: Name;
}

export interface PrintfStatement extends StatementBase {
  readonly kind: "printf";
  /**
   * Text between the quotes, with escapes unprocessed: `
   * ` is two characters.
   */
  readonly format: string;
  readonly arguments: readonly Expression[];
}

export interface PrintmStatement extends StatementBase {
  readonly kind: "printm";
  readonly value: Expression;
}

export interface AssertStatement extends StatementBase {
  readonly kind: "assert";
  readonly condition: Expression;
}

export interface SetPriorityStatement extends StatementBase {
  readonly kind: "setPriority";
  readonly process: Expression;
  readonly priority: Expression;
}

// ---------------------------------------------------------------------------------------- expressions

export type Expression =
  | NumberLiteral
  | MtypeConstant
  | VariableReference
  | UnaryExpression
  | BinaryExpression
  | ConditionalExpression
  | RunExpression
  | LenExpression
  | ChannelTest
  | PollExpression
  | ProcessQuery
  | TimeoutExpression
  | NonProgressExpression
  | RemoteLabel
  | RemoteVariable
  | MethodCall
  | EmbeddedC;

/** `s.insert(e)`: a method of a set or queue, replaced before names are resolved (`abstract/`). */
export interface MethodCall {
  readonly kind: "method";
  readonly span: Span;
  readonly object: VariableReference;
  readonly method: Name;
  readonly arguments: readonly Expression[];
}

/** Any constant except an mtype name: a 32-bit signed value, already wrapped. */
export interface NumberLiteral {
  readonly kind: "number";
  readonly span: Span;
  readonly value: number;
  readonly form: "decimal" | "character" | "true" | "false" | "skip";
}

export interface MtypeConstant {
  readonly kind: "mtypeConstant";
  readonly span: Span;
  readonly name: string;
}

/**
 * `a`, `a[i]`, `a.b[i].c`. Also the predefined `_`, `_pid`, `_nr_pr`, `_last`, `_priority`, whose symbol has kind
 * `predefined`.
 */
export interface VariableReference {
  readonly kind: "variable";
  readonly span: Span;
  readonly name: Name;
  readonly index?: Expression;
  readonly fields: readonly FieldAccess[];
}

export interface FieldAccess {
  readonly kind: "field";
  readonly span: Span;
  readonly name: Name;
  readonly index?: Expression;
}

export interface UnaryExpression {
  readonly kind: "unary";
  readonly span: Span;
  readonly operator: "!" | "~" | "-";
  readonly operand: Expression;
}

export type BinaryOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "&"
  | "^"
  | "|"
  | "<<"
  | ">>"
  | "<"
  | "<="
  | ">"
  | ">="
  | "=="
  | "!="
  | "&&"
  | "||";

export interface BinaryExpression {
  readonly kind: "binary";
  readonly span: Span;
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** `(condition -> then : otherwise)`. */
export interface ConditionalExpression {
  readonly kind: "conditional";
  readonly span: Span;
  readonly condition: Expression;
  readonly then: Expression;
  readonly otherwise: Expression;
}

export interface RunExpression {
  readonly kind: "run";
  readonly span: Span;
  readonly proctype: Name;
  readonly arguments: readonly Expression[];
  readonly priority?: NumberLiteral;
}

export interface LenExpression {
  readonly kind: "len";
  readonly span: Span;
  readonly channel: VariableReference;
}

export interface ChannelTest {
  readonly kind: "channelTest";
  readonly span: Span;
  readonly test: "full" | "empty" | "nfull" | "nempty";
  readonly channel: VariableReference;
}

/** `q?[…]` or `q??[…]`. */
export interface PollExpression {
  readonly kind: "poll";
  readonly span: Span;
  readonly channel: VariableReference;
  readonly random: boolean;
  readonly arguments: readonly ReceiveArgument[];
}

/** `enabled(p)`, `pc_value(p)` or `get_priority(p)`. */
export interface ProcessQuery {
  readonly kind: "enabled" | "pcValue" | "getPriority";
  readonly span: Span;
  readonly process: Expression;
}

export interface TimeoutExpression {
  readonly kind: "timeout";
  readonly span: Span;
}

/** `np_`. */
export interface NonProgressExpression {
  readonly kind: "nonProgress";
  readonly span: Span;
}

/** `P[e]@label` or `P@label`. */
export interface RemoteLabel {
  readonly kind: "remoteLabel";
  readonly span: Span;
  readonly proctype: Name;
  readonly index?: Expression;
  readonly label: Name;
}

/** `P[e]:x` or `P:x[i]`. Its variable has no fields. */
export interface RemoteVariable {
  readonly kind: "remoteVariable";
  readonly span: Span;
  readonly proctype: Name;
  readonly index?: Expression;
  readonly variable: VariableReference;
}

// ------------------------------------------------------------------------------------------- formulas

/** A temporal formula. Boolean connectives are always split: the root of an atom is never `!`, `&&` or `||`. */
export type Formula =
  | { readonly kind: "atom"; readonly span: Span; readonly expression: Expression }
  | {
      readonly kind: "not" | "always" | "eventually" | "next";
      readonly span: Span;
      readonly operand: Formula;
    }
  | {
      readonly kind: "and" | "or" | "implies" | "equivalent" | "until" | "weakUntil" | "release";
      readonly span: Span;
      readonly left: Formula;
      readonly right: Formula;
    };
