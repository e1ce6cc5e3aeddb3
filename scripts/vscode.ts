/** Builds the extension for Visual Studio Code. Languages and colours come from the registry; the manifest has the rest. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createVSIX } from "@vscode/vsce";
import { build } from "esbuild";
import { registry } from "../src/session/registry.js";
import type { Highlighting } from "../src/session/languages/highlighting.js";
import { grammarOf } from "./textmate.js";

// A bundled script is elsewhere.
const root = process.env["EVERYPATH_ROOT"] ?? fileURLToPath(new URL("..", import.meta.url));

/** Editors have colours for these. */
const KNOWN = new Set([".ts", ".tsx", ".mts", ".js", ".mjs", ".c", ".json", ".pnml"]);

export interface ContributedLanguage {
  readonly name: string;
  readonly summary: string;
  readonly extensions: readonly string[];
  readonly highlighting: Highlighting;
}

/** Languages that editors do not know. */
export const contributed: readonly ContributedLanguage[] = registry.languages.flatMap(
  ({ name, summary, extensions, highlighting }) => {
    const own = extensions.filter((extension) => !KNOWN.has(extension));
    return highlighting && own.length > 0 ? [{ name, summary, extensions: own, highlighting }] : [];
  },
);

/** Packs the extension; returns the path of the package. */
export async function packExtension(folder: string): Promise<string> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "syntaxes"), { recursive: true });
  mkdirSync(join(folder, "languages"));
  const source = join(root, "editors/vscode");
  const manifest = JSON.parse(readFileSync(join(source, "manifest.json"), "utf8")) as Record<string, unknown>;
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const write = (path: string, value: unknown): void =>
    writeFileSync(join(folder, path), `${JSON.stringify(value, undefined, 2)}\n`);
  for (const { name, highlighting } of contributed) {
    write(`syntaxes/${name}.json`, grammarOf(name, highlighting));
    write(`languages/${name}.json`, configurationOf(highlighting));
  }
  write("package.json", {
    ...manifest,
    version,
    contributes: {
      ...(manifest["contributes"] as object),
      languages: contributed.map(({ name, summary, extensions }) => ({
        id: name,
        aliases: [summary.split(/[,:(]/)[0]?.trim() ?? name],
        extensions,
        configuration: `./languages/${name}.json`,
      })),
      grammars: contributed.map(({ name }) => ({
        language: name,
        scopeName: `source.${name}`,
        path: `./syntaxes/${name}.json`,
      })),
    },
  });
  cpSync(join(source, "README.md"), join(folder, "README.md"));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  await build({
    absWorkingDir: root,
    entryPoints: ["editors/vscode/src/extension.ts"],
    outfile: join(folder, "extension.js"),
    bundle: true,
    format: "cjs",
    platform: "node",
    target: "node20",
    external: ["vscode"],
    logLevel: "error",
  });
  const packagePath = join(folder, "everypath.vsix");
  await createVSIX({ cwd: folder, packagePath, dependencies: false, allowMissingRepository: true });
  return packagePath;
}

/** Comments and brackets, for the editor's commands. */
const configurationOf = ({ lineComments = [], blockComments = [], quotes = [] }: Highlighting): object => ({
  comments: {
    ...(lineComments[0] === undefined ? {} : { lineComment: lineComments[0] }),
    ...(blockComments[0] ? { blockComment: [blockComments[0].open, blockComments[0].close] } : {}),
  },
  brackets: ["{}", "[]", "()"].map((pair) => [...pair]),
  autoClosingPairs: [
    ...["{}", "[]", "()"].map((pair) => [...pair]),
    ...quotes.map((quote) => [quote, quote]),
  ].map(([open, close]) => ({ open, close })),
});
