/** Functions of `node:url` beside the classes: legacy addresses, computed by the host's Node, and paths of files. */
import { pureText } from "./pure-text.js";
import { URL, type URLSearchParams } from "./web-url.js";

/** Fields of a legacy address, in Node's order. */
export class Url {
  protocol: string | null = null;
  slashes: boolean | null = null;
  auth: string | null = null;
  host: string | null = null;
  port: string | null = null;
  hostname: string | null = null;
  hash: string | null = null;
  search: string | null = null;
  query: string | Record<string, unknown> | null = null;
  pathname: string | null = null;
  path: string | null = null;
  href = "";

  format(): string {
    return format(this);
  }

  resolve(to: string): string {
    return resolve(this.href, to);
  }
}

export function parse(text: unknown, parsesQuery = false, slashes = false): Url {
  if (text instanceof Url) return text;
  if (typeof text !== "string")
    throw Object.assign(new TypeError('The "url" argument must be of type string.'), {
      code: "ERR_INVALID_ARG_TYPE",
    });
  const parts = pureText<Url>("urlParse", text, parsesQuery, slashes);
  const { query } = parts;
  const isObject = typeof query === "object" && query !== null;
  return Object.assign(
    new Url(),
    parts,
    isObject && { query: Object.assign(Object.create(null) as object, query) },
  );
}

interface FormatOptions {
  readonly auth?: boolean;
  readonly fragment?: boolean;
  readonly search?: boolean;
}

export function format(value: unknown, options: FormatOptions = {}): string {
  if (!(value instanceof URL))
    return pureText("urlFormat", typeof value === "string" ? parse(value) : { ...(value as object) });
  const copy = new URL(value.href);
  if (options.auth === false) copy.username = copy.password = "";
  if (options.fragment === false) copy.hash = "";
  if (options.search === false) copy.search = "";
  return copy.href;
}

export const resolve = (from: string, to: string): string => pureText("urlResolve", from, to);
export const resolveObject = (from: string, to: string): Url => parse(resolve(from, to));
export const domainToASCII = (domain: string): string => pureText("domainToASCII", domain);
export const domainToUnicode = (domain: string): string => pureText("domainToUnicode", domain);

export function fileURLToPath(address: string | URL): string {
  const { protocol, pathname } = new URL(address);
  if (protocol !== "file:")
    throw Object.assign(new TypeError("The URL must be of scheme file"), { code: "ERR_INVALID_URL_SCHEME" });
  return decodeURIComponent(pathname);
}

export function pathToFileURL(path: string): URL {
  const encoded = path.replace(/[%\\\n\r\t?# ]/g, (character) => encodeURIComponent(character));
  return new URL(`file://${encoded.startsWith("/") ? encoded : `/${encoded}`}`);
}

export function urlToHttpOptions(address: URL & { searchParams: URLSearchParams }): object {
  const { protocol, hostname, hash, search, pathname, href, port, username, password } = address;
  return {
    ...{
      protocol,
      hostname: hostname.replace(/^\[|\]$/g, ""),
      hash,
      search,
      pathname,
      path: pathname + search,
      href,
    },
    ...(port !== "" && { port: Number(port) }),
    ...((username || password) && {
      auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}`,
    }),
  };
}
