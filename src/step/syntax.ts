/** The syntax trees of step code. Every value is a 32-bit integer: a number, a truth value, or the address of an array or record. */

export type Expr =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "unary"; readonly op: "-" | "~" | "!"; readonly operand: Expr }
  | { readonly kind: "binary"; readonly op: BinaryOp; readonly left: Expr; readonly right: Expr }
  | { readonly kind: "logical"; readonly op: "&&" | "||"; readonly left: Expr; readonly right: Expr }
  | {
      readonly kind: "conditional";
      readonly test: Expr;
      readonly then: Expr;
      readonly otherwise: Expr;
    }
  | {
      readonly kind: "assign";
      readonly op: BinaryOp | undefined;
      readonly target: Target;
      readonly value: Expr;
    }
  /** `x++` and `--x`: `isPrefix` selects its value. */
  | { readonly kind: "update"; readonly by: 1 | -1; readonly isPrefix: boolean; readonly target: Target }
  | Index
  | Member
  | { readonly kind: "call"; readonly callee: Name | Member; readonly arguments: readonly Expr[] }
  | { readonly kind: "sequence"; readonly parts: readonly Expr[] }
  /** The words of a table; an element that is a list itself is the address of another table. */
  | { readonly kind: "list"; readonly elements: readonly Expr[] }
  /** `length` words, initially zero. */
  | { readonly kind: "array"; readonly length: Expr };

export interface Name {
  readonly kind: "name";
  readonly name: string;
}
export interface Index {
  readonly kind: "index";
  readonly array: Expr;
  readonly index: Expr;
}
export interface Member {
  readonly kind: "member";
  readonly of: Name;
  readonly field: string;
}
export type Target = Name | Index | Member;

export type BinaryOp =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "&"
  | "|"
  | "^"
  | "<<"
  | ">>"
  | ">>>"
  | "==="
  | "!=="
  | "<"
  | "<="
  | ">"
  | ">=";

export type Statement =
  | { readonly kind: "expression"; readonly expr: Expr }
  | { readonly kind: "declare"; readonly variables: readonly Variable[] }
  | {
      readonly kind: "if";
      readonly test: Expr;
      readonly then: Statement;
      readonly otherwise: Statement | undefined;
    }
  | {
      readonly kind: "loop";
      readonly first: Statement | undefined;
      readonly test: Expr | undefined;
      readonly next: Expr | undefined;
      readonly body: Statement;
    }
  | { readonly kind: "switch"; readonly subject: Expr; readonly cases: readonly Case[] }
  | { readonly kind: "label"; readonly label: string; readonly body: Statement }
  | { readonly kind: "leave"; readonly how: "break" | "continue"; readonly label: string | undefined }
  | { readonly kind: "return"; readonly value: Expr | undefined }
  | { readonly kind: "block"; readonly body: readonly Statement[] };

export interface Variable {
  readonly name: string;
  readonly value: Expr | undefined;
}

export interface Case {
  /** Undefined: `default`. */
  readonly value: Expr | undefined;
  readonly body: readonly Statement[];
}

export interface FunctionText {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: readonly Statement[];
}

export interface Module {
  readonly functions: ReadonlyMap<string, FunctionText>;
  readonly variables: readonly Variable[];
  /** Run once, before anything else. */
  readonly start: readonly Statement[];
}

/** The text is not step code, or its memory is exhausted: run it as JavaScript. */
export class NotStepCode extends Error {
  override readonly name = "NotStepCode";
}
