/**
 * Accesses by functions of the language and of the checker: programs have the same outcomes with and without reduction
 * by races.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { collectingRejections } from "../../../src/code/realm/index.js";
import type { ScheduleRequest } from "../../../src/model/index.js";
import { inRepository } from "../../repository.js";
import { fileOf } from "./random-programs.js";
import { pairsOf, endings, type Pair } from "./endings.js";

interface Race {
  readonly name: string;
  /** Shared declarations. */
  readonly setup: string;
  readonly write: string;
  /** An expression with two values, depending on the order. */
  readonly read: string;
}

const race = (name: string, setup: string, write: string, read: string): Race => ({
  name,
  setup,
  write,
  read,
});

const races: readonly Race[] = [
  race("a date as a number", "const d = new Date(5);", "d.setTime(50)", "Math.max(d, 7)"),
  race("isNaN of a date", "const d = new Date(5);", "d.setTime(NaN)", "isNaN(d)"),
  race("parseInt of an array", "const a = [5];", "a[0] = 6", "parseInt(a)"),
  race("a method of a text with an array", "const a = [5];", "a[0] = 6", '"x".concat(a)'),
  race("a separator", "const a = [5];", "a[0] = 6", "[1, 2].join(a)"),
  race("elements compared as texts", "const a = [1];", "a[0] = 5", "[[3], a].sort()[0] === a"),
  race("what flatMap is answered", "const a = [1];", "a.push(2)", "[0].flatMap(() => a).length"),
  race(
    "a typed array set",
    "const a = new Uint8Array(1), b = new Uint8Array(1);",
    "a[0] = 7",
    "(b.set(a), b[0])",
  ),
  race("captureStackTrace", "const o = {};", "Error.captureStackTrace(o)", "typeof o.stack"),
  race("+= of an array", 'const a = [1]; let s = "";', "a.push(2)", "(s += a)"),
  race("+= of an array on a member", 'const a = [1], o = { s: "" };', "a.push(2)", "(o.s += a)"),
  race("a key of `in`", 'const a = ["a"];', 'a[0] = "b"', "a in { a: 1 }"),
  race(
    "a prototype, by instanceof",
    "class A {} class B {} const o = new A();",
    "o.__proto__ = B.prototype",
    "o instanceof B",
  ),
  race("a callback with an object", "const s = new Set();", "[1].forEach(s.add, s)", "s.size"),
  race("a bound callback", "const m = new Map();", '["a"].forEach(m.set.bind(m))', "m.size"),
  race("stringify as a callback", "const o = { n: 1 };", "o.n = 2", "[o].map(JSON.stringify)[0]"),
  race("String as a callback", "const a = [1];", "a.push(2)", "[a].map(String)[0]"),
  race(
    "a bound argument",
    "const o = {}, put = Object.assign.bind(null, o);",
    "put({ x: 1 })",
    'typeof o["x"]',
  ),
  race(
    "then of a bound function",
    "const a = []; void world.pause().then(a.push.bind(a, 1));",
    "0",
    "a.length",
  ),
  race("a timer of a bound function", 'const a = []; setTimeout(a.push.bind(a), 1, "x");', "0", "a.length"),
  race(
    "a service of a bound function",
    'const a = [], push = world.service("push", a.push.bind(a), { effect: "call" });',
    "await push(1)",
    "a.length",
  ),
  race(
    "a callback, called by another",
    "const m = new Map([[1, 1]]);",
    "Array.prototype.forEach.call([1], m.clear.bind(m))",
    "m.size",
  ),
  race(
    "a bound getter",
    'const m = new Map([["k", 1]]), o = Object.defineProperty({}, "x", { get: m.get.bind(m, "k") });',
    'm.set("k", 2)',
    "o.x",
  ),
  race(
    "a bound iterator",
    "const s = new Set([1]), o = { [Symbol.iterator]: s.values.bind(s) };",
    "s.add(2)",
    "[...o].length",
  ),
  race("a bound toString", "const a = [1], o = { toString: a.join.bind(a) };", "a.push(2)", "`${o}`"),
  race(
    "what toJSON answers",
    "class C { #a = [1]; add() { this.#a.push(2); } toJSON() { return this.#a; } } const c = new C();",
    "c.add()",
    "JSON.stringify(c)",
  ),
  race(
    "what a replacer answers",
    "const o = { n: 1 };",
    "o.n = 2",
    'JSON.stringify({ k: 1 }, (k, v) => (k === "k" ? o : v))',
  ),
  race("names to keep", 'const names = ["a"];', 'names.push("b")', "JSON.stringify({ a: 1, b: 2 }, names)"),
  race(
    "a getter's answer taken apart",
    "class C { #o = { b: 1 }; get a() { return this.#o; } set() { this.#o.b = 2; } } const c = new C();",
    "c.set()",
    "(({ a: { b } }) => b)(c)",
  ),
  race(
    "an element of a set taken apart",
    "const o = { n: 1 }, s = new Set([o]);",
    "o.n = 2",
    "(([{ n }]) => n)(s)",
  ),
  race(
    "pairs of an iterator, in a map",
    'const a = [["k", 1]];',
    "a[0][1] = 2",
    "[...new Map(a.values())][0][1]",
  ),
  race(
    "pairs of an iterator, in an object",
    'const a = [["k", 1]];',
    "a[0][1] = 2",
    "Object.fromEntries(a.values()).k",
  ),
  race(
    "super, a getter",
    "class S extends Set { get n() { return super.size; } } const s = new S();",
    "s.add(1)",
    "s.n",
  ),
  race("an object's value before +=", "const d = [1], o = { x: d };", "d.push(2)", '(o.x += "")'),
  race("an element's value before +=", "const d = [1], o = [d];", "d.push(2)", '(o[0] += "")'),
  race("a variable's value before +=", "const d = [1]; let x = d;", "d.push(2)", '(x += "")'),
  race(
    "a private field's value before +=",
    'const d = [1]; class C { #x = d; add() { return (this.#x += ""); } } const c = new C();',
    "d.push(2)",
    "c.add()",
  ),
  race(
    "a value before += and an await",
    "const d = [1], o = { x: d };",
    "d.push(2)",
    '(o.x += await world.pause("later").then(() => ""))',
  ),
  race("an object's value before ++", "const d = new Date(5), o = { x: d };", "d.setTime(7)", "o.x++"),
  race("an object's value after --", "const d = new Date(5), o = { x: d };", "d.setTime(7)", "--o.x"),
  race("a variable's value before ++", "const d = new Date(5); let x = d;", "d.setTime(7)", "x++"),
  race("a receiver", "const o = { n: 1 };", 'Reflect.set({}, "n", 2, o)', "o.n"),
  race(
    "a late argument of a bound function",
    "const o = {}, put = Object.assign.bind(null);",
    "put(o, { x: 1 })",
    'typeof o["x"]',
  ),
  race(
    "options of fetch",
    'const init = {}, get = world.fetch(() => 1, { effect: "call" });',
    "init.signal = AbortSignal.abort()",
    'await get("/", init).then(() => "answered", () => "aborted")',
  ),
  race("values to choose from", "const a = [1];", "a[0] = 2", "world.chooseFrom(a)"),
];

