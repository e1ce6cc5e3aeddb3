/**
 * Ways around the extraction: each of these leaks data of a private window to storage or to the network, and none may
 * hold. Untracked names, values and code are over-approximated.
 */
import { describe, expect, test } from "vitest";
import { check, overallVerdict } from "../../../src/index.js";

type Case = readonly [script: string, manifest?: object, files?: Record<string, string>];

const visit = (body: string, more = ""): string =>
  `browser.tabs.onUpdated.addListener(async (id, change, tab) => {\n${body}\n});\n${more}`;
const later = (body: string): string =>
  `browser.alarms.onAlarm.addListener(async () => { if ((await browser.windows.getLastFocused()).incognito) return; ${body} });`;

const leaks: readonly (readonly [string, Case])[] = [
  ["alias api outer", [`const s = browser.storage.local;\n` + visit("s.set({ u: tab.url });")]],
  ["bracket", [visit("browser.storage['local'].set({ u: tab.url });")]],
  ["dynamic", [visit("const area = 'local'; browser.storage[area].set({ u: tab.url });")]],
  ["dynamic m", [visit("const m = 'set'; browser.storage.local[m]({ u: tab.url });")]],
  ["call", [visit("browser.storage.local.set.call(browser.storage.local, { u: tab.url });")]],
  ["apply", [visit("browser.storage.local.set.apply(browser.storage.local, [{ u: tab.url }]);")]],
  ["reflect", [visit("Reflect.apply(browser.storage.local.set, browser.storage.local, [{ u: tab.url }]);")]],
  ["promise pass api", [visit("Promise.resolve({ u: tab.url }).then(browser.storage.local.set);")]],
  ["foreach api", [visit("[{ u: tab.url }].forEach(browser.storage.local.set);")]],
  [
    "new promise",
    [visit("await new Promise((resolve) => { browser.storage.local.set({ u: tab.url }, resolve); });")],
  ],
  [
    "class ctor",
    [`class Store { constructor(u) { browser.storage.local.set({ u }); } }\n` + visit("new Store(tab.url);")],
  ],
  [
    "class field arrow",
    [
      `class Store { save = (u) => { browser.storage.local.set({ u }); } }\nconst store = new Store();\n` +
        visit("store.save(tab.url);"),
    ],
  ],
  [
    "class setter",
    [
      `class Store { set url(u) { browser.storage.local.set({ u }); } }\nconst s = new Store();\n` +
        visit("s.url = tab.url;"),
    ],
  ],
  [
    "class getter",
    [
      `class Store { get url() { browser.storage.local.set({ u: this.t.url }); return 1; } }\nconst s = new Store();\n` +
        visit("s.t = tab; s.url;"),
    ],
  ],
  [
    "obj method str",
    [
      `const s = { "save": function (u) { browser.storage.local.set({ u }); } };\n` +
        visit("s['save'](tab.url);"),
    ],
  ],
  [
    "map of fns",
    [
      `const handlers = new Map([["a", (u) => browser.storage.local.set({ u })]]);\n` +
        visit("handlers.get('a')(tab.url);"),
    ],
  ],
  [
    "returned fn",
    [`const saver = () => (u) => browser.storage.local.set({ u });\n` + visit("saver()(tab.url);")],
  ],
  [
    "fn reassigned",
    [`let save = () => {};\nsave = (u) => browser.storage.local.set({ u });\n` + visit("save(tab.url);")],
  ],
  [
    "fn prop assigned",
    [`const api = {};\napi.save = (u) => browser.storage.local.set({ u });\n` + visit("api.save(tab.url);")],
  ],
  [
    "proto",
    [
      `function Store() {}\nStore.prototype.save = function (u) { browser.storage.local.set({ u }); };\nconst s = new Store();\n` +
        visit("s.save(tab.url);"),
    ],
  ],
  ["tagged", [`const tag = (s, u) => browser.storage.local.set({ u });\n` + visit("tag`x${tab.url}`;")]],
  ["computed key", [visit("browser.storage.local.set({ [tab.url]: 1 });")]],
  ["implicit flow", [visit("if (tab.url.includes('x')) browser.storage.local.set({ seen: true });")]],
  ["this arg", [visit("browser.storage.local.set(this);")]],
  ["eval", [visit("eval('browser.storage.local.set({u: tab.url})');")]],
  ["newfunction", [visit("new Function('u', 'browser.storage.local.set({u})')(tab.url);")]],
  ["settimeout string", [visit("setTimeout('browser.storage.local.set({u: last})', 1);")]],
  [
    "execute script",
    [
      visit(
        "browser.scripting.executeScript({ target: { tabId: id }, func: () => localStorage.setItem('u', location.href) });",
      ),
    ],
  ],
  ["ls alias", [`const ls = window.localStorage;\n` + visit("ls.setItem('u', tab.url);")]],
  ["idb cursor", [visit("cursor.update(tab.url);", "let cursor;")]],
  ["img", [visit("new Image().src = 'https://x?u=' + tab.url;")]],
  ["img2", [visit("const i = document.createElement('img'); i.src = 'https://x?u=' + tab.url;")]],
  ["ws other", [`const conn = new WebSocket('wss://x');` + visit("conn.send(tab.url);")]],
  ["ws url", [visit("new WebSocket('wss://x?u=' + tab.url);")]],
  ["eventsource", [visit("new EventSource('https://x?u=' + tab.url);")]],
  ["location", [visit("location.href = 'https://x?u=' + tab.url;")]],
  ["location assign", [visit("location.assign('https://x?u=' + tab.url);")]],
  ["tabs create", [visit("browser.tabs.create({ url: 'https://x?u=' + tab.url });")]],
  ["implicit global", [visit("kept = tab.url;") + later("browser.storage.local.set({ kept });")]],
  [
    "window prop",
    [visit("window.kept = tab.url;") + later("browser.storage.local.set({ k: window.kept });")],
  ],
  [
    "globalthis prop",
    [visit("globalThis.kept = tab.url;") + later("browser.storage.local.set({ k: globalThis.kept });")],
  ],
  ["global via name", [visit("window.kept = tab.url;") + later("browser.storage.local.set({ k: kept });")]],
  [
    "destruct assign",
    [`let kept;\n` + visit("({ url: kept } = tab);") + later("browser.storage.local.set({ kept });")],
  ],
  [
    "destruct assign arr",
    [`let kept;\n` + visit("[kept] = [tab.url];") + later("browser.storage.local.set({ kept });")],
  ],
  [
    "assign api",
    [
      `const state = {};\n` +
        visit("Object.assign(state, { u: tab.url });") +
        later("browser.storage.local.set({ state });"),
    ],
  ],
  [
    "define prop",
    [
      `const state = {};\n` +
        visit("Object.defineProperty(state, 'u', { value: tab.url });") +
        later("browser.storage.local.set({ state });"),
    ],
  ],
  [
    "reflect set",
    [
      `const state = {};\n` +
        visit("Reflect.set(state, 'u', tab.url);") +
        later("browser.storage.local.set({ state });"),
    ],
  ],
  ["counter", [`let n = 0;\n` + visit("n++;") + later("browser.storage.local.set({ n });")]],
  ["counter2", [`let n = 0;\n` + visit("n += 1;") + later("browser.storage.local.set({ n });")]],
  ["counter prop", [`const c = {};\n` + visit("c[tab.url]++;") + later("browser.storage.local.set({ c });")]],
  [
    "delete key",
    [`const c = {};\n` + visit("delete c[tab.url];") + later("browser.storage.local.set({ c });")],
  ],
  [
    "flag true",
    [
      `let seen = false;\n` +
        visit("if (tab.url.includes('x')) seen = true;") +
        later("browser.storage.local.set({ seen });"),
    ],
  ],
  [
    "other incognito obj",
    [
      `const settings = { incognito: false };\n` +
        visit("if (settings.incognito) return; browser.storage.local.set({ u: tab.url });"),
    ],
  ],
  [
    "own var incognito",
    [visit("const incognito = false; if (incognito) return; browser.storage.local.set({ u: tab.url });")],
  ],
  [
    "param incognito",
    [
      visit(
        "keep(tab.url, false);",
        "function keep(u, incognito) { if (incognito) return; browser.storage.local.set({ u }); }",
      ),
    ],
  ],
  [
    "flag reset",
    [
      `let hidden = false;\nbrowser.windows.onFocusChanged.addListener(async (w) => { hidden = (await browser.windows.get(w)).incognito; });\n` +
        visit("hidden = false; if (hidden) return; browser.storage.local.set({ u: tab.url });"),
    ],
  ],
  [
    "flag inverted",
    [
      `let isNormal = true;\nisNormal = !browser.extension.inIncognitoContext;\n` +
        visit("if (isNormal) return; browser.storage.local.set({ u: tab.url });"),
    ],
  ],
  [
    "flag inverted2",
    [
      visit(
        "const isNormal = !tab.incognito; if (isNormal) return; browser.storage.local.set({ u: tab.url });",
      ),
    ],
  ],
  [
    "flag shadow",
    [
      visit(
        "const hidden = tab.incognito; { const hidden = false; if (hidden) return; browser.storage.local.set({ u: tab.url }); }",
      ),
    ],
  ],
  [
    "flag param same name",
    [
      visit(
        "const hidden = tab.incognito; other(tab, false);",
        "function other(t, hidden) { if (hidden) return; browser.storage.local.set({ u: t.url }); }",
      ),
    ],
  ],
  [
    "listener method",
    [
      `class H { on(id, c, tab) { browser.storage.local.set({ u: tab.url }); } }\nconst h = new H();\nbrowser.tabs.onUpdated.addListener(h.on.bind(h));`,
    ],
  ],
  [
    "msg response2",
    [
      "setTimeout(async () => { if (browser.extension.inIncognitoContext) return; const r = await browser.tabs.sendMessage(1, {q: Date.now()}); browser.storage.local.set({ r }); });",
      { content_scripts: [{ js: ["c.js"] }] },
      { "c.js": "browser.runtime.onMessage.addListener(async (m) => location.href);" },
    ],
  ],
  [
    "msg const request resp",
    [
      "setTimeout(async () => { if (browser.extension.inIncognitoContext) return; const r = await browser.tabs.sendMessage(1, 'give'); browser.storage.local.set({ r }); });",
      { content_scripts: [{ js: ["c.js"] }] },
      {
        "c.js":
          "browser.runtime.onMessage.addListener((m, s, sendResponse) => { sendResponse(location.href); });",
      },
    ],
  ],
  [
    "port inline",
    [
      "browser.runtime.onConnect.addListener((l) => { l.onMessage.addListener((m) => browser.storage.local.set({ m })); });",
      { content_scripts: [{ js: ["c.js"] }] },
      { "c.js": "document.onclick = (e) => browser.runtime.connect().postMessage(e.target.href);" },
    ],
  ],
  [
    "messagechannel",
    [
      `const { port1, port2 } = new MessageChannel();\nport1.onmessage = (e) => browser.storage.local.set({ u: e.data });\n` +
        visit("port2.postMessage(tab.url);"),
    ],
  ],
  [
    "worker",
    [
      `const w = new Worker('w.js');\n` + visit("w.postMessage(tab.url);"),
      {},
      { "w.js": "onmessage = (e) => fetch('https://x', { body: e.data });" },
    ],
  ],
  [
    "customevent",
    [
      `document.addEventListener('seen', (e) => { if (browser.extension.inIncognitoContext) return; browser.storage.local.set({ u: e.detail }); });\n` +
        visit("document.dispatchEvent(new CustomEvent('seen', { detail: tab.url }));"),
    ],
  ],
  [
    "storage onchanged",
    [
      visit("browser.storage.session.set({ u: tab.url });") +
        "browser.storage.onChanged.addListener((c) => { if (browser.extension.inIncognitoContext) return; fetch('https://x', { body: JSON.stringify(c) }); });",
    ],
  ],
  [
    "emitter alias",
    [
      `const bus = new EventEmitter();\nbus.on('a', (u) => { if (browser.extension.inIncognitoContext) return; browser.storage.local.set({ u }); });\n` +
        visit("const e = 'a'; bus.emit(e, tab.url);"),
    ],
  ],
  [
    "emitter addlistener",
    [
      `const bus = new EventEmitter();\nbus.addListener('a', (u) => { if (browser.extension.inIncognitoContext) return; browser.storage.local.set({ u }); });\n` +
        visit("bus.emit('a', tab.url);"),
    ],
  ],
  [
    "emitter dyn listen",
    [
      `const bus = new EventEmitter();\nconst t = 'a';\nbus.on(t, (u) => { if (browser.extension.inIncognitoContext) return; browser.storage.local.set({ u }); });\n` +
        visit("bus.emit('a', tab.url);"),
    ],
  ],
  [
    "rx next",
    [
      `const s = new Subject();\ns.subscribe((u) => { if (browser.extension.inIncognitoContext) return; browser.storage.local.set({ u }); });\n` +
        visit("s.next(tab.url);"),
    ],
  ],
  ["cb in array", [visit("Promise.all([() => browser.storage.local.set({ u: tab.url })].map((f) => f()));")]],
  [
    "default param effect",
    [visit("go();", "function go(x = browser.storage.local.set({ u: location.href })) {}")],
  ],
  ["destr default", [visit("const { a = browser.storage.local.set({ u: tab.url }) } = {};")]],
  [
    "class prop init",
    [`class A { x = browser.storage.local.set({ u: location.href }); }\n` + visit("new A();")],
  ],
  [
    "super call",
    [
      `class A { constructor(u) { browser.storage.local.set({ u }); } }\nclass B extends A { constructor(u) { super(u); } }\n` +
        visit("new B(tab.url);"),
    ],
  ],
  [
    "inherited ctor",
    [
      `class A { constructor(u) { browser.storage.local.set({ u }); } }\nclass B extends A {}\n` +
        visit("new B(tab.url);"),
    ],
  ],
  ["fn ctor", [`function A(u) { browser.storage.local.set({ u }); }\n` + visit("new A(tab.url);")]],
  ["in switch case", [visit("switch (1) { case browser.storage.local.set({ u: tab.url }): }")]],
  ["in elem", [visit("x[browser.storage.local.set({ u: tab.url })] = 1;")]],
  ["unknown global ctor", [visit("new Tracker(tab.url);")]],
  ["unknown tagged", [visit("track`${tab.url}`;")]],
  [
    "page script",
    [
      visit(
        "const s = document.createElement('script'); s.textContent = 'leak(' + tab.url + ')'; document.head.append(s);",
      ),
    ],
  ],
  ["innerhtml", [visit("document.body.innerHTML = '<img src=https://x?' + tab.url + '>';")]],
  ["native", [visit("browser.runtime.sendNativeMessage('x', { u: tab.url });")]],
  ["connect native", [`const n = browser.runtime.connectNative('x');\n` + visit("n.postMessage(tab.url);")]],
  ["clipboard", [visit("navigator.clipboard.writeText(tab.url);")]],
  ["const on private", [visit("if (tab.incognito) browser.storage.local.set({ wasPrivate: true });")]],
];

