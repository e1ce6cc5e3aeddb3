/** Modules of Node as packages use them: by `require`, with inheritance by prototypes, and changed. */
import { createRequire, builtinModules } from "node:module";
import { Script } from "node:vm";
import { describe, expect, test } from "vitest";
import {
  bundle,
  cataloguePage,
  isSupportedModule,
  nodeCatalogue,
  worldSource,
} from "../../src/code/bundle/index.js";
import { collectingRejections, defaultWorldOptions, Realm, Turn } from "../../src/code/realm/index.js";
import { inRepository } from "../repository.js";

/** Bodies of async functions with `require`. */
const texts = [
  `const E = require("events"); class X extends E {}; return [new X() instanceof E, E.EventEmitter === E, typeof E.once];`,
  `const E = require("events"); const util = require("util"); function X() { E.call(this); } util.inherits(X, E); const x = new X(); let n = 0; x.on("a", (v) => (n += v)); x.emit("a", 2); return [n, X.super_ === E, x instanceof E];`,
  `const E = require("events"); function X() {} X.prototype = Object.create(E.prototype); const x = new X(); let n = 0; x.on("a", (v) => (n += v)); x.emit("a", 2); return n;`,
  `const E = require("events"); const o = Object.assign({}, E.prototype); let n = 0; o.on("a", (v) => (n += v)); o.emit("a", 2); return n;`,
  `const o = { ...require("events").prototype }; return Object.keys(o).includes("on");`,
  `const S = require("stream"); function X() { S.Transform.call(this, { objectMode: true }); } require("util").inherits(X, S.Transform); X.prototype._transform = function (c, e, d) { d(null, c + 1); }; const x = new X(); return new Promise((r) => { x.on("data", r); x.write(4); });`,
  `const S = require("stream"); class X extends S { }; return [new X() instanceof require("events"), S.Stream === S];`,
  `const assert = require("assert"); assert(1); try { assert(0, "no"); } catch (e) { return [e.name, e.message, assert.AssertionError === require("assert").AssertionError]; }`,
  `const assert = require("assert").strict; try { assert.equal(1, "1"); } catch (e) { return e.code; }`,
  `const fs = require("fs"); const old = fs.readFileSync; fs.readFileSync = (...a) => "patched"; const r = fs.readFileSync("/x"); fs.readFileSync = old; return r;`,
  `const fs = require("fs"); const o = Object.getOwnPropertyDescriptor(fs, "promises"); return [typeof o, Object.isExtensible(fs)];`,
  `const fs = require("fs"); const clone = Object.create(Object.getPrototypeOf(fs)); Object.getOwnPropertyNames(fs).forEach((k) => Object.defineProperty(clone, k, Object.getOwnPropertyDescriptor(fs, k))); clone.writeFileSync("/tmp/zz-everypath", "x"); return clone.readFileSync("/tmp/zz-everypath", "utf8");`,
  `const fs = require("fs"); Object.defineProperty(fs, Symbol.for("gq"), { get: () => [1] }); return fs[Symbol.for("gq")];`,
  `const c = require("crypto"); return ["md5", "sha1", "sha256", "sha512", "sha3-256"].map((h) => c.createHash(h).update("a").update(Buffer.from("b")).digest("hex"));`,
  `const c = require("crypto"); return c.createHmac("sha256", "key").update("text").digest("base64");`,
  `const c = require("crypto"); return c.createHash("sha256").update("é", "latin1").digest().length;`,
  `const c = require("crypto"); return [c.randomBytes(8).length, c.randomBytes(4).toString("hex").length, c.randomInt(3) < 3, c.timingSafeEqual(Buffer.from("a"), Buffer.from("a"))];`,
  `const c = require("crypto"); return [c.pbkdf2Sync("p", "s", 10, 16, "sha1").toString("hex"), c.scryptSync("p", "s", 16).toString("hex"), c.getHashes().includes("sha256")];`,
  `const c = require("crypto"); return new Promise((r) => c.randomFill(Buffer.alloc(4), (e, b) => r(b.length)));`,
  `const c = require("crypto"); return c.hash ? c.hash("sha1", "x") : c.createHash("sha1").update("x").digest("hex");`,
  `const c = require("crypto"); const k = Buffer.alloc(32, 1), v = Buffer.alloc(16, 2); const e = c.createCipheriv("aes-256-cbc", k, v); const x = e.update("hello", "utf8", "hex") + e.final("hex"); const d = c.createDecipheriv("aes-256-cbc", k, v); return [x, d.update(x, "hex", "utf8") + d.final("utf8")];`,
  `const z = require("zlib"); const b = z.gzipSync("hello hello"); return [z.gunzipSync(b).toString(), z.inflateSync(z.deflateSync("abc")).toString(), z.brotliDecompressSync(z.brotliCompressSync("abc")).toString(), z.deflateRawSync("a").toString("hex"), z.constants.Z_BEST_SPEED];`,
  `const z = require("zlib"); return new Promise((r) => z.gzip("abc", (e, b) => z.gunzip(b, (e, c) => r(String(c)))));`,
  `const z = require("zlib"); try { z.inflateSync(Buffer.from("zz")); } catch (e) { return [e.code, e.errno, e.message]; }`,
  `const url = require("url"); return [url.parse("http://u:p@h.com:80/a/b?c=d#e"), url.format({ protocol: "http", host: "x.y", pathname: "/p", query: { a: 1 } }), url.resolve("http://a.b/c/d", "../e")];`,
  `const url = require("url"); return [url.fileURLToPath("file:///a/b%20c"), url.pathToFileURL("/a b").href, url.domainToASCII("español.com")];`,
  `const url = require("url"); return [url.parse("/a?b=c", true).query, url.parse("//h/p", false, true).host];`,
  `const q = require("querystring"); return [q.parse("a=1&b=2&a=%20x+y"), q.stringify({ a: [1, "ä"], b: true, c: "" }), q.escape("a b&"), q.unescape("%41")];`,
  `const { StringDecoder } = require("string_decoder"); const d = new StringDecoder("utf8"); return [d.write(Buffer.from([0xe2, 0x82])), d.write(Buffer.from([0xac])), d.end()];`,
  `const { StringDecoder } = require("string_decoder"); return ["base64", "hex", "utf16le", "latin1", "ascii"].map((e) => { const d = new StringDecoder(e); return [d.write(Buffer.from([0x61, 0x62, 0x63, 0x64])), d.write(Buffer.from([0x65])), d.end()]; });`,
  `const t = require("timers/promises"); return t.setTimeout(1, "x").then((v) => [v]);`,
  `const t = require("timers/promises"); return Promise.all([t.setImmediate(3), t.scheduler.wait(1)]);`,
  `const rl = require("readline"); const { Readable } = require("stream"); return new Promise((r) => { const out = []; rl.createInterface({ input: Readable.from(["a\\nb", "c\\r\\n", "d"]) }).on("line", (l) => out.push(l)).on("close", () => r(out)); });`,
  `const rl = require("readline"); const { Readable } = require("stream"); const out = []; for await (const l of rl.createInterface({ input: Readable.from(["a\\nb\\n"]), crlfDelay: Infinity })) out.push(l); return out;`,
  `const { AsyncLocalStorage, AsyncResource } = require("async_hooks"); const s = new AsyncLocalStorage(); return s.run(5, async () => { await 1; return [s.getStore(), AsyncResource.bind(() => s.getStore())()]; });`,
  `const { performance, PerformanceObserver, monitorEventLoopDelay } = require("perf_hooks"); return [typeof performance.now(), typeof performance.timeOrigin, typeof performance.mark, typeof performance.timerify, typeof PerformanceObserver];`,
  `const { performance } = require("perf_hooks"); performance.mark("a"); performance.mark("b"); return performance.measure("x", "a", "b").name;`,
  `const { EventEmitterAsyncResource } = require("events"); const e = new EventEmitterAsyncResource({ name: "Q" }); let n = 0; e.on("x", () => n++); e.emit("x"); return [n, typeof e.asyncId];`,
  `const E = require("events"); const ac = new AbortController(); const e = new E(); const p = E.once(e, "x", { signal: ac.signal }); ac.abort(); return p.catch((x) => [x.name, x.code]);`,
  `const E = require("events"); const e = new E(); e.once("x", () => {}); return [e.rawListeners("x").length, typeof e.rawListeners("x")[0].listener, E.getMaxListeners ? E.getMaxListeners(e) : 10, E.usingDomains];`,
  `const p = require("punycode"); return p.toASCII("mañana.com");`,
  `const u = require("util"); const f = u.deprecate(() => 3, "x"); const d = u.debuglog("x"); return [f(), d.enabled, typeof u.TextEncoder, u.inspect(new (class A { x = 1; })())];`,
  `return [require("constants").O_RDONLY, require("os").EOL, require("tty").isatty(1) === require("tty").isatty(1)];`,
  `const { Readable } = require("stream"); return new Readable({ read() {} }).readableFlowing;`,
  `const b = require("buffer"); return [b.Buffer.from("ab", "utf16le").toString("hex"), b.Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]).readDoubleBE(0), b.Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]).readBigUInt64BE(0).toString(), b.Buffer.from([1, 2, 3]).readUIntBE(0, 3)];`,
  `const b = Buffer.alloc(8); b.writeDoubleLE(1.5); b.writeInt8(-2, 1); b.writeUIntBE(0x010203, 2, 3); b.writeInt16LE(-3, 5); return [b.toString("hex"), b.fill("ab").toString(), b.lastIndexOf("a"), Buffer.from("abc").swap16 ? 1 : 0, b.inspect ? 1 : 0];`,
  `const { Worker, isMainThread, threadId } = require("worker_threads"); return [isMainThread, threadId, typeof Worker];`,
  `const d = require("domain"); return typeof d.create;`,
  `const dns = require("dns"); return typeof dns.lookup;`,
  `return [typeof require("https").request, typeof require("http2").connect, typeof require("tls").connect, typeof require("child_process").spawn, typeof require("vm").runInThisContext];`,
  `const { setTimeout: s, setInterval: i } = require("timers"); return new Promise((r) => s(r, 1, 5));`,
  `const sp = require("stream/promises"), sw = require("stream/web"), sc = require("stream/consumers"); return [typeof sp.pipeline, typeof sw.ReadableStream, typeof sc.text];`,
  `const { text } = require("stream/consumers"); return text(require("stream").Readable.from(["a", "b"]));`,
  `const E = require("events"); const { EventEmitter } = require("node:events"); return [E === EventEmitter, E === require("node:events")];`,
  `const { AsyncLocalStorage } = require("async_hooks"); const { EventEmitterAsyncResource } = require("events"); const s = new AsyncLocalStorage(); const e = s.run(1, () => new EventEmitterAsyncResource({ name: "Q" })); let seen; e.on("x", () => (seen = s.getStore())); s.run(2, () => e.emit("x")); return seen;`,
  `const E = require("events"); const e = new E(); const log = []; e.on("removeListener", (n) => log.push(n)); const f = () => {}; e.once("a", f); e.emit("a"); e.on("b", f); e.removeAllListeners("b"); return [log, e._eventsCount, e.eventNames()];`,
  `return [new URL("http://español.com/").hostname];`,
  `const S = require("stream"); const log = []; function W() { S.Writable.call(this); } require("util").inherits(W, S.Writable); W.prototype._write = function (c, e, d) { log.push(String(c)); d(); }; const w = new W(); w.write("a"); w.end("b"); return new Promise((r) => w.on("finish", () => r([log, w instanceof S.Writable, w instanceof S])));`,
  `const c = require("crypto"); const k = Buffer.alloc(32, 1), v = Buffer.alloc(12, 2); const e = c.createCipheriv("aes-256-gcm", k, v); e.setAAD(Buffer.from("aad")); const x = e.update("hello hello hello", "utf8", "hex") + e.final("hex"); const t = e.getAuthTag(); const d = c.createDecipheriv("aes-256-gcm", k, v); d.setAAD(Buffer.from("aad")); d.setAuthTag(t); return [x, t.toString("hex"), d.update(x, "hex", "utf8") + d.final("utf8")];`,
  `const c = require("crypto"); const h = c.createHash("md5").update("a"); const h2 = h.copy(); h.update("b"); try { c.createHash("nope"); } catch (e) { return [h.digest("hex"), h2.digest("hex"), e.message]; }`,
  `return new URL("file:///a/b").href;`,
  `const url = require("url"); return url.fileURLToPath("file:///a/b%20c");`,
  `const url = require("url"); return url.pathToFileURL("/a b").href;`,
  `return [new Buffer("ab").length, new Buffer(3).length, new Buffer([1,2]).length];`,
];

