/** Where data goes by calls, and which names stand for what. Few and quick: `npm run mutate` runs them for each mutant of these conditions. */
import { describe, expect, test } from "vitest";
import { answerOf, answerOfWorker, click, reportOn, visit } from "./extensions.js";

const kept = visit("if (tab.incognito) return; chrome.storage.local.set({ last: tab.url });");
const injected = (given: string): string =>
  `${kept} chrome.action.onClicked.addListener((tab) => { chrome.scripting.executeScript({ ${given}, func: () => 1 }); });`;

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
  ] as const)
    test(name, async () => expect(await answerOfWorker(script)).toBe(expected));

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
    // Taken for more than it is.
    ["a variable", listed("let"), "violated"],
  ] as const)
    test(name, async () => expect(await answerOfWorker(script)).toBe(expected));
});
