import { nth } from "../../model/known.js";
/** Contents of a page of an extension: scripts, code in attributes, linked pages. */

export interface Part {
  readonly start: number;
  readonly end: number;
}

export interface PageContents {
  /** Addresses of scripts, in order. */
  readonly scripts: readonly string[];
  /** Code inside the page: scripts, `onclick="…"`, `href="javascript:…"`. */
  readonly code: readonly Part[];
  /** Addresses in links, frames, forms and redirects. */
  readonly links: readonly string[];
  /** `<base href>`, which relative addresses refer to. */
  readonly base: string;
  readonly sendsForms: boolean;
  readonly showsOthers: boolean;
  /** Parts that are not analysed, with reasons. */
  readonly unread: readonly (Part & { readonly message: string })[];
}

interface Attribute extends Part {
  readonly name: string;
  readonly value: string;
}

interface Tag {
  readonly name: string;
  readonly attributes: readonly Attribute[];
  /** Start of its text. */
  readonly end: number;
}

/** Elements with raw text up to the end tag. */
const RAW = /^(script|style|textarea|title|xmp)$/;
const FRAMES = /^(iframe|frame|embed|object|webview|portal|fencedframe)$/;
const ELSEWHERE = /^\s*(https?:|\/\/)/i;
const ADDRESSES = /^(href|src|action|formaction|data|xlink:href|poster|background)$/;

export function contentsOf(html: string): PageContents {
  const scripts: string[] = [];
  const code: Part[] = [];
  const links: string[] = [];
  const unread: (Part & { message: string })[] = [];
  let base = "";
  let sendsForms = false;
  let showsOthers = false;
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at)) {
    if (html.startsWith("<!--", at)) {
      at = endOfComment(html, at);
      continue;
    }
    const tag = tagAt(html, at);
    if (!tag) {
      at++;
      continue;
    }
    at = tag.end;
    const valueOf = (name: string): string | undefined =>
      tag.attributes.find((attribute) => attribute.name === name)?.value;
    for (const attribute of tag.attributes) {
      const { name, value, start, end } = attribute;
      const isCode = /^on[a-z]/.test(name);
      const isLink = /^\s*javascript:/i.test(value);
      if (isCode || isLink) {
        if (/&[#\w]+;?|%/.test(value))
          unread.push({ start, end, message: `the code in \`${name}\` is not read` });
        else code.push({ start: isCode ? start : start + value.indexOf(":") + 1, end });
      } else if (name === "srcdoc") {
        if (/[<&]/.test(value)) unread.push({ start, end, message: "the contents of `srcdoc` are not read" }); // sound: test/languages/webextension/manifest.test.ts
      } else if (ADDRESSES.test(name)) {
        if (/&(#|colon|tab|newline)/i.test(value))
          unread.push({ start, end, message: `the address in \`${name}\` is not read` });
        links.push(value);
      }
    }
    if (tag.name === "base") base ||= valueOf("href") ?? "";
    if (tag.name === "meta")
      links.push(...(/url\s*=\s*["']?([^"']+)/i.exec(valueOf("content") ?? "")?.slice(1) ?? []));
    if (tag.name === "form" && ELSEWHERE.test(valueOf("action") ?? "")) sendsForms = true;
    if (FRAMES.test(tag.name) && ELSEWHERE.test(valueOf("src") ?? valueOf("data") ?? "")) showsOthers = true; // sound: test/languages/webextension/manifest.test.ts
    if (!RAW.test(tag.name)) continue;
    const closing = new RegExp(`</${tag.name}[\\s/>]`, "gi");
    closing.lastIndex = tag.end;
    const end = closing.exec(html)?.index ?? html.length;
    if (tag.name === "script") {
      const address = valueOf("src") ?? valueOf("href") ?? valueOf("xlink:href");
      if (address !== undefined) scripts.push(address);
      else if (isScriptType(valueOf("type")) && html.slice(tag.end, end).trim() !== "")
        code.push({ start: tag.end, end });
    }
    at = end;
  }
  return { scripts, code, links, base, sendsForms, showsOthers, unread };
}

/** Other types are data. */
const isScriptType = (type: string | undefined): boolean =>
  type === undefined ||
  /^\s*(module|importmap|speculationrules|(text|application)\/(x-)?(java|ecma|j|live)script[\d.]*)?\s*(;.*)?$/i.test(
    type,
  ); // sound: test/languages/webextension/manifest.test.ts

function endOfComment(html: string, start: number): number {
  const closed = /^<!--(-?>)/.exec(html.slice(start, start + 7));
  if (closed) return start + closed[0].length;
  const end = /--!?>/g;
  end.lastIndex = start + 4;
  const found = end.exec(html);
  return found ? found.index + found[0].length : html.length;
}

function tagAt(html: string, start: number): Tag | undefined {
  const opening = /<([a-z][^\s/>]*)/iy;
  opening.lastIndex = start;
  const name = opening.exec(html)?.[1];
  if (name === undefined) return undefined;
  const attributes: Attribute[] = [];
  const next = /[\s/]*(?:(>)|([^\s/>=][^\s/>=]*)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"'][^\s>]*)))?)/y;
  let at = opening.lastIndex;
  for (;;) {
    next.lastIndex = at;
    const match = next.exec(html);
    if (!match) return { name: name.toLowerCase(), attributes, end: at };
    at = next.lastIndex;
    if (match[1]) return { name: name.toLowerCase(), attributes, end: at };
    const value = match[3] ?? match[4] ?? match[5] ?? "";
    const end = at - (match[5] === undefined && (match[3] ?? match[4]) !== undefined ? 1 : 0);
    attributes.push({ name: nth(match, 2).toLowerCase(), value, start: end - value.length, end });
  }
}
