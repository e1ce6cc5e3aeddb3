import { buildSync } from "esbuild";
import { insideFile } from "./inside-files.js";
import { nth } from "../../model/known.js";

const texts = new Map<string, string>();

/** The script of a file that runs inside realms, such as `system/node-runtime`, with its imports. */
export function insideScript(name: string): string {
  let text = texts.get(name);
  if (text === undefined) texts.set(name, (text = build(name)));
  return text;
}

function build(name: string): string {
  const result = buildSync({
    entryPoints: [insideFile(name)],
    bundle: true,
    write: false,
    format: "iife",
    platform: "neutral",
    target: "node20",
    legalComments: "none",
    logLevel: "silent",
  });
  return nth(result.outputFiles, 0).text;
}
