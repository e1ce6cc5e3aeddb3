/** The program of the process that runs code under test: a file of the package, or made from its sources. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSync } from "esbuild";
import { insideFile } from "../code/bundle/index.js";
import type { ChildFile } from "./parent.js";

export function childFile(directory: string): ChildFile {
  const inside = insideFile("world/index");
  if (inside.endsWith(".js")) {
    const dist = dirname(dirname(dirname(dirname(inside))));
    return { file: join(dist, "testing/child.js"), reads: [dist] };
  }
  return { file: fromSources(join(dirname(inside), "../../testing/child.ts"), directory), reads: [] };
}

function fromSources(source: string, directory: string): string {
  const file = join(directory, "child.mjs");
  if (existsSync(file)) return file;
  buildSync({
    entryPoints: [source],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
  });
  return file;
}
