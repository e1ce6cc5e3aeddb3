import { describe, expect, test } from "vitest";
import type { BinaryOp, Expr } from "../../src/model/index.js";
import {
  ProgramBuilder,
  arrayOf,
  assert,
  assign,
  byte,
  get,
  increment,
  int,
  match,
  num,
  op,
  placeOf,
} from "./build.js";
import { Walk, entries } from "./walk.js";
import { Successors } from "../../src/model/index.js";

describe("faults", () => {
  test("a failed assertion has a successor, and the first one counts", () => {
    const b = new ProgramBuilder();
    const x = b.global("x", byte);
    const [first, second] = [b.site("assertion", "first"), b.site("assertion", "second")];
    b.active("A").edge(0, { to: 1, effects: [assert(num(0), first), assert(num(0), second), increment(x)] });
    const walk = new Walk(b.build());
    expect(walk.offered[0]).toMatchObject({ fault: first, isDead: false });
    expect(walk.take(0).values["x"]).toBe("1");
  });

  test("an assertion before a fault that ends the step is the one kept", () => {
    const b = new ProgramBuilder();
    const x = b.global("x", byte);
    const [first, second] = [b.site("assertion"), b.site("division-by-zero")];
    const quotient = op(num(1), "/", get(x), second);
    b.active("A").edge(0, { to: 1, effects: [assert(num(0), first), assign(x, quotient)] });
    expect(new Walk(b.build()).offered[0]).toMatchObject({ fault: first, isDead: true });
  });

  test("in a guard it is an entry too, counts as executable, and does not stop the others", () => {
    const b = new ProgramBuilder();
    const x = b.global("x", byte);
    const site = b.site("division-by-zero");
    b.active("A")
      .edge(0, { to: 1, when: op(num(1), "%", get(x), site) }, "guard")
      .edge(0, { to: 1 }, "other")
      .edge(0, { to: 1, isElse: true }, "else");
    expect(new Walk(b.build()).choices).toEqual(["A[0]: guard !division-by-zero dead", "A[0]: other"]);
  });

  test("only what is evaluated can fail", () => {
    const b = new ProgramBuilder();
    const bad = op(num(1), "/", num(0), b.site("division-by-zero"));
    b.active("A")
      .edge(0, { to: 1, when: op(num(0), "&&", bad) }, "and")
      .edge(0, { to: 1, when: op(num(1), "||", bad) }, "or")
      .edge(
        0,
        { to: 1, when: { kind: "conditional", test: num(1), then: num(1), otherwise: bad } },
        "choice",
      );
    expect(new Walk(b.build()).choices).toEqual(["A[0]: or", "A[0]: choice"]);
  });

  test("a bad index, read or written", () => {
    const b = new ProgramBuilder();
    const i = b.global("i", int, -1);
    const x = b.global("x", byte);
    const variable = b.variable("a", arrayOf(byte, 2));
    const step = { kind: "index", index: get(i), length: 2, site: b.site("array-bounds") } as const;
    const element = placeOf("global", variable, byte, [step]);
    b.active("A")
      .edge(0, { to: 1, effects: [assign(x, get(element))] })
      .edge(0, { to: 1, effects: [assign(element, num(1))] })
      .edge(0, { to: 0, effects: [increment(i)] });
    const walk = new Walk(b.build());
    const failing = "A[0]: A0-1 !array-bounds dead";
    expect(walk.choices).toEqual([failing, failing, "A[0]: A0-0"]);
    expect(walk.take(2).choices[1]).toBe("A[0]: A0-1");
    expect(walk.take(2, 2).choices[0]).toBe(failing);
  });

  test("no such channel, and a message of the wrong length", () => {
    const b = new ProgramBuilder();
    const c = b.channel("c", 1, [byte]);
    const two = [num(1), num(2)];
    b.active("A")
      .edge(0, { to: 1, communicate: b.send(num(0), [num(1)]) }, "none")
      .edge(0, { to: 1, communicate: b.send(num(9), [num(1)]) }, "nine")
      .edge(0, { to: 1, communicate: b.send(get(c), two) }, "long")
      .edge(0, { to: 1, communicate: b.receive(get(c), [match(1), match(2)]) }, "long receive")
      .edge(0, { to: 0, communicate: b.send(get(c), [num(1)]) }, "right");
    const walk = new Walk(b.build());
    const wrong = "!bad-message dead";
    const always = ["A[0]: none !bad-channel dead", "A[0]: nine !bad-channel dead"];
    expect(walk.choices).toEqual([...always, `A[0]: long ${wrong}`, "A[0]: right"]);
    // Full now: the send is blocked before its length matters, as in Spin, and the receive is tried.
    expect(walk.take(3).choices).toEqual([...always, `A[0]: long receive ${wrong}`]);
  });

  test("a rendezvous with a wrong number of fields", () => {
    const b = new ProgramBuilder();
    const c = b.channel("c", 0, [byte]);
    b.active("S").edge(0, { to: 1, communicate: b.send(get(c), [num(1)]) });
    b.active("R").edge(0, { to: 1, communicate: b.receive(get(c), [match(1), match(1)]) });
    b.active("T").edge(0, { to: 1, communicate: b.send(get(c), [num(1), num(1)]) });
    expect(new Walk(b.build()).choices).toEqual([
      "T[2]: T0-1 !bad-message dead",
      "R[1]: R0-1 !bad-message dead",
    ]);
  });

  test("a provided clause that fails is an entry", () => {
    const b = new ProgramBuilder();
    const a = b.active("A").edge(0, { to: 1 });
    a.provided = op(num(1), "/", num(0), b.site("division-by-zero"));
    expect(new Walk(b.build()).choices).toEqual(["A[0]: provided clause of A !division-by-zero dead"]);
  });

  test("a process that does not exist", () => {
    const b = new ProgramBuilder();
    const site = b.site("bad-process");
    const a = b.active("A");
    const y = a.local("y", byte);
    const ask = (e: Expr, text: string): void => void a.edge(0, { to: 1, when: e }, text);
    ask({ kind: "remote", template: 0, process: num(1), place: y, site }, "remote");
    ask({ kind: "control-point", process: num(-1), site }, "control point");
    ask({ kind: "priority", process: num(1), site }, "priority");
    ask({ kind: "enabled", process: { kind: "self" }, site }, "myself");
    ask({ kind: "at", template: 0, process: num(1), locations: [0], site }, "at");
    const wrong = "!bad-process dead";
    expect(new Walk(b.build()).choices).toEqual(
      ["remote", "control point", "myself"].map((text) => `A[0]: ${text} ${wrong}`),
    );
  });

  test("in an initialiser there is no state to start from", () => {
    const b = new ProgramBuilder();
    const x = b.global("x", byte);
    const site = b.site("division-by-zero");
    b.initialise({ kind: "value", target: x, value: op(num(1), "/", num(0), site) });
    b.active("A").edge(0, { to: 1 });
    expect(() => new Walk(b.build())).not.toThrow();
    const { system } = new Walk(b.build());
    const out = new Successors(system.width);
    system.initial(out);
    expect(entries(out)).toMatchObject([{ fault: site, isDead: true }]);
  });
});

