import type { TokenType } from "chevrotain";
import { tokenType as type, Vocabulary, wordType } from "../toolkit/vocabulary.js";
import { nth } from "../../model/known.js";

export const Identifier = type("Identifier", "a name");
export const BinaryOperatorToken = type("BinaryOperatorToken", "an operator");
export const PrefixOperator = type("PrefixOperator", "an operator");
/**
 * `[]`, `<>` and `<->`: in formulas only. `X`, `U` and the like are names, which `grammar-formulas.ts` recognises as
 * operators by position.
 */
export const TemporalPrefix = type("TemporalPrefix", "a temporal operator");
export const TemporalOperator = type("TemporalOperator", "a temporal operator");
export const Category = type("Category", "a property");
export const NumberToken = type("NumberToken", "a number");
export const StringToken = type("StringToken", "a string");
export const Unknown = type("Unknown", "an unknown character");

const { words, signs: operators, word, sign: operator } = new Vocabulary();

export const Alias = word("alias");
export const ArrayWord = word("array");
export const Assert = word("assert", Category);
export const Begin = word("begin");
export const BooleanWord = word("boolean");
export const By = word("by");
export const Case = word("case");
export const Clear = word("clear");
export const Const = word("const");
export const Do = word("do");
export const Else = word("else");
export const Elsif = word("elsif");
export const EnumWord = word("enum");
export const ErrorWord = word("error");
export const Exists = word("exists");
export const FalseWord = word("false");
export const For = word("for");
export const Forall = word("forall");
export const FunctionWord = word("function");
export const If = word("if");
export const Invariant = word("invariant", Category);
export const IsUndefined = word("isundefined");
export const Of = word("of");
export const ProcedureWord = word("procedure");
export const Put = word("put");
export const RecordWord = word("record");
export const Return = word("return");
export const RuleWord = word("rule");
export const Ruleset = word("ruleset");
export const ScalarsetWord = word("scalarset");
export const Startstate = word("startstate");
export const Switch = word("switch");
export const Then = word("then");
export const To = word("to");
export const TrueWord = word("true");
export const TypeWord = word("type");
export const Undefine = word("undefine");
export const Var = word("var");
export const While = word("while");

/** Closes any construct; the others close the construct in their name. */
export const EndAny = type("EndAny", "`end`");
export const End = word("end", EndAny);
const end = (...names: string[]): TokenType => {
  const category = type(`End_${nth(names, 0)}`, `\`end${nth(names, 0)}\``);
  for (const name of names) word(`end${name}`, category);
  return category;
};
export const EndAlias = end("alias");
export const EndExists = end("exists");
export const EndFor = end("for");
export const EndForall = end("forall");
export const EndFunction = end("function", "procedure");
export const EndIf = end("if");
export const EndRecord = end("record");
export const EndRule = end("rule");
export const EndRuleset = end("ruleset");
export const EndStartstate = end("startstate");
export const EndSwitch = end("switch");
export const EndWhile = end("while");

/** Words that only one of the two tools reserves: names wherever the grammar does not expect them (`contextual.ts`). */
const contextual = new Map<string, TokenType>();
const sometimes = (text: string, ...categories: TokenType[]): TokenType => {
  const made = wordType(text, ...categories);
  contextual.set(text, made);
  return made;
};
export const Assume = sometimes("assume", Category);
export const CoverWord = sometimes("cover", Category);
export const Liveness = sometimes("liveness", Category);
export const Ltl = sometimes("ltl");
export const Choose = sometimes("choose");
export const EndChoose = sometimes("endchoose");
export const IsMember = sometimes("ismember");
export const Multiset = sometimes("multiset");
export const MultisetAdd = sometimes("multisetadd");
export const MultisetCount = sometimes("multisetcount");
export const MultisetRemove = sometimes("multisetremove");
export const MultisetRemoveIf = sometimes("multisetremovepred");
export const Undefined = sometimes("undefined");
export const Union = sometimes("union");
/** Words of unsupported extensions; `hints.ts` reports them. */
export const Refused = type("Refused", "a word of an extension");
for (const text of ["externfun", "externproc", "pctl", "traceuntil"]) contextual.set(text, Refused);

export const LeftBrace = operator("LeftBrace", ["{"]);
export const RightBrace = operator("RightBrace", ["}"]);
export const LeftParen = operator("LeftParen", ["("]);
export const RightParen = operator("RightParen", [")"]);
export const LeftBracket = operator("LeftBracket", ["["]);
export const RightBracket = operator("RightBracket", ["]"]);
export const Semicolon = operator("Semicolon", [";"]);
export const Colon = operator("Colon", [":"]);
export const Comma = operator("Comma", [","]);
export const Dot = operator("Dot", ["."]);
export const DotDot = operator("DotDot", [".."]);
export const Becomes = operator("Becomes", [":=", "≔"]);
export const Fires = operator("Fires", ["==>", "⇒"]);
export const Query = operator("Query", ["?"]);
export const Not = operator("Not", ["!", "¬"], PrefixOperator);
export const Tilde = operator("Tilde", ["~"], PrefixOperator);
export const Plus = operator("Plus", ["+"], PrefixOperator, BinaryOperatorToken);
export const Minus = operator("Minus", ["-", "−"], PrefixOperator, BinaryOperatorToken);
for (const [name, ...spellings] of [
  ["Implies", "->", "→"],
  ["LogicalOr", "||", "∨"],
  ["LogicalAnd", "&&", "∧"],
  ["Or", "|"],
  ["Xor", "^"],
  ["And", "&"],
  ["Less", "<"],
  ["LessEqual", "<=", "≤"],
  ["Equal", "=", "=="],
  ["NotEqual", "!=", "≠"],
  ["GreaterEqual", ">=", "≥"],
  ["Greater", ">"],
  ["ShiftLeft", "<<"],
  ["ShiftRight", ">>"],
  ["Times", "*", "×"],
  ["Divide", "/", "÷"],
  ["Modulo", "%"],
] as const)
  operator(name, spellings, BinaryOperatorToken);
operator("Always", ["[]"], TemporalPrefix);
operator("Eventually", ["<>"], TemporalPrefix);
operator("Equivalent", ["<->"], TemporalOperator);
operators.set("∀", Forall);
operators.set("∃", Exists);

/** Operator of the unsupported probabilistic extension. */
export const Probabilistic = operator("Probabilistic", ["->>"]);

export const KEYWORDS: ReadonlyMap<string, TokenType> = words;
export const CONTEXTUAL: ReadonlyMap<string, TokenType> = contextual;
export const OPERATORS: ReadonlyMap<string, TokenType> = operators;

export const VOCABULARY: readonly TokenType[] = [
  ...new Set([
    Identifier,
    BinaryOperatorToken,
    PrefixOperator,
    TemporalPrefix,
    TemporalOperator,
    Category,
    NumberToken,
    StringToken,
    Unknown,
    EndAny,
    EndAlias,
    EndExists,
    EndFor,
    EndForall,
    EndFunction,
    EndIf,
    EndRecord,
    EndRule,
    EndRuleset,
    EndStartstate,
    EndSwitch,
    EndWhile,
    ...words.values(),
    ...contextual.values(),
    ...operators.values(),
  ]),
];
