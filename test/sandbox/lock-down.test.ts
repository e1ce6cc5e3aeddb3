/** Capabilities of a locked process, tested outside realms, as escaped code would. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inRepository } from "../repository.js";

const folder = mkdtempSync(join(tmpdir(), "everypath-lock-"));
const program = join(folder, "program.mjs");

/** Each attempt reports its result; `import()` loads modules after the lock, `require` before it. */
const attempts = `
  import { lockDown } from ${JSON.stringify(inRepository("src/code/isolation/lock-down.ts"))};
  import { createRequire } from "node:module";
  const require = createRequire(import.meta.url);
  const earlier = require("node:child_process");
  lockDown({ reads: [process.argv[2]], writes: process.argv[3] === "writes", threads: process.argv[3] === "threads" });
  const found = {};
  const attempt = async (name, run) => {
    try { await run(); found[name] = "done"; } catch (error) { found[name] = error.code ?? error.message; }
  };
  const fs = await import("node:fs");
  await attempt("read what is named", () => fs.readFileSync(process.argv[2] + "/named.txt"));
  await attempt("read anything else", () => fs.readFileSync("/etc/passwd"));
  await attempt("read with a promise", () => fs.promises.readFile("/etc/passwd"));
  await attempt("out of a folder", () => fs.readFileSync(process.argv[2] + "/../../etc/passwd"));
  await attempt("write", () => fs.writeFileSync(process.argv[2] + "/new.txt", "x"));
  await attempt("write what is named", () => fs.openSync(process.argv[2] + "/named.txt", "w"));
  await attempt("remove", () => fs.rmSync(process.argv[2], { recursive: true }));
  await attempt("stream", () => fs.createWriteStream(process.argv[2] + "/new.txt"));
  await attempt("spawn", () => earlier.spawn("true"));
  await attempt("exec", async () => (await import("node:child_process")).execSync("true"));
  await attempt("worker", async () => new (await import("node:worker_threads")).Worker("1", { eval: true }));
  await attempt("own worker", async () => {
    const { Worker } = await import("node:worker_threads");
    await new Worker(process.argv[2] + "/named.mjs").terminate();
  });
  await attempt("own worker with more", async () => {
    const { Worker } = await import("node:worker_threads");
    new Worker(process.argv[2] + "/named.mjs", { execArgv: ["--import", "/x.mjs"] });
  });
  await attempt("binding", () => process.binding("fs"));
  await attempt("add-on", () => process.dlopen({ exports: {} }, "/x.node"));
  await attempt("connect", async () => (await import("node:net")).connect(9, "127.0.0.1"));
  await attempt("listen", async () => (await import("node:net")).createServer().listen(0));
  await attempt("fetch", () => fetch("http://127.0.0.1:4321/").catch((error) => { throw error.cause ?? error; }));
  await attempt("datagram", async () => (await import("node:dgram")).createSocket("udp4").bind(0));
  await attempt("snapshot", async () => (await import("node:v8")).writeHeapSnapshot());
  await attempt("signal", () => process.kill(process.ppid, "SIGTERM"));
  await attempt("undone", () => { process.binding = () => "back"; });
  console.log(JSON.stringify(found));
  process.exit();
`;

beforeAll(() => {
  writeFileSync(join(folder, "named.txt"), "x");
  writeFileSync(join(folder, "named.mjs"), "");
  const stdin = { contents: attempts, loader: "js", resolveDir: folder } as const;
  buildSync({ stdin, outfile: program, bundle: true, platform: "node", format: "esm", target: "node20" });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function tried(mode: string): Record<string, string> {
  const { stdout, stderr } = spawnSync(process.execPath, [program, folder, mode], { encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, string>;
}

test("nothing is left but to read what is named", { timeout: 240_000 }, () => {
  const { "read what is named": named, undone, ...others } = tried("");
  expect(named).toBe("done");
  expect(undone).toContain("read only");
  expect(Object.entries(others).filter(([, outcome]) => outcome !== "ERR_ACCESS_DENIED")).toEqual([]);
  expect(Object.keys(others)).toHaveLength(20);
});

test("a search that has threads, or keeps states in files, is left those alone", { timeout: 240_000 }, () => {
  expect(tried("threads")).toMatchObject({
    "own worker": "done",
    "own worker with more": "ERR_ACCESS_DENIED",
    worker: "ERR_ACCESS_DENIED",
    spawn: "ERR_ACCESS_DENIED",
    write: "ERR_ACCESS_DENIED",
  });
  expect(tried("writes")).toMatchObject({
    write: "done",
    spawn: "ERR_ACCESS_DENIED",
    worker: "ERR_ACCESS_DENIED",
  });
});
