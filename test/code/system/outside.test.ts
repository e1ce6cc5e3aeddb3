/** Conditions see variables of modules and static fields as in the state they evaluate. */
import { expect, test } from "vitest";
import { expectAll, system } from "./outside.js";
import { checkText } from "./small.js";

test.each([
  ["a variable", "let total = 0;", "total", "total++;"],
  [
    "a variable that is new",
    "",
    "(globalThis as any).total ?? 0",
    "(globalThis as any).total = ((globalThis as any).total ?? 0) + 1;",
  ],
  ["a map", "const all = new Map<number, number>();", "all.size", "all.set(all.size, 0);"],
  ["a static field", "class S { static count = 0; }", "S.count", "S.count++;"],
  [
    "a field of a prototype",
    "class S {} (S.prototype as any).count = 0;",
    "(S.prototype as any).count",
    "(S.prototype as any).count++;",
  ],
  [
    "the node itself",
    "let self: any;",
    "(self?.count ?? 0)",
    "self ??= this; self.count = (self.count ?? 0) + 1;",
  ],
])("%s", async (_name, declared, read, add) => {
  const { properties, runs } = await checkText(system(declared, read, add), { maxErrors: Infinity });
  expect(
    properties.filter(({ verdict }) => verdict !== "holds").map(({ property }) => property.name),
  ).toEqual([]);
  expect(runs[0]!.stats.states).toBe(6);
});

test("a variable that is as it was at first once more", async () => {
  const text = system("let total = 0;", "total", "total = (total + 1) % 3;").replace("n.total < 2", "true");
  const { properties } = await checkText(text, { maxErrors: Infinity });
  expect(
    properties.filter(({ verdict }) => verdict !== "holds").map(({ property }) => property.name),
  ).toEqual([]);
});

test("a variable that was changed by a step that fails is as it was before", async () => {
  const text = system("let total = 0;", "total", 'total++; throw new Error("fails");');
  const { properties } = await checkText(text, { maxErrors: Infinity });
  expect(
    properties.filter(({ verdict }) => verdict === "holds").map(({ property }) => property.name),
  ).toEqual(expect.arrayContaining(["0 0", "0 1", "at most two"]));
  expect(
    properties.filter(({ property: { name }, verdict }) => /^[12] /.test(name) && verdict === "holds"),
  ).toEqual([]);
});

/** A replayed node, whose state is in closures. */
test.each([
  ["a method", "count: () => n", "count()"],
  ["a getter", "get count() { return n; }", "count"],
  ["a method of an object that it holds", "inner: { count: () => n }", "inner.count()"],
])("what a closure holds, asked by %s", async (_name, member, read) => {
  const text = system("", "0", "")
    .replace("a: () => new A()", `a: () => { let n = 0; return { add() { n++; }, ${member} }; }`)
    .replaceAll("nodes.a.total", `nodes.a.${read}`)
    .replaceAll("n.total", `n.${read}`);
  const { properties } = await checkText(text, { maxErrors: Infinity });
  expect(
    properties.filter(({ verdict }) => verdict !== "holds").map(({ property }) => property.name),
  ).toEqual([]);
});

/** Fields are read without standing in the state only if they contain no code and no live objects. */
test.each([
  ["a method by symbol", "inner: { [Symbol.toPrimitive]: () => n }", "+N.inner"],
  ["an iterator", "inner: Object.assign([0], { *[Symbol.iterator]() { yield n; } })", "[...N.inner][0]"],
  ["a getter by symbol", 'inner: { get [Symbol.for("n")]() { return n; } }', 'N.inner[Symbol.for("n")]'],
  ["a getter", "inner: { get n() { return n; } }", "N.inner.n"],
  ["a member of a map", "inner: new Map([[0, () => n]])", "N.inner.get(0)()"],
  ["a proxy", "inner: new Proxy({}, { get: () => n })", "N.inner.n"],
  ["memory that is shared", "inner: shared", "N.inner[0]"],
  ["a prototype", "inner: Object.create({ constructor: Object, get n() { return n; } })", "N.inner.n"],
  [
    "a changed object of the language",
    "inner: [0], patch() { (Array.prototype as any).n = n; }",
    "N.inner.n ?? 0",
  ],
  [
    "a getter, asked by who goes on after a failure",
    "get g() { return n; }",
    "(() => { try { return N.g; } catch { return 0; } })()",
  ],
  ["a method that it gets", "more() { (this as any)['m' + n] = () => n; }", "N.m2?.() ?? N.m1?.() ?? 0"],
])("what is held by %s of an object in a node that is replayed", async (_name, member, read) => {
  const node = `(() => { let n = 0; const shared = new Uint8Array(new SharedArrayBuffer(1)); const a: any = { add() { n++; shared[0] = n; a.patch?.(); a.more?.(); }, ${member} }; return a; })()`;
  await expectAll(node, read);
});

test.each([
  [
    "a proxy",
    "(() => { let n = 0; return new Proxy({ n: 0, add() { n++; } }, { get: (t: any, k) => k === 'n' ? n : t[k] }); })()",
    "N.n",
  ],
  [
    "what its class has by then",
    "(() => { let n = 0; class A { f = () => n; add() { (A.prototype as any)['k' + ++n] = 1; } } return new A(); })()",
    "'k2' in N ? 2 : 'k1' in N ? 1 : 0",
  ],
  [
    "in a language that it changed at once",
    "(() => { const all: any = Array.prototype; all.n = 0; return { inner: [0], f: () => all, add() { all.n++; } }; })()",
    "N.inner.n",
  ],
])("a node that is replayed, and is %s", async (_name, node, read) => expectAll(node, read));

test("a state that is discarded by such a variable", async () => {
  const text = system("let total = 0;", "total", "total++;").replace(
    "actions:",
    'discard: (n: any, name: string) => name === "a" && n.total === 1, actions:',
  );
  const { properties } = await checkText(text, { maxErrors: Infinity });
  const found = properties.filter(({ verdict }) => verdict === "holds").map(({ property }) => property.name);
  expect(found).toContain("0 1");
  expect(found).not.toContain("2 0");
});

test("a state that is discarded by a changed object of the language leaves others as they were", async () => {
  const node = "{ let n = 0; return { inner: [0], add() { (Array.prototype as any).n = ++n; } }; }";
  const text = system("", "0", "")
    .replace("a: () => new A()", `a: () => ${node}`)
    .replaceAll("nodes.a.total", "read(nodes.a)")
    .replaceAll("n.total", "read(n)")
    .replace("actions:", 'discard: (n: any, name: string) => name === "a" && read(n) === 1, actions:');
  const { properties } = await checkText(`const read = (N: any): any => N.inner.n ?? 0;${text}`, {
    maxErrors: Infinity,
  });
  const found = properties.filter(({ verdict }) => verdict === "holds").map(({ property }) => property.name);
  expect(found).toContain("0 1");
  expect(found).not.toContain("1 1");
});
