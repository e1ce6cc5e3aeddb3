/**
 * The heap of one realm: captured into snapshots, hashed canonically, and restored in place.
 *
 * Capture traverses breadth-first from the roots, so that every object is found along its access chain; an object's id
 * is a hash of that chain, and so equal in every run (`graph.ts` has the language-independent algorithm). Rehashes only
 * objects whose image or chain changed since the last capture or restore, and objects that point to them, because a
 * pointer's image is the id of its target.
 *
 * Always true: `current` describes the live objects, or omits them; hashes belong to the snapshot rather than the
 * object, so that restoring an earlier state cannot leave a wrong hash; anything that cannot be captured is reported.
 */
import type { CaptureAudit } from "./audit.js";
import { Opaque, isNode, readImage, sameImage, settled, type Image } from "./image.js";
import { Mixer } from "./lanes.js";
import { accessExpression } from "./path.js";
import type { HeapRules } from "./rules.js";
import { Walk, type OpaqueState } from "./walk.js";
import { writeImage } from "./write.js";
import { nth } from "../../model/known.js";

/** Roots: module bindings, globals, the node itself. */
export interface Roots {
  read(): { readonly names: readonly string[]; readonly values: readonly unknown[] };
  /** Restores roots returned by `read`. */
  write(names: readonly string[], values: readonly unknown[]): void;
}

/** One object in one state. Shared by all states with the same object, chain and targets. */
export interface Entry {
  readonly object: object | symbol;
  readonly image: Image;
  /** Hash of the access chain. */
  readonly idLow: number;
  readonly idHigh: number;
  /** Hash of the canonical image; undefined if only ignored fields lead to the object. */
  readonly hash: readonly [number, number, number, number] | undefined;
}

export interface Snapshot {
  /** In order of access chains, the roots first. */
  readonly entries: readonly Entry[];
  /** Canonical: equal for indistinguishable states. */
  readonly signature: string;
}

export interface HeapFigures {
  captures: number;
  objects: number;
  hashed: number;
}

export interface LiveHeapOptions {
  readonly hash?: "incremental" | "full" | undefined;
  /** Whether the object still equals its last image. Tests of the audit override `sameImage`. */
  isSame?(known: Image, image: Image, object: object | symbol): boolean;
}

export class LiveHeap {
  /** Compares every capture of every heap with a full one; absent: no comparison. */
  static audit: CaptureAudit | undefined;
  readonly figures: HeapFigures = { captures: 0, objects: 0, hashed: 0 };
  readonly #roots: Roots;
  readonly #rules: HeapRules;
  readonly #isIncremental: boolean;
  readonly #isSame: NonNullable<LiveHeapOptions["isSame"]>;
  /** Represents the roots. */
  readonly #rootObject = {};
  /** Entries of the live objects; a missing one is unknown. */
  readonly #current = new Map<object | symbol, Entry>();
  readonly #mixer = new Mixer();
  #last: Snapshot | undefined;
  /** The last traversal: most objects keep their position. */
  #walk: Walk | undefined;

  constructor(roots: Roots, rules: HeapRules, { hash, isSame = sameImage }: LiveHeapOptions = {}) {
    this.#roots = roots;
    this.#rules = rules;
    this.#isIncremental = hash !== "full";
    this.#isSame = isSame;
  }

