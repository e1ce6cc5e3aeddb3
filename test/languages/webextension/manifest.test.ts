/**
 * Parts of an extension, and requests of its manifest and pages that are not analysed. Few and fast: `npm run mutate`
 * runs them for each mutant of these conditions.
 */
import { describe, expect, test } from "vitest";
import { answerOf, answerOfWorker, click, EXPECTED, reportOf, reportOn, visit } from "./extensions.js";

const FIXTURES = {
  leaking: ["script-type", "inline-script", "remote-frame-told", "popup-local", "linked-page", "opened-page"],
  refused: [
    "page-other-ending",
    "web-accessible-glob",
    "search-provider",
    "protocol-handler",
    "static-redirect",
    "selector-sheet-file",
    "srcdoc",
  ],
  harmless: ["static-rules", "ad-hider"],
} as const;
for (const kind of ["leaking", "refused", "harmless"] as const)
  describe(kind, () => {
    for (const name of FIXTURES[kind])
      test(name, async () => expect(answerOf(await reportOf(`${kind}/${name}.txt`))).toBe(EXPECTED[kind]));
  });

const leak = visit("chrome.storage.local.set({ last: tab.url });");
const sheet = "input[value^=a] { background: url(https://t.example/a) }";
const redirect = '[{"action": {"redirect": {"regexSubstitution": "https://t.example/"}}}]';

describe("what a manifest names", () => {
  for (const [name, keys, files, expected] of [
    ["no popup", { action: { default_popup: "" } }, {}, "holds"],
    ["a popup", { action: { default_popup: "open.html" } }, {}, "holds"],
    [
      "a popup that is not there",
      { action: { default_popup: "none.html" } },
      {},
      "webextension/missing-file",
    ],
    ["a page elsewhere", { chrome_url_overrides: { newtab: "https://start.example/" } }, {}, "holds"],
    ["a picture that is no page", { description: "popup.svg" }, {}, "holds"],
    ["a file for pages", { web_accessible_resources: [{ resources: ["fonts/LICENSE"] }] }, {}, "holds"],
    ["pictures for pages", { web_accessible_resources: [{ resources: ["icons/*.png"] }] }, {}, "holds"],
    ["hosts", { host_permissions: ["*://*/*"] }, {}, "holds"],
    ["a page for links", { protocol_handlers: [{ uriTemplate: "/open.html#%s" }] }, {}, "holds"],
    ["an address of the author", { homepage_url: "https://t.example/" }, {}, "holds"],
    [
      "rules that pages can read",
      { web_accessible_resources: [{ resources: ["rules.json"] }] },
      { "rules.json": redirect },
      "holds",
    ],
    [
      "a style sheet that pages can read",
      { web_accessible_resources: [{ resources: ["x.css"] }] },
      { "x.css": sheet },
      "holds",
    ],
    ["a script", { user_scripts: { api_script: "x.js" } }, { "x.js": leak }, "violated"],
  ] as const)
    test(name, async () => {
      const manifest = { manifest_version: 3, background: { service_worker: "bg.js" }, ...keys };
      const all = { "bg.js": "console.log(1);", "open.html": "<p>opened</p>", ...files };
      expect(answerOf(await reportOn({ "manifest.json": JSON.stringify(manifest), ...all }))).toBe(expected);
    });
});

describe("which windows share a background page", () => {
  const script = `let last; ${visit("last = tab.url;")} ${click("chrome.storage.local.set({ last });")}`;
  for (const [name, keys, expected] of [
    ["all", {}, "violated"],
    ["one each", { incognito: "split" }, "holds"],
    ["all, for Firefox", { browser_specific_settings: { gecko: {} } }, "violated"],
    ["all in Firefox", { incognito: "split", browser_specific_settings: { gecko: {} } }, "violated"],
  ] as const)
    test(name, async () => {
      const manifest = { manifest_version: 3, background: { service_worker: "bg.js" }, ...keys };
      const report = await reportOn({ "manifest.json": JSON.stringify(manifest), "bg.js": script });
      expect(answerOf(report)).toBe(expected);
    });
});

