/**
 * The `RuleProgram`: a system of guarded rules over shared variables, as plain data with source spans.
 *
 * A state is the values of `variables`. A step picks a start state (the first one), or a rule with values for its binders whose
 * guard holds, and runs its body as a whole. Languages make it (`languages/murphi` lowers to it);
 * `compile/rules/interpreter` is the reference semantics, `compile/rules/codegen` the fast one.
 *
 * Always true: names are resolved, constants are folded, each expression is simple and has a type whose bounds contain all
 * its values; it never has the value undefined, since a read of a possibly undefined place names the site of that
 * fault. Indices are positions in the array they name, slots are positions in `Frame.slots`; `NO_SITE` marks
 * an impossible fault. The order of evaluation is the declaration order of the fields, unless stated otherwise.
 */
import type { Span } from "./diagnostic.js";
import type { Site } from "./program.js";
import type { Proposition, TemporalProperty } from "./temporal.js";

export interface RuleProgram {
  readonly name: string;
  /** Indexed by `ScalarsetType.scalarset`. */
  readonly scalarsets: readonly Scalarset[];
  readonly variables: readonly StateVariable[];
  readonly procedures: readonly Procedure[];
  /** Their guards are absent. Equal start states count once. */
  readonly starts: readonly Rule[];
  /** Instances are tried in this order, of one rule the last binder varying fastest. */
  readonly rules: readonly Rule[];
  readonly invariants: readonly Condition[];
  /** A state in which one does not hold is discarded: neither kept nor checked; the step to it counts as fired. */
  readonly assumptions: readonly Condition[];
  readonly covers: readonly Cover[];
  /** Each instance is a separate property: from every kept state, a state that satisfies it is reachable. */
  readonly liveness: readonly Condition[];
  readonly temporal: readonly RuleProperty[];
  readonly sites: readonly Site[];
  readonly deadlock: Deadlock;
  /** Calls inside calls; one more is the fault of the call's `tooDeep`. */
  readonly maxCallDepth: number;
  /** Rounds of one `while`; one more is its fault. */
  readonly maxRounds: number;
}

export const NO_SITE = -1;

/** Takes part in symmetry if it is named and has at least two elements. */
export interface Scalarset {
  /** Undefined for anonymous types. */
  readonly name: string | undefined;
  readonly size: number;
  readonly span: Span;
}

export interface StateVariable {
  readonly name: string;
  readonly type: RuleType;
  readonly span: Span;
}

/**
 * `stuttering`: no rule is enabled, or all enabled rules lead back to the same state. `stuck`: no rule is enabled. A step that a
 * global assumption discards counts as leading elsewhere, a step that a local assumption discards as disabled.
 */
export interface Deadlock {
  readonly mode: "stuttering" | "stuck" | "off";
  /** `NO_SITE` when off. */
  readonly site: number;
}

// ---- types ---------------------------------------------------------------------------------------

export type RuleType = SimpleType | RecordType | ArrayType | MultisetType;

/**
 * Values are the integers `low … high`; every variable of a simple type can also be undefined. Booleans are 0 and 1; enums and scalarsets
 * count their elements from 0; a union counts through its members one after the other.
 */
export type SimpleType = BooleanType | RangeType | EnumType | ScalarsetType | UnionType;

export interface BooleanType {
  readonly kind: "boolean";
  readonly low: 0;
  readonly high: 1;
}

/** Also the type of every arithmetic expression, with the bounds that could be found. */
export interface RangeType {
  readonly kind: "range";
  readonly low: number;
  readonly high: number;
}

export interface EnumType {
  readonly kind: "enum";
  /** Undefined for anonymous types. */
  readonly name: string | undefined;
  readonly members: readonly string[];
  readonly low: 0;
  readonly high: number;
}

export interface ScalarsetType {
  readonly kind: "scalarset";
  readonly scalarset: number;
  readonly low: 0;
  readonly high: number;
}

export interface UnionType {
  readonly kind: "union";
  readonly name: string | undefined;
  /** In order; the values of a member are its own, plus `offset`. */
  readonly members: readonly { readonly type: EnumType | ScalarsetType; readonly offset: number }[];
  readonly low: 0;
  readonly high: number;
}

export interface RecordType {
  readonly kind: "record";
  readonly fields: readonly { readonly name: string; readonly type: RuleType }[];
}

/** Elements in the order of the index values. */
export interface ArrayType {
  readonly kind: "array";
  readonly index: SimpleType;
  readonly element: RuleType;
}

/**
 * A bag of at most `bound` elements: of two states that differ in the order of elements there is one. While a step runs
 * elements have positions `0 … bound - 1`: at its start they fill the first ones, an addition takes the first free one, a removal frees one.
 */