const endOf = ({ setup, write, read }: Race): string => `
  let seen;
  ${setup}
  await Promise.all([
    (async () => { await world.pause("write"); ${write}; })(),
    (async () => { await world.pause("read"); seen = ${read}; })(),
  ]);
  console.log("end " + seen);`;

const others = [
  {
    name: "immediates of one phase, and what could have come before them",
    text: `let log = "";
      setImmediate(() => { log += "a"; setImmediate(() => { log += "c"; }); });
      setImmediate(() => { log += "b"; });
      await world.pause(); log += "p"; await world.pause(); await world.pause();
      console.log(log);`,
  },
  {
    name: "a timer that is set in a phase",
    text: `let log = "";
      setImmediate(() => {});
      setImmediate(() => { setTimeout(() => { log += "t"; }, 1); });
      setTimeout(() => { log += "u"; }, 2);
      await world.pause(); log += "p"; await world.pause();
      console.log(log);`,
  },
];

/** Without shared data: one order suffices. */
const apart = [
  "JSON.stringify({ a: [1] })",
  "Object.fromEntries(new Map([[1, 2]]))",
  'Object.defineProperty({}, "x", { value: 1 })',
  "Array.prototype.map.call([1], (n) => n)",
  "Array.prototype.push.call([], Math.max)",
  'Reflect.set({}, "n", 2)',
  "(({ a: { b } }) => b)({ a: { b: 1 } })",
  "[...[1]]",
  "[...new Own()]",
].map((read) => ({
  name: `apart: ${read}`,
  text: endOf({
    name: "",
    setup: "class Own { *[Symbol.iterator]() { yield 1; } } const o = {};",
    write: "o.n = 1",
    read,
  }),
}));

/** Operators with side effects: instrumentation must neither reorder nor repeat them. */
const effects = {
  name: "operators with effects",
  text: `let n = 0;
    const log = [], say = (text, value) => (log.push(text), value);
    const o = { get x() { return ++n; }, set x(value) { log.push(value); } };
    const key = { toString: () => say("key", "x") };
    say("object", o)[say("name", "x")] += say("value", 2);
    o[key]++;
    log.push(o.x++, --o.x, (o[key] -= await say("later", 1)));
    class C { #y = 5n; get #z() { return say("z", 1); } set #z(value) { log.push(value); }
      all() { return [this.#y++, ++this.#y, (this.#y **= 2n), this.#z++, (this.#z += 2)].join(); } }
    log.push(new C().all());
    let text = "4", number = { valueOf: () => say("number", 3) };
    log.push(text++, text, number++, number, (text += "5"));
    console.log(log.join());`,
};

const programs = [...races.map((one) => ({ name: one.name, text: endOf(one) })), ...others];
const folder = mkdtempSync(inRepository("test/code/reduction/random-"));
afterAll(() => rmSync(folder, { recursive: true }));
let make: (name: string) => Pair;
beforeAll(async () => {
  const file = join(folder, "natives.ts");
  writeFileSync(file, fileOf([...programs, ...apart, effects]));
  make = await pairsOf(file);
}, 240_000);

test(effects.name, () => {
  const { plain, tracked } = make(effects.name);
  const request: ScheduleRequest = { plan: { prefix: [], tail: { kind: "first" } }, maxTurns: 500 };
  const [expected, run] = collectingRejections(() => [plain.run(request), tracked.run(request)]);
  expect(expected!.end).toBe("passed");
  expect(run).toMatchObject({ end: "passed", fingerprint: expected!.fingerprint });
});

test.each(programs)("$name", ({ name }) => {
  const all = endings(make(name), "all")!;
  expect(all.ends.length).toBeGreaterThan(1);
  expect(endings(make(name), "races")!.ends).toEqual(all.ends);
});

test.each(apart)("$name", ({ name }) => {
  expect(endings(make(name), "all")!.schedules).toBe(2);
  expect(endings(make(name), "races")!.schedules).toBe(1);
});
