/** Pairs of distinguishable states: neither the signature nor the comparison identifies them. */
import { runInThisContext } from "node:vm";
import { afterAll, describe, expect, test } from "vitest";
import {
  CaptureAudit,
  CodeInspector,
  IGNORED,
  LiveHeap,
  SnapshotTable,
  hiddenIntrinsics,
  realmRules,
  sameState,
} from "../../../src/code/heap/index.js";
import { heapOf, taken } from "./capturing.js";

const inspector = new CodeInspector();
afterAll(() => inspector.close());
const hidden = runInThisContext(hiddenIntrinsics) as object[];
const rules = realmRules(globalThis, { inspector, hidden });

/** Without closures. */
const script = (text: string): unknown => runInThisContext(text) as unknown;

const symbol = Symbol("x");
const other = Symbol("x");
const shared = { x: 1 };
const bytes = (...all: number[]): ArrayBuffer => Uint8Array.from(all).buffer;
const define = (property: PropertyDescriptor): object => Object.defineProperty({}, "x", property);

/** Two equal objects, and a pointer to either. */
function cross(): [unknown, unknown] {
  const [a, b] = [{ x: 1 }, { x: 1 }];
  return [
    { a, b, at: a },
    { a, b, at: b },
  ];
}

describe("alike, made twice", () => {
  const makers: Record<string, () => unknown> = {
    "an object": () => ({ x: 1, y: [1, "a", null, undefined, 1n, -0, NaN] }),
    "a map with keys of all kinds": () =>
      new Map<unknown, unknown>([
        [1, {}],
        [{}, 1],
        [[], {}],
        ["1", 1],
        [-0, 2],
      ]),
    "a set": () => new Set<unknown>([1, {}, [], "1"]),
    "a cycle": () => {
      const a: Record<string, unknown> = {};
      a["self"] = { a };
      return a;
    },
    "shared objects": () => {
      const inner = { x: 1 };
      return [inner, inner, { x: 1 }];
    },
    "a buffer and its views": () => {
      const buffer = bytes(1, 2, 3, 4);
      return [buffer, new Uint8Array(buffer, 1), new DataView(buffer)];
    },
    "boxed values, dates, expressions, errors": () => [
      Object(1),
      Object("a"),
      Object(symbol),
      Object(true),
      Object(1n),
      new Date(1),
      /a/g,
      new Error("x"),
    ],
    symbols: () => ({ [symbol]: symbol, [Symbol.iterator]: Symbol.iterator, at: Symbol("own") }),
    accessors: () => define({ get: Object.keys as never, set: Object.values as never }),
  };
  test.each(Object.keys(makers))("%s", (name) => {
    const [a, b] = [makers[name]!(), makers[name]!()].map((root) => taken(heapOf(root, rules).capture()));
    expect(a!.signature).toBe(b!.signature);
    expect(sameState(a!, b!, rules)).toBe(true);
    expect(sameState(b!, a!, rules)).toBe(true);
  });

  test.each(Object.keys(makers))("%s is hashed once, and copied as it is", (name) => {
    const heap = heapOf(makers[name]!(), rules);
    const before = taken(heap.capture());
    const { hashed } = heap.figures;
    taken(heap.capture());
    const after = taken(heap.capture());
    expect(heap.figures.hashed).toBe(hashed);
    expect(after.entries.every((entry, place) => entry === before.entries[place])).toBe(true);
  });
});

test("errors are alike wherever they were made", () => {
  const made = (): Error => new Error("x");
  const [a, b] = [made(), new Error("x")].map((root) => taken(heapOf(root, rules).capture()));
  expect(a!.signature).toBe(b!.signature);
});

test("an object that takes no more properties is another state", () => {
  const root = { inner: {} };
  const heap = heapOf(root, rules);
  const before = taken(heap.capture());
  Object.preventExtensions(root.inner);
  expect(taken(heap.capture()).signature).not.toBe(before.signature);
  expect(heap.restore(before)).toMatchObject({ path: "root.inner" });
});

test("the bytes of a snapshot stay when those of the buffer change", () => {
  const view = new Uint8Array(bytes(1, 2));
  const heap = heapOf(view, rules);
  const before = taken(heap.capture());
  view[0] = 9;
  const after = taken(heap.capture());
  expect(sameState(before, { ...after, signature: before.signature }, rules)).toBe(false);
  expect(heap.restore(before)).toBeUndefined();
  expect([...view]).toEqual([1, 2]);
});

