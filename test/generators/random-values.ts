/**
 * Random pairs of values for assertions: all kinds of the language and of Node, nested, cyclic, often nearly equal.
 * Made from a seed with the given classes, so that the same pair can be created with Node's classes and with a realm's.
 */
import { Random } from "./random-draws.js";

export interface Classes {
  readonly URL: new (text: string) => object;
  readonly URLSearchParams: new (text: string) => object;
  readonly Headers: new (init: Record<string, string>) => object;
  readonly Buffer: { from(text: string): object };
  /** `expect`, for its asymmetric matchers. */
  readonly expect: Matchers;
}

export interface Matchers {
  anything(): unknown;
  any(type: unknown): unknown;
  objectContaining(part: object): unknown;
  arrayContaining(part: unknown[]): unknown;
  stringContaining(part: string): unknown;
  stringMatching(pattern: RegExp): unknown;
  closeTo(value: number, digits?: number): unknown;
  readonly not: Omit<Matchers, "anything" | "any" | "not">;
}

class Point {
  x: unknown;
  constructor(x: unknown) {
    this.x = x;
  }
}
class Other extends Point {}
class Coded extends Error {
  code: unknown;
  constructor(message: string, code: unknown) {
    super(message);
    this.code = code;
  }
}
const mark = Symbol("mark");
const shared = { same: true };

/** Two values that differ in few places, if at all. `matches`: the second may contain asymmetric matchers. */
export function randomPair(seed: number, classes: Classes, matches: boolean): [unknown, unknown] {
  const shape = new Random(seed);
  const depth = shape.below(4);
  const isMutated = shape.chance(2);
  const first = new Maker(new Random(seed + 1), undefined, classes, false).value(depth);
  // Equal draws make equal values; occasional mutated draws make similar ones.
  const spoil = isMutated ? new Random(seed + 2) : undefined;
  const second = shape.chance(12)
    ? new Maker(new Random(seed + 3), undefined, classes, matches).value(depth)
    : new Maker(new Random(seed + 1), spoil, classes, matches).value(depth);
  return [first, second];
}

class Maker {
  readonly #random: Random;
  readonly #spoil: Random | undefined;
  readonly #classes: Classes;
  readonly #matches: boolean;
  readonly #above: object[] = [];

  constructor(random: Random, spoil: Random | undefined, classes: Classes, matches: boolean) {
    this.#random = random;
    this.#spoil = spoil;
    this.#classes = classes;
    this.#matches = matches;
  }

