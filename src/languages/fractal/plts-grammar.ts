/** Grammar of parameterised behaviours: `plts NAME { var x: 0..3 = 0; states s init; s -> s : ?in.put(v) [x < 3] { x := v; } ; }`. */
import type { IOrAlt, IToken } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import type { Report } from "../toolkit/diagnostics.js";
import { ExpressionParser, type ExpressionSyntax } from "../toolkit/expression-parser.js";
import type { SourceToken } from "../toolkit/source-token.js";
import * as v from "./plts-vocabulary.js";

export type Tree = { readonly span: Span } & (
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "unary"; readonly operator: string; readonly of: Tree }
  | { readonly kind: "binary"; readonly operator: string; readonly left: Tree; readonly right: Tree }
);

export interface VariableTree {
  readonly name: string;
  readonly low: number;
  readonly high: number;
  readonly initial: number | undefined;
  readonly span: Span;
}

export interface ActionTree {
  /** `?` or `!`; undefined: internal. */
  readonly sign: string | undefined;
  /** With its interface. */
  readonly name: string;
  readonly arguments: readonly Tree[];
}

export interface TransitionTree {
  readonly from: string;
  readonly to: string;
  readonly action: ActionTree;
  readonly guard: Tree | undefined;
  readonly assignments: readonly { readonly name: string; readonly value: Tree; readonly span: Span }[];
  readonly span: Span;
}

export interface PltsTree {
  readonly variables: readonly VariableTree[];
  readonly states: readonly { readonly name: string; readonly isInitial: boolean; readonly span: Span }[];
  readonly transitions: readonly TransitionTree[];
}

const EXPRESSIONS: ExpressionSyntax = {
  levels: [
    [v.Or],
    [v.And],
    [v.Equal, v.NotEqual, v.AtMost, v.AtLeast, v.Less, v.Greater],
    [v.Plus, v.Minus],
    [v.Star],
  ],
  prefixes: [v.Not, v.Minus],
  number: v.NumberToken,
  truth: [v.True, v.False],
  open: v.Open,
  close: v.Close,
};

class PltsGrammar extends ExpressionParser<Tree> {
  constructor() {
    super(v.VOCABULARY, EXPRESSIONS, { code: "plts/syntax" });
    this.performSelfAnalysis();
  }

  parseSource(tokens: readonly SourceToken[], end: Span, report: Report): PltsTree | undefined {
    return this.parseWith(this.whole, tokens, end, report) as PltsTree | undefined;
  }

  private readonly whole = this.RULE("whole", (): PltsTree => {
    this.CONSUME(v.Plts);
    this.CONSUME(v.Name);
    this.CONSUME(v.OpenBrace);
    const variables: VariableTree[] = [];
    this.MANY(() => void variables.push(this.SUBRULE(this.variable)));
    const states: PltsTree["states"][number][] = [];
    this.CONSUME(v.States);
    this.AT_LEAST_ONE_SEP({ SEP: v.Comma, DEF: () => void states.push(this.SUBRULE(this.state)) });
    this.CONSUME(v.Semicolon);
    const transitions: TransitionTree[] = [];
    this.MANY1(() => void transitions.push(this.SUBRULE(this.transition)));
    this.CONSUME(v.CloseBrace);
    return { variables, states, transitions };
  });

  private readonly variable = this.RULE("variable", (): VariableTree => {
    const first = this.CONSUME(v.Var);
    const name = this.CONSUME1(v.Name).image;
    this.CONSUME(v.Colon);
    const range = { low: 0, high: 1 };
    this.OR([
      { ALT: () => void this.CONSUME(v.BoolWord) },
      {
        ALT: () => {
          range.low = Number(this.CONSUME(v.NumberToken).image);
          this.CONSUME(v.Dots);
          range.high = Number(this.CONSUME1(v.NumberToken).image);
        },
      },
    ]);
    let initial: number | undefined;
    this.OPTION(() => {
      this.CONSUME(v.Equal);
      initial = this.SUBRULE(this.literal);
    });
    this.CONSUME(v.Semicolon);
    return { name, ...range, initial, span: this.spanFrom(first) };
  });

