/** Definitions as written. */
import type { Span } from "../../model/index.js";

export interface Definition {
  readonly name: string;
  readonly interfaces: readonly DeclaredInterface[];
  readonly content: DeclaredContent | undefined;
  readonly parts: readonly DeclaredPart[];
  readonly bindings: readonly DeclaredBinding[];
  readonly deployment: DeclaredPlan | undefined;
  readonly reconfiguration: DeclaredPlan | undefined;
  readonly errors: string | undefined;
  readonly subcontrol: string | undefined;
  readonly span: Span;
}

export interface DeclaredInterface {
  readonly name: string;
  readonly isServer: boolean;
  readonly type: string;
  readonly isMandatory: boolean;
  readonly span: Span;
}

export interface DeclaredContent {
  readonly behaviour: DeclaredBehaviour | undefined;
  readonly span: Span;
}

/** `text` stands in the file itself, from `at` on. */
export interface DeclaredBehaviour {
  readonly file: string | undefined;
  readonly text: string;
  readonly at: number;
  readonly format: string;
  readonly span: Span;
}

export interface DeclaredPart {
  readonly name: string;
  readonly definition: string | undefined;
  /** What stands inside the element. */
  readonly own: Definition;
  readonly span: Span;
}

export interface DeclaredBinding {
  readonly client: string;
  readonly server: string;
  readonly span: Span;
}

export interface DeclaredPlan {
  /** Start the whole at the end, if no operation is written. */
  readonly starts: boolean;
  readonly operations: readonly DeclaredOperation[];
  readonly span: Span;
}

export interface DeclaredOperation {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly span: Span;
}

/** Types of interfaces: the names of their operations. */
export type Types = Map<string, ReadonlySet<string>>;
