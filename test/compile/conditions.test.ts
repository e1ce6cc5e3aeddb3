/** Soundness conditions of generated code, checked against the interpreter; quick, for mutation testing. */
import { describe, expect, test } from "vitest";
import { analyse } from "../../src/compile/analyse.js";
import { compile } from "../../src/compile/index.js";
import { storageFor } from "../../src/compile/ranges.js";
import { loadPromela } from "../../src/languages/promela/index.js";
import { CIRCULAR_QUESTION, Sources } from "../../src/model/index.js";
import { ProgramBuilder, arrayOf, byte, die, eq, get, match, num, op, placeOf } from "./build.js";
import { compare, compareDeclared } from "./differential.js";
import { initialOf, successorsOf, Walk } from "./walk.js";

/** The number of states, after all implementations were compared. */
const states = (text: string): number | undefined => compare(text, "m.pml")?.states;

const process = (declarations: string, ...body: string[]): string =>
  `${declarations}; active proctype A() { ${body.join("; ")} }`;

describe("sorted sends", () => {
  test("a message stands before the first that is larger as the channel keeps it", () => {
    for (const [type, values] of [
      ["byte", [50, 300, 50, 44]],
      ["byte", [255, -1, 0, 256]],
      ["short", [7, 40_000, -3, 65_536]],
      ["bit", [1, 2, 3]],
      ["int", [5, -5, 0, 5]],
    ] as const) {
      const sends = values.map((value) => `c!!${value}`);
      const text = process(
        `chan c = [4] of { ${type} }; ${type === "bit" ? "byte" : type} x, y`,
        ...sends,
        "c?x",
        "c?y",
      );
      expect(states(text)).toBe(values.length + 4);
    }
  });

  test("fields decide from left to right", () => {
    const sends = ["2, 1", "1, 9", "2, 0", "1, 258", "2, 1"].map((message) => `c!!${message}`);
    const receives = Array<string>(5).fill("c?x, y");
    for (const types of ["byte, byte", "int, byte", "bit, int", "short, short"])
      expect(
        states(process(`chan c = [5] of { ${types} }; int x, y`, ...sends, ...receives)),
      ).toBeGreaterThan(10);
  });
});

describe("channels", () => {
  test("messages of a bit, of a word and of several words move without each other", () => {
    for (const [type, values] of [
      ["bit", [1, 0, 1, 1]],
      ["byte", [1, 255, 3, 4]],
      ["short", [-1, 2, -30_000, 4]],
      ["int", [-1, 2, 2_000_000_000, 4]],
    ] as const) {
      const sends = values.map((value) => `c!${value}`);
      const random = process(
        `chan c = [4] of { ${type} }; int x, y, z`,
        ...sends,
        `c??${values[2]}`,
        "c?x",
        "c?y",
        "c!1",
        "c?z",
      );
      expect(states(random)).toBeGreaterThan(8);
    }
    const wide = process(
      "chan c = [2] of { int, byte, short, bit }; int x, y",
      "c!-1, 200, -2, 1",
      "c!3, 4, 5, 0",
      "c?x, y, _, _",
      "c?x, y, _, _",
    );
    expect(states(wide)).toBe(6);
  });

  test("one slot as large as a word", () => {
    expect(
      states(process("chan c = [1] of { int }; int x", "c!-1", "c?x", "c!!7", "c?x", "c!0", "c?x")),
    ).toBe(8);
  });

  test("slots that share a word with others do not touch them", () => {
    const text = process(
      "byte before = 7; chan c = [3] of { bit, byte }; byte after = 9",
      "c!1, 255",
      "c!1, 255",
      "c!!0, 3",
      "c?_, before",
      "c??1, 255",
      "c?_, after",
    );
    expect(states(text)).toBe(8);
  });
});

test("of several escapes that can run each is tried", () => {
  const escapes = "if :: x == 0 -> x = 5 :: x < 2 -> x = 6 :: x == 7 fi";
  expect(states(`byte x; active proctype A() { { x = 1; x = 2 } unless { ${escapes} } }`)).toBe(7);
});

test("a guard that fails in the middle of a sequence gives one entry", () => {
  const choice = "if :: a[i] == 0 -> x = 1 fi";
  for (const guard of ["a[i] == 0", choice, "c!a[i]", "c?eval(a[i])"])
    for (const sequence of ["atomic", "d_step"])
      expect(
        states(
          process(
            "byte a[2], i, x; chan c = [2] of { byte }",
            "c!0",
            "x = 3",
            `${sequence} { i = 2; ${guard}; x = 2 }`,
          ),
        ),
      ).toBe(3);
});

test("an index that may be negative, of an array with an element for each of its values", () => {
  const text = process("bit a[65536]; short i = -1", "i = a[i]");
  const sources = new Sources();
  const { program } = loadPromela({ file: "m.pml", text, defines: [], readFile: () => undefined, sources });
  const { system } = compile(program!, sources);
  expect(successorsOf(system, initialOf(system)).map(({ fault }) => fault >= 0)).toEqual([true]);
});

