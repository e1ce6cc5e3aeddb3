/** Each trap of the method: a program on which the tempting version is wrong. */
import { expect, test } from "vitest";
import { readFileSync } from "node:fs";
import { inRepository } from "../../repository.js";
import { DEFAULT, enumerate, isReachable, PLAIN, programIn, run, WAYS } from "../boolean-agreement.js";

/** All ways agree with the enumeration, which has the expected answer. */
function expectAll(
  text: string,
  expected: "reachable" | "unreachable",
  targets: readonly string[] = [],
): void {
  const program = programIn(text, targets);
  const found = enumerate(program);
  for (const property of program.properties) {
    expect(found && isReachable(found, property), property.name).toBe(expected === "reachable");
    for (const way of WAYS) expect(run(program, property, way).kind, way.name).toBe(expected);
  }
}

test.each(["por-trap", "por-trap-swapped"])(
  "%s: a condition on next statements alone misses the error",
  (name) =>
    expectAll(readFileSync(inRepository(`test/fixtures/bp/conformance/${name}.bp`), "utf8"), "reachable"),
);

test("a thread that is disabled now is not independent of what it may do later", () =>
  expectAll(
    "bool x, y; thread A { x = 1; } thread B { assume(y); assume(!x); ERROR: skip; } thread C { y = 1; }",
    "reachable",
  ));

test("a thread that reads what another writes is not explored alone", () =>
  expectAll("bool x, seen; thread A { seen = x; assert(!seen); } thread B { skip; x = 1; }", "reachable"));

test("a thread that is enabled in a part of a set of states is not explored alone", () =>
  // Where `a` is false, A is stuck, and B alone can move.
  expectAll(
    "bool g = 1; thread A { bool a; a = *; g = a; assume(a); } thread B { skip; assume(!g); ERROR: skip; }",
    "reachable",
  ));

test("two writes of one variable do not commute, even if no other thread reads it", () =>
  expectAll(
    "bool x, d; thread A { x = 1; assume(d && x); ERROR: skip; } thread B { x = 0; d = 1; }",
    "reachable",
  ));

test("a failing assertion beside a local loop is found: cycle condition", () =>
  expectAll("thread A { bool l; while (1) { l = !l; } } thread B { assert(0); }", "reachable"));

test("states of a set that go round a cycle while others leave it are not forgotten: one covered successor expands fully", () =>
  expectAll(
    `bool a, b = *, *;
    thread A { L: if (a) { M: if (b) { goto L; } else { skip; skip; } } else { skip; skip; } }
    thread B { assume(a && b); ERROR: skip; }`,
    "reachable",
  ));

test("a step into an atomic section is not explored alone: it stops the others", () =>
  expectAll(
    "bool y; thread A { atomic_begin; y = 1; skip; atomic_end; } thread B { skip; assume(!y); ERROR: skip; }",
    "reachable",
  ));

test("locations that a target names together are visible, when they are entered and when they are left", () => {
  expectAll("thread A { skip; L: skip; skip; } thread B { skip; skip; M: skip; }", "reachable", ["A:L,B:M"]);
  expectAll("thread A { L: skip; skip; } thread B { skip; M: skip; }", "reachable", ["A:L,B:M"]);
  // Locations of the two threads have different numbers.
  expectAll("thread A { L: skip; } thread B { skip; skip; skip; M: skip; }", "reachable", ["A:L,B:M"]);
});

test("reduction explores fewer location vectors", () => {
  const program = programIn(
    "thread A { bool l; l = *; l = !l; l = *; } thread B { bool k; k = *; k = !k; ERROR: assume(0); }",
  );
  const [property] = program.properties;
  const nothing = { ...property!, bad: [] };
  const count = (reducesThreads: boolean): number =>
    run(program, nothing, { ...DEFAULT, reducesThreads }).search.figures().locationVectors;
  expect(count(true)).toBeLessThan(count(false));
});

test("choices are new whenever a statement is executed, not once for its location", () =>
  expectAll("thread T { bool a, b; L: b = a; a = *; goto L, M; M: assert(a == b); }", "reachable"));

test("right-hand sides of a parallel assignment have the old values: swaps work", () => {
  expectAll("thread T { bool a, b = 0, 1; a, b = b, a; assert(a && !b); }", "unreachable");
  expectAll("thread T { bool a, b = 0, 1; a, b = b, a; assert(!a); }", "reachable");
});

