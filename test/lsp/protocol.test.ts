/** The language server's protocol: order, errors, positions, and the command. */
import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { framed } from "../../src/lsp/messages.js";
import { useCli } from "../cli/built-cli.js";
import { Client } from "./client.js";

const cli = useCli();
const uri = "file:///tmp/everypath-lsp/model.pml";
const model = `/* 𝒳 counts */ byte x;
ltl small { [] (x < 3) }
active proctype P() {
  x = x + 1; // x
  assert(x != 2)
}
`;

async function opened(text = model): Promise<Client> {
  const client = new Client();
  await client.initialize();
  await client.open(uri, text);
  return client;
}

const at = (line: number, character: number): object => ({
  textDocument: { uri },
  position: { line, character },
});

test("requests before initialize and after shutdown are refused", async () => {
  const client = new Client();
  expect((await client.reply("textDocument/hover", at(0, 0))).error!.code).toBe(-32002);
  await client.initialize();
  await client.request("shutdown");
  expect((await client.reply("textDocument/hover", at(0, 0))).error!.code).toBe(-32600);
  client.notify("exit");
  expect(await client.exitCode).toBe(0);
});

test("a client that goes without a shutdown has failed", async () => {
  const client = await opened();
  client.end();
  expect(await client.exitCode).toBe(1);
});

test("unknown methods, missing parameters and bodies that are not JSON are errors, and the server goes on", async () => {
  const client = await opened();
  expect((await client.reply("textDocument/nothing")).error!.code).toBe(-32601);
  expect((await client.reply("textDocument/hover", { textDocument: { uri } })).error!.code).toBe(-32602);
  expect(
    (await client.reply("textDocument/hover", { position: { line: 0, character: 0 } })).error!.code,
  ).toBe(-32602);
  client.write("Content-Length: 5\r\n\r\n{nope");
  client.write("No-Length: 1\r\n\r\n");
  client.write("Content-Length: 2\r\n\r\n[]");
  client.notify("textDocument/didChange", { textDocument: { uri } });
  client.notify("$/cancelRequest", { id: 1 });
  expect(await client.request("textDocument/hover", at(0, 21))).not.toBeNull();
  const refused = client.notified().filter((reply) => reply.error);
  expect(refused.map(({ error }) => error!.code)).toEqual([-32700, -32700, -32700]);
});

test("messages may arrive in pieces, and together", async () => {
  const client = new Client();
  const first = framed({ id: 901, method: "initialize", params: {} });
  for (const byte of first) client.write(byte);
  const text = "byte é;\n";
  client.write(
    framed({ method: "textDocument/didOpen", params: { textDocument: { uri, version: 1, text } } }) +
      framed({ id: 902, method: "shutdown" }),
  );
  client.notify("exit");
  expect(await client.exitCode).toBe(0);
  expect(client.notified().map(({ method }) => method)).toEqual(["textDocument/publishDiagnostics"]);
});

test("positions count UTF-16 units, comments are no occurrences", async () => {
  const client = await opened();
  const references = await client.request<{ range: object }[]>("textDocument/references", at(3, 2));
  expect(references.map(({ range }) => range)).toEqual([
    { start: { line: 0, character: 21 }, end: { line: 0, character: 22 } },
    { start: { line: 1, character: 16 }, end: { line: 1, character: 17 } },
    { start: { line: 3, character: 2 }, end: { line: 3, character: 3 } },
    { start: { line: 3, character: 6 }, end: { line: 3, character: 7 } },
    { start: { line: 4, character: 9 }, end: { line: 4, character: 10 } },
  ]);
  expect(await client.request("textDocument/definition", at(3, 2))).toEqual({
    uri,
    range: references[0]!.range,
  });
  expect(await client.request("textDocument/hover", at(3, 2))).toMatchObject({
    contents: { value: expect.stringContaining("byte x;\n```\nline 1; 5 occurrences") as string },
  });
  expect(await client.request("textDocument/hover", at(2, 10))).toMatchObject({
    contents: { value: expect.stringContaining("`proctype`: keyword") as string },
  });
  // Beyond the text.
  expect(await client.request("textDocument/hover", at(99, 99))).toBeNull();
});

test("diagnostics say where, what and how to mend it", async () => {
  const client = await opened();
  const [diagnostic] = await client.change(uri, model.replace("x = x + 1", "x = xx + 1"));
  expect(diagnostic).toMatchObject({
    severity: 1,
    range: { start: { line: 3, character: 6 }, end: { line: 3, character: 8 } },
    code: expect.stringMatching(/^promela\//) as string,
  });
});

test("the outline has processes and properties", async () => {
  const client = await opened();
  const symbols = await client.request<{ name: string; kind: number }[]>("textDocument/documentSymbol", {
    textDocument: { uri },
  });
  expect(symbols.map(({ name, kind }) => [name, kind])).toEqual([
    ["small", 7],
    ["P", 12],
  ]);
});

test("a text in no language has no diagnostics, and no answers", async () => {
  const client = new Client();
  await client.initialize();
  expect(await client.open("file:///tmp/notes.txt", "hello")).toEqual([]);
  const params = { textDocument: { uri: "file:///tmp/notes.txt" }, position: { line: 0, character: 1 } };
  expect(await client.request("textDocument/hover", params)).toBeNull();
  // The editor may say which language a new text is in.
  expect((await client.open("untitled:Untitled-1", "byte x", "promela")).length).toBeGreaterThan(0);
});

test("everypath lsp --stdio serves over standard input and output", { timeout: 240_000 }, async () => {
  expect((await cli.run(["lsp"])).stderr).toContain("--stdio");
  const child = spawn(process.execPath, [cli.script, "lsp", "--stdio"], { cwd: cli.directory });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stdin.write(framed({ id: 1, method: "initialize", params: {} }));
  child.stdin.write(framed({ id: 2, method: "shutdown" }));
  child.stdin.write(framed({ method: "exit" }));
  expect(await new Promise((resolve) => child.on("exit", resolve))).toBe(0);
  expect(output).toContain('"renameProvider"');
  expect(output).toContain('{"jsonrpc":"2.0","id":2,"result":null}');
});
