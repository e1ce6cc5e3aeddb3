import { describe, expect, test } from "vitest";
import type { Expr } from "../../src/model/index.js";
import {
  ProgramBuilder,
  assert,
  assign,
  bit,
  byte,
  eq,
  get,
  increment,
  match,
  num,
  op,
  store,
} from "./build.js";
import { Walk } from "./walk.js";

describe("order of the steps", () => {
  test("processes from the youngest to the oldest, edges in order", () => {
    const b = new ProgramBuilder();
    const x = b.global("x", byte);
    b.active("A").edge(0, { to: 1 }).edge(0, { to: 2 }).mark(2, {});
    b.active("B")
      .edge(0, { to: 1, when: eq(get(x), 1) })
      .edge(0, { to: 2 });
    expect(new Walk(b.build()).choices).toEqual(["B[1]: B0-2", "A[0]: A0-1", "A[0]: A0-2"]);
  });

  test("else only when nothing before it could run", () => {
    const b = new ProgramBuilder();
    const x = b.global("x", byte);
    b.active("A")
      .edge(0, { to: 1, when: eq(get(x), 0), effects: [increment(x)] })
      .edge(0, { to: 2, isElse: true })
      .edge(1, { to: 0 });
    const walk = new Walk(b.build());
    expect(walk.choices).toEqual(["A[0]: A0-1"]);
    expect(walk.take(0, 0).choices).toEqual(["A[0]: A0-2"]);
  });

  test("a rendezvous send that finds a receiver keeps else from running", () => {
    const build = (hasReceiver: boolean): Walk => {
      const b = new ProgramBuilder();
      const c = b.channel("c", 0, [byte]);
      b.active("S")
        .edge(0, { to: 1, communicate: b.send(get(c), [num(1)]) })
        .edge(0, { to: 2, isElse: true });
      if (hasReceiver) b.active("R").edge(0, { to: 1, communicate: b.receive(get(c), [match(1)]) });
      return new Walk(b.build());
    };
    expect(build(true).choices).toEqual(["S[0]+R[1]: S0-1 | R0-1"]);
    expect(build(false).choices).toEqual(["S[0]: S0-2"]);
  });

  test("the receiver of a rendezvous may take its else", () => {
    const b = new ProgramBuilder();
    const c = b.channel("c", 0, [byte]);
    b.active("S").edge(0, { to: 1, communicate: b.send(get(c), [num(1)]) });
    b.active("R")
      .edge(0, { to: 1, communicate: b.receive(get(c), [match(1)]) })
      .edge(0, { to: 2, isElse: true });
    expect(new Walk(b.build()).choices).toEqual(["R[1]: R0-2", "S[0]+R[1]: S0-1 | R0-1"]);
  });

  test("once an escape could run, other groups are not tried", () => {
    const b = new ProgramBuilder();
    const [outer, inner] = [b.global("outer", bit), b.global("inner", bit)];
    b.active("A")
      .edge(0, { to: 1, when: get(outer), group: 2 }, "outer")
      .edge(0, { to: 2, when: get(inner), group: 1 }, "inner")
      .edge(0, { to: 3, when: get(inner), group: 1 }, "inner again")
      .edge(0, { to: 0 }, "body")
      .mark(3, {});
    b.active("B")
      .edge(0, { to: 1, effects: [assign(inner, num(1))] })
      .edge(1, { to: 2, effects: [assign(outer, num(1))] });
    const walk = new Walk(b.build());
    const ofA = (): string[] => walk.choices.filter((c) => c.startsWith("A"));
    expect(ofA()).toEqual(["A[0]: body"]);
    walk.take(0);
    expect(ofA()).toEqual(["A[0]: inner", "A[0]: inner again"]);
    walk.take(0);
    expect(ofA()).toEqual(["A[0]: outer"]);
  });

  test("timeout holds only when nothing else can happen", () => {
    const b = new ProgramBuilder();
    const x = b.global("x", byte);
    b.active("A")
      .edge(0, { to: 1, when: { kind: "timeout" } })
      .edge(0, { to: 2, when: op({ kind: "timeout" }, "&&", eq(get(x), 5)) });
    b.active("B").edge(0, { to: 1, effects: [increment(x)] });
    const walk = new Walk(b.build());
    expect(walk.choices).toEqual(["B[1]: B0-1"]);
    expect(walk.take(0).choices).toEqual(["A[0]: A0-1"]);
  });

  test("a process moves only while its provided clause holds", () => {
    const b = new ProgramBuilder();
    const x = b.global("x", byte);
    const a = b.active("A").edge(0, { to: 1 });
    a.provided = eq(get(x), 1);
    b.active("B").edge(0, { to: 1, effects: [increment(x)] });
    const walk = new Walk(b.build());
    expect(walk.choices).toEqual(["B[1]: B0-1"]);
    expect(walk.take(0).choices).toEqual(["A[0]: A0-1"]);
  });

  test("only processes of the highest priority among those that can move, move", () => {
    const b = new ProgramBuilder();
    const x = b.global("x", byte);
    b.active("Low").edge(0, { to: 1, effects: [increment(x)] });
    const high = b.active("High").edge(0, { to: 1, when: eq(get(x), 1) });
    high.priority = 5;
    b.active("Middle").edge(0, { to: 1 }).priority = 3;
    const walk = new Walk(b.build({ usesPriorities: true }));
    expect(walk.choices).toEqual(["Middle[2]: Middle0-1"]);
    expect(walk.take(0).choices).toEqual(["Low[0]: Low0-1"]);
    expect(walk.take(0).choices).toEqual(["High[1]: High0-1"]);
  });
});

