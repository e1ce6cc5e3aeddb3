/** Leaked resources, and comparison with a reference. */
import { describe, expect, test } from "vitest";
import { checkText, propertyOf } from "./small.js";

describe("a system that is to return to its start", () => {
  const sessions = (closing: string): string => `
    class Server { open = 0; listeners: string[] = []; cache = 0; sent = 0;
      constructor(readonly env: Environment) {}
      connect() { this.open++; this.sent++; this.listeners.push("data"); this.env.setTimer("idle"); }
      close() { this.open--; ${closing} }
      onTimer() {} }
    export default defineSystem<Server>({ nodes: { a: (env) => new Server(env) }, ignore: ["sent"],
      actions: { connect: { times: 2, when: (n) => n.open === 0, run: (n) => n.connect() }, close: { when: (n) => n.open > 0, run: (n) => n.close() } },
      returns: { "all is closed": ({ nodes }) => nodes["a"]!.open === 0 } });`;

  test("and does", async () => {
    const report = await checkText(sessions('this.listeners.pop(); this.env.clearTimer("idle");'));
    expect(propertyOf(report, "all is closed").verdict).toBe("holds");
  });

  test.each([
    ['this.env.clearTimer("idle");', "a.listeners is [ 'data' ], was []"],
    ["this.listeners.pop();", "a has the timers idle"],
  ])("and does not, after %s", async (closing, what) => {
    const found = propertyOf(await checkText(sessions(closing)), "all is closed");
    expect(found.verdict).toBe("violated");
    expect(found.reason).toBe(`invariant violated: all is closed: ${what}`);
    expect(found.trace!.length).toBe(2);
  });
});

describe("a node in step with a reference", () => {
  /** A counter that must stop at 2. */
  const counter = (node: string, allowed = "[]"): string => `
    import { refining } from "everypath/system";
    class Counter { n = 0; constructor(readonly env: Environment) {}
      onMessage(from: string, by: number) { ${node} } }
    const reference = { initial: 0, view: (c: Counter) => c.n, viewOf: (n: number) => n,
      step: (n: number, input: any) => input.kind !== "message" ? { state: n, outputs: [] }
        : { state: Math.min(2, n + input.message), outputs: [{ to: input.from, message: Math.min(2, n + input.message) }] },
      allowed: ${allowed} };
    class Client { constructor(readonly env: Environment) {} onStart() { this.env.send("a", 1); this.env.send("a", 1); this.env.send("a", 1); } }
    export default defineSystem<any>({ nodes: { a: refining((env) => new Counter(env), reference), b: (env: Environment) => new Client(env) } });`;
  const right = "this.n = Math.min(2, this.n + by); this.env.send(from, this.n);";
  const wrong = "this.n = this.n + by; this.env.send(from, this.n);";
  const silent = "this.n = Math.min(2, this.n + by); if (this.n < 2) this.env.send(from, this.n);";

  test("agrees", async () => {
    const report = await checkText(counter(right));
    expect(propertyOf(report, "assertions").verdict).toBe("holds");
    expect(report.diagnostics).toEqual([]);
  });

  test("differs in its state, or in what it sends", async () => {
    const inState = propertyOf(await checkText(counter(wrong)), "assertions");
    expect(inState).toMatchObject({ verdict: "violated", trace: { length: 3 } });
    expect(inState.reason).toContain('the reference has {"outputs":[{"to":"b","message":2}],"view":2}');
    const inOutput = propertyOf(await checkText(counter(silent)), "assertions");
    expect(inOutput).toMatchObject({ verdict: "violated", trace: { length: 2 } });
  });

  test("may differ where a clause allows it", async () => {
    const allowed =
      '[{ clause: "answers may be left out", matches: (d: any) => d.obtained.outputs.length === 0 }]';
    expect(propertyOf(await checkText(counter(silent, allowed)), "assertions").verdict).toBe("holds");
  });

  /** A node whose timer runs `does`, and a reference with these outputs and views. */
  const ticking = (does: string, sends: string, view: string, viewOf: string): string => `
    import { refining } from "everypath/system";
    class Ticking { all = new Map<string, number>(); constructor(readonly env: Environment) {}
      onStart() { this.env.setTimer("t"); }
      onTimer(): unknown { ${does} } }
    const reference: any = { initial: 0, view: (t: Ticking) => ${view}, viewOf: (n: number) => ${viewOf},
      step: (n: number, { kind }: any) => kind === "timer" ? { state: 1, outputs: ${sends} } : { state: n, outputs: [] } };
    export default defineSystem<any>({ nodes: { a: refining((env) => new Ticking(env), reference), b: () => ({}) } });`;
  const verdictOf = async (text: string): Promise<string | undefined> =>
    propertyOf(await checkText(text), "assertions").verdict;

  test("differs in what JSON does not show", async () => {
    const set = "this.all.set('x', 2);";
    const viewOf = (value: number): string => `new Map(n === 0 ? [] : [["x", ${value}]])`;
    expect(await verdictOf(ticking(set, "[]", "t.all", viewOf(1)))).toBe("violated");
    expect(await verdictOf(ticking(set, "[]", "t.all", viewOf(2)))).toBe("holds");
    const swapped = ["({ a: 1, b: 2 })", "({ b: 2, a: 1 })"] as const;
    expect(await verdictOf(ticking("", "[]", ...swapped))).toBe("holds");
    const dates = await checkText(ticking("", "[]", "new Date(1)", "new Date(2)"));
    expect(dates.diagnostics[0]).toMatchObject({ code: "code/not-supported" });
  });

  test("is compared by what it sent, not by what it makes of that later", async () => {
    const changed = 'const m = { v: 1 }; this.env.send("b", m); m.v = 2;';
    const sending = (v: number): string => `[{ to: "b", message: { v: ${v} } }]`;
    expect(await verdictOf(ticking(changed, sending(1), "0", "0"))).toBe("holds");
    expect(await verdictOf(ticking(changed, sending(2), "0", "0"))).toBe("violated");
    const toAll = changed.replace('send("b", m)', "broadcast(m)");
    expect(await verdictOf(ticking(toAll, '[{ to: "*", message: { v: 2 } }]', "0", "0"))).toBe("violated");
  });

  test("has no answer while a handler waits for another step", async () => {
    const wrong = 'this.env.send("b", 1);';
    const ever = await checkText(
      ticking(`return (async () => { ${wrong} await new Promise(() => {}); })();`, "[]", "0", "0"),
    );
    expect(ever.diagnostics[0]).toMatchObject({ code: "code/not-supported" });
    const jobs = ticking(`return (async () => { await null; ${wrong} })();`, "[]", "0", "0");
    expect(await verdictOf(jobs)).toBe("violated");
  });
});

