/**
 * Extracts prose from sources and pages: comments, messages, Markdown.
 *
 * In: a file's text. Out: blocks of words with single spaces, each with a map back to offsets of the file. Code between
 * backquotes, links' addresses and placeholders become a run of `masked`.
 */
import ts from "typescript";
import { masked } from "./habits.js";

export interface Block {
  readonly text: string;
  /** Offset in the file of each character of `text`. */
  readonly offsets: readonly number[];
}

/** Comments of TypeScript or JavaScript; comments on consecutive lines are one block. */
export function commentsOf(file: string, text: string): Block[] {
  const source = parse(file, text);
  const blocks: Block[] = [];
  let previous: number | undefined;
  let lines = "";
  let start = 0;
  const flush = (): void => void (lines && blocks.push(...blocksOf(lines, start)), (lines = ""));
  for (const { pos, end } of commentRanges(source)) {
    const joined =
      previous !== undefined && /^[^\S\n]*\n[^\S\n]*$/.test(text.slice(previous, pos)) && isLine(text, pos);
    if (joined)
      lines += text.slice(previous, pos).replace(/[^\n]/g, " ") + strippedComment(text.slice(pos, end));
    else {
      flush();
      start = pos;
      lines = strippedComment(text.slice(pos, end));
    }
    previous = isLine(text, pos) ? end : undefined;
  }
  flush();
  return blocks;
}

/** Comments of models: `//`, `/* … *\/`, and `--` where the language has them. */
export function modelCommentsOf(text: string, dashes: boolean): Block[] {
  const token = /"(?:[^"\\\n]|\\.)*"|\/\*[\s\S]*?\*\/|\/\/[^\n]*|--[^\n]*/g;
  return [...text.matchAll(token)]
    .filter(([t]) => t.startsWith("/") || (dashes && t.startsWith("--")))
    .flatMap((match) => blocksOf(strippedComment(match[0].replace(/^--/, "//")), match.index));
}

/** String literals and texts of pages that read as sentences: diagnostics, help, reasons. */
export function messagesOf(file: string, text: string): Block[] {
  const source = parse(file, text);
  const blocks: Block[] = [];
  const add = (node: ts.Node, content: string): void => {
    if (isSentence(content)) blocks.push(...blocksOf(content, node.getStart(source)));
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (isConcatenation(node) || isString(node)) {
      add(node, literalText(node, source));
      computedParts(node).forEach(visit);
    } else if (ts.isJsxText(node)) add(node, node.getText(source));
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return blocks;
}

/** Paragraphs, headings, list items and table cells of Markdown; code blocks are omitted. */
export function markdownOf(text: string): Block[] {
  let page = text
    .replace(/^([^\S\n]*)(```|~~~)[\s\S]*?^\1\2[^\S\n]*$/gm, blank)
    .replace(/<!--[\s\S]*?-->/g, blank);
  page = page.replace(/\]\([^)\s]*\)/g, blank).replace(/<[^>\n]+>/g, blank);
  page = page
    .replace(/^[^\S\n]*\|[\s|:-]+\|[^\S\n]*$/gm, blank)
    .replace(/^[^\S\n]*(?:[-*+]|\d+\.|#+|>)[^\S\n]+/gm, (mark) => "\n" + mark.slice(1).replace(/./g, " "));
  const blocks: Block[] = [];
  let at = 0;
  for (const part of withoutCode(page).split(/(\n[^\S\n]*\n|\n(?=\n)|(?<!\\)\|)/)) {
    if (part.trim() && part !== "|") blocks.push(...blocksOf(part, at));
    at += part.length;
  }
  return blocks;
}

const parse = (file: string, text: string): ts.SourceFile =>
  ts.createSourceFile(
    file,
    text,
    { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone },
    false,
    file.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS,
  );

/** Every comment once, in order: the trivia in front of each token. */
function commentRanges(source: ts.SourceFile): ts.CommentRange[] {
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(source);
    if (children.length > 0) return children.forEach(visit);
    if (ts.isJsxText(node)) return;
    const start = node.pos;
    for (const range of [
      ...(ts.getTrailingCommentRanges(source.text, start) ?? []),
      ...(ts.getLeadingCommentRanges(source.text, start) ?? []),
    ])
      if (range.end <= node.getStart(source)) ranges.set(range.pos, range);
  };
  visit(source);
  return [...ranges.values()].sort((a, b) => a.pos - b.pos);
}

const isLine = (text: string, at: number): boolean => text.startsWith("//", at);
const blank = (text: string): string => text.replace(/[^\n]/g, " ");

/** Blanks the marks of a comment, directives for tools, marks of soundness conditions, and code samples. */
function strippedComment(comment: string): string {
  if (
    /^\/\/\s*(?:eslint|prettier|@ts-|sound:|#region|#endregion|expect[(:])|^\/\*\s*(?:eslint|prettier|global|v8|c8|@__)|^\/\/\/ </.test(
      comment,
    )
  )
    return blank(comment);
  return comment
    .replace(/^\/\/+|^\/\*+|\*+\/$/g, blank)
    .replace(/^[^\S\n]*\*/gm, blank)
    .replace(/```[\s\S]*?```/g, blank)
    .replace(/^\s*(?:\/\/)?\s*(?:@\w+)/gm, blank);
}

type Literal = ts.StringLiteral | ts.NoSubstitutionTemplateLiteral | ts.TemplateExpression;
const isString = (node: ts.Node): node is Literal =>
  ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node) || ts.isTemplateExpression(node);

const isConcatenation = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) &&
  node.operatorToken.kind === ts.SyntaxKind.PlusToken &&
  [node.left, node.right].some((side) => isString(side) || isConcatenation(side));

/** The computed expressions inside a literal or a concatenation, which may contain further sentences. */
function computedParts(node: ts.Node): ts.Node[] {
  if (isConcatenation(node)) return [node.left, node.right].flatMap(computedParts);
  if (ts.isTemplateExpression(node)) return node.templateSpans.map(({ expression }) => expression);
  return isString(node) ? [] : [node];
}

/** The literal's characters at their places; quotes and operators are blank, everything computed is masked. */
function literalText(node: ts.Node, source: ts.SourceFile): string {
  const start = node.getStart(source);
  const chars = [...blankOrMask(source.text.slice(start, node.end))];
  const keep = (from: number, to: number): void => {
    for (let i = from; i < to; i++) chars[i - start] = source.text[i] ?? " ";
  };
  const clear = (from: number, to: number): void => void chars.fill(" ", from - start, to - start);
  const visit = (part: ts.Node): void => {
    if (ts.isBinaryExpression(part) && isConcatenation(part)) {
      visit(part.left);
      clear(part.left.end, part.right.getStart(source));
      visit(part.right);
    } else if (isString(part)) {
      clear(part.getStart(source), part.end);
      if (ts.isTemplateExpression(part)) keepTemplate(part);
      else keep(part.getStart(source) + 1, part.end - 1);
    }
  };
  const keepTemplate = (part: ts.TemplateExpression): void => {
    keep(part.head.getStart(source) + 1, part.head.end - 2);
    for (const span of part.templateSpans) {
      chars.fill(masked, span.expression.getStart(source) - start, span.expression.end - start);
      keep(span.literal.getStart(source) + 1, span.literal.end - (ts.isTemplateTail(span.literal) ? 1 : 2));
    }
  };
  visit(node);
  return chars
    .join("")
    .replace(/\\[nrt]/g, "  ")
    .replace(/\\(["'`\\$])/g, " $1");
}