describe("atomic sequences", () => {
  test("the process keeps control until the sequence ends", () => {
    const b = new ProgramBuilder();
    const x = b.global("x", byte);
    b.active("A")
      .edge(0, { to: 1, effects: [increment(x)], keeps: true })
      .edge(1, { to: 2, effects: [increment(x)] })
      .edge(2, { to: 3 });
    b.active("B").edge(0, { to: 1 });
    const walk = new Walk(b.build());
    expect(walk.choices).toEqual(["B[1]: B0-1", "A[0]: A0-1 *"]);
    walk.take(1);
    expect(walk.isIntermediate).toBe(true);
    expect(walk.choices).toEqual(["A[0]: A1-2"]);
    walk.take(0);
    expect(walk.isIntermediate).toBe(false);
    expect(walk.choices).toEqual(["B[1]: B0-1", "A[0]: A2-3"]);
  });

  test("a process that blocks loses control, and gets it again when it goes on", () => {
    const b = new ProgramBuilder();
    const x = b.global("x", byte);
    b.active("A")
      .edge(0, { to: 1, keeps: true })
      .edge(1, { to: 2, when: eq(get(x), 1), keeps: true })
      .edge(2, { to: 3 });
    b.active("B").edge(0, { to: 1, effects: [increment(x)] });
    const walk = new Walk(b.build());
    expect(walk.choices).toEqual(["B[1]: B0-1", "A[0]: A0-1"]);
    walk.take(1);
    expect(walk.isIntermediate).toBe(false);
    expect(walk.choices).toEqual(["B[1]: B0-1"]);
    expect(walk.take(0).choices).toEqual(["A[0]: A1-2 *"]);
  });

  test("a timeout does not help a process to keep control", () => {
    const b = new ProgramBuilder();
    b.active("A")
      .edge(0, { to: 1, keeps: true })
      .edge(1, { to: 2, when: { kind: "timeout" } });
    const walk = new Walk(b.build());
    expect(walk.choices).toEqual(["A[0]: A0-1"]);
    expect(walk.take(0).choices).toEqual(["A[0]: A1-2"]);
  });

  test("a false provided clause takes control away", () => {
    const b = new ProgramBuilder();
    const x = b.global("x", byte);
    const a = b
      .active("A")
      .edge(0, { to: 1, effects: [increment(x)], keeps: true })
      .edge(1, { to: 2 });
    a.provided = eq(get(x), 0);
    expect(new Walk(b.build()).choices).toEqual(["A[0]: A0-1"]);
  });

  test("a rendezvous send counts as possible only when somebody receives", () => {
    const build = (isReceiving: boolean): Walk => {
      const b = new ProgramBuilder();
      const c = b.channel("c", 0, [byte]);
      b.active("S")
        .edge(0, { to: 1, keeps: true })
        .edge(1, { to: 2, communicate: b.send(get(c), [num(1)]) });
      if (isReceiving) b.active("R").edge(0, { to: 1, communicate: b.receive(get(c), [match(1)]) });
      return new Walk(b.build());
    };
    expect(build(true).choices).toEqual(["S[0]: S0-1 *"]);
    expect(build(false).choices).toEqual(["S[0]: S0-1"]);
  });

  test.each([
    { sender: false, receiver: true, owner: 1 },
    { sender: true, receiver: true, owner: 1 },
    { sender: true, receiver: false, owner: undefined },
    { sender: false, receiver: false, owner: undefined },
  ])(
    "after a handshake control is the receiver's or nobody's: $sender $receiver",
    ({ sender, receiver, owner }) => {
      const b = new ProgramBuilder();
      const c = b.channel("c", 0, [byte]);
      const y = b.global("y", byte);
      b.active("S")
        .edge(0, { to: 1, communicate: b.send(get(c), [num(7)]), keeps: sender })
        .edge(1, { to: 2, keeps: true });
      b.active("R")
        .edge(0, { to: 1, communicate: b.receive(get(c), [store(y)]), keeps: receiver })
        .edge(1, { to: 2 });
      const walk = new Walk(b.build());
      expect(walk.choices).toEqual([`S[0]+R[1]: S0-1 | R0-1${owner === undefined ? "" : " *"}`]);
      walk.take(0);
      expect(walk.values["y"]).toBe("7");
      expect(walk.isIntermediate).toBe(owner !== undefined);
      const all = ["R[1]: R1-2", "S[0]: S1-2"];
      expect(walk.choices).toEqual(owner === undefined ? all : [all[0]]);
    },
  );

  test("a receiver that blocks after the handshake does not keep control", () => {
    const b = new ProgramBuilder();
    const c = b.channel("c", 0, [byte]);
    b.active("S").edge(0, { to: 1, communicate: b.send(get(c), [num(7)]) });
    b.active("R")
      .edge(0, { to: 1, communicate: b.receive(get(c), [match(7)]), keeps: true })
      .edge(1, { to: 2, when: num(0) });
    const walk = new Walk(b.build());
    expect(walk.choices).toEqual(["S[0]+R[1]: S0-1 | R0-1"]);
  });
});

