/** Capture of JavaScript heaps: equal if and only if no program can distinguish them, and restored exactly. */
import { createContext, runInContext, runInThisContext } from "node:vm";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import {
  CodeInspector,
  IGNORED,
  copyRoots,
  hiddenIntrinsics,
  realmMakers,
  realmRules,
  sameState,
  type HeapRules,
  type Makers,
  type OpaqueState,
  type Snapshot,
} from "../../../src/code/heap/index.js";
import { ChainTable, canonicalText, locateByChain, locateDepthFirst } from "../../../bench/heap/graph.js";
import { graphOf } from "../../../bench/heap/graph-of.js";
import { heapOf, taken } from "./capturing.js";
import { Point, build, graphPlan, type GraphPlan, type PointLike } from "./random-graph.js";

const inspector = new CodeInspector();
afterAll(() => inspector.close());
const hidden = runInThisContext(hiddenIntrinsics) as object[];
const rules = realmRules(globalThis, { inspector, hidden });
const makers = runInThisContext(realmMakers) as Makers;

describe("states that a program cannot tell apart", () => {
  test("a queue built in two ways", () => {
    const one = { q: [{ id: 1 }] };
    one.q.push({ id: 2 });
    const other = { q: [{ id: 2 }] };
    other.q.unshift({ id: 1 });
    expect(signature(one)).toBe(signature(other));
  });

  test("any graph, allocated in another order", () => {
    fc.assert(
      fc.property(graphPlan(12), fc.infiniteStream(fc.nat(1000)), (plan, keys) => {
        const order = plan.nodes.map((_, i) => ({ i, key: keys.next().value as number }));
        const shuffled = order.sort((a, b) => a.key - b.key).map(({ i }) => i);
        const [one, other] = [capture(build(plan)), capture(build(plan, shuffled))];
        expect(one.signature).toBe(other.signature);
        expect(sameState(one, other, rules)).toBe(true);
        const [a, b] = [graphOf(one, rules), graphOf(other, rules)];
        const table = new ChainTable();
        expect(canonicalText(a, locateDepthFirst(a))).toBe(canonicalText(b, locateDepthFirst(b)));
        expect(canonicalText(a, table.locate(a))).toBe(canonicalText(b, table.locate(b)));
        expect(canonicalText(a, locateByChain(a))).toBe(canonicalText(b, locateByChain(b)));
      }),
      { numRuns: 300 },
    );
  });
});

test("two graphs have the same signature exactly when the textbook algorithm says so", () => {
  fc.assert(
    fc.property(graphPlan(5), graphPlan(5), (left, right) => {
      const [a, b] = [capture(build(left)), capture(build(right))];
      const [one, other] = [graphOf(a, rules), graphOf(b, rules)];
      const isSame =
        canonicalText(one, locateDepthFirst(one)) === canonicalText(other, locateDepthFirst(other));
      expect(a.signature === b.signature).toBe(isSame);
      expect(sameState(a, b, rules)).toBe(isSame);
    }),
    { numRuns: 500 },
  );
});

test("of what is ignored, neither the signature nor the textbook algorithm knows anything", () => {
  const abstraction = (path: readonly string[], value: unknown): unknown =>
    path.at(-1) === ".b" ? IGNORED : value;
  const ignoring = realmRules(globalThis, { inspector, abstraction });
  const sign = (plan: GraphPlan): { signature: string; text: string } => {
    const snapshot = taken(heapOf(build(plan), ignoring).capture());
    const graph = graphOf(snapshot, ignoring);
    return { signature: snapshot.signature, text: canonicalText(graph, locateDepthFirst(graph)) };
  };
  const changed = ({ nodes }: GraphPlan, atom: number): GraphPlan => ({
    nodes: nodes.map(({ kind, fields }) => ({
      kind,
      fields: fields.map((field) => (field.key === "b" ? { key: "b", value: { atom } } : field)),
    })),
  });
  fc.assert(
    fc.property(graphPlan(4), graphPlan(4), fc.nat(3), (left, right, atom) => {
      const [a, b, c, d] = [
        sign(left),
        sign(right),
        sign(changed(left, atom)),
        sign(changed(left, atom + 1)),
      ];
      expect(a.signature === b.signature).toBe(a.text === b.text);
      expect(a.signature === c.signature).toBe(a.text === c.text);
      expect(c.signature === d.signature).toBe(c.text === d.text);
    }),
    { numRuns: 300 },
  );
});

