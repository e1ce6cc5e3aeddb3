/**
 * State shared by all parts of the lowering: names in scope, slots of the current body, the program so far, and the
 * sink of diagnostics.
 */
import type { Diagnostic, Sources, Span } from "../../../model/diagnostic.js";
import type { FaultKind, Site } from "../../../model/program.js";
import { PropertyNames } from "../../../model/verdict.js";
import {
  NO_SITE,
  type Cover,
  type Place,
  type Procedure,
  type RuleExpr,
  type RuleStatement,
  type RuleType,
  type Scalarset,
  type SimpleType,
  type Slot,
  type StateVariable,
} from "../../../model/rules.js";
import type { Report } from "../../toolkit/diagnostics.js";
import { suggest } from "../../toolkit/spelling.js";
import type { Expression, Name } from "../ast.js";
import { Scope, type Declared, type Symbol } from "./scope.js";
import { nth } from "../../../model/known.js";

export type Dialect = "rumur" | "cmurphi";

export interface Settings {
  readonly dialect: Dialect;
  readonly deadlock: "stuttering" | "stuck" | "off";
  readonly maxCallDepth: number;
  readonly maxRounds: number;
}

/** The construct being lowered: decides messages and permitted statements. */
export interface Body {
  /** `rule "look"`, `guard of rule 2`. */
  readonly where: string;
  /** A condition, which must not change the state. */
  readonly isPure: boolean;
  readonly procedure: ProcedureInProgress | undefined;
}

export interface ProcedureInProgress {
  readonly index: number;
  readonly result: SimpleType | undefined;
  /** For results that are not simple: the slot that refers to the destination, and its type. */
  readonly resultPlace: { readonly slot: number; readonly type: RuleType } | undefined;
  isImpure: boolean;
  writesParameters: boolean;
}

export type LoweredProcedure = Omit<Procedure, "slots" | "body" | "noResult"> & {
  readonly formals: readonly { readonly isVar: boolean; readonly type: RuleType; readonly name: string }[];
  /** Type of a result returned through the last parameter. */
  readonly complexResult: RuleType | undefined;
  isPure: boolean;
  writesParameters: boolean;
  isImpure: boolean;
  mayFault: boolean;
};

export class Context {
  readonly variables: StateVariable[] = [];
  readonly scalarsets: Scalarset[] = [];
  readonly procedures: LoweredProcedure[] = [];
  readonly sites: Site[] = [];
  readonly covers: Cover[] = [];
  readonly propertyNames = new PropertyNames();
  readonly #siteKeys = new Map<string, number>();
  scope = new Scope(undefined);
  slots: Slot[] = [];
  /** Slots that refer to local variables only. */
  localReferences = new Set<number>();
  /** Statements to run before the current one; undefined if none can run before it unconditionally. */
  before: RuleStatement[] | undefined;
  body: Body = { where: "declaration", isPure: true, procedure: undefined };

  constructor(
    readonly settings: Settings,
    readonly sources: Sources,
    readonly report: Report,
    /** `NAME#2`: the third argument of some call of NAME can be undefined. */
    readonly undefinedArguments: ReadonlySet<string>,
    /** Breaks the cycle between expressions and the types, places and calls in them. */
    readonly lowerExpression: (context: Context, node: Expression) => RuleExpr | undefined,
  ) {}

  /** Lowers a simple value; undefined after an error. */
  expression(node: Expression): RuleExpr | undefined {
    return this.lowerExpression(this, node);
  }

  get isRumur(): boolean {
    return this.settings.dialect === "rumur";
  }

  error(code: string, message: string, span: Span, hint?: string, notes?: Diagnostic["notes"]): undefined {
    this.report({
      code: `murphi/${code}`,
      severity: "error",
      message,
      span,
      ...(hint === undefined ? {} : { hint }),
      ...(notes === undefined ? {} : { notes }),
    });
  }

  warn(code: string, message: string, span: Span, hint?: string): void {
    this.report({
      code: `murphi/${code}`,
      severity: "warning",
      message,
      span,
      ...(hint === undefined ? {} : { hint }),
    });
  }

  /** Source text on one line. */
  text({ file, start, end }: Span): string {
    const text = (this.sources.text(file) ?? "").slice(start, end).replace(/\s+/g, " ");
    return text.length > 80 ? `${text.slice(0, 79)}…` : text;
  }

  /** Index of a fault site, shared by equal position, kind and message. */
  site(fault: FaultKind, message: string, span: Span): number {
    const key = `${fault}\n${message}\n${span.start}\n${span.end}`;
    const known = this.#siteKeys.get(key);
    if (known !== undefined) return known;
    this.#siteKeys.set(key, this.sites.length);
    return this.sites.push({ fault, message, span }) - 1;
  }

  siteIf(isPossible: boolean, fault: FaultKind, message: string, span: Span): number {
    return isPossible ? this.site(fault, `${message} within ${this.body.where}`, span) : NO_SITE;
  }

  newSlot(slot: Slot): number {
    return this.slots.push(slot) - 1;
  }

  isLocal({ root }: Place): boolean {
    if (root.kind === "state") return false;
    return nth(this.slots, root.slot).kind === "variable" || this.localReferences.has(root.slot);
  }

  noteWrite(place: Place): void {
    const { procedure } = this.body;
    if (!procedure || this.isLocal(place)) return;
    if (place.root.kind === "state") procedure.isImpure = true;
    else procedure.writesParameters = true;
  }

  declare(name: Name, symbol: Symbol): void {
    const known = this.scope.declare(name, symbol);
    if (known)
      this.error("redeclared", `\`${name.text}\` is declared already`, name.span, "choose another name", [
        { span: known.span, message: "declared here before" },
      ]);
  }

  find(name: Name): Declared | undefined {
    const found = this.scope.find(name.text);
    if (found) return found;
    return this.error(
      "unknown-name",
      `\`${name.text}\` is not declared`,
      name.span,
      suggest(name.text, this.scope.all()) ?? "names are known from their declaration on",
    );
  }

  /** Runs `action` for a part that is not evaluated exactly once: none of it can move before the statement. */
  conditionally<T>(action: () => T): T {
    const outer = this.before;
    this.before = undefined;
    try {
      return action();
    } finally {
      this.before = outer;
    }
  }

  inBlock<T>(action: () => T): T {
    const outer = this.scope;
    this.scope = new Scope(outer);
    try {
      return action();
    } finally {
      this.scope = outer;
    }
  }

  /** Opens a block, which ends with the frame. */
  enterBlock(): void {
    this.scope = new Scope(this.scope);
  }

  /** Runs `action` for a body with a separate frame, and returns its slots. */
  inFrame<T>(body: Body, action: () => T): { readonly result: T; readonly slots: readonly Slot[] } {
    const [slots, outerBody, references] = [this.slots, this.body, this.localReferences];
    this.slots = [];
    this.localReferences = new Set();
    this.body = body;
    try {
      const result = this.inBlock(action);
      return { result, slots: this.slots };
    } finally {
      this.slots = slots;
      this.localReferences = references;
      this.body = outerBody;
    }
  }

  /** Runs `action` with a modified description of the body, in the same frame. */
  as<T>(change: Partial<Body>, action: () => T): T {
    const outer = this.body;
    this.body = { ...outer, ...change };
    try {
      return action();
    } finally {
      this.body = outer;
    }
  }
}
