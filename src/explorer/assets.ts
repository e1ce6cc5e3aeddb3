/** The files of the page, read once; no other file is served. */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface Asset {
  readonly type: string;
  readonly content: Buffer;
}

/** By path from the root, `/` for the page itself. Undefined when the page was not built. */
export function loadAssets(): ReadonlyMap<string, Asset> | undefined {
  const folder = folderOf(dirname(fileURLToPath(import.meta.url)));
  if (folder === undefined) return undefined;
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const type = types[extname(name)];
    if (type === undefined) continue;
    const asset = { type, content: readFileSync(join(folder, name)) };
    assets.set(`/${name.replaceAll("\\", "/")}`, asset);
    if (name === "index.html") assets.set("/", asset);
  }
  return assets;
}

const types: Record<string, string | undefined> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** `explorer/index.html` beside the running code: in the package, wherever a bundler has put this module. */
function folderOf(from: string): string | undefined {
  for (let folder = from, up = 0; up < 3; folder = dirname(folder), up++) {
    const candidate = join(folder, "explorer");
    if (existsSync(join(candidate, "index.html")) && existsSync(join(candidate, "assets"))) return candidate;
  }
  return undefined;
}
