/** Where things are, found from this file upwards, so that it also holds for a bundle run from a cache folder. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that holds our package.json. */
export const repositoryRoot = findRoot(dirname(fileURLToPath(import.meta.url)));

export const inRepository = (...parts: string[]): string => join(repositoryRoot, ...parts);

function findRoot(from: string): string {
  const manifest = join(from, "package.json");
  if (
    existsSync(manifest) &&
    (JSON.parse(readFileSync(manifest, "utf8")) as { name?: string }).name === "everypath"
  )
    return from;
  const parent = dirname(from);
  if (parent === from) throw new Error("no package.json of everypath above this file");
  return findRoot(parent);
}
