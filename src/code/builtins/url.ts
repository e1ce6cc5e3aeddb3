/** `URL` and `URLSearchParams` for common schemes: http, https, ws, wss, ftp, file, data and similar. */
import { wellFormed } from "./encoding.js";
import { nth } from "../../model/known.js";

const defaultPorts: Readonly<Record<string, string>> = {
  "http:": "80",
  "https:": "443",
  "ws:": "80",
  "wss:": "443",
  "ftp:": "21",
};
const isSpecial = (protocol: string): boolean => protocol in defaultPorts || protocol === "file:";

export class URLSearchParams {
  get [Symbol.toStringTag](): string {
    return "URLSearchParams";
  }

  #list: [string, string][] = [];
  #onChange: () => void = () => {};

  constructor(
    init: string | Iterable<readonly [string, string]> | Record<string, string> = "",
    onChange?: () => void,
  ) {
    if (typeof init === "string") this.#list = parseQuery(init);
    else if (Symbol.iterator in init)
      this.#list = [...init].map(([name, value]) => [String(name), String(value)]);
    else this.#list = Object.entries(init).map(([name, value]) => [name, String(value)]);
    if (onChange) this.#onChange = onChange;
  }

  get size(): number {
    return this.#list.length;
  }

  append(name: string, value: string): void {
    this.#list.push([String(name), String(value)]);
    this.#onChange();
  }

  delete(name: string): void {
    this.#list = this.#list.filter(([other]) => other !== name);
    this.#onChange();
  }

  get(name: string): string | null {
    return this.#list.find(([other]) => other === name)?.[1] ?? null;
  }

  getAll(name: string): string[] {
    return this.#list.filter(([other]) => other === name).map(([, value]) => value);
  }

  has(name: string): boolean {
    return this.#list.some(([other]) => other === name);
  }

