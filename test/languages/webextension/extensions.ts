/** Extensions as single texts. */
import { readFileSync } from "node:fs";
import { check, overallVerdict, type CheckReport } from "../../../src/index.js";
import { inRepository } from "../../repository.js";

export const folder = inRepository("test/fixtures/webextension");

/** Splits a text into files at lines `== name`. */
function filesOf(name: string): Record<string, string> {
  const parts = readFileSync(`${folder}/${name}`, "utf8")
    .split(/^== (.*)\n/m)
    .slice(1);
  return Object.fromEntries(parts.flatMap((part, i) => (i % 2 === 0 ? [[part, parts[i + 1]!]] : [])));
}

/** Checks one service worker. */
/** Checks a script that runs in every page. */
export const answerOfPage = async (script: string): Promise<string> =>
  answerOf(
    await reportOn({
      "manifest.json":
        '{"manifest_version": 3, "content_scripts": [{"matches": ["<all_urls>"], "js": ["cs.js"]}]}',
      "cs.js": script,
    }),
  );

export const answerOfWorker = async (script: string, files: Record<string, string> = {}): Promise<string> =>
  answerOf(
    await reportOn({
      "manifest.json": '{"manifest_version": 3, "background": {"service_worker": "bg.js", "type": "module"}}',
      "bg.js": script,
      ...files,
    }),
  );

/** Expected answer by folder. */
export const EXPECTED = { leaking: "violated", refused: "webextension/unread", harmless: "holds" } as const;

/** Stores the address of a loaded tab; and the handler of that event. */
export const keep = "chrome.storage.local.set({ last: tab.url });";
export const visit = (body: string): string =>
  `chrome.tabs.onUpdated.addListener(async (id, change, tab) => { ${body} });`;
/** Handler of the button, in normal windows only. */
export const click = (body: string): string =>
  `chrome.action.onClicked.addListener(async (clicked) => { if (clicked.incognito) return; ${body} });`;

export function reportOf(name: string): Promise<CheckReport> {
  return reportOn(filesOf(name));
}

export function reportOn(files: Record<string, string>): Promise<CheckReport> {
  return check({ file: "manifest.json", text: files["manifest.json"]!, readFile: (path) => files[path] });
}

/** Returns the code of an error, otherwise the verdict. */
export function answerOf(report: CheckReport): string {
  const errors = report.diagnostics.filter(({ severity }) => severity === "error");
  return errors.length > 0 ? errors.map(({ code }) => code).join(" ") : overallVerdict(report);
}