describe("arithmetic is that of C's int", () => {
  const value = (e: Expr): string => {
    const b = new ProgramBuilder();
    const x = b.global("x", int);
    b.active("A").edge(0, { to: 1, effects: [assign(x, e)] });
    return new Walk(b.build()).take(0).values["x"]!;
  };

  test.each<[number, BinaryOp, number, number]>([
    [2147483647, "+", 1, -2147483648],
    [-2147483648, "-", 1, 2147483647],
    [65536, "*", 65537, 65536],
    [-7, "/", 2, -3],
    [-7, "%", 2, -1],
    [-2147483648, "/", -1, -2147483648],
    [1, "<<", 31, -2147483648],
    [-8, ">>", 1, -4],
    [6, "&", 3, 2],
    [6, "^", 3, 5],
    [6, "|", 3, 7],
    [-1, "<", 0, 1],
    [1, "<=", 1, 1],
    [1, ">", 1, 0],
    [1, ">=", 2, 0],
    [1, "==", 1, 1],
    [1, "!=", 1, 0],
    [2, "&&", 3, 1],
    [0, "||", 0, 0],
  ])("%i %s %i = %i", (left, operator, right, expected) => {
    expect(value(op(num(left), operator, num(right)))).toBe(String(expected));
  });

  test("unary operators", () => {
    expect(value({ kind: "unary", op: "-", operand: num(-2147483648) })).toBe("-2147483648");
    expect(value({ kind: "unary", op: "~", operand: num(0) })).toBe("-1");
    expect(value({ kind: "unary", op: "!", operand: num(7) })).toBe("0");
  });
});
