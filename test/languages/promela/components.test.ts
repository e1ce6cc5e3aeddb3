/** Promela as components that meet in pairs: graphs of processes, their composition, and what is refused. */
import { describe, expect, test } from "vitest";
import { check } from "../../../src/index.js";
import { AS_COMPONENTS, autOf, chironLite, registration, sizeOf, systemOf } from "./components.js";

describe("graphs of processes", () => {
  test("local statements are no transitions", async () => {
    const text = "chan c = [0] of { bit }; active proctype P() { byte i; do :: c!1; i++; i = i % 3 od }";
    expect(await sizeOf(text)).toBe("3/3");
  });

  test("a receive into a variable has a transition for each value", async () => {
    const text =
      "mtype:m = { a, b, c }; chan c1 = [0] of { mtype:m }; active proctype P() { mtype:m v; do :: c1?v -> v = 0 od }";
    expect(await sizeOf(text)).toBe("1/3");
  });

  test("the messages of open channels are visible, and those between processes meet in pairs", async () => {
    const text = `chan c = [0] of { bit }; chan o = [0] of { bit };
      active proctype P() { do :: c!1; o!0 od } active proctype Q() { bit v; do :: c?v -> v = 0 od }`;
    const lts = await systemOf(text);
    expect(typeof lts === "string" ? lts : lts.labels.slice(1).sort()).toEqual(["c!1", "o!0"]);
    expect(await sizeOf(text)).toBe("2/2");
  });

  test("a channel with both sides is closed even if one side is never reached", async () => {
    const text = `chan c = [0] of { bit }; active proctype P() { bit v; c?v } active proctype Q() { bit b; b; c!1 }`;
    expect(await sizeOf(text)).toBe("1/0");
  });

  test("endless local work stays a loop", async () => {
    const aut = await autOf(
      "chan c = [0] of { bit }; active proctype P() { bit b; c!1; do :: b = 1 - b od }",
    );
    expect(aut).toContain("i");
    const { properties } = await check({
      file: "m.pml",
      text: `${AS_COMPONENTS}active proctype P() { bit b; do :: b = 1 - b od }`,
    });
    expect(properties.map(({ verdict }) => verdict)).toEqual(["holds"]);
  });

  test("processes that block each other are a deadlock, and an error of one is an error of all", async () => {
    const pair =
      "chan c = [0] of { bit }; chan d = [0] of { bit }; active proctype P() { c!1; d!1 } active proctype Q() { d?1; c?1 }";
    const verdicts = async (text: string): Promise<string> =>
      (await check({ file: "m.pml", text: `${AS_COMPONENTS}${text}` })).properties
        .map(({ verdict }) => verdict)
        .join();
    expect(await verdicts(pair)).toBe("violated");
    expect(await verdicts("active proctype P() { byte i = 1; assert(i == 2) }")).toContain("violated");
    expect(
      await verdicts("chan c = [0] of { bit }; active proctype P() { c!1 } active proctype Q() { c?1 }"),
    ).toBe("holds");
  });

  test("a component is checked by formulas over actions", async () => {
    const text = `${AS_COMPONENTS}chan o = [0] of { bit }; active proctype P() { do :: o!0; o!1 od }`;
    const { properties, diagnostics } = await check(
      { file: "m.pml", text },
      { formulas: ['["o!1"] false'], ltl: ['G ("o!0" -> X "o!1")'] },
    );
    expect(diagnostics).toEqual([]);
    expect(properties.map(({ verdict }) => verdict)).toEqual(["holds", "holds", "holds"]);
  });
});

describe("published figures", () => {
  test("registration: an ordered list and a set", async () => {
    for (const [n, list, set] of [
      [1, 2, 2],
      [2, 5, 4],
      [3, 16, 8],
    ] as const) {
      expect(await sizeOf(registration(n, "queue"))).toMatch(new RegExp(`^${list}/`));
      expect(await sizeOf(registration(n, "set"))).toMatch(new RegExp(`^${set}/`));
    }
  });

  test("the printed listing, which clears a cell of the size, is no Promela", async () => {
    expect(await sizeOf(registration(2, "queue", "size[size] = 0"))).toMatch(/promela\/index-of-scalar/);
  });

  test("without clearing the last cell, removed artists stay in the state", async () => {
    expect(await sizeOf(registration(2, "queue", "skip"))).not.toMatch(/^5\//);
  });

  test("Chiron-lite: dispatchers and systems", async () => {
    expect(await sizeOf(chironLite(2, "set", true))).toBe("12/28");
    expect(await sizeOf(chironLite(2, "set", false))).toBe("12/20");
    expect(await sizeOf(chironLite(2, "queue", true))).toBe("16/36");
    expect(await sizeOf(chironLite(2, "queue", false))).toBe("16/26");
  });

  test("the set and the bits have the same graph", async () => {
    expect(await autOf(chironLite(3, "set", true))).toBe(await autOf(chironLite(3, "bits", true)));
  });
});

describe("refused", () => {
  test.each([
    ["a global variable", "byte g; active proctype P() { g = 1 }"],
    ["a buffer", "chan c = [1] of { bit }; active proctype P() { c!1 }"],
    ["too many messages", "chan c = [0] of { int }; active proctype P() { c!1 }"],
    ["timeout", "chan c = [0] of { bit }; active proctype P() { timeout; c!1 }"],
    ["a process number", "chan c = [0] of { byte }; active proctype P() { c!_pid }"],
    ["run", "chan c = [0] of { bit }; proctype Q() { c!1 } active proctype P() { run Q() }"],
    ["else beside a message", "chan c = [0] of { bit }; active proctype P() { if :: c!1 :: else fi }"],
    [
      "a message late in an atomic sequence",
      "chan c = [0] of { bit }; active proctype P() { atomic { c!1; c!0 } }",
    ],
    ["unless", "chan c = [0] of { bit }; active proctype P() { { c!1 } unless { c!0 } }"],
    ["a claim", "chan c = [0] of { bit }; active proctype P() { c!1 } ltl f { [] true }"],
    ["a test of a channel", "chan c = [0] of { bit }; active proctype P() { full(c); c!1 }"],
    [
      "variable arguments",
      "chan c = [0] of { byte }; proctype P(byte i) { c!i } init { byte i = 2; run P(i) }",
    ],
    ["a priority", "chan c = [0] of { bit }; active proctype P() priority 2 { c!1 }"],
  ])("%s", async (_, text) => expect(await sizeOf(text)).toContain("promela/no-component"));
});
