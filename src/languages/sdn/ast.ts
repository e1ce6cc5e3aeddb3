/** Syntax tree of `.sdn` files. */
import type { Span } from "../../model/diagnostic.js";

export interface Name {
  readonly text: string;
  readonly span: Span;
}

export type Declaration =
  | TopologyFile
  | NetworkDeclaration
  | PacketDeclaration
  | { readonly kind: "type"; readonly name: Name; readonly type: TypeExpression }
  | { readonly kind: "const"; readonly name: Name; readonly value: Expression }
  | BehaviourDeclaration
  | ControllerDeclaration
  | EventDeclaration
  | PropertyDeclaration
  | { readonly kind: "options"; readonly options: readonly OptionSetting[]; readonly span: Span };

/** `topology "campus.json";` */
export interface TopologyFile {
  readonly kind: "topology";
  readonly path: string;
  readonly span: Span;
}

export interface NetworkDeclaration {
  readonly kind: "network";
  readonly name: Name;
  readonly items: readonly NetworkItem[];
  readonly span: Span;
}

export type NetworkItem =
  | { readonly kind: "switch"; readonly names: readonly Name[]; readonly ports: PortRange }
  | {
      readonly kind: "client";
      readonly names: readonly Name[];
      readonly group: Name | undefined;
      readonly ports: PortRange | undefined;
      /** Clients that it sends to; absent: all others. */
      readonly contacts?: readonly Name[];
    }
  | {
      readonly kind: "link";
      readonly ends: readonly [EndpointName, EndpointName];
      readonly mayFail: boolean;
      readonly span: Span;
    };

export interface PortRange {
  readonly low: number;
  readonly high: number;
  readonly span: Span;
}

export interface EndpointName {
  readonly node: Name;
  readonly port: number;
  readonly span: Span;
}

export interface PacketDeclaration {
  readonly kind: "packet";
  readonly fields: readonly { readonly name: Name; readonly type: TypeExpression }[];
  readonly tracksVisited: boolean;
  readonly span: Span;
}

export type TypeExpression =
  | { readonly kind: "bool" | "client" | "switch" | "port"; readonly span: Span }
  | { readonly kind: "range"; readonly low: number; readonly high: number; readonly span: Span }
  | { readonly kind: "enum"; readonly values: readonly Name[]; readonly span: Span }
  | { readonly kind: "set"; readonly of: TypeExpression; readonly span: Span }
  | {
      readonly kind: "map";
      readonly keys: readonly TypeExpression[];
      readonly of: TypeExpression;
      readonly span: Span;
    }
  | { readonly kind: "named"; readonly name: Name; readonly span: Span };

export interface BehaviourDeclaration {
  readonly kind: "behaviour";
  /** Clients by name, or all of a kind. */
  readonly clients: readonly Name[];
  readonly group: Name | undefined;
  readonly sends: readonly { readonly template: Template; readonly to: EndpointName | undefined }[];
  readonly receive: ReceiveDeclaration | undefined;
  readonly span: Span;
}

/** `on receive(p) when … { … }`: packets that fail the condition stay where they are. */
export interface ReceiveDeclaration {
  readonly packet: Name;
  readonly guard: Expression | undefined;
  readonly body: Block;
  readonly span: Span;
}

export interface Template {
  readonly fields: readonly { readonly name: Name; readonly value: Expression | "any" }[];
  readonly span: Span;
}

export interface ControllerDeclaration {
  readonly kind: "controller";
  readonly kappa: { readonly value: number; readonly span: Span } | undefined;
  readonly state: readonly StateVariable[];
  readonly functions: readonly FunctionDeclaration[];
  readonly packetIn: Handler | undefined;
  readonly barrierReply: Handler | undefined;
  readonly portDown: Handler | undefined;
  readonly span: Span;
}

export interface StateVariable {
  readonly name: Name;
  readonly type: TypeExpression;
  readonly value: Expression;
}

export interface FunctionDeclaration {
  readonly name: Name;
  readonly parameters: readonly Parameter[];
  readonly result: TypeExpression | undefined;
  readonly body: Block;
  readonly span: Span;
}

export interface Handler {
  readonly parameters: readonly Name[];
  readonly body: Block;
  readonly span: Span;
}

export interface Parameter {
  readonly name: Name;
  readonly type: TypeExpression;
}