const blankOrMask = (text: string): string => text.replace(/[^\n]/g, masked);

/** Whether a literal is for people: four words or more, and almost nothing but words. */
function isSentence(text: string): boolean {
  const words = text.match(/(?<![\w$.-])[A-Za-z][a-z'’-]*(?![\w$(=])/g) ?? [];
  if (
    words.length < 4 ||
    /=>|;\s*\n|\b(?:const|return|function|typeof) |[{};]\s*$|^\s*[.#]?\w+\s*\{/m.test(text)
  )
    return false;
  const visible = text.replaceAll(masked, "").replace(/\s/g, "").length;
  return words.join("").length / visible > 0.75;
}

/** Masks code between backquotes and addresses. */
const withoutCode = (text: string): string =>
  text.replace(/(`+)(?:(?!\1)[^\n])+?\1(?!`)|https?:\/\/\S+|\{@link [^}]*\}/g, (code) =>
    code.replace(/[^\n]/g, masked),
  );

/** Cuts at empty lines, masks code between backquotes and addresses, and closes gaps. */
function blocksOf(content: string, start: number): Block[] {
  const text = withoutCode(content).replace(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}/g, (mark) =>
    " ".repeat(mark.length),
  );
  const blocks: Block[] = [];
  let at = 0;
  for (const part of text.split(/(\n\s*\n)/)) {
    if (part.trim()) blocks.push(squeezed(part, start + at));
    at += part.length;
  }
  return blocks;
}

function squeezed(part: string, start: number): Block {
  const chars: string[] = [];
  const offsets: number[] = [];
  for (let i = 0; i < part.length; i++) {
    const char = part[i] ?? "";
    const isSpace = /\s/.test(char);
    if (isSpace && (chars.length === 0 || chars[chars.length - 1] === " ")) continue;
    if (char === masked && chars[chars.length - 1] === masked) continue;
    chars.push(isSpace ? " " : char);
    offsets.push(start + i);
  }
  return { text: chars.join("").trimEnd(), offsets };
}
