import type { TokenType } from "chevrotain";
import { tokenType as type, Vocabulary } from "../toolkit/vocabulary.js";
import { nth, entryOf } from "../../model/known.js";

// Categories -------------------------------------------------------------------------------------------

export const Identifier = type("Identifier", "a name");
/** A name that may be declared or labelled: not already an mtype constant, typedef or proctype. */
export const Name = type("Name", "a name", Identifier);
export const MtypeName = type("MtypeName", "an mtype constant", Identifier);
export const TypeNameToken = type("TypeNameToken", "a type", Identifier);
export const ProcessName = type("ProcessName", "a proctype name", Identifier);

export const BinaryOperatorToken = type("BinaryOperatorToken", "an operator");
export const PrefixOperator = type("PrefixOperator", "an operator");
export const Separator = type("Separator", "`;`");
export const BasicTypeToken = type("BasicTypeToken", "a type");
export const Visibility = type("Visibility", "`hidden`, `show` or `local`");
export const Constant = type("Constant", "a constant");
export const ChannelTestToken = type("ChannelTestToken", "`full`, `empty`, `nfull` or `nempty`");
export const ProcessQueryToken = type("ProcessQueryToken", "`enabled`, `pc_value` or `get_priority`");
export const Exclusive = type("Exclusive", "`xr` or `xs`");
export const StepOperator = type("StepOperator", "`++` or `--`");

// Extensions: keywords only where plain Promela allows no such name (`classify.ts`) -----------------------

export const Enum = type("Enum", "`enum`");
export const EnumName = type("EnumName", "an enumeration", BasicTypeToken);
export const AbstractType = type("AbstractType", "`set` or `queue`", BasicTypeToken);
export const RefactorBy = type("RefactorBy", "`refactorby`");

// Literals ---------------------------------------------------------------------------------------------

export const NumberToken = type("NumberToken", "a number", Constant);
export const CharacterToken = type("CharacterToken", "a character", Constant);
export const StringToken = type("StringToken", "a string");
export const EmbeddedCToken = type("EmbeddedCToken", "embedded C");
export const Unknown = type("Unknown", "an unknown character");

// Words and operators ----------------------------------------------------------------------------------

const { words, signs: operators, word, sign: operator } = new Vocabulary();
const formulaWords = new Map<string, TokenType>();
const formulaOperators = new Map<string, TokenType>();

const temporal = (name: string, spellings: readonly string[], ...categories: TokenType[]): TokenType => {
  const made = type(name, `\`${nth(spellings, 0)}\``, ...categories);
  for (const text of spellings) (/^\w/.test(text) ? formulaWords : formulaOperators).set(text, made);
  return made;
};

for (const name of ["bit", "bool", "byte", "pid", "short", "int", "unsigned", "chan"])
  word(name, BasicTypeToken);
export const Mtype = word("mtype", BasicTypeToken);
for (const name of ["hidden", "show", "local"]) word(name, Visibility);
for (const name of ["true", "false", "skip"]) word(name, Constant);
for (const name of ["full", "empty", "nfull", "nempty"]) word(name, ChannelTestToken);
for (const name of ["enabled", "pc_value", "get_priority"]) word(name, ProcessQueryToken);
for (const name of ["xr", "xs"]) word(name, Exclusive);
export const Active = word("active");
export const Assert = word("assert");
export const Atomic = word("atomic");
export const Break = word("break");
export const DStep = word("d_step");
export const Do = word("do");
export const DProctype = word("D_proctype");
export const Else = word("else");
export const Eval = word("eval");
export const Fi = word("fi");
export const For = word("for");
export const Goto = word("goto");
export const If = word("if");
export const In = word("in");
export const Init = word("init");
export const Inline = word("inline");
export const Len = word("len");
export const Ltl = word("ltl");
export const Never = word("never");
export const NotTrace = word("notrace");
export const NonProgress = word("np_");
export const Od = word("od");
export const Of = word("of");
export const Printf = word("printf");
export const Printm = word("printm");
export const Priority = word("priority");
export const Proctype = word("proctype");
export const Provided = word("provided");
export const Return = word("return");
export const Run = word("run");
export const Select = word("select");
export const SetPriority = word("set_priority");
export const Timeout = word("timeout");
export const Trace = word("trace");
export const Typedef = word("typedef");
export const Unless = word("unless");