describe("as in Node", () => {
  test.each(texts)("%s", async (text) => {
    const { output, failure } = await inside(text);
    expect(failure).toBeUndefined();
    expect(output).toBe(await inNode(text));
  });
});

/** Bodies that use what is refused, and the name that the verdict shows. */
const refusals: [string, string][] = [
  [`return require("async_hooks").executionAsyncId();`, "async_hooks.executionAsyncId"],
  [`return require("async_hooks").triggerAsyncId();`, "async_hooks.triggerAsyncId"],
  [`return new (require("async_hooks").AsyncResource)("x").asyncId();`, "AsyncResource.asyncId"],
  [
    `return new (require("async_hooks").AsyncResource)("x").triggerAsyncId();`,
    "AsyncResource.triggerAsyncId",
  ],
  [`return require("util").types.isProxy({});`, "util.types.isProxy"],
  [`return require("v8").serialize({});`, "v8.serialize"],
  [
    `return require("events").once(new (require("events"))(), "x", { other: 1 });`,
    "events.once with the option other",
  ],
  [`return new (require("worker_threads").Worker)("x");`, "worker_threads.Worker"],
  [`return require("crypto").createHash("md5").pipe();`, "crypto.Hash.pipe"],
  [`return require("crypto").createSign("sha256");`, "crypto.createSign"],
  [`return require("zlib").createGzip();`, "zlib.createGzip"],
  [`return require("zlib").gzipSync("x", { info: true });`, "zlib.gzipSync with the option info"],
  [`return new (require("stream").Readable)()._readableState.pipes;`, "stream._readableState.pipes"],
  [
    `new (require("stream").Writable)()._writableState.errorEmitted = false;`,
    "stream._writableState.errorEmitted =",
  ],
  [`return require("stream").compose();`, "stream.compose"],
];

