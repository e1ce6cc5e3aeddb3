/**
 * State shared by all parts of the check: maps under construction, the current position, and the sink of diagnostics.
 */
import type { Diagnostic, Span } from "../../../model/diagnostic.js";
import type {
  BlockStatement,
  Expansion,
  Expression,
  PromelaModel,
  Sequence,
  VariableReference,
} from "../ast.js";
import type {
  LabelSymbol,
  ModelInfo,
  MtypeSymbol,
  PredefinedSymbol,
  ProcessSymbol,
  Scope,
  TypedefSymbol,
  ValueType,
  VariableSymbol,
} from "../check.js";

type Mutable<T> =
  T extends ReadonlyMap<infer K, infer V> ? Map<K, V> : T extends readonly (infer E)[] ? E[] : T;
export type Tables = { [Key in keyof ModelInfo]: Mutable<ModelInfo[Key]> };

export interface MutableScope extends Scope {
  readonly parent?: MutableScope;
  readonly variables: Map<string, VariableSymbol>;
}

export interface MutableProcess extends ProcessSymbol {
  readonly parameters: VariableSymbol[];
  readonly locals: VariableSymbol[];
  readonly labels: LabelSymbol[];
  readonly scope: MutableScope;
}

/** More diagnostics would obscure the first ones. */
const MAX_DIAGNOSTICS = 200;

/** Constructs permitted in the position of an expression. */
export interface Use {
  /** A whole record: in messages and parameters, where it abbreviates its fields. */
  readonly record?: boolean;
  /** `full(q)` and the like: only where Spin's grammar has a full expression, under `&&` and `||`. */
  readonly channelTest?: boolean;
  /** `run P()`: alone as a statement, or alone on the right of an assignment. */
  readonly run?: boolean;
  /** `_`: in the sends of a trace, where it matches any value. */
  readonly underscore?: boolean;
}

/** Mutually recursive checks: an index is an expression, a loop has a body. */
export interface Circle {
  expression(context: Context, expression: Expression, use?: Use): ValueType;
  body(context: Context, body: Sequence): void;
}

export class Context {
  readonly info: Tables = {
    globals: [],
    typedefs: new Map<string, TypedefSymbol>(),
    mtypes: new Map<string, MtypeSymbol>(),
    processes: [],
    declared: new Map(),
    variables: new Map(),
    fields: new Map(),
    mtypeUses: new Map(),
    processUses: new Map(),
    labelUses: new Map(),
    labelsAt: new Map(),
    typeNames: new Map(),
    types: new Map(),
    constants: new Map(),
    loops: new Map(),
  };
  readonly diagnostics: Diagnostic[] = [];
  readonly globals = new Map<string, VariableSymbol>();
  readonly proctypes = new Map<string, ProcessSymbol>();
  readonly scopes = new Map<Sequence, MutableScope>();
  readonly #labels = new Map<ProcessSymbol, Map<string, LabelSymbol[]>>();
  readonly dStepOf = new Map<LabelSymbol, BlockStatement | undefined>();
  /** Variables declared so far: Promela requires a declaration before use. */
  readonly active = new Set<VariableSymbol>();
  /** Channel variables that may be assigned another channel. */
  readonly rebound = new Set<VariableSymbol>();
  /** Checks that need the whole model. */
  readonly later: (() => void)[] = [];

  process: MutableProcess | undefined;
  scope: MutableScope | undefined;
  expandedFrom: Expansion | undefined;
  dStep: BlockStatement | undefined;
  loops = 0;
  /** Loops that contain the d_step: `break` does not leave them. */
  loopsAroundDStep = 0;
  isInFormula = false;
  #errors = 0;

  constructor(
    readonly model: PromelaModel,
    readonly circle: Circle,
  ) {}

  checkExpression(expression: Expression, use?: Use): ValueType {
    return this.circle.expression(this, expression, use);
  }

  error(code: string, message: string, span: Span, more: Partial<Diagnostic> = {}): void {
    this.#add("error", code, message, span, more);
  }

  warn(code: string, message: string, span: Span, more: Partial<Diagnostic> = {}): void {
    this.#add("warning", code, message, span, more);
  }

  lookup(name: string): VariableSymbol | PredefinedSymbol | undefined {
    for (let scope = this.scope; scope; scope = scope.parent) {
      const symbol = scope.variables.get(name);
      if (symbol && this.active.has(symbol)) return symbol;
    }
    const global = this.globals.get(name);
    return global && this.active.has(global) ? global : PREDEFINED.get(name);
  }

  /** A later declaration of the name, for the message. */
  lookupLater(name: string): VariableSymbol | undefined {
    for (let scope = this.scope; scope; scope = scope.parent) {
      const symbol = scope.variables.get(name);
      if (symbol) return symbol;
    }
    return this.globals.get(name);
  }

  addLabel(label: LabelSymbol): void {
    let byName = this.#labels.get(label.process);
    if (!byName) this.#labels.set(label.process, (byName = new Map()));
    const namesakes = byName.get(label.name);
    if (namesakes) namesakes.push(label);
    else byName.set(label.name, [label]);
  }

  labelsNamed(process: ProcessSymbol, name: string): readonly LabelSymbol[] {
    return this.#labels.get(process)?.get(name) ?? [];
  }

  /** All names in scope, for suggestions. */
  *visibleNames(): Iterable<string> {
    for (let scope = this.scope; scope; scope = scope.parent) yield* scope.variables.keys();
    yield* this.globals.keys();
    yield* this.info.mtypes.keys();
  }

  /** The symbol that a reference denotes: its last field, or the variable itself. */
  denoted(reference: VariableReference): VariableSymbol | PredefinedSymbol | undefined {
    const last = reference.fields.at(-1);
    return last ? this.info.fields.get(last) : this.info.variables.get(reference);
  }

  #add(
    severity: "error" | "warning",
    code: string,
    message: string,
    span: Span,
    more: Partial<Diagnostic>,
  ): void {
    if (
      this.diagnostics.length >= MAX_DIAGNOSTICS &&
      (severity === "warning" || this.#errors >= MAX_DIAGNOSTICS)
    )
      return;
    if (severity === "error") this.#errors++;
    const notes = [...(more.notes ?? []), ...this.#origin(span)];
    this.diagnostics.push({ ...more, code: `promela/${code}`, severity, message, span, notes });
  }

  #origin(span: Span): NonNullable<Diagnostic["notes"]> {
    const notes = [];
    const macro = this.model.macroUses.get(span);
    if (macro?.definedAt)
      notes.push({ span: macro.definedAt, message: `from macro \`${macro.name}\`, defined here` });
    for (let from = this.expandedFrom; from; from = from.outer) {
      notes.push({ span: from.call, message: `in the body of inline \`${from.inline}\`, called here` });
    }
    return notes;
  }
}

const PREDEFINED: ReadonlyMap<string, PredefinedSymbol> = new Map(
  (["_", "_pid", "_nr_pr", "_last", "_priority"] as const).map((name) => [
    name,
    { kind: "predefined", name },
  ]),
);

export const isPredefined = (name: string): boolean => PREDEFINED.has(name);
