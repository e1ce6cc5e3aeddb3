/** `refactorby`: the split of a server, its equivalence, and each condition. */
import { describe, expect, test } from "vitest";
import { readExample, sizeOf, systemOf, AS_COMPONENTS } from "./components.js";
import { check } from "../../../src/index.js";

const example = readExample("examples/lts/split-server.pml");
const channels =
  "mtype = { a, b, c, d }; chan x = [0] of mtype; chan y = [0] of mtype; chan z = [0] of mtype; chan w = [0] of mtype;";
const X = "proctype X() { do :: x!a -> x!c; x!d od }";
const Y = "proctype Y() { do :: y!a -> y!c; y!d od }";
const one = ":: x?a -> z!b; x?c; x?d;";
const two = ":: y?a -> w!b; y?c; y?d;";
const model = ({ locals = "", first = one, second = two, others = "", x = X, y = Y, more = "" }): string =>
  `${channels} ${more} proctype S() { ${locals} do refactorby x, y { ${first} ${second} } ${others} od } ${x} ${y}`;

const verified = (parts: Parameters<typeof model>[0]): Promise<string> =>
  sizeOf(model(parts), { refactor: "verify" });

describe("the published example", () => {
  test("as built, refactored, minimal", async () => {
    expect(await sizeOf(example)).toBe("7/8");
    expect(await sizeOf(example, { refactor: "verify" })).toBe("11/12");
    for (const refactor of [{}, { refactor: "apply" }])
      expect(await sizeOf(example, { ...refactor, visible: ["z!b", "w!b"], minimise: "weak" })).toBe("3/4");
  });

  test("z!b and w!b are external, of the first and the second client", async () => {
    const lts = await systemOf(example, { visible: ["z*", "w*"] });
    expect(typeof lts === "string" ? lts : lts.labels.slice(1).sort()).toEqual(["w!b", "z!b"]);
    const onlyX = await systemOf(example.replace(/proctype Y.*/, ""), {
      visible: ["z*", "w*"],
      minimise: "weak",
    });
    expect(typeof onlyX === "string" ? onlyX : onlyX.labels.slice(1)).toContain("z!b");
  });

  test("each group has a lock", async () => {
    const lts = await systemOf(example, { refactor: "apply" });
    expect(typeof lts === "string" ? lts : lts.labels.filter((label) => label.includes("lock"))).toEqual(
      expect.arrayContaining(["e_x!lock", "e_y!lock"]),
    );
  });

  test("without the remark it is ordinary Promela, as built or refactored", async () => {
    const text = `${channels} active proctype S() { end: do refactorby x, y { ${one} ${two} } od }
      active ${X} active ${Y} active proctype E() { end: do :: z?b :: w?b od }`;
    for (const options of [{}, { refactor: "apply" } as const]) {
      const { properties, diagnostics } = await check({ file: "m.pml", text }, options);
      expect([diagnostics, properties.map(({ verdict }) => verdict)]).toEqual([[], ["holds", "holds"]]);
    }
    const asked = await check({ file: "m.pml", text }, { refactor: "verify" });
    expect(asked.diagnostics.map(({ code }) => code)).toEqual(["promela/refactoring"]);
  });
});

describe("kept", () => {
  test.each([
    [
      "a variable of one group",
      {
        locals: "byte n; bit m = 1;",
        first: ":: x?a -> n = 1 - n; if :: n == 1 -> z!b :: else fi; x?c; x?d",
      },
    ],
    ["options outside of the groups", { others: ":: z!d" }],
    ["alternatives of the client", { x: "proctype X() { do :: x!a -> x!c; x!d :: w!a od }" }],
    [
      "several segments of a group",
      { first: `${one} :: x?b -> z!c`, x: "proctype X() { do :: x!a -> x!c; x!d :: x!b od }" },
    ],
    [
      "entries into variables",
      {
        locals: "mtype v;",
        first: ":: x?v -> if :: v == a -> z!b :: else -> z!c fi; v = 0",
        x: "proctype X() { do :: x!a :: x!c od }",
      },
    ],
  ])("%s", async (_, parts) => expect(await verified(parts)).toMatch(/^\d+\/\d+$/));
});

