/** Features of system files, and their effect on the report. */
import { describe, expect, test } from "vitest";
import { checkText, propertyOf } from "./small.js";

describe("choices of a step", () => {
  const choosing = (stops: boolean): string => `
    export default defineSystem({
      nodes: { a: (env: Environment) => ({ log: "", env }) },
      actions: { go: { times: 1, run: (node: any) => {
        for (let i = 0; i < 4; i++) {
          const value = node.env.choose(2);
          node.log += value;
          if (${stops} && value === 0) return;
        }
      } } },
    });`;

  test("k choices with an early return are k + 1 runs", async () => {
    expect((await checkText(choosing(true))).stats.transitions).toBe(5);
  });

  test("k choices without are 2^k", async () => {
    expect((await checkText(choosing(false))).stats.transitions).toBe(16);
  });
});

describe("faults of the network", () => {
  const counting = (network: string): string => `
    class Counter { got = 0; constructor(readonly env: Environment) {}
      onStart() { if (this.env.name === "a") { this.env.send("b", 1); this.env.send("b", 2); } }
      onMessage(_: string, value: number) { this.got = this.got * 10 + value; } }
    const make = (env: Environment) => new Counter(env);
    export default defineSystem<Counter>({ nodes: { a: make, b: make }, network: ${network},
      sometimes: { both: ({ nodes }) => nodes["b"]!.got === 12, swapped: ({ nodes }) => nodes["b"]!.got === 21,
        one: ({ nodes, network }) => nodes["b"]!.got === 2 && network.length === 0,
        twice: ({ nodes }) => nodes["b"]!.got === 11 } });`;

  test.each([
    ["{}", ["both", "swapped"]],
    ['{ order: "fifo" }', ["both"]],
    ['{ order: "fifo", loss: true }', ["both", "one"]],
    ['{ order: "fifo", duplicates: 1 }', ["both", "twice"]],
    ["{ capacity: 1 }", []],
  ])("%s", async (network, reached) => {
    const { properties } = await checkText(counting(network));
    const covered = properties.filter((p) => p.property.kind === "cover" && p.verdict === "holds");
    expect(covered.map(({ property }) => property.name)).toEqual(reached);
  });

  test("a message may be lost behind another, and leaves its room", async () => {
    const text = `
      class Node { got = 0; constructor(readonly env: Environment) {}
        onStart() { if (this.env.name === "a") { this.env.send("b", 1); this.env.send("b", 2); this.env.setTimer("t"); } }
        onTimer() { this.env.send("b", 3); }
        onMessage(_: string, value: number) { this.got = this.got * 10 + value; } }
      const make = (env: Environment) => new Node(env);
      export default defineSystem<Node>({ nodes: { a: make, b: make }, network: { order: "fifo", capacity: 2, loss: true },
        sometimes: { both: ({ nodes, network }) => nodes["b"]!.got === 0 && network.length === 2 && network[1]!.message === 3
          && network[0]!.message === 1 } });`;
    for (const reductions of [[], ["por"]] as const)
      expect(propertyOf(await checkText(text, { reductions }), "both").verdict).toBe("holds");
  });

  test("a partition keeps messages away until it heals", async () => {
    const text = (partitions: number): string => `
      class Asker { answered = false; asked = false; constructor(readonly env: Environment) {}
        onMessage(from: string, message: string) { if (message === "ping") this.env.send(from, "pong"); else this.answered = true; } }
      const make = (env: Environment) => new Asker(env);
      export default defineSystem<Asker>({ nodes: { a: make, b: make }, faults: { partitions: ${partitions} },
        actions: { ask: { on: "a", times: 1, run: (node) => { node.asked = true; node.env.send("b", "ping"); } } },
        sometimes: { unanswered: ({ nodes, network }) => nodes["a"]!.asked && !nodes["a"]!.answered && network.length === 0 } });`;
    expect(propertyOf(await checkText(text(0)), "unanswered").verdict).toBe("violated");
    expect(propertyOf(await checkText(text(1)), "unanswered").verdict).toBe("holds");
  });
});

