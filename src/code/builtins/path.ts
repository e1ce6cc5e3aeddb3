/** `node:path`, as on POSIX systems. */

import { lastOf } from "../../model/known.js";
export const sep = "/";
export const delimiter = ":";

export function normalize(path: string): string {
  if (path === "") return ".";
  const isAbsolutePath = path.startsWith("/");
  const out: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") out.push(part);
    else if (out.length > 0 && out.at(-1) !== "..") out.pop();
    else if (!isAbsolutePath) out.push("..");
  }
  const joined = out.join("/") + (path.endsWith("/") && out.length > 0 ? "/" : "");
  return isAbsolutePath ? `/${joined}` : joined || ".";
}

export const isAbsolute = (path: string): boolean => path.startsWith("/");
export const join = (...parts: string[]): string => normalize(parts.filter(Boolean).join("/"));

export function resolve(...parts: string[]): string {
  let path = "";
  for (const part of ["/", ...parts]) path = isAbsolute(part) ? part : `${path}/${part}`;
  return normalize(path).replace(/(.)\/$/, "$1");
}

export function relative(from: string, to: string): string {
  const a = resolve(from).split("/").filter(Boolean);
  const b = resolve(to).split("/").filter(Boolean);
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  return [...a.slice(same).map(() => ".."), ...b.slice(same)].join("/");
}

export function dirname(path: string): string {
  const trimmed = path.replace(/(.)\/+$/, "$1");
  const at = trimmed.lastIndexOf("/");
  return at < 0 ? "." : at === 0 ? "/" : trimmed.slice(0, at);
}

export function basename(path: string, suffix = ""): string {
  const name = lastOf(path.replace(/\/+$/, "").split("/"));
  return suffix !== "" && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

export const extname = (path: string): string => /[^.](\.[^.]*)$/.exec(basename(path))?.[1] ?? "";

export function parse(path: string): { root: string; dir: string; base: string; ext: string; name: string } {
  const base = basename(path);
  const ext = extname(path);
  const dir = path.includes("/") ? dirname(path) : "";
  return { root: isAbsolute(path) ? "/" : "", dir, base, ext, name: base.slice(0, base.length - ext.length) };
}

export function format(parts: {
  root?: string;
  dir?: string;
  base?: string;
  ext?: string;
  name?: string;
}): string {
  const base = parts.base ?? `${parts.name ?? ""}${parts.ext ?? ""}`;
  const dir = parts.dir ?? parts.root;
  if (dir === undefined || dir === "") return base;
  return dir === parts.root ? dir + base : `${dir}/${base}`;
}

const whole = {
  sep,
  delimiter,
  normalize,
  isAbsolute,
  join,
  resolve,
  relative,
  dirname,
  basename,
  extname,
  parse,
  format,
};
export const posix = whole;
export default Object.assign(whole, { posix: whole });
