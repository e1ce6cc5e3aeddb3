/** Replacements of Node's modules and globals, compared with the originals on the same source text. */
import { Script } from "node:vm";
import { describe, expect, test } from "vitest";
import { bundle, worldSource } from "../../src/code/bundle/index.js";
import { collectingRejections, defaultWorldOptions, Realm, Turn } from "../../src/code/realm/index.js";

const cases: Record<string, string[]> = {
  buffer: [
    `Buffer.from("héllo €𝄞").toString("hex")`,
    `Buffer.from("aGk_-w", "base64url").toJSON()`,
    `Buffer.concat([Buffer.from("a"), Buffer.from("bc")]).toString("base64")`,
    `Buffer.from([1, 2, 3, 4, 255]).readUInt32BE(1)`,
    `(() => { const b = Buffer.alloc(8); b.writeUInt16LE(513, 2); b.writeInt32BE(-2, 4); return [...b]; })()`,
    `Buffer.from("hello").subarray(1, 3).toString()`,
    `Buffer.from("abcabc").indexOf("ca")`,
    `[Buffer.byteLength("€"), Buffer.isBuffer(new Uint8Array(1)), Buffer.compare(Buffer.from("a"), Buffer.from("b"))]`,
    `new TextDecoder().decode(new Uint8Array([0xe2, 0x82, 0xac, 0xff, 0x41, 0xc3]))`,
    `[...new TextEncoder().encode("\\ud800x😀")]`,
    `[btoa("hello\\xff"), atob("aGVsbG8=")]`,
  ],
  url: [
    `new URL("../b/./c?x=1&y=%20#h", "https://User:pw@Example.com:443/a/d/").href`,
    `new URL("http://example.com:8080/a b?q=ü").toString()`,
    `[new URL("https://x.y/p").origin, new URL("https://x.y").pathname, URL.canParse("no")]`,
    `new URLSearchParams({ a: "1 2", b: "ä&=" }).toString()`,
    `[...new URLSearchParams("?a=1&a=2&b=%41+c").entries()]`,
    `(() => { const u = new URL("https://x.y/?a=1"); u.searchParams.set("a", "2"); u.searchParams.append("b", "c d"); return u.href; })()`,
    `new URL("//other.example/z", "https://x.y/a").href`,
    `new URL("?only", "https://x.y/a/b").href`,
  ],
  http: [
    ...[
      // A response with a length, and its headers.
      [`res.setHeader("X-A", ["1", "2"]); res.statusCode = 201; res.end("hé")`, `http.get({ port }, done)`],
      // A body in pieces, in both directions.
      [
        `let all = ""; req.setEncoding("utf8").on("data", (c) => (all += c)).on("end", () => { res.write(req.method + " "); res.write(all); res.end("!"); })`,
        `(() => { const r = http.request({ port, method: "POST", path: "/p?q=1" }, done); r.write("a€"); r.write("b"); r.end("c"); })()`,
      ],
      // A body in one piece.
      [
        `(async () => { let all = ""; for await (const c of req) all += c; res.writeHead(202, { "content-type": "text/plain" }).end([req.url, req.headers["content-length"], all].join()); })()`,
        `http.request("http://localhost:" + port + "/x/y", { method: "PUT" }, done).end("body")`,
      ],
      [`res.writeHead(204).end()`, `http.get("http://localhost:" + port, done)`],
      [`res.end("not sent")`, `http.request({ port, method: "HEAD" }, done).end()`],
      // Connection lost before and during the response.
      [`req.socket.destroy()`, `http.get({ port }, done).on("error", (e) => finish(e.code))`],
      [
        `res.writeHead(200, { "Content-Length": 10 }); res.write("half"); setTimeout(() => req.socket.destroy(), 5)`,
        `http.get({ port }, (res) => res.on("error", (e) => finish([e.code, e.message, res.complete])).resume())`,
      ],
      [`res.end()`, `http.get({ port: 1 }).on("error", (e) => finish(e.code))`],
      [
        `setTimeout(() => res.end("late"), 50)`,
        `(() => { const r = http.get({ port, timeout: 5 }, done); r.on("timeout", () => r.destroy(new Error("slow"))); r.on("error", (e) => finish(e.message)); })()`,
      ],
    ].map(
      ([handle, ask]) =>
        `new Promise((finish) => { const server = http.createServer((req, res) => { ${handle} }); const done = (res) => { let text = ""; res.setEncoding("utf8"); res.on("data", (c) => (text += c)); res.on("end", () => { server.close(); finish([res.statusCode, res.statusMessage, res.headers["x-a"], res.headers["content-type"], res.complete, text]); }); }; server.listen(0, () => { const { port } = server.address(); ${ask}; }); server.unref(); })`,
    ),
    `(() => { try { http.request("https://x.y/"); } catch (error) { return [error.name, error.code]; } })()`,
  ],
  path: [
    `["/a/../b", "a//b/./c/", "", "../x/..", "/.."].map(path.normalize)`,
    `[path.join("a", "..", "..", "b"), path.relative("/a/b/c", "/a/d"), path.basename("/x/y.tar.gz", ".gz")]`,
    `["a.b.c", ".bashrc", "x", "x."].map(path.extname)`,
    `[path.parse("/home/u/f.txt"), path.dirname("/a"), path.dirname("a/b/")]`,
  ],
  events: [
    `(() => { const e = new events.EventEmitter(); const log = []; e.once("x", (v) => log.push(["once", v])); e.prependListener("x", (v) => log.push(["first", v])); e.emit("x", 1); e.emit("x", 2); return [log, e.listenerCount("x"), e.eventNames(), e.emit("none")]; })()`,
    `(() => { const e = new events.EventEmitter(); try { e.emit("error", new Error("boom")); } catch (error) { return error.message; } })()`,
    `(() => { const e = new events.EventEmitter(); const log = []; const f = () => log.push("f"); e.on("x", f); e.on("x", () => { e.off("x", f); log.push("g"); }); e.emit("x"); e.emit("x"); return log; })()`,
    `(async () => { const e = new events.EventEmitter(); setTimeout(() => e.emit("go", 7), 1); return events.once(e, "go"); })()`,
  ],
  util: [
    `util.promisify((a, done) => done(null, a + 1))(1)`,
    `util.promisify((done) => done(new Error("no")))().catch((error) => error.message)`,
    `[util.format("%s is %d and %j", "x", 4, { a: 1 }), util.format("a", 1, [2]), util.format("100%%", 1)]`,
    `[util.inspect({ a: [1, "x", null, undefined], m: new Map([[1, { b: 2 }]]) }), util.inspect("it's"), util.inspect(-0)]`,
    `[util.isDeepStrictEqual({ a: [1, new Set([2])] }, { a: [1, new Set([2])] }), util.isDeepStrictEqual([0], [-0])]`,
    `[util.types.isPromise(Promise.resolve()), util.types.isAsyncFunction(async () => {}), util.types.isDate(new Date())]`,
  ],
  assert: [
    `["equal", "deepEqual", "strictEqual", "deepStrictEqual"].map((name) => { try { assert[name]({ a: 1 }, { a: 1 }); return true; } catch (error) { return error.code; } })`,
    `(() => { try { assert.throws(() => { throw new TypeError("bad"); }, { name: "TypeError", message: /ba/ }); return "ok"; } catch (error) { return error.code; } })()`,
    `assert.rejects(Promise.resolve(1)).catch((error) => error.code)`,
    `(() => { try { assert.throws(() => { throw new TypeError("bad"); }, RangeError); } catch (error) { return error.name; } })()`,
  ],
  globals: [
    `structuredClone({ d: new Date(5), m: new Map([[1, new Set([2])]]), a: [, 1], r: /x/gi, b: new Uint8Array([1, 2]) })`,
    `(() => { const o = { x: 1 }; o.self = o; const c = structuredClone(o); return c.self === c && c !== o; })()`,
    `(() => { try { structuredClone(() => {}); } catch (error) { return error.name; } })()`,
    `(() => { const c = new AbortController(); const log = []; c.signal.addEventListener("abort", () => log.push(c.signal.reason.name)); c.abort(); c.abort(); return [log, c.signal.aborted]; })()`,
    `AbortSignal.any([AbortSignal.abort("why"), new AbortController().signal]).reason`,
    `(() => { const t = new EventTarget(); const log = []; const f = (e) => log.push(e.type); t.addEventListener("x", f); t.addEventListener("x", f); t.addEventListener("x", f, { once: true, capture: true }); t.dispatchEvent(new Event("x")); t.dispatchEvent(new Event("x")); return log; })()`,
    `(async () => { const r = Response.json({ a: 1 }, { status: 201, headers: { "X-A": "b" } }); return [r.status, r.ok, r.headers.get("x-a"), r.headers.get("content-type"), await r.json(), r.bodyUsed]; })()`,
    `[...new Headers([["B", "1"], ["a", "2"], ["b", "3"]])]`,
    `crypto.randomUUID().length`,
    `new Promise((resolve) => { const log = []; const timer = setInterval(() => { log.push(1); if (log.length === 3) { clearInterval(timer); resolve(log); } }, 1); })`,
  ],
  stream: [
    `(async () => { const log = []; for await (const x of stream.Readable.from(["a", "b"])) log.push(x); return log; })()`,
    `(async () => { const up = new stream.Transform({ transform(chunk, _e, done) { done(null, String(chunk).toUpperCase()); } }); up.write("a"); up.end("b"); let text = ""; for await (const x of up) text += x; return text; })()`,
    `new Promise((resolve) => { const log = []; const w = new stream.Writable({ highWaterMark: 3, write(chunk, _e, done) { log.push("write " + chunk); setTimeout(done, 1); } }); log.push(w.write("abcd")); w.on("drain", () => { log.push("drain"); w.end("e"); }); w.on("finish", () => log.push("finish")); w.on("close", () => resolve(log)); })`,
    `new Promise((resolve) => { const log = []; const r = new stream.Readable({ read() {} }); r.on("data", (d) => log.push(String(d))); r.on("end", () => log.push("end")); r.on("close", () => resolve(log)); r.push("x"); r.push("y"); r.push(null); })`,
    `stream.promises.pipeline(stream.Readable.from(["a"]), new stream.Writable({ write(_c, _e, done) { done(new Error("full")); } })).catch((error) => error.message)`,
    `new Promise((resolve) => { const p = new stream.PassThrough(); const log = []; p.on("error", (e) => log.push(e.message)); p.on("close", () => resolve(log)); p.destroy(new Error("gone")); p.write("late", (e) => log.push(e.code)); })`,
    `(async () => { const r = new stream.Readable({ read() {} }); r.setEncoding("utf8"); r.push(Buffer.from([0xe2, 0x82])); r.push(Buffer.from([0xac])); r.push(null); const log = []; for await (const x of r) log.push(x); return log; })()`,
    `new Promise((resolve) => { const r = stream.Readable.from(["a", "b", "c"]); const log = []; const w = new stream.Writable({ objectMode: true, highWaterMark: 1, write(c, _e, done) { log.push(c); setImmediate(done); } }); r.pipe(w).on("finish", () => resolve(log)); })`,
    `new Promise((resolve) => { const log = []; const w = new stream.Writable({ signal: AbortSignal.abort(), write() {} }); log.push(w.destroyed); w.on("error", (e) => log.push(e.name)); w.on("close", () => resolve(log)); })`,
  ],
  fs: [
    `(() => { const d = fs.mkdtempSync("/tmp/everypath-test-"); const f = d + "/a/b.txt"; fs.mkdirSync(d + "/a/c", { recursive: true }); fs.writeFileSync(f, "hé"); fs.appendFileSync(f, "llo"); const seen = [fs.readFileSync(f, "utf8"), fs.statSync(f).size, fs.readdirSync(d + "/a"), fs.existsSync(d + "/x"), fs.statSync(d).isDirectory()]; fs.rmSync(d, { recursive: true }); return [...seen, fs.existsSync(d)]; })()`,
    `["readFileSync", "statSync", "unlinkSync", "readdirSync"].map((name) => { try { fs[name]("/no-such-file"); } catch (error) { return [error.code, error.message]; } })`,
    `(() => { const f = fs.mkdtempSync("/tmp/everypath-test-") + "/f"; const fd = fs.openSync(f, "w+"); fs.writeSync(fd, "abcdef"); fs.writeSync(fd, Buffer.from("XY"), 0, 2, 1); const b = Buffer.alloc(4); const n = fs.readSync(fd, b, 0, 4, 0); fs.ftruncateSync(fd, 3); fs.closeSync(fd); try { fs.writeSync(fd, "x"); } catch (error) { return [n, String(b), fs.readFileSync(f, "utf8"), error.code]; } })()`,
    `(async () => { const d = await fs.promises.mkdtemp("/tmp/everypath-test-"); const h = await fs.promises.open(d + "/x", "wx"); await h.writeFile("one"); await h.sync(); await h.close(); await fs.promises.rename(d + "/x", d + "/y"); const again = await fs.promises.open(d + "/y", "wx").catch((error) => error.code); return [await fs.promises.readFile(d + "/y", "utf8"), again, await fs.promises.readdir(d)]; })()`,
    `new Promise((resolve) => { const f = fs.mkdtempSync("/tmp/everypath-test-") + "/s"; fs.createWriteStream(f).end("streamed", () => fs.createReadStream(f, { encoding: "utf8", start: 2, end: 5 }).on("data", resolve)); })`,
  ],
  net: [
    `new Promise((resolve) => { const log = []; const server = net.createServer((s) => { s.on("data", (d) => s.write("echo " + d)); s.on("end", () => s.end()); }); server.listen(0, "127.0.0.1", () => { const c = net.connect(server.address().port, "127.0.0.1"); c.on("connect", () => log.push("connect")); c.on("data", (d) => { log.push(String(d)); c.end(); }); c.on("end", () => log.push("end")); c.on("close", (bad) => { log.push(bad); server.close(() => resolve(log)); }); c.write("hi"); }); })`,
    `[net.isIP("1.2.3.4"), net.isIP("::1"), net.isIP("x"), net.isIPv4("256.1.1.1")]`,
  ],
  dgram: [
    `new Promise((resolve) => { const s = dgram.createSocket("udp4"); s.on("message", (m) => { s.close(); resolve(String(m)); }); s.bind(0, "127.0.0.1", () => s.send(Buffer.from("xhellox"), 1, 5, s.address().port, "127.0.0.1")); })`,
  ],
  diagnostics_channel: [
    `(() => { const log = []; const c = diagnostics_channel.channel("x"); const f = (m, n) => log.push([m, n]); c.subscribe(f); c.publish(1); c.unsubscribe(f); c.publish(2); return [log, c.hasSubscribers, diagnostics_channel.hasSubscribers("x")]; })()`,
  ],
  "timers/promises": [
    `(async () => { const log = []; for await (const x of timers_promises.setInterval(1, "i")) { log.push(x); if (log.length === 2) break; } return log; })()`,
    `timers_promises.setTimeout(1, "v", { signal: AbortSignal.abort() }).catch((error) => [error.name, error.code])`,
  ],
  async_hooks: [
    `(async () => { const s = new async_hooks.AsyncLocalStorage(); const get = async () => { await null; await new Promise((r) => setTimeout(r, 1)); return s.getStore(); }; return [...(await Promise.all([s.run(1, get), s.run(2, get), get()])), s.exit(() => s.getStore() ?? "none")]; })()`,
    `new Promise((resolve) => { const s = new async_hooks.AsyncLocalStorage(); s.run("x", () => { process.nextTick(() => queueMicrotask(() => setImmediate(() => resolve(s.getStore())))); }); })`,
  ],
};