describe("crashes", () => {
  test("an acknowledgment before the sync may be lost, after it not", async () => {
    const text = (syncs: boolean): string => `
      class Store { kept: unknown; lives = 0; constructor(readonly env: Environment) { this.kept = env.disk.read("value") ?? null; }
        onMessage(from: string) { this.kept = 1; this.env.disk.write("value", 1); ${syncs ? "this.env.disk.sync();" : ""} this.env.send(from, "done"); } }
      class Client { acknowledged = false; constructor(readonly env: Environment) {}
        onStart() { this.env.send("store", "write"); }
        onMessage() { this.acknowledged = true; } }
      export default defineSystem<any>({ nodes: { client: (env) => new Client(env), store: (env) => new Store(env) },
        faults: { crashes: 1, crashing: ["store"] },
        always: { kept: ({ nodes, isUp }) => !nodes["client"].acknowledged || !isUp("store") || nodes["store"].kept === 1 } });`;
    expect(propertyOf(await checkText(text(false)), "kept").verdict).toBe("violated");
    expect(propertyOf(await checkText(text(true)), "kept").verdict).toBe("holds");
  });
});

describe("failures on demand", () => {
  const failing = (faults: string): string => `
    class Writer { failed = ""; constructor(readonly env: Environment) {}
      write() { for (const site of ["disk", "send"]) if (this.env.fails(site)) this.failed += site; } }
    export default defineSystem<Writer>({ nodes: { a: (env) => new Writer(env) }, faults: ${faults},
      actions: { write: { times: 1, run: (node) => node.write() } },
      sometimes: { disk: ({ nodes }) => nodes["a"]!.failed === "disk", send: ({ nodes }) => nodes["a"]!.failed === "send" } });`;

  test.each([
    ["{}", [], "never let fail: disk, send"],
    ["{ failures: 1 }", ["disk", "send"], undefined],
    ['{ failures: 1, failing: ["disk"] }', ["disk"], "never let fail: send"],
  ])("%s", async (faults, reached, untried) => {
    const { properties, scope } = await checkText(failing(faults));
    const covered = properties.filter((p) => p.property.kind === "cover" && p.verdict === "holds");
    expect(covered.map(({ property }) => property.name)).toEqual(reached);
    expect(scope.notes.find((note) => note.startsWith("never let fail"))).toBe(untried);
  });
});

describe("deadlock", () => {
  const waiting = (run: string): string => `
    export default defineSystem<any>({ nodes: { a: () => ({ x: 0 }) }, finished: ({ nodes }) => nodes["a"].x === 2,
      actions: { turn: { run: (node) => { ${run} } } } });`;

  test("a system in which every step leads back to the same state is stuck", async () => {
    expect(propertyOf(await checkText(waiting("node.x = 0;")), "deadlock").verdict).toBe("violated");
  });

  test("one whose ways on were all discarded is not", async () => {
    const text = `
      export default defineSystem<any>({ nodes: { a: (env) => ({ x: 0, env }), b: () => ({ x: 0 }) }, finished: () => false, discard: (node) => node.x > 3,
        messages: { small: (message: number) => message < 4 },
        actions: { up: { on: "a", run: (node) => { node.x++; node.env.send("b", node.x); } } }, network: { capacity: 1 } });`;
    const report = await checkText(text, { maxErrors: Infinity });
    expect(propertyOf(report, "deadlock").verdict).toBe("holds");
    expect(propertyOf(report, "small").verdict).toBe("violated");
    expect(report.scope.notes).toContain("states beyond the declared bound were discarded");
  });

  test("one that ends where it may is not", async () => {
    const text = waiting("node.x = Math.min(2, node.x + 1);");
    expect(propertyOf(await checkText(text), "deadlock").verdict).toBe("holds");
  });
});

describe("temporal properties", () => {
  const text = `
    export default defineSystem<any>({ nodes: { a: () => ({ x: 0 }), b: () => ({ done: false }) },
      actions: { spin: { on: "a", run: (node) => { node.x = 1 - node.x; } }, finish: { on: "b", run: (node) => { node.done = true; } } },
      eventually: { done: ({ nodes }) => nodes["b"].done } });`;

  test("an unfair loop violates what a fair one does not", async () => {
    const unfair = propertyOf(await checkText(text), "done");
    expect(unfair.verdict).toBe("violated");
    expect(unfair.trace?.loopStart).toBeDefined();
    expect(propertyOf(await checkText(text, { fairness: "weak" }), "done").verdict).toBe("holds");
  });
});

