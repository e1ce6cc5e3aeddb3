/** Syntax tree of message-passing programs. */
import type { Span } from "../../model/diagnostic.js";
import type { DomainChoiceNode, Named, PolicyNode, PropertyNode } from "../toolkit/provenance/ast.js";

export type Declaration =
  | { readonly kind: "messages"; readonly names: readonly Named[] }
  | { readonly kind: "channels"; readonly names: readonly Named[] }
  | OperationNode
  | PrincipalNode
  | DomainNode
  | DomainChoiceNode
  | PropertyNode;

export interface OperationNode {
  readonly kind: "operation";
  readonly name: Named;
  readonly images: readonly { readonly from: Named; readonly to: Named }[];
  /** Successor of all classes not listed; `same` is undefined. Absent if every class must be listed. */
  readonly others: { readonly to: Named | undefined } | undefined;
}

export interface PrincipalNode {
  readonly kind: "principal";
  readonly span: Span;
  readonly name: Named;
  readonly variables: readonly Named[];
  readonly body: readonly Statement[];
}

export interface DomainNode {
  readonly kind: "domain";
  readonly span: Span;
  readonly name: Named;
  readonly initial: readonly Named[];
  readonly steps: readonly DomainStepNode[];
}

export interface DomainStepNode {
  readonly from: Named;
  readonly event: "send" | "receive" | "operation";
  /** A principal or an operation; undefined matches any. */
  readonly by: Named | undefined;
  readonly to: Named;
}

export type Statement =
  | { readonly kind: "loop"; readonly body: readonly Statement[] }
  | { readonly kind: "choose"; readonly branches: readonly (readonly Statement[])[] }
  | {
      readonly kind: "if";
      readonly condition: Condition;
      readonly then: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | { readonly kind: "assign"; readonly span: Span; readonly target: Named; readonly value: Value }
  | {
      readonly kind: "send" | "receive";
      readonly span: Span;
      readonly channel: Named;
      readonly variable: Named;
    }
  | { readonly kind: "assume"; readonly span: Span; readonly condition: Condition }
  | { readonly kind: "spawn"; readonly span: Span; readonly principal: Named }
  | { readonly kind: "skip"; readonly span: Span }
  | { readonly kind: "halt" | "break"; readonly span: Span }
  | { readonly kind: "labelled"; readonly label: Named; readonly statement: Statement };

/** `NAME`, or `NAME(argument)`. */
export interface Value {
  readonly name: Named;
  readonly argument: Named | undefined;
}

export type Condition =
  | {
      readonly kind: "message";
      readonly span: Span;
      readonly variable: Named;
      readonly isEqual: boolean;
      readonly message: Named;
    }
  | {
      readonly kind: "provenance";
      readonly span: Span;
      readonly variable: Named;
      readonly isMember: boolean;
      readonly policy: PolicyNode;
    };