describe("different", () => {
  const pairs: Record<string, [unknown, unknown]> = {
    "0 and -0": [{ x: 0 }, { x: -0 }],
    "a number and its text": [{ x: 1 }, { x: "1" }],
    "a number and a bigint": [{ x: 1 }, { x: 1n }],
    "a bigint and its text": [{ x: 1n }, { x: "1" }],
    "symbols given to a view": [new Uint8Array(1), Object.assign(new Uint8Array(1), { [symbol]: 1 })],
    "names given to a large view": [new Uint8Array(99), Object.assign(new Uint8Array(99), { x: 1 })],
    "undefined and nothing": [{ x: undefined }, {}],
    "null and undefined": [{ x: null }, { x: undefined }],
    "names of properties": [{ x: 1 }, { y: 1 }],
    "the order of properties": [{ x: 1, y: 1 }, { y: 1, x: 1 }], // prettier-ignore
    "an object and an array": [{ x: {} }, { x: [] }],
    "a hole and undefined": [Array(1), [undefined]],
    "an index and a name of a property": [{ x: [1] }, { x: Object.assign([], { y: 1 }) }],
    "one object twice and two alike": [[shared, shared], [shared, { x: 1 }]], // prettier-ignore
    "a prototype": [Object.create({ x: 1 }), Object.create({ x: 2 })],
    "a prototype and null": [{}, Object.create(null)],
    "writable and not": [define({ value: 1, writable: true }), define({ value: 1 })],
    "enumerable and not": [define({ value: 1, enumerable: true }), define({ value: 1 })],
    "configurable and not": [define({ value: 1, configurable: true }), define({ value: 1 })],
    "a getter and none": [define({ get: Object.keys as never }), define({ get: Object.values as never })],
    "a setter and none": [define({ set: Object.keys as never }), define({ set: Object.values as never })],
    "extensible and not": [{}, Object.preventExtensions({})],
    "the keys of a map": [new Map([[1, 1]]), new Map([["1", 1]])],
    "the keys of a map, objects": [
      new Map<unknown, number>([[shared, 1], [[], 2]]), // prettier-ignore
      new Map<unknown, number>([[[], 2], [shared, 1]]), // prettier-ignore
    ],
    "the order of a map": [new Map([[1, 1], [2, 2]]), new Map([[2, 2], [1, 1]])], // prettier-ignore
    "the values of a map": [new Map([[1, 1]]), new Map([[1, 2]])],
    "the members of a set": [new Set([1]), new Set(["1"])],
    "the order of a set": [new Set([1, 2]), new Set([2, 1])],
    "an empty map and an empty set": [new Map(), new Set()],
    dates: [new Date(1), new Date(2)],
    "expressions by source": [/a/, /b/],
    "expressions by flags": [/a/g, /a/i],
    "how far an expression got": [/a/g, Object.assign(/a/g, { lastIndex: 1 })],
    "an error and an object": [new Error("x"), Object.assign(Object.create(Error.prototype), {})],
    "what is called stack, of an object": [{ stack: 1 }, { stack: 2 }],
    "messages of errors": [new Error("x"), new Error("y")],
    "the bytes of a buffer": [bytes(1), bytes(2)],
    "the length of a buffer": [bytes(1), bytes(1, 0)],
    "where a view begins": [new Uint8Array(bytes(0, 0), 0, 1), new Uint8Array(bytes(0, 0), 1, 1)],
    "how long a view is": [new Uint8Array(bytes(0, 0), 0, 1), new Uint8Array(bytes(0, 0), 0, 2)],
    "kinds of views": [new Uint8Array(1), new Int8Array(1)],
    "names given to a view": [new Uint8Array(1), Object.assign(new Uint8Array(1), { x: 1 })],
    "boxed numbers": [Object(1), Object(2)],
    "boxed 0 and -0": [Object(0), Object(-0)],
    "boxed number and text": [Object(1), Object("1")],
    "boxed symbols of one description": [
      [symbol, other, Object(symbol)],
      [symbol, other, Object(other)],
    ],
    "symbols of one description": [
      [symbol, other, symbol],
      [symbol, other, other],
    ],
    "keys that are symbols of one description": [
      [symbol, other, { [symbol]: 1 }],
      [symbol, other, { [other]: 1 }],
    ],
    "a symbol of the language and one that is registered by its name": [
      { x: Symbol.iterator },
      { x: Symbol.for("Symbol.iterator") },
    ],
    "keys that are such symbols": [{ [Symbol.iterator]: 1 }, { [Symbol.for("Symbol.iterator")]: 1 }],
    "functions of the language": [Object.keys, Object.values],
    functions: script("[function () { return 1; }, function () { return 2; }]") as [unknown, unknown],
    "a map and a set without a prototype": [
      Object.setPrototypeOf(new Map(), null),
      Object.setPrototypeOf(new Set(), null),
    ],
    "a buffer and an object": [Object.setPrototypeOf(bytes(), null), Object.create(null)],
    "a pointer and a primitive": [{ x: shared }, { x: 1 }],
    "a pointer to another place": [
      [[], shared, 1, shared],
      [[], shared, 1, []],
    ],
    "a pointer to another place, of two that are alike": cross(),
    "registered symbols as keys of a map": [
      new Map([[Symbol.iterator as symbol, 1]]),
      new Map([[Symbol.for("Symbol.iterator"), 1]]),
    ],
    "-0 cannot be the key of a map, and is none of a set": [new Set([0]), new Set([1])],
  };
  test.each(Object.keys(pairs))("%s", (name) => {
    const [a, b] = pairs[name]!.map((root) => taken(heapOf(root, rules).capture()));
    expect(a!.signature).not.toBe(b!.signature);
    // Simulates a collision of signatures.
    expect(sameState(a!, { ...b!, signature: a!.signature }, rules)).toBe(false);
    expect(sameState(a!, a!, rules)).toBe(true);
    const table = new SnapshotTable(rules);
    expect([a!, b!, a!].map((state) => table.intern(state))).toEqual([1, 2, 1]);
  });
});

