/**
 * Effects of calls to browser APIs, emitters and queues on the flow of data.
 *
 * Invariant: harmless APIs are listed here. Any other may retain its arguments.
 */

export type Effect =
  /** Persists or transmits data. */
  | {
      readonly kind: "sink";
      readonly sink: "Storage" | "Network";
      /** Removes data: its absence persists. */
      readonly isRemoval?: boolean;
    }
  | { readonly kind: "post"; readonly topics: readonly string[]; readonly expectsReply?: boolean }
  /** Writes to a location that can be read again in this session. */
  | { readonly kind: "put"; readonly box: string; readonly isSent?: boolean }
  | { readonly kind: "get"; readonly box: string }
  | { readonly kind: "listen"; readonly topic: string }
  /** Registers a function called at any time, with data from the box. */
  | { readonly kind: "event"; readonly box?: string }
  | { readonly kind: "nothing" };

export const TABS = "interface tabs";

/** Topics of messages between parts of an extension, and between scripts of a page. */
export const RUNTIME = "runtime";
export const PAGE = "page";
/** Matches a topic that is not a literal. */
export const ANY_TOPIC = "*";

/**
 * `path` is the callee without `browser.`, `chrome.` and the like, such as `storage.local.set`; `topic` is the first
 * argument if it is a string literal. Returns undefined for unknown callees.
 */
export function effectOf(path: string, topic: string | undefined): Effect | undefined {
  const name = path.slice(path.lastIndexOf(".") + 1);
  const owner = path.slice(0, Math.max(0, path.length - name.length - 1));
  if ((name === "call" || name === "apply") && owner !== "") {
    const effect = effectOf(owner, undefined);
    return effect && effect.kind !== "nothing" ? effect : undefined;
  }
  if (/^storage\.(local|sync|managed)\.set$/.test(path)) return { kind: "sink", sink: "Storage" };
  if (/^storage\.(local|sync|managed)\.get$/.test(path)) return { kind: "get", box: "kept" };
  if (path === "storage.session.set" || path === "sessionStorage.setItem")
    return { kind: "put", box: "session" };
  if (path === "storage.session.get" || path === "sessionStorage.getItem")
    return { kind: "get", box: "session" };
  if (/^(storage\.session|sessionStorage)\.(remove|removeItem|clear)$/.test(path))
    return { kind: "put", box: "session" }; // sound: test/languages/webextension/calls.test.ts
  if (path === "localStorage.setItem") return { kind: "sink", sink: "Storage" };
  if (path === "localStorage.getItem") return { kind: "get", box: "kept" };
  if (/(^|\.)objectStore\.(put|add)$/.test(path)) return { kind: "sink", sink: "Storage" };
  if (/(^|\.)objectStore\.(get|getAll|openCursor)$/.test(path)) return { kind: "get", box: "kept" };
  if (/^(cookies\.set|bookmarks\.(create|update)|history\.addUrl|downloads\.download)$/.test(path))
    return { kind: "sink", sink: "Storage" };
  if (/^(cookies|bookmarks|history|topSites|sessions|downloads)\.(get|search)/.test(path))
    return { kind: "get", box: "kept" };
  if (
    /^(fetch|navigator\.sendBeacon|open|location\.(assign|replace)|(tabs|windows)\.(create|update))$/.test(
      path,
    )
  )
    return { kind: "sink", sink: "Network" };
  if (/^(runtime\.(sendNativeMessage|setUninstallURL)|native\.postMessage)$/.test(path))
    return { kind: "sink", sink: "Network" };
  if (/(xhr|request|socket|ws)$/i.test(owner) && name === "send") return { kind: "sink", sink: "Network" };
  if (/^performance\.(mark|measure)$/.test(path)) return { kind: "put", box: "interface performance" };
  if (/^performance\.getEntries/.test(path)) return { kind: "get", box: "interface performance" };
  if (REMOVING.test(path)) return { kind: "sink", sink: "Storage", isRemoval: true }; // sound: test/languages/webextension/calls.test.ts
  if (KEEPING.test(path)) return { kind: "sink", sink: "Storage" }; // sound: test/languages/webextension/calls.test.ts
  if (
    /^(search\.(search|query)|identity\.\w+|tts\.speak|(tabs|scripting)\.(insertCSS|removeCSS))$/.test(path)
  )
    return { kind: "sink", sink: "Network" };
  if (/^(runtime|tabs)\.connect$/.test(path)) return { kind: "post", topics: [RUNTIME] };
  if (/^(runtime|tabs)\.sendMessage$/.test(path))
    return { kind: "post", topics: [RUNTIME], expectsReply: true };
  if (path === "postMessage" || /^(parent|top|opener)\.postMessage$/.test(path))
    return { kind: "post", topics: [PAGE] };
  if (name === "postMessage" && /(port|connect|channel|window|frame|source|client)\w*$/i.test(owner))
    return { kind: "post", topics: [RUNTIME, PAGE] };
  if (LISTENING.test(name)) return listening(owner, topic);
  if (
    /^(tabs|windows)\.(move\w*|highlight|hide|show|group|ungroup|remove|reload|discard|goBack|goForward|toggleReaderMode)$/.test(
      path,
    )
  )
    return { kind: "put", box: TABS }; // sound: test/languages/webextension/calls.test.ts
  const carrier = carrierOf(path);
  if (carrier !== undefined && !/\.on[A-Z]\w*\.\w+$/.test(path))
    return {
      kind: READING.test(name) ? "get" : "put",
      box: carrier,
      ...(/Rules$/.test(name) ? { isSent: true } : {}),
    }; // sound: test/languages/webextension/calls.test.ts
  if (name === "addEventListener")
    return topic === "message" ? { kind: "listen", topic: PAGE } : { kind: "event" };
  if (/^(setTimeout|setInterval|requestAnimationFrame|requestIdleCallback|queueMicrotask)$/.test(name))
    return { kind: "event" };
  if (/^(emit|publish|produce|sendToQueue|enqueue)$/.test(name))
    return { kind: "post", topics: [topic ?? ANY_TOPIC] };
  if (path === "document.dispatchEvent" || path === "dispatchEvent")
    return { kind: "post", topics: [ANY_TOPIC] };
  if (HARMLESS.test(path) || HARMLESS_CALLS.test(path)) return { kind: "nothing" };
  return undefined;
}

