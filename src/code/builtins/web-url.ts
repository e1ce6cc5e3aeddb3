/** `URL` and `URLSearchParams`. */
import { pureText } from "./pure-text.js";
import { wellFormed } from "./encoding.js";
import { nth } from "../../model/known.js";

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

/** Parts of an address, by the names of its properties. */
interface Parts {
  readonly href: string;
  readonly origin: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

/** Parsed by the host's Node. */
export class URL {
  get [Symbol.toStringTag](): string {
    return "URL";
  }

  /** The mark of `isUrl`. */
  get [Symbol.species](): boolean {
    return true;
  }

  #parts: Parts;
  readonly #params: URLSearchParams;

  constructor(input: string | URL, base?: string | URL) {
    this.#parts = parts(String(input), base === undefined ? undefined : String(base));
    this.#params = new URLSearchParams(this.#parts.search, () => {
      const text = this.#params.toString();
      this.#parts = pureText("urlSet", this.#parts.href, "search", text === "" ? "" : `?${text}`);
    });
  }

  #set(name: keyof Parts, value: unknown): void {
    this.#parts = pureText("urlSet", this.#parts.href, name, String(value));
    if (name !== "search" && name !== "href") return;
    const { search } = this.#parts;
    for (const key of [...this.#params.keys()]) this.#params.delete(key);
    for (const [key, item] of new URLSearchParams(search)) this.#params.append(key, item);
    this.#parts = pureText("urlSet", this.#parts.href, "search", search);
  }

  static canParse(input: string, base?: string): boolean {
    try {
      return Boolean(new URL(input, base));
    } catch {
      return false;
    }
  }

  static parse(input: string, base?: string): URL | null {
    return URL.canParse(input, base) ? new URL(input, base) : null;
  }

  get origin(): string {
    return this.#parts.origin;
  }

  get href(): string {
    return this.#parts.href;
  }

  set href(value: string) {
    this.#set("href", value);
  }

  get protocol(): string {
    return this.#parts.protocol;
  }

  set protocol(value: string) {
    this.#set("protocol", value);
  }

  get username(): string {
    return this.#parts.username;
  }

  set username(value: string) {
    this.#set("username", value);
  }

  get password(): string {
    return this.#parts.password;
  }

  set password(value: string) {
    this.#set("password", value);
  }

  get host(): string {
    return this.#parts.host;
  }

  set host(value: string) {
    this.#set("host", value);
  }

  get hostname(): string {
    return this.#parts.hostname;
  }

  set hostname(value: string) {
    this.#set("hostname", value);
  }

  get port(): string {
    return this.#parts.port;
  }

  set port(value: string) {
    this.#set("port", value);
  }

  get pathname(): string {
    return this.#parts.pathname;
  }

  set pathname(value: string) {
    this.#set("pathname", value);
  }

  get search(): string {
    return this.#parts.search;
  }

  set search(value: string) {
    this.#set("search", value);
  }

  get hash(): string {
    return this.#parts.hash;
  }

  set hash(value: string) {
    this.#set("hash", value);
  }

  get searchParams(): URLSearchParams {
    return this.#params;
  }

  toString(): string {
    return this.#parts.href;
  }

  toJSON(): string {
    return this.#parts.href;
  }
}

function parts(input: string, base: string | undefined): Parts {
  try {
    return pureText("url", input, base ?? null);
  } catch (error) {
    throw Object.assign(error as Error, { input, ...(base !== undefined && { base }) });
  }
}