/** Order of promise jobs. */
const orders = [
  `const log = []; const p = (n) => () => log.push(n);
   (async () => { await null; log.push("await null"); })();
   (async () => Promise.resolve())().then(p("returned promise"));
   Promise.resolve().then(p(1)).then(p(2)).then(p(3)).then(p(4)).then(p(5));
   ({ then: (f) => f() }); Promise.resolve({ then: (f) => { log.push("thenable"); f(); } }).then(p("after thenable"));
   queueMicrotask(p("microtask")); process.nextTick(p("tick"));
   (async () => { for await (const x of (async function* () { yield 1; yield Promise.resolve(2); })()) log.push("for await " + x); })();
   await new Promise((r) => setTimeout(r, 5)); return log;`,
  `const log = []; const f = async (n) => { try { await g(n); log.push("ok " + n); } catch (e) { log.push(e + n); } finally { await 0; log.push("finally " + n); } };
   const g = async (n) => { await undefined; if (n % 2) throw "odd "; return new Promise((r) => process.nextTick(() => { log.push("tick " + n); r(); })); };
   await Promise.all([1, 2, 3].map(f)); return log;`,
];

describe("as in Node", () => {
  for (const [module, texts] of Object.entries(cases))
    for (const text of texts)
      test(`${module}: ${text.slice(0, 90)}`, async () => {
        expect(await insideRealm(module, `return ${text}`)).toEqual(await inNode(module, `return ${text}`));
      });
  for (const [i, text] of orders.entries())
    for (const module of ["globals", "async_hooks"])
      test(`promise jobs ${i + 1}, with ${module}`, async () => {
        expect(await insideRealm(module, text)).toEqual(await inNode("globals", text));
      });
});

