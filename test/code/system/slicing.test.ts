/** Slicing omits numbers without influence and keeps the others; the report lists both. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../../src/report/index.js";
import { checkInput } from "../../../src/session/check/check.js";
import { registry } from "../../../src/session/registry.js";
import { replayInput } from "../../../src/session/replay/replay.js";
import type { CheckOptions } from "../../../src/session/request.js";
import { checkText, propertyOf } from "./small.js";

const folder = `${import.meta.dirname}/../../../examples/code`;
const input = (name: string): { file: string; text: string } => {
  const file = `${folder}/${name}`;
  return { file, text: readFileSync(file, "utf8") };
};

async function check(name: string, defines: readonly string[], options: CheckOptions): Promise<CheckReport> {
  return (await checkInput(input(name), { ...options, defines }, registry)).report;
}

const sliceOf = ({ diagnostics }: CheckReport): string =>
  diagnostics.find(({ code }) => code === "code/slice")?.message ?? "";

describe("a statistic", () => {
  const name = "systems/retransmission.ts";

  test("is left out: as many states as without it, and no proof", async () => {
    const without = await check(name, [], {});
    const sliced = await check(name, ["STATS"], { slice: { paths: "auto" } });
    expect(sliced.stats.states).toBe(without.stats.states);
    expect(sliceOf(sliced)).toMatch(/^sliced: packetsSent \(counter, \d+ values from 0 to \d+\)$/);
    expect(sliced.properties.map(({ verdict }) => verdict)).toEqual(["unknown", "unknown", "unknown"]);
    expect(sliced.scope).toMatchObject({ kind: "partial" });
    expect(sliced.scope.notes.join()).toContain("packetsSent");
  }, 240_000);

  test("may be taken for one by --accept bounded", async () => {
    const options = { slice: { paths: ["packetsSent"] }, accept: "bounded" } as const;
    expect((await check(name, ["STATS"], options)).accepted).toBe("bounded");
  }, 240_000);

  test("hides no error that has nothing to do with it, whose trace is one of the system itself", async () => {
    const defines = ["STATS", "FORGETFUL"];
    const report = await check(name, defines, { slice: { paths: ["packetsSent"] } });
    const { verdict, trace } = propertyOf(report, "assertions");
    expect([verdict, trace?.length]).toEqual(["violated", 7]);
    const again = await replayInput(input(name), { schedule: trace!.schedule }, { defines }, registry);
    expect(again.outcome).toBe("failed");
  }, 240_000);

  test("that another is computed from is one if the other is", async () => {
    const report = await checkText(
      `class A { on = false; sent = 0; doubled = 0; turn() { this.on = !this.on; this.sent = (this.sent + 1) % 20; this.doubled = 2 * this.sent; } }
       export default defineSystem<any>({ nodes: { a: () => new A() }, actions: { go: { run: (n) => n.turn() } } });`,
      { slice: { paths: "auto", moreValuesThan: 10 } },
    );
    expect(sliceOf(report)).toContain("doubled (statistic");
    expect(sliceOf(report)).toContain("sent (statistic");
    expect(report.stats.states).toBe(2);
  });

  test("that keeps a node from being as it was is looked at, however few values it has", async () => {
    const server = (closing: string): string =>
      `class Server { open = 0; sessions = 0; held = 0;
         connect() { this.open++; this.sessions++; this.held++; } close() { ${closing} this.open--; }
         ask() { if (this.held > 1) throw new Error("full"); } }
       export default defineSystem<Server>({ nodes: { a: () => new Server() },
         actions: { connect: { times: 2, when: (n) => n.open === 0, run: (n) => n.connect() },
           close: { when: (n) => n.open > 0, run: (n) => n.close() }, ask: { when: (n) => n.open > 0, run: (n) => n.ask() } },
         returns: { "all is closed": ({ nodes }) => nodes["a"]!.open === 0 } });`;
    const options = { slice: { paths: "auto" }, properties: ["all is closed"] } as const;
    const returning = await checkText(server("this.held--;"), options);
    expect(sliceOf(returning)).toBe("sliced: sessions (counter, 3 values from 0 to 2)");
    expect(propertyOf(returning, "all is closed").verdict).toBe("unknown");
    const leaking = await checkText(server(""), options);
    expect(sliceOf(leaking)).toMatch(/^sliced: sessions .*kept: held \(it decides whether a step fails\)$/);
    expect(propertyOf(leaking, "all is closed").verdict).toBe("violated");
  });
});

describe("a number that decides something is kept, whatever its values", () => {
  test.each([
    ["a counter of repetitions with a limit", "systems/retransmission.ts", [], ["repetitions"]],
    ["sequence numbers", "systems/aodv-ref.ts", ["Q=1"], ["bid", "routes.*.seq", "routes.*.hop"]],
  ])(
    "%s",
    async (_, name, defines, paths) => {
      const report = await check(name, defines, { slice: { paths: "auto", moreValuesThan: 1 } });
      expect(sliceOf(report)).toMatch(/^nothing to slice/);
      for (const path of paths) expect(sliceOf(report)).toContain(`${path} (`);
      expect(report.properties.every(({ verdict }) => verdict === "holds")).toBe(true);
    },
    60_000,
  );

  test.each([
    ["a condition", "", ', sometimes: { many: ({ nodes }) => nodes["a"]!.n > 40 }', "a condition asks it"],
    ["an action", "", ", when: (node) => node.n < 79", "a condition asks it"],
    ["the network", "this.env.send('a', this.n);", "", "it decides which messages are sent"],
    ["a timer", "if (this.n % 2) this.env.setTimer('t');", "", "it decides about timers or the disk"],
    ["another field", "this.other = this.n % 2;", "", "it decides other"],
  ])("asked by %s", async (kind, turn, more, why) => {
    const inAction = kind === "an action" ? more : "";
    const report = await checkText(
      `class A { n = 0; other = 0; constructor(readonly env: Environment) {} onMessage() {} onTimer() {}
         turn() { this.n = (this.n + 1) % 80; ${turn} } }
       export default defineSystem<A>({ nodes: { a: (env) => new A(env) }, network: { capacity: 1 },
         actions: { go: { run: (node) => node.turn()${inAction} } }${inAction === "" ? more : ""} });`,
      { slice: { paths: "auto" }, budget: { maxStates: 500 } },
    );
    expect(sliceOf(report)).toContain(`n (${why})`);
  });
});

test("only systems of nodes are sliced", async () => {
  const model = { file: "m.pml", text: "active proctype P() { skip }" };
  const { report } = await checkInput(model, { slice: { paths: "auto" } }, registry);
  expect(report.diagnostics.map(({ code }) => code)).toEqual(["session/option-not-taken"]);
});

test("nodes that are replayed cannot be tried out", async () => {
  const report = await checkText(
    `export default defineSystem<any>({ capture: "replay", nodes: { a: () => ({ n: 0 }) }, actions: { go: { times: 3, run: (node) => { node.n++; } } } });`,
    { slice: { paths: "auto" } },
  );
  expect(report.diagnostics.map(({ code }) => code)).toEqual(["code/slice-off"]);
  expect(report.properties.every(({ verdict }) => verdict === "holds")).toBe(true);
});