describe("indivisible steps", () => {
  test("run on to their end, by the first edge that can run", () => {
    const b = new ProgramBuilder();
    const [x, y] = [b.global("x", byte), b.global("y", byte)];
    const site = b.site("blocked-step");
    b.active("A")
      .edge(0, { to: 1, effects: [increment(x)] }, "x++")
      .edge(1, { to: 2, when: eq(get(x), 0) }, "no")
      .edge(1, { to: 2, effects: [increment(y)] }, "y++")
      .edge(1, { to: 3, effects: [assign(y, num(9))] }, "never")
      .edge(2, { to: 3, isElse: true, effects: [increment(y)] }, "else")
      .mark(1, { inside: "step", blockedSite: site })
      .mark(2, { inside: "step", blockedSite: site });
    b.active("B").edge(0, { to: 1 });
    const walk = new Walk(b.build());
    expect(walk.choices).toEqual(["B[1]: B0-1", "A[0]: x++; y++; else"]);
    walk.take(1);
    expect(walk.values).toMatchObject({ x: "1", y: "2" });
    expect(walk.isIntermediate).toBe(false);
  });

  test("blocking inside is a fault", () => {
    const b = new ProgramBuilder();
    const site = b.site("blocked-step");
    b.active("A")
      .edge(0, { to: 1 })
      .edge(1, { to: 2, when: num(0) })
      .mark(1, { inside: "step", blockedSite: site });
    expect(new Walk(b.build()).choices).toEqual(["A[0]: A0-1 !blocked-step dead"]);
  });

  test("a rendezvous receive may begin one, a rendezvous send may not", () => {
    const build = (inside: "S" | "R"): Walk => {
      const b = new ProgramBuilder();
      const c = b.channel("c", 0, [byte]);
      const y = b.global("y", byte);
      const blockedSite = b.site("blocked-step");
      const s = b
        .active("S")
        .edge(0, { to: 1, communicate: b.send(get(c), [num(3)]) })
        .edge(1, { to: 2 });
      const r = b
        .active("R")
        .edge(0, { to: 1, communicate: b.receive(get(c), [store(y)]) })
        .edge(1, { to: 2, effects: [increment(y)] });
      (inside === "S" ? s : r).mark(1, { inside: "step", blockedSite });
      return new Walk(b.build());
    };
    expect(build("S").choices).toEqual(["S[0]: S0-1 !blocked-step dead"]);
    const walk = build("R");
    expect(walk.choices).toEqual(["S[0]+R[1]: S0-1 | R0-1; R1-2"]);
    expect(walk.take(0).values["y"]).toBe("4");
  });

  test("one may end inside an atomic sequence", () => {
    const b = new ProgramBuilder();
    const site = b.site("blocked-step");
    b.active("A")
      .edge(0, { to: 1, keeps: true })
      .edge(1, { to: 2, keeps: true })
      .edge(2, { to: 3 })
      .mark(1, { inside: "step", blockedSite: site });
    expect(new Walk(b.build()).choices).toEqual(["A[0]: A0-1; A1-2 *"]);
  });
});