describe("states that a program can tell apart", () => {
  const shared = {};
  const differ: readonly [string, unknown, unknown][] = [
    ["the order of keys", { a: 1, b: 2 }, { b: 2, a: 1 }],
    ["aliases", [shared, shared], [{}, {}]],
    ["zeros", { a: 0 }, { a: -0 }],
    [
      "a hole and undefined",
      [1, undefined],
      Array.of(1, ...new Array<number>(0), ...[]).concat(new Array<number>(1)),
    ],
    ["undefined and nothing", { a: undefined }, {}],
    ["a number and a text", { a: 1 }, { a: "1" }],
    ["a big integer and a number", { a: 1 }, { a: 1n }],
    [
      "the order of a map",
      new Map([
        ["a", 1],
        ["b", 2],
      ]),
      new Map([
        ["b", 2],
        ["a", 1],
      ]),
    ],
    ["a map and a set", new Map(), new Set()],
    ["prototypes", new Point(), { x: 0 }],
    ["bytes", Uint8Array.of(1, 2), Uint8Array.of(1, 3)],
    ["kinds of typed arrays", Uint8Array.of(1, 2), Int8Array.of(1, 2)],
    ["dates", new Date(1), new Date(2)],
    ["frozen objects", Object.freeze({ a: 1 }), { a: 1 }],
    ["accessors", runInThisContext("({ get a() { return 1; } })") as unknown, { a: 1 }],
    ["attributes", Object.defineProperty({}, "a", { value: 1 }), { a: 1 }],
    ["symbols", { a: Symbol("x") }, { a: Symbol("y") }],
    ["regular expressions", /a/g, /a/],
    ["formats of numbers", new Intl.NumberFormat("de"), new Intl.NumberFormat("en")],
    ["kinds of formats", new Intl.PluralRules("de"), new Intl.Collator("de")],
    ["locales", new Intl.Locale("de"), new Intl.Locale("de-AT")],
  ];
  test.each(differ)("%s", (_, one, other) => {
    expect(signature(one)).not.toBe(signature(other));
  });

  test("a changed value, wherever it is", () => {
    let changes = 0;
    fc.assert(
      fc.property(graphPlan(12), (plan) => {
        const root = build(plan);
        const heap = heapOf(root, rules);
        const before = taken(heap.capture());
        (before.entries.at(-1)!.object as Record<string, unknown>)["changed"] = ++changes;
        expect(taken(heap.capture()).signature).not.toBe(before.signature);
      }),
      { numRuns: 300 },
    );
  });
});

describe("options", () => {
  test("the order of keys may be ignored", () => {
    const sorted = realmRules(globalThis, { inspector, sortsKeys: true });
    expect(signature({ a: 1, b: 2 }, sorted)).toBe(signature({ b: 2, a: 1 }, sorted));
  });

  test("an ignored field does not tell states apart, and is restored all the same", () => {
    const abstraction = (path: readonly string[], value: unknown): unknown =>
      path.at(-1) === ".statistics" ? IGNORED : value;
    const root = { sent: 1, statistics: { packets: 3 } };
    const ignoring = realmRules(globalThis, { inspector, abstraction });
    const heap = heapOf(root, ignoring);
    const before = taken(heap.capture());
    root.statistics.packets = 4;
    expect(taken(heap.capture()).signature).toBe(before.signature);
    heap.restore(before);
    expect(root.statistics.packets).toBe(3);
  });

  test("a field may count by something simpler", () => {
    const abstraction = (path: readonly string[], value: unknown): unknown =>
      path.at(-1) === ".time" ? Math.sign(value as number) : value;
    const coarse = realmRules(globalThis, { inspector, abstraction });
    expect(signature({ time: 5 }, coarse)).toBe(signature({ time: 6 }, coarse));
    expect(signature({ time: 5 }, coarse)).not.toBe(signature({ time: -1 }, coarse));
  });
});

describe("restoring", () => {
  test("gives back any graph after any change", () => {
    fc.assert(
      fc.property(graphPlan(10), graphPlan(10), (plan, other) => {
        const root = { held: build(plan) as unknown };
        const heap = heapOf(root, rules);
        const before = taken(heap.capture());
        scramble(before, build(other));
        root.held = build(other);
        taken(heap.capture());
        expect(heap.restore(before)).toBeUndefined();
        expect(taken(heapOf(root, rules).capture()).signature).toBe(before.signature);
      }),
      { numRuns: 300 },
    );
  });

  test("keeps the identity of objects", () => {
    const table = new Map([["d", { hop: 1 }]]);
    const entry = table.get("d")!;
    const heap = heapOf({ table }, rules);
    const before = taken(heap.capture());
    table.delete("d");
    entry.hop = 255;
    taken(heap.capture());
    heap.restore(before);
    expect(table.get("d")).toBe(entry);
    expect(entry.hop).toBe(1);
  });

  test("an object that was changed and dropped in one step comes back as it was", () => {
    const root: { held: { value: number } | undefined } = { held: { value: 1 } };
    const heap = heapOf(root, rules);
    const before = taken(heap.capture());
    root.held!.value = 2;
    root.held = undefined;
    taken(heap.capture());
    heap.restore(before);
    expect(root.held).toEqual({ value: 1 });
  });

  test("what the language does not take back is said", () => {
    const root = { held: { value: 1 } };
    const heap = heapOf(root, rules);
    const before = taken(heap.capture());
    Object.freeze(root.held);
    taken(heap.capture());
    expect(heap.restore(before)).toMatchObject({ path: "root.held" });
  });
});