describe("what one object goes through is captured, and taken back", () => {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each change knows its own root
  const changes: Record<string, [root: () => any, change: (root: any) => void]> = {
    "a property": [() => ({ x: 1 }), (o) => (o.x = 2)],
    "a new property": [() => ({ x: 1 }), (o) => (o.y = 1)],
    "a property that is gone": [() => ({ x: 1, y: 2 }), (o) => delete o.x],
    "an element": [() => [1, 2], (o) => o.pop()],
    "an entry of a map": [() => new Map([[1, 1]]), (o) => o.set(1, 2)],
    "a member of a set": [() => new Set([1]), (o) => o.add(2)],
    "a date": [() => new Date(1), (o) => o.setTime(2)],
    "a byte": [() => new Uint8Array(2), (o) => (o[1] = 1)],
    "a prototype": [() => ({}), (o) => Object.setPrototypeOf(o, null)],
    "a property by symbol": [() => ({ [Symbol.iterator]: 1, [symbol]: 1 }), (o) => (o[Symbol.iterator] = 2)],
    "a static length": [() => script("(class { static length = 0 })"), (o) => (o.length = 1)],
    "a static name": [() => script("(class { static name = 'a' })"), (o) => (o.name = "b")],
    "a static caller": [() => script("(class { static caller = 0 })"), (o) => (o.caller = 1)],
    "the name of a function": [
      () => [script("(function f() {})")],
      ([f]) => Object.defineProperty(f, "name", { value: "g" }),
    ],
    "something deep": [() => ({ a: { b: [{ c: 1 }] } }), (o) => (o.a.b[0].c = 2)],
    "the name of a property": [
      () => ({ x: 1 }),
      (o) => {
        delete o.x;
        o.y = 1;
      },
    ],
    "a pointer": [() => ({ a: {}, b: {}, at: undefined }), (o) => (o.at = o.b)],
  };
  test.each(Object.keys(changes))("%s", (name) => {
    const [make, change] = changes[name]!;
    const root: unknown = make();
    const heap = heapOf(root, rules);
    const before = taken(heap.capture());
    change(root);
    const after = taken(heap.capture());
    expect(after.signature).not.toBe(before.signature);
    expect(sameState(before, after, rules)).toBe(false);
    expect(heap.restore(before)).toBeUndefined();
    const again = taken(heap.capture());
    expect(again.signature).toBe(before.signature);
    expect(sameState(before, again, rules)).toBe(true);
    // A heap without earlier captures agrees.
    const full = taken(heapOf(root, rules, "full").capture());
    expect(full.signature).toBe(before.signature);
    expect(heap.restore(after)).toBeUndefined();
    expect(taken(heap.capture()).signature).toBe(after.signature);
    expect(taken(heapOf(root, rules, "full").capture()).signature).toBe(after.signature);
  });
});