const LISTENING = /^(on|once|subscribe|consume|addListener|prependListener|prependOnceListener)$/;

/**
 * `browser.tabs.onUpdated.addListener(f)` registers for an event of the browser; with a string first, for an event of
 * an emitter.
 */
function listening(owner: string, topic: string | undefined): Effect {
  if (/(^|\.)on(Message|Connect)(External)?$/.test(owner)) return { kind: "listen", topic: RUNTIME };
  if (/(^|\.)on[A-Z]\w*$/.test(owner)) {
    const box = carrierOf(owner);
    return { kind: "event", ...(box === undefined ? {} : { box }) }; // sound: test/languages/webextension/calls.test.ts
  }
  return { kind: "listen", topic: topic ?? ANY_TOPIC };
}

/** Setters whose getters or events return the value in any window: the API acts as a box. */
function carrierOf(path: string): string | undefined {
  const [, name] = CARRIERS.exec(path) ?? [];
  return name === undefined ? undefined : `interface ${ALIASES[name] ?? name}`;
}

const CARRIERS =
  /^(action|browserAction|pageAction|sidebarAction|sidePanel|menus|contextMenus|notifications|alarms|commands|permissions|theme|omnibox|declarativeNetRequest|declarativeContent|tabGroups|contextualIdentities|proxy|privacy|browserSettings|userScripts|sessions|tts|offscreen|fontSettings|power)\./;
const ALIASES: Partial<Record<string, string>> = { browserAction: "action", menus: "contextMenus" };
const READING = /^(get|query|search|contains|has|is[A-Z])/;

/** APIs whose data survives a restart of the browser. */
const KEEPING =
  /^(declarativeNetRequest\.(updateDynamicRules|updateEnabledRulesets)|readingList\.(addEntry|updateEntry)|sessions\.set(Tab|Window)Value|userScripts\.(register|update)|contextualIdentities\.(create|update)|(proxy\.settings|privacy\.\w+\.\w+|browserSettings\.\w+|contentSettings\.\w+)\.set\w*|topSites\.\w*[sS]et\w*|permissions\.(request|remove)|alarms\.create|(menus|contextMenus)\.(create|update)|commands\.(update|reset)|tabGroups\.update|fontSettings\.set\w*|indexedDB\.(open|deleteDatabase))$/;

/** APIs that remove persistent data; the absence is observable. */
const REMOVING =
  /^(storage\.(local|sync|managed)\.(remove|clear)|localStorage\.(removeItem|clear)|(bookmarks|history|cookies)\.(remove|delete)\w*|downloads\.(erase|removeFile)|browsingData\.\w+)$/;