test.each(refusals)("%s is refused", async (text, name) => {
  const { failure } = await inside(text);
  expect(failure).toMatchObject({ kind: "unsupported" });
  expect(failure!.message).toContain(`${name} is not supported`);
});

test("an error about code from strings names the option that permits it", async () => {
  const { failure } = await inside(`setTimeout(() => new Function("return 1")());`);
  expect(failure).toMatchObject({ name: "EvalError" });
  expect(failure!.message).toContain("allowEval: true");
});

test("work of the thread pool completes in a turn, in any order", async () => {
  const text = `const c = require("crypto"), z = require("zlib"); const log = []; let left = 2;
    return new Promise((done) => { const end = (name) => { log.push(name); if (--left === 0) done(log); };
      c.randomBytes(4, () => end("random")); z.gzip("x", () => end("zip")); process.nextTick(() => log.push("tick")); });`;
  expect((await inside(text)).output).toBe('["tick","random","zip"]');
  expect((await inside(text, [1])).output).toBe('["tick","zip","random"]');
});

test("random bytes come from the seed", async () => {
  const text = `return require("crypto").randomBytes(8).toString("hex");`;
  expect((await inside(text)).output).toBe((await inside(text)).output);
});

/** Names that the language or the deprecations of Node remove from some versions. */
const known = builtinModules.filter((name) => !name.startsWith("_"));

