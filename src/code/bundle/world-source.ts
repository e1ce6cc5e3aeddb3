/** The text that every realm evaluates first. */
import { buildSync } from "esbuild";
import { insideFile } from "./inside-files.js";

let source: string | undefined;

export function worldSource(): string {
  return (source ??= build());
}

function build(): string {
  const result = buildSync({
    entryPoints: [insideFile("world/index")],
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