  /** A draw that is occasionally mutated in the second value. */
  #draw(options: number): number {
    const drawn = this.#random.below(options);
    return this.#spoil?.chance(8) ? this.#spoil.below(options) : drawn;
  }

  value(depth: number): unknown {
    const isLeaf = depth === 0 || this.#random.chance(5);
    const value = isLeaf ? this.#leaf() : this.#inner(depth - 1);
    if (this.#matches && this.#spoil?.chance(6)) return this.#matcher(value);
    return value;
  }

  #leaf(): unknown {
    const n = this.#draw(3);
    const { URL, URLSearchParams, Headers, Buffer } = this.#classes;
    const makers: (() => unknown)[] = [
      () => n,
      () => [0, -0, NaN][n],
      () => ["", "a", "1"][n],
      () => [true, false, 1][n],
      () => [null, undefined, 0][n],
      () => [1n, 2n, 1][n],
      () => [mark, Symbol.for("a"), Symbol.iterator][n],
      () => new Date([0, 1, NaN][n]!),
      () => [/a/g, /a/, /b/g][n],
      () => Object.assign(/a/g, { lastIndex: n }),
      () => new Error(["a", "b", "a"][n]),
      () => new [Error, TypeError, RangeError][n]!("a"),
      () => new Coded("a", ["x", "y", undefined][n]),
      () => new Error("a", n === 2 ? {} : { cause: n }),
      () => new AggregateError([n], "all"),
      () => Object.assign(new Error("a"), { name: ["A", "B", "Error"][n] }),
      () => new URL(`http://h/${n}`),
      () => new URLSearchParams(`a=${n}`),
      () => new Headers({ a: String(n) }),
      () => Buffer.from(String(n)),
      () => new Uint8Array([n, 1]),
      () => [new Int8Array([1]), new Uint8Array([1]), new Uint8ClampedArray([1])][n],
      () => new Float32Array([[0, -0, NaN][n]!]),
      () => new Float64Array([[0, -0, 1][n]!]),
      () => new ArrayBuffer(n),
      () => new Uint8Array([n]).buffer,
      () => new DataView(new Uint8Array([n, 2]).buffer),
      () => Object(n) as unknown,
      () => Object(["a", "b", ""][n]) as unknown,
      () => Object([true, false, true][n]) as unknown,
      () => Object([1n, 2n, 3n][n]) as unknown,
      () => [Math.max, Math.min, Point][n],
      () => [shared, { same: true }, { same: false }][n],
      () => Object.create(null) as unknown,
      () => new Array(n),
      () => new Map(),
      () => new Set(),
      () => [new WeakMap(), new WeakSet(), Promise.resolve(n)][n],
    ];
    return makers[this.#draw(makers.length)]!();
  }

  #inner(depth: number): unknown {
    const part = (): unknown => this.value(depth);
    const n = this.#draw(4);
    const object = this.#shell(this.#draw(15), part);
    this.#above.push(object);
    if (object instanceof Map) for (let i = 0; i < n; i++) object.set(this.#key(i, depth), part());
    else if (object instanceof Set) for (let i = 0; i < n; i++) object.add(part());
    else if (Array.isArray(object)) this.#fill(object, n, part);
    else for (let i = 0; i < n; i++) this.#put(object, i, part);
    if (this.#draw(12) === 0) Object.assign(object, { extra: part() });
    if (this.#draw(12) === 0) Object.assign(object, { [mark]: part() });
    if (this.#draw(15) === 0)
      Object.assign(object, { cycle: this.#above[this.#draw(this.#above.length)] ?? object });
    this.#above.pop();
    return object;
  }

  #shell(kind: number, part: () => unknown): object {
    switch (kind) {
      case 0:
      case 1:
      case 2:
        return [];
      case 3:
      case 4:
        return new Map();
      case 5:
      case 6:
        return new Set();
      case 7:
        return new Point(part());
      case 8:
        return new Other(part());
      case 9:
        return Object.create(null) as object;
      case 10:
        return Object.assign(new Error("e", { cause: part() }));
      case 11:
        return new AggregateError([part(), part()], "e");
      default:
        return {};
    }
  }

  #key(i: number, depth: number): unknown {
    return this.#draw(3) === 0 ? this.value(depth) : ["a", 1, "1", null][i % 4];
  }

  #fill(list: unknown[], n: number, part: () => unknown): void {
    for (let i = 0; i < n; i++)
      if (this.#draw(8) === 0) list.length++;
      else list[list.length] = part();
  }

  #put(object: object, i: number, part: () => unknown): void {
    const key = ["a", "b", "c", "name"][(i + this.#draw(2)) % 4]!;
    const value = this.#draw(10) === 0 ? undefined : part();
    if (this.#draw(12) === 0)
      Object.defineProperty(object, key, {
        get: () => value,
        enumerable: this.#draw(2) === 0,
        configurable: true,
      });
    else Reflect.set(object, key, value);
  }

  #matcher(value: unknown): unknown {
    const { expect } = this.#classes;
    const spoil = this.#spoil!;
    const kinds = spoil.chance(4) ? expect.not : expect;
    const all: (() => unknown)[] = [
      () => expect.anything(),
      () => expect.any([String, Number, Object, Array, Error, Map][spoil.below(6)]),
      () =>
        kinds.objectContaining(typeof value === "object" && value !== null ? this.#someOf(value) : { a: 1 }),
      () => kinds.objectContaining({ a: expect.objectContaining({ b: value }) }),
      () => kinds.arrayContaining(Array.isArray(value) ? value.slice(spoil.below(2)) : [value]),
      () => kinds.stringContaining(["a", "1", ""][spoil.below(3)]!),
      () => kinds.stringMatching(/a|1/),
      () => kinds.closeTo(spoil.below(2) + 0.001, 2),
    ];
    return all[spoil.below(all.length)]!();
  }

  #someOf(value: object): object {
    const keys = Object.keys(value).filter(() => this.#spoil!.below(3) > 0);
    return Object.fromEntries(keys.map((key) => [key, Reflect.get(value, key) as unknown]));
  }
}