test("the catalogue has every module of Node, and says of each what the code does", () => {
  expect(known.filter((name) => !(name in nodeCatalogue))).toEqual([]);
  for (const [name, { kind }] of Object.entries(nodeCatalogue))
    expect([name, isSupportedModule(name)]).toEqual([name, kind !== "refused"]);
});

test("docs/node-modules.md is the catalogue", async () => {
  await expect(cataloguePage()).toMatchFileSnapshot(inRepository("docs/node-modules.md"));
});

// `process` is an object with many undocumented names.
test.each(
  Object.keys(nodeCatalogue).filter(
    (name) => name !== "process" && isSupportedModule(name) && known.includes(name),
  ),
)("require of %s has every name of Node's module", async (name) => {
  const real = Object.keys(createRequire(import.meta.url)(`node:${name}`) as object);
  const { output, failure } = await inside(
    `const m = require(${JSON.stringify(name)}); return ${JSON.stringify(real)}.filter((key) => !(key in m));`,
  );
  expect(failure).toBeUndefined();
  expect(output).toBe("[]");
});

async function inside(body: string, prefix: readonly number[] = []) {
  const entry = `(async () => { ${body} })().then((v) => console.log(JSON.stringify(v)), (e) => console.log("threw " + e));`;
  const { script, diagnostics } = await bundle({ entry, directory: import.meta.dirname });
  expect(diagnostics).toEqual([]);
  const plan = { prefix, tail: { kind: "first" } } as const;
  const { output, failure } = collectingRejections(() => {
    const realm = new Realm({
      base: new Script(worldSource()),
      world: { ...defaultWorldOptions, plan, maxTurns: 100 },
    });
    realm.run(new Script(script!));
    realm.settle();
    while (realm.turn() === Turn.again);
    return realm.report();
  });
  return { output: output.at(-1)?.text, failure };
}

async function inNode(body: string): Promise<string> {
  const make = Object.getPrototypeOf(async () => {}).constructor as new (
    ...args: string[]
  ) => (require: NodeJS.Require) => Promise<unknown>;
  return JSON.stringify(await new make("require", body)(createRequire(import.meta.url)));
}
