/** Renaming keeps the meaning of a text, or is refused. */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { checkInput, registry } from "../../src/session/index.js";
import { languageExamples } from "../explorer/language-examples.js";
import { inRepository } from "../repository.js";
import { Client, type LspRange } from "./client.js";

const uri = "file:///tmp/everypath-lsp/rename.pml";

async function renamed(text: string, of: string, newName: string): Promise<string> {
  const client = new Client();
  await client.initialize();
  await client.open(uri, text);
  const before = text.slice(0, text.indexOf(of)).split("\n");
  const position = { line: before.length - 1, character: before.at(-1)!.length };
  const { changes } = await client.request<{
    changes: Record<string, { range: LspRange; newText: string }[]>;
  }>("textDocument/rename", { textDocument: { uri }, position, newName });
  return applied(text, changes[uri]!);
}

function applied(text: string, edits: readonly { range: LspRange; newText: string }[]): string {
  const lines = text.split("\n");
  for (const { range, newText } of edits.toReversed()) {
    const line = lines[range.start.line]!;
    lines[range.start.line] =
      line.slice(0, range.start.character) + newText + line.slice(range.end.character);
  }
  return lines.join("\n");
}

const shadowing = `byte n = 1; /* n */
proctype P(byte n) { byte m; m = n; assert(m == 2) }
active proctype Q() { n = 2; run P(n) }
`;

test("renames every occurrence outside comments, also shadowing ones", async () => {
  expect(await renamed(shadowing, "n = 1", "count")).toBe(`byte count = 1; /* n */
proctype P(byte count) { byte m; m = count; assert(m == 2) }
active proctype Q() { count = 2; run P(count) }
`);
});

describe("refuses", () => {
  test.each([
    ["a name that the text has", "n = 1", "m", "is in the text already"],
    ["a word of the language", "n = 1", "byte", "is not a name"],
    ["what is no name", "n = 1", "a b", "is not a name"],
    ["to rename a word of the language", "byte n", "x", "is a word of the language"],
  ])("%s", async (_, of, name, problem) => {
    await expect(renamed(shadowing, of, name)).rejects.toThrow(problem);
  });
  test("a text with errors", async () => {
    await expect(renamed("byte n; active proctype P() { n = }", "n", "m")).rejects.toThrow("has errors");
  });
  test("a name that the language gives", async () => {
    // The list of words lacks it, and the front end knows it.
    const client = new Client();
    await client.initialize();
    const file = inRepository("examples/models/lock-server.m");
    const text = readFileSync(file, "utf8");
    await client.open(pathToFileURL(file).href, text);
    const line = text.split("\n").findIndex((one) => one.includes("multisetadd"));
    const character = text.split("\n")[line]!.indexOf("multisetadd");
    const at = { textDocument: { uri: pathToFileURL(file).href }, position: { line, character } };
    const { error } = await client.reply("textDocument/rename", { ...at, newName: "other" });
    expect(error!.message).toContain("'multisetadd' cannot be renamed");
  });
  test("names of included files", async () => {
    const client = new Client();
    await client.initialize();
    const folder = "file:///tmp/everypath-lsp";
    await client.open(`${folder}/shared.h`, "byte n;\n");
    const text = '#include "shared.h"\nactive proctype P() { n = 1 }\n';
    await client.open(`${folder}/main.pml`, text);
    const at = { textDocument: { uri: `${folder}/main.pml` }, position: { line: 1, character: 22 } };
    const { error } = await client.reply("textDocument/rename", { ...at, newName: "m" });
    expect(error!.message).toContain("an included file also has the name");
  });
  test("code, which has names from elsewhere", async () => {
    const client = new Client();
    await client.initialize();
    const file = inRepository("examples/code/systems/token-ring.ts");
    await client.open(pathToFileURL(file).href, readFileSync(file, "utf8"));
    const at = { textDocument: { uri: pathToFileURL(file).href }, position: { line: 4, character: 8 } };
    const { error } = await client.reply("textDocument/rename", { ...at, newName: "Stop" });
    expect(error!.message).toContain("meanings outside this file");
  });
});

/** Renames each of the first names of an example; the renamed text has the same answer and the same number of states. */
describe("keeps the answers of", () => {
  for (const name of ["promela", "murphi", "mist", "mpp"])
    test(`${name}`, { timeout: 240_000 }, async () => {
      const [file, ...args] = languageExamples[name]!.args;
      if (args.length > 0) expect(args).toEqual(["-D", "CAREFUL=false"]);
      const text = readFileSync(file!, "utf8");
      const answer = async (of: string): Promise<string> => {
        const { report } = await checkInput(
          { file: file!, text: of },
          { budget: { maxStates: 5000 } },
          registry,
        );
        const { states } = report.stats;
        return `${report.properties.map(({ verdict }) => verdict).join()} ${states}`;
      };
      const expected = await answer(text);
      const client = new Client();
      await client.initialize();
      const document = { uri: pathToFileURL(file!).href };
      await client.open(document.uri, text);
      let count = 0;
      for (const [index, line] of text.split("\n").entries()) {
        const character = /[A-Za-z_]\w*/.exec(line)?.index;
        if (character === undefined || count >= 4) continue;
        const position = { line: index, character };
        const { result } = await client.reply("textDocument/rename", {
          textDocument: document,
          position,
          newName: "zz_fresh",
        });
        if (!result) continue;
        const { changes } = result as { changes: Record<string, { range: LspRange; newText: string }[]> };
        expect(await answer(applied(text, changes[document.uri]!)), line).toBe(expected);
        count++;
      }
      expect(count).toBeGreaterThan(0);
    });
});
