/**
 * XML without document types, with positions: elements, attributes, text, comments, CDATA and the five entities.
 * Skips document types, so no entity can expand. Avoids recursion, so nesting depth is not limited by the stack.
 */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import { nth } from "../../model/known.js";

export interface XmlElement {
  /** Without a namespace prefix. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  /** Concatenated text directly inside the element. */
  text: string;
  /** Span of the opening tag. */
  readonly span: Span;
}

export interface ParsedXml {
  readonly root: XmlElement | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** `code`: of syntax errors. */
export function parseXml(file: string, text: string, code: string): ParsedXml {
  const diagnostics: Diagnostic[] = [];
  const root = new Reader(file, text, code, diagnostics).read();
  return { root: diagnostics.length > 0 ? undefined : root, diagnostics };
}

class Reader {
  readonly #file: string;
  readonly #text: string;
  readonly #code: string;
  readonly #diagnostics: Diagnostic[];
  readonly #open: XmlElement[] = [];
  #root: XmlElement | undefined;
  #at = 0;

  constructor(file: string, text: string, code: string, diagnostics: Diagnostic[]) {
    this.#file = file;
    this.#text = text;
    this.#code = code;
    this.#diagnostics = diagnostics;
  }

  read(): XmlElement | undefined {
    const text = this.#text;
    while (this.#at < text.length && this.#diagnostics.length === 0) {
      const next = text.indexOf("<", this.#at);
      this.#content(text.slice(this.#at, next < 0 ? text.length : next));
      if (next < 0) break;
      this.#at = next;
      this.#markup();
    }
    if (this.#diagnostics.length > 0) return undefined;
    const unclosed = this.#open.at(-1);
    if (unclosed) this.#error(unclosed.span, `\`<${unclosed.name}>\` is not closed`);
    else if (!this.#root) this.#error(this.#here(), "this is not an XML document");
    return this.#root;
  }

  #markup(): void {
    if (this.#text.startsWith("<!--", this.#at)) return this.#skipTo("-->", "a comment");
    if (this.#text.startsWith("<![CDATA[", this.#at)) return this.#characterData();
    if (this.#text.startsWith("<?", this.#at)) return this.#skipTo("?>", "a processing instruction");
    if (this.#text.startsWith("<!", this.#at)) return this.#documentType();
    if (this.#text.startsWith("</", this.#at)) return this.#closingTag();
    return this.#openingTag();
  }

  #content(text: string): void {
    const element = this.#open.at(-1);
    if (element) element.text += decode(text);
    else if (text.trim() !== "" && text.trim() !== "\uFEFF") {
      const offset = text.length - text.trimStart().length;
      this.#error({ ...this.#here(), start: this.#at + offset }, "text outside of any element");
    }
  }

  #characterData(): void {
    const start = this.#at + "<![CDATA[".length;
    const end = this.#text.indexOf("]]>", start);
    if (end < 0) return this.#error(this.#here(), "character data is not closed");
    const element = this.#open.at(-1);
    if (element) element.text += this.#text.slice(start, end);
    this.#at = end + 3;
  }

  /** Skips `<!DOCTYPE …>` with its bracketed part. */
  #documentType(): void {
    let depth = 0;
    for (let at = this.#at; at < this.#text.length; at++) {
      const character = this.#text[at];
      if (character === "<" || character === "[") depth++;
      if (character === ">" || character === "]") depth--;
      if (depth > 0) continue;
      this.#at = at + 1;
      return;
    }
    this.#error(this.#here(), "a declaration is not closed");
  }

  #closingTag(): void {
    const found = matchAt(/<\/([^\s<>/]+)\s*>/y, this.#text, this.#at);
    if (!found) return this.#error(this.#here(), "a closing tag is broken");
    const span = this.#span(found[0].length);
    const name = localName(nth(found, 1));
    const element = this.#open.pop();
    if (!element) this.#error(span, `\`</${name}>\` closes nothing`);
    else if (element.name !== name) this.#error(span, `\`<${element.name}>\` is closed by \`</${name}>\``);
    this.#at += found[0].length;
  }

  #openingTag(): void {
    const name = matchAt(/<([A-Za-z_][^\s<>/=]*)/y, this.#text, this.#at);
    if (!name) return this.#error(this.#here(), "a tag is broken");
    const attributes = new Map<string, string>();
    let at = this.#at + name[0].length;
    for (;;) {
      const attribute = matchAt(/\s+([^\s=<>/"']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y, this.#text, at);
      if (!attribute) break;
      at += attribute[0].length;
      if (isNamespace(nth(attribute, 1))) continue;
      const key = localName(nth(attribute, 1));
      if (attributes.has(key)) return this.#error(this.#span(at - this.#at), `'${key}' is given twice`); // sound: test/languages/pnml.test.ts
      attributes.set(key, decode(attribute[2] ?? attribute[3] ?? ""));
    }
    const end = matchAt(/\s*(\/?)>/y, this.#text, at);
    if (!end) {
      const place = at + (matchAt(/\s*/y, this.#text, at)?.[0].length ?? 0);
      return this.#error(
        { ...this.#here(), start: place, end: place + 1 },
        `the tag \`<${nth(name, 1).slice(0, 40)}\` is broken`,
      );
    }
    const length = at + end[0].length - this.#at;
    const element: XmlElement = {
      name: localName(nth(name, 1)),
      attributes,
      children: [],
      text: "",
      span: this.#span(length),
    };
    const parent = this.#open.at(-1);
    if (parent) parent.children.push(element);
    else if (this.#root) return this.#error(element.span, "a document has one outermost element");
    else this.#root = element;
    if (end[1] === "") this.#open.push(element);
    this.#at += length;
  }

  #skipTo(end: string, what: string): void {
    const found = this.#text.indexOf(end, this.#at);
    if (found < 0) this.#error(this.#here(), `${what} is not closed`);
    else this.#at = found + end.length;
  }

  #here(): Span {
    return this.#span(Math.min(1, this.#text.length - this.#at));
  }

  #span(length: number): Span {
    return { file: this.#file, start: this.#at, end: this.#at + length };
  }

  #error(span: Span, message: string): void {
    this.#diagnostics.push({ code: this.#code, severity: "error", message, span });
  }
}

const isNamespace = (name: string): boolean => name === "xmlns" || name.startsWith("xmlns:");

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Decodes the five entities of XML and character references; leaves other text unchanged. */
function decode(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(lt|gt|amp|quot|apos));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined) return entities[name as keyof typeof entities];
      const point = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
      return point <= 0x10ffff ? String.fromCodePoint(point) : (whole as string);
    },
  );
}

const entities = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
