/** Conditions read nodes without effects: a change voids the verdict, and reads refer to the state. */
import { describe, expect, test } from "vitest";
import { checkText, modelOf, propertyOf } from "./small.js";

/** `add` changes the state, `undo` is a condition's effect on a copy: undetected, "at most one" would hold. */
const system = (declared: string, add: string, undo: string, read: string): string => `
  ${declared}
  export default defineSystem<any>({
    nodes: { a: (e) => new A(e) },
    actions: { add: { times: 3, run: (n: any) => { ${add} } } },
    always: { "looks only": ({ nodes: { a } }) => { ${undo} return true; }, "at most one": ({ nodes: { a } }) => ${read} <= 1 },
  });`;

const A = "class A { constructor(readonly e: Environment) {} }";
const changes: readonly (readonly [string, string, string, string, string])[] = [
  ["a typed array", "class A { b = new Uint8Array(1); }", "n.b[0]++;", "a.b.fill(0);", "a.b[0]"],
  ["a buffer", "class A { b = new ArrayBuffer(1); }", "bump(n.b);", "new Uint8Array(a.b)[0] = 0;", "first(a.b)"],
  ["a view", "class A { b = new DataView(new ArrayBuffer(4)); }", "bump(n.b.buffer);", "a.b.setInt8(0, 0);", "a.b.getInt8(0)"],
  ["a map", "class A { m = new Map([[0, 0]]); }", "n.m.set(0, n.m.get(0) + 1);", "Map.prototype.set.call(a.m, 0, 0);", "a.m.get(0)"],
  ["a set", "class A { m = new Set(); }", "n.m.add(n.m.size);", "Set.prototype.clear.call(a.m);", "a.m.size"],
  ["a date", "class A { d = new Date(0); }", "n.d.setTime(+n.d + 1);", "Date.prototype.setTime.call(a.d, 0);", "+a.d"],
  ["an expression", "class A { r = /a/g; }", "n.r.lastIndex++;", "a.r.lastIndex = 0;", "a.r.lastIndex"],
  ["a private field", "class A { #n = 0; n(by = 0) { return (this.#n += by); } }", "n.n(1);", "a.n(-a.n());", "a.n()"],
  ["a weak map", "const w = new WeakMap(); class A { x = {}; n(by = 0) { const v = (w.get(this.x) ?? 0) + by; if (by) w.set(this.x, v); return v; } }", "n.n(1);", "a.n(-a.n() || 1);", "a.n()"],
  ["a weak map that knew nothing of it", "const w = new WeakMap(); class A { x = {}; n(by = 0) { const v = (w.get(this.x) ?? 0) + by; if (by) w.set(this.x, v); return v; } }", "n.n(1);", "if (a.n() === 0) a.n(1);", "a.n()"],
  ["a setter", "class A { #n = 0; get n() { return this.#n; } set n(v) { this.#n = v; } }", "n.n++;", "a.n = 0;", "a.n"],
  ["a variable", "let v = 0; class A { n(by = 0) { v += by; return v; } }", "n.n(1);", "a.n(-a.n());", "a.n()"],
  ["a list of a module", "const l: number[] = []; class A { n() { return l; } }", "n.n().push(1);", "a.n().length = 0;", "a.n().length"],
  ["a static field", "class A {} (A as any).n = 0;", "n.constructor.n++;", "a.constructor.n = 0;", "a.constructor.n"],
  ["a prototype", "class A {} (A.prototype as any).n = 0;", "n.constructor.prototype.n++;", "a.constructor.prototype.n = 0;", "a.n"],
]; // prettier-ignore
const helpers =
  "const first = (b: any) => new Uint8Array(b)[0]; const bump = (b: any) => { new Uint8Array(b)[0]!++; };";