describe("status", () => {
  test("an end is valid when every process is at an end location", () => {
    const b = new ProgramBuilder();
    b.active("A").edge(0, { to: 1 }).mark(1, { isEnd: true });
    b.active("B").mark(0, { isEnd: true });
    const walk = new Walk(b.build());
    expect(walk.isValidEnd).toBe(false);
    expect(walk.take(0).isValidEnd).toBe(true);
  });

  test("and the channels are empty, where that is asked", () => {
    const build = (endNeedsEmptyChannels: boolean): Walk => {
      const b = new ProgramBuilder();
      const c = b.channel("c", 1, [byte]);
      b.active("A")
        .edge(0, { to: 1, communicate: b.send(get(c), [num(0)]) })
        .mark(1, { isEnd: true });
      return new Walk(b.build({ endNeedsEmptyChannels })).take(0);
    };
    expect(build(false).isValidEnd).toBe(true);
    expect(build(true).isValidEnd).toBe(false);
  });
});

describe("questions about processes", () => {
  test("_last is the process that moved last, the receiver in a rendezvous", () => {
    const b = new ProgramBuilder();
    const c = b.channel("c", 0, [byte]);
    const y = b.global("y", byte);
    b.active("R").edge(0, { to: 1, communicate: b.receive(get(c), [match(1)]) });
    b.active("S").edge(0, { to: 1, communicate: b.send(get(c), [num(1)]) });
    b.active("T")
      .edge(0, { to: 1 })
      .edge(1, { to: 2, effects: [assign(y, { kind: "last" })] });
    const walk = new Walk(b.build());
    expect(walk.take(0, 0).values["y"]).toBe("2");
    expect(new Walk(b.build()).take(0, 1, 0).values["y"]).toBe("0");
  });

  test("enabled, control points, locations and variables of others", () => {
    const b = new ProgramBuilder();
    const site = b.site("bad-process");
    const [x, y] = [b.global("x", byte), b.global("y", byte)];
    const other = b.active("P");
    const z = other.local("z", byte, 42);
    other.edge(0, { to: 1, when: get(x) }).mark(1, { isProgress: true });
    const ask = (value: Expr): string => {
      const q = b.template("Q");
      q.edge(0, { to: 1, effects: [assign(y, value)] });
      b.instance(q);
      const walk = new Walk(b.build());
      walk.take(0);
      return walk.values["y"]!;
    };
    const template = other.index;
    expect(ask({ kind: "enabled", process: num(0), site })).toBe("0");
    expect(ask({ kind: "enabled", process: num(77), site })).toBe("0");
    expect(ask({ kind: "control-point", process: num(0), site })).toBe("0");
    expect(ask({ kind: "at", template, process: num(0), locations: [0], site })).toBe("1");
    expect(ask({ kind: "at", template, process: undefined, locations: [1], site })).toBe("0");
    expect(ask({ kind: "at", template, process: num(1), locations: [0], site })).toBe("0");
    expect(ask({ kind: "remote", template, process: undefined, place: z, site })).toBe("42");
    expect(ask({ kind: "no-progress" })).toBe("1");
    expect(ask({ kind: "self" })).toBe("9");
    expect(ask({ kind: "process-count" })).toBe("11");
  });

  test("invariants", () => {
    const b = new ProgramBuilder();
    const x = b.global("x", byte, 3);
    b.invariant("small", op(get(x), "<", num(4)));
    b.invariant("undefined", op(num(1), "/", op(get(x), "-", num(3)), b.site("division-by-zero")));
    b.active("A").edge(0, { to: 1, effects: [increment(x), assert(num(1), 0)] });
    const walk = new Walk(b.build());
    const held = (): boolean[] => [0, 1].map((i) => walk.system.holds(i, walk.state, 0));
    expect(held()).toEqual([true, false]);
    walk.take(0);
    expect(held()).toEqual([false, true]);
  });
});
