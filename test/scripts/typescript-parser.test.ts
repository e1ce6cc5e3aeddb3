import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cutParser, namesUsed } from "../../scripts/typescript-parser.mjs";
import { inRepository } from "../repository.js";

/** The part of the compiler that the package uses; the binder is not in the published types. */
type Parser = typeof ts & { bindSourceFile(file: ts.SourceFile, options: ts.CompilerOptions): void };

const folder = mkdtempSync(join(tmpdir(), "everypath-parser-"));
const compiler = readFileSync(inRepository("node_modules/typescript/lib/typescript.js"), "utf8");
const whole = ts as Parser;
let cut: Parser;

beforeAll(async () => {
  const names = namesUsed(filesOf("src").map((file) => readFileSync(file, "utf8")));
  const file = join(folder, "parser.mjs");
  writeFileSync(file, cutParser(compiler, names));
  ({ default: cut } = (await import(pathToFileURL(file).href)) as { default: Parser });
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("is at most an eighth of the compiler", () => {
  expect(readFileSync(join(folder, "parser.mjs")).length).toBeLessThan(compiler.length / 7.5);
});

test("parses and binds like the whole compiler", () => {
  for (const file of ["src/code", "examples", "explorer/src"].flatMap(filesOf)) {
    const text = readFileSync(file, "utf8");
    expect(dump(cut, file, text), file).toEqual(dump(whole, file, text));
  }
}, 240_000);

test("reports syntax errors like the whole compiler", () => {
  for (const text of [
    "let = ;",
    "const x = `${",
    "class { #a",
    "a ? b",
    "for (;",
    "import {",
    "0b2",
    "\\u{1",
  ]) {
    const { errors } = dump(whole, "a.js", text);
    expect(errors, text).not.toEqual([]);
    expect(dump(cut, "a.js", text).errors).toEqual(errors);
  }
});

test("refuses a compiler of another shape", () => {
  expect(() => cutParser("export const a = 1;", ["createSourceFile"])).toThrow("one function in one file");
  expect(() => cutParser(compiler, ["Node"])).toThrow("none of the names");
  const without = compiler.replace("var SourceFileObject =", "var AnotherObject =");
  expect(() => cutParser(without, ["createSourceFile"])).toThrow("no longer declares SourceFileObject");
}, 240_000);

const filesOf = (path: string): string[] =>
  readdirSync(inRepository(path), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.[jt]sx?$/.test(file))
    .map((file) => inRepository(path, file));

/** Kinds, positions, texts and bound names of all nodes. */
function dump(parser: Parser, file: string, text: string): { nodes: string[]; errors: unknown[] } {
  const source = parser.createSourceFile(file, text, parser.ScriptTarget.ESNext, true);
  parser.bindSourceFile(source, { target: parser.ScriptTarget.ESNext });
  const nodes: string[] = [];
  const visit = (node: ts.Node): void => {
    const { locals, symbol } = node as ts.Node & {
      locals?: ReadonlyMap<string, unknown>;
      symbol?: ts.Symbol;
    };
    const { line, character } = source.getLineAndCharacterOfPosition(node.getStart());
    const bound = [...(locals?.keys() ?? []), symbol?.escapedName].join(",");
    nodes.push(
      `${node.kind} ${line}:${character} ${node.pos}-${node.end} ${node.getText().slice(0, 20)} ${bound}`,
    );
    parser.forEachChild(node, visit);
  };
  visit(source);
  const { parseDiagnostics } = source as unknown as { parseDiagnostics: readonly ts.Diagnostic[] };
  const errors = parseDiagnostics.map(({ start, code, messageText }) => [
    start,
    code,
    parser.flattenDiagnosticMessageText(messageText, " "),
  ]);
  return { nodes, errors };
}
