/** Grammar of the controller and of events. */
import type { IToken } from "chevrotain";
import type { Diagnostic } from "../../model/diagnostic.js";
import type * as ast from "./ast.js";
import { nameOf, numberOf } from "./grammar-expressions.js";
import { NetworkGrammar } from "./grammar-network.js";
import * as v from "./vocabulary.js";

export abstract class ControllerGrammar extends NetworkGrammar {
  protected readonly controller = this.RULE("controller", (): ast.ControllerDeclaration => {
    const first = this.CONSUME(v.Controller);
    this.CONSUME(v.LeftBrace);
    const kappa = this.OPTION(() => {
      const word = this.CONSUME(v.Kappa);
      const value = numberOf(this.CONSUME(v.Integer));
      this.CONSUME(v.Semicolon);
      return this.ACTION(() => ({ value, span: this.spanFrom(word) }));
    });
    const state = this.OPTION2(() => this.SUBRULE(this.state)) ?? [];
    const functions: ast.FunctionDeclaration[] = [];
    this.MANY(() => functions.push(this.SUBRULE(this.function)));
    const handlers: { word: IToken; handler: ast.Handler }[] = [];
    this.MANY2(() => handlers.push(this.SUBRULE(this.handler)));
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => {
      const called = (type: string): ast.Handler | undefined =>
        handlers.find(({ word }) => word.image === type)?.handler;
      for (const { word } of handlers.slice(1))
        if (handlers.filter((h) => h.word.image === word.image).length > 1) this.report(twice(nameOf(word)));
      return {
        kind: "controller",
        kappa,
        state,
        functions,
        packetIn: called("packetIn"),
        portDown: called("portDown"),
        barrierReply: called("barrierReply"),
        span: this.spanFrom(first),
      };
    });
  });

  private readonly state = this.RULE("state", (): ast.StateVariable[] => {
    const variables: ast.StateVariable[] = [];
    this.CONSUME(v.State);
    this.CONSUME(v.LeftBrace);
    this.MANY(() => {
      const name = nameOf(this.CONSUME(v.Identifier));
      this.CONSUME(v.Colon);
      const type = this.SUBRULE(this.type);
      this.CONSUME(v.Assign);
      const value = this.SUBRULE(this.expression);
      this.CONSUME(v.Semicolon);
      variables.push({ name, type, value });
    });
    this.CONSUME(v.RightBrace);
    return variables;
  });

  private readonly function = this.RULE("function", (): ast.FunctionDeclaration => {
    const first = this.CONSUME(v.FunctionWord);
    const name = nameOf(this.CONSUME(v.Identifier));
    this.CONSUME(v.LeftParen);
    const parameters = this.SUBRULE(this.parameters);
    this.CONSUME(v.RightParen);
    const result = this.OPTION(() => {
      this.CONSUME(v.Colon);
      return this.SUBRULE(this.type);
    });
    const body = this.SUBRULE(this.block);
    return this.ACTION(() => ({ name, parameters, result, body, span: this.spanFrom(first) }));
  });

  private readonly handler = this.RULE("handler", (): { word: IToken; handler: ast.Handler } => {
    const first = this.CONSUME(v.On);
    const word = this.OR({
      DEF: [
        { ALT: () => this.CONSUME(v.PacketIn) },
        { ALT: () => this.CONSUME(v.PortDown) },
        { ALT: () => this.CONSUME(v.BarrierReply) },
      ],
      ERR_MSG: "`packetIn`, `portDown` or `barrierReply`",
    });
    this.CONSUME(v.LeftParen);
    const parameters = this.SUBRULE(this.names);
    this.CONSUME(v.RightParen);
    const body = this.SUBRULE(this.block);
    return this.ACTION(() => ({ word, handler: { parameters, body, span: this.spanFrom(first) } }));
  });

  protected readonly event = this.RULE("event", (): ast.EventDeclaration => {
    const first = this.CONSUME(v.Event);
    const name = nameOf(this.CONSUME(v.Identifier));
    const parameters = this.OPTION(() => {
      this.CONSUME(v.LeftParen);
      const all = this.SUBRULE(this.parameters);
      this.CONSUME(v.RightParen);
      return all;
    });
    const guard = this.OPTION2(() => {
      this.CONSUME(v.When);
      return this.SUBRULE(this.expression);
    });
    const body = this.SUBRULE(this.block);
    return this.ACTION(() => ({
      kind: "event",
      name,
      parameters: parameters ?? [],
      guard,
      body,
      span: this.spanFrom(first),
    }));
  });

  private readonly parameters = this.RULE("parameters", (): ast.Parameter[] => {
    const parameters: ast.Parameter[] = [];
    this.MANY_SEP({
      SEP: v.Comma,
      DEF: () => {
        const name = nameOf(this.CONSUME(v.Identifier));
        this.CONSUME(v.Colon);
        const type = this.SUBRULE(this.type);
        parameters.push({ name, type });
      },
    });
    return parameters;
  });
}

const twice = (name: ast.Name): Diagnostic => ({
  code: "sdn/declared-twice",
  severity: "error",
  message: `there are several handlers \`on ${name.text}\``,
  span: name.span,
});
