/**
 * Temporal formulas: expressions with the operators `[] <> X U V W <->`. Maximal subformulas without these are Murphi
 * conditions; `! & && | || ->` above a temporal operator belong to the formula.
 *
 * `X`, `U` and the other words are names elsewhere. A word between two operands, where a name is impossible, is an
 * operator. `X` before an operand is an operator if the next token begins an operand and cannot continue one: `X p`,
 * whereas `X = 1` and `X U p` use a variable.
 */
import type { IToken } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import type {
  BinaryOperator,
  Expression,
  Formula,
  TemporalBinary,
  TemporalNode,
  TemporalUnary,
} from "./ast.js";
import { EXPRESSIONS, foldPieces, type Builder, type Piece, type PrefixOperator } from "./fold.js";
import { ExpressionGrammar, PREFIX_SPELLINGS, SPELLINGS, isA } from "./grammar-expressions.js";
import type { Token } from "./lexer.js";
import * as v from "./vocabulary.js";

type FormulaPrefix = PrefixOperator | "[]" | "<>" | "X";
type FormulaOperator = BinaryOperator | "U" | "V" | "W" | "<->";
type FormulaPiece = Piece<Formula, FormulaPrefix, FormulaOperator>;

export abstract class FormulaGrammar extends ExpressionGrammar {
  protected readonly formula = this.RULE("formula", (): Formula => {
    const first = this.LA(1);
    const condition = this.SUBRULE(this.simpleFormula);
    const branches = this.OPTION(() => {
      this.CONSUME(v.Query);
      const then = this.SUBRULE2(this.simpleFormula);
      this.CONSUME(v.Colon);
      const otherwise = this.SUBRULE3(this.simpleFormula);
      return { then, otherwise };
    });
    return this.ACTION((): Formula => {
      if (!branches) return condition;
      const { then, otherwise } = branches;
      if (isCondition(condition) && isCondition(then) && isCondition(otherwise))
        return { kind: "conditional", condition, then, otherwise, span: this.spanFrom(first) };
      return this.#misplaced("? :", this.spanFrom(first));
    });
  });

  private readonly simpleFormula = this.RULE("simpleFormula", (): Formula => {
    const pieces: FormulaPiece[] = [];
    this.SUBRULE(this.formulaOperand, { ARGS: [pieces] });
    this.MANY({
      GATE: () => this.LA(1).tokenType !== v.Identifier || BETWEEN.has(this.LA(1).image),
      DEF: () => {
        const { image, span } = this.OR([
          { ALT: () => this.CONSUME(v.BinaryOperatorToken) },
          { ALT: () => this.CONSUME(v.TemporalOperator) },
          { ALT: () => this.CONSUME(v.Identifier) },
        ]) as Token;
        this.ACTION(() => {
          const op = BETWEEN.get(image) ?? SPELLINGS.get(image) ?? (image as FormulaOperator);
          pieces.push({ kind: "binary", op, span });
        });
        this.SUBRULE2(this.formulaOperand, { ARGS: [pieces] });
      },
    });
    return this.ACTION(() => foldPieces(pieces, this.#builder, (problem) => this.report(problem)));
  });

  private readonly formulaOperand = this.RULE("formulaOperand", (pieces: FormulaPiece[]): void => {
    this.MANY({
      GATE: () => this.LA(1).tokenType !== v.Identifier || this.#isNext(),
      DEF: () => {
        const { image, span } = this.OR([
          { ALT: () => this.CONSUME(v.PrefixOperator) },
          { ALT: () => this.CONSUME(v.TemporalPrefix) },
          { ALT: () => this.CONSUME(v.Identifier) },
        ]) as Token;
        this.ACTION(() => {
          const op = BEFORE.get(image) ?? PREFIX_SPELLINGS.get(image) ?? (image as FormulaPrefix);
          pieces.push({ kind: "prefix", op, span });
        });
      },
    });
    const expression = this.SUBRULE(this.formulaPrimary);
    this.ACTION(() => pieces.push({ kind: "operand", expression }));
  });

  private readonly formulaPrimary = this.RULE("formulaPrimary", (): Formula =>
    this.OR2<Formula>({
      DEF: [{ ALT: () => this.SUBRULE(this.formulaInside) }, { ALT: () => this.SUBRULE(this.atom) }],
      ERR_MSG: "a formula",
    }),
  );

  private readonly formulaInside = this.RULE("formulaInside", (): Formula => {
    const first = this.CONSUME(v.LeftParen);
    const inner = this.SUBRULE(this.formula);
    this.CONSUME(v.RightParen);
    return this.ACTION(() => ({ ...inner, span: this.spanFrom(first) }));
  });

  #isNext(): boolean {
    return BEFORE.has(this.LA(1).image) && startsOperand(this.LA(2)) && !this.#isBetween(2);
  }

  #isBetween(position: number): boolean {
    const word = this.LA(position);
    return word.tokenType === v.Identifier && BETWEEN.has(word.image) && startsOperand(this.LA(position + 1));
  }

