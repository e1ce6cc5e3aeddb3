/** `node:zlib`: whole buffers, compressed by the host's Node; no streams. */
import type { Buffer } from "./buffer.js";
import { takeOnly } from "./lacking.js";
import { bytesOf, inPool, pure } from "./pure.js";
import { constants } from "./zlib-constants.js";

type Sync = (data: unknown, options?: object) => Buffer;
type Done = (error: Error | null, data?: Buffer) => void;

const known =
  "level windowBits memLevel strategy dictionary flush finishFlush chunkSize params maxOutputLength";

const sync =
  (name: string): Sync =>
  (data, options = {}) => {
    takeOnly(`zlib.${name}`, options, known);
    return pure(name, bytesOf(data), options);
  };

/** In Node's thread pool. */
const later =
  (name: string): ((data: unknown, ...rest: unknown[]) => void) =>
  (data, ...rest) => {
    const done = rest.pop() as Done;
    const bytes = bytesOf(data);
    inPool(name, () => sync(`${name}Sync`)(bytes, rest[0] as object | undefined), done);
  };

export const deflateSync = /* @__PURE__ */ sync("deflateSync");
export const inflateSync = /* @__PURE__ */ sync("inflateSync");
export const gzipSync = /* @__PURE__ */ sync("gzipSync");
export const gunzipSync = /* @__PURE__ */ sync("gunzipSync");
export const deflateRawSync = /* @__PURE__ */ sync("deflateRawSync");
export const inflateRawSync = /* @__PURE__ */ sync("inflateRawSync");
export const unzipSync = /* @__PURE__ */ sync("unzipSync");
export const brotliCompressSync = /* @__PURE__ */ sync("brotliCompressSync");
export const brotliDecompressSync = /* @__PURE__ */ sync("brotliDecompressSync");
export const deflate = /* @__PURE__ */ later("deflate");
export const inflate = /* @__PURE__ */ later("inflate");
export const gzip = /* @__PURE__ */ later("gzip");
export const gunzip = /* @__PURE__ */ later("gunzip");
export const deflateRaw = /* @__PURE__ */ later("deflateRaw");
export const inflateRaw = /* @__PURE__ */ later("inflateRaw");
export const unzip = /* @__PURE__ */ later("unzip");
export const brotliCompress = /* @__PURE__ */ later("brotliCompress");
export const brotliDecompress = /* @__PURE__ */ later("brotliDecompress");
export { constants };

export default {
  deflateSync,
  inflateSync,
  gzipSync,
  gunzipSync,
  deflateRawSync,
  inflateRawSync,
  unzipSync,
  brotliCompressSync,
  brotliDecompressSync,
  deflate,
  inflate,
  gzip,
  gunzip,
  deflateRaw,
  inflateRaw,
  unzip,
  brotliCompress,
  brotliDecompress,
  constants,
};
