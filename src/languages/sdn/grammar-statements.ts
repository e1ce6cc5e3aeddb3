import type * as ast from "./ast.js";
import { ExpressionGrammar } from "./grammar-expressions.js";
import { nameOf } from "./grammar-expressions.js";
import * as v from "./vocabulary.js";

export abstract class StatementGrammar extends ExpressionGrammar {
  protected readonly block = this.RULE("block", (): ast.Block => {
    const statements: ast.Statement[] = [];
    const first = this.CONSUME(v.LeftBrace);
    this.MANY(() => {
      const statement = this.attempt(
        () => this.SUBRULE(this.statement),
        () => this.#skipStatement(),
      );
      if (statement) statements.push(statement);
    });
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({ statements, span: this.spanFrom(first) }));
  });

  /** Skips past the next semicolon, or to the end of the block. */
  #skipStatement(): void {
    let depth = 0;
    this.skipWhile((next) => {
      if (next.tokenType === v.LeftBrace) depth++;
      if (next.tokenType === v.RightBrace && depth-- === 0) return false;
      return next.tokenType !== v.Semicolon || depth > 0;
    });
    if (this.LA(1).tokenType === v.Semicolon) this.SKIP_TOKEN();
  }

  private readonly statement = this.RULE("statement", (): ast.Statement =>
    this.OR({
      DEF: [
        { ALT: () => this.SUBRULE(this.let) },
        // A conditional expression at the start of a statement would have no effect.
        { ALT: () => this.SUBRULE(this.if), IGNORE_AMBIGUITIES: true },
        { ALT: () => this.SUBRULE(this.for) },
        { ALT: () => this.SUBRULE(this.choose) },
        { ALT: () => this.SUBRULE(this.tableChange) },
        { ALT: () => this.SUBRULE(this.barrier) },
        { ALT: () => this.SUBRULE(this.forward) },
        { ALT: () => this.SUBRULE(this.plainReply) },
        { ALT: () => this.SUBRULE(this.emit) },
        { ALT: () => this.SUBRULE(this.error) },
        { ALT: () => this.SUBRULE(this.return) },
        { ALT: () => this.SUBRULE(this.assignmentOrCall) },
      ],
      ERR_MSG: "a statement",
    }),
  );

  private readonly let = this.RULE("let", (): ast.Statement => {
    const first = this.CONSUME(v.Let);
    const name = nameOf(this.CONSUME(v.Identifier));
    this.CONSUME(v.Assign);
    const value = this.SUBRULE(this.expression);
    this.CONSUME(v.Semicolon);
    return this.ACTION(() => ({ kind: "let", name, value, span: this.spanFrom(first) }));
  });

  private readonly if = this.RULE("if", (): ast.Statement => {
    const first = this.CONSUME(v.If);
    this.CONSUME(v.LeftParen);
    const test = this.SUBRULE(this.expression);
    this.CONSUME(v.RightParen);
    const then = this.SUBRULE(this.blockOrStatement);
    const otherwise = this.OPTION(() => {
      this.CONSUME(v.Else);
      return this.SUBRULE2(this.blockOrStatement);
    });
    return this.ACTION(() => ({ kind: "if", test, then, otherwise, span: this.spanFrom(first) }));
  });

  private readonly blockOrStatement = this.RULE("blockOrStatement", (): ast.Block =>
    this.OR([
      { ALT: () => this.SUBRULE(this.block) },
      {
        ALT: () => {
          const statement = this.SUBRULE(this.statement);
          return this.ACTION(() => ({ statements: [statement], span: statement.span }));
        },
      },
    ]),
  );

  private readonly for = this.RULE("for", (): ast.Statement => {
    const first = this.CONSUME(v.For);
    const name = nameOf(this.CONSUME(v.Identifier));
    this.CONSUME(v.In);
    const over = this.SUBRULE(this.expression);
    const body = this.SUBRULE(this.block);
    return this.ACTION(() => ({ kind: "for", name, over, body, span: this.spanFrom(first) }));
  });

  private readonly choose = this.RULE("choose", (): ast.Statement => {
    const first = this.CONSUME(v.Choose);
    const branches: ast.Block[] = [];
    this.CONSUME(v.LeftBrace);
    this.AT_LEAST_ONE({
      DEF: () => {
        this.CONSUME(v.LeftBracket);
        this.CONSUME(v.RightBracket);
        branches.push(this.SUBRULE(this.block));
      },
      ERR_MSG: "`[]` and a block",
    });
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({ kind: "choose", branches, span: this.spanFrom(first) }));
  });

  private readonly tableChange = this.RULE("tableChange", (): ast.Statement => {
    const first = this.OR([{ ALT: () => this.CONSUME(v.Install) }, { ALT: () => this.CONSUME(v.Remove) }]);
    this.CONSUME(v.LeftParen);
    const at = this.SUBRULE(this.expression);
    this.CONSUME(v.Comma);
    const rule = this.SUBRULE2(this.expression);
    this.CONSUME(v.RightParen);
    this.CONSUME(v.Semicolon);
    return this.ACTION(() => ({
      kind: first.tokenType === v.Install ? "install" : "remove",
      at,
      rule,
      span: this.spanFrom(first),
    }));
  });

  private readonly barrier = this.RULE("barrier", (): ast.Statement => {
    const first = this.CONSUME(v.Barrier);
    this.CONSUME(v.LeftParen);
    const at = this.SUBRULE(this.expression);
    this.CONSUME(v.RightParen);
    this.CONSUME(v.Semicolon);
    return this.ACTION(() => ({ kind: "barrier", at, span: this.spanFrom(first) }));
  });

  private readonly forward = this.RULE("forward", (): ast.Statement => {
    const first = this.CONSUME(v.Forward);
    this.CONSUME(v.LeftParen);
    const ports = this.SUBRULE(this.expression);
    this.CONSUME(v.RightParen);
    this.CONSUME(v.Semicolon);
    return this.ACTION(() => ({ kind: "forward", ports, span: this.spanFrom(first) }));
  });

  private readonly plainReply = this.RULE("plainReply", (): ast.Statement => {
    const first = this.OR([{ ALT: () => this.CONSUME(v.Flood) }, { ALT: () => this.CONSUME(v.Drop) }]);
    this.CONSUME(v.LeftParen);
    this.CONSUME(v.RightParen);
    this.CONSUME(v.Semicolon);
    return this.ACTION(() => ({
      kind: first.tokenType === v.Flood ? "flood" : "drop",
      span: this.spanFrom(first),
    }));
  });

  private readonly emit = this.RULE("emit", (): ast.Statement => {
    const first = this.CONSUME(v.Emit);
    const template = this.SUBRULE(this.template);
    const at = this.OPTION(() => {
      this.CONSUME(v.At);
      return this.SUBRULE(this.endpoint);
    });
    this.CONSUME(v.Semicolon);
    return this.ACTION(() => ({ kind: "emit", template, at, span: this.spanFrom(first) }));
  });

  private readonly error = this.RULE("error", (): ast.Statement => {
    const first = this.CONSUME(v.ErrorWord);
    this.CONSUME(v.LeftParen);
    const message = this.CONSUME(v.Text).image;
    this.CONSUME(v.RightParen);
    this.CONSUME(v.Semicolon);
    return this.ACTION(() => ({ kind: "error", message, span: this.spanFrom(first) }));
  });

  private readonly return = this.RULE("return", (): ast.Statement => {
    const first = this.CONSUME(v.Return);
    const value = this.OPTION(() => this.SUBRULE(this.expression));
    this.CONSUME(v.Semicolon);
    return this.ACTION(() => ({ kind: "return", value, span: this.spanFrom(first) }));
  });

  private readonly assignmentOrCall = this.RULE("assignmentOrCall", (): ast.Statement => {
    const target = this.SUBRULE(this.postfix);
    const value = this.OPTION(() => {
      this.CONSUME(v.Assign);
      return this.SUBRULE(this.expression);
    });
    this.CONSUME(v.Semicolon);
    return this.ACTION(() => {
      const { span } = target;
      if (value) return { kind: "assign", target, value, span };
      if (target.kind === "call") return { kind: "call", call: target, span };
      this.report({
        code: "sdn/syntax",
        severity: "error",
        message: "this does nothing",
        span,
        hint: "a statement assigns (`x = …;`) or calls (`f(…);`)",
      });
      return { kind: "return", value: undefined, span };
    });
  });
}
