/** Locates files that run inside realms: TypeScript sources in the repository, plain modules in the package. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

/** The file of a name such as `world/index` or `builtins/events`. */
export function insideFile(name: string): string {
  const { directory, extension } = folder;
  return join(directory, `${name}.${extension}`);
}

export const isInsideFile = (file: string): boolean => file.startsWith(folder.directory);

export const isPackageFile = (file: string): boolean => file.startsWith(dirname(folder.directory) + sep);

export const hasInsideFile = (name: string): boolean => existsSync(insideFile(name));

interface Folder {
  readonly directory: string;
  readonly extension: "ts" | "js";
}

// Found when the module is loaded: later, a process that runs code under test has no file system.
const folder = findFolder();

function findFolder(): Folder {
  const root = process.env["EVERYPATH_ROOT"] ?? packageRoot();
  const sources = join(root, "src/code");
  // The build turns each file into a separate module, in the same folders.
  if (existsSync(sources)) return { directory: sources, extension: "ts" };
  return { directory: join(root, "dist/inside/code"), extension: "js" };
}

function packageRoot(): string {
  for (let at = dirname(fileURLToPath(import.meta.url)); ; at = dirname(at)) {
    const manifest = join(at, "package.json");
    if (existsSync(manifest) && isOurs(manifest)) return at;
    if (at === dirname(at)) throw new Error("the package everypath is not where its code is");
  }
}

function isOurs(manifest: string): boolean {
  return (JSON.parse(readFileSync(manifest, "utf8")) as { name?: string }).name === "everypath";
}
