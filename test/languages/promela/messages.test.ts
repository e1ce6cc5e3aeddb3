/** Promela with unbounded, unordered channels, compared with message-passing programs. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { check, checkJson, overallVerdict, type CheckOptions, type CheckReport } from "../../../src/index.js";
import { inRepository } from "../../repository.js";

const run = (text: string, options: CheckOptions = {}): Promise<CheckReport> =>
  check({ file: "m.pml", text }, options);
const medical = readFileSync(inRepository("examples/messages/medical.pml"), "utf8");

const model = (body: string, property: string): string => `
mtype = { a, b };
async chan c, d of { mtype };
active proctype P() { mtype x, y; ${body} }
active proctype Q() { mtype x, y; do :: c?x; if :: x == a -> d!x :: else -> skip fi od }
provenance { property p: provenance(${property}; }`;

describe("asynchronous channels", () => {
  test("the medical system holds with as many states as written in mpp", async () => {
    const report = await run(medical, { reducesAtOnce: true });
    expect(overallVerdict(report)).toBe("holds");
    expect(report.stats.states).toBe(24);
    expect(report.engine).toBe("provenance");
  });

  test("its mutant is violated after as many steps", async () => {
    const report = await run(medical.replace("confirm(s2, s1)", "answer(s2, s1)"));
    expect(report.properties[0]!.trace!.length).toBe(9);
  });

  test("a constant is a new message, whatever else is made of a variable keeps where it has been", async () => {
    const back = (value: string): string => model(`c!a; d?x; x = ${value}; c!x; d?y`, "P.y) in eps | P Q");
    expect(overallVerdict(await run(back("a")))).toBe("holds");
    expect(overallVerdict(await run(back("(x == b -> b : a)")))).toBe("violated");
  });

  test("processes can be started, any number of them", async () => {
    const text = `mtype = { a }; async chan c of { mtype };
      active proctype P() { mtype x; do :: run W() :: c!a :: c?x od }
      proctype W() { mtype y; c?y; c!y }
      provenance { set; property p: provenance(P.x) in subset { P }; }`;
    expect(overallVerdict(await run(text))).toBe("violated");
    expect(overallVerdict(await run(text.replace("{ P };", "{ P, W };")))).toBe("holds");
  });

  test("a variable may begin with a message", async () => {
    const text = model("mtype z = b; c!z; d?y", "P.y) in eps");
    expect(overallVerdict(await run(text))).toBe("holds");
    expect(overallVerdict(await run(text.replace("z = b", "z = a")))).toBe("violated");
  });

  test("`async` and `provenance` are names elsewhere", async () => {
    const report = await run("active proctype P() { byte async, provenance; async = 1; provenance = async }");
    expect(overallVerdict(report)).toBe("holds");
    expect(report.engine).toBe("explicit");
  });
});

describe("what principals cannot do is refused where it stands", () => {
  for (const [name, text, place] of [
    ["a shared variable", model("skip", "P.x) in eps").replace("async", "byte n;\nasync"), "3:6"],
    ["a number", model("byte i; i = 1", "P.x) in eps"), "4:40"],
    ["a receive of one message", model("c?a", "P.x) in eps"), "4:35"],
    ["arithmetic on messages", model("c!b; (y - b == 0); x = y", "P.x) in eps"), "4:40"],
    ["a sum that is a condition", model("(y + a); x = y", "P.x) in eps"), "4:35"],
    ["a negative message", model("-y < 0; x = y", "P.x) in eps"), "4:35"],
    ["a remainder that is sent", model("c!(y % 2)", "P.x) in eps"), "4:35"],
    ["an escape", model("{ c?x } unless { x == a -> c!a }", "P.x) in eps"), "4:52"],
    ["a claim about a channel", model("xr d; d?x", "P.x) in eps"), "4:1"],
    ["priorities", model("d?x", "P.x) in eps").replace("P()", "P() priority 3"), "4:1"],
    ["the number of a process", model("x = run W()", "P.x) in eps") + "proctype W() { skip }", "4:35"],
    ["an event trace", model("c!b", "P.x) in eps") + "trace { do :: c!a od }", "4:35"],
    ["an event trace that must not be", model("c!b", "P.x) in eps") + "notrace { c!b }", "4:35"],
    [
      "a condition on a process that is run",
      model("run W()", "P.x) in eps when W.z == a") + "proctype W() { mtype z; c?z }",
      "6:14",
    ],
    [
      "a condition of a process that is run on another",
      model("run W()", "W.z) in eps when P.x == a") + "proctype W() { mtype z; c?z }",
      "6:14",
    ],
    [
      "two domains",
      model("skip", "P.x) in eps").replace("provenance {", "provenance { language; set;"),
      "6:24",
    ],
    ["an atomic sequence", model("atomic { c!a; c!b }", "P.x) in eps"), "4:44"],
    [
      "an ordinary channel",
      model("e!a", "P.x) in eps").replace("async", "chan e = [1] of { mtype };\nasync"),
      "3:6",
    ],
  ] as const)
    test(name, async () => {
      const { diagnostics } = checkJson(await run(text));
      expect(diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)).toContain(
        `promela/not-message-passing ${place}`,
      );
    });

  test("but conditions on processes of which there is one, or on the process itself, are understood", async () => {
    const texts = [
      model("run W()", "P.x) in eps when P.x == a") + "proctype W() { mtype z; c?z }",
      model("run W()", "W.z) in eps when W.z == a") + "proctype W() { mtype z; c?z }",
      model("skip", "P.x) in eps when R.z == a") + "active proctype R() { mtype z; c?z }",
    ];
    for (const text of texts)
      expect(checkJson(await run(text)).diagnostics.map(({ code }) => code)).toEqual([]);
    const both =
      model("run W()", "P.x) in eps when R.z == a") +
      "active proctype R() { mtype z; c?z } proctype W() { skip }";
    expect(checkJson(await run(both)).diagnostics.map(({ code }) => code)).toEqual([]);
  });

  test("a condition on one variable is understood, negated or not; one on two is refused", async () => {
    const codes = async (guard: string): Promise<string[]> => {
      const text = model(`c?x; c?y; if :: ${guard} -> d!x :: else fi`, "P.x) in eps");
      return checkJson(await run(text)).diagnostics.map(({ code }) => code);
    };
    expect(await codes("!(x == a)")).toEqual([]);
    expect(await codes("x == a && y == b")).toContain("promela/not-message-passing");
    expect(await codes("x == a && !(y == b)")).toContain("promela/not-message-passing");
  });

  test("a property of one variable, where several have its name", async () => {
    for (const body of ["{ mtype z; z = a } { mtype z; d?z }", "mtype z; { mtype z; d?z }"]) {
      const { diagnostics } = checkJson(await run(model(body, "P.z) in eps")));
      expect(diagnostics.map(({ code }) => code)).toContain("provenance/ambiguous-variable");
    }
    const asked = await run(model("mtype z; { mtype z; d?z }", "P.x) in eps when P.z == a"));
    expect(checkJson(asked).diagnostics.map(({ code }) => code)).toContain("provenance/ambiguous-variable");
    const other = await run(model("mtype z; { mtype z; d?z }", "P.x) in eps"));
    expect(overallVerdict(other)).toBe("holds");
  });

  test("a formula of the model", async () => {
    const text = `${model("skip", "P.x) in eps")}\nltl f { [] true }`;
    expect(checkJson(await run(text)).diagnostics.map(({ code }) => code)).toContain(
      "promela/not-message-passing",
    );
    const asked = await run(model("skip", "P.x) in eps"), { invariants: ["Q.z == a"] });
    expect(checkJson(asked).diagnostics.map(({ code }) => code)).toContain("messages/condition");
  });

  test("a malformed declaration, a wrong policy", async () => {
    const codes = async (text: string): Promise<string[]> =>
      checkJson(await run(text)).diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`);
    expect((await codes("async chan c = [2] of { byte };"))[0]).toBe("promela/async-channel 1:1");
    expect(await codes(model("skip", "P.z) in eps"))).toEqual(["provenance/unknown-variable 6:39"]);
    expect(await codes(model("skip", "P.x) eps"))).toEqual(["provenance/syntax 6:42"]);
  });
});
