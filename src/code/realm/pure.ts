/**
 * Pure functions of Node that realms use: text in, text out. The world inside the realm keeps the function to itself, and
 * hides its errors, so that no object of the host reaches the code under test.
 */
import * as crypto from "node:crypto";
import * as url from "node:url";
import * as zlib from "node:zlib";

/** `text`: JSON of a name and its arguments. The answer is JSON of `value` or `error`. Bytes are `{ $: base64 }`. */
export function pure(text: string): string {
  try {
    const [name, ...args] = JSON.parse(text, reviveBytes) as [string, ...never[]];
    const run = Object.hasOwn(functions, name) ? functions[name as keyof typeof functions] : undefined;
    if (!run) throw new Error(`${name} is no pure function`);
    return JSON.stringify({ value: (run as (...all: never[]) => unknown)(...args) }, replaceBytes);
  } catch (error) {
    const { name, message, code, errno } = error as NodeJS.ErrnoException;
    return JSON.stringify({ error: { name, message, code, errno } });
  }
}

function reviveBytes(_key: string, value: unknown): unknown {
  const { $ } = (value ?? {}) as { $?: unknown };
  return typeof $ === "string" ? Buffer.from($, "base64") : value;
}

function replaceBytes(this: unknown, key: string, value: unknown): unknown {
  const before = (this as Record<string, unknown>)[key];
  return Buffer.isBuffer(before) ? { $: before.toString("base64") } : value;
}

interface Ciphering {
  readonly algorithm: string;
  readonly key: Buffer;
  readonly iv: Buffer | null;
  readonly isDecipher: boolean;
  readonly options?: crypto.CipherGCMOptions;
  readonly data: Buffer;
  readonly aad?: Buffer;
  readonly tag?: Buffer;
  readonly pads: boolean;
  readonly isFinal: boolean;
}

const compressing = [
  ...(["deflateSync", "inflateSync", "gzipSync", "gunzipSync", "deflateRawSync", "inflateRawSync"] as const),
  ...(["unzipSync", "brotliCompressSync", "brotliDecompressSync"] as const),
];

const functions = {
  hash: (algorithm: string, data: Buffer, options: crypto.HashOptions) =>
    crypto.createHash(algorithm, options).update(data).digest(),
  hmac: (algorithm: string, key: Buffer, data: Buffer) =>
    crypto.createHmac(algorithm, key).update(data).digest(),
  pbkdf2: (password: Buffer, salt: Buffer, rounds: number, length: number, digest: string) =>
    crypto.pbkdf2Sync(password, salt, rounds, length, digest),
  scrypt: (password: Buffer, salt: Buffer, length: number, options: crypto.ScryptOptions) =>
    crypto.scryptSync(password, salt, length, options),
  hkdf: (digest: string, key: Buffer, salt: Buffer, info: Buffer, length: number) =>
    Buffer.from(crypto.hkdfSync(digest, key, salt, info, length)),
  hashes: () => crypto.getHashes(),
  ciphers: () => crypto.getCiphers(),
  cipher: (request: Ciphering) => cipher(request),
  ...Object.fromEntries(
    compressing.map((name) => [name, (data: Buffer, options: zlib.ZlibOptions) => zlib[name](data, options)]),
  ),
  url: (input: string, base: string | null) => partsOf(base === null ? new URL(input) : new URL(input, base)),
  urlSet: (href: string, name: "href", value: string) => {
    const made = new URL(href);
    made[name] = value;
    return partsOf(made);
  },
  urlParse: (text: string, parsesQuery: boolean, slashes: boolean) => ({
    ...url.parse(text, parsesQuery, slashes),
  }),
  urlFormat: (value: url.UrlObject) => url.format(value),
  urlResolve: (from: string, to: string) => url.resolve(from, to),
  domainToASCII: (domain: string) => url.domainToASCII(domain),
  domainToUnicode: (domain: string) => url.domainToUnicode(domain),
};

function partsOf(address: URL): object {
  const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } =
    address;
  return { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash };
}

/** The whole output for the whole input: the realm returns only the part that is new. */
function cipher(request: Ciphering): { output: Buffer; tag?: Buffer } {
  const { algorithm, key, iv, isDecipher, options, data, aad, tag, pads, isFinal } = request;
  const make = (isDecipher ? crypto.createDecipheriv : crypto.createCipheriv) as typeof crypto.createCipheriv;
  const made = make(algorithm, key, iv, options) as crypto.CipherGCM & crypto.DecipherGCM;
  made.setAutoPadding(pads);
  if (aad) made.setAAD(aad, { plaintextLength: data.length });
  if (tag) made.setAuthTag(tag);
  const begun = made.update(data);
  if (!isFinal) return { output: begun };
  const output = Buffer.concat([begun, made.final()]);
  const isAuthenticated = !isDecipher && /gcm|ccm|ocb|poly1305/i.test(algorithm);
  return isAuthenticated ? { output, tag: made.getAuthTag() } : { output };
}