export const LeftBrace = operator("LeftBrace", "{");
export const RightBrace = operator("RightBrace", "}");
export const LeftParen = operator("LeftParen", "(");
export const RightParen = operator("RightParen", ")");
export const LeftBracket = operator("LeftBracket", "[");
export const RightBracket = operator("RightBracket", "]");
export const Semicolon = operator("Semicolon", ";", Separator);
export const Arrow = operator("Arrow", "->", Separator);
export const Colon = operator("Colon", ":");
export const DoubleColon = operator("DoubleColon", "::");
export const Comma = operator("Comma", ",");
export const Dot = operator("Dot", ".");
export const DotDot = operator("DotDot", "..");
export const At = operator("At", "@");
export const Assign = operator("Assign", "=");
export const Increment = operator("Increment", "++", StepOperator);
export const Decrement = operator("Decrement", "--", StepOperator);
export const Query = operator("Query", "?");
export const DoubleQuery = operator("DoubleQuery", "??");
export const Bang = operator("Bang", "!", PrefixOperator);
export const DoubleBang = operator("DoubleBang", "!!", PrefixOperator);
export const Tilde = operator("Tilde", "~", PrefixOperator);
export const Minus = operator("Minus", "-", PrefixOperator, BinaryOperatorToken);
export const Less = operator("Less", "<", BinaryOperatorToken);
export const Greater = operator("Greater", ">", BinaryOperatorToken);
for (const [name, text] of Object.entries({
  Plus: "+",
  Times: "*",
  Divide: "/",
  Modulo: "%",
  BitAnd: "&",
  BitXor: "^",
  BitOr: "|",
  ShiftLeft: "<<",
  ShiftRight: ">>",
  LessEqual: "<=",
  GreaterEqual: ">=",
  Equal: "==",
  NotEqual: "!=",
  And: "&&",
  Or: "||",
})) {
  operator(name, text, BinaryOperatorToken);
}

temporal("Always", ["[]", "always"], PrefixOperator);
temporal("Eventually", ["<>", "eventually"], PrefixOperator);
temporal("Next", ["X", "next"], PrefixOperator);
temporal("Until", ["U", "until", "stronguntil"], BinaryOperatorToken);
temporal("WeakUntil", ["W", "weakuntil"], BinaryOperatorToken);
temporal("Release", ["V", "release"], BinaryOperatorToken);
temporal("Implies", ["->", "implies"], BinaryOperatorToken);
temporal("Equivalent", ["<->", "equivalent"], BinaryOperatorToken);
formulaOperators.set("/\\", entryOf(operators, "&&"));
formulaOperators.set("\\/", entryOf(operators, "||"));

export const KEYWORDS: ReadonlyMap<string, TokenType> = words;
export const OPERATORS: ReadonlyMap<string, TokenType> = operators;
/** Meanings inside `ltl { … }`. */
export const FORMULA_WORDS: ReadonlyMap<string, TokenType> = formulaWords;
export const FORMULA_OPERATORS: ReadonlyMap<string, TokenType> = formulaOperators;

export const VOCABULARY: readonly TokenType[] = [
  Identifier,
  Name,
  MtypeName,
  TypeNameToken,
  ProcessName,
  BinaryOperatorToken,
  PrefixOperator,
  Separator,
  BasicTypeToken,
  Visibility,
  Constant,
  ChannelTestToken,
  ProcessQueryToken,
  Exclusive,
  StepOperator,
  Enum,
  EnumName,
  AbstractType,
  RefactorBy,
  NumberToken,
  CharacterToken,
  StringToken,
  EmbeddedCToken,
  Unknown,
  ...new Set([
    ...words.values(),
    ...operators.values(),
    ...formulaWords.values(),
    ...formulaOperators.values(),
  ]),
];
