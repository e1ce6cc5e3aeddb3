/** Finds the parts of an extension: scripts and pages of its manifest, scripts of pages, imports of scripts. */
import { basename, dirname } from "node:path";
import type TypeScript from "typescript";
import type { Report } from "../toolkit/diagnostics.js";
import { Pages, type Component } from "./pages.js";
import { isPage, isScript, placeOf, Scripts, type ExtensionInput } from "./scripts.js";
import { unreadIn } from "./unread.js";

export interface Extension {
  readonly name: string;
  readonly components: readonly Component[];
  /** The extension does not run in private windows. */
  readonly isKeptOut: boolean;
}

interface Manifest {
  readonly name?: unknown;
  readonly incognito?: unknown;
  readonly background?: {
    readonly scripts?: unknown;
    readonly service_worker?: unknown;
    readonly page?: unknown;
  };
  readonly content_scripts?: unknown;
  readonly [key: string]: unknown;
}

export function readExtension(input: ExtensionInput, report: Report): Extension {
  const scripts = new Scripts(input, report);
  if (!/\.json$/i.test(input.file)) {
    const script = scripts.parse(input.file, input.text);
    const name = basename(input.file);
    return {
      name,
      isKeptOut: false,
      components: [{ name: "Script", scripts: scripts.withImports([script]), sharesVariables: true }],
    };
  }
  const manifest = parseManifest(input, report);
  // Firefox lacks split mode and runs one instance for all windows.
  const isSplit = manifest.incognito === "split" && !isForFirefox(manifest); // sound: test/languages/webextension/manifest.test.ts
  const component = (
    name: string,
    files: readonly string[],
    sharesVariables: boolean,
    more: readonly TypeScript.SourceFile[] = [],
  ): Component[] =>
    files.length + more.length === 0
      ? []
      : [
          {
            name,
            scripts: scripts.withImports([...files.flatMap((file) => scripts.read(file)), ...more]),
            sharesVariables,
          },
        ];
  for (const { name, message } of unreadIn(manifest, (path) => scripts.text(path)))
    scripts.refuse(message, { file: input.file, ...placeOf(input.text, name) });
  const { background } = manifest;
  const contents = Array.isArray(manifest.content_scripts) ? (manifest.content_scripts as unknown[]) : [];
  const first = [
    ...component(
      "Background",
      [...texts(background?.scripts), ...texts(background?.service_worker)],
      !isSplit,
      texts(background?.page).flatMap((page) => scripts.ofPage(page).files),
    ),
    // Each tab has a separate instance.
    ...contents.flatMap((entry, i) =>
      component(
        i === 0 ? "Content" : `Content${i + 1}`,
        texts((entry as { js?: unknown } | null)?.js),
        false,
      ),
    ),
  ];
  const backgroundPages = texts(background?.page);
  const pages = new Pages(scripts, backgroundPages, !isSplit);
  for (const [key, name] of filesNamedIn(manifest))
    if (isPage(name))
      pages.open(name, nameOfPage(key), true); // sound: test/languages/webextension/manifest.test.ts
    else pages.inject(name); // sound: test/languages/webextension/manifest.test.ts
  for (const page of backgroundPages) pages.openLinked(page);
  for (const { scripts: all } of first) pages.follow(all);
  return {
    name: typeof manifest.name === "string" ? manifest.name : basename(dirname(input.file)),
    isKeptOut: manifest.incognito === "not_allowed",
    components: [...first, ...pages.components],
  };
}

/** Pages and scripts under any key of the manifest: browsers add keys with every version. */
function filesNamedIn(manifest: Manifest): (readonly [key: string, file: string])[] {
  const files: (readonly [string, string])[] = [];
  const visit = (key: string, value: unknown): void => {
    if (typeof value === "string" && (isPage(value) || isScript(value)) && !value.includes("*"))
      files.push([key, value]);
    else if (typeof value === "object" && value !== null)
      for (const [inner, each] of Object.entries(value)) visit(Array.isArray(value) ? key : inner, each);
  };
  for (const [key, value] of Object.entries(manifest))
    if (key !== "background" && key !== "content_scripts") visit(key, value);
  return files;
}

const isForFirefox = ({ browser_specific_settings: specific, applications }: Manifest): boolean =>
  [specific, applications].some(
    (each) =>
      typeof each === "object" && each !== null && Object.keys(each).some((key) => key.startsWith("gecko")),
  );

const nameOfPage = (key: string): string =>
  ({
    default_popup: "Popup",
    page: "Options",
    options_page: "Options",
    default_panel: "Sidebar",
    default_path: "Panel",
  })[key] ?? "Page";

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).filter((each) => typeof each === "string");

function parseManifest({ file, text }: ExtensionInput, report: Report): Manifest {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Manifest;
    throw new Error("it is not an object");
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1];
    const start = Number(position ?? 0);
    report({
      code: "webextension/bad-manifest",
      severity: "error",
      message: `the manifest cannot be read: ${(error as Error).message}`,
      span: { file, start, end: start + 1 },
    });
    return {};
  }
}
