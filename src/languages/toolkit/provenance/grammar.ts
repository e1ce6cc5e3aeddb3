/** Grammar of policies and properties, shared by message-passing programs and Promela. */
import type { IToken } from "chevrotain";
import type { Span } from "../../../model/diagnostic.js";
import { SourceParser, type ParserOptions } from "../source-parser.js";
import type { SourceToken } from "../source-token.js";
import type { Report } from "../diagnostics.js";
import type { Named, PolicyNode, PropertyNode, WordsNode } from "./ast.js";
import * as v from "./vocabulary.js";

export abstract class PolicyGrammar extends SourceParser {
  constructor(options: ParserOptions) {
    super(v.VOCABULARY, options);
  }

  protected readonly names = this.RULE("names", (): Named[] => {
    const names: Named[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: v.Comma,
      DEF: () => {
        const name = this.CONSUME(v.Name);
        this.ACTION(() => names.push(named(name)));
      },
      ERR_MSG: "a name",
    });
    return names;
  });

  private readonly bracedNames = this.RULE("bracedNames", (): Named[] => {
    this.CONSUME(v.LeftBrace);
    const names = this.SUBRULE(this.names);
    this.CONSUME(v.RightBrace);
    return names;
  });

  /** `property NAME: provenance(P.x) in POLICY when Q.y == M;` */
  protected readonly property = this.RULE("property", (): PropertyNode => {
    const first = this.CONSUME(v.PropertyWord);
    const name = this.CONSUME(v.Name);
    this.CONSUME(v.Colon);
    this.CONSUME(v.ProvenanceWord);
    this.CONSUME(v.LeftParen);
    const principal = this.CONSUME2(v.Name);
    this.CONSUME(v.Dot);
    const variable = this.CONSUME3(v.Name);
    this.CONSUME(v.RightParen);
    const relation = this.OR({
      DEF: [{ ALT: () => this.CONSUME(v.In) }, { ALT: () => this.CONSUME(v.NotIn) }],
      ERR_MSG: "`in` or `notin`",
    });
    const policy = this.SUBRULE(this.policy);
    const when = this.OPTION(() => this.SUBRULE(this.when));
    this.CONSUME(v.Semicolon);
    return this.ACTION(() => ({
      kind: "property",
      span: this.spanFrom(first),
      name: named(name),
      principal: named(principal),
      variable: named(variable),
      isAllowed: relation.tokenType === v.In,
      policy,
      when,
    }));
  });

  private readonly when = this.RULE("when", (): NonNullable<PropertyNode["when"]> => {
    this.CONSUME(v.When);
    const principal = this.CONSUME(v.Name);
    this.CONSUME(v.Dot);
    const variable = this.CONSUME2(v.Name);
    this.CONSUME(v.Equal);
    const message = this.CONSUME3(v.Name);
    return this.ACTION(() => ({
      principal: named(principal),
      variable: named(variable),
      message: named(message),
    }));
  });

  protected readonly policy = this.RULE("policy", (): PolicyNode =>
    this.OR<PolicyNode>({
      DEF: [
        {
          ALT: () => {
            const first = this.CONSUME(v.Subset);
            const names = this.SUBRULE(this.bracedNames);
            return this.ACTION(() => ({ kind: "subset", span: this.spanFrom(first), names }));
          },
        },
        {
          ALT: () => {
            const first = this.CONSUME(v.Classes);
            const names = this.SUBRULE2(this.bracedNames);
            return this.ACTION(() => ({ kind: "classes", span: this.spanFrom(first), names }));
          },
        },
        {
          ALT: () => {
            const first = this.CONSUME(v.Contains);
            const sets: Named[][] = [];
            this.AT_LEAST_ONE_SEP({
              SEP: v.Comma,
              DEF: () => sets.push(this.SUBRULE3(this.bracedNames)),
              ERR_MSG: "`{`",
            });
            return this.ACTION(() => ({ kind: "contains", span: this.spanFrom(first), sets }));
          },
        },
        { ALT: () => this.SUBRULE(this.automaton) },
        {
          ALT: () => {
            const first = this.LA(1);
            const expression = this.SUBRULE(this.words);
            return this.ACTION(() => ({ kind: "words", span: this.spanFrom(first), expression }));
          },
        },
      ],
      ERR_MSG: "a policy",
      IGNORE_AMBIGUITIES: true,
    }),
  );

  private readonly automaton = this.RULE("automaton", (): PolicyNode => {
    const first = this.CONSUME(v.AutomatonWord);
    const initial: Named[] = [];
    const accepting: Named[] = [];
    const steps: { from: Named; letter: Named; to: Named }[] = [];
    this.CONSUME(v.LeftBrace);
    this.MANY(() => {
      this.OR({
        IGNORE_AMBIGUITIES: true,
        DEF: [
          {
            ALT: () => {
              this.CONSUME(v.Init);
              const state = this.CONSUME(v.Name);
              this.ACTION(() => initial.push(named(state)));
            },
          },
          {
            ALT: () => {
              this.CONSUME(v.Accept);
              const states = this.SUBRULE(this.names);
              this.ACTION(() => accepting.push(...states));
            },
          },
          {
            ALT: () => {
              const from = this.CONSUME2(v.Name);
              this.CONSUME(v.Minus);
              const letter = this.CONSUME3(v.Name);
              this.CONSUME(v.Arrow);
              const to = this.CONSUME4(v.Name);
              this.ACTION(() => steps.push({ from: named(from), letter: named(letter), to: named(to) }));
            },
          },
        ],
      });
      this.CONSUME(v.Semicolon);
    });
    this.CONSUME(v.RightBrace);
    return this.ACTION(() => ({ kind: "automaton", span: this.spanFrom(first), initial, accepting, steps }));
  });

  private readonly words = this.RULE("words", (): WordsNode => {
    const options: WordsNode[] = [];
    options.push(this.SUBRULE(this.sequence));
    this.MANY(() => {
      this.CONSUME(v.Bar);
      options.push(this.SUBRULE2(this.sequence));
    });
    const [only, ...others] = options;
    return only && others.length === 0 ? only : { kind: "choice", options };
  });

  private readonly sequence = this.RULE("sequence", (): WordsNode => {
    const parts: WordsNode[] = [];
    this.AT_LEAST_ONE({ DEF: () => parts.push(this.SUBRULE(this.factor)), ERR_MSG: "a policy" });
    const [only, ...others] = parts;
    return only && others.length === 0 ? only : { kind: "sequence", parts };
  });

  private readonly factor = this.RULE("factor", (): WordsNode => {
    let node = this.SUBRULE(this.atom);
    this.MANY(() => {
      const how = this.OR([
        { ALT: () => this.CONSUME(v.Star) },
        { ALT: () => this.CONSUME(v.Plus) },
        { ALT: () => this.CONSUME(v.Query) },
      ]);
      this.ACTION(() => (node = { kind: "repeated", body: node, how: how.image as "*" }));
    });
    return node;
  });

  private readonly atom = this.RULE("atom", (): WordsNode =>
    this.OR<WordsNode>({
      DEF: [
        {
          ALT: () => {
            const name = this.CONSUME(v.Name);
            return this.ACTION(() => ({ kind: "letters", names: [named(name)], isNegated: false }));
          },
        },
        { ALT: () => (this.CONSUME(v.Eps), { kind: "empty" }) },
        { ALT: () => (this.CONSUME(v.Any), { kind: "any" }) },
        {
          ALT: () => {
            const names = this.SUBRULE(this.bracedNames);
            return { kind: "letters", names, isNegated: false };
          },
        },
        {
          ALT: () => {
            this.CONSUME(v.Bang);
            const names = this.SUBRULE2(this.bracedNames);
            return { kind: "letters", names, isNegated: true };
          },
        },
        {
          ALT: () => {
            this.CONSUME(v.LeftParen);
            const words = this.SUBRULE(this.words);
            this.CONSUME(v.RightParen);
            return words;
          },
        },
      ],
      ERR_MSG: "a principal, `eps`, `any`, a set or `(`",
    }),
  );

  protected parseTokens<T>(rule: () => T, tokens: readonly SourceToken[], end: Span, report: Report): T {
    return this.parseWith(rule, tokens, end, report);
  }
}

export const named = (token: IToken): Named => ({ text: token.image, span: (token as SourceToken).span });