export interface MultisetType {
  readonly kind: "multiset";
  readonly bound: number;
  readonly element: RuleType;
}

// ---- execution -----------------------------------------------------------------------------------

/** Storage of a body besides the state. */
export interface Frame {
  readonly slots: readonly Slot[];
}

/**
 * `value`: a simple value, always defined once it is bound (quantifiers, arguments by value, aliases of values).
 * `variable`: a local variable of any type, undefined at the start of each execution of its body, unless it is a parameter.
 * `reference`: a place, fixed when it is bound (`var` parameters, aliases of places).
 * `element`: a position in a multiset, or dead after `multiset-remove`.
 */
export interface Slot {
  readonly kind: "value" | "variable" | "reference" | "element";
  readonly name: string;
  /** Of an element: the element's type. */
  readonly type: RuleType;
  /** Of a variable or reference: nothing in the body can write it. */
  readonly isReadOnly: boolean;
}

export interface Rule extends Frame {
  /** As the user wrote it; undefined for an unnamed one. */
  readonly name: string | undefined;
  /** From 1 on, rules and start states counted apart. */
  readonly number: number;
  /** Parameters and aliases around the rule, the outermost first. */
  readonly binders: readonly Binder[];
  /** Undefined: always enabled. A fault in it is a fault of the state, independently of other rules. */
  readonly guard: RuleExpr | undefined;
  readonly body: readonly RuleStatement[];
  readonly span: Span;
}

export type Binder =
  /** An instance for each of `low, low + step, …` up to `high` (down to it, if the step is negative). Shown to the user. */
  | {
      readonly kind: "values";
      readonly slot: number;
      readonly low: number;
      readonly high: number;
      readonly step: number;
    }
  /** An instance for each present element, including equal ones. */
  | { readonly kind: "elements"; readonly slot: number; readonly multiset: Place }
  | BindStatement
  | ReferStatement;

/** All instances must hold together, except of `liveness`; of covers one is enough. */
export interface Condition extends Frame {
  /** Unique among all properties. */
  readonly name: string;
  readonly binders: readonly Binder[];
  readonly condition: RuleExpr;
  readonly span: Span;
}

/** To be met at least once: some instance in some kept state, or, where there is no condition, a `cover` statement that names it. */
export interface Cover {
  readonly name: string;
  readonly condition: Condition | undefined;
  readonly span: Span;
}

/** A property of all infinite executions from each start state. */
export interface RuleProperty extends TemporalProperty {
  readonly propositions: readonly RuleProposition[];
  /** The site of the fault that a function in a proposition assumes something that is false. */
  readonly rejected: number;
}

export interface RuleProposition extends Proposition {
  /** Has no binders. */
  readonly condition: Condition;
}

export const propositionsOf = ({ temporal }: RuleProgram): Condition[] =>
  temporal.flatMap(({ propositions }) => propositions.map(({ condition }) => condition));

/** Conditions that need not hold in every state, but must have a value there: a fault in one is a fault of the model. */
export const goalsOf = (program: RuleProgram): Condition[] => [
  ...program.covers.flatMap(({ condition }) => condition ?? []),
  ...program.liveness,
  ...propositionsOf(program),
];

/** May call itself and earlier functions. */
export interface Procedure extends Frame {
  readonly name: string;
  /** They are in the first slots, in order. */
  readonly parameters: readonly Parameter[];
  /** Undefined for one without a result. */
  readonly result: SimpleType | undefined;
  readonly body: readonly RuleStatement[];
  /** Site of a missing result; `NO_SITE` if impossible or not required. */
  readonly noResult: number;
  /** Writes nothing but its own slots, prints nothing. */
  readonly isPure: boolean;
  readonly span: Span;
}

/** `value`: a simple value (slot kind `value`); `copy`: any value, undefined parts included (slot `variable`); `reference`: slot `reference`. */
export interface Parameter {
  readonly kind: "value" | "copy" | "reference";
  readonly type: RuleType;
}

// ---- places --------------------------------------------------------------------------------------

export interface Place {
  readonly root: PlaceRoot;
  readonly path: readonly PathStep[];
  readonly type: RuleType;
  readonly span: Span;
}

export type PlaceRoot =
  | { readonly kind: "state"; readonly variable: number }
  /** A slot of kind `variable`, or of kind `reference` for its referent. */
  | { readonly kind: "slot"; readonly slot: number };

export type PathStep =
  | { readonly kind: "field"; readonly field: number }
  /** `site`: the index has a value that the array has not. */
  | { readonly kind: "index"; readonly array: ArrayType; readonly index: RuleExpr; readonly site: number }
  /** The element of a multiset denoted by the slot; `site`: it was removed. */
  | {
      readonly kind: "element";
      readonly multiset: MultisetType;
      readonly slot: number;
      readonly site: number;
    };

