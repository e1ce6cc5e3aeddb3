/** The whole grammar; `grammar-statements.ts` and `grammar-expressions.ts` are its parts. */
import type { IRecognitionException, IToken } from "chevrotain";
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import type { SourceToken } from "../toolkit/source-token.js";
import type * as ast from "./ast.js";
import { StatementGrammar } from "./grammar-statements.js";
import { nameOf, numberOf } from "./grammar-expressions.js";
import * as v from "./vocabulary.js";

export class SdnGrammar extends StatementGrammar {
  constructor(options: { readonly validate?: boolean } = {}) {
    super(v.VOCABULARY, options);
    this.performSelfAnalysis();
  }

  parse(
    tokens: readonly SourceToken[],
    end: Span,
    report: (diagnostic: Diagnostic) => void,
  ): readonly ast.Declaration[] {
    return this.parseWith(this.model, tokens, end, report) ?? [];
  }

  protected override describe(error: IRecognitionException): Diagnostic | undefined {
    const told = super.describe(error);
    return told && { ...told, code: "sdn/syntax" };
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

  /** To the next word at the beginning of a line's declaration, out of all braces. */
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

  private readonly topology = this.RULE("topology", (): ast.TopologyFile => {
    const first = this.CONSUME(v.Topology);
    const path = this.CONSUME(v.Text).image;
    this.CONSUME(v.Semicolon);
    return this.ACTION(() => ({ kind: "topology", path, span: this.spanFrom(first) }));
  });

  private readonly network = this.RULE("network", (): ast.NetworkDeclaration => {
    const first = this.CONSUME(v.Network);
    const name = nameOf(this.CONSUME(v.Identifier));
    const items: ast.NetworkItem[] = [];
    this.CONSUME(v.LeftBrace);
    this.MANY(() => items.push(this.SUBRULE(this.networkItem)));
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({ kind: "network", name, items, span: this.spanFrom(first) }));
  });

  private readonly networkItem = this.RULE("networkItem", (): ast.NetworkItem => {
    const item = this.OR({
      DEF: [
        { ALT: () => this.SUBRULE(this.switchItem) },
        { ALT: () => this.SUBRULE(this.clientItem) },
        { ALT: () => this.SUBRULE(this.linkItem) },
      ],
      ERR_MSG: "`switch`, `client` or `link`",
    });
    this.CONSUME(v.Semicolon);
    return item;
  });

  private readonly switchItem = this.RULE("switchItem", (): ast.NetworkItem => {
    this.CONSUME(v.Switch);
    const names = this.SUBRULE(this.names);
    this.CONSUME(v.Ports);
    const ports = this.SUBRULE(this.range);
    return { kind: "switch", names, ports };
  });

  private readonly clientItem = this.RULE("clientItem", (): ast.NetworkItem => {
    this.CONSUME(v.Client);
    const names = this.SUBRULE(this.names);
    const group = this.OPTION(() => {
      this.CONSUME(v.Kind);
      return nameOf(this.CONSUME(v.Identifier));
    });
    const ports = this.OPTION2(() => {
      this.CONSUME(v.Ports);
      return this.SUBRULE(this.range);
    });
    const contacts = this.OPTION3(() => {
      this.CONSUME(v.Contacts);
      return this.SUBRULE2(this.names);
    });
    return { kind: "client", names, group, ports, ...(contacts ? { contacts } : {}) };
  });

  private readonly linkItem = this.RULE("linkItem", (): ast.NetworkItem => {
    const first = this.CONSUME(v.Link);
    const from = this.SUBRULE(this.endpoint);
    this.CONSUME(v.Dashes);
    const to = this.SUBRULE2(this.endpoint);
    const mayFail = this.OPTION(() => this.CONSUME(v.Fails)) !== undefined;
    return this.ACTION(() => ({ kind: "link", ends: [from, to], mayFail, span: this.spanFrom(first) }));
  });

