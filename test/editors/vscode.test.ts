/** The extension for Visual Studio Code: packed, its colours, its lenses over stdio, and its checks. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createHighlighter } from "shiki";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { check, commandIn } from "../../editors/vscode/src/checking.js";
import { grammarOf } from "../../scripts/textmate.js";
import { contributed, packExtension } from "../../scripts/vscode.js";
import { MessageReader, framed, type Message } from "../../src/lsp/messages.js";
import { useCli } from "../cli/built-cli.js";
import { languageExamples } from "../explorer/language-examples.js";
import { inRepository } from "../repository.js";

const cli = useCli();
const folder = mkdtempSync(join(tmpdir(), "everypath-vscode-"));
const out = join(folder, "out");
beforeAll(async () => void (await packExtension(out)), 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the package", () => {
  test("has the bundle, and a grammar for each language that editors do not know", () => {
    const listed = execFileSync("unzip", ["-Z1", join(out, "everypath.vsix")], { encoding: "utf8" }).split(
      "\n",
    );
    for (const file of ["extension.js", "package.json", "readme.md", "LICENSE.txt"])
      expect(listed).toContain(`extension/${file}`);
    expect(contributed.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["promela", "murphi", "sdn", "gcl"]),
    );
    for (const { name } of contributed) {
      expect(listed).toContain(`extension/syntaxes/${name}.json`);
      expect(listed).toContain(`extension/languages/${name}.json`);
    }
  });

  test("registers its commands when it is activated, in a stub of the editor", () => {
    // Every part of the editor's interface is a function that returns another one.
    const stub = join(folder, "stub.cjs");
    writeFileSync(
      stub,
      `const commands = [];
const thing = () => new Proxy(function () {}, {
  get: (target, key) => key === "prototype" ? target.prototype : key === "then" || key === Symbol.iterator || key === Symbol.toPrimitive ? undefined : key === "length" ? 0 : thing(),
  apply: () => thing(),
  construct: () => ({}),
});
const named = Object.fromEntries(["commands", "workspace", "window", "Uri", "ViewColumn", "ProgressLocation"].map((key) => [key, 0]));
const vscode = new Proxy(named, { get: (_, key) => key === "commands"
  ? { registerCommand: (name) => (commands.push(name), { dispose() {} }) }
  : key === "workspace" ? new Proxy({ workspaceFolders: [], getConfiguration: () => ({ get: () => undefined }) }, { get: (t, k) => t[k] ?? thing() })
  : thing() });
const Module = require("node:module");
const load = Module._load;
Module._load = (name, ...rest) => name === "vscode" ? vscode : load(name, ...rest);
const extension = require(${JSON.stringify(join(out, "extension.js"))});
const context = { subscriptions: [], extension: { packageJSON: require(${JSON.stringify(join(out, "package.json"))}) } };
process.on("unhandledRejection", () => {});
const finish = () => { console.log(JSON.stringify({ commands, exports: Object.keys(extension) })); process.exit(0); };
Promise.resolve().then(() => extension.activate(context)).then(finish, finish);
setTimeout(finish, 3000);
`,
    );
    const said = execFileSync(process.execPath, [stub], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const { commands, exports } = JSON.parse(said.trim().split("\n").at(-1)!) as Record<string, string[]>;
    expect(commands).toEqual(["everypath.check", "everypath.explore"]);
    expect(exports).toEqual(expect.arrayContaining(["activate", "deactivate"]));
  });
});

test("grammars colour keywords, comments and strings of the examples as the explorer does", async () => {
  const grammars = contributed.map(({ name, highlighting }) => grammarOf(name, highlighting));
  const highlighter = await createHighlighter({ themes: ["github-light"], langs: grammars as never });
  let total = 0;
  for (const { name, highlighting } of contributed) {
    const text = readFileSync(languageExamples[name]!.args[0]!, "utf8");
    const tokens = highlighter
      .codeToTokensBase(text, { lang: name as never, theme: "github-light", includeExplanation: true })
      .flat()
      .flatMap(({ explanation = [] }) => explanation);
    const scopesOf = (word: string): string[] =>
      tokens.filter(({ content }) => content.trim() === word).map(({ scopes }) => scopes.at(-1)!.scopeName);
    const fold = (word: string): string => (highlighting.ignoresCase ? word.toLowerCase() : word);
    const keywords = highlighting.keywords.filter((word) =>
      tokens.some(({ content }) => fold(content.trim()) === fold(word)),
    );
    total += keywords.length;
    for (const keyword of keywords)
      expect(
        scopesOf(keyword).every((scope) => /keyword|comment|string|preprocessor/.test(scope)),
        `${name}: ${keyword}`,
      ).toBe(true);
    const comments = tokens.filter(({ scopes }) => /comment/.test(scopes.at(-1)!.scopeName));
    expect(comments.length, name).toBeGreaterThan(0);
  }
  // Some examples have few keywords, or none.
  expect(total).toBeGreaterThan(40);
  highlighter.dispose();
});

interface Lens {
  readonly range: { readonly start: { readonly line: number } };
  readonly command: {
    readonly title: string;
    readonly command: string;
    readonly arguments: readonly string[];
  };
}

/** Asks the command's server, in its own process, for the lenses of a file. */
async function lensesOf(file: string): Promise<Lens[]> {
  const server = spawn(process.execPath, [cli.script, "lsp", "--stdio"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const uri = pathToFileURL(file).href;
  const reader = new MessageReader();
  const answer = new Promise<Lens[]>((resolve) => {
    server.stdout.on("data", (bytes: Uint8Array) => {
      for (const message of reader.read(bytes) as (Message & { result: Lens[] })[])
        if (message.id === 2) resolve(message.result);
    });
  });
  const textDocument = { uri, languageId: "", version: 1, text: readFileSync(file, "utf8") };
  for (const message of [
    { id: 1, method: "initialize", params: {} },
    { method: "textDocument/didOpen", params: { textDocument } },
    { id: 2, method: "textDocument/codeLens", params: { textDocument: { uri } } },
  ])
    server.stdin.write(framed(message));
  const lenses = await answer;
  server.kill();
  return lenses;
}

describe("lenses, over stdio", () => {
  test(
    "above the file and each property; a check of one finds its violation, with a page",
    { timeout: 60_000 },
    async () => {
      const file = inRepository("examples/models/lock-server.m");
      const lenses = await lensesOf(file);
      expect(lenses.slice(0, 2).map(({ command }) => command.title)).toEqual(["check all", "explore"]);
      const own = lenses.find(({ command }) => command.arguments[1] === "one at a time")!;
      expect(own.command.command).toBe("everypath.check");
      expect(readFileSync(file, "utf8").split("\n")[own.range.start.line]).toContain("one at a time");
      const command = join(folder, "everypath");
      writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${cli.script}" "$@"\n`, { mode: 0o755 });
      const request = { command, file, folder: inRepository("."), property: own.command.arguments[1] };
      expect((await check(request)).verdict).toBe("holds");
      const checked = await check({ ...request, options: ["-D", "CAREFUL=false"] });
      expect(checked.verdict).toBe("violated");
      expect(checked.sentence).toMatch(/^lock-server\.m: violated/);
      expect(checked.html).toContain("one at a time");
      const refused = await check({ ...request, property: "no such" });
      expect(refused).toMatchObject({ verdict: "refused", html: undefined });
      expect(refused.sentence).toContain("no such");
    },
  );

  test("above tests that run under every schedule", { timeout: 60_000 }, async () => {
    const file = inRepository("examples/code/stock.test.ts");
    const names = (await lensesOf(file)).map(({ command }) => command.arguments[1]);
    const text = readFileSync(file, "utf8");
    const declared = [...text.matchAll(/^\s*everySchedule\("([^"]+)"/gm)].map(([, name]) => name);
    expect(declared.length).toBeGreaterThan(0);
    for (const name of declared) expect(names).toContain(name);
  });
});

test("the command is the configured one, else that of the workspace, else that on the path", () => {
  expect(commandIn("/opt/everypath", [])).toBe("/opt/everypath");
  expect(commandIn("", [folder])).toMatch(/^everypath/);
});
