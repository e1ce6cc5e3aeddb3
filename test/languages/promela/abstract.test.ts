/** Sets and queues of enumerations: their methods, their errors, and the words as ordinary names. */
import { describe, expect, test } from "vitest";
import { check } from "../../../src/index.js";

const verdict = async (text: string, options: object = {}): Promise<string> => {
  const { properties, diagnostics } = await check({ file: "m.pml", text }, options);
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return errors.map(({ code }) => code).join();
  const kinds = new Set<string>(properties.map(({ verdict: kind }) => kind));
  return kinds.has("violated") ? "violated" : [...kinds].join();
};
const body = (statements: string, more = ""): string =>
  `enum E = { a, b, c }; ${more} active proctype P() { set s = [3] of { E }; queue q = [2] of { E }; E x; ${statements} }`;

describe("methods", () => {
  test.each([
    [
      "a set has no order",
      "s.insert(c); s.insert(a); s.insert(c); assert(s.find(a) == 0 && s.find(c) == 2 && s.len() == 2)",
    ],
    [
      "an absent value is erased without effect",
      "s.insert(a); s.erase(b); assert(s.find(a) >= 0 && s.find(b) == -1)",
    ],
    [
      "all values",
      "s.insert(a); s.insert(b); assert(!s.full()); s.insert(c); assert(s.full() && !s.empty())",
    ],
    [
      "a present value is pushed without effect, even if there is no room",
      "q.push(a); q.push(a); assert(q.len() == 1); q.push(b); q.push(b); q.push(a); assert(q.full())",
    ],
    [
      "a queue keeps the order",
      "q.push(b); q.push(a); assert(q.front() == b); x = q.pop(); assert(x == b); x = q.front(); assert(x == a && q.len() == 1)",
    ],
    [
      "a variable of the enumeration",
      "x = b; s.insert(x); assert(s.find(b) == 1); s.erase(x); assert(s.empty())",
    ],
    ["front of an empty queue is not executable", "if :: q.front() != a -> assert(false) :: else -> skip fi"],
    ["pop of an empty queue is not executable", "if :: x = q.pop() -> assert(false) :: else -> skip fi"],
    ["a value with front waits", "int n; if :: n = q.front() + 1 -> assert(false) :: else -> skip fi"],
  ])("%s", async (_, statements) => expect(await verdict(body(statements))).toBe("holds"));

  test.each([
    ["pop of an empty queue blocks", "x = q.pop()"],
    ["front of an empty queue blocks", "x = q.front()"],
    ["a condition on front of an empty queue blocks", "q.front() != a"],
    ["push to a full queue blocks", "q.push(a); q.push(b); q.push(c)"],
    ["a variable without a value is not in the enumeration", "s.insert(x)"],
    ["no duplicates", "q.push(a); q.push(a); assert(q.len() == 2)"],
  ])("%s", async (_, statements) => expect(await verdict(body(statements))).toBe("violated"));

  test("states have no history of insertions", async () => {
    const inserts = body(
      "do :: s.insert(a) :: s.insert(b) :: s.insert(c) :: s.erase(a) :: s.erase(b) :: s.erase(c) od",
    );
    const { stats } = await check({ file: "m.pml", text: inserts });
    expect(stats.states).toBe(8);
  });

  test("global sets in conditions, formulas and other scopes", async () => {
    const text = `enum E = { a, b }; set s = [2] of { E };
      active proctype P() { s.insert(b); { byte s = 3; s = s + 1; assert(s == 4) } }`;
    expect(await verdict(text, { invariants: ["s.find(a) < 0"], ltl: ["<> (s.find(b) >= 0)"] })).toBe(
      "holds",
    );
    expect(await verdict(text, { invariants: ["s.empty()"] })).toBe("violated");
  });
});

describe("errors", () => {
  test.each([
    ["no room for all values", "enum E = { a, b }; set s = [1] of { E }; active proctype P() { skip }"],
    ["no room", "enum E = { a, b }; queue q = [0] of { E }; active proctype P() { skip }"],
    ["no enumeration", "set s = [2] of { byte }; active proctype P() { skip }"],
    ["a value of another enumeration", body("s.insert(d)", "enum F = { d };")],
    ["a variable of another enumeration", body("F y = d; s.insert(y)", "enum F = { d };")],
    ["a number", body("s.insert(1)")],
    ["a method of the other kind", body("s.push(a)")],
    ["find in a queue would show its order", body("assert(q.find(a) >= 0)")],
    ["a whole set", body("x = s")],
    ["a queue as a channel", body("q!a")],
    ["a statement as a value", body("x = s.insert(a)")],
  ])("%s", async (_, text) => expect(await verdict(text)).toMatch(/^promela\/(abstract-data)/));
});

describe("the words are names in plain Promela", () => {
  test.each([
    [
      "variables",
      "byte set = 1, queue, enum; byte refactorby; active proctype P() { queue = set; enum++; refactorby = 2; set = enum; assert(queue == 1) }",
    ],
    [
      "fields and methods' names",
      "typedef T { byte find; byte pop } T set; active proctype P() { set.find = 1; set.pop = set.find; assert(set.pop == 1) }",
    ],
    [
      "types",
      "typedef set { byte x } typedef queue { byte y } set a; queue b; active proctype P() { a.x = 1; b.y = a.x; assert(b.y == 1) }",
    ],
    [
      "mtype constants",
      "mtype = { set, queue, enum }; active proctype P() { mtype x = set; assert(x == 3) }",
    ],
    ["processes and labels", "proctype queue() { set: goto enum; enum: skip } init { run queue() }"],
    ["inlines", "byte x; inline insert(v) { x = v } active proctype P() { insert(3); assert(x == 3) }"],
    [
      "channels",
      "chan queue = [1] of { byte }; chan set = [1] of { byte }; active proctype P() { byte x; queue!1; queue?x; assert(x == 1) }",
    ],
  ])("%s", async (_, text) => expect(await verdict(text)).toBe("holds"));
});