describe("failures of code", () => {
  test.each([
    ["throw new RangeError('out')", "exceptions", "a fails: RangeError: out"],
    [
      "return Promise.reject(new RangeError('late'))",
      "exceptions",
      "unhandled rejection in a: RangeError: late",
    ],
    [
      "const e = new Error('no'); e.name = 'AssertionError'; throw e",
      "assertions",
      "assertion violated in a: AssertionError: no",
    ],
    ["for (;;);", "exceptions", "a fails: the handler does not terminate"],
    [
      "const again = () => Promise.resolve().then(again); return again()",
      "exceptions",
      "a fails: the handler does not terminate",
    ],
  ])(
    "%s",
    async (run, property, reason) => {
      const text = `export default defineSystem<any>({ nodes: { a: () => ({}) }, actions: { go: { run: () => { ${run} } } } });`;
      const found = propertyOf(await checkText(text), property);
      expect(found).toMatchObject({ verdict: "violated", reason });
      expect(found.trace?.steps[0]?.sources.length).toBeGreaterThan(0);
    },
    30_000,
  );
});

describe("what cannot be checked", () => {
  test("a property that changes a node is refused", async () => {
    const text = `export default defineSystem<any>({ nodes: { a: () => ({ table: new Map() }) }, actions: { go: { run: (n) => { n.x = 1; } } },
      always: { mutating: ({ nodes }) => { nodes["a"].table.set("x", 1); return true; } } });`;
    expect((await checkText(text)).diagnostics).toMatchObject([
      { code: "code/property-mutates", severity: "error" },
    ]);
  });

  test("a file without a system says so", async () => {
    expect((await checkText("export default 1;")).diagnostics).toMatchObject([{ code: "code/no-system" }]);
    expect((await checkText("export default {")).diagnostics).toMatchObject([{ code: "code/bundle" }]);
    expect((await checkText("throw new Error('early'); export default 1;")).diagnostics).toMatchObject([
      { code: "code/load-failed" },
    ]);
  });

  test("a counter outside the state makes it unknown", async () => {
    const text = `export default defineSystem<any>(() => { let hidden = 0;
      return { nodes: { a: () => ({ x: 0 }) }, actions: { go: { times: 2, run: (node) => { node.x = hidden++; } } } }; });`;
    const report = await checkText(text);
    expect(report.diagnostics).toMatchObject([
      { code: "code/nondeterminism", message: "a is not deterministic: its state differs at a.x" },
    ]);
  });

  test("also one that shows late", async () => {
    const text = `export default defineSystem<any>(() => { let hidden = 0;
      return { nodes: { a: () => ({ n: 0, clock: { last: 0 } }) },
        actions: { go: { times: 60, run: (node) => { if (++node.n > 50) node.clock.last = hidden++; } } } }; });`;
    const report = await checkText(text);
    expect(report.diagnostics).toMatchObject([
      { code: "code/nondeterminism", message: expect.stringContaining("at a.clock.last") as string },
    ]);
  });
});