  capture(): Snapshot | OpaqueState {
    const captured = this.#capture();
    if (LiveHeap.audit && this.#isIncremental && "entries" in captured) this.#audit(LiveHeap.audit, captured);
    return captured;
  }

  #capture(): Snapshot | OpaqueState {
    const walk = new Walk(this.#rules, this.#isIncremental ? this.#walk : undefined);
    const problem = walk.run(this.#rootObject, this.#readRoots(), (object) => this.#read(object));
    if (problem) {
      this.invalidate();
      return problem;
    }
    const known = walk.objects.map((object) => this.#current.get(object));
    const snapshot = this.#seal(walk, known);
    this.#forgetUnreached(walk);
    snapshot.entries.forEach((entry, place) => {
      if (entry !== known[place]) this.#current.set(entry.object, entry); // sound: test/code/heap/conditions.test.ts
    });
    this.#last = snapshot;
    this.#walk = walk;
    return snapshot;
  }

  /** Writes the snapshot into the live objects; returns an object that cannot be written, if any. */
  restore(snapshot: Snapshot): OpaqueState | undefined {
    for (const [index, entry] of snapshot.entries.entries()) {
      const now = this.#current.get(entry.object);
      if (now !== entry && now?.image !== entry.image && !this.#write(entry)) {
        // sound: test/code/heap/conditions.test.ts
        this.invalidate();
        return {
          what: "a change that the language does not allow to take back",
          path: pathIn(snapshot, index),
        };
      }
      this.#current.set(entry.object, entry);
    }
    this.#last = snapshot;
    return undefined;
  }

  /** Whether the heap equals the last capture or restore. Also updates the known state. */
  isUntouched(): boolean {
    const last = this.#last;
    if (!last) return true;
    const now = this.capture();
    return "signature" in now && now.signature === last.signature; // sound: test/code/system/looking.test.ts
  }

  /** Forgets the live objects, after an interrupted step. */
  invalidate(): void {
    this.#current.clear();
    this.#last = undefined;
    this.#walk = undefined;
  }

  #audit(audit: CaptureAudit, captured: Snapshot): void {
    const nothing = new LiveHeap(this.#roots, this.#rules, { hash: "full" });
    const full = nothing.capture();
    if (!("entries" in full)) throw new Error(`a capture missed ${full.what} at ${full.path}`);
    // Each heap has a separate root object.
    const [root, ...entries] = full.entries;
    const same = { ...full, entries: [{ ...root!, object: this.#rootObject }, ...entries] };
    audit.compare(captured, same, (place) => pathIn(full, place));
  }

  #readRoots(): Image {
    const { names, values } = this.#roots.read();
    const labels = names.map((name) => `.${name}`);
    const image: Image = { kind: "roots", tag: "", labels, values, bytes: undefined };
    const known = this.#current.get(this.#rootObject)?.image;
    return known && sameImage(known, image) ? known : image; // sound: test/code/heap/conditions.test.ts
  }

  /** The known image, if it is still valid. */
  #read(object: object | symbol): Image | Opaque {
    const image = readImage(object, this.#rules);
    if (image instanceof Opaque) return image;
    const known = this.#current.get(object)?.image;
    return known && this.#isSame(known, image, object) ? known : settled(image); // sound: test/code/heap/conditions.test.ts
  }

  #write({ object, image }: Entry): boolean {
    if (object !== this.#rootObject) return writeImage(object, image, this.#rules);
    const names = image.labels.map((label) => label.slice(1));
    this.#roots.write(names, image.values);
    return true;
  }

  /** Objects that are no longer reached may have changed before. */
  #forgetUnreached(walk: Walk): void {
    this.#last?.entries.forEach(({ object }, place) => {
      if (object !== walk.objects[place] && !walk.places.has(object)) this.#current.delete(object); // sound: test/code/heap/conditions.test.ts
    });
  }

  #seal(walk: Walk, known: readonly (Entry | undefined)[]): Snapshot {
    const { objects, images } = walk;
    const isInPlace = known.every((entry, place) => entry && isAt(entry, walk, place)); // sound: test/code/heap/conditions.test.ts
    let [a, b, c, d] = [0, 0, 0, 0];
    const entries = objects.map((object, index): Entry => {
      const old = this.#isIncremental ? known[index] : undefined;
      const entry =
        old && this.#isUnchanged(old, walk, index, isInPlace) ? old : this.#hash(walk, object, index); // sound: test/code/heap/conditions.test.ts
      // sound: test/code/heap/conditions.test.ts
      if (entry.hash) {
        a = (a + entry.hash[0]) | 0;
        b = (b + entry.hash[1]) | 0;
        c = (c + entry.hash[2]) | 0;
        d = (d + entry.hash[3]) | 0;
      }
      return entry;
    });
    this.figures.captures++;
    this.figures.objects += images.length;
    return { entries, signature: [a, b, c, d].map((lane) => (lane >>> 0).toString(36)).join(".") };
  }

  /** Same image, position and ids of its targets; `isInPlace`: all objects kept their positions. */
  #isUnchanged(old: Entry, walk: Walk, index: number, isInPlace: boolean): boolean {
    if (old.image !== walk.images[index] || !isAt(old, walk, index)) return false; // sound: test/code/heap/conditions.test.ts
    // Whether a field counts may depend on its path and value, which are the same.
    if ((old.hash !== undefined) !== index < walk.counted) return false; // sound: test/code/heap/conditions.test.ts
    if (isInPlace) return true; // sound: test/code/heap/conditions.test.ts
    for (const value of old.image.values) {
      const place = walk.places.get(value as object);
      if (place === undefined) continue; // sound: test/code/heap/conditions.test.ts
      const target = this.#current.get(value as object);
      if (!target || !isAt(target, walk, place)) return false; // sound: test/code/heap/conditions.test.ts
    }
    return true;
  }