export interface EventDeclaration {
  readonly kind: "event";
  readonly name: Name;
  readonly parameters: readonly Parameter[];
  readonly guard: Expression | undefined;
  readonly body: Block;
  readonly span: Span;
}

export interface OptionSetting {
  readonly name: Name;
  readonly value: string | number;
  readonly span: Span;
}

export interface Block {
  readonly statements: readonly Statement[];
  readonly span: Span;
}

export type Statement =
  | { readonly kind: "let"; readonly name: Name; readonly value: Expression; readonly span: Span }
  | { readonly kind: "assign"; readonly target: Expression; readonly value: Expression; readonly span: Span }
  | {
      readonly kind: "if";
      readonly test: Expression;
      readonly then: Block;
      readonly otherwise: Block | undefined;
      readonly span: Span;
    }
  | {
      readonly kind: "for";
      readonly name: Name;
      readonly over: Expression;
      readonly body: Block;
      readonly span: Span;
    }
  | { readonly kind: "choose"; readonly branches: readonly Block[]; readonly span: Span }
  | {
      readonly kind: "install" | "remove";
      readonly at: Expression;
      readonly rule: Expression;
      readonly span: Span;
    }
  | { readonly kind: "barrier"; readonly at: Expression; readonly span: Span }
  | { readonly kind: "forward"; readonly ports: Expression; readonly span: Span }
  | { readonly kind: "flood" | "drop"; readonly span: Span }
  | {
      readonly kind: "emit";
      readonly template: Template;
      readonly at: EndpointName | undefined;
      readonly span: Span;
    }
  | { readonly kind: "error"; readonly message: string; readonly span: Span }
  | { readonly kind: "return"; readonly value: Expression | undefined; readonly span: Span }
  | { readonly kind: "call"; readonly call: CallExpression; readonly span: Span };

export interface CallExpression {
  readonly kind: "call";
  readonly name: Name;
  readonly arguments: readonly Expression[];
  readonly span: Span;
}

export type Expression =
  | { readonly kind: "int"; readonly value: number; readonly span: Span }
  | { readonly kind: "bool"; readonly value: boolean; readonly span: Span }
  | { readonly kind: "none"; readonly span: Span }
  | { readonly kind: "name"; readonly name: Name; readonly span: Span }
  | CallExpression
  | { readonly kind: "list"; readonly items: readonly Expression[]; readonly span: Span }
  | { readonly kind: "member"; readonly of: Expression; readonly name: Name; readonly span: Span }
  | {
      readonly kind: "index";
      readonly of: Expression;
      readonly indices: readonly Expression[];
      readonly span: Span;
    }
  | { readonly kind: "not"; readonly of: Expression; readonly span: Span }
  | BinaryExpression
  | {
      readonly kind: "conditional";
      readonly test: Expression;
      readonly then: Expression;
      readonly otherwise: Expression;
      readonly span: Span;
    }
  | RuleExpression
  | QuantifierExpression;

export interface BinaryExpression {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
  readonly span: Span;
}

export type BinaryOperator = "->" | "||" | "&&" | "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "+" | "-";

export interface RuleExpression {
  readonly kind: "rule";
  readonly priority: Expression;
  readonly pattern: readonly { readonly name: Name; readonly value: Expression }[];
  readonly ports: Expression;
  readonly expires: boolean;
  readonly span: Span;
}

export interface QuantifierExpression {
  readonly kind: "quantifier";
  readonly quantifier: "forall" | "exists";
  readonly name: Name;
  readonly over: TypeExpression | RegionExpression;
  readonly body: Expression;
  readonly span: Span;
}

export interface RegionExpression {
  readonly kind: "packets";
  readonly at: "all" | "clients" | "switches" | Expression;
  readonly span: Span;
}

export interface PropertyDeclaration {
  readonly kind: "property";
  readonly name: Name;
  readonly claim: Claim;
  readonly span: Span;
}

export type Claim =
  | { readonly kind: "always"; readonly condition: Expression }
  | {
      readonly kind: "never";
      readonly event: Name;
      readonly parameters: readonly Name[];
      /** `at execution`: judged when the switch acts, not when the controller decides. */
      readonly isAtExecution: boolean;
      readonly condition: Expression;
    }
  | { readonly kind: "builtin"; readonly name: Name; readonly arguments: readonly Expression[] }
  /** A temporal formula in a string. */
  | { readonly kind: "ltl"; readonly formula: Name };
