/** What calls of the browser's interfaces, and of emitters and queues, mean for where data goes. */

export type Effect =
  /** Kept beyond the session, or sent away. */
  | { readonly kind: "sink"; readonly sink: "Storage" | "Network" }
  /** To whoever listens there. */
  | { readonly kind: "post"; readonly topic: string }
  /** Into something that can be read again, in this session. */
  | { readonly kind: "put"; readonly box: string }
  | { readonly kind: "get"; readonly box: string }
  /** Its function is called when something arrives there. */
  | { readonly kind: "listen"; readonly topic: string }
  /** Its function is called now and then. */
  | { readonly kind: "event" }
  /** Passes nothing on. */
  | { readonly kind: "nothing" };

/** Topics of messages between the parts of an extension, and between scripts of a page. */
export const RUNTIME = "runtime";
export const PAGE = "page";

/**
 * `path` is the called name without `browser.`, `chrome.` and the like, such as `storage.local.set`; `topic` the first argument, if
 * it is a text. Undefined: not known here.
 */
export function effectOf(path: string, topic: string | undefined): Effect | undefined {
  const name = path.slice(path.lastIndexOf(".") + 1);
  const owner = path.slice(0, Math.max(0, path.length - name.length - 1));
  if (/^storage\.(local|sync|managed)\.set$/.test(path)) return { kind: "sink", sink: "Storage" };
  if (/^storage\.(local|sync|managed)\.get$/.test(path)) return { kind: "get", box: "kept" };
  if (path === "storage.session.set" || path === "sessionStorage.setItem")
    return { kind: "put", box: "session" };
  if (path === "storage.session.get" || path === "sessionStorage.getItem")
    return { kind: "get", box: "session" };
  if (path === "localStorage.setItem") return { kind: "sink", sink: "Storage" };
  if (path === "localStorage.getItem") return { kind: "get", box: "kept" };
  if (/(^|\.)objectStore\.(put|add)$/.test(path)) return { kind: "sink", sink: "Storage" };
  if (/(^|\.)objectStore\.(get|getAll|openCursor)$/.test(path)) return { kind: "get", box: "kept" };
  if (/^(cookies\.set|bookmarks\.(create|update)|history\.addUrl|downloads\.download)$/.test(path))
    return { kind: "sink", sink: "Storage" };
  if (path === "fetch" || path === "navigator.sendBeacon") return { kind: "sink", sink: "Network" };
  if (/(xhr|request|socket|ws)$/i.test(owner) && name === "send") return { kind: "sink", sink: "Network" };
  if (/^(runtime|tabs)\.sendMessage$/.test(path)) return { kind: "post", topic: RUNTIME };
  if (name === "postMessage") return { kind: "post", topic: /port/i.test(owner) ? RUNTIME : PAGE };
  if (name === "addListener")
    return /(^|\.)onMessage(External)?$/.test(owner) ? { kind: "listen", topic: RUNTIME } : { kind: "event" };
  if (name === "addEventListener")
    return topic === "message" ? { kind: "listen", topic: PAGE } : { kind: "event" };
  if (/^(setTimeout|setInterval|requestAnimationFrame|requestIdleCallback|queueMicrotask)$/.test(name))
    return { kind: "event" };
  if (/^(emit|publish|produce|sendToQueue|enqueue)$/.test(name)) return { kind: "post", topic: topic ?? "*" };
  if (/^(on|once|subscribe|consume)$/.test(name)) return { kind: "listen", topic: topic ?? "*" };
  if (HARMLESS.test(path)) return { kind: "nothing" };
  return undefined;
}

/** Interfaces that keep nothing of what they are given, as far as other sessions are concerned. */
const HARMLESS = new RegExp(
  `^(${[
    "console", "JSON", "Math", "Object", "Array", "Number", "String", "Boolean", "Symbol", "Promise", "Date", "Reflect",
    "document", "location", "navigator", "performance", "crypto", "window", "URL", "Intl",
    "tabs", "windows", "runtime", "notifications", "action", "browserAction", "pageAction", "menus", "contextMenus",
    "alarms", "i18n", "extension", "commands", "permissions", "scripting", "webNavigation", "webRequest", "idle", "theme",
    "management", "topSites", "sessions", "find", "history", "bookmarks", "cookies", "downloads", "storage",
    "browsingData", "localStorage", "sessionStorage",
  ].join("|")})\\.`,
); // prettier-ignore

/** Functions of the language itself. */
export const GLOBALS: ReadonlySet<string> = new Set(
  (
    "parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI String Number Boolean Array " +
    "Object Symbol BigInt Date RegExp Error Promise require alert confirm prompt clearTimeout clearInterval structuredClone " +
    "cancelAnimationFrame getComputedStyle atob btoa"
  ).split(" "),
);

/** Methods of the language's own objects, and of pages, that keep nothing of what they are given. Any other may. */
export const KEEPS_NOTHING: ReadonlySet<string> = new Set(
  (
    "includes indexOf lastIndexOf has get delete filter map flatMap find findIndex findLast some every forEach reduce " +
    "reduceRight join slice sort toSorted reverse keys values entries at concat charAt charCodeAt startsWith endsWith " +
    "match matchAll test exec replace replaceAll split trim padStart padEnd repeat substring substr search localeCompare " +
    "toString toFixed toLowerCase toUpperCase toISOString getTime stringify parse log warn error info debug min max floor " +
    "round ceil abs from of assign freeze isArray then catch finally all allSettled race any resolve reject call apply bind " +
    "addEventListener removeEventListener addListener removeListener hasListener getElementById querySelector " +
    "querySelectorAll closest matches getAttribute preventDefault stopPropagation focus blur click remove contains"
  ).split(" "),
);