// ---- expressions ---------------------------------------------------------------------------------

export type RuleExpr =
  | { readonly kind: "constant"; readonly type: SimpleType; readonly value: number; readonly span: Span }
  /** A slot of kind `value`. */
  | { readonly kind: "slot"; readonly type: SimpleType; readonly slot: number; readonly span: Span }
  /** `site`: it is undefined. */
  | {
      readonly kind: "read";
      readonly type: SimpleType;
      readonly place: Place;
      readonly site: number;
      readonly span: Span;
    }
  | {
      readonly kind: "unary";
      readonly op: "-" | "!" | "~";
      readonly type: SimpleType;
      readonly operand: RuleExpr;
      readonly span: Span;
    }
  | {
      readonly kind: "binary";
      readonly op: RuleOperator;
      readonly type: SimpleType;
      readonly left: RuleExpr;
      readonly right: RuleExpr;
      /** Division by zero, or a result that is not a safe integer. */
      readonly site: number;
      readonly span: Span;
    }
  /** `and`: the right one only if the left one holds; `or`: if it does not; `implies`: if it does. */
  | {
      readonly kind: "logical";
      readonly op: "and" | "or" | "implies";
      readonly type: BooleanType;
      readonly left: RuleExpr;
      readonly right: RuleExpr;
      readonly span: Span;
    }
  | {
      readonly kind: "conditional";
      readonly type: SimpleType;
      readonly condition: RuleExpr;
      readonly then: RuleExpr;
      readonly otherwise: RuleExpr;
      readonly span: Span;
    }
  | {
      readonly kind: "quantified";
      readonly op: "forall" | "exists";
      readonly type: BooleanType;
      readonly slot: number;
      readonly over: Iteration;
      readonly body: RuleExpr;
      /** Evaluated for all values, so that no order of the values hides a fault; otherwise up to the decisive value. */
      readonly isExhaustive: boolean;
      readonly span: Span;
    }
  | { readonly kind: "is-undefined"; readonly type: BooleanType; readonly place: Place; readonly span: Span }
  /** Are all parts equal, two undefined ones being equal? Any type without multisets; of both places the same number of parts. */
  | {
      readonly kind: "same";
      readonly type: BooleanType;
      readonly left: Place;
      readonly right: Place;
      readonly isNegated: boolean;
      readonly span: Span;
    }
  /** Is the place defined and equal to the value? An undefined place is not a fault. */
  | {
      readonly kind: "has-value";
      readonly type: BooleanType;
      readonly place: Place;
      /** Added to the value of the place before the comparison: between a union and its member. */
      readonly offset: number;
      readonly value: RuleExpr;
      readonly isNegated: boolean;
      readonly span: Span;
    }
  /** Is the value `low … high`? `site`: it is undefined; without a site undefined is not. */
  | {
      readonly kind: "is-within";
      readonly type: BooleanType;
      readonly place: Place;
      readonly low: number;
      readonly high: number;
      readonly site: number;
      readonly span: Span;
    }
  /** Between a union and its members: the value plus `offset`. `site`: the result is not one of `type`. */
  | {
      readonly kind: "convert";
      readonly type: SimpleType;
      readonly operand: RuleExpr;
      readonly offset: number;
      readonly site: number;
      readonly span: Span;
    }
  | ({ readonly kind: "call"; readonly type: SimpleType } & Call)
  /** How many elements satisfy the condition, in which `slot` is the element. */
  | {
      readonly kind: "multiset-count";
      readonly type: RangeType;
      readonly multiset: Place;
      readonly slot: number;
      readonly condition: RuleExpr;
      readonly span: Span;
    };

/**
 * On integers `+ - * / %` (division towards zero, the remainder has the dividend's sign), `& | ^` bit by bit, shifts (by a negative count
 * the other way, by too many bits to 0), `< <= > >=`; on two values that count alike `== !=`.
 */
export type RuleOperator =
  "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>" | "<" | "<=" | ">" | ">=" | "==" | "!=";

export type Iteration =
  /** Ascending. */
  | { readonly kind: "values"; readonly low: number; readonly high: number }
  /**
   * `from, from + step, …` while not beyond `to`; all three are evaluated once. `site`: the step is zero. `wrongWay`: the step leads away
   * from `to`; without a site the loop then has no iterations.
   */
  | {
      readonly kind: "steps";
      readonly from: RuleExpr;
      readonly to: RuleExpr;
      readonly step: RuleExpr;
      readonly site: number;
      readonly wrongWay: number;
    };