  #hash(walk: Walk, object: object | symbol, index: number): Entry {
    const image = nth(walk.images, index);
    const [idLow, idHigh] = [nth(walk.idLow, index), nth(walk.idHigh, index)];
    if (index >= walk.counted) return { object, image, idLow, idHigh, hash: undefined }; // sound: test/code/heap/conditions.test.ts
    this.figures.hashed++;
    const mixer = this.#mixer;
    mixer.start(idLow);
    mixer.word(idHigh);
    mixer.text(image.kind); // sound: test/code/heap/conditions.test.ts
    mixer.text(image.tag); // sound: test/code/heap/conditions.test.ts
    if (image.kind === "function") mixer.text(this.#rules.codeOf(object as object)); // sound: test/code/heap/conditions.test.ts
    if (image.bytes) mixer.bytes(image.bytes); // sound: test/code/heap/conditions.test.ts
    walk.eachCounted(index, (label, value) => this.#mixField(walk, label, value));
    mixer.finish();
    return { object, image, idLow, idHigh, hash: [mixer.a, mixer.b, mixer.c, mixer.d] };
  }

  #mixField(walk: Walk, label: string, value: unknown): void {
    const mixer = this.#mixer;
    mixer.text(label); // sound: test/code/heap/conditions.test.ts
    const place = isNode(value) ? walk.places.get(value) : undefined;
    // sound: test/code/heap/conditions.test.ts
    if (place !== undefined) {
      mixer.word(nth(walk.idLow, place));
      mixer.word(nth(walk.idHigh, place));
    } else mixAtom(mixer, value, this.#rules);
  }
}

const isAt = ({ idLow, idHigh }: Entry, walk: Walk, place: number): boolean =>
  idLow === walk.idLow[place] && idHigh === walk.idHigh[place];

function mixAtom(mixer: Mixer, value: unknown, { intrinsics }: HeapRules): void {
  mixer.text(typeof value); // sound: test/code/heap/conditions.test.ts
  if (typeof value === "number")
    mixer.float(value); // sound: test/code/heap/conditions.test.ts
  else if (isNode(value))
    mixer.text(intrinsics.get(value as object) ?? "?"); // sound: test/code/heap/conditions.test.ts
  else {
    // Distinguishes `Symbol.for("Symbol.iterator")`, which has the same text as a well-known symbol.
    if (typeof value === "symbol") mixer.text(Symbol.keyFor(value) ?? ""); // sound: test/code/heap/conditions.test.ts
    mixer.text(String(value));
  }
}

/** Access path of an object, reconstructed from the images. */
function pathIn(snapshot: Snapshot, wanted: number): string {
  const places = new Map(snapshot.entries.map(({ object }, place) => [object as unknown, place]));
  const found: (readonly string[])[] = [[]];
  for (const [place, { image }] of snapshot.entries.entries()) {
    if (place === wanted || !found[place]) break;
    image.values.forEach((value, index) => {
      const target = places.get(value);
      if (target !== undefined) found[target] ??= [...nth(found, place), nth(image.labels, index)];
    });
  }
  return accessExpression(found[wanted] ?? []);
}
