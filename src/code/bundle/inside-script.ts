/** A file that runs inside realms, with what it imports, as the text of one script. */
import { buildSync } from "esbuild";
import { insideFile } from "./inside-files.js";

const texts = new Map<string, string>();

/** `system/inside`: the file of that name. */
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
  return result.outputFiles[0]!.text;
}