describe("narrowed storage", () => {
  test("as many bits as the largest value needs, and none that is not seen", () => {
    expect(storageFor(byte, { low: 0, high: 3 }, {})).toEqual({ bits: 2, signed: false, base: 0 });
    expect(storageFor(byte, { low: 0, high: 4 }, {})).toEqual({ bits: 3, signed: false, base: 0 });
    expect(storageFor(byte, { low: 0, high: 0 }, {})).toEqual({ bits: 0, signed: false, base: 0 });
    expect(storageFor(byte, { low: 0, high: 255 }, {})).toBeUndefined();
    expect(storageFor(byte, undefined, {})).toBeUndefined();
  });

  test("a negative value keeps the declared width", () => {
    expect(storageFor({ ...byte, signed: true }, { low: -1, high: 3 }, {})).toBeUndefined();
  });

  test("a base other than zero only where nobody sees the zero from before", () => {
    expect(storageFor(byte, { low: 5, high: 6 }, {})).toEqual({ bits: 3, signed: false, base: 0 });
    expect(storageFor(byte, { low: 5, high: 5 }, {})).toEqual({ bits: 3, signed: false, base: 0 });
    expect(storageFor(byte, { low: 5, high: 6 }, { isSet: true })).toEqual({
      bits: 1,
      signed: false,
      base: 5,
    });
    expect(storageFor(byte, { low: 5, high: 5 }, { isConstant: true })).toEqual({
      bits: 0,
      signed: false,
      base: 5,
    });
    expect(storageFor(byte, { low: 5, high: 6 }, { isConstant: true })).toEqual({
      bits: 3,
      signed: false,
      base: 0,
    });
  });
});

describe("what is known of a program beforehand", () => {
  test("a variable counts as initialised when all of it is set before it is read", () => {
    const b = new ProgramBuilder();
    const own = (variable: number) => placeOf("global", variable, byte);
    const [set, unset, itself, element] = [
      b.variable("set", byte),
      b.variable("unset", byte),
      b.variable("itself", byte),
      b.variable("element", arrayOf(byte, 2)),
    ];
    b.initialise({ kind: "value", target: own(set), value: get(own(unset)) });
    b.initialise({ kind: "value", target: own(itself), value: op(get(own(itself)), "+", num(3)) });
    const first = { kind: "index", index: num(0), length: 2, site: -1 } as const;
    b.initialise({
      kind: "value",
      target: placeOf("global", element, byte, [first]),
      value: num(5),
    });
    b.active("P").edge(0, { to: 0 });
    expect([...analyse(b.build()).initialisedGlobals]).toEqual([set]);
  });

  test("a process can end if a way leads to its end", () => {
    const b = new ProgramBuilder();
    b.active("at once").end(0);
    b.active("later").edge(0, { to: 1 }).end(1);
    b.active("never").edge(0, { to: 1 }).edge(1, { to: 0 }).end(2);
    expect([...analyse(b.build()).mortal]).toEqual([0, 1]);
  });
});

test("a condition of a communication or an end is refused: nothing would look at it", () => {
  for (const part of ["communication", "end", "neither"]) {
    const b = new ProgramBuilder();
    const x = b.global("x", byte);
    const c = b.channel("c", 1, [byte]);
    const communicate = part === "communication" ? b.receive(get(c), [match(1)]) : undefined;
    const effects = part === "end" ? [die] : [];
    b.active("R").edge(0, { to: 0, when: eq(get(x), 1), effects, ...(communicate && { communicate }) });
    const compiled = () => compareDeclared(compile(b.build(), new Sources()), "built");
    if (part === "neither") expect(compiled()?.states.size).toBe(1);
    else expect(compiled).toThrow("cannot have a condition");
  }
});

test("an answer that fails at the first site of a program is an error of its own", () => {
  const b = new ProgramBuilder();
  const site = b.site("array-bounds");
  const outside = { kind: "index", index: num(1), length: 1, site } as const;
  const element = placeOf("global", b.variable("a", arrayOf(byte, 1)), byte, [outside]);
  const c = b.channel("c", 0, [byte]);
  b.active("S").edge(0, { to: 1, communicate: b.send(get(c), [num(1)]) });
  b.active("R").edge(0, { to: 1, communicate: b.receive(get(c), [{ kind: "match", value: get(element) }]) });
  expect(new Walk(b.build()).offered.map(({ fault, isDead }) => [fault, isDead])).toEqual([[0, true]]);
});

test("only two guards that ask about each other have no answer", () => {
  const b = new ProgramBuilder();
  const site = b.site("bad-process");
  for (const [self, other] of [
    [0, 1],
    [1, 0],
  ])
    b.active(`P${self}`)
      .edge(0, { to: 1, when: { kind: "enabled", process: num(other!), site } })
      .mark(1, { isEnd: true });
  expect(() => new Walk(b.build()).choices).toThrow(CIRCULAR_QUESTION);
  expect(
    states("byte x; active proctype A() { x == 1 } active proctype B() { !enabled(0); x = 1; enabled(0) }"),
  ).toBe(9);
});