test("an object that was dropped, changed and put back is looked at again", () => {
  const inner = { x: 1 };
  const root: { at: object | undefined } = { at: inner };
  const heap = heapOf(root, rules);
  const first = taken(heap.capture());
  root.at = undefined;
  taken(heap.capture());
  inner.x = 2;
  root.at = inner;
  expect(taken(heap.capture()).signature).not.toBe(first.signature);
});

test("two objects that change places", () => {
  const [a, b] = [
    { x: 1, next: {} as object },
    { x: 2, next: {} as object },
  ];
  a.next = b;
  b.next = a;
  const root = { first: a };
  const heap = heapOf(root, rules);
  const before = taken(heap.capture()).signature;
  root.first = b;
  const after = taken(heap.capture());
  expect(after.signature).not.toBe(before);
  expect(after.signature).toBe(taken(heapOf(root, rules, "full").capture()).signature);
});

test("ignored fields do not count, and what only they lead to is captured all the same", () => {
  const ignoring = realmRules(globalThis, {
    inspector,
    hidden,
    abstraction: (path, value) => (path.at(-1) === ".log" ? IGNORED : value),
  });
  const root = { x: 1, log: [1] };
  const heap = heapOf(root, ignoring);
  const before = taken(heap.capture());
  root.log.push(2);
  const after = taken(heap.capture());
  expect(after.signature).toBe(before.signature);
  expect(sameState(before, after, ignoring)).toBe(true);
  expect(heap.restore(before)).toBeUndefined();
  expect(root.log).toEqual([1]);
  root.x = 2;
  const changed = taken(heap.capture());
  expect(changed.signature).not.toBe(before.signature);
  expect(sameState(before, changed, ignoring)).toBe(false);
  delete (root as { log?: unknown }).log;
  expect(taken(heap.capture()).signature).toBe(changed.signature);
});

test("what counts may depend on the value that leads to it", () => {
  const ignoring = realmRules(globalThis, {
    inspector,
    hidden,
    abstraction: (path, value) =>
      path.at(-1) === ".at" && (value as { isLog?: boolean }).isLog ? IGNORED : value,
  });
  const inner = { x: 1 };
  const [counted, log] = [{ inner }, { inner, isLog: true }];
  const root: { at: object } = { at: counted };
  const heap = heapOf(root, ignoring);
  for (const at of [counted, log, counted]) {
    root.at = at;
    expect(taken(heap.capture()).signature).toBe(taken(heapOf(root, ignoring, "full").capture()).signature);
  }
});

test("roots that change", () => {
  let [names, values]: [string[], unknown[]] = [["x"], [1]];
  const heap = new LiveHeap({ read: () => ({ names, values }), write: () => undefined }, rules);
  const signatures = [taken(heap.capture()).signature];
  values = [2];
  signatures.push(taken(heap.capture()).signature);
  names = ["y"];
  signatures.push(taken(heap.capture()).signature);
  expect(new Set(signatures).size).toBe(3);
});

test("an object that was changed and dropped in one step is taken back", () => {
  const inner = { x: 1 };
  const root: { at: object | undefined } = { at: inner };
  const heap = heapOf(root, rules);
  const before = taken(heap.capture());
  inner.x = 2;
  root.at = undefined;
  taken(heap.capture());
  expect(heap.restore(before)).toBeUndefined();
  expect(inner.x).toBe(1);
});

test("after a change that could not be taken back everything is written anew", () => {
  const root = { inner: { x: 1 } };
  const heap = heapOf(root, rules);
  const before = taken(heap.capture());
  root.inner.x = 2;
  Object.preventExtensions(root.inner);
  const after = taken(heap.capture());
  expect(heap.restore(before)).toHaveProperty("what");
  expect(heap.restore(after)).toBeUndefined();
  expect(root.inner.x).toBe(2);
});

