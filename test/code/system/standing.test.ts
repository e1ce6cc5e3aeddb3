/** Conditions that require a node to be restored to a state: the fastest cases of `outside.test.ts`, for `npm run mutate`. */
import { expect, test } from "vitest";
import { expectAll, system } from "./outside.js";
import { checkText } from "./small.js";

test.each([
  ["a variable", "let total = 0;", "total", "total++;"],
  ["an object", "const box = { total: 0 };", "box.total", "box.total++;"],
  [
    "a variable that is new",
    "",
    "(globalThis as any).total ?? 0",
    "(globalThis as any).total = ((globalThis as any).total ?? 0) + 1;",
  ],
])("%s", async (_name, declared, read, add) => {
  const { properties } = await checkText(system(declared, read, add), { maxErrors: Infinity });
  expect(properties.filter(({ verdict }) => verdict !== "holds")).toEqual([]);
});

test("a variable that is set back by another step", async () => {
  const text = system("let total = 0;", "total", "total++;").replace(
    "flip: {",
    'back: { on: ["a"], when: (n: any) => n.total === 2, run: (n: any) => { n.back(); } }, flip: {',
  );
  const { properties } = await checkText(text.replace("add() {", "back() { total = 0; } add() {"), {
    maxErrors: Infinity,
  });
  expect(properties.filter(({ verdict }) => verdict !== "holds")).toEqual([]);
});

test("a variable that was changed by a step that fails is as it was before", async () => {
  const text = system("let total = 0;", "total", 'total++; throw new Error("fails");');
  const { properties } = await checkText(text, { maxErrors: Infinity });
  const found = properties.filter(({ verdict }) => verdict === "holds").map(({ property }) => property.name);
  expect(found).toEqual(expect.arrayContaining(["0 0", "0 1", "at most two"]));
  expect(found.filter((name) => /^[12] /.test(name))).toEqual([]);
});

test.each([
  ["a getter", "get g() { return n; }", "N.g"],
  [
    "a getter, asked by who goes on after a failure",
    "get g() { return n; }",
    "(() => { try { return N.g; } catch { return 0; } })()",
  ],
  ["a getter of an object", "inner: { get n() { return n; } }", "N.inner.n"],
  ["a prototype", "inner: Object.create({ constructor: Object, get n() { return n; } })", "N.inner.n"],
  [
    "a changed object of the language",
    "inner: [0], patch() { (Array.prototype as any).n = n; }",
    "N.inner.n ?? 0",
  ],
  ["a method that it gets", "more() { (this as any)['m' + n] = () => n; }", "N.m2?.() ?? N.m1?.() ?? 0"],
])("what %s of a node that is replayed holds", (_name, member, read) =>
  expectAll(
    `(() => { let n = 0; const a: any = { add() { n++; a.patch?.(); a.more?.(); }, ${member} }; return a; })()`,
    read,
  ),
);

test("what the class of a node that is replayed has by then", () =>
  expectAll(
    "(() => { let n = 0; class A { f = () => n; add() { (A.prototype as any)['k' + ++n] = 1; } } return new A(); })()",
    "'k2' in N ? 2 : 'k1' in N ? 1 : 0",
  ));
