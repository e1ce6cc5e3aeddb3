/** Aliases and names. Few and fast: `npm run mutate` runs them for each mutant of these conditions. */
import { describe, expect, test } from "vitest";
import { answerOf, answerOfPage, answerOfWorker, EXPECTED, keep, reportOf, visit } from "./extensions.js";

const FIXTURES = {
  leaking: ["default-import", "pushed-into-normal"],
  harmless: ["dark-toggle"],
} as const;
for (const kind of ["leaking", "harmless"] as const)
  describe(kind, () => {
    for (const name of FIXTURES[kind])
      test(name, async () => expect(answerOf(await reportOf(`${kind}/${name}.txt`))).toBe(EXPECTED[kind]));
  });

describe("names", () => {
  const flag = (change: string): string =>
    visit(`let hidden = tab.incognito; ${change} if (hidden) return; ${keep}`);
  const listed = (declaration: string, more = ""): string =>
    `${more} chrome.action.onClicked.addListener(async () => { ${declaration} open = (await chrome.tabs.query({})).filter((each) => !each.incognito); chrome.storage.local.set({ open: open.map((each) => each.url) }); });`;
  const chosen = (more = ""): string =>
    `const handlers = { show(tab) { console.log(tab.url); } }; ${more} ${visit("const run = handlers[change.kind]; run(tab);")}`;
  for (const [name, script, expected] of [
    ["a flag", flag(""), "holds"],
    ["a flag that is counted down", flag("hidden--;"), "violated"],
    ["a flag that a loop sets", flag("for (hidden of [false]);"), "violated"],
    ["a flag that a list sets", flag("[hidden] = [false];"), "violated"],
    ["a flag that an object sets", flag("({ hidden } = { hidden: false });"), "violated"],
    ["one of several functions", chosen(), "holds"],
    ["one of several functions that are changed", chosen("handlers.more = console.log;"), "violated"],
    ["a list that is declared once", listed("const"), "holds"],
    ["a list, and a function of that name", listed("const", "function open() {}"), "violated"],
    [
      "a list, and something else that is set by that name",
      listed("const", "chrome.runtime.onInstalled.addListener(() => { open = 1; });"),
      "violated",
    ],
    // Over-approximated.
    ["a list that may change", listed("let"), "violated"],
    [
      "an interface of the browser",
      `const local = chrome.storage.local; ${visit("local.set({ last: tab.url });")}`,
      "violated",
    ],
    [
      "an interface of the browser, for normal windows",
      `const local = chrome.storage.local; ${visit("if (tab.incognito) return; local.set({ last: tab.url });")}`,
      "holds",
    ],
    [
      "a list that grows",
      "chrome.action.onClicked.addListener(async (tab) => { const open = (await chrome.tabs.query({})).filter((each) => !each.incognito); open.unshift(tab); chrome.storage.local.set({ open: open.map((each) => each.url) }); });",
      "violated",
    ],
    ["a method of a list", `const list = []; const some = list.find; ${visit("some(tab.url);")}`, "violated"],
  ] as const)
    test(name, async () => expect(await answerOfWorker(script)).toBe(expected));

  const parse = "function parse(text) { const link = new URL(text); return link.host; }";
  for (const [name, script] of [
    ["the page", 'const page = document; page.write("x");'],
    [
      "a link, and an address by that name",
      `${parse} const { link } = window.parts; link.search = document.title;`,
    ],
    [
      "a link that is set, and an address by that name",
      `${parse} link = window.parts[0]; link.search = document.title;`,
    ],
    [
      "a link, which is no address of its own",
      'const link = document.querySelector("a"); link.search = document.title;',
    ],
  ] as const)
    test(name, async () => {
      expect(await answerOfPage(script)).toBe("violated");
    });
});