const importOf = (module: string): string =>
  module === "globals"
    ? ""
    : `import * as ns from "node:${module}"; const ${nameOf(module)} = ${module === "assert" ? "ns.default" : "ns"};`;
const nameOf = (module: string): string => module.replaceAll("/", "_").replace(/^buffer$|^url$/, "unused");

async function insideRealm(module: string, body: string): Promise<unknown> {
  const entry = `${importOf(module)} (async () => { ${body} })().then((v) => console.log(JSON.stringify(v)), (e) => console.log("threw " + e));`;
  const { script, diagnostics } = await bundle({ entry, directory: import.meta.dirname });
  expect(diagnostics).toEqual([]);
  const { output, failure } = collectingRejections(() => {
    const realm = new Realm({
      base: new Script(worldSource()),
      world: { ...defaultWorldOptions, maxTurns: 100 },
    });
    realm.run(new Script(script!));
    realm.settle();
    while (realm.turn() === Turn.again);
    return realm.report();
  });
  expect(failure).toBeUndefined();
  return output.at(-1)?.text;
}

async function inNode(module: string, body: string): Promise<unknown> {
  const ns = module === "globals" ? {} : ((await import(`node:${module}`)) as Record<string, unknown>);
  const make = Object.getPrototypeOf(async () => {}).constructor as new (
    ...args: string[]
  ) => (ns: unknown) => unknown;
  const run = new make(nameOf(module), body);
  try {
    return JSON.stringify(await run(module === "assert" ? ns["default"] : ns));
  } catch (error) {
    return `threw ${String(error)}`;
  }
}
