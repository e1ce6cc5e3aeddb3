/** Top level of the grammar: declarations, properties, options. The other files `grammar-….ts` are its parts. */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import type { SourceToken } from "../toolkit/source-token.js";
import type * as ast from "./ast.js";
import { ControllerGrammar } from "./grammar-controller.js";
import { nameOf, numberOf } from "./grammar-expressions.js";
import * as v from "./vocabulary.js";

export class SdnGrammar extends ControllerGrammar {
  constructor(options: { readonly validate?: boolean } = {}) {
    super(v.VOCABULARY, { ...options, code: "sdn/syntax" });
    this.performSelfAnalysis();
  }

  parse(tokens: readonly SourceToken[], end: Span, report: Report): readonly ast.Declaration[] {
    return this.parseWith(this.model, tokens, end, report) ?? [];
  }

  /** One expression and nothing else; undefined after an error. */
  parseExpression(
    tokens: readonly SourceToken[],
    end: Span,
    report: (diagnostic: Diagnostic) => void,
  ): ast.Expression | undefined {
    return this.parseWith(this.expression, tokens, end, report);
  }

  private readonly model = this.RULE("model", (): ast.Declaration[] => {
    const declarations: ast.Declaration[] = [];
    this.MANY(() => {
      const declaration = this.attempt(
        () => this.SUBRULE(this.declaration),
        () => this.#skipDeclaration(),
      );
      if (declaration) declarations.push(declaration);
    });
    return declarations;
  });

  /** Skips to the next declaration outside of all braces. */
  #skipDeclaration(): void {
    let depth = 0;
    this.skipWhile((next) => {
      if (next.tokenType === v.LeftBrace) depth++;
      if (next.tokenType === v.RightBrace) depth--;
      return depth > 0 || !STARTS.includes(next.tokenType);
    });
  }

  private readonly declaration = this.RULE("declaration", (): ast.Declaration =>
    this.OR({
      DEF: [
        { ALT: () => this.SUBRULE(this.topology) },
        { ALT: () => this.SUBRULE(this.network) },
        { ALT: () => this.SUBRULE(this.packet) },
        { ALT: () => this.SUBRULE(this.typeDeclaration) },
        { ALT: () => this.SUBRULE(this.constant) },
        { ALT: () => this.SUBRULE(this.behaviour) },
        { ALT: () => this.SUBRULE(this.controller) },
        { ALT: () => this.SUBRULE(this.event) },
        { ALT: () => this.SUBRULE(this.property) },
        { ALT: () => this.SUBRULE(this.options) },
      ],
      ERR_MSG: "a declaration, such as `network`, `packet`, `controller` or `property`",
    }),
  );

  private readonly typeDeclaration = this.RULE("typeDeclaration", (): ast.Declaration => {
    this.CONSUME(v.Type);
    const name = nameOf(this.CONSUME(v.Identifier));
    this.CONSUME(v.Assign);
    const type = this.SUBRULE(this.type);
    this.CONSUME(v.Semicolon);
    return { kind: "type", name, type };
  });

  private readonly constant = this.RULE("constant", (): ast.Declaration => {
    this.CONSUME(v.Const);
    const name = nameOf(this.CONSUME(v.Identifier));
    this.CONSUME(v.Assign);
    const value = this.SUBRULE(this.expression);
    this.CONSUME(v.Semicolon);
    return { kind: "const", name, value };
  });

  private readonly property = this.RULE("property", (): ast.PropertyDeclaration => {
    const first = this.CONSUME(v.Property);
    const name = nameOf(this.CONSUME(v.Identifier));
    this.CONSUME(v.Colon);
    const claim = this.OR({
      DEF: [
        { ALT: () => this.SUBRULE(this.always) },
        { ALT: () => this.SUBRULE(this.never) },
        { GATE: () => this.LA(2).tokenType === v.Text, ALT: () => this.SUBRULE(this.ltl) },
        { ALT: () => this.SUBRULE(this.builtin) },
      ],
      ERR_MSG: "`always`, `never`, `ltl` or a built-in property",
      IGNORE_AMBIGUITIES: true,
    });
    this.CONSUME(v.Semicolon);
    return this.ACTION(() => ({ kind: "property", name, claim, span: this.spanFrom(first) }));
  });

  private readonly always = this.RULE("always", (): ast.Claim => {
    this.CONSUME(v.Always);
    const condition = this.SUBRULE(this.expression);
    return { kind: "always", condition };
  });

  private readonly never = this.RULE("never", (): ast.Claim => {
    this.CONSUME(v.Never);
    const event = nameOf(this.CONSUME(v.Identifier));
    const parameters = this.OPTION(() => {
      this.CONSUME(v.LeftParen);
      const all = this.SUBRULE(this.names);
      this.CONSUME(v.RightParen);
      return all;
    });
    const isAtExecution =
      this.OPTION2(() => {
        this.CONSUME(v.At);
        this.CONSUME(v.Execution);
        return true;
      }) ?? false;
    this.CONSUME(v.When);
    const condition = this.SUBRULE(this.expression);
    return { kind: "never", event, parameters: parameters ?? [], isAtExecution, condition };
  });

  private readonly ltl = this.RULE("ltl", (): ast.Claim => {
    this.CONSUME(v.Ltl);
    return { kind: "ltl", formula: nameOf(this.CONSUME(v.Text)) };
  });

  private readonly builtin = this.RULE("builtin", (): ast.Claim => {
    const name = nameOf(this.CONSUME(v.Identifier));
    const given = this.OPTION(() => {
      this.CONSUME(v.LeftParen);
      const all = this.SUBRULE(this.expressions);
      this.CONSUME(v.RightParen);
      return all;
    });
    return { kind: "builtin", name, arguments: given ?? [] };
  });

  private readonly options = this.RULE("options", (): ast.Declaration => {
    const first = this.CONSUME(v.Options);
    const options: ast.OptionSetting[] = [];
    this.CONSUME(v.LeftBrace);
    this.MANY(() => {
      const name = this.CONSUME(v.Identifier);
      this.CONSUME(v.Assign);
      const value = this.OR<string | number>({
        DEF: [
          { ALT: () => this.CONSUME2(v.Identifier).image },
          { ALT: () => numberOf(this.CONSUME(v.Integer)) },
          { ALT: () => this.CONSUME(v.Text).image },
        ],
        ERR_MSG: "a value",
      });
      this.CONSUME(v.Semicolon);
      this.ACTION(() => options.push({ name: nameOf(name), value, span: this.spanFrom(name) }));
    });
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({ kind: "options", options, span: this.spanFrom(first) }));
  });
}

const STARTS = [
  v.Topology,
  v.Network,
  v.Packet,
  v.Type,
  v.Const,
  v.Behaviour,
  v.Controller,
  v.Event,
  v.Property,
  v.Options,
];