describe("a node that differs from its start", () => {
  /** Opens and closes; only `hold` may remain. */
  const session = (hold: string, more = ""): string => `
    class A {
      isOpen = false; left = 0; #hidden: unknown = 0;
      constructor(readonly e: Environment) { const n = 1; ${more} }
      ask() { this.isOpen = true; this.e.send("a", "close"); }
      onMessage() { this.isOpen = false; ${hold} }
      get seen() { return this.#hidden; }
    }
    export default defineSystem<any>({ nodes: { a: (e) => new A(e) }, actions: { open: { times: 1, run: (n) => n.ask() } },
      returns: { quiet: ({ nodes, network }) => !nodes.a.isOpen && network.length === 0 } });`;
  const opaque = "(this as any).own = () => n;";
  const replayed = (text: string): string => text.replace("nodes:", 'capture: "replay", nodes:');

  test.each([
    ["by what it keeps to itself", session("this.#hidden = 1;"), "a differs from its initial state"],
    ["by a field, where its state is a history", session("this.left = 1;", opaque), "a.left is 1, was 0"],
    [
      "by its disk, where its state is a history",
      session('this.e.disk.write("k", 1);', opaque),
      "a differs from its initial state",
    ],
    [
      "by what it keeps to itself, where it is replayed",
      replayed(session("this.#hidden = 1;")),
      "a differs from its initial state",
    ],
    [
      "by what makes its state a history",
      replayed(session("const m = 1; this.#hidden = () => m;")),
      "a differs from its initial state",
    ],
    [
      "by what is no history any more",
      replayed(session("this.#hidden = 0;", "this.#hidden = () => n;")),
      "a differs from its initial state",
    ],
    [
      "by a function that it keeps to itself",
      session("this.#hidden = () => 1;"),
      "a differs from its initial state",
    ],
  ])("is told %s", async (_, text, reason) => {
    const found = propertyOf(await checkText(text), "quiet");
    expect([found.verdict, found.reason]).toEqual(["violated", expect.stringContaining(reason)]);
  });
});

test("whether a node is as it was at the start is unknown where its state is a history", async () => {
  const session = (close: string): string => `
    const make = (e: Environment) => {
      let isOpen = false;
      return { get isOpen() { return isOpen; }, ask() { isOpen = true; e.send("a", "close"); },
        onMessage() { isOpen = false; ${close} } };
    };
    export default defineSystem<any>({ nodes: { a: make }, actions: { open: { times: 1, run: (n) => n.ask() } },
      returns: { quiet: ({ nodes, network }) => !nodes.a.isOpen && network.length === 0 } });`;
  const closed = await checkText(session(""));
  expect(propertyOf(closed, "quiet").verdict).toBe("unknown");
  const held = await checkText(session('e.setTimer("forgotten");'));
  expect(propertyOf(held, "quiet").reason).toContain("a has the timers forgotten");
  const whole = await checkText(
    session("")
      .replace("nodes: { a: make },", 'nodes: { a: (e) => new Open(e) }, capture: "replay",')
      .replace(
        "const make",
        `
    class Open { isOpen = false; constructor(readonly e: Environment) {} ask() { this.isOpen = true; this.e.send("a", "close"); } onMessage() { this.isOpen = false; } }
    const make`,
      ),
  );
  expect(propertyOf(whole, "quiet").verdict).toBe("holds");
});

test("a system that fails while it starts has no state to speak of", async () => {
  const report = await checkText(`
    class N { onStart() { throw new Error("early"); } }
    export default defineSystem<any>({ nodes: { a: () => new N() }, always: { p: () => false }, sometimes: { q: () => true },
      eventually: { r: () => false } });`);
  expect(report.properties.map(({ property, verdict }) => [property.name, verdict])).toEqual([
    ["assertions", "unknown"],
    ["exceptions", "violated"],
    ["p", "unknown"],
    ["q", "unknown"],
    ["r", "unknown"],
  ]);
  expect(propertyOf(report, "p").reason).toContain("fails while the system starts");
});