describe("what a page loads", () => {
  const popup = (html: string, files: Record<string, string>, page = "sub/p.html"): Promise<string> =>
    reportOn({
      "manifest.json": JSON.stringify({ manifest_version: 3, action: { default_popup: page } }),
      [page]: `${html}<script src="/own.js"></script>`,
      "own.js": "console.log(1);",
      ...files,
    }).then(answerOf);
  for (const [name, html, files, expected] of [
    ["beside it", '<script src="x.js"></script>', { "sub/x.js": leak }, "violated"],
    ["from the top", '<script src="/x.js"></script>', { "x.js": leak }, "violated"],
    ["from a folder", '<base href="lib/"><script src="x.js"></script>', { "sub/lib/x.js": leak }, "violated"],
    [
      "from a folder at the top",
      '<base href="/lib/"><script src="x.js"></script>',
      { "lib/x.js": leak },
      "violated",
    ],
    [
      "from the top all the same",
      '<base href="/lib/"><script src="/x.js"></script>',
      { "x.js": leak },
      "violated",
    ],
    ["data", '<script type="application/json">{"a": 1}</script>', {}, "holds"],
    ["plain text in a frame", '<iframe srcdoc="hello"></iframe>', {}, "holds"],
    ["nothing, by a link", '<a href="gone.html">gone</a>', {}, "holds"],
    [
      "a picture from elsewhere, and a frame of its own",
      '<img src="https://t.example/logo.png"><iframe id="frame" src="/frame.html"></iframe><script src="x.js"></script>',
      {
        "frame.html": "<p>frame</p>",
        "sub/x.js":
          'chrome.tabs.query({ active: true, currentWindow: true }).then(([tab]) => { document.getElementById("frame").contentWindow.postMessage(tab.url, "*"); });',
      },
      "holds",
    ],
  ] as const)
    test(name, async () => expect(await popup(html, files)).toBe(expected));
});

describe("what a script loads or names", () => {
  for (const [name, script, files, expected] of [
    ["a package", 'import "tracker";', {}, "violated"],
    ["a file", 'import "./x.js";', { "x.js": leak }, "violated"],
    ["a package late", 'import("tracker");', {}, "violated"],
    ["a file late", 'import("./x.js");', { "x.js": leak }, "violated"],
    ["a file of a worker", 'importScripts("x.js");', { "x.js": leak }, "violated"],
    ["a file from elsewhere", 'importScripts("https://t.example/x.js");', {}, "violated"],
    ["a file that is not there", 'import "./gone.js";', {}, "webextension/missing-file"],
    ["a file that is not there, late", 'import("./gone.js");', {}, "webextension/missing-file"],
    ["a file of a worker that is not there", 'importScripts("gone.js");', {}, "webextension/missing-file"],
    ["a text that is no page", 'console.log("x.txt");', { "x.txt": `<script>${leak}</script>` }, "holds"],
    ["a page that is not there", 'console.log("gone.html");', {}, "holds"],
    ["a style sheet", 'console.log("x.css");', { "x.css": sheet }, "webextension/unread"],
    [
      "tabs of all windows",
      visit("if (tab.incognito) return; chrome.storage.local.set({ open: await chrome.tabs.query({}) });"),
      {},
      "violated",
    ],
  ] as const)
    test(name, async () => expect(await answerOfWorker(script, files)).toBe(expected));
});

describe("requests that are sent in a safer way", () => {
  const redirected = (to: string, event = "onBeforeRequest", before = ""): string =>
    `let last = ""; const config = { details: 1 }; browser.tabs.onUpdated.addListener((id, change, tab) => { last = tab.url; });
    browser.webRequest.${event}.addListener((details) => { ${before} return { redirectUrl: ${to} }; }, { urls: ["<all_urls>"] }, ["blocking"]);`;
  const safer = 'details.url.replace("http:", "https:")';
  for (const [name, script, expected] of [
    ["the request itself", redirected(safer), "holds"],
    ["another part of its address", redirected('details.url.replace("x", "https:")'), "violated"],
    ["to another host", redirected('details.url.replace("http:", "https://t.example/?")'), "violated"],
    ["another address", redirected('last.replace("http:", "https:")'), "violated"],
    ["at another event", redirected(safer, "onHeadersReceived"), "violated"],
    ["when its address was changed", redirected(safer, "onBeforeRequest", "details.url = last;"), "violated"],
    // Over-approximated.
    ["beside something of that name", redirected(safer, "onBeforeRequest", "config.details;"), "violated"],
  ] as const)
    test(name, async () => expect(await answerOfWorker(script)).toBe(expected));
});
