import type { TokenType } from "chevrotain";
import { tokenType, Vocabulary } from "../vocabulary.js";

export const Name = tokenType("Name", "a name");
export const Unknown = tokenType("Unknown", "an unknown character");

const vocabulary = new Vocabulary();
const { words, signs, word, sign } = vocabulary;
/** A keyword in one position, a name elsewhere. */
const contextual = (text: string): TokenType => word(text, Name);

export const Accept = contextual("accept");
export const Any = word("any");
export const Assume = word("assume");
export const AutomatonWord = contextual("automaton");
export const Break = word("break");
export const Channel = word("channel");
export const Choose = word("choose");
export const Classes = contextual("classes");
export const Contains = contextual("contains");
export const Domain = contextual("domain");
export const Else = word("else");
export const Eps = word("eps");
export const Halt = word("halt");
export const If = word("if");
export const In = word("in");
export const Init = contextual("init");
export const Loop = word("loop");
export const Message = contextual("message");
export const NotIn = word("notin");
export const Op = word("op");
export const Principal = word("principal");
export const PropertyWord = word("property");
export const ProvenanceWord = word("provenance");
export const Receive = word("recv");
export const Same = contextual("same");
export const Send = word("send");
export const Skip = word("skip");
export const Spawn = word("spawn");
export const Subset = contextual("subset");
export const True = word("true");
export const Var = word("var");
export const When = word("when");
export const While = word("while");

export const LeftBrace = sign("LeftBrace", "{");
export const RightBrace = sign("RightBrace", "}");
export const LeftParen = sign("LeftParen", "(");
export const RightParen = sign("RightParen", ")");
export const Branch = sign("Branch", "[]");
export const Semicolon = sign("Semicolon", ";");
export const Comma = sign("Comma", ",");
export const Dot = sign("Dot", ".");
export const Colon = sign("Colon", ":");
export const Equal = sign("Equal", "==");
export const NotEqual = sign("NotEqual", "!=");
export const Assign = sign("Assign", "=");
export const Arrow = sign("Arrow", "->");
export const Minus = sign("Minus", "-");
export const Bar = sign("Bar", "|");
export const Star = sign("Star", "*");
export const Plus = sign("Plus", "+");
export const Query = sign("Query", "?");
export const Bang = sign("Bang", "!");

export const KEYWORDS: ReadonlyMap<string, TokenType> = words;
export const VOCABULARY: readonly TokenType[] = [Name, Unknown, ...vocabulary.types];

export const typeOf = (image: string): TokenType =>
  words.get(image) ?? signs.get(image) ?? (/^[A-Za-z_]\w*$/.test(image) ? Name : Unknown);
