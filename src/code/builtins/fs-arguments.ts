/** Arguments of the functions of `node:fs`: paths, contents, options. */
import { Buffer } from "./buffer.js";
import { takeOnly } from "./lacking.js";
import { resolve } from "./path.js";

export type PathLike = string | Uint8Array | { readonly href: string; readonly pathname: string };
export type Encoding = string | null | undefined;
export type Options =
  Encoding | { readonly encoding?: Encoding; readonly flag?: string; readonly mode?: number };
export type Contents = string | ArrayBufferView;

export const constants = Object.freeze({
  F_OK: 0,
  R_OK: 4,
  W_OK: 2,
  X_OK: 1,
  COPYFILE_EXCL: 1,
  O_RDONLY: 0,
  O_WRONLY: 1,
  O_RDWR: 2,
  O_CREAT: 64,
  O_EXCL: 128,
  O_TRUNC: 512,
  O_APPEND: 1024,
});

export function pathOf(path: PathLike): string {
  if (typeof path === "string") {
    if (path.includes("\0")) throw invalid("path", "a string without null bytes");
    return resolve(path);
  }
  if (path instanceof Uint8Array) return resolve(Buffer.from(path).toString());
  if (path !== null && typeof path === "object" && "pathname" in path)
    return resolve(decodeURIComponent(path.pathname));
  throw invalid("path", "of type string or an instance of Buffer or URL");
}

export function bytesOf(contents: Contents, encoding: Encoding): Uint8Array {
  if (typeof contents === "string") return Buffer.from(contents, encoding ?? "utf8");
  if (ArrayBuffer.isView(contents))
    return new Uint8Array(contents.buffer, contents.byteOffset, contents.byteLength).slice();
  throw invalid("data", "of type string or an instance of Buffer, TypedArray, or DataView");
}

export function encodingOf(options: Options): Encoding {
  takeOnly("fs", options, "encoding flag mode");
  return typeof options === "object" && options !== null ? options.encoding : options;
}

export const flagOf = (options: Options, usual: string): string =>
  typeof options === "object" && options !== null ? (options.flag ?? usual) : usual;

export const invalid = (name: string, what: string): Error =>
  Object.assign(new TypeError(`The "${name}" argument must be ${what}.`), { code: "ERR_INVALID_ARG_TYPE" });
