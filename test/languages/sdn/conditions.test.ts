/** Conditions of the front end, one by one, on a network of one switch. */
import { expect, test } from "vitest";
import { check, overallVerdict } from "../../../src/index.js";
import { loadText } from "./loading.js";

const text = (state: string, body: string, property: string, functions = ""): string =>
  `network n { switch s1 ports 1..2; client a, b; link a:1 -- s1:1; link b:1 -- s1:2; }
  packet { k: 1..2; }
  behaviour client a { send {k: any}; }
  controller { state { ${state} } ${functions} on packetIn(p, sw, pt) { ${body} } }
  property x: ${property};`;
const verdict = async (...parts: Parameters<typeof text>): Promise<string> =>
  overallVerdict(await check({ file: "n.sdn", text: text(...parts) }));
const codes = (...parts: Parameters<typeof text>): string[] =>
  loadText(text(...parts)).diagnostics.map(({ code }) => code);

test("less than the smallest number is an error, and not `none`", async () => {
  const body = "if (n == 0) { n = n - 1; } else { if (n == 1) { n = 0; } } drop();";
  expect(await verdict("n: 0..2 = 1;", body, "noUnhandledPacketIn")).toBe("violated");
  expect(await verdict("n: 0..2 = 1;", body.replace("n - 1", "none"), "noUnhandledPacketIn")).toBe("holds");
  const added = "if (n == none) { n = n + 1; } drop();";
  expect(await verdict("n: 0..2 = none;", added, "noUnhandledPacketIn")).toBe("violated");
});

test("a set has elements of its type alone", async () => {
  const adds = (what: string): Promise<string> =>
    verdict("s: set of 1..2 = [];", `s = s + ${what}; drop();`, "noUnhandledPacketIn");
  expect(await adds("(1 + 2)")).toBe("violated");
  expect(await adds("p.k")).toBe("holds");
});

test("arguments and results of functions are of their types", async () => {
  const calls = (argument: string, result: string): Promise<string> =>
    verdict(
      "n: 1..9 = 1;",
      `n = f(${argument}); drop();`,
      "noUnhandledPacketIn",
      `function f(x: 1..3): 1..4 { ${result} }`,
    );
  expect(await calls("p.k + 2", "return x;")).toBe("violated");
  expect(await calls("p.k + 1", "return x;")).toBe("holds");
  expect(await calls("p.k", "return x + 3;")).toBe("violated");
  expect(await calls("p.k", "return x + 2;")).toBe("holds");
  expect(await calls("p.k", "if (x == 1) { return 1; }")).toBe("violated");
  expect(await calls("p.k", "if (x == 1) { return 1; } else { return 2; }")).toBe("holds");
  expect(await calls("p.k", "if (x == 1) { return 1; } else { let y = 1; }")).toBe("violated");
});

test("a function that ends without a result is an error, unless it has none", async () => {
  const calls = (body: string): Promise<string> =>
    verdict(
      "n: 0..9 = 1;",
      "n = f(p.k); g(p.k); drop();",
      "noUnhandledPacketIn",
      `function f(x: 1..3): 0..4 { ${body} } function g(x: 1..3) { let y = x; }`,
    );
  expect(await calls("if (x == 1) { return 1; }")).toBe("violated");
  expect(await calls("if (x == 1) { return 1; } else { let y = 1; }")).toBe("violated");
  expect(await calls("if (x == 1) { let y = 1; } else { return 1; }")).toBe("violated");
  expect(await calls("if (x == 1) { return 1; } else { return 2; }")).toBe("holds");
  expect(await calls("if (x == 1) { return 1; } if (x != 1) { return 2; }")).toBe("holds");
});

test("a set is equal to a list of its elements, in whatever order", async () => {
  for (const list of ["[1, 2]", "[2, 1]", "[1, 2, 1]"]) {
    expect(await verdict("s: set of 1..2 = [];", "s = s + p.k; drop();", `always s != ${list}`)).toBe(
      "violated",
    );
    expect(await verdict("s: set of 1..2 = [];", "s = s + p.k; drop();", `always ${list} != s`)).toBe(
      "violated",
    );
  }
  expect(await verdict("s: set of 1..2 = [];", "s = s + 1; drop();", "always s != [2, 1]")).toBe("holds");
});

test("a field that is given twice is refused, in packets and in rules", () => {
  const property = "noUnhandledPacketIn";
  expect(codes("n: 1..2 = 1;", "install(sw, rule(1, {k: 1, k: 2}, [2]));", property)).toEqual([
    "sdn/declared-twice",
  ]);
  expect(codes("n: 1..2 = 1;", "install(sw, rule(1, {port: 1, port: 2}, [2]));", property)).toEqual([
    "sdn/declared-twice",
  ]);
  const sends = text("n: 1..2 = 1;", "drop();", property).replace("k: any", "k: 1, k: 2");
  expect(loadText(sends).diagnostics.map(({ code }) => code)).toEqual(["sdn/declared-twice"]);
  expect(codes("n: 1..2 = 1;", "install(sw, rule(1, {k: 1, port: 2}, [2]));", property)).toEqual([]);
});

test("ranges have few values, and what is there at first is one of them", () => {
  expect(codes("n: 1..2000000000 = 1;", "drop();", "always n != 3")).toEqual(["sdn/too-large"]);
  expect(codes("n: 1..3 = 5;", "drop();", "always n != 3")).toEqual(["sdn/wrong-value"]);
  const ports = text("n: 1..2 = 1;", "drop();", "always n == 1").replace("ports 1..2", "ports 1..2000000000");
  expect(loadText(ports).diagnostics.map(({ code }) => code)).toContain("sdn/too-large");
});
