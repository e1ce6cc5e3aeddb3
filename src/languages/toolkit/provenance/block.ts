/** Parses a block of properties embedded in another language: `provenance { set; property p: …; }`. */
import type { Span } from "../../../model/diagnostic.js";
import { newToken, type SourceToken } from "../source-token.js";
import type { Report } from "../diagnostics.js";
import type { Named, PropertyNode } from "./ast.js";
import { PolicyGrammar, named } from "./grammar.js";
import * as v from "./vocabulary.js";

export interface PolicyBlock {
  /** `language` (the default) or `set`. */
  readonly domains: readonly Named[];
  readonly properties: readonly PropertyNode[];
}

/** Parses the tokens between the braces; uses only their text and position. */
export function parsePolicyBlock(
  tokens: readonly Pick<SourceToken, "image" | "span" | "frame">[],
  end: Span,
  report: Report,
): PolicyBlock {
  shared ??= new BlockGrammar();
  return shared.parse(
    tokens.map(({ image, span, frame }) => newToken(v.typeOf(image), image, span, frame)),
    end,
    report,
  );
}

class BlockGrammar extends PolicyGrammar {
  constructor() {
    super({ code: "provenance/syntax" });
    this.performSelfAnalysis();
  }

  parse(tokens: readonly SourceToken[], end: Span, report: Report): PolicyBlock {
    return this.parseTokens(this.block, tokens, end, report) ?? { domains: [], properties: [] };
  }

  private readonly block = this.RULE("block", (): PolicyBlock => {
    const domains: Named[] = [];
    const properties: PropertyNode[] = [];
    this.MANY(() => {
      this.OR([
        {
          ALT: () => {
            const name = this.CONSUME(v.Name);
            this.CONSUME(v.Semicolon);
            this.ACTION(() => domains.push(named(name)));
          },
        },
        {
          ALT: () => {
            const property = this.attempt(
              () => this.SUBRULE(this.property),
              () => this.skipWhile(({ tokenType }) => tokenType !== v.PropertyWord),
            );
            this.ACTION(() => property && properties.push(property));
          },
        },
      ]);
    });
    return { domains, properties };
  });
}

let shared: BlockGrammar | undefined;
