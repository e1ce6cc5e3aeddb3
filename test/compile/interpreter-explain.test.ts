import { describe, expect, test } from "vitest";
import type { PrintArgument } from "../../src/model/index.js";
import { formatPrint } from "../../src/compile/interpreter/print.js";
import {
  ProgramBuilder,
  arrayOf,
  assign,
  bool,
  byte,
  chan,
  get,
  match,
  named,
  num,
  placeOf,
  store,
} from "./build.js";
import { Walk } from "./walk.js";

const colours = named({ 1: "blue", 2: "red" });

describe("describe", () => {
  test("a rendezvous names both, the sender first, with the message between them", () => {
    const b = new ProgramBuilder();
    const c = b.channel("c", 0, [colours, byte]);
    const x = b.global("x", byte);
    b.active("R").edge(0, { to: 1, communicate: b.receive(get(c), [match(2), store(x)]) }, "c?red(x)");
    b.active("S").edge(0, { to: 1, communicate: b.send(get(c), [num(2), num(3)]) }, "c!red(3)");
    const walk = new Walk(b.build());
    expect(walk.system.describe(walk.state, 0, 0)).toMatchObject({
      participants: ["S[1]", "R[0]"],
      action: "c!red(3) | c?red(x)",
      messages: [
        { kind: "rendezvous", channel: "c", channelId: 1, message: "red(3)", from: "S[1]", to: "R[0]" },
      ],
      output: "",
    });
  });

  test("buffered messages say who sent or received them", () => {
    const b = new ProgramBuilder();
    const type = b.channelType(2, [byte, bool]);
    const a = b.active("A");
    const own = a.channel("own", type);
    a.edge(0, { to: 1, communicate: b.send(get(own), [num(7), num(1)]) });
    a.edge(1, { to: 2, communicate: b.receive(get(own), [match(7), { kind: "ignore" }]) });
    const walk = new Walk(b.build());
    const moved = { channel: "A[0]:own", channelId: 1, message: "7,true" };
    const send = walk.system.describe(walk.state, 0, 0).messages;
    expect(send).toEqual([{ kind: "send", ...moved, from: "A[0]", to: undefined }]);
    walk.take(0);
    const receive = walk.system.describe(walk.state, 0, 0).messages;
    expect(receive).toEqual([{ kind: "receive", ...moved, from: undefined, to: "A[0]" }]);
  });

  test("output is what printf printed, values at that moment", () => {
    const b = new ProgramBuilder();
    const x = b.global("x", byte, 4);
    const show = (format: string, ...args: PrintArgument[]) =>
      ({ kind: "print", format, arguments: args }) as const;
    const effects = [
      show("x is %d, ", { value: get(x), display: { kind: "number" } }),
      assign(x, num(2)),
      show("now %e\n", { value: get(x), display: colours.display }),
    ];
    b.active("A").edge(0, { to: 1, effects });
    const walk = new Walk(b.build());
    expect(walk.system.describe(walk.state, 0, 0).output).toBe("x is 4, now red\n");
  });

  test("a choice that is not there is refused", () => {
    const b = new ProgramBuilder();
    b.active("A").edge(0, { to: 1 });
    const walk = new Walk(b.build());
    expect(() => walk.system.describe(walk.state, 0, 1)).toThrow(RangeError);
  });
});

describe("snapshot", () => {
  test("names and values as people write them, in order of declaration", () => {
    const b = new ProgramBuilder();
    b.global("x", byte, 200);
    b.variable("a", arrayOf(bool, 2));
    b.variable("r", { kind: "record", name: "R", fields: [{ name: "f", type: arrayOf(colours, 1) }] });
    b.variable("counter", byte, { internal: true });
    b.global("colour", colours, 1);
    b.global("q", chan);
    const a = b.active("A");
    a.local("y", byte, 6);
    a.local("y", byte, 7);
    a.edge(0, { to: 1 });
    const shown = new Walk(b.build()).values;
    expect(Object.entries(shown)).toEqual([
      ["x", "200"],
      ["a[0]", "false"],
      ["a[1]", "false"],
      ["r.f[0]", "0"],
      ["colour", "blue"],
      ["q", "none"],
      ["A[0]:y", "6"],
      ["A[0]:y#2", "7"],
    ]);
  });

  test("channels show their messages; arrays of channels are told apart", () => {
    const b = new ProgramBuilder();
    const type = b.channelType(2, [colours, byte]);
    const ring = b.variable("ring", arrayOf(chan, 2));
    const at = (i: number) =>
      placeOf("global", ring, chan, [
        { kind: "index", index: num(i), length: 2, site: b.site("array-bounds") },
      ]);
    for (const i of [0, 1]) b.initialise({ kind: "channel", target: at(i), channelType: type });
    b.active("A")
      .edge(0, { to: 1, communicate: b.send(get(at(1)), [num(1), num(3)]) })
      .edge(1, { to: 2, communicate: b.send(get(at(1)), [num(2), num(1)]) });
    expect(new Walk(b.build()).take(0, 0).values).toEqual({
      "ring[0]": "[]",
      "ring[1]": "[blue(3), red(1)]",
    });
  });

  test("hidden variables are carried along but compared from after them", () => {
    const b = new ProgramBuilder();
    const h = b.global("h", byte, 0, { hidden: true });
    b.active("A").edge(0, { to: 0, effects: [assign(h, num(9))] });
    const walk = new Walk(b.build());
    const before = walk.state.slice();
    expect(walk.take(0).values["h"]).toBe("9");
    const { compareFrom } = walk.system;
    expect(walk.state.slice(compareFrom)).toEqual(before.slice(compareFrom));
    expect(walk.state).not.toEqual(before);
  });
});

test("processes: where each stands", () => {
  const b = new ProgramBuilder();
  const span = { file: "m", start: 4, end: 9 };
  b.active("A").mark(0, { span, isEnd: true });
  b.active("B").edge(0, { to: 0 });
  const walk = new Walk(b.build());
  expect(walk.system.processes(walk.state, 0)).toMatchObject([
    { name: "A[0]", span, isAtEnd: true },
    { name: "B[1]", isAtEnd: false },
  ]);
});

describe("printf", () => {
  const one = (display: PrintArgument["display"] = { kind: "number" }): PrintArgument => ({
    value: num(0),
    display,
  });

  test.each([
    ["%d", -5, "-5"],
    ["%u", -1, "4294967295"],
    ["%x", -1, "ffffffff"],
    ["%X", 255, "FF"],
    ["%o", 8, "10"],
    ["%c", 65, "A"],
    ["%4d|", 42, "  42|"],
    ["%-4d|", 42, "42  |"],
    ["%04d", -42, "-042"],
    ["%+d", 3, "+3"],
    ["100%%", 0, "100%"],
    ["%q", 1, "%q"],
  ])("%s of %i", (format, value, expected) => {
    expect(formatPrint(format, [one()], [value])).toBe(expected);
  });

  test("%e shows names, and a conversion without an argument stays as it is", () => {
    expect(formatPrint("%e %e %d", [one(colours.display), one(colours.display)], [2, 9])).toBe("red 9 %d");
  });
});
