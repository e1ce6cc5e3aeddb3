/**
 * `tab?.incognito` is a test only if the tab cannot be absent: without a tab, the private window's data passes. Few and
 * fast: `npm run mutate` runs them for each mutant of these conditions.
 */
import { describe, expect, test } from "vitest";
import { answerOfWorker, keep, visit } from "./extensions.js";

/** Stores data of the event unless the condition on `it` holds. */
const guarded = (find: string, condition = "it?.incognito"): string =>
  visit(`${find} if (${condition}) return; ${keep}`);

const PRESENT = "await chrome.tabs.get(id)";

describe("an absent tab is not a test", () => {
  for (const [name, script] of [
    ["a variable without a value", guarded(`let it; if (change.url) it = ${PRESENT};`)],
    ["a variable set to null", guarded(`let it = ${PRESENT}; if (change.url) it = null;`)],
    ["one branch of a condition", guarded(`const it = change.url ? ${PRESENT} : undefined;`)],
    ["an alternative of a condition", guarded(`const it = change.url ? null : ${PRESENT};`)],
    [
      "a function that may end without a result",
      `async function find(id) { if (id > 9) return ${PRESENT}; } ${guarded("const it = await find(id);")}`,
    ],
    [
      "a function that may return nothing",
      `async function find(id) { if (id > 9) return ${PRESENT}; return; } ${guarded("const it = await find(id);")}`,
    ],
    ["a caught error", guarded("const it = await chrome.tabs.get(id).catch(() => null);")],
    [
      "an argument that may be absent",
      `function isHidden(it) { return it?.incognito; } ${visit(`if (isHidden(change.url ? tab : null)) return; ${keep}`)}`,
    ],
    ["an element of a list", guarded("const [it] = await chrome.tabs.query({ windowId: tab.windowId });")],
    ["a flag", guarded(`let it; if (change.url) it = ${PRESENT}; const hidden = it?.incognito;`, "hidden")],
  ] as const)
    test(name, async () => expect(await answerOfWorker(script)).toBe("violated"));
});

describe("a present tab is a test", () => {
  for (const [name, script] of [
    ["the tab of the event", visit(`if (tab?.incognito) return; ${keep}`)],
    ["a tab that was looked up", guarded(`const it = ${PRESENT};`)],
    [
      "a variable that may be absent, without a question mark",
      guarded(`let it; if (change.url) it = ${PRESENT};`, "it.incognito"),
    ],
    [
      "a function with a result",
      `async function find(id) { if (id > 9) { return ${PRESENT}; } else { throw new Error(); } } ${guarded("const it = await find(id);")}`,
    ],
    [
      "an argument",
      `function isHidden(it) { return it?.incognito; } ${visit(`if (isHidden(tab)) return; ${keep}`)}`,
    ],
    [
      "the first of a list",
      guarded("const [it] = await chrome.tabs.query({ windowId: tab.windowId });", "it.incognito"),
    ],
    ["an alternative for an absent tab", guarded(`const it = null ?? ${PRESENT};`)],
  ] as const)
    test(name, async () => expect(await answerOfWorker(script)).toBe("holds"));
});
