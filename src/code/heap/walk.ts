/**
 * One traversal of a heap from its roots: its objects, their images, and their ids, which are hashes of access chains.
 */
import { Opaque, isNode, type Image } from "./image.js";
import { Mixer } from "./lanes.js";
import { accessExpression } from "./path.js";
import { IGNORED, type HeapRules } from "./rules.js";

export class Walk {
  readonly objects: (object | symbol)[] = [];
  readonly images: Image[] = [];
  readonly idLow: number[] = [];
  readonly idHigh: number[] = [];
  readonly places = new Map<object | symbol, number>();
  /** Objects from here on are reached only through ignored fields. */
  counted = 0;
  readonly #parents: number[] = [];
  readonly #labels: string[] = [];
  readonly #rules: HeapRules;
  /** An earlier traversal, many of whose ids are still valid. */
  #before: Walk | undefined;
  readonly #mixer = new Mixer();
  /** Ignored fields whose targets are captured last. */
  readonly #aside: { readonly parent: number; readonly label: string; readonly value: object | symbol }[] =
    [];

  constructor(rules: HeapRules, before: Walk | undefined) {
    this.#rules = rules;
    this.#before = before;
  }

  run(
    root: object,
    rootImage: Image,
    read: (object: object | symbol) => Image | Opaque,
  ): OpaqueState | undefined {
    this.#add(root, -1, "");
    this.images.push(rootImage);
    for (let head = 0; head < this.objects.length || this.#takeAside(head); head++) {
      if (head > 0) {
        const image = read(this.objects[head]!);
        if (image instanceof Opaque) return { what: image.what, path: accessExpression(this.labelsTo(head)) }; // sound: test/code/heap/conditions.test.ts
        this.images.push(image);
      }
      this.#follow(head);
    }
    if (this.counted === 0) this.counted = this.objects.length;
    this.#before = undefined;
    return undefined;
  }

  labelsTo(place: number): string[] {
    const labels: string[] = [];
    for (let at = place; at > 0; at = this.#parents[at]!) labels.push(this.#labels[at]!);
    return labels.reverse();
  }

  /** The fields that count, abstracted. */
  eachCounted(place: number, take: (label: string, value: unknown) => void): void {
    const { labels, values } = this.images[place]!;
    const abstraction = this.#rules.abstraction;
    const path = abstraction ? this.labelsTo(place) : undefined;
    for (let i = 0; i < labels.length; i++) {
      const value = abstraction ? abstraction([...path!, labels[i]!], values[i]) : values[i];
      if (value !== IGNORED) take(labels[i]!, value); // sound: test/code/heap/conditions.test.ts
    }
  }

  #follow(place: number): void {
    const { labels, values } = this.images[place]!;
    const abstraction = this.#rules.abstraction;
    const path = abstraction && this.counted === 0 ? this.labelsTo(place) : undefined;
    for (let i = 0; i < labels.length; i++) {
      const value = values[i];
      if (!isNode(value) || this.#rules.intrinsics.has(value as object)) continue; // sound: test/code/heap/conditions.test.ts
      if (path && abstraction!([...path, labels[i]!], value) !== value)
        // sound: test/code/heap/conditions.test.ts
        this.#aside.push({ parent: place, label: labels[i]!, value });
      else if (!this.places.has(value)) this.#add(value, place, labels[i]!); // sound: test/code/heap/conditions.test.ts
    }
  }

  /** Continues with objects reachable only through ignored fields. */
  #takeAside(reached: number): boolean {
    if (this.counted === 0) this.counted = reached;
    for (const { parent, label, value } of this.#aside.splice(0))
      if (!this.places.has(value)) this.#add(value, parent, label);
    return reached < this.objects.length;
  }

  #add(object: object | symbol, parent: number, label: string): void {
    const place = this.objects.length;
    const before = this.#before;
    if (before && before.#isLike(this, place, parent, label)) {
      this.idLow.push(before.idLow[place]!);
      this.idHigh.push(before.idHigh[place]!);
    } else {
      const mixer = this.#mixer;
      mixer.start(parent < 0 ? 1 : this.idLow[parent]!);
      mixer.word(parent < 0 ? 1 : this.idHigh[parent]!);
      mixer.text(label);
      mixer.finish();
      this.idLow.push(mixer.a);
      this.idHigh.push(mixer.b);
    }
    this.places.set(object, place);
    this.objects.push(object);
    this.#parents.push(parent);
    this.#labels.push(label);
  }

  /** Whether the id, a function of the label and the parent's id, is the same there. */
  #isLike(other: Walk, place: number, parent: number, label: string): boolean {
    if (this.#labels[place] !== label || this.#parents[place] !== parent) return false; // sound: test/code/heap/conditions.test.ts
    return isSameId(this, other, parent); // sound: test/code/heap/conditions.test.ts
  }
}

/** Also correct for the root, which has no parent. */
const isSameId = (a: Walk, b: Walk, place: number): boolean =>
  a.idLow[place] === b.idLow[place] && a.idHigh[place] === b.idHigh[place];

/** State that is not data: a suspended function, a closure. */
export interface OpaqueState {
  readonly what: string;
  /** Access path, as a JavaScript expression. */
  readonly path: string;
}
