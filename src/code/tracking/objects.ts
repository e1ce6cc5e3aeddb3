/** Objects and variables as shared locations. */
import type { World } from "../world/world.js";
import { isMarkedTracked } from "./promises.js";
import { Location, type Access, type Tracker } from "./tracker.js";

export class Objects {
  readonly world: World;
  readonly #tracker: Tracker;
  readonly #locations = new WeakMap<object, Location>();
  readonly #variables = new Map<number, Location>();
  /** Objects of the language. They are constant; changing one touches everything. */
  readonly #own = new WeakSet<object>();
  /** Iterators of collections: stepping one reads the collection. */
  readonly #behind = new WeakMap<object, object>();
  readonly #isTracked = new WeakMap<object, boolean>();
  readonly #isTrusted = new WeakMap<object, boolean>();

  constructor(tracker: Tracker, world: World) {
    this.#tracker = tracker;
    this.world = world;
    this.#collect();
  }

  read(value: unknown): void {
    if (!isObject(value)) return;
    // Its properties describe the last match of any expression.
    if (value === RegExp) this.markIncomplete("properties of RegExp"); // sound: test/code/reduction/hidden-reads.test.ts
    this.#touch(value, "read");
    for (let at = prototypeOf(value); at && !this.#own.has(at); at = prototypeOf(at)) this.#touch(at, "read");
  }

  write(value: unknown): void {
    if (!isObject(value)) return;
    if (this.#own.has(value)) return this.all();
    this.#touch(value, "write");
  }

  /** Reads all reachable objects. */
  deep(value: unknown): void {
    const queue: unknown[] = [value];
    const seen = new Set<unknown>();
    for (const at of queue) {
      if (!isObject(at) || seen.has(at) || this.#own.has(at)) continue;
      seen.add(at);
      if (seen.size > MOST_READ) return this.all();
      this.read(at);
      // May be an untracked conversion method.
      if (!this.isTracked(at)) return this.all(); // sound: test/code/reduction/natives.test.ts
      for (const key of Reflect.ownKeys(at)) {
        const property = Reflect.getOwnPropertyDescriptor(at, key);
        if (property?.get) return this.all();
        queue.push(property?.value);
      }
      if (at instanceof Map) for (const [key, inner] of mapEntries(at)) queue.push(key, inner);
      else if (at instanceof Set) queue.push(...setValues(at));
    }
  }

  iterate(value: unknown): void {
    if (!isObject(value)) return;
    const step = (value as Partial<Iterable<unknown>>)[Symbol.iterator];
    if (step && !this.isTracked(step) && !this.#own.has(step)) this.all(); // sound: test/code/reduction/natives.test.ts
    const isCollection =
      Array.isArray(value) || value instanceof Map || value instanceof Set || ArrayBuffer.isView(value);
    if (isCollection) this.read(value);
    else this.write(value);
  }

  variable(frame: number, number: number, how: Access): void {
    const key = frame * MOST_VARIABLES + number;
    let location = this.#variables.get(key);
    if (!location) this.#variables.set(key, (location = new Location()));
    this.#tracker.touch(location, how);
  }

  all = (): void => this.#tracker.touchAll();
  markIncomplete = (what: string): void => this.#tracker.markIncomplete(what);

  made(iterator: unknown, collection: unknown): void {
    if (isObject(iterator) && isObject(collection)) this.#behind.set(iterator, collection);
  }

  /** Whether the function reports its accesses itself. */
  isTracked(fn: unknown): boolean {
    if (typeof fn !== "function") return true;
    let isTracked = this.#isTracked.get(fn);
    if (isTracked === undefined) {
      isTracked = isMarkedTracked(fn) || toText.call(fn).includes("/*everypath");
      this.#isTracked.set(fn, isTracked);
    }
    return isTracked;
  }

  /** Whether it belongs to the checker and reports to the world. */
  isTrusted(fn: object): boolean {
    let isTrusted = this.#isTrusted.get(fn);
    if (isTrusted === undefined) {
      isTrusted = toText.call(fn).includes("/*everypath's*/");
      this.#isTrusted.set(fn, isTrusted);
    }
    return isTrusted;
  }

  #touch(value: object, how: Access): void {
    if (this.#own.has(value)) return;
    // Views of one buffer share a location.
    const thing = ArrayBuffer.isView(value) ? value.buffer : value;
    let location = this.#locations.get(thing);
    if (!location) this.#locations.set(thing, (location = new Location()));
    this.#tracker.touch(location, how);
    const behind = this.#behind.get(value);
    if (behind) this.#touch(behind, "read");
  }

  #collect(): void {
    const queue: unknown[] = Object.getOwnPropertyNames(globalThis)
      // Refuses inspection.
      .filter((name) => name !== "WebAssembly")
      .map((name) => Object.getOwnPropertyDescriptor(globalThis, name)?.value as unknown);
    queue.push(console, process, this.world);
    queue.push(prototypeOf((function* () {})()), prototypeOf([][Symbol.iterator]()), prototypeOf(Uint8Array));
    queue.push(
      prototypeOf(new Map().entries()),
      prototypeOf(new Set().values()),
      prototypeOf(""[Symbol.iterator]()),
    );
    queue.push(
      prototypeOf(async () => {}),
      prototypeOf(async function* () {}),
      prototypeOf(/./[Symbol.matchAll]("")),
    );
    for (const value of queue) {
      if (!isObject(value) || value === globalThis || this.#own.has(value)) continue;
      this.#own.add(value);
      queue.push(prototypeOf(value));
      for (const key of Reflect.ownKeys(value)) {
        const property = Reflect.getOwnPropertyDescriptor(value, key);
        queue.push(property?.value, property?.get, property?.set);
      }
    }
  }
}

const MOST_READ = 10_000;
/** More than any script has. */
const MOST_VARIABLES = 1 << 20;

export const isObject = (value: unknown): value is object =>
  (typeof value === "object" && value !== null) || typeof value === "function";

const prototypeOf = (value: object): object | null => Reflect.getPrototypeOf(value);
const toText = Function.prototype.toString;
const mapEntries = (map: Map<unknown, unknown>): [unknown, unknown][] =>
  [...Map.prototype.entries.call(map)] as never;
const setValues = (set: Set<unknown>): unknown[] => [...Set.prototype.values.call(set)] as unknown[];