test("primed variables of a constraint have the new values", () =>
  expectAll("thread T { bool a; a = * constrain(a' != a); assert(a); }", "unreachable"));

test("a constraint that nothing satisfies ends the path, and is counted", () => {
  const program = programIn("thread T { bool a; a = * constrain(a' && !a'); ERROR: skip; }");
  const { kind, search } = run(program, program.properties[0]!, DEFAULT);
  expect(kind).toBe("unreachable");
  expect(search.figures().empty).toBe(1);
});

test("variables that share a choice are compared together: a correlated set is not a product", () =>
  // Both are equal first and independent later; one at a time, the later states look covered.
  expectAll(
    "thread T { bool a, b; a = *; b = a; goto L, N; N: a = *; b = *; L: assert(a == b); }",
    "reachable",
  ));

test("guards link the groups of a partition", () =>
  expectAll(
    "thread T { bool a, b; a, b = *, * constrain(a' || b'); goto L, N; N: a, b = *, *; L: assert(a || b); }",
    "reachable",
  ));

test("a guard on a choice that no value mentions may still link others", () =>
  expectAll(
    "thread T { bool a, c; c = *; a = *; assume(a => c); assume(!c); c = 0; assert(!a); }",
    "unreachable",
  ));

test("guards that reach a value only through a later guard are kept", () =>
  expectAll(
    "thread T { bool a, c, d; c, d, a = *, *, *; assume(c => d); assume(c => !d); assume(a => c); c, d = 0, 0; assert(!a); }",
    "unreachable",
  ));

test("a global is live while any thread may read it, also one that has not moved", () =>
  expectAll(
    "bool x; thread A { x = *; skip; x = 0; } thread B { skip; skip; assume(x); ERROR: skip; }",
    "reachable",
  ));

test("a variable that one branch assigns is live if the other reads it", () =>
  expectAll("thread T { bool a; L: a = *; goto M, N; M: a = 0; goto L; N: assert(!a); }", "reachable"));

test("an assigned variable is dead before the assignment, unless the constraint reads its old value", () =>
  expectAll("thread T { bool a, b; a = *; a = * constrain(a' == !a); b = a; assert(b); }", "reachable"));

test("states inside and outside of an atomic section are different: others cannot interrupt it", () => {
  expectAll("bool x; thread A { atomic { x = 1; x = 0; } } thread B { assert(!x); }", "unreachable");
  expectAll("bool x; thread A { x = 1; x = 0; } thread B { assert(!x); }", "reachable");
});

test("a thread that is stuck in an atomic section ends the execution", () =>
  expectAll(
    "bool x; thread A { atomic { x = 1; assume(0); } } thread B { assume(x); ERROR: skip; }",
    "unreachable",
  ));

test("an assertion inside an atomic section is checked", () =>
  expectAll("bool x; thread A { atomic { x = *; assert(!x); } }", "reachable"));

test("the bad location is tested before coverage", () =>
  // The state at ERROR is covered by one with the same locations only if that one was reported.
  expectAll("thread T { bool a; L: a = *; goto L, M; M: assume(a); ERROR: skip; goto L; }", "reachable"));

test("locals of several calls are different: no capture by inlining", () =>
  expectAll(
    `bool a; bool f(x) { bool a; a = !x; return a; } thread T { bool r, s; r = f(0); s = f(r); assert(r && !s && !a); }`,
    "unreachable",
  ));

test("returned values belong to the caller's variables, in order", () =>
  expectAll(
    "bool<2> f(x) { return !x, x; } thread T { bool a, b; a, b = f(1); assert(!a && b); a, b = f(a); assert(a && !b); }",
    "unreachable",
  ));

test("if and while with * give both branches one choice", () =>
  expectAll("thread T { bool a, b; if (*) { a = 1; } else { b = 1; } assert(a != b); }", "unreachable"));

test("a thread that has ended is not enabled, and a deadlock is no error", () =>
  expectAll("bool x; thread A { assume(x); ERROR: skip; } thread B { skip; }", "unreachable"));

test("guards do not grow along loops", () => {
  const program = programIn(
    "thread T { bool a, b; L: a, b = *, *; assume(a || b); goto L, M; M: assert(a || b); }",
  );
  const { kind, search } = run(program, program.properties[0]!, PLAIN);
  expect(kind).toBe("unreachable");
  expect(Math.max(...search.states.map(({ guards }) => guards.length))).toBeLessThanOrEqual(1);
});
