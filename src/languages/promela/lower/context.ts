/** State of the lowering of one model: facts of the checker, source text, and the growing parts of the program. */
import type { Diagnostic, Sources, Span } from "../../../model/diagnostic.js";
import type { ChannelType, FaultKind, Rules, Site } from "../../../model/program.js";
import type { Declaration, Declarator, PromelaModel, VariableReference } from "../ast.js";
import type { ModelInfo, PredefinedSymbol, ProcessSymbol, ValueType, VariableSymbol } from "../check.js";
import { scalarType } from "./types.js";

export class Context {
  readonly sites: Site[] = [];
  readonly channelTypes: ChannelType[] = [];
  readonly diagnostics: Diagnostic[] = [];
  /** References introduced by the lowering, such as to the hidden counter of a loop. */
  readonly #made = new Map<VariableReference, VariableSymbol | PredefinedSymbol>();

  constructor(
    readonly model: PromelaModel,
    readonly info: ModelInfo,
    readonly rules: Rules,
    readonly sources: Sources,
  ) {}

  textAt(span: Span): string {
    const text = this.sources.text(span.file)?.slice(span.start, span.end) ?? "";
    return text.replace(/\s+/g, " ").trim();
  }

  /** Whether the text, after macro expansion, is a number without parentheses. */
  isBareNumber(span: Span): boolean {
    const use = this.model.macroUses.get(span);
    if (!use) {
      const before = this.textAt({ ...span, start: Math.max(0, span.start - 40), end: span.start });
      return /^\d+$/.test(this.textAt(span)) && !before.endsWith("(");
    }
    let macro = this.model.macros.get(use.name);
    for (let hops = 0; macro && hops < 100; hops++) {
      const [only, ...others] = macro.body;
      if (!only || others.length > 0) return false;
      if (/^\d+$/.test(only.image)) return true;
      macro = this.model.macros.get(only.image);
    }
    return false;
  }

  site(fault: FaultKind, message: string, span: Span): number {
    return this.sites.push({ fault, message, span }) - 1;
  }

  /** Index of a channel type; each initialiser in the text has one. */
  channelType(symbol: VariableSymbol): number {
    const { channel, declarator } = symbol;
    if (!channel) throw new Error(`${symbol.name} has no channel initialiser`);
    const span = declarator.initializer?.span ?? declarator.span;
    const known = this.channelTypes.findIndex((type) => type.span === span);
    if (known >= 0) return known;
    // Spin's verifier stores the only field of a message in a whole byte, even a bit, and keeps values that exceed one
    // bit.
    const isLone = channel.fields.length === 1;
    const fields = channel.fields.map((type) => scalarType(type, this, isLone));
    return this.channelTypes.push({ name: symbol.name, capacity: channel.capacity, fields, span }) - 1;
  }

  lookUp(reference: VariableReference): VariableSymbol | PredefinedSymbol {
    const symbol = this.#made.get(reference) ?? this.info.variables.get(reference);
    if (!symbol) throw new Error(`${reference.name.text} passed the checks without a meaning`);
    return symbol;
  }

  symbolOf(reference: VariableReference): VariableSymbol | undefined {
    const symbol = this.lookUp(reference);
    return symbol.kind === "variable" ? symbol : undefined;
  }

  isMade(reference: VariableReference): boolean {
    return this.#made.has(reference);
  }

  /** A reference to a whole variable, or to the first element of an array. */
  refer(symbol: VariableSymbol, span: Span): VariableReference {
    const reference: VariableReference = {
      kind: "variable",
      span,
      name: { kind: "name", text: symbol.name, span },
      ...(symbol.size === undefined ? {} : { index: { kind: "number", span, value: 0, form: "decimal" } }),
      fields: [],
    };
    this.#made.set(reference, symbol);
    return reference;
  }

  /** A reference to `_`, which discards assignments. */
  referToNothing(span: Span): VariableReference {
    const reference: VariableReference = {
      kind: "variable",
      span,
      name: { kind: "name", text: "_", span },
      fields: [],
    };
    this.#made.set(reference, { kind: "predefined", name: "_" });
    return reference;
  }

  /** A local variable introduced by the lowering. */
  makeLocal(name: string, type: ValueType, span: Span, process: ProcessSymbol): VariableSymbol {
    const typeName = { kind: "basicType", span, name: "byte" } as const;
    const declarator: Declarator = { kind: "declarator", span, name: { kind: "name", text: name, span } };
    const declaration: Declaration = { kind: "declaration", span, type: typeName, variables: [declarator] };
    return {
      kind: "variable",
      name,
      storage: "local",
      type,
      declarator,
      declaration,
      process,
      scope: process.scope,
    };
  }
}
