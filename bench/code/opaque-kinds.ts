/** All kinds of objects that cannot be captured are detected, with the access path as a JavaScript expression. */
import { runInThisContext } from "node:vm";
import type { HeapRules } from "../../src/code/heap/index.js";
import { heapOf } from "../../test/code/heap/capturing.js";
import { checkText } from "../../test/code/system/small.js";
import type { Results } from "./table.js";

/** An expression, and the detected kind. */
type Kind = readonly [text: string, what: string];

/** Detected everywhere, including systems of nodes. */
const kinds: readonly Kind[] = [
  ["(function* () { yield 1; })()", "a suspended generator"],
  ["(async function* () { yield 1; })()", "a suspended generator"],
  ["new Promise(() => undefined)", "a promise"],
  ["(async () => { await new Promise(() => undefined); })()", "a promise"],
  ["[1].values()", "an iterator in progress"],
  ["new Map().entries()", "an iterator in progress"],
  ["new Set().values()", "an iterator in progress"],
  ['"abc"[Symbol.iterator]()', "an iterator in progress"],
  ['"abc".matchAll(/b/g)', "an iterator in progress"],
  ["(() => { let count = 0; return () => count++; })()", "a function that closes over count"],
  ["parseInt.bind(null)", "a bound function"],
  [
    "(() => { let found: unknown; new Promise((resolve) => { found = resolve; }); return found; })()",
    "a function of the engine that holds state",
  ],
  ["new Proxy({}, {})", "a proxy"],
  ["new SharedArrayBuffer(8)", "shared memory"],
];

/** In nodes, the bundler and the realm turn these into data; elsewhere they are detected. */
const untransformed: readonly Kind[] = [
  ["new (class { #secret = 1; reveal() { return this.#secret; } })()", "a class with private fields"],
  ["new WeakMap()", "a weak collection"],
  ["new WeakSet()", "a weak collection"],
  ["new WeakRef({})", "a WeakRef"],
  ["new FinalizationRegistry(() => undefined)", "a FinalizationRegistry"],
];

/** A statement that changes an object of the language, and that object. */
const patches: readonly Kind[] = [
  ["Array.prototype.at = () => 1", "globalThis.Array.prototype"],
  ["(Array.prototype as any).last = 1", "globalThis.Array.prototype"],
  ["Math.max = () => 1", "globalThis.Math"],
  ["Date.now = () => 1", "globalThis.Date"],
  ['Object.defineProperty(Map.prototype, "size", { get: () => 1 })', "globalThis.Map.prototype"],
  ["Object.setPrototypeOf(Set.prototype, null)", "globalThis.Set.prototype"],
  ["(RegExp.prototype[Symbol.split] as any).own = 1", "globalThis.RegExp.prototype[Symbol.split]"],
  ["(Object.getPrototypeOf([].values()) as any).own = 1", "Object.getPrototypeOf([][Symbol.iterator]())"],
];

const place = 'table.get("10.0.0.2").iter';

export async function opaqueKinds(results: Results, rules: HeapRules): Promise<void> {
  results.heading("AC-H9: what is no data is found, with the way to it: in a heap");
  for (const [text, what] of [...kinds, ...untransformed]) {
    const iter = runInThisContext(text.replace(": unknown", "")) as unknown;
    const found = heapOf({ table: new Map([["10.0.0.2", { iter }]]) }, rules).capture();
    const obtained = "what" in found ? `${found.what} at ${found.path}` : "captured";
    compare(results, text, `${what} at root.${place}`, obtained);
  }
  results.heading("AC-H9: in a node of a system");
  for (const [text, what] of kinds)
    compare(results, text, `${what} at node.${place}`, await keptBy(`this.${place} = ${text}`));
  results.heading("AC-H9: changes of the language itself, made by a node");
  for (const [text, where] of patches)
    compare(results, text, `a changed object of the language at ${where}`, await keptBy(text));
}

/** A private field is detected at its class, which is reached from there. */
function compare(results: Results, name: string, expected: string, obtained: string): void {
  const isBeyond = obtained === `${expected}.__proto__.constructor`;
  results.row(name, expected, obtained, obtained === expected || isBeyond);
}

/** The diagnosed object of a node after the statement. */
async function keptBy(statement: string): Promise<string> {
  const { diagnostics } = await checkText(`
    class Router { table = new Map<string, any>([["10.0.0.2", {}]]); isOn = false;
      start() { this.isOn = true; ${statement}; } }
    export default defineSystem<any>({ nodes: { a: () => new Router() }, actions: { go: { times: 1, run: (node) => node.start() } } });`);
  const found = diagnostics.find(({ code }) => code === "code/opaque-state");
  const said = "a is replayed, not captured: it keeps ";
  return found?.message.startsWith(said) ? found.message.slice(said.length) : (found?.message ?? "captured");
}
