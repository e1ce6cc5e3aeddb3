/** Extensions leak retained data of private windows; unknown code is over-approximated, with a note. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { check, checkFile, checkJson, overallVerdict, type CheckReport } from "../../../src/index.js";
import { inRepository } from "../../repository.js";

describe("the corpus", () => {
  const folder = inRepository("examples/extensions");
  for (const name of readdirSync(folder).sort()) {
    const scripts = readdirSync(`${folder}/${name}`).filter((file) => file.endsWith(".js"));
    const texts = scripts.map((file) => readFileSync(`${folder}/${name}/${file}`, "utf8"));
    const [expected] = texts.flatMap((text) => /^\/\/ expected: (\w+)$/m.exec(text)?.[1] ?? []);
    test(`${name}: ${expected ?? "?"}`, async () => {
      const report = await checkFile(`${folder}/${name}/manifest.json`);
      expect(overallVerdict(report)).toBe(expected);
    });
  }

  test("the indirect leak is told by way of the normal window", async () => {
    const report = await checkFile(`${folder}/4-private-ads/manifest.json`);
    expect(report.properties[0]!.reason).toContain("PrivBackground NormBackground");
    const actions = report.properties[0]!.trace!.steps.map(({ action }) => action);
    expect(actions).toContain("interests.push(topicOf(change.title))");
    expect(actions).toContain("browser.storage.local.set({ profile: interests })");
  });
});

const background = (
  script: string,
  manifest: object = {},
  files: Record<string, string> = {},
): Promise<CheckReport> => {
  const text = JSON.stringify({ name: "toy", background: { scripts: ["bg.js"] }, ...manifest });
  const all: Record<string, string> = { "bg.js": script, ...files };
  return check({ file: "manifest.json", text, readFile: (path) => all[path] });
};
const verdictOf = async (
  script: string,
  manifest?: object,
  files?: Record<string, string>,
): Promise<string> => overallVerdict(await background(script, manifest, files));
const notes = (report: CheckReport): string[] =>
  checkJson(report).diagnostics.map(({ code, line }) => `${code} ${line}`);

const visit = (body: string): string =>
  `browser.tabs.onUpdated.addListener(async (id, change, tab) => {\n${body}\n});`;

describe("private windows", () => {
  const store = "await browser.storage.local.set({ url: tab.url });";
  for (const [name, body, expected] of [
    ["no question", store, "violated"],
    ["early return", `if (tab.incognito) return; ${store}`, "holds"],
    ["the wrong way round", `if (!tab.incognito) return; ${store}`, "violated"],
    ["compared with a constant", `if (tab.incognito === false) { ${store} }`, "holds"],
    ["one of two conditions", `if (change.url && !tab.incognito) { ${store} }`, "holds"],
    ["either of two conditions", `if (change.url || !tab.incognito) { ${store} }`, "violated"],
    ["in a variable", `const hidden = tab.incognito; if (!hidden) { ${store} }`, "holds"],
    ["by && alone", "tab.incognito || browser.storage.local.set({ url: tab.url });", "holds"],
    [
      "by a conditional expression",
      "tab.incognito ? 0 : browser.storage.local.set({ url: tab.url });",
      "holds",
    ],
    ["in a helper", `if (isHidden(tab)) return; ${store}`, "holds"],
    ["constants say nothing", "browser.storage.local.set({ version: 3, list: [] });", "holds"],
    ["an exception skips the question", `try { if (tab.incognito) return; } catch {} ${store}`, "violated"],
  ] as const)
    test(`${name}: ${expected}`, async () => {
      expect(await verdictOf(`${visit(body)}\nconst isHidden = (it) => it.incognito;`)).toBe(expected);
    });

  test("a page for all windows is never in a private context, unless the manifest says so", async () => {
    const asked = visit(`if (browser.extension.inIncognitoContext) return; ${store}`);
    expect(await verdictOf(asked)).toBe("violated");
    expect(await verdictOf(asked, { incognito: "split" })).toBe("holds");
  });

  test("an extension that is not allowed there has nothing to leak", async () => {
    expect(await verdictOf(visit(store), { incognito: "not_allowed" })).toBe("holds");
  });
});

describe("ways for data", () => {
  test("a variable is shared between windows, unless each has its own background", async () => {
    const script = `${visit("list.push(tab.url);")}\nlet list = [];\nsetInterval(async () => {
      if ((await browser.windows.getCurrent()).incognito) return;\nbrowser.storage.local.set({ list });\n}, 9);`;
    expect(await verdictOf(script)).toBe("violated");
    expect(await verdictOf(script, { incognito: "split" })).toBe("holds");
  });

  const mailbox = (put: string, take: string): string => `${visit(put)}
    browser.alarms.onAlarm.addListener(async () => {
      if ((await browser.windows.getLastFocused()).incognito) return;
      const found = ${take};
      await fetch("https://collect.example", { method: "POST", body: JSON.stringify(found) });
    });`;
  test("storage of the session is a mailbox", async () => {
    const take = "await browser.storage.session.get()";
    expect(await verdictOf(mailbox("await browser.storage.session.set({ url: tab.url });", take))).toBe(
      "violated",
    );
    expect(
      await verdictOf(
        mailbox("if (!tab.incognito) await browser.storage.session.set({ url: tab.url });", take),
      ),
    ).toBe("holds");
  });

  const emitter = (topic: string): string => `${visit('bus.emit("seen", tab.url);')}
    bus.on(${topic}, (url) => { localStorage.setItem("url", url); });
    const bus = new EventEmitter();`;
  test("emitters and queues deliver by topic", async () => {
    expect(await verdictOf(emitter('"seen"'))).toBe("violated");
    expect(await verdictOf(emitter('"other"'))).toBe("holds");
  });

  test("ports and messages lead to the other components", async () => {
    const content =
      "const port = browser.runtime.connect(); document.onclick = (e) => port.postMessage(e.target.href);";
    const manifest = { content_scripts: [{ js: ["content.js"] }] };
    const keep = (guard: string): string =>
      `browser.runtime.onConnect.addListener((port) => port.onMessage.addListener((m) => { ${guard} browser.storage.sync.set({ m }); }));`;
    expect(await verdictOf(keep(""), manifest, { "content.js": content })).toBe("violated");
    expect(
      await verdictOf(keep("if (port.sender.tab.incognito) return;"), manifest, { "content.js": content }),
    ).toBe("holds");
  });

  test("imported files belong to the component", async () => {
    const script = 'import { keep } from "./keep.js";\n' + visit("keep(tab.url);");
    const files = {
      "keep.js":
        "export function keep(url) { indexedDB; const s = db.transaction().objectStore('u'); s.put(url); }",
    };
    expect(await verdictOf(script, {}, files)).toBe("violated");
  });
});

describe("what is not seen", () => {
  test("code of a package may store what it is given", async () => {
    const report = await background(`import { track } from "tracker";\n${visit("track(tab.url);")}`);
    expect(overallVerdict(report)).toBe("violated");
    expect(notes(report)).toEqual(["webextension/taken-for-more 3"]);
  });

  test("a method that is not known may keep what it is given, in its object or elsewhere", async () => {
    const later =
      "setInterval(async () => { const window = await browser.windows.getLastFocused(); if (window.incognito) return; " +
      "await browser.storage.local.set({ it: journal }); }, 1000);";
    const kept = `const journal = makeJournal();\n${visit("journal.record(tab.url);")}\n${later}`;
    expect(await verdictOf(kept)).toBe("violated");
    const asked = `const journal = [];\n${visit("if (journal.includes(tab.url)) return;")}\n${later}`;
    expect(await verdictOf(asked)).toBe("holds");
    const report = await background(visit("const desk = open();\ndesk.file(tab.url);"));
    expect(overallVerdict(report)).toBe("violated");
    expect(notes(report)).toContain("webextension/taken-for-more 3");
  });

  test("a function that calls itself may do anything that the component does", async () => {
    const script = `function walk(node) { for (const each of node.children) walk(each); }
      ${visit("if (tab.incognito) walk(tab); else browser.storage.local.set({ url: tab.url });")}`;
    const report = await background(script);
    expect(overallVerdict(report)).toBe("violated");
    expect(notes(report)).toEqual(["webextension/taken-for-more 1"]);
  });

  test("mistakes have their place", async () => {
    expect(notes(await background("let = ;"))).toEqual(["webextension/syntax 1"]);
    const text = '{\n "background": { "scripts": ["gone.js"] }\n}';
    expect(notes(await check({ file: "manifest.json", text }))).toEqual(["webextension/missing-file 2"]);
    expect(notes(await check({ file: "manifest.json", text: "{}" }))).toEqual(["webextension/no-scripts 1"]);
    const [bad] = notes(await check({ file: "manifest.json", text: "{" }));
    expect(bad).toMatch(/^webextension\/bad-manifest/);
  });
});
