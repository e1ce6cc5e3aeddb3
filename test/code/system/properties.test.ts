/** Resources that are still held, and a reference that a node is compared with. */
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
  /** A counter that is to stop at 2. */
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
