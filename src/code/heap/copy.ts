/**
 * Copies of a snapshot for conditions: a frozen copy of the graph with the same prototypes, so that methods work on it.
 * Uses the realm's code and prototypes, and is created in the realm.
 *
 * Freezing does not protect bytes of buffers, contents of maps, sets and dates, and entries of weak maps (private
 * fields); these are compared instead.
 */
import { types } from "node:util";
import { pathsOf } from "./fields.js";
import { isNode, readHeld, sameImage, settled, type Image } from "./image.js";
import type { Entry, Snapshot } from "./live-heap.js";
import type { HeapRules } from "./rules.js";
import { emptyLike, type Makers } from "./makers.js";
import { writeImage } from "./write.js";
import { nth, entryOf } from "../../model/known.js";

export interface Copies {
  readonly roots: readonly unknown[];
  /** Path of the first changed copy; undefined: none. */
  changed(): string | undefined;
}

export function copyRoots(snapshot: Snapshot, rules: HeapRules, makers: Makers): Copies {
  const copies = new Map<unknown, object | symbol>();
  const copied: Entry[] = [];
  const at = (value: unknown): unknown => copies.get(value) ?? value;
  const weakMaps = weakMapsIn(snapshot);
  const isShared = ({ object, image }: Entry): boolean => isCode(object, image) || weakMaps.has(object);
  const entries = snapshot.entries.slice(1).filter((entry) => !isShared(entry));
  for (const isView of [false, true])
    for (const entry of entries) {
      if ((entry.image.kind === "view") !== isView) continue;
      const buffer = isView ? at(bufferOf(entry.image)) : undefined;
      copies.set(entry.object, emptyLike(entry.object, entry.image, makers, buffer));
      copied.push(entry);
    }
  for (const { object, image } of copied) writeImage(entryOf(copies, object), image, rules, at);
  for (const copy of copies.values()) if (typeof copy !== "symbol") protect(copy, makers);
  const watched = copied.map(({ object }) => new Watched(copies.get(object) as object, rules));
  return {
    roots: nth(snapshot.entries, 0).image.values.map(at),
    changed: () => {
      const place = watched.findIndex((copy) => copy.isChanged(rules));
      if (place < 0) return undefined;
      return pathsOf(snapshot)[snapshot.entries.indexOf(nth(copied, place))] ?? "";
    },
  };
}

/** A copy with its original contents; most objects have none that can change. */
class Watched {
  readonly #copy: object;
  readonly #held: Image | undefined;

  constructor(copy: object, rules: HeapRules) {
    this.#copy = copy;
    const held = readHeld(copy, rules);
    if (HOLDING.has(held.kind) || held.labels.length > 0) this.#held = settled(held);
  }

  isChanged(rules: HeapRules): boolean {
    if (this.#held) return !sameImage(this.#held, readHeld(this.#copy, rules)); // sound: test/code/system/looking.test.ts
    return (rules.weak?.entriesOf(this.#copy) ?? []).length > 0; // sound: test/code/system/looking.test.ts
  }
}

const HOLDING: ReadonlySet<Image["kind"]> = new Set(["map", "set", "date", "buffer"]);

const bufferOf = ({ labels, values }: Image): unknown => values[labels.indexOf("buffer")];

/** A weak map's entries are stored with its keys, so copies of keys are found under the same map. */
const weakMapsIn = ({ entries }: Snapshot): ReadonlySet<unknown> =>
  new Set(
    entries.flatMap(({ image: { labels, values } }) =>
      values.filter((_, i) => nth(labels, i).startsWith("wm")),
    ),
  );

/** Functions, and prototypes of classes. */
function isCode(object: object | symbol, { kind }: Image): boolean {
  if (kind === "function" || kind === "symbol") return true;
  const maker = Reflect.getOwnPropertyDescriptor(object as object, "constructor")?.value as unknown;
  return typeof maker === "function" && (maker as { prototype?: unknown }).prototype === object;
}

function protect(copy: object, { refuse }: Makers): void {
  if (types.isMap(copy) || types.isSet(copy) || types.isDate(copy))
    for (const name of mutators(copy)) Object.defineProperty(copy, name, { value: refuse });
  // Elements of typed arrays cannot be frozen.
  if (isNode(copy) && !ArrayBuffer.isView(copy)) Object.freeze(copy);
}

function mutators(copy: object): readonly string[] {
  if (types.isDate(copy))
    return Reflect.ownKeys(Date.prototype).filter((key): key is string => String(key).startsWith("set"));
  return ["set", "add", "delete", "clear"];
}