  private readonly packet = this.RULE("packet", (): ast.PacketDeclaration => {
    const first = this.CONSUME(v.Packet);
    const fields: { name: ast.Name; type: ast.TypeExpression }[] = [];
    let tracksVisited = false;
    this.CONSUME(v.LeftBrace);
    this.MANY(() => {
      const word = this.CONSUME(v.Identifier);
      const type = this.OPTION(() => {
        this.CONSUME(v.Colon);
        return this.SUBRULE(this.type);
      });
      this.CONSUME(v.Semicolon);
      this.ACTION(() => {
        if (type) fields.push({ name: nameOf(word), type });
        else if (word.image === "visited") tracksVisited = true;
        else this.report(noType(nameOf(word)));
      });
    });
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({ kind: "packet", fields, tracksVisited, span: this.spanFrom(first) }));
  });

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

  private readonly behaviour = this.RULE("behaviour", (): ast.BehaviourDeclaration => {
    const first = this.CONSUME(v.Behaviour);
    const whose = this.OR<Pick<ast.BehaviourDeclaration, "clients" | "group">>([
      {
        ALT: () => {
          this.CONSUME(v.Client);
          return { clients: this.SUBRULE(this.names), group: undefined };
        },
      },
      {
        ALT: () => {
          this.CONSUME(v.Kind);
          return { clients: [], group: nameOf(this.CONSUME(v.Identifier)) };
        },
      },
    ]);
    this.CONSUME(v.LeftBrace);
    const sends: { template: ast.Template; to: ast.EndpointName | undefined }[] = [];
    this.MANY(() => {
      this.CONSUME(v.Send);
      const template = this.SUBRULE(this.template);
      const to = this.OPTION(() => {
        this.CONSUME(v.To);
        return this.SUBRULE(this.endpoint);
      });
      this.CONSUME(v.Semicolon);
      sends.push({ template, to });
    });
    const receive = this.OPTION2(() => {
      const on = this.CONSUME(v.On);
      this.CONSUME(v.Receive);
      this.CONSUME(v.LeftParen);
      const packet = nameOf(this.CONSUME2(v.Identifier));
      this.CONSUME(v.RightParen);
      const guard = this.OPTION3(() => {
        this.CONSUME(v.When);
        return this.SUBRULE(this.expression);
      });
      const body = this.SUBRULE(this.block);
      return this.ACTION(() => ({ packet, guard, body, span: this.spanFrom(on) }));
    });
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({
      kind: "behaviour",
      ...whose,
      sends,
      receive,
      span: this.spanFrom(first),
    }));
  });

  private readonly controller = this.RULE("controller", (): ast.ControllerDeclaration => {
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
      DEF: [{ ALT: () => this.CONSUME(v.PacketIn) }, { ALT: () => this.CONSUME(v.PortDown) }],
      ERR_MSG: "`packetIn` or `portDown`",
    });
    this.CONSUME(v.LeftParen);
    const parameters = this.SUBRULE(this.names);
    this.CONSUME(v.RightParen);
    const body = this.SUBRULE(this.block);
    return this.ACTION(() => ({ word, handler: { parameters, body, span: this.spanFrom(first) } }));
  });

  private readonly event = this.RULE("event", (): ast.EventDeclaration => {
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

  private readonly property = this.RULE("property", (): ast.PropertyDeclaration => {
    const first = this.CONSUME(v.Property);
    const name = nameOf(this.CONSUME(v.Identifier));
    this.CONSUME(v.Colon);
    const claim = this.OR({
      DEF: [
        { ALT: () => this.SUBRULE(this.always) },
        { ALT: () => this.SUBRULE(this.never) },
        { ALT: () => this.SUBRULE(this.builtin) },
      ],
      ERR_MSG: "`always`, `never` or a built-in property",
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

const noType = (name: ast.Name): Diagnostic => ({
  code: "sdn/syntax",
  severity: "error",
  message: `the field '${name.text}' has no type`,
  span: name.span,
  hint: `write \`${name.text}: TYPE;\`, or \`visited;\` to track the switches a packet has passed`,
});

const twice = (name: ast.Name): Diagnostic => ({
  code: "sdn/declared-twice",
  severity: "error",
  message: `there are several handlers \`on ${name.text}\``,
  span: name.span,
});