describe("conditions", () => {
  test.each([
    ["condition 1, entry", "a guarded entry", { locals: "bit flag;", first: ":: flag -> x?a; z!b" }],
    [
      "condition 1, entry",
      "an entry that depends on data",
      { locals: "mtype v;", first: ":: x?eval(v) -> z!b" },
    ],
    ["condition 1, entry", "an entry of another channel", { first: ":: z?a -> x?c" }],
    ["condition 1, entry", "a key without an entry", { first: two }],
    ["condition 2, client", "two clients", { more: "proctype X2() { x!a; x!c; x!d }" }],
    [
      "condition 2, client",
      "two processes of the client",
      { x: X.replace("proctype", "active [2] proctype") },
    ],
    [
      "condition 2, client",
      "a channel as an argument",
      { more: "proctype V(chan v) { skip } init { run V(x) }" },
    ],
    ["condition 3, group", "a segment that communicates with another group", { first: ":: x?a -> y?c; x?d" }],
    ["condition 3, group", "an entry inside a segment", { first: ":: x?a -> x?a; z!b" }],
    ["condition 3, group", "the server uses a channel of a group", { others: ":: x?b" }],
    [
      "condition 4, variable",
      "a variable of two groups",
      { locals: "bit v;", first: ":: x?a -> v = 1; z!b", second: ":: y?a -> v = 0; w!b" },
    ],
    [
      "condition 4, variable",
      "a variable of a group and the server",
      { locals: "bit v;", first: ":: x?a -> v = 1; z!b", others: ":: v -> w!d" },
    ],
    [
      "condition 5, alternative",
      "an entry beside else",
      { x: "proctype X() { do :: x!a -> x!c; x!d :: else od }" },
    ],
    [
      "condition 5, alternative",
      "an entry in an atomic sequence",
      { x: "proctype X() { do :: atomic { x!a }; x!c; x!d od }" },
    ],
    [
      "condition 5, alternative",
      "a message that may be an entry",
      { x: "proctype X() { mtype v = a; do :: x!v -> x!c; x!d od }" },
    ],
    ["form", "jumps", { first: ":: x?a -> goto L; z!b; L: skip" }],
    ["form", "a break", { first: ":: x?a -> break" }],
    ["form", "statements before the loop", { locals: "z!c;" }],
    ["form", "process numbers", { others: ":: _pid == 9 -> z!d" }],
    ["form", "a local channel of the same name", { x: "proctype X() { chan x = [0] of { mtype }; x!a }" }],
  ] as const)("%s: %s", async (condition, _, parts) =>
    expect(await sizeOf(model(parts), { refactor: "apply" })).toContain(`refactorby (${condition})`),
  );

  test("a violated condition is located", async () => {
    const text = `${AS_COMPONENTS}${model({ first: ":: x?a -> y?c; x?d" })}`;
    const { diagnostics } = await check({ file: "m.pml", text }, { refactor: "apply" });
    const [found] = diagnostics;
    expect(text.slice(found?.span.start, found?.span.end)).toBe("y?c");
  });
});

describe("arrays", () => {
  const arrays = "active proctype P() { byte list[3]; list[0] = 1 }";
  const codes = async (text: string, options: object): Promise<string> =>
    (await check({ file: "m.pml", text }, options)).diagnostics
      .map(({ severity, code }) => `${severity} ${code}`)
      .join();

  test("are warned about beside sets and queues, and refused or allowed as asked", async () => {
    const beside = `enum E = { a, b }; set s = [2] of { E }; ${arrays}`;
    expect(await codes(arrays, {})).toBe("");
    expect(await codes(beside, {})).toBe("warning promela/array");
    expect(await codes(beside, { arrays: "allow" })).toBe("");
    expect(await codes(arrays, { arrays: "warn" })).toBe("warning promela/array");
    expect(await codes(beside, { arrays: "forbid" })).toBe("error promela/array");
  });
});
