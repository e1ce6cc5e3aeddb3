/**
 * Capture rules of one realm: intrinsics (objects of JavaScript itself), and objects that are not data.
 *
 * Created before any program runs in the realm. `patched` detects later changes to intrinsics.
 */
import { types } from "node:util";
import type { CodeInspector } from "./code-inspector.js";
import { Opaque, isDetached, isNode, readImage, sameImage, type Image } from "./image.js";
import { intrinsicsOf } from "./intrinsics.js";
import type { HeapRules, WeakEntries } from "./rules.js";
import { tagOf } from "./tag.js";

export interface RealmRules extends HeapRules {
  /** Names of the global object before any program ran. */
  readonly globalNames: readonly string[];
  /** Excludes an object and the objects in its enumerable fields, transitively, from the program's state. Does not descend into functions. */
  exempt(value: unknown, name: string): void;
  /** The first changed intrinsic, as a JavaScript expression. */
  patched(): string | undefined;
}

export interface RealmRulesOptions {
  readonly inspector: CodeInspector;
  readonly weak?: WeakEntries;
  readonly sortsKeys?: boolean;
  readonly abstraction?: HeapRules["abstraction"];
  /** Objects that the checker added to the realm, by name; not part of the program's state. */
  readonly own?: ReadonlyMap<object, string>;
  readonly hidden?: readonly object[];
  /** Whether `patched` will be called. Recording the intrinsics takes a few milliseconds. */
  readonly watchesIntrinsics?: boolean;
}

export function realmRules(global: object, options: RealmRulesOptions): RealmRules {
  const {
    inspector,
    weak,
    sortsKeys = false,
    abstraction,
    own = new Map<object, string>(),
    hidden = [],
    watchesIntrinsics = true,
  } = options;
  const intrinsics = new Map([...own, ...intrinsicsOf(global, hidden)]);
  const bare: HeapRules = { intrinsics, opaque: () => undefined, codeOf: () => "" };
  const images = new Map<object, Image>();
  const transparent = new WeakSet();
  for (const [object, name] of watchesIntrinsics ? intrinsics : []) {
    // The checker's objects in the realm change with every step.
    const isOurs =
      object === global ||
      own.has(object) ||
      name.includes('[Symbol.for("everypath.') ||
      types.isProxy(object);
    const image = isOurs ? undefined : readImage(object, bare);
    if (image && !(image instanceof Opaque)) images.set(object, image);
  }
  return {
    intrinsics,
    globalNames: Object.getOwnPropertyNames(global),
    weak,
    sortsKeys,
    abstraction,
    opaque: (value) => {
      // An object's kind is constant, except that a buffer can be detached.
      if (transparent.has(value)) return undefined;
      const reason = opaqueReason(value, inspector);
      if (reason === undefined && !types.isArrayBuffer(value)) transparent.add(value); // sound: test/code/heap/conditions.test.ts
      return reason;
    },
    codeOf: (value) => inspector.factsOf(value).location,
    exempt: (value, name) => exempt(value, name, intrinsics),
    patched: () => {
      for (const [object, image] of images) {
        const now = readImage(object, bare);
        if (now instanceof Opaque || !sameImage(image, now)) return intrinsics.get(object);
      }
      return undefined;
    },
  };
}

function exempt(value: unknown, name: string, intrinsics: Map<object, string>): void {
  if (!isNode(value) || typeof value === "symbol" || intrinsics.has(value)) return;
  intrinsics.set(value, name);
  if (typeof value === "function") return;
  for (const key of Object.keys(value))
    exempt((value as Record<string, unknown>)[key], `${name}.${key}`, intrinsics);
}

function opaqueReason(value: object, inspector: CodeInspector): string | undefined {
  if (types.isProxy(value)) return "a proxy";
  if (typeof value === "function") return opaqueFunction(value, inspector);
  if (isTemplate(value)) return "the strings of a tagged template, which belong to the code";
  if (types.isPromise(value)) return "a promise";
  if (types.isGeneratorObject(value)) return "a suspended generator";
  if (types.isMapIterator(value) || types.isSetIterator(value)) return "an iterator in progress";
  if (types.isWeakMap(value) || types.isWeakSet(value)) return "a weak collection";
  if (types.isSharedArrayBuffer(value)) return "shared memory";
  if (types.isArrayBuffer(value)) return opaqueBuffer(value);
  if (types.isExternal(value) || types.isModuleNamespaceObject(value)) return "an object of the host";
  const tag = tagOf(value) ?? "";
  if (HOST_TAGS.has(tag)) return tag.endsWith("Iterator") ? "an iterator in progress" : `a ${tag}`;
  return undefined;
}

function opaqueBuffer(buffer: ArrayBuffer & { readonly resizable?: boolean }): string | undefined {
  if (buffer.resizable === true) return "a buffer that can be resized"; // sound: test/code/heap/conditions.test.ts
  return isDetached(buffer) ? "a buffer that is detached" : undefined; // sound: test/code/heap/conditions.test.ts
}

/** The array passed to a template tag: one per source position, recreated by running the code. */
export function isTemplate(value: object): boolean {
  if (!Array.isArray(value) || !Object.isFrozen(value)) return false;
  const raw = Reflect.getOwnPropertyDescriptor(value, "raw");
  return raw !== undefined && !raw.enumerable && Array.isArray(raw.value);
}

const HOST_TAGS = new Set([
  "Array Iterator",
  "String Iterator",
  "RegExp String Iterator",
  "WeakRef",
  "FinalizationRegistry",
  "AsyncGenerator",
  "Iterator Helper",
  "Async Iterator Helper",
  "Wrap For Valid Iterator",
  "Segmenter String Iterator",
  "DisposableStack",
  "AsyncDisposableStack",
]);

function opaqueFunction(code: object, inspector: CodeInspector): string | undefined {
  const { captured, isBound, script } = inspector.factsOf(code);
  if (isBound) return "a bound function";
  if (captured.length > 0) return `a function that closes over ${captured.join(", ")}`;
  // Not an intrinsic, so created at run time, such as a promise's `resolve`.
  if (script === undefined) return "a function of the engine that holds state";
  const text = sourceOf.call(code as () => void);
  // Private names that the bundler did not lower are accessible only to the class itself.
  if (/^class\b/.test(text) && /(?:^|[^\w$"'`&])#[A-Za-z_$]/.test(text)) return "a class with private fields";
  const isArrow = !Object.hasOwn(code, "prototype") && /^(?:async\s*)?(?:\([^]*?\)|[\w$]+)\s*=>/.test(text);
  return isArrow && /\b(?:this|super|arguments)\b/.test(withoutTexts(text))
    ? "a function that closes over this"
    : undefined;
}

/** Removes string literals. Does nothing if there is a slash or a template, in which quotes may not delimit strings. */
const withoutTexts = (code: string): string =>
  /[/`]/.test(code) ? code : code.replace(/(["'])(?:\\[^]|(?!\1)[^\\])*\1/g, '""');

const sourceOf = Function.prototype.toString as (this: () => void) => string;
