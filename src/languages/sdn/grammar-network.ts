/** Grammar of the network, its packets and its clients. */
import type { Diagnostic } from "../../model/diagnostic.js";
import type * as ast from "./ast.js";
import { nameOf } from "./grammar-expressions.js";
import { StatementGrammar } from "./grammar-statements.js";
import * as v from "./vocabulary.js";

export abstract class NetworkGrammar extends StatementGrammar {
  protected readonly topology = this.RULE("topology", (): ast.TopologyFile => {
    const first = this.CONSUME(v.Topology);
    const path = this.CONSUME(v.Text).image;
    this.CONSUME(v.Semicolon);
    return this.ACTION(() => ({ kind: "topology", path, span: this.spanFrom(first) }));
  });

  protected readonly network = this.RULE("network", (): ast.NetworkDeclaration => {
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

  protected readonly packet = this.RULE("packet", (): ast.PacketDeclaration => {
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

  protected readonly behaviour = this.RULE("behaviour", (): ast.BehaviourDeclaration => {
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
}

const noType = (name: ast.Name): Diagnostic => ({
  code: "sdn/syntax",
  severity: "error",
  message: `the field '${name.text}' has no type`,
  span: name.span,
  hint: `write \`${name.text}: TYPE;\`, or \`visited;\` to track the switches a packet has passed`,
});