export interface Call {
  readonly procedure: number;
  /** Evaluated in order, before the body runs. */
  readonly arguments: readonly Argument[];
  readonly tooDeep: number;
  readonly span: Span;
}

export type Argument =
  /** Of a simple type, for a parameter of kind `value` or `copy`. `site`: outside the parameter's range. */
  | { readonly kind: "value"; readonly value: RuleExpr; readonly site: number }
  /** As by `copy`. */
  | { readonly kind: "copy"; readonly place: Place; readonly site: number }
  | { readonly kind: "reference"; readonly place: Place }
  /** For a parameter of kind `copy`. */
  | { readonly kind: "undefined" };

// ---- statements ----------------------------------------------------------------------------------

export type RuleStatement =
  | BindStatement
  | ReferStatement
  /** The value, then the target's indices, then the range (`site`), then the write. */
  | {
      readonly kind: "assign";
      readonly value: RuleExpr;
      readonly target: Place;
      readonly site: number;
      readonly span: Span;
    }
  /**
   * Copies all parts, including undefined ones; the types are equal up to ranges. Evaluates the source's indices, then the target's, then reads the
   * source. `site`: a part is outside its target's range. For simple types between a union and its member, `offset` is added.
   */
  | {
      readonly kind: "copy";
      readonly source: Place;
      readonly target: Place;
      readonly offset: number;
      readonly site: number;
      readonly span: Span;
    }
  /** Every part gets its least value; multisets become empty. */
  | { readonly kind: "clear"; readonly place: Place; readonly span: Span }
  /** Every part becomes undefined; multisets become empty. */
  | { readonly kind: "undefine"; readonly place: Place; readonly span: Span }
  /** The first branch whose condition holds; conditions after it are not evaluated. */
  | {
      readonly kind: "if";
      readonly branches: readonly { readonly condition: RuleExpr; readonly body: readonly RuleStatement[] }[];
      readonly otherwise: readonly RuleStatement[];
      readonly span: Span;
    }
  | {
      readonly kind: "for";
      readonly slot: number;
      readonly over: Iteration;
      readonly body: readonly RuleStatement[];
      readonly span: Span;
    }
  /** `site`: too many iterations. */
  | {
      readonly kind: "while";
      readonly condition: RuleExpr;
      readonly body: readonly RuleStatement[];
      readonly site: number;
      readonly span: Span;
    }
  /** A result is dropped. */
  | ({ readonly kind: "call" } & Call)
  | { readonly kind: "assert"; readonly condition: RuleExpr; readonly site: number; readonly span: Span }
  /** If it does not hold, the rule instance counts as not enabled, the start state as not there. */
  | { readonly kind: "assume"; readonly condition: RuleExpr; readonly span: Span }
  | { readonly kind: "cover"; readonly condition: RuleExpr; readonly cover: number; readonly span: Span }
  | { readonly kind: "error"; readonly site: number; readonly span: Span }
  /** For people only: no search prints. An expression is evaluated all the same; a place may be undefined. */
  | { readonly kind: "put"; readonly what: string | RuleExpr | Place; readonly span: Span }
  /** Leaves the procedure, rule or start state. `site`: the value is outside the result's range. */
  | {
      readonly kind: "return";
      readonly value: RuleExpr | undefined;
      readonly site: number;
      readonly span: Span;
    }
  /** `site`: the multiset has no room; `range`: a part is outside its range. */
  | {
      readonly kind: "multiset-add";
      readonly element: Place;
      readonly multiset: Place;
      readonly site: number;
      readonly range: number;
      readonly span: Span;
    }
  /** The slot is dead from here on. `site`: the element was removed before. */
  | {
      readonly kind: "multiset-remove";
      readonly slot: number;
      readonly multiset: Place;
      readonly site: number;
      readonly span: Span;
    }
  /** Removes the elements that satisfy the condition, in which `slot` is the element; all are judged before one is removed. */
  | {
      readonly kind: "multiset-remove-if";
      readonly slot: number;
      readonly multiset: Place;
      readonly condition: RuleExpr;
      readonly span: Span;
    };

/** The slot, of kind `value`, gets a value. */
export interface BindStatement {
  readonly kind: "bind";
  readonly slot: number;
  readonly value: RuleExpr;
  readonly span: Span;
}

/** The slot, of kind `reference`, denotes the place from here on: its indices are evaluated now. */
export interface ReferStatement {
  readonly kind: "refer";
  readonly slot: number;
  readonly place: Place;
  readonly span: Span;
}

/** Number of values of a simple type. */
export const valuesOf = ({ low, high }: SimpleType): number => high - low + 1;

export const isSimple = (type: RuleType): type is SimpleType =>
  type.kind !== "record" && type.kind !== "array" && type.kind !== "multiset";