/** APIs without any function that retains its arguments. */
const HARMLESS =
  /^(console|JSON|Math|Number|String|Boolean|Symbol|BigInt|Promise|Date|Intl|performance|crypto|URL|Array|i18n|idle)\./;

/** Functions that do not retain their arguments. */
const HARMLESS_CALLS = new RegExp(
  [
    "^Object\\.(keys|values|entries|freeze|fromEntries|is|create|getOwn\\w+|hasOwn|seal|isFrozen)$",
    "^document\\.(querySelector|querySelectorAll|getElement\\w+|createElement|createTextNode|createTreeWalker|createRange|createDocumentFragment|removeEventListener|hasFocus)$",
    "^(tabs|windows)\\.(get\\w*|query|captureVisibleTab|detectLanguage|duplicate)$",
    "^(storage\\.\\w+|localStorage|sessionStorage)\\.(getBytesInUse|key)$",
    "^downloads\\.cancel$",
    "^runtime\\.(getURL|getManifest|getPlatformInfo|openOptionsPage|reload)$",
    "^find\\.\\w+$|^devtools\\.panels\\.\\w+$",
    "^extension\\.(getURL|isAllowed\\w+)$|^(matchMedia|scrollTo|scrollBy|removeEventListener|clearTimeout|clearInterval)$",
    "(^|\\.)on[A-Z]\\w*\\.(removeListener|hasListener)$",
  ].join("|"),
);

/** Whether the value must not escape: its calls could not be tracked. */
export const isPowerful = (path: string): boolean =>
  POWERFUL.test(path) || /^(storage|runtime|tabs)\b.*\*/.test(path);

const POWERFUL =
  /^(browser|chrome|storage(\.(local|sync|managed|session)(\.set)?)?|localStorage(\.setItem)?|sessionStorage(\.setItem)?|indexedDB|fetch|navigator(\.sendBeacon)?|caches|XMLHttpRequest|WebSocket|EventSource|Worker|eval|Function|runtime(\.(sendMessage|connect|sendNativeMessage|connectNative))?|tabs(\.(sendMessage|connect|create|update|executeScript))?|windows(\.create)?|cookies(\.set)?|bookmarks(\.(create|update))?|history(\.addUrl)?|downloads(\.download)?|scripting(\.\w+)?|location\.(assign|replace))$/;

/** Creates code or injects it into pages at run time, or accesses variables of another page. */
export const MAKES_CODE =
  /^(eval|Function|document\.write(ln)?|(scripting|tabs|contentScripts)\.(executeScript|(register|update)ContentScripts|register)|userScripts\.(register|update|execute)|devtools\.inspectedWindow\.(eval|reload)|(runtime|extension)\.(getBackgroundPage|getViews|getExtensionTabs))$/;

/** Text that is code or contains code when shown as markup or opened. */
export const HAS_CODE =
  /<(script|iframe|frame|object|embed|base|form|link|meta|svg|math)\b|<[a-z][^>]*\son[a-z]+\s*=|^\s*javascript:(?!\s*(void\b|;|$))/i;
