/**
 * Hashes, message authentication codes, key derivation and ciphers of `node:crypto`, computed by the host's Node.
 *
 * Without private names: the bundler keeps classes that have them in every node, where closures cannot be captured.
 */
import { Buffer } from "./buffer.js";
import { lacking } from "./lacking.js";
import { bytesOf, encoded, inPool, pure } from "./pure.js";

class Collecting {
  protected chunks: Buffer[] = [];
  private isDone = false;

  update(data: unknown, encoding?: string): this {
    if (this.isDone)
      throw Object.assign(new Error("Digest already called"), { code: "ERR_CRYPTO_HASH_FINALIZED" });
    this.chunks.push(Buffer.from(bytesOf(data, encoding)));
    return this;
  }

  protected finish(): Buffer {
    if (this.isDone)
      throw Object.assign(new Error("Digest already called"), { code: "ERR_CRYPTO_HASH_FINALIZED" });
    this.isDone = true;
    return Buffer.concat(this.chunks);
  }
}

/** Node's are streams. */
const Lacking = /* @__PURE__ */ lacking(Collecting, "crypto.Hash", {
  methods: "write end pipe on once read push destroy",
});

export class Hash extends Lacking {
  private readonly algorithm: string;
  private readonly options: object;

  constructor(algorithm: string, options: object = {}) {
    super();
    this.algorithm = algorithm;
    this.options = options;
    // Refuses unknown algorithms now, as Node does.
    pure("hash", algorithm, Buffer.alloc(0), options);
  }

  digest(encoding?: string): Buffer | string {
    return encoded(pure<Buffer>("hash", this.algorithm, this.finish(), this.options), encoding);
  }

  copy(options = this.options): Hash {
    const made = new Hash(this.algorithm, options);
    made.chunks = [...this.chunks];
    return made;
  }
}

export class Hmac extends Lacking {
  private readonly algorithm: string;
  private readonly key: Buffer;

  constructor(algorithm: string, key: unknown) {
    super();
    this.algorithm = algorithm;
    this.key = bytesOf(key);
    pure("hmac", algorithm, this.key, Buffer.alloc(0));
  }

  digest(encoding?: string): Buffer | string {
    return encoded(pure<Buffer>("hmac", this.algorithm, this.key, this.finish()), encoding);
  }
}

export const createHash = (algorithm: string, options?: object): Hash => new Hash(algorithm, options);
export const createHmac = (algorithm: string, key: unknown): Hmac => new Hmac(algorithm, key);
export const hash = (algorithm: string, data: unknown, encoding = "hex"): Buffer | string =>
  createHash(algorithm).update(data).digest(encoding);
export const getHashes = (): string[] => pure("hashes");
export const getCiphers = (): string[] => pure("ciphers");

export function timingSafeEqual(a: ArrayBufferView, b: ArrayBufferView): boolean {
  if (a.byteLength !== b.byteLength)
    throw Object.assign(new RangeError("Input buffers must have the same byte length"), {
      code: "ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH",
    });
  return bytesOf(a).equals(bytesOf(b));
}

type Derived = (error: Error | null, key?: Buffer) => void;

export const pbkdf2Sync = (
  password: unknown,
  salt: unknown,
  rounds: number,
  length: number,
  digest: string,
): Buffer => pure("pbkdf2", bytesOf(password), bytesOf(salt), rounds, length, digest);

export function pbkdf2(...args: [...Parameters<typeof pbkdf2Sync>, Derived]): void {
  const done = args.pop() as Derived;
  inPool("pbkdf2", () => pbkdf2Sync(...(args as unknown as Parameters<typeof pbkdf2Sync>)), done);
}

export const scryptSync = (password: unknown, salt: unknown, length: number, options: object = {}): Buffer =>
  pure("scrypt", bytesOf(password), bytesOf(salt), length, options);

export function scrypt(...args: [...unknown[], Derived]): void {
  const done = args.pop() as Derived;
  inPool("scrypt", () => scryptSync(...(args as unknown as Parameters<typeof scryptSync>)), done);
}

export function hkdfSync(
  digest: string,
  key: unknown,
  salt: unknown,
  info: unknown,
  length: number,
): ArrayBuffer {
  const bytes = pure<Buffer>("hkdf", digest, bytesOf(key), bytesOf(salt), bytesOf(info), length);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer;
}

/** Encrypts or decrypts all its input again at each call, and returns the new part of the output. */
class Ciphering {
  private readonly algorithm: string;
  private readonly key: Buffer;
  private readonly iv: Buffer | null;
  private readonly options: object | undefined;
  private readonly isDecipher: boolean;
  private readonly chunks: Buffer[] = [];
  private returned = 0;
  private aad: Buffer | undefined;
  private tag: Buffer | undefined;
  private pads = true;

  constructor(isDecipher: boolean, algorithm: string, key: unknown, iv: unknown, options?: object) {
    this.isDecipher = isDecipher;
    this.algorithm = algorithm;
    this.key = bytesOf(key);
    this.iv = iv === null ? null : bytesOf(iv);
    this.options = options;
    this.run(false);
  }

  update(data: unknown, from?: string, to?: string): Buffer | string {
    this.chunks.push(Buffer.from(bytesOf(data, from)));
    return encoded(this.run(false), to);
  }

  final(to?: string): Buffer | string {
    return encoded(this.run(true), to);
  }

  setAutoPadding(pads = true): this {
    this.pads = pads;
    return this;
  }

  setAAD(aad: unknown): this {
    this.aad = bytesOf(aad);
    return this;
  }

  setAuthTag(tag: unknown): this {
    this.tag = bytesOf(tag);
    return this;
  }

  getAuthTag(): Buffer {
    if (!this.tag || this.isDecipher)
      throw Object.assign(new Error("Invalid state for operation getAuthTag"), {
        code: "ERR_CRYPTO_INVALID_STATE",
      });
    return this.tag;
  }

  private run(isFinal: boolean): Buffer {
    const { output, tag } = pure<{ output: Buffer; tag?: Buffer }>("cipher", {
      algorithm: this.algorithm,
      key: this.key,
      iv: this.iv,
      isDecipher: this.isDecipher,
      options: this.options,
      data: Buffer.concat(this.chunks),
      aad: this.aad,
      tag: this.isDecipher ? this.tag : undefined,
      pads: this.pads,
      isFinal,
    });
    if (tag) this.tag = tag;
    const fresh = output.subarray(this.returned);
    this.returned = output.length;
    return fresh;
  }
}

const Cipher = /* @__PURE__ */ lacking(Ciphering, "crypto.Cipher", {
  methods: "write end pipe on once read push destroy",
});

export const createCipheriv = (algorithm: string, key: unknown, iv: unknown, options?: object): object =>
  new Cipher(false, algorithm, key, iv, options);
export const createDecipheriv = (algorithm: string, key: unknown, iv: unknown, options?: object): object =>
  new Cipher(true, algorithm, key, iv, options);