  readonly #builder: Builder<Formula, FormulaPrefix, FormulaOperator> = {
    unary: (op, operand, span) => {
      if (isCondition(operand) && isPlainPrefix(op)) return EXPRESSIONS.unary(op, operand, span);
      const kind = UNARY.get(op);
      return kind ? { kind, operand, span } : this.#misplaced(op, span);
    },
    binary: (op, left, right, span) => {
      if (isCondition(left) && isCondition(right) && isPlainOperator(op))
        return EXPRESSIONS.binary(op, left, right, span);
      const kind = BINARY.get(op);
      return kind ? { kind, left, right, span } : this.#misplaced(op, span);
    },
  };

  #misplaced(op: string, span: Span): Formula {
    this.report({
      code: "murphi/misplaced-temporal",
      severity: "error",
      message: `a temporal formula cannot be an operand of \`${op}\``,
      span,
      hint: "formulas are combined by `!`, `&`, `|`, `->`, `<->` and temporal operators",
    });
    return { kind: "boolean", value: true, span };
  }
}

export const isCondition = (formula: Formula): formula is Expression => !TEMPORAL_KINDS.has(formula.kind);

const isPlainPrefix = (op: FormulaPrefix): op is PrefixOperator => op !== "[]" && op !== "<>" && op !== "X";

const isPlainOperator = (op: FormulaOperator): op is BinaryOperator =>
  op !== "U" && op !== "V" && op !== "W" && op !== "<->";

const UNARY: ReadonlyMap<string, TemporalUnary> = new Map<string, TemporalUnary>([
  ["!", "not"],
  ["[]", "always"],
  ["<>", "eventually"],
  ["X", "next"],
]);

const BINARY: ReadonlyMap<string, TemporalBinary> = new Map<string, TemporalBinary>([
  ["&", "and"],
  ["&&", "and"],
  ["|", "or"],
  ["||", "or"],
  ["->", "implies"],
  ["<->", "equivalent"],
  ["U", "until"],
  ["V", "release"],
  ["W", "weak-until"],
]);

const TEMPORAL_KINDS: ReadonlySet<string> = new Set<TemporalNode["kind"]>([
  ...UNARY.values(),
  ...BINARY.values(),
]);

/** Words that are prefix operators. */
const BEFORE: ReadonlyMap<string, FormulaPrefix> = new Map<string, FormulaPrefix>([
  ["X", "X"],
  ["next", "X"],
  ["always", "[]"],
  ["eventually", "<>"],
]);

/** Words that are binary operators. */
const BETWEEN: ReadonlyMap<string, FormulaOperator> = new Map<string, FormulaOperator>([
  ["U", "U"],
  ["until", "U"],
  ["stronguntil", "U"],
  ["W", "W"],
  ["weakuntil", "W"],
  ["V", "V"],
  ["R", "V"],
  ["release", "V"],
  ["implies", "->"],
  ["equivalent", "<->"],
]);

export const TEMPORAL_WORDS: ReadonlySet<string> = new Set([...BEFORE.keys(), ...BETWEEN.keys()]);

const startsOperand = (token: IToken): boolean =>
  STARTS_OPERAND.has(token.tokenType) || isA(token, v.TemporalPrefix);

const STARTS_OPERAND: ReadonlySet<unknown> = new Set([
  v.Identifier,
  v.NumberToken,
  v.TrueWord,
  v.FalseWord,
  v.LeftParen,
  v.Not,
  v.Forall,
  v.Exists,
  v.IsUndefined,
  v.IsMember,
  v.MultisetCount,
]);
