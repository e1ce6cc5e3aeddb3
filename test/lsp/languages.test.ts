/** A scripted session with the language server for every language, and mutated texts. */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { registry } from "../../src/session/registry.js";
import { languageExamples } from "../explorer/language-examples.js";
import { Client, type LspRange } from "./client.js";

interface Symbol {
  readonly name: string;
  readonly range: LspRange;
}

/** Parts of the outline, where the front end says where things are. */
const outlines: Readonly<Record<string, string[]>> = {
  promela: ["Philosopher"],
  murphi: ["one at a time"],
};

const exampleOf = (name: string): { uri: string; text: string } => {
  const file =
    languageExamples[name]?.args[0] ??
    expect.fail(`add an example of ${name} to test/explorer/language-examples.ts`);
  return { uri: pathToFileURL(file).href, text: readFileSync(file, "utf8") };
};

describe("the language server answers about", () => {
  for (const language of registry.languages)
    test(`${language.name}`, { timeout: 240_000 }, async () => {
      const { uri, text } = exampleOf(language.name);
      const client = new Client();
      await client.initialize();
      const severe = (await client.open(uri, text)).filter(({ severity }) => severity === 1);
      expect(severe).toEqual([]);

      const symbols = await client.request<Symbol[]>("textDocument/documentSymbol", {
        textDocument: { uri },
      });
      expect(symbols.map(({ name }) => name)).toEqual(expect.arrayContaining(outlines[language.name] ?? []));
      const lines = text.split("\n");
      for (const { range } of symbols) {
        expect(range.start.line).toBeLessThan(lines.length);
        expect(range.end.character).toBeLessThanOrEqual(lines[range.end.line]!.length);
      }

      const items = await client.request<{ label: string }[]>("textDocument/completion", {
        textDocument: { uri },
        position: { line: 0, character: 0 },
      });
      for (const word of language.highlighting!.keywords)
        expect(items.map(({ label }) => label)).toContain(word);

      // At ten places: hover, definition and references agree with each other.
      const places = Array.from({ length: 10 }, (_, i) => Math.floor((text.length * i) / 10));
      for (const offset of places) {
        const before = text.slice(0, offset).split("\n");
        const position = { line: before.length - 1, character: before.at(-1)!.length };
        const at = { textDocument: { uri }, position };
        const hover = await client.request<{ range?: LspRange } | null>("textDocument/hover", at);
        const definition = await client.request<{ range: LspRange } | null>("textDocument/definition", at);
        const references = await client.request<{ range: LspRange }[]>("textDocument/references", at);
        if (definition) expect(references[0]!.range).toEqual(definition.range);
        if (references.length > 0) expect(references.map(({ range }) => range)).toContainEqual(hover!.range);
        const texts = references.map(({ range: { start, end } }) =>
          lines[start.line]!.slice(start.character, end.character).toLowerCase(),
        );
        expect(new Set(texts).size).toBeLessThanOrEqual(1);
      }

      // A text with garbage has an error, which goes away again.
      const broken = await client.change(uri, `<< ${text}`);
      expect(broken.filter(({ severity }) => severity === 1).length).toBeGreaterThan(0);
      expect((await client.change(uri, text)).filter(({ severity }) => severity === 1)).toEqual([]);
      client.notify("textDocument/didClose", { textDocument: { uri } });
      await client.request("shutdown");
      client.notify("exit");
      expect(await client.exitCode).toBe(0);
    });
});

/** `EVERYPATH_LSP_RUNS=800` makes more than 10,000 for all languages. */
const RUNS = Number(process.env["EVERYPATH_LSP_RUNS"] ?? 25);

describe("the language server survives mutated texts of", () => {
  const mutation = fc.record({
    at: fc.nat(10_000),
    length: fc.nat(60),
    put: fc.oneof(
      fc.string({ maxLength: 4 }),
      fc.constantFrom("{", "}", "(", ")", ";", '"', "/*", "\u0000", "\ud800", "::", "end", "\n"),
    ),
  });
  const mutated = (text: string, changes: readonly { at: number; length: number; put: string }[]): string =>
    changes.reduce((now, { at, length, put }) => {
      const start = at % (now.length + 1);
      return now.slice(0, start) + put + now.slice(start + length);
    }, text);

  for (const { name } of registry.languages)
    test(`${name}`, { timeout: Math.max(240_000, 4000 * RUNS) }, async () => {
      const { uri, text } = exampleOf(name);
      const client = new Client();
      await client.initialize();
      await client.open(uri, text);
      await fc.assert(
        fc.asyncProperty(
          fc.array(mutation, { minLength: 1, maxLength: 4 }),
          fc.nat(10_000),
          async (changes, n) => {
            const next = mutated(text, changes);
            await client.change(uri, next);
            const line = n % (next.split("\n").length + 1);
            const at = { textDocument: { uri }, position: { line, character: n % 40 } };
            for (const method of ["hover", "definition", "completion", "documentHighlight"])
              expect((await client.reply(`textDocument/${method}`, at)).error).toBeUndefined();
            const { error } = await client.reply("textDocument/rename", { ...at, newName: "fresh_name" });
            // A refusal is fine, an internal error is not.
            if (error) expect([-32602, -32803]).toContain(error.code);
          },
        ),
        { numRuns: RUNS },
      );
    });
});
