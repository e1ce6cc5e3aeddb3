/** `node:querystring`. */
import { Buffer } from "./buffer.js";
import { wellFormed } from "./encoding.js";

export const escape = (text: unknown): string =>
  encodeURIComponent(wellFormed(typeof text === "object" ? String(text) : `${text as string}`));

export const unescapeBuffer = (text: string): Buffer =>
  Buffer.from(
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    "latin1",
  );

export function unescape(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return unescapeBuffer(text).toString();
  }
}

interface Options {
  readonly maxKeys?: number;
  readonly decodeURIComponent?: (text: string) => string;
  readonly encodeURIComponent?: (text: string) => string;
}

export function parse(text: unknown, separator?: string, equals?: string, options: Options = {}): object {
  const found = Object.create(null) as Record<string, string | string[]>;
  if (typeof text !== "string" || text === "") return found;
  const decode = options.decodeURIComponent ?? querystring.unescape;
  const most = options.maxKeys ?? 1000;
  const pairs = text.split(separator || "&").filter((pair) => pair !== "");
  for (const pair of most > 0 ? pairs.slice(0, most) : pairs) {
    const [key, value] = split(pair.replaceAll("+", "%20"), equals || "=").map((part) =>
      decoded(decode, part),
    ) as [string, string];
    const before = found[key];
    found[key] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return found;
}

function decoded(decode: (text: string) => string, text: string): string {
  try {
    return decode(text);
  } catch {
    return unescape(text);
  }
}

function split(pair: string, equals: string): [string, string] {
  const at = pair.indexOf(equals);
  return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + equals.length)];
}

export function stringify(
  value: unknown,
  separator?: string,
  equals?: string,
  options: Options = {},
): string {
  if (typeof value !== "object" || value === null) return "";
  const encode = options.encodeURIComponent ?? querystring.escape;
  const pair = (key: string, one: unknown): string =>
    `${encode(key)}${equals || "="}${encode(primitive(one))}`;
  return Object.entries(value)
    .flatMap(([key, one]: [string, unknown]) =>
      Array.isArray(one) ? one.map((each) => pair(key, each)) : [pair(key, one)],
    )
    .join(separator || "&");
}

function primitive(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" && isFinite(value)) return `${value}`;
  return typeof value === "bigint" || typeof value === "boolean" ? `${value}` : "";
}

export const encode = stringify;
export const decode = parse;

const querystring = { escape, unescape, unescapeBuffer, parse, stringify, encode, decode };
export default querystring;
