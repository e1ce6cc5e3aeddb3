/**
 * Tests for private windows count only if they read a tab or window of the browser, about the handler's window, before
 * any effect. Few and fast: `npm run mutate` runs them for each mutant of these conditions.
 */
import { describe, expect, test } from "vitest";
import { answerOf, answerOfWorker, click, EXPECTED, keep, reportOf, reportOn, visit } from "./extensions.js";

const FIXTURES = {
  leaking: [
    "promise-has-no-incognito",
    "reassigned-by-pattern",
    "renamed-browser",
    "flag-by-event",
    "flag-counted-down",
    "callback-too-late",
    "var-before-it-is-set",
    "flag-of-focus",
    "promise-is-true",
    "generator-guard",
    "popup-has-no-tab",
    "other-lookup",
    "focus-inline",
    "focus-inline-port",
    "numbered-tabs",
    "picture-of-the-front",
    "front-of-another-event",
    "filter-that-keeps",
    "list-without-incognito",
    "filter-by-wrong-name",
    "all-tabs",
  ],
  harmless: ["var-set-first", "set-then-asked", "filtered-tabs", "front-guarded", "tab-counter"],
} as const;
for (const kind of ["leaking", "harmless"] as const)
  describe(kind, () => {
    for (const name of FIXTURES[kind])
      test(name, async () => expect(answerOf(await reportOf(`${kind}/${name}.txt`))).toBe(EXPECTED[kind]));
  });

const guarded = (body: string): string => visit(`${body} if (tab.incognito) return; ${keep}`);
const beside = (change: string): string =>
  `${guarded("")} chrome.tabs.onCreated.addListener((made) => { if (made.incognito) return; ${change} });`;
const asked = (it: string): string => visit(`if (${it}) return; ${keep}`);
const requests = (from: string): string =>
  `${from}.webRequest.onCompleted.addListener((details) => { if (details.incognito) return; ${from}.storage.local.set({ last: details.url }); });`;
const list =
  "const open = (await chrome.tabs.query({})).filter((each) => !each.incognito); chrome.storage.local.set({ open: open.map((each) => each.url) });";

describe("what is a tab of the browser's", () => {
  for (const [name, script, expected] of [
    ["the one that is brought", guarded(""), "holds"],
    ["what changed", asked("change.incognito"), "violated"],
    ["one that is asked for by its number", asked("(await chrome.tabs.get(id)).incognito"), "holds"],
    ["a list of them", `chrome.action.onClicked.addListener(async () => { ${list} });`, "holds"],
    [
      "a list of them, one of which loses its answer",
      `${visit("delete tab.incognito;")} chrome.action.onClicked.addListener(async () => { ${list} });`,
      "violated",
    ],
    ["one that loses its answer", guarded("delete tab.incognito;"), "violated"],
    [
      "one beside something else that is deleted",
      `const seen = {}; ${visit(`if (tab.incognito) return; delete seen[tab.url]; ${keep}`)}`,
      "holds",
    ],
    ["one that is given another answer", guarded("Object.assign(tab, { incognito: false });"), "violated"],
    [
      "one beside one that is given another answer",
      beside("Object.assign(made, { incognito: false });"),
      "violated",
    ],
    [
      "one beside one that a loop gives another answer",
      beside("for (made.incognito of [false]);"),
      "violated",
    ],
    ["one beside one that loses its answer", beside("delete made.incognito;"), "violated"],
    ["one that is only looked at", guarded("Object.keys(tab);"), "holds"],
    [
      "one beside an object that is changed",
      visit(`if (tab.incognito) return; Object.assign({}, change); ${keep}`),
      "holds",
    ],
    ["one that a loop gives another answer", guarded("for (tab.incognito of [false]);"), "violated"],
    [
      "one beside a loop",
      visit(`if (tab.incognito) return; let each; for (each of [1]) console.log(each); ${keep}`),
      "holds",
    ],
    [
      "a variable that a loop puts something else into",
      visit(`let it = tab; for (it of [{}]); if (it.incognito) return; ${keep}`),
      "violated",
    ],
    ["one that is returned", `const same = (it) => it; ${asked("same(tab).incognito")}`, "holds"],
    ["a promise of one", `const same = async (it) => it; ${asked("same(tab).incognito")}`, "violated"],
    ["a request in Chrome", requests("chrome"), "violated"],
    ["a request in Firefox", requests("browser"), "holds"],
  ] as const)
    test(name, async () => expect(await answerOfWorker(script)).toBe(expected));
});

