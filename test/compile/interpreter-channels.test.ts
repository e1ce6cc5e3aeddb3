import { describe, expect, test } from "vitest";
import type { Expr } from "../../src/model/index.js";
import { ProgramBuilder, assign, byte, chan, get, int, match, num, short, store } from "./build.js";
import { Walk } from "./walk.js";

/** One process that does these communications in order, on a channel of `capacity` pairs of bytes. */
function sequence(
  capacity: number,
  make: (b: ProgramBuilder, c: Expr) => ReturnType<ProgramBuilder["send"]>[],
): Walk {
  const b = new ProgramBuilder();
  const c = b.channel("c", capacity, [byte, byte]);
  const a = b.active("A");
  for (const [i, communicate] of make(b, get(c)).entries()) a.edge(i, { to: i + 1, communicate });
  return new Walk(b.build());
}

const pair = (x: number, y: number): Expr[] => [num(x), num(y)];

describe("buffered channels", () => {
  test("first in, first out", () => {
    const walk = sequence(2, (b, c) => [
      b.send(c, pair(1, 2)),
      b.send(c, pair(3, 4)),
      b.receive(c, [match(1), match(2)]),
      b.receive(c, [match(3), { kind: "ignore" }]),
    ]);
    expect(walk.take(0, 0).values["c"]).toBe("[1,2, 3,4]");
    expect(walk.take(0).values["c"]).toBe("[3,4]");
    expect(walk.take(0).values["c"]).toBe("[]");
  });

  test("a send to a full channel blocks, and so does a receive that does not match the head", () => {
    const full = sequence(1, (b, c) => [b.send(c, pair(1, 1)), b.send(c, pair(2, 2))]).take(0);
    expect(full.choices).toEqual([]);
    const other = sequence(1, (b, c) => [b.send(c, pair(1, 1)), b.receive(c, [match(1), match(2)])]).take(0);
    expect(other.choices).toEqual([]);
  });

  test("sorted insertion goes before the first larger message, after equal ones", () => {
    const walk = sequence(4, (b, c) => [
      b.send(c, pair(5, 5), true),
      b.send(c, pair(1, 9), true),
      b.send(c, pair(5, 1), true),
      b.send(c, pair(3, 0), true),
    ]);
    expect(walk.take(0, 0, 0, 0).values["c"]).toBe("[1,9, 3,0, 5,1, 5,5]");
  });

  test("a random receive takes the first match, and slots behind it move up", () => {
    const walk = sequence(3, (b, c) => [
      b.send(c, pair(1, 1)),
      b.send(c, pair(2, 1)),
      b.send(c, pair(2, 2)),
      b.receive(c, [match(2), { kind: "ignore" }], { random: true }),
    ]);
    expect(walk.take(0, 0, 0, 0).values["c"]).toBe("[1,1, 2,2]");
  });

  test("a peek leaves the message where it is", () => {
    const b = new ProgramBuilder();
    const c = b.channel("c", 2, [byte]);
    const x = b.global("x", byte);
    b.active("A")
      .edge(0, { to: 1, communicate: b.send(get(c), [num(7)]) })
      .edge(1, { to: 2, communicate: b.receive(get(c), [store(x)], { keep: true }) });
    expect(new Walk(b.build()).take(0, 0).values).toEqual({ c: "[7]", x: "7" });
  });

  test("removed slots are zero: the same contents are the same words", () => {
    const walk = sequence(2, (b, c) => [b.send(c, pair(1, 2)), b.receive(c, [match(1), match(2)])]);
    const before = walk.state.slice();
    walk.take(0, 0);
    const location = (words: Int32Array): Int32Array => words.slice(0, -1);
    expect(location(walk.state)).toEqual(location(before));
  });

  test("with loss, a send to a full channel is always possible and drops the message", () => {
    const b = new ProgramBuilder();
    const c = b.channel("c", 1, [byte]);
    b.active("A")
      .edge(0, { to: 1, communicate: b.send(get(c), [num(1)]) })
      .edge(1, { to: 2, communicate: b.send(get(c), [num(2)]) });
    const walk = new Walk(b.build({ loseWhenFull: true })).take(0);
    expect(walk.system.describe(walk.state, 0, 0).messages).toMatchObject([{ kind: "lost", message: "2" }]);
    expect(walk.take(0).values["c"]).toBe("[1]");
  });

  test("values are cut to the field, patterns are compared as they are", () => {
    const b = new ProgramBuilder();
    const c = b.channel("c", 1, [byte, short]);
    const [x, y] = [b.global("x", int), b.global("y", int)];
    b.active("A")
      .edge(0, { to: 1, communicate: b.send(get(c), [num(-1), num(40000)]) })
      .edge(1, { to: 2, communicate: b.receive(get(c), [match(-1), store(y)]) })
      .edge(1, { to: 2, communicate: b.receive(get(c), [store(x), store(y)]) });
    const walk = new Walk(b.build()).take(0);
    expect(walk.offered).toHaveLength(1);
    expect(walk.take(0).values).toMatchObject({ x: "255", y: "-25536" });
  });

  test("later targets see what earlier fields stored", () => {
    const b = new ProgramBuilder();
    const c = b.channel("c", 1, [byte, byte]);
    const i = b.global("i", byte);
    const variable = b.variable("a", { kind: "array", element: byte, length: 3 });
    const step = { kind: "index", index: get(i), length: 3, site: b.site("array-bounds") } as const;
    const element = { scope: "global", variable, path: [step], type: byte } as const;
    b.active("A")
      .edge(0, { to: 1, communicate: b.send(get(c), pair(2, 8)) })
      .edge(1, { to: 2, communicate: b.receive(get(c), [store(i), store(element)]) });
    expect(new Walk(b.build()).take(0, 0).values).toMatchObject({ "a[0]": "0", "a[2]": "8" });
  });

  test("questions: len, empty, full and polls", () => {
    const b = new ProgramBuilder();
    const site = b.site("bad-channel");
    const c = b.channel("c", 1, [byte]);
    const r = b.channel("r", 0, [byte]);
    const tests = ["empty", "nempty", "full", "nfull"] as const;
    const polls = [0, 1].map((v): Expr => ({
      kind: "poll",
      channel: get(c),
      pattern: [match(v)],
      random: false,
      messageSite: -1,
      rendezvousSite: site,
      site,
    }));
    const ask = (channel: Expr): Expr[] => [
      { kind: "length", channel, site },
      ...tests.map((t): Expr => ({ kind: "channel-test", test: t, channel, site })),
    ];
    const questions = [...ask(get(c)), ...ask(get(r)), ...polls];
    const places = questions.map((_, i) => b.global(`v${i}`, byte));
    const effects = questions.map((q, i) => assign(places[i]!, q));
    b.active("A")
      .edge(0, { to: 1, effects })
      .edge(1, { to: 2, communicate: b.send(get(c), [num(1)]) })
      .edge(2, { to: 3, effects });
    const walk = new Walk(b.build());
    const answers = (): string => places.map((_, i) => walk.values[`v${i}`]).join(" ");
    walk.take(0);
    // As Spin has it, a rendezvous channel is empty and not full.
    expect(answers()).toBe("0 1 0 0 1 0 1 0 0 1 0 0");
    walk.take(0, 0);
    expect(answers()).toBe("1 0 1 1 0 0 1 0 0 1 0 1");
  });
});