describe("what cannot be taken back", () => {
  const changes: Record<string, [root: () => object, change: (root: never) => void]> = {
    "a property that became fixed": [
      () => ({ x: 1 }),
      (o: object) => Object.defineProperty(o, "x", { value: 2, writable: false, configurable: false }),
    ],
    "a frozen array that got longer": [
      () => [1],
      (o: number[]) => {
        o.push(2);
        Object.freeze(o);
      },
    ],
    "the source of an expression": [() => /a/, (o: RegExp) => void o.compile("b")],
    "memory that is gone": [() => new ArrayBuffer(1), detached],
    "memory of no bytes that is gone": [() => new ArrayBuffer(0), detached],
  };
  test.each(Object.keys(changes))("%s", (name) => {
    const [make, change] = changes[name]!;
    const root = make();
    const heap = heapOf(root, rules);
    const before = taken(heap.capture());
    change(root as never);
    heap.capture();
    expect(heap.restore(before)).toHaveProperty("what");
  });
});

/** Mutable objects. */
function reachable(root: object): Record<string, unknown>[] {
  const found = new Set<object>([root]);
  for (const object of found)
    for (const value of Object.values(object)) if (typeof value === "object") found.add(value as object);
  return [...found] as Record<string, unknown>[];
}

/** Small graphs with moving objects: ids, hashes and signatures equal a full capture's. */
test("captures that begin with what is known agree with those that do not", () => {
  let seed = 1;
  const below = (limit: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return (seed >> 8) % limit;
  };
  const pick = <T>(all: readonly T[]): T => all[below(all.length)]!;
  LiveHeap.audit = new CaptureAudit();
  try {
    for (let round = 0; round < 40; round++) {
      const objects = Array.from({ length: 6 }, (): Record<string, unknown> => ({}));
      const heap = heapOf(objects[0], rules);
      const kept = [taken(heap.capture())];
      for (let step = 0; step < 12; step++) {
        for (let change = below(3); change >= 0; change--) {
          const object = pick(reachable(objects[0]!));
          const name = "1abc"[below(4)]!;
          if (below(4) === 0) delete object[name];
          else object[name] = below(4) === 0 ? below(2) : objects[below(6)];
        }
        kept.push(taken(heap.capture()));
        if (below(3) > 0) continue;
        const back = kept[below(kept.length)]!;
        expect(heap.restore(back)).toBeUndefined();
        expect(taken(heap.capture()).signature).toBe(back.signature);
      }
    }
  } finally {
    LiveHeap.audit = undefined;
  }
});

test("only what moved is hashed again", () => {
  const [moved, left] = [{ x: 1 }, { x: 2 }];
  const root: Record<string, unknown> = { a: { moved }, b: { left } };
  const heap = heapOf(root, rules);
  taken(heap.capture());
  const { hashed } = heap.figures;
  root["c"] = moved;
  taken(heap.capture());
  // The roots and `b` with its contents are unchanged.
  expect(heap.figures.hashed - hashed).toBe(3);
  root["0"] = {};
  taken(heap.capture());
  taken(heap.capture());
  expect(heap.figures.hashed - hashed).toBe(5);
});

function detached(buffer = new ArrayBuffer(1)): ArrayBuffer {
  structuredClone(buffer, { transfer: [buffer] });
  return buffer;
}

describe("not data", () => {
  const all: Record<string, unknown> = {
    "a promise": Promise.resolve(),
    "a proxy": new Proxy({}, {}),
    "a generator": (function* () {})(),
    "an iterator": [1][Symbol.iterator](),
    "an iterator of a map": new Map().entries(),
    "a weak map": new WeakMap(),
    "a weak reference": new WeakRef({}),
    "a bound function": Number.bind(null, 1),
    "shared memory": new SharedArrayBuffer(1),
    "memory that can be resized": script("new ArrayBuffer(1, { maxByteLength: 2 })"),
    "memory that is gone": detached(),
    "strings of a template": ((strings: TemplateStringsArray) => strings)`x`,
    "a closure": (
      (x: number) => () =>
        x
    )(1),
  };
  test.each(Object.keys(all))("%s", (name) => {
    const heap = heapOf({ x: { y: all[name] } }, rules);
    for (let time = 0; time < 2; time++) expect(heap.capture()).toMatchObject({ path: "root.x.y" });
  });
});