describe("variables that say it", () => {
  for (const [name, script, expected] of [
    ["bound from a tab", visit(`const { incognito } = tab; if (incognito) return; ${keep}`), "holds"],
    [
      "bound from something else",
      visit(`const { incognito } = change; if (incognito) return; ${keep}`),
      "violated",
    ],
    [
      "bound from a tab that was changed",
      visit(`tab.incognito = false; const { incognito } = tab; if (incognito) return; ${keep}`),
      "violated",
    ],
    [
      "bound from another property of a tab",
      visit(`const { audible: incognito } = tab; if (incognito) return; ${keep}`),
      "violated",
    ],
    [
      "bound from a tab, and a parameter of that name",
      `function save(incognito, url) { if (incognito) return; chrome.storage.local.set({ last: url }); } ${visit(
        "const { incognito } = tab; save(false, tab.url, incognito);",
      )}`,
      "violated",
    ],
    ["in the function", visit(`const hidden = tab.incognito; if (hidden) return; ${keep}`), "holds"],
    [
      "of another property of a tab",
      visit(`const hidden = tab.audible; if (hidden) return; ${keep}`),
      "violated",
    ],
    [
      "declared behind the function that asks",
      visit(`const save = () => { if (hidden) return; ${keep} }; const hidden = tab.incognito; save();`),
      "holds",
    ],
    [
      "set in a branch",
      visit(`let hidden; if (change.url) hidden = tab.incognito; if (hidden) return; ${keep}`),
      "violated",
    ],
    ["set too late", visit(`let hidden; if (hidden) return; ${keep} hidden = tab.incognito;`), "violated"],
    [
      "set too late, in parentheses",
      visit(`let hidden; if (hidden === true) return; ${keep} (hidden) = tab.incognito;`),
      "violated",
    ],
    [
      "set twice",
      visit(
        `let hidden; hidden = tab.incognito; hidden = (await chrome.tabs.get(change.opener)).incognito; if (hidden) return; ${keep}`,
      ),
      "violated",
    ],
    [
      "for all handlers, of the focus",
      `let hidden = false; chrome.windows.onFocusChanged.addListener(async (id) => { hidden = (await chrome.windows.get(id)).incognito; }); ${asked("hidden")}`,
      "holds",
    ],
    [
      "for all handlers, at the start",
      `let hidden = false; chrome.windows.getCurrent((window) => { hidden = window.incognito; }); ${asked("hidden")}`,
      "holds",
    ],
  ] as const)
    test(name, async () => expect(await answerOfWorker(script)).toBe(expected));
});

describe("functions and tabs that are asked", () => {
  const isPrivate = "function isPrivate(it) { return it.incognito; }";
  for (const [name, script, expected] of [
    ["a function", `${isPrivate} ${asked("isPrivate(tab)")}`, "holds"],
    ["an awaited function", `async ${isPrivate} ${asked("await isPrivate(tab)")}`, "holds"],
    ["a function that is not there", asked("there(change)"), "violated"],
    [
      "one of two functions of that name",
      `${isPrivate} const other = { isPrivate(it) { return it.url === ""; } }; ${asked("isPrivate(tab)")}`,
      "violated",
    ],
    [
      "the focus, by a function",
      `const hidden = async () => (await chrome.windows.getLastFocused()).incognito; ${asked("await hidden()")}`,
      "violated",
    ],
    [
      "the focus, inside of a function without parameters",
      `(function () { ${visit(`const front = await chrome.windows.getLastFocused(); if (front.incognito) return; ${keep}`)} })();`,
      "violated",
    ],
    [
      "the tab by a number that is that of the event",
      visit(`const number = id; const it = await chrome.tabs.get(number); if (it.incognito) return; ${keep}`),
      "holds",
    ],
    [
      "the tab, where a normal window stores what a private one has left",
      `let last; ${visit("last = tab.url;")} ${click("chrome.storage.local.set({ last });")}`,
      "violated",
    ],
    [
      "the tab, beside a constant of a function",
      `const number = Number("1"); ${asked("tab.incognito")}`,
      "holds",
    ],
    ["a tab of no number", visit("chrome.tabs.get();"), "holds"],
  ] as const)
    test(name, async () => expect(await answerOfWorker(script)).toBe(expected));
});