describe("nodes that keep what is no data", () => {
  const counter = (field: string): string => `
    export default defineSystem<any>({ nodes: { a: (env) => { ${field} } },
      actions: { go: { times: 3, run: (node) => { node.add(); } } },
      always: { small: ({ nodes }) => nodes["a"].shown < 3 } });`;

  test("a closure is replayed, with the same verdict", async () => {
    const data = await checkText(counter("class A { shown = 0; add() { this.shown++; } } return new A();"));
    const closure = await checkText(
      counter("let count = 0; return { shown: 0, add() { this.shown = ++count; } };"),
    );
    for (const report of [data, closure]) {
      const found = propertyOf(report, "small");
      expect(found.verdict).toBe("violated");
      expect(found.trace?.steps.length).toBe(3);
    }
    expect(closure.diagnostics).toMatchObject([{ code: "code/opaque-state", severity: "note" }]);
  });

  test("a change of the language that the world cannot do without has no verdict, and is named", async () => {
    const text = (capture: string): string => `
      export default defineSystem<any>({ nodes: { a: () => ({ x: 0 }) }, ${capture}
        actions: { go: { times: 1, run: (n) => { n.x = 1; Object.getPrototypeOf([].values()).next = () => 1; } } },
        always: { small: ({ nodes }) => nodes["a"].x < 2 } });`;
    for (const capture of ["", 'capture: "replay",']) {
      const report = await checkText(text(capture));
      expect(report.properties.filter(({ verdict }) => verdict === "holds")).toEqual([]);
      const keeps =
        "a keeps a changed object of the language at Object.getPrototypeOf([][Symbol.iterator]())";
      expect(report.diagnostics.map(({ message }) => message)).toContain(keeps);
    }
  });

  test("private names may be asked for", async () => {
    const report = await checkText(`
      class A { #on = false; turn(other: object) { if (#on in other) this.#on = !this.#on; } }
      export default defineSystem<any>({ nodes: { a: () => new A() }, actions: { go: { run: (n) => n.turn(n) } } });`);
    expect(report.diagnostics).toEqual([]);
    expect(report.stats.states).toBe(2);
  });

  test("formats of Intl are data: what they were made with tells states apart", async () => {
    const report = await checkText(`
      class A { f = new Intl.NumberFormat("en"); constructor(readonly e: Environment) {}
        turn() { this.f = new Intl.NumberFormat(["de", "fr", "en"][this.e.choose(3)]); } }
      export default defineSystem<any>({ nodes: { a: (e) => new A(e) }, actions: { go: { run: (n) => n.turn() } },
        sometimes: { comma: ({ nodes }) => nodes["a"].f.format(1.5) === "1,5" && nodes["a"].f.resolvedOptions().locale === "fr" } });`);
    expect(report.diagnostics).toEqual([]);
    expect(report.stats.states).toBe(3);
    expect(propertyOf(report, "comma").verdict).toBe("holds");
  });

  test("a tag of the program's own is not asked for", async () => {
    const report = await checkText(`
      class A { n = 0; get [Symbol.toStringTag](): string { throw new Error("asked"); } turn() { this.n = (this.n + 1) % 3; } }
      export default defineSystem<any>({ nodes: { a: () => new A() }, actions: { go: { run: (n) => n.turn() } } });`);
    expect(report.diagnostics).toEqual([]);
    expect(report.stats.states).toBe(3);
  });

  test("asynchronous code with timers is replayed", async () => {
    const text = `
      import { setTimeout as sleep } from "node:timers/promises";
      class A { shown = 0; async add() { const before = this.shown; await sleep(5); this.shown = before + 1; } }
      export default defineSystem<any>({ nodes: { a: () => new A() },
        actions: { go: { times: 2, run: (node) => node.add() } },
        sometimes: { lost: ({ nodes }) => nodes["a"].shown === 1, both: ({ nodes }) => nodes["a"].shown === 2 } });`;
    const report = await checkText(text);
    expect(propertyOf(report, "lost").verdict).toBe("holds");
    expect(propertyOf(report, "both").verdict).toBe("holds");
    expect(report.scope.notes.join()).toContain("nodes replayed: a");
  });

  test("module variables and private fields are data", async () => {
    const text = `
      let total = 0; const seen = new Map<string, number>();
      class A { #secret = 0; get shown() { return this.#secret + total + seen.size; } add() { this.#secret++; total++; seen.set("x", total); } }
      export default defineSystem<any>({ nodes: { a: () => new A(), b: () => new A() },
        actions: { go: { on: "a", times: 2, run: (node) => node.add() } },
        always: { "b is alone": ({ nodes }) => nodes["b"].shown < 5 } });`;
    const report = await checkText(text);
    expect(report.diagnostics).toEqual([]);
    expect(report.scope.notes).toContain("node states captured as data");
    expect(report.stats.states).toBe(3);
  });

  test("an ignored statistic does not multiply states", async () => {
    const text = (ignore: string): string => `
      class A { on = false; stats = { turns: 0 }; turn() { this.on = !this.on; this.stats.turns = (this.stats.turns + 1) % 20; } }
      export default defineSystem<any>({ nodes: { a: () => new A() }, actions: { go: { run: (node) => node.turn() } }${ignore} });`;
    expect((await checkText(text(""))).stats.states).toBe(20);
    expect((await checkText(text(', ignore: ["stats.turns"]'))).stats.states).toBe(2);
  });
});
