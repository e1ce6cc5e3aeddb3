/** Kinds of values of the browser that are, contain or lead to tabs and windows, and the APIs that provide them. */

/** A tab or window, a list of them, the sender of a message, or a port. */
type Present = "one" | "many" | "sender" | "port";
/** A promise is distinct from its value: it has no `incognito`, and is truthy. */
export type Kind = Present | `later ${Present}`;

export const later = (kind: Kind | undefined): Kind | undefined =>
  kind && `later ${kind.replace("later ", "") as Present}`;
export const settled = (kind: Kind | undefined): Present | undefined =>
  kind?.replace("later ", "") as Present;
export const isLater = (kind: Kind | undefined): boolean => kind !== undefined && kind.startsWith("later ");

/** Browser APIs that return tabs, windows or downloads. */
export const ANSWERS =
  /^(tabs\.(query|getAllInWindow|get|getCurrent|getSelected|create|duplicate|update)|windows\.(getAll|get|getCurrent|getLastFocused|create|update)|downloads\.search)$/;

export const answeredBy = (path: string): Present =>
  /\.(query|getAll|getAllInWindow|search)$/.test(path) ? "many" : "one";

export function listenerArgument(
  event: string,
  index: number,
  text: string,
  isRenamed: boolean,
): Present | undefined {
  const [, , place, kind] = BRINGS.find(([pattern, , at]) => pattern.test(event) && at === index) ?? [];
  if (place === undefined) return undefined;
  // Only Firefox has the property on requests, under a name that Chrome lacks.
  if (/^(webRequest|proxy)\./.test(event) && (isRenamed || !/^browser\./.test(text))) return undefined; // sound: test/languages/webextension/windows.test.ts
  return kind;
}

const BRINGS: readonly (readonly [event: RegExp, name: string, index: number, kind: Present])[] = [
  [/^tabs\.onCreated$/, "tab", 0, "one"],
  [/^tabs\.onUpdated$/, "tab", 2, "one"],
  [/^windows\.onCreated$/, "window", 0, "one"],
  [/^(menus|contextMenus)\.on(Clicked|Shown)$/, "tab", 1, "one"],
  [/^(action|browserAction|pageAction)\.onClicked$/, "tab", 0, "one"],
  [/^commands\.onCommand$/, "tab", 1, "one"],
  [/^downloads\.on(Created|DeterminingFilename)$/, "item", 0, "one"],
  [/^(webRequest\.on\w+|proxy\.onRequest)$/, "details", 0, "one"],
  [/^runtime\.onMessage$/, "sender", 1, "sender"],
  [/^runtime\.onConnect$/, "port", 0, "port"],
  [/(^|\.)onMessage$/, "port", 1, "port"],
];

export function memberOf(kind: Kind | undefined, name: string): Kind | undefined {
  if (kind === "one" && name === "tabs") return "many";
  if (kind === "sender" && name === "tab") return "one";
  if (kind === "port" && name === "sender") return "sender";
  return undefined;
}