describe("what is asked for of other windows", () => {
  const first = "const [tab] = await chrome.tabs.query({ active: true });";
  for (const [name, script, expected] of [
    [
      "a picture of the window in front, for its user",
      click("const picture = await chrome.tabs.captureVisibleTab(); chrome.storage.local.set({ picture });"),
      "holds",
    ],
    [
      "a picture of the window of the tab",
      visit(
        "if (tab.incognito) return; const picture = await chrome.tabs.captureVisibleTab(tab.windowId); chrome.storage.local.set({ picture });",
      ),
      "holds",
    ],
    [
      "tabs of the window of the tab",
      visit(
        "if (tab.incognito) return; const all = await chrome.tabs.query({ windowId: tab.windowId }); chrome.storage.local.set({ open: all.length });",
      ),
      "holds",
    ],
    [
      "all tabs, without saying so",
      visit(
        "if (tab.incognito) return; const all = await chrome.tabs.query(); chrome.storage.local.set({ open: all.length });",
      ),
      "violated",
    ],
    [
      "tabs by numbers that are counted",
      click(
        "for (let number = 1; number < 9; number++) { const it = await chrome.tabs.get(number); chrome.storage.local.set({ last: it.url }); }",
      ),
      "violated",
    ],
    [
      "the title of the window in front",
      visit(
        "if (tab.incognito) return; const front = await chrome.windows.getLastFocused(); chrome.storage.local.set({ title: front.title });",
      ),
      "violated",
    ],
    [
      "the title of the window in front, by its number",
      visit(
        "if (tab.incognito) return; const front = await chrome.windows.get(chrome.windows.WINDOW_ID_CURRENT); chrome.storage.local.set({ title: front.title });",
      ),
      "violated",
    ],
    [
      "the title of the window in front, for its user",
      click(
        "const front = await chrome.windows.getLastFocused(); chrome.storage.local.set({ title: front.title });",
      ),
      "holds",
    ],
    [
      "the title of the window of the tab",
      visit(
        "if (tab.incognito) return; const own = await chrome.windows.get(tab.windowId); chrome.storage.local.set({ title: own.title });",
      ),
      "holds",
    ],
    [
      "whose the window in front is",
      visit(
        "if (tab.incognito) return; const { incognito } = await chrome.windows.getLastFocused(); console.log(incognito); chrome.storage.local.set({ last: tab.url });",
      ),
      "holds",
    ],
    [
      "whose the window in front is, by its number",
      visit(
        "if (tab.incognito) return; const { incognito } = await chrome.windows.get(chrome.windows.WINDOW_ID_CURRENT); if (incognito) return; chrome.storage.local.set({ last: tab.url });",
      ),
      "holds",
    ],
    [
      "the tab in front, for its user",
      click(
        "const [tab] = await chrome.tabs.query({ active: true, currentWindow: true }); chrome.storage.local.set({ last: tab.url });",
      ),
      "holds",
    ],
    [
      "addresses with gaps for private tabs",
      "chrome.action.onClicked.addListener(async () => { const all = await chrome.tabs.query({}); const urls = all.map((tab) => { if (tab.incognito) return; return tab.url; }); chrome.storage.local.set({ urls: urls.join() }); });",
      "violated",
    ],
    ["a tab that is asked first", click(`${first} if (tab.incognito) return; ${keep}`), "holds"],
    [
      "a tab that is used at once when it was asked",
      click(`${first} if (tab.incognito) return; tab.url && ${keep}`),
      "holds",
    ],
    [
      "a tab that is asked something else first",
      click(`${first} if (tab.audible) return; ${keep}`),
      "violated",
    ],
    [
      "a tab that is asked in a callback alone",
      click(`${first} [1].forEach(() => { if (tab.incognito) return; }); ${keep}`),
      "violated",
    ],
    [
      "a tab that is stored on leaving",
      click(`${first} if (tab.incognito) return chrome.storage.local.set({ last: tab.url });`),
      "violated",
    ],
    [
      "a tab that is asked for nothing",
      click(`${first} if (tab.incognito) console.log("private"); ${keep}`),
      "violated",
    ],
    [
      "private tabs alone",
      click(
        "const all = await chrome.tabs.query({}); all.forEach((tab) => { if (tab.incognito) chrome.storage.local.set({ last: tab.url }); });",
      ),
      "violated",
    ],
    [
      "private tabs alone, by a variable",
      click(
        "const all = await chrome.tabs.query({}); all.forEach((tab) => { const hidden = tab.incognito; if (hidden) chrome.storage.local.set({ last: tab.url }); });",
      ),
      "violated",
    ],
    [
      "all tabs, to count them alone",
      `chrome.tabs.onRemoved.addListener(async () => { console.log((await chrome.tabs.query({})).length); }); ${asked("tab.incognito")}`,
      "holds",
    ],
    [
      "nothing, so that what is done in every normal window says nothing",
      `chrome.tabs.onCreated.addListener((made) => { chrome.storage.session.set({ made: made.url }); }); ${visit(
        'await chrome.storage.session.get("made"); if (tab.incognito) return; chrome.storage.local.set({ on: true });',
      )}`,
      "holds",
    ],
    // Over-approximated.
    [
      "a tab that is asked, with something else to do",
      click(`${first} if (tab.incognito) return; else console.log("normal"); ${keep}`),
      "violated",
    ],
  ] as const)
    test(name, async () => expect(await answerOfWorker(script)).toBe(expected));
});

test("a script in a page of a normal window is about that alone", async () => {
  const report = await reportOn({
    "manifest.json":
      '{"manifest_version": 3, "background": {"service_worker": "bg.js"}, "content_scripts": [{"matches": ["<all_urls>"], "js": ["cs.js"]}]}',
    "bg.js": `let last; ${visit("last = tab.url; console.log((await chrome.tabs.query({})).length);")}
      chrome.runtime.onMessage.addListener((message, sender, answer) => answer(last));`,
    "cs.js":
      'await chrome.runtime.sendMessage("last"); if (!chrome.extension.inIncognitoContext) chrome.storage.local.set({ on: true });',
  });
  expect(answerOf(report)).toBe("holds");
});
