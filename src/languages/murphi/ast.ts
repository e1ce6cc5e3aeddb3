/** Syntax tree of a Murphi model, before name resolution. */
import type { Span } from "../../model/diagnostic.js";

export interface Name {
  readonly text: string;
  readonly span: Span;
}

export type Unit = Declaration | ProcedureUnit | RuleUnit;

export type Declaration =
  | {
      readonly kind: "const";
      readonly names: readonly Name[];
      readonly value: Expression;
      readonly span: Span;
    }
  | {
      readonly kind: "type";
      readonly names: readonly Name[];
      readonly type: TypeExpression;
      readonly span: Span;
    }
  | {
      readonly kind: "var";
      readonly names: readonly Name[];
      readonly type: TypeExpression;
      readonly span: Span;
    };

export interface ProcedureUnit {
  readonly kind: "procedure";
  readonly name: Name;
  readonly formals: readonly Formal[];
  readonly result: TypeExpression | undefined;
  readonly declarations: readonly Declaration[];
  readonly body: readonly Statement[];
  readonly span: Span;
}

export interface Formal {
  readonly isVar: boolean;
  readonly names: readonly Name[];
  readonly type: TypeExpression;
}

export type RuleUnit =
  | {
      readonly kind: "rule" | "startstate";
      readonly name: string | undefined;
      readonly guard: Expression | undefined;
      readonly declarations: readonly Declaration[];
      readonly body: readonly Statement[];
      readonly span: Span;
    }
  | PropertyNode
  | FormulaUnit
  | {
      readonly kind: "ruleset";
      readonly quantifiers: readonly Quantifier[];
      readonly rules: readonly RuleUnit[];
      readonly span: Span;
    }
  | {
      readonly kind: "aliasRules";
      readonly aliases: readonly AliasNode[];
      readonly rules: readonly RuleUnit[];
      readonly span: Span;
    }
  | {
      readonly kind: "choose";
      readonly name: Name;
      readonly multiset: Designator;
      readonly rules: readonly RuleUnit[];
      readonly span: Span;
    };

export interface PropertyNode {
  readonly kind: "property";
  readonly category: "invariant" | "assert" | "assume" | "cover" | "liveness";
  readonly message: string | undefined;
  readonly condition: Expression;
  readonly span: Span;
}

export interface FormulaUnit {
  readonly kind: "ltl";
  readonly name: string | undefined;
  readonly formula: Formula;
  readonly span: Span;
}

/** Maximal subformulas without temporal operators are conditions. */
export type Formula = Expression | TemporalNode;

export type TemporalNode =
  | { readonly kind: TemporalUnary; readonly operand: Formula; readonly span: Span }
  | { readonly kind: TemporalBinary; readonly left: Formula; readonly right: Formula; readonly span: Span };

export type TemporalUnary = "not" | "always" | "eventually" | "next";
export type TemporalBinary = "and" | "or" | "implies" | "equivalent" | "until" | "release" | "weak-until";

export type Quantifier =
  | { readonly kind: "over"; readonly name: Name; readonly type: TypeExpression; readonly span: Span }
  | {
      readonly kind: "steps";
      readonly name: Name;
      readonly from: Expression;
      readonly to: Expression;
      readonly by: Expression | undefined;
      readonly span: Span;
    };

export interface AliasNode {
  readonly name: Name;
  readonly value: Expression;
  readonly span: Span;
}

export type TypeExpression =
  | { readonly kind: "boolean"; readonly span: Span }
  | { readonly kind: "named"; readonly name: Name; readonly span: Span }
  | { readonly kind: "range"; readonly low: Expression; readonly high: Expression; readonly span: Span }
  | { readonly kind: "enum"; readonly members: readonly Name[]; readonly span: Span }
  | {
      readonly kind: "record";
      readonly fields: readonly { readonly names: readonly Name[]; readonly type: TypeExpression }[];
      readonly span: Span;
    }
  | {
      readonly kind: "array";
      readonly index: TypeExpression;
      readonly element: TypeExpression;
      readonly span: Span;
    }
  | { readonly kind: "scalarset"; readonly size: Expression; readonly span: Span }
  | { readonly kind: "union"; readonly members: readonly TypeExpression[]; readonly span: Span }
  | {
      readonly kind: "multiset";
      readonly bound: Expression;
      readonly element: TypeExpression;
      readonly span: Span;
    };