describe("a condition that changes", () => {
  test.each(changes)("%s is refused, by its name", async (_, declared, add, undo, read) => {
    const report = await checkText(system(helpers + declared, add, undo, read), { maxErrors: Infinity });
    expect(report.diagnostics).toMatchObject([{ code: "code/property-mutates", severity: "error" }]);
    expect(report.diagnostics[0]!.message).toContain("'looks only' changes the nodes that it reads");
    expect(report.properties.map(({ verdict }) => verdict)).not.toContain("holds");
  });

  test.each(changes)("%s is answered where conditions only look", async (_, declared, add, __, read) => {
    const report = await checkText(system(helpers + declared, add, "", read), { maxErrors: Infinity });
    expect(report.diagnostics).toEqual([]);
    expect(propertyOf(report, "at most one").verdict).toBe("violated");
  });

  test.each([
    ["sends", 'this.e.send("a", 1);'],
    ["sends to all", "this.e.broadcast(1);"],
    ["sets a timer", 'this.e.setTimer("t");'],
    ["clears a timer", 'this.e.clearTimer("t");'],
    ["writes", 'this.e.disk.write("k", 1);'],
    ["syncs", "this.e.disk.sync();"],
    ["chooses", "this.e.choose(2);"],
    ["asks whether something fails", 'this.e.fails("s");'],
  ])("the world is refused: it %s", async (_, act) => {
    const declared = A.replace("{}", `{} n = 0; act() { ${act} }`);
    const { diagnostics } = await checkText(system(declared, "n.n++;", "a.act();", "a.n"));
    expect(diagnostics).toMatchObject([{ code: "code/property-mutates" }]);
  });

  test("to choose from one is no act", async () => {
    const declared = A.replace("{}", "{} n = 0; act() { return this.e.choose(1); }");
    const report = await checkText(system(declared, "n.n++;", "a.act();", "a.n"));
    expect(report.diagnostics).toEqual([]);
    expect(propertyOf(report, "at most one").verdict).toBe("violated");
  });

  test("a class for good leads to a node that is replayed, each time anew, and to true answers", async () => {
    const undo = "if (a.n > 1) a.constructor.fresh = 1;";
    const report = await checkText(system("class A { n = 0; }", "n.n++;", undo, "a.n"));
    expect(report.diagnostics).toMatchObject([{ code: "code/opaque-state", severity: "note" }]);
    expect(propertyOf(report, "at most one").verdict).toBe("violated");
  });

  test("something only in the last state is refused", async () => {
    const text = system(
      "class A { n = 0; b = new Uint8Array(1); }",
      "n.n++;",
      "if (a.n === 3) a.b[0] = 1;",
      "a.b[0]",
    );
    expect((await checkText(text)).diagnostics).toMatchObject([{ code: "code/property-mutates" }]);
    const outside = system(
      "let v = 0; class A { n = 0; f() { if (this.n === 3) v++; return v; } }",
      "n.n++;",
      "a.f();",
      "a.n - 2",
    );
    expect((await checkText(outside)).diagnostics).toMatchObject([{ code: "code/property-mutates" }]);
  });

  test("a node that is replayed is refused", async () => {
    const declared = "class A { f = (() => { let n = 0; return () => n; })(); b = new Uint8Array(1); }";
    const report = await checkText(system(declared, "n.b[0]++;", "a.b.fill(0);", "a.b[0]"));
    expect(report.diagnostics.map(({ code }) => code)).toContain("code/property-mutates");
  });

  test.each(["when", "discard"])("a node in `%s` is refused", async (kind) => {
    const changing = "(n: any) => { n.b[0] = 9; return KIND; }".replace("KIND", String(kind === "when"));
    const text = `class A { n = 0; b = new Uint8Array(1); }
      export default defineSystem<any>({ nodes: { a: () => new A() }, ${kind === "discard" ? `discard: ${changing},` : ""}
        actions: { add: { times: 3, ${kind === "when" ? `when: ${changing},` : ""} run: (n: any) => { n.n++; } } } });`;
    const { diagnostics } = await checkText(text);
    expect(diagnostics).toMatchObject([{ code: "code/property-mutates" }]);
  });
});

/** A condition reads the disk of its state, not of the last step. */
test.each([["auto"], ["replay"]])(
  "a method reads the disk of the state, with capture %s",
  async (capture) => {
    const text = `class A { n = 0; constructor(readonly e: Environment) {}
      add() { this.n++; this.e.disk.write("n", this.n); if (this.n === 2) this.e.disk.sync(); }
      get stored() { return this.e.disk.read("n") ?? 0; } }
    export default defineSystem<any>({ capture: "${capture}", nodes: { a: (e) => new A(e), b: (e) => new A(e) },
      actions: { add: { times: 3, run: (n: any) => n.add() } },
      always: { a: ({ nodes: { a } }) => a.stored === a.n, b: ({ nodes: { b } }) => b.stored === b.n } });`;
    const report = await checkText(text, { maxErrors: Infinity });
    expect(report.properties.filter(({ verdict }) => verdict !== "holds")).toEqual([]);
  },
);

/** A getter is evaluated on the restored node; a copy of its fields has none. */
test.each([["auto"], ["replay"]])(
  "a condition has no effects of its own, with capture %s",
  async (capture) => {
    const text = `class A { n = 0; constructor(readonly e: Environment) {}
      get sent() { this.e.send("a", 1); return true; } onMessage() {} }
    export default defineSystem<any>({ capture: "${capture}", nodes: { a: (e) => new A(e) },
      actions: { add: { times: 1, run: (n: any) => { n.n++; } } },
      always: { p: ({ nodes: { a } }) => a.sent } });`;
    const report = await checkText(text);
    expect(propertyOf(report, "p").verdict).toBe("unknown");
    expect(report.diagnostics).toMatchObject([{ severity: "error" }]);
  },
);

test("what a failed step leaves behind is of no state", async () => {
  const text = `let v = 0; class A { n = 0; fail() { v++; throw new Error("no"); } get v() { return v; } }
    export default defineSystem<any>({ nodes: { a: () => new A() },
      actions: { fail: { times: 1, run: (n: any) => n.fail() }, add: { times: 2, run: (n: any) => { n.n++; } } },
      always: { untouched: ({ nodes: { a } }) => a.v === 0 }, sometimes: { touched: ({ nodes: { a } }) => a.v !== 0 } });`;
  const report = await checkText(text, { maxErrors: Infinity });
  expect(propertyOf(report, "untouched").verdict).toBe("holds");
  expect(propertyOf(report, "touched").verdict).toBe("violated");
});

test("a look is noticed before the next step", async () => {
  const model = await modelOf(
    system("let v = 0; class A { n() { return v; } add() { v++; } }", "n.add();", "", "a.n()"),
  );
  const node = model.nodes[0]!;
  const start = node.down({});
  const { next } = node.step(start, { kind: "start" }, { prefix: [], mayFail: 0, isRecorded: false });
  const looks = node.stand(next) as { add(): void };
  node.checkOutside();
  node.stand(next);
  looks.add();
  expect(() =>
    node.step(next, { kind: "action", name: "add", value: 0 }, { prefix: [], mayFail: 0, isRecorded: false }),
  ).toThrow("a condition changes the nodes that it reads");
});