describe("rendezvous", () => {
  test("one entry for each receive that takes the message, the youngest process first", () => {
    const b = new ProgramBuilder();
    const c = b.channel("c", 0, [byte]);
    const x = b.global("x", byte);
    const receive = (): ReturnType<ProgramBuilder["receive"]> => b.receive(get(c), [store(x)]);
    b.active("Q").edge(0, { to: 1, communicate: receive() }).edge(0, { to: 2, communicate: receive() });
    b.active("S").edge(0, { to: 1, communicate: b.send(get(c), [num(300)]) });
    b.active("R")
      .edge(0, { to: 1, communicate: b.receive(get(c), [match(5)]) })
      .edge(0, { to: 2, communicate: receive() });
    const walk = new Walk(b.build());
    expect(walk.choices).toEqual([
      "S[1]+R[2]: S0-1 | R0-2",
      "S[1]+Q[0]: S0-1 | Q0-1",
      "S[1]+Q[0]: S0-1 | Q0-2",
    ]);
    expect(walk.take(0).values["x"]).toBe("44");
  });

  test("not with oneself, not by a peek, which fails, not on another channel that looks the same", () => {
    const b = new ProgramBuilder();
    const [c, d] = [b.channel("c", 0, [byte]), b.channel("d", 0, [byte])];
    b.active("A")
      .edge(0, { to: 1, communicate: b.send(get(c), [num(1)]) })
      .edge(0, { to: 1, communicate: b.receive(get(c), [match(1)]) });
    b.active("B")
      .edge(0, { to: 1, communicate: b.receive(get(c), [match(1)], { keep: true }) })
      .edge(0, { to: 1, communicate: b.receive(get(d), [match(1)]) });
    expect(new Walk(b.build()).choices).toEqual(["B[1]: B0-1 !bad-channel dead"]);
  });

  test("the receiver's provided clause counts, its other edges do not", () => {
    const build = (isProvided: number): Walk => {
      const b = new ProgramBuilder();
      const c = b.channel("c", 0, [byte]);
      b.active("S").edge(0, { to: 1, communicate: b.send(get(c), [num(1)]) });
      const r = b
        .active("R")
        .edge(0, { to: 2, when: num(0), group: 1 }, "escape")
        .edge(0, { to: 1, communicate: b.receive(get(c), [match(1)]) });
      r.provided = num(isProvided);
      return new Walk(b.build());
    };
    expect(build(1).choices).toEqual(["S[0]+R[1]: S0-1 | R0-1"]);
    expect(build(0).choices).toEqual([]);
  });

  test("an escape that is no receive does not pre-empt a handshake, one that is does", () => {
    const build = (isReceive: boolean): Walk => {
      const b = new ProgramBuilder();
      const c = b.channel("c", 0, [byte]);
      const receive = (): ReturnType<ProgramBuilder["receive"]> => b.receive(get(c), [match(1)]);
      b.active("S").edge(0, { to: 1, communicate: b.send(get(c), [num(1)]) });
      b.active("R")
        .edge(0, { to: 2, group: 1, ...(isReceive ? { communicate: receive() } : {}) }, "escape")
        .edge(0, { to: 1, communicate: receive() }, "body");
      return new Walk(b.build());
    };
    expect(build(false).choices).toEqual(["R[1]: escape", "S[0]+R[1]: S0-1 | body"]);
    expect(build(true).choices).toEqual(["S[0]+R[1]: S0-1 | escape"]);
  });

  test("a random receive from a rendezvous channel is an ordinary one", () => {
    const b = new ProgramBuilder();
    const c = b.channel("c", 0, [byte]);
    b.active("S").edge(0, { to: 1, communicate: b.send(get(c), [num(1)], true) });
    b.active("R").edge(0, { to: 1, communicate: b.receive(get(c), [match(1)], { random: true }) });
    expect(new Walk(b.build()).choices).toEqual(["S[0]+R[1]: S0-1 | R0-1"]);
  });
});

describe("channels in variables", () => {
  test("are called after the variable they were made for, wherever they go", () => {
    const b = new ProgramBuilder();
    const [c, d] = [b.channel("c", 1, [chan]), b.channel("d", 1, [byte])];
    const x = b.global("x", chan);
    b.active("A")
      .edge(0, { to: 1, communicate: b.send(get(c), [get(d)]) })
      .edge(1, { to: 2, communicate: b.receive(get(c), [store(x)]) })
      .edge(2, { to: 3, communicate: b.send(get(x), [num(4)]) })
      .edge(3, { to: 4, effects: [assign(d, get(c))] });
    const walk = new Walk(b.build()).take(0);
    expect(walk.values).toEqual({ c: "[d]", d: "[]", x: "none" });
    expect(walk.take(0).values["x"]).toBe("d");
    expect(walk.system.describe(walk.state, 0, 0).messages).toEqual([
      { kind: "send", channel: "d", channelId: 2, message: "4", from: "A[0]", to: undefined },
    ]);
    expect(walk.take(0, 0).values).toEqual({ c: "[]", d: "c", x: "d", "channel d": "[4]" });
  });
});