export interface Designator {
  readonly kind: "designator";
  readonly name: Name;
  readonly path: readonly DesignatorStep[];
  readonly span: Span;
}

export type DesignatorStep =
  | { readonly kind: "field"; readonly name: Name }
  | { readonly kind: "index"; readonly index: Expression; readonly span: Span };

export type Expression =
  | Designator
  /** `isOctal`: has a leading zero, which one dialect reads as octal. */
  | { readonly kind: "number"; readonly value: number; readonly isOctal: boolean; readonly span: Span }
  | { readonly kind: "boolean"; readonly value: boolean; readonly span: Span }
  | {
      readonly kind: "unary";
      readonly op: "!" | "-" | "+" | "~";
      readonly operand: Expression;
      readonly span: Span;
    }
  | {
      readonly kind: "binary";
      readonly op: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
      readonly span: Span;
    }
  | {
      readonly kind: "conditional";
      readonly condition: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
      readonly span: Span;
    }
  | CallNode
  | {
      readonly kind: "quantified";
      readonly op: "forall" | "exists";
      readonly quantifiers: readonly Quantifier[];
      readonly body: Expression;
      readonly span: Span;
    }
  | { readonly kind: "isundefined"; readonly operand: Designator; readonly span: Span }
  | {
      readonly kind: "ismember";
      readonly operand: Designator;
      readonly type: TypeExpression;
      readonly span: Span;
    }
  | {
      readonly kind: "multisetcount";
      readonly name: Name;
      readonly multiset: Designator;
      readonly condition: Expression;
      readonly span: Span;
    };

export type BinaryOperator =
  | "->"
  | "||"
  | "&&"
  | "|"
  | "^"
  | "&"
  | "<"
  | "<="
  | "="
  | "!="
  | ">="
  | ">"
  | "<<"
  | ">>"
  | "+"
  | "-"
  | "*"
  | "/"
  | "%";

export interface CallNode {
  readonly kind: "call";
  readonly name: Name;
  readonly arguments: readonly Actual[];
  readonly span: Span;
}

export type Actual = Expression | { readonly kind: "undefined"; readonly span: Span };

export type Statement =
  | { readonly kind: "assign"; readonly target: Designator; readonly value: Actual; readonly span: Span }
  | {
      readonly kind: "if";
      readonly branches: readonly { readonly condition: Expression; readonly body: readonly Statement[] }[];
      readonly otherwise: readonly Statement[];
      readonly span: Span;
    }
  | {
      readonly kind: "switch";
      readonly subject: Expression;
      readonly cases: readonly {
        readonly labels: readonly Expression[];
        readonly body: readonly Statement[];
      }[];
      readonly otherwise: readonly Statement[];
      readonly span: Span;
    }
  | {
      readonly kind: "for";
      readonly quantifiers: readonly Quantifier[];
      readonly body: readonly Statement[];
      readonly span: Span;
    }
  | {
      readonly kind: "while";
      readonly condition: Expression;
      readonly body: readonly Statement[];
      readonly span: Span;
    }
  | {
      readonly kind: "alias";
      readonly aliases: readonly AliasNode[];
      readonly body: readonly Statement[];
      readonly span: Span;
    }
  | CallNode
  | { readonly kind: "clear" | "undefine"; readonly target: Designator; readonly span: Span }
  | { readonly kind: "error"; readonly message: string; readonly span: Span }
  | PropertyNode
  | { readonly kind: "put"; readonly what: string | Expression; readonly span: Span }
  | { readonly kind: "return"; readonly value: Expression | undefined; readonly span: Span }
  | {
      readonly kind: "multisetadd";
      readonly element: Designator;
      readonly multiset: Designator;
      readonly span: Span;
    }
  | {
      readonly kind: "multisetremove";
      readonly name: Name;
      readonly multiset: Designator;
      readonly span: Span;
    }
  | {
      readonly kind: "multisetremovepred";
      readonly name: Name;
      readonly multiset: Designator;
      readonly condition: Expression;
      readonly span: Span;
    };

export type StatementOf<K extends Statement["kind"]> = Statement & { kind: K };