  set(name: string, value: string): void {
    const at = this.#list.findIndex(([other]) => other === name);
    if (at < 0) return this.append(name, value);
    this.#list = this.#list.filter(([other], i) => other !== name || i === at);
    nth(this.#list, at)[1] = String(value);
    this.#onChange();
  }

  sort(): void {
    this.#list.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    this.#onChange();
  }

  forEach(run: (value: string, name: string, all: URLSearchParams) => void): void {
    for (const [name, value] of this) run(value, name, this);
  }

  entries(): IterableIterator<[string, string]> {
    return this.#list.map(([name, value]): [string, string] => [name, value])[Symbol.iterator]();
  }

  keys(): IterableIterator<string> {
    return this.#list.map(([name]) => name)[Symbol.iterator]();
  }

  values(): IterableIterator<string> {
    return this.#list.map(([, value]) => value)[Symbol.iterator]();
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }

  toString(): string {
    return this.#list.map(([name, value]) => `${formEncode(name)}=${formEncode(value)}`).join("&");
  }
}

const parseQuery = (text: string): [string, string][] =>
  text
    .replace(/^\?/, "")
    .split("&")
    .filter((part) => part !== "")
    .map((part) => {
      const at = part.indexOf("=");
      return at < 0
        ? [formDecode(part), ""]
        : [formDecode(part.slice(0, at)), formDecode(part.slice(at + 1))];
    });

const formEncode = (text: string): string =>
  encodeURIComponent(wellFormed(text))
    .replaceAll("%20", "+")
    .replace(/[!'()~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

function formDecode(text: string): string {
  const spaced = text.replaceAll("+", " ");
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

interface Parts {
  protocol: string;
  username: string;
  password: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  hash: string;
  hasAuthority: boolean;
}

export class URL {
  get [Symbol.toStringTag](): string {
    return "URL";
  }

  /** The mark of `isUrl`. */
  get [Symbol.species](): boolean {
    return true;
  }

  readonly #parts: Parts;
  readonly #params: URLSearchParams;

  constructor(input: string | URL, base?: string | URL) {
    const parts = parse(String(input).trim(), base === undefined ? undefined : new URL(base).#parts);
    if (!parts)
      throw Object.assign(new TypeError("Invalid URL"), { code: "ERR_INVALID_URL", input: String(input) });
    this.#parts = parts;
    this.#params = new URLSearchParams(parts.search, () => {
      const text = this.#params.toString();
      parts.search = text === "" ? "" : `?${text}`;
    });
  }

  static canParse(input: string, base?: string): boolean {
    try {
      return Boolean(new URL(input, base));
    } catch {
      return false;
    }
  }

  get href(): string {
    const { protocol, username, password, pathname, search, hash, hasAuthority } = this.#parts;
    const who =
      username === "" && password === "" ? "" : `${username}${password === "" ? "" : `:${password}`}@`;
    return `${protocol}${hasAuthority ? `//${who}${this.host}` : ""}${pathname}${search}${hash}`;
  }

  get origin(): string {
    const { protocol } = this.#parts;
    return protocol in defaultPorts ? `${protocol}//${this.host}` : "null";
  }

  get protocol(): string {
    return this.#parts.protocol;
  }

  get username(): string {
    return this.#parts.username;
  }

  get password(): string {
    return this.#parts.password;
  }

  get host(): string {
    return this.#parts.hostname + (this.#parts.port === "" ? "" : `:${this.#parts.port}`);
  }

  get hostname(): string {
    return this.#parts.hostname;
  }

  get port(): string {
    return this.#parts.port;
  }

  set port(value: string) {
    this.#parts.port = String(value) === defaultPorts[this.protocol] ? "" : String(value);
  }

  get pathname(): string {
    return this.#parts.pathname;
  }

  set pathname(value: string) {
    this.#parts.pathname = normalise(encodePath(value.startsWith("/") ? value : `/${value}`));
  }

  get search(): string {
    return this.#parts.search;
  }

  set search(value: string) {
    this.#parts.search = value === "" || value.startsWith("?") ? value : `?${value}`;
    for (const name of [...this.#params.keys()]) this.#params.delete(name);
    for (const [name, item] of new URLSearchParams(value)) this.#params.append(name, item);
  }

  get hash(): string {
    return this.#parts.hash;
  }

  set hash(value: string) {
    this.#parts.hash = value === "" || value.startsWith("#") ? value : `#${value}`;
  }

  get searchParams(): URLSearchParams {
    return this.#params;
  }

  toString(): string {
    return this.href;
  }

  toJSON(): string {
    return this.href;
  }
}

function parse(input: string, base: Parts | undefined): Parts | undefined {
  const [, scheme, rest] = /^([A-Za-z][A-Za-z0-9+.-]*:)(.*)$/s.exec(input) ?? [];
  if (scheme === undefined) return base && relative(input, base);
  const protocol = scheme.toLowerCase();
  if (!isSpecial(protocol) && !rest!.startsWith("//")) return opaque(protocol, rest!);
  const [, authority = "", tail = ""] = /^[\\/]*([^/\\?#]*)(.*)$/s.exec(rest!)!;
  return withAuthority(protocol, authority, tail);
}

function opaque(protocol: string, rest: string): Parts {
  const [, pathname = "", search = "", hash = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(rest)!;
  return {
    protocol,
    username: "",
    password: "",
    hostname: "",
    port: "",
    pathname,
    search,
    hash,
    hasAuthority: false,
  };
}

function withAuthority(protocol: string, authority: string, tail: string): Parts | undefined {
  const at = authority.lastIndexOf("@");
  const [username = "", password = ""] = at < 0 ? [] : authority.slice(0, at).split(":");
  const [, hostname, port = ""] =
    /^(\[[0-9a-fA-F:.]+\]|[^:]*)(?::(\d*))?$/.exec(authority.slice(at + 1)) ?? [];
  if (hostname === undefined || (hostname === "" && protocol !== "file:" && isSpecial(protocol)))
    return undefined;
  if (/[\s<>^|%]/.test(hostname) || Number(port) > 65535) return undefined;
  const path = split(tail);
  return {
    protocol,
    username,
    password,
    hostname: hostname.toLowerCase(),
    port: port === defaultPorts[protocol] ? "" : port,
    ...path,
    pathname: path.pathname === "" && isSpecial(protocol) ? "/" : normalise(path.pathname),
    hasAuthority: true,
  };
}

function relative(input: string, base: Parts): Parts | undefined {
  if (!base.hasAuthority && !input.startsWith("#")) return undefined;
  if (/^[\\/]{2}/.test(input)) return parse(base.protocol + input, undefined);
  if (input === "") return { ...base, hash: "" };
  if (input.startsWith("#")) return { ...base, hash: input };
  const { pathname, search, hash } = split(input);
  if (input.startsWith("?")) return { ...base, search, hash };
  const folder = base.pathname.slice(0, base.pathname.lastIndexOf("/") + 1);
  return {
    ...base,
    pathname: normalise(pathname.startsWith("/") ? pathname : folder + pathname),
    search,
    hash,
  };
}

function split(text: string): Pick<Parts, "pathname" | "search" | "hash"> {
  const [, pathname = "", search = "", hash = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(text)!;
  return {
    pathname: encodePath(pathname.replaceAll("\\", "/")),
    search: search === "?" ? "" : encodeRest(search),
    hash: hash === "#" ? "" : encodeRest(hash),
  };
}

const encode = (text: string, unsafe: RegExp): string =>
  wellFormed(text).replace(unsafe, (character) => encodeURIComponent(character));
const encodePath = (path: string): string => encode(path, /[^!$-;=@-Z_a-z~[\]|^]/gu);
const encodeRest = (text: string): string => encode(text, /[^!#$%&-;=?-_a-~]/gu);

function normalise(path: string): string {
  const out: string[] = [];
  const parts = path.split("/");
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    if (/^(\.|%2e){2}$/i.test(part)) {
      if (out.length > 1) out.pop();
      if (isLast) out.push("");
    } else if (/^(\.|%2e)$/i.test(part)) {
      if (isLast) out.push("");
    } else out.push(part);
  }
  return out.join("/");
}

export const fileURLToPath = (url: string | URL): string => decodeURIComponent(new URL(url).pathname);
export const pathToFileURL = (path: string): URL =>
  new URL(`file://${path.startsWith("/") ? path : `/${path}`}`);

export default { URL, URLSearchParams, fileURLToPath, pathToFileURL };