test("incremental hashing gives what full hashing gives", () => {
  fc.assert(
    fc.property(graphPlan(12), fc.array(graphPlan(4), { maxLength: 5 }), (plan, changes) => {
      const root = { held: build(plan) as unknown };
      const heap = heapOf(root, rules);
      const seen: Snapshot[] = [taken(heap.capture())];
      for (const [index, change] of changes.entries()) {
        if (index % 2 === 1) heap.restore(seen[index >> 1]!);
        (seen.at(-1)!.entries.at(-1)!.object as Record<string, unknown>)["extra"] = build(change);
        seen.push(taken(heap.capture()));
        expect(seen.at(-1)!.signature).toBe(taken(heapOf(root, rules, "full").capture()).signature);
      }
    }),
    { numRuns: 200 },
  );
});

test("only what changed is hashed again", () => {
  const lists = Array.from({ length: 36 }, (_, k) =>
    Array.from({ length: 10 }, (__, i) => ({ value: 100 * k + i })),
  );
  const heap = heapOf({ lists }, rules);
  taken(heap.capture());
  const before = heap.figures.hashed;
  lists[3]![4]!.value = 7;
  taken(heap.capture());
  expect(heap.figures.hashed - before).toBe(1);
});

describe("state that is no data", () => {
  const cases: readonly [string, string, string][] = [
    ["a suspended generator", "(function* () { yield 1; })()", "a suspended generator"],
    ["a promise", "new Promise(() => undefined)", "a promise"],
    ["an iterator of a map", "new Map().entries()", "an iterator in progress"],
    ["an iterator of an array", "[1][Symbol.iterator]()", "an iterator in progress"],
    ["a closure", "(() => { let count = 0; return () => count++; })()", "a function that closes over count"],
    ["an arrow with this", "new (class { f = () => this })().f", "a function that closes over this"],
    ["a bound function", "(function () {}).bind({})", "a bound function"],
    [
      "private fields",
      "new (class { #secret = 1; reveal() { return this.#secret; } })()",
      "a class with private fields",
    ],
    ["a proxy", "new Proxy({}, {})", "a proxy"],
    ["a weak map", "new WeakMap()", "a weak collection"],
    ["a weak reference", "new WeakRef({})", "a WeakRef"],
  ];
  test.each(cases)("%s is found, with the way to it", (_, text, what) => {
    const iter = runInThisContext(text) as unknown;
    const found = heapOf({ table: new Map([["10.0.0.2", { iter }]]) }, rules).capture() as OpaqueState;
    expect(found.what).toBe(what);
    expect(found.path.startsWith('root.table.get("10.0.0.2").iter')).toBe(true);
  });

  test("a word in quotes is no code", () => {
    const texts = [`(x) => "of this value"`, `(x) => x("it's this", 'or "super"', "\\"arguments")`];
    for (const text of texts)
      expect(heapOf({ f: runInThisContext(text) }, rules).capture()).toHaveProperty("entries");
    const closing = [`(x) => x("this", this)`, `(x) => /"/.test(x) || this || "x"`, "(x) => `${this}`"];
    for (const text of closing)
      expect(heapOf({ f: runInThisContext(text) }, rules).capture()).toEqual({
        what: "a function that closes over this",
        path: "root.f",
      });
  });

  test("a changed object of the language is found", () => {
    const before = realmRules(globalThis, { inspector });
    expect(before.patched()).toBeUndefined();
    const add = Reflect.get(Set.prototype, "add") as unknown;
    try {
      Object.defineProperty(Set.prototype, "add", {
        value: () => undefined,
        writable: true,
        configurable: true,
      });
      expect(before.patched()).toBe("globalThis.Set.prototype");
    } finally {
      Object.defineProperty(Set.prototype, "add", { value: add, writable: true, configurable: true });
    }
  });
});

