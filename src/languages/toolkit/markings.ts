/**
 * Conditions on markings: `p + 2 * q <= 3 && !(r >= 1)`. A name alone means at least one token. A name with spaces or
 * signs is quoted, in single or double quotes.
 */
import type { IRecognitionException, IToken } from "chevrotain";
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import {
  MOST_TOKENS,
  tokensOf,
  type MarkingCondition,
  type MarkingRelation,
  type NetPlace,
} from "../../model/net.js";
import type { Report } from "./diagnostics.js";
import { scan, type ScanRules } from "./scan.js";
import { SourceParser } from "./source-parser.js";
import type { SourceToken } from "./source-token.js";
import { tokenType, Vocabulary } from "./vocabulary.js";

/** PNML places also have an id and a title; titles need not be unique. */
export type Called = NetPlace & { readonly id?: string; readonly title?: string };

/** Indices of the places with this name, id or title. */
export const placesCalled = (places: readonly Called[], name: string): number[] =>
  places.flatMap((each, i) => ([each.name, each.id, each.title].includes(name) ? [i] : []));

/** Parses the condition; `span` is the position of `text`. */
export function parseMarkingCondition(
  text: string,
  span: Span,
  places: readonly Called[],
): MarkingCondition | readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const { tokens, end, diagnostics: strange } = scan(span.file, text, SCAN_RULES);
  diagnostics.push(...strange);
  const condition = grammar().parseCondition(tokens, end, places, (d) => diagnostics.push(d));
  if (condition && diagnostics.length === 0) return condition;
  const moved = ({ span: own }: Diagnostic): Span => ({
    file: own.file,
    start: span.start + own.start,
    end: span.start + own.end,
  });
  return diagnostics.map((diagnostic) => ({ ...diagnostic, span: moved(diagnostic), hint: HINT }));
}

const CODE = "net/condition";
const HINT =
  "a condition is such as p >= 2 && q + r < 3; names with spaces stand in quotes: 'two words' >= 1";

const Name = tokenType("MarkingName", "a place");
const NumberToken = tokenType("MarkingNumber", "a number");
const vocabulary = new Vocabulary();
const { word, sign } = vocabulary;
const True = word("true");
const False = word("false");
const Relation = tokenType("MarkingRelation", "a comparison");
const And = sign("MarkingAnd", ["&&", "&"]);
const Or = sign("MarkingOr", ["||", "|"]);
for (const [index, text] of [">=", "<=", "==", "!=", ">", "<", "="].entries())
  sign(`MarkingRelation${index}`, text, Relation);
const Not = sign("MarkingNot", "!");
const Plus = sign("MarkingPlus", "+");
const Minus = sign("MarkingMinus", "-");
const Times = sign("MarkingTimes", "*");
const Open = sign("MarkingOpen", "(");
const Close = sign("MarkingClose", ")");

const SCAN_RULES: ScanRules = {
  unknownCode: CODE,
  skipped: /\s+/y,
  name: /[\p{L}_][\p{L}\p{N}_.]*|"[^"]+"|'[^']+'/uy,
  number: /\d+/y,
  nameType: Name,
  numberType: NumberToken,
  words: vocabulary.words,
  symbols: vocabulary.signs,
};

interface Sum {
  readonly factors: ReadonlyMap<number, number>;
  readonly constant: number;
}

class MarkingGrammar extends SourceParser {
  #places: readonly Called[] = [];

  constructor() {
    super([Name, NumberToken, Relation, ...vocabulary.types]);
    this.performSelfAnalysis();
  }

  parseCondition(
    tokens: readonly SourceToken[],
    end: Span,
    places: readonly Called[],
    report: Report,
  ): MarkingCondition | undefined {
    this.#places = places;
    return this.parseWith(this.condition, tokens, end, report) as MarkingCondition | undefined;
  }

  protected override describe(error: IRecognitionException): Diagnostic | undefined {
    const diagnostic = super.describe(error);
    return diagnostic && { ...diagnostic, code: CODE };
  }

  private readonly condition = this.RULE("condition", (): MarkingCondition => {
    let left = this.SUBRULE(this.conjunction);
    this.MANY(() => {
      this.CONSUME(Or);
      left = { kind: "or", left, right: this.SUBRULE2(this.conjunction) };
    });
    return left;
  });