describe("is a leak, however it is written", () => {
  for (const [name, [script, manifest = {}, files = {}]] of leaks)
    test(name, async () => {
      const text = JSON.stringify({ name: "toy", background: { scripts: ["bg.js"] }, ...manifest });
      const all: Record<string, string> = { "bg.js": script, ...files };
      const input = { file: "manifest.json", text, readFile: (path: string) => all[path] };
      // One violation suffices: the other property may hold.
      const verdicts: string[] = [];
      for (const property of ["nothing_private_is_stored", "nothing_private_is_sent"])
        if (!verdicts.includes("violated"))
          verdicts.push(overallVerdict(await check(input, { properties: [property] })));
      expect(verdicts.at(-1)).toBe("violated");
    });
});

describe("is still safe", () => {
  const safe = async (script: string): Promise<string> => {
    const text = JSON.stringify({ name: "toy", background: { scripts: ["bg.js"] } });
    return overallVerdict(
      await check({
        file: "manifest.json",
        text,
        readFile: (path) => (path === "bg.js" ? script : undefined),
      }),
    );
  };
  for (const [name, script] of [
    [
      "a guarded helper by another name of the storage",
      `const { local } = browser.storage;\nconst keep = (u) => local.set({ u });\n${visit("if (tab.incognito) return; keep(tab.url);")}`,
    ],
    [
      "the usual name for both browsers",
      `const api = globalThis.browser ?? chrome;\n${visit("if (tab.incognito) return; await api.storage.local.set({ u: tab.url });")}`,
    ],
    [
      "an inverted flag",
      visit("const isNormal = !tab.incognito; if (isNormal) browser.storage.local.set({ u: tab.url });"),
    ],
    [
      "reading and showing",
      visit("const { n } = await browser.storage.local.get('n'); console.log(n, tab.url);"),
    ],
    [
      "a class that is asked first",
      `class Log { async add(u) { await browser.storage.local.set({ u }); } }\nconst log = new Log();\n${visit("if (!tab.incognito) await log.add(tab.url);")}`,
    ],
  ] as const)
    test(name, async () => expect(await safe(script)).toBe("holds"));

  test("notes tests that are assumed to describe this window", async () => {
    const script =
      "browser.commands.onCommand.addListener(async () => { const [first] = await browser.tabs.query({}); if (first.incognito) return; browser.storage.local.set({ u: first.url }); });";
    const text = JSON.stringify({ background: { scripts: ["bg.js"] } });
    const report = await check({ file: "manifest.json", text, readFile: () => script });
    expect(report.diagnostics.map(({ message }) => message)).toEqual([
      "`first.incognito` is assumed to describe the window that the data comes from",
    ]);
  });
});