/** Contexts in which such text may become code. */
export const SHOWS_MARKUP =
  /HTML|\bsrcdoc\b|\bhref\b|\bsrc\b|\bdata\b|\baction\b|\blocation\b|\bopen\b|Attribute|Fragment|DOMParser|\bwrite|execCommand|\burl\b|\[/;

export const GLOBALS: ReadonlySet<string> = new Set(
  (
    "parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent encodeURI decodeURI String Number Boolean Array " +
    "Object Symbol BigInt Date RegExp Error Promise alert confirm prompt clearTimeout clearInterval structuredClone " +
    "cancelAnimationFrame getComputedStyle atob btoa super"
  ).split(" "),
);

/** Constructors of objects that only store their arguments. */
export const HOLDERS: ReadonlySet<string> = new Set(
  (
    "Map Set WeakMap WeakSet Date RegExp Error TypeError RangeError Array Object URL URLSearchParams Promise Event CustomEvent " +
    "FormData Blob File Headers Request Response AbortController TextEncoder TextDecoder Uint8Array Int32Array Float64Array " +
    "ArrayBuffer DataView Proxy EventEmitter EventTarget MessageChannel BroadcastChannel DOMParser MutationObserver " +
    "IntersectionObserver ResizeObserver XMLHttpRequest Number String Boolean FileReader WeakRef Option"
  ).split(" "),
);

/** Methods of built-in and DOM objects that do not retain their arguments. Any other method may. */
export const KEEPS_NOTHING: ReadonlySet<string> = new Set(
  (
    "includes indexOf lastIndexOf has get filter map flatMap find findIndex findLast some every forEach reduce " +
    "reduceRight join slice toSorted keys values entries at concat charAt charCodeAt startsWith endsWith " +
    "match matchAll test exec replace replaceAll split trim padStart padEnd repeat substring substr search localeCompare " +
    "toString toFixed toLowerCase toUpperCase toISOString getTime then catch finally " +
    "removeEventListener removeListener hasListener getElementById querySelector json text " +
    "querySelectorAll closest matches getAttribute preventDefault stopPropagation focus blur click remove contains observe unobserve disconnect takeRecords toLocaleTimeString toLocaleDateString toLocaleString select scrollIntoView nextNode previousNode cloneNode normalize " +
    "pause play load getBoundingClientRect hasAttribute removeAttribute toggleAttribute scroll scrollBy scrollTo stopImmediatePropagation"
  ).split(" "),
);

/** Methods that change their object: the remaining content reveals the argument. */
export const CHANGES: ReadonlySet<string> = new Set("delete clear shift pop sort reverse".split(" "));

/** Methods of lists and maps that stores and caches also have, which retain their arguments. */
export const MAY_KEEP: ReadonlySet<string> = new Set("add set push".split(" "));

/** Methods that only insert their arguments into their object. */
export const PUTS_INSIDE: ReadonlySet<string> = new Set(
  "push unshift add set append prepend splice fill concat appendChild replaceChildren replaceChild replaceWith before after insertBefore insertAdjacentElement insertAdjacentText".split(
    " ",
  ),
);

/** Whether setting a property or attribute fetches its value or shows it as markup; `path` ends with its name. */
export const isFetching = (path: string): boolean =>
  FETCHING.test(camelised(path.slice(path.lastIndexOf(".") + 1))) ||
  FETCHING_STYLE.test(path) ||
  NAVIGATING.test(path); // sound: test/languages/webextension/calls.test.ts

/** Converts `background-image` to `backgroundImage`. */
const camelised = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Whether a style property of this name can contain an address. */
export const isFetchingStyle = (name: string): boolean => STYLE_WITH_ADDRESS.test(camelised(name));
const STYLE_WITH_ADDRESS =
  /^(listStyle|cursor|content|mask\w*|filter|backdropFilter|clipPath|shapeOutside|offset\w*|[wW]ebkit\w*)$/;

const FETCHING =
  /^(src|srcset|imageSrcset|imagesrcset|lowsrc|baseVal|animVal|download|href|srcdoc|innerHTML|outerHTML|action|formaction|formAction|cssText|style|location|data|poster|ping|background|backgroundImage|listStyleImage|borderImage|borderImageSource|maskImage|on[a-z]+|xlink:href)$/;
/** All style properties except these, which cannot contain an address. */
const FETCHING_STYLE =
  /(^|\.)style\.(?!(align|animation|aspect|border(Radius|Color|Width|Style|Top|Left|Right|Bottom|Spacing|Collapse)?$|bottom|box|clear|color|column|display|direction|flex|float|font|gap|grid|height|inset|justify|left|letter|line|margin|max|min|opacity|order|outline|overflow|padding|pointer|position|resize|right|rotate|row|scale|scroll|table|text|top|transform|transition|translate|user|vertical|visibility|white|width|word|z|zoom|background(Color|Size|Position|Repeat|Clip|Origin|Attachment)$)[a-zA-Z-]*$)[^.]+$/;
const NAVIGATING = /^location\.(search|pathname|host|hostname|port|protocol)$/;

/** Parts of an address, as of a link. */
export const PART_OF_ADDRESS = /^(search|pathname|host|hostname|port|protocol|hash|username|password)$/;

/** Elements whose text or fields fetch: style sheets and redirects. */
export const MAKES_FETCHING_ELEMENT =
  /\bcreateElement(NS)?\([^)]*["'`](style|meta)["'`]|\b(querySelector(All)?|getElementsByTagName)\(\s*["'`][^"'`]*\b(style|meta)\b|\battributeStyleMap\b/i;
/** Elements whose fields are sent, and attributes changed as nodes. */
export const MAKES_SENT_FIELDS =
  /\bcreateElement(NS)?\([^)]*["'`]form["'`]|<form\b|\b(getAttributeNode\w*|createAttribute\w*|getNamedItem\w*)\b|\.attributes\b/i;