  private readonly conjunction = this.RULE("conjunction", (): MarkingCondition => {
    let left = this.SUBRULE(this.atom);
    this.MANY(() => {
      this.CONSUME(And);
      left = { kind: "and", left, right: this.SUBRULE2(this.atom) };
    });
    return left;
  });

  private readonly atom = this.RULE("atom", (): MarkingCondition =>
    this.OR({
      DEF: [
        { ALT: () => (this.CONSUME(Not), { kind: "not", operand: this.SUBRULE(this.atom) } as const) },
        { ALT: () => (this.CONSUME(True), { kind: "constant", value: true } as const) },
        { ALT: () => (this.CONSUME(False), { kind: "constant", value: false } as const) },
        {
          ALT: () => {
            this.CONSUME(Open);
            const inner = this.SUBRULE(this.condition);
            this.CONSUME(Close);
            return inner;
          },
        },
        { ALT: () => this.SUBRULE(this.comparison) },
      ],
      ERR_MSG: "a condition",
    }),
  );

  private readonly comparison = this.RULE("comparison", (): MarkingCondition => {
    const left = this.SUBRULE(this.sum);
    const found = this.OPTION(() => ({
      relation: this.CONSUME(Relation).image,
      right: this.SUBRULE2(this.sum),
    }));
    return this.ACTION(() =>
      found
        ? compared(left, found.relation === "=" ? "==" : (found.relation as MarkingRelation), found.right)
        : compared(left, ">=", { factors: new Map(), constant: 1 }),
    );
  });

  private readonly sum = this.RULE("sum", (): Sum => {
    let sum = this.SUBRULE(this.term);
    this.MANY(() => {
      const sign = this.OR([
        { ALT: () => (this.CONSUME(Plus), 1) },
        { ALT: () => (this.CONSUME(Minus), -1) },
      ]);
      const term = this.SUBRULE2(this.term);
      sum = this.ACTION(() => added(sum, term, sign));
    });
    return sum;
  });

  private readonly term = this.RULE("term", (): Sum =>
    this.OR({
      DEF: [
        {
          ALT: () => {
            const number = this.#number(this.CONSUME(NumberToken));
            const place = this.OPTION(() => {
              this.CONSUME(Times);
              return this.CONSUME(Name);
            });
            if (!place) return { factors: new Map(), constant: number };
            return this.ACTION(() => ({ factors: new Map([[this.#place(place), number]]), constant: 0 }));
          },
        },
        {
          ALT: () => {
            const place = this.CONSUME2(Name);
            return this.ACTION(() => ({ factors: new Map([[this.#place(place), 1]]), constant: 0 }));
          },
        },
      ],
      ERR_MSG: "a place or a number",
    }),
  );

  #number(token: IToken): number {
    const value = Number(token.image);
    if (value > MOST_TOKENS) this.#complain(token, `${token.image} is too large`);
    return value;
  }

  #place(token: IToken): number {
    const name = token.image.replace(/^(["'])(.*)\1$/s, "$2");
    const [place, ...others] = placesCalled(this.#places, name);
    if (place === undefined) this.#complain(token, `there is no place \`${name}\``);
    // sound: test/session/net-properties.test.ts
    else if (others.length > 0) this.#complain(token, `several places are called \`${name}\``);
    return place ?? 0;
  }

  #complain(token: IToken, message: string): void {
    this.report({ code: CODE, severity: "error", message, span: this.tokenOf(token)?.span ?? this.end });
  }
}

/** Compares `left - right` with 0. */
function compared(left: Sum, relation: MarkingRelation, right: Sum): MarkingCondition {
  const { factors, constant } = added(left, right, -1);
  return { kind: "compare", terms: tokensOf(factors), constant, relation };
}

function added(left: Sum, right: Sum, sign: number): Sum {
  const factors = new Map(left.factors);
  for (const [place, factor] of right.factors) factors.set(place, (factors.get(place) ?? 0) + sign * factor);
  return { factors, constant: left.constant + sign * right.constant };
}

let shared: MarkingGrammar | undefined;

const grammar = (): MarkingGrammar => (shared ??= new MarkingGrammar());