  private readonly literal = this.RULE("literal", (): number =>
    this.OR<number>([
      { ALT: () => Number(this.CONSUME(v.NumberToken).image) },
      { ALT: () => (this.CONSUME(v.True), 1) },
      { ALT: () => (this.CONSUME(v.False), 0) },
    ]),
  );

  private readonly state = this.RULE("state", (): PltsTree["states"][number] => {
    const first = this.CONSUME(v.Name);
    let isInitial = false;
    this.OPTION(() => {
      this.CONSUME(v.Init);
      isInitial = true;
    });
    return { name: first.image, isInitial, span: this.spanFrom(first) };
  });

  private readonly transition = this.RULE("transition", (): TransitionTree => {
    const first = this.CONSUME(v.Name);
    this.CONSUME(v.Arrow);
    const to = this.CONSUME1(v.Name).image;
    this.CONSUME(v.Colon);
    const action = this.SUBRULE(this.action);
    let guard: Tree | undefined;
    this.OPTION(() => {
      this.CONSUME(v.OpenBracket);
      guard = this.SUBRULE(this.expression);
      this.CONSUME(v.CloseBracket);
    });
    const assignments: TransitionTree["assignments"][number][] = [];
    this.OPTION1(() => {
      this.CONSUME(v.OpenBrace);
      this.MANY(() => void assignments.push(this.SUBRULE(this.assignment)));
      this.CONSUME(v.CloseBrace);
    });
    this.CONSUME(v.Semicolon);
    return { from: first.image, to, action, guard, assignments, span: this.spanFrom(first) };
  });

  private readonly action = this.RULE("action", (): ActionTree => {
    let sign: string | undefined;
    this.OPTION(() => {
      sign = this.OR<string>([
        { ALT: () => this.CONSUME(v.Query).image },
        { ALT: () => this.CONSUME(v.Not).image },
      ]);
    });
    const isTau = this.LA(1).tokenType === v.Tau;
    let name = this.OR1<string>([
      { ALT: () => this.CONSUME(v.Name).image },
      { ALT: () => this.CONSUME(v.Tau).image },
    ]);
    this.OPTION1(() => {
      this.CONSUME(v.Dot);
      name = `${name}.${this.CONSUME1(v.Name).image}`;
    });
    const list: Tree[] = [];
    this.OPTION2(() => {
      this.CONSUME(v.Open);
      this.MANY_SEP({ SEP: v.Comma, DEF: () => void list.push(this.SUBRULE(this.expression)) });
      this.CONSUME(v.Close);
    });
    return { sign, name: isTau ? "tau" : name, arguments: list };
  });

  private readonly assignment = this.RULE("assignment", (): TransitionTree["assignments"][number] => {
    const first = this.CONSUME(v.Name);
    this.CONSUME(v.Assign);
    const value = this.SUBRULE(this.expression);
    this.CONSUME(v.Semicolon);
    return { name: first.image, value, span: this.spanFrom(first) };
  });

  protected override operands(first: IToken): IOrAlt<Tree>[] {
    return [
      this.numbers(first),
      ...this.truths(first),
      {
        ALT: (): Tree => {
          const name = this.CONSUME(v.Name).image;
          return { kind: "name", name, span: this.spanFrom(first) };
        },
      },
      this.parentheses(),
      ...this.prefixes(first),
    ];
  }

  protected override binary(operator: IToken, left: Tree, right: Tree, span: Span): Tree {
    return { kind: "binary", operator: operator.tokenType.name, left, right, span };
  }

  protected override unary(operator: IToken, of: Tree, span: Span): Tree {
    return { kind: "unary", operator: operator.tokenType.name, of, span };
  }

  protected override number(token: IToken, span: Span): Tree {
    return { kind: "number", value: Number(token.image), span };
  }

  protected override truth(value: boolean, span: Span): Tree {
    return { kind: "number", value: value ? 1 : 0, span };
  }
}

let made: PltsGrammar | undefined;
export const pltsGrammar = (): PltsGrammar => (made ??= new PltsGrammar());
