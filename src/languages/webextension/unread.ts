/**
 * Behaviour that a manifest requests without a script: unnamed pages, and rules, style sheets and settings that send
 * browsing data elsewhere.
 */

interface Unread {
  /** The text in the manifest. */
  readonly name: string;
  readonly message: string;
}

export function unreadIn(
  manifest: Readonly<Record<string, unknown>>,
  textOf: (file: string) => string | undefined,
): Unread[] {
  const unread: Unread[] = [];
  const visit = (key: string, value: unknown): void => {
    if (typeof value === "string") unread.push(...unreadValue(key, value, textOf));
    else if (Array.isArray(value)) for (const each of value) visit(key, each);
    else if (typeof value === "object" && value !== null)
      for (const [inner, each] of Object.entries(value))
        visit(inner === "path" ? `${key} path` : inner, each);
  };
  for (const [key, value] of Object.entries(manifest)) visit(key, value);
  return unread;
}

function unreadValue(key: string, value: string, textOf: (file: string) => string | undefined): Unread[] {
  if (
    SHOWS_PAGE.test(key) &&
    value !== "" &&
    !/\.x?html?([?#].*)?$/i.test(value) &&
    !/^(https?|about|chrome):/.test(value)
  )
    return [{ name: value, message: `'${value}' is shown as a page, and is not read` }]; // sound: test/languages/webextension/manifest.test.ts
  if (/^(resources|web_accessible_resources)$/.test(key) && value.includes("*") && mayBePage(value))
    return [
      { name: value, message: `which pages '${value}' stands for is not known: any site may open them` },
    ]; // sound: test/languages/webextension/manifest.test.ts
  if (/^(search_url|suggest_url|instant_url)$/.test(key))
    return [{ name: value, message: `searches are sent to '${value}', even from private windows` }]; // sound: test/languages/webextension/manifest.test.ts
  if (key === "uriTemplate" && /^\s*https?:/i.test(value))
    return [{ name: value, message: `links are sent to '${value}', even from private windows` }]; // sound: test/languages/webextension/manifest.test.ts
  if (key === "rule_resources path" && REDIRECTS.test(textOf(value) ?? ""))
    return [{ name: value, message: `the rules in '${value}' redirect requests, even from private windows` }]; // sound: test/languages/webextension/manifest.test.ts
  if (key === "css" && fetchesByPage(textOf(value) ?? ""))
    return [{ name: value, message: `which pages make '${value}' fetch something is not followed` }]; // sound: test/languages/webextension/manifest.test.ts
  return [];
}

const SHOWS_PAGE =
  /^(default_popup|default_panel|side_panel default_path|default_path|options_page|page|devtools_page|pages|newtab|history|bookmarks)$/;

/** `icons/*.png` cannot match a page, `pages/*` can. */
const mayBePage = (pattern: string): boolean =>
  !/\.[a-z0-9]+$/i.test(pattern) || /\.(x?html?|svg|xml|\w*\*\w*)$/i.test(pattern);

/** Rules that redirect requests to another host, or append the matched text. */
export const REDIRECTS =
  /\bregexSubstitution\b|\bredirect["']?\s*:\s*\{[^}]*?\b(url["']?\s*:(?!\s*["'`]data:)|host["']?\s*:)/;

/** Whether a style sheet fetches an address depending on the page; unconditional fetches reveal nothing. */
export function fetchesByPage(css: string): boolean {
  const conditional = css
    .replace(/\/\*[^]*?\*\//g, "")
    .replace(/@(import|namespace|charset)\b[^;]*;/gi, "")
    .replace(/@-moz-document\b[^{]*\{/gi, "")
    .replace(/@font-face\s*\{(?![^}]*unicode-range)[^}]*\}/gi, "");
  return /["'(]\s*(https?:)?\/\//i.test(conditional);
}
