/** Token types of the grammar, and the lexer. */
import type { TokenType } from "chevrotain";
import type { Span } from "../../model/diagnostic.js";
import { entryOf } from "../../model/known.js";
import type { Report } from "../toolkit/diagnostics.js";
import { newToken, type SourceToken } from "../toolkit/source-token.js";
import { tokenType, Vocabulary } from "../toolkit/vocabulary.js";

export const Identifier = tokenType("Identifier", "a name");
export const Integer = tokenType("Integer", "a number");
export const Text = tokenType("Text", "a string");
export const Unknown = tokenType("Unknown", "an unknown character");
export const Operator = tokenType("Operator", "an operator");
/** Contextual keywords: names in all other positions. */
export const Word = tokenType("Word", "a name", Identifier);

const vocabulary = new Vocabulary();
const { words, signs, word } = vocabulary;
const sign = (text: string, ...categories: TokenType[]): TokenType =>
  vocabulary.sign(`Sign_${signs.size}`, text, ...categories);

export const Topology = word("topology", Word);
export const Network = word("network", Word);
export const Switch = word("switch");
export const Client = word("client");
export const Link = word("link", Word);
export const Ports = word("ports", Word);
export const Kind = word("kind", Word);
export const Fails = word("fails", Word);
export const Contacts = word("contacts", Word);
export const Packet = word("packet", Word);
export const Visited = word("visited", Word);
export const Type = word("type");
export const Bool = word("bool");
export const Enum = word("enum");
export const Port = word("port", Word);
export const Set = word("set", Word);
export const MapWord = word("map", Word);
export const Of = word("of");
export const Const = word("const");
export const Behaviour = word("behaviour");
export const Send = word("send", Word);
export const To = word("to", Word);
export const On = word("on");
export const Receive = word("receive", Word);
export const Any = word("any");
export const Controller = word("controller");
export const Kappa = word("kappa", Word);
export const State = word("state", Word);
export const FunctionWord = word("function");
export const PacketIn = word("packetIn", Word);
export const PortDown = word("portDown", Word);
export const BarrierReply = word("barrierReply", Word);
export const Event = word("event");
export const When = word("when");
export const Let = word("let");
export const If = word("if");
export const Else = word("else");
export const For = word("for");
export const In = word("in", Operator);
export const Choose = word("choose");
export const Install = word("install");
export const Remove = word("remove");
export const Barrier = word("barrier");
export const Forward = word("forward");
export const Flood = word("flood");
export const Drop = word("drop");
export const Emit = word("emit");
export const At = word("at");
export const ErrorWord = word("error");
export const Return = word("return");
export const Rule = word("rule");
export const Timeout = word("timeout", Word);
export const True = word("true");
export const False = word("false");
export const None = word("none");
export const Forall = word("forall");
export const Exists = word("exists");
export const Packets = word("packets");
export const Property = word("property");
export const Always = word("always");
export const Never = word("never");
export const Ltl = word("ltl", Word);
export const Execution = word("execution", Word);
export const Options = word("options");

export const LeftBrace = sign("{");
export const RightBrace = sign("}");
export const LeftParen = sign("(");
export const RightParen = sign(")");
export const LeftBracket = sign("[");
export const RightBracket = sign("]");
export const Semicolon = sign(";");
export const Colon = sign(":");
export const Comma = sign(",");
export const DotDot = sign("..");
export const Dot = sign(".");
export const Dashes = sign("--");
export const Assign = sign("=");
export const Not = sign("!");
for (const text of ["->", "||", "&&", "==", "!=", "<=", ">=", "<", ">", "+", "-"]) sign(text, Operator);

/** The lexer does not depend on the order. */
export const VOCABULARY: readonly TokenType[] = [
  Identifier,
  Word,
  Operator,
  Integer,
  Text,
  Unknown,
  ...vocabulary.types,
];

const PATTERN =
  /(\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|([A-Za-z_]\w*)|(\d+)|"((?:[^"\\\n]|\\.)*)"|(->|\|\||&&|==|!=|<=|>=|\.\.|--|[{}()[\];:,.=!<>+-])|([\s\S])/uy;

export function lex(file: string, text: string, report: Report): SourceToken[] {
  const tokens: SourceToken[] = [];
  const pattern = new RegExp(PATTERN);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const [image, blank, name, digits, quoted, symbol] = match;
    if (blank !== undefined) continue;
    const span: Span = { file, start: match.index, end: match.index + image.length };
    const found =
      name !== undefined
        ? (words.get(name) ?? Identifier)
        : digits !== undefined
          ? Integer
          : quoted !== undefined
            ? Text
            : symbol !== undefined
              ? entryOf(signs, symbol)
              : Unknown;
    if (found === Unknown)
      report({
        code: "sdn/unknown-character",
        severity: "error",
        message: image === "/" ? "a comment is not closed" : `'${image}' means nothing here`,
        span,
      });
    else tokens.push(newToken(found, quoted === undefined ? image : quoted, span));
  }
  return tokens;
}