describe("objects of the language", () => {
  test("have expressions that lead to them", () => {
    const context = createContext();
    const hidden = runInContext(hiddenIntrinsics, context) as object[];
    const { intrinsics } = realmRules(runInContext("globalThis", context) as object, { inspector, hidden });
    const astray = [...intrinsics].filter(([object, name]) => runInContext(name, context) !== object);
    expect(astray.map(([, name]) => name)).toEqual([]);
    expect(intrinsics.size).toBeGreaterThan(500);
  });

  test.each([
    [
      "Object.getPrototypeOf([][Symbol.iterator]()).next = () => ({})",
      "Object.getPrototypeOf([][Symbol.iterator]())",
    ],
    [
      'Object.getOwnPropertyDescriptor(Map.prototype, "size").get.extra = 1',
      'Object.getOwnPropertyDescriptor(globalThis.Map.prototype, "size").get',
    ],
    ["Array.prototype[Symbol.iterator].extra = 1", "globalThis.Array.prototype.values"],
    ["RegExp.prototype[Symbol.split].extra = 1", "globalThis.RegExp.prototype[Symbol.split]"],
  ])("are found when changed: %s", (change, expected) => {
    const context = createContext();
    const hidden = runInContext(hiddenIntrinsics, context) as object[];
    const own = realmRules(runInContext("globalThis", context) as object, { inspector, hidden });
    expect(own.patched()).toBeUndefined();
    runInContext(change, context);
    expect(own.patched()).toBe(expected);
  });
});

describe("a copy to look at", () => {
  test("is the same graph with the same methods", () => {
    const point = Object.assign(new Point(), { x: 4 });
    const snapshot = capture({ point, map: new Map([["a", point]]) });
    const [copy] = copyRoots(snapshot, rules, makers).roots as unknown as [
      { point: PointLike; map: Map<string, PointLike> },
    ];
    expect(copy.point.double).toBe(8);
    expect(copy.point).toBeInstanceOf(Point);
    expect(copy.map.get("a")).toBe(copy.point);
    expect(copy.point).not.toBe(point);
  });

  test("formats as the original does", () => {
    const formats = [
      new Intl.NumberFormat("de", { style: "currency", currency: "EUR" }),
      new Intl.NumberFormat("fr", { maximumSignificantDigits: 3 }),
      new Intl.DateTimeFormat("en", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" }),
      new Intl.DateTimeFormat("de", { hour: "numeric", timeZone: "Asia/Tokyo" }),
      new Intl.ListFormat("en"),
      new Intl.RelativeTimeFormat("en", { numeric: "auto" }),
      new Intl.DisplayNames("de", { type: "region" }),
      new Intl.Segmenter("en", { granularity: "word" }),
      new Intl.Locale("de-AT", { calendar: "gregory" }),
    ];
    const [copies] = copyRoots(capture(formats), rules, makers).roots as unknown as [typeof formats];
    copies.forEach((copy, index) => {
      expect(copy).not.toBe(formats[index]);
      expect(signature(copy)).toBe(signature(Object.freeze(formats[index])));
    });
    expect((copies[0] as Intl.NumberFormat).format(1.5)).toBe((formats[0] as Intl.NumberFormat).format(1.5));
  });

  test("cannot be changed", () => {
    const snapshot = capture({ map: new Map([["a", 1]]), list: [1], set: new Set([1]) });
    const [copy] = copyRoots(snapshot, rules, makers).roots as unknown as [
      { map: Map<string, number>; list: number[]; set: Set<number> },
    ];
    expect(() => copy.list.push(2)).toThrow(TypeError);
    expect(() => copy.map.set("b", 2)).toThrow("may look at the nodes");
    expect(() => copy.set.delete(1)).toThrow("may look at the nodes");
    expect(() => (copy.map = new Map())).toThrow(TypeError);
  });
});

test("a list of 50,000 nodes is no problem", () => {
  let list: object | null = null;
  for (let i = 0; i < 50_000; i++) list = { value: i, next: list };
  expect(capture(list).entries.length).toBe(50_001);
});

const capture = (root: unknown, own: HeapRules = rules): Snapshot => taken(heapOf(root, own).capture());
const signature = (root: unknown, own?: HeapRules): string => capture(root, own).signature;

/** Changes every object of a snapshot. */
function scramble({ entries }: Snapshot, extra: object): void {
  for (const { object } of entries.slice(2)) {
    if (object instanceof Map) object.clear();
    else if (object instanceof Set) object.add(extra);
    else if (Array.isArray(object)) object.reverse().push(extra);
    else if (object instanceof Uint8Array) object.fill(9);
    else if (typeof object === "object" && Object.isExtensible(object) && !isPrototype(object))
      Object.assign(object, { b: extra, z: 1 });
  }
}

const isPrototype = (object: object): boolean => object === Point.prototype;
