/**
 * Conditions on markings: `p + 2 * q <= 3 && !(r >= 1)`. A name alone means at least one token. A name with spaces or
 * signs is quoted, in single or double quotes. A variable is compared with the names of its values: `v == M`.
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

/** The names of a family of conditions, and its diagnostics. */
export interface ConditionNames {
  readonly code: string;
  /** For a counted name that does not exist. */
  readonly what: string;
  readonly hint: string;
  /** By name, the values of a variable: for each the place that has a token while the variable has the value. */
  readonly variables: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Parses the condition; `span` is the position of `text`. */
export function parseMarkingCondition(
  text: string,
  span: Span,
  places: readonly Called[],
  names: ConditionNames = MARKINGS,
): MarkingCondition | readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const {
    tokens,
    end,
    diagnostics: strange,
  } = scan(span.file, text, {
    ...SCAN_RULES,
    unknownCode: names.code,
  });
  diagnostics.push(...strange);
  const condition = grammar().parseCondition(tokens, end, places, names, (d) => diagnostics.push(d));
  if (condition && diagnostics.length === 0) return condition;
  const moved = ({ span: own }: Diagnostic): Span => ({
    file: own.file,
    start: span.start + own.start,
    end: span.start + own.end,
  });
  return diagnostics.map((diagnostic) => ({ ...diagnostic, span: moved(diagnostic), hint: names.hint }));
}

const MARKINGS: ConditionNames = {
  code: "net/condition",
  what: "place",
  hint: "a condition is such as p >= 2 && q + r < 3; quote names with spaces: 'two words' >= 1",
  variables: new Map(),
};

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
  unknownCode: MARKINGS.code,
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
  #names = MARKINGS;

  constructor() {
    super([Name, NumberToken, Relation, ...vocabulary.types]);
    this.performSelfAnalysis();
  }

  parseCondition(
    tokens: readonly SourceToken[],
    end: Span,
    places: readonly Called[],
    names: ConditionNames,
    report: Report,
  ): MarkingCondition | undefined {
    this.#places = places;
    this.#names = names;
    return this.parseWith(this.condition, tokens, end, report) as MarkingCondition | undefined;
  }

  protected override describe(error: IRecognitionException): Diagnostic | undefined {
    const diagnostic = super.describe(error);
    return diagnostic && { ...diagnostic, code: this.#names.code };
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
        {
          GATE: () => this.#names.variables.has(this.LA(1).image),
          ALT: () => this.SUBRULE(this.equality),
        },
        { ALT: () => this.SUBRULE(this.comparison) },
      ],
      ERR_MSG: "a condition",
    }),
  );

  private readonly equality = this.RULE("equality", (): MarkingCondition => {
    const variable = this.CONSUME(Name);
    const relation = this.CONSUME(Relation);
    const value = this.CONSUME2(Name);
    return this.ACTION(() => {
      const isEqual = relation.image === "==" || relation.image === "=";
      if (!isEqual && relation.image !== "!=")
        this.#complain(relation, `\`${variable.image}\` is compared by == and !=`);
      const place = this.#names.variables.get(variable.image)?.get(value.image);
      if (place === undefined)
        this.#complain(value, `\`${value.image}\` is no value of \`${variable.image}\``);
      const held: MarkingCondition = {
        kind: "compare",
        terms: [[place ?? 0, 1]],
        constant: -1,
        relation: ">=",
      };
      return isEqual ? held : { kind: "not", operand: held }; // sound: test/session/message-questions.test.ts
    });
  });

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
    if (place === undefined) this.#complain(token, `there is no ${this.#names.what} \`${name}\``);
    // sound: test/session/net-properties.test.ts
    else if (others.length > 0) this.#complain(token, `several places are called \`${name}\``);
    return place ?? 0;
  }

  #complain(token: IToken, message: string): void {
    this.report({
      code: this.#names.code,
      severity: "error",
      message,
      span: this.tokenOf(token)?.span ?? this.end,
    });
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
