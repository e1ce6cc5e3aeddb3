import { describe, expect, test } from "vitest";
import { ProgramBuilder, assign, byte, chan, get, increment, int, num, op, store } from "./build.js";
import { Walk, reachable } from "./walk.js";

describe("creation", () => {
  test("appends a process with its parameters cut, initialisers run in order, and a value", () => {
    const b = new ProgramBuilder();
    const made = b.global("made", byte);
    const child = b.template("Child");
    const p = child.parameter("p", byte);
    const q = child.local("q", int, 5);
    child.edge(0, { to: 1, effects: [assign(q, op(get(q), "+", get(p)))] });
    b.active("A").edge(0, { to: 1, effects: [b.run(child, [num(257)], made)] });
    const walk = new Walk(b.build());
    const narrow = walk.system.width;
    expect(walk.take(0).values).toEqual({ made: "1", "Child[1]:p": "1", "Child[1]:q": "5" });
    expect(walk.system.width).toBeGreaterThan(narrow);
    expect(walk.choices).toEqual(["Child[1]: Child0-1"]);
    expect(walk.take(0).values["Child[1]:q"]).toBe("6");
  });

  test("numbers new channels after those that are there", () => {
    const b = new ProgramBuilder();
    const c = b.channel("c", 1, [chan]);
    const type = b.channelType(2, [byte]);
    const child = b.template("Child");
    const own = child.channel("own", type);
    child.edge(0, { to: 1, communicate: b.send(get(own), [num(8)]) });
    child.edge(1, { to: 2, communicate: b.send(get(c), [get(own)]) });
    const x = b.global("x", chan);
    b.active("A")
      .edge(0, { to: 1, effects: [b.run(child), b.run(child)] })
      .edge(1, { to: 2, communicate: b.receive(get(c), [store(x)]) });
    const walk = new Walk(b.build()).take(0, 0, 0, 1);
    expect(walk.values).toEqual({ c: "[]", x: "Child[2]:own", "Child[1]:own": "[]", "Child[2]:own": "[8]" });
  });

  test("is a fault when there are too many processes or channels", () => {
    const build = (rules: { maxProcesses?: number; maxChannels?: number }): Walk => {
      const b = new ProgramBuilder();
      const child = b.template("Child");
      child.channel("own", b.channelType(1, [byte]));
      child.edge(0, { to: 0 });
      b.active("A")
        .edge(0, { to: 1, effects: [b.run(child)] })
        .edge(1, { to: 2, effects: [b.run(child)] });
      const walk = new Walk(b.build(rules));
      return walk.take(0);
    };
    const failing = (what: string) => `A[0]: A1-2 !too-many-${what} dead`;
    expect(build({}).choices).toEqual(["Child[1]: Child0-0", "A[0]: A1-2"]);
    expect(build({ maxProcesses: 2 }).choices).toEqual(["Child[1]: Child0-0", failing("processes")]);
    expect(build({ maxChannels: 1 }).choices).toEqual(["Child[1]: Child0-0", failing("channels")]);
  });

  test("is refused when there are too many processes or channels at the start", () => {
    const build = (rules: { maxProcesses?: number; maxChannels?: number }): Walk => {
      const b = new ProgramBuilder();
      const template = b.active("A").edge(0, { to: 0 });
      template.channel("own", b.channelType(1, [byte]));
      b.instance(template);
      return new Walk(b.build(rules));
    };
    expect(build({ maxProcesses: 2, maxChannels: 2 }).choices).toHaveLength(2);
    expect(() => build({ maxProcesses: 1 })).toThrow("at the start");
    expect(() => build({ maxChannels: 1 })).toThrow("at the start");
  });

  test("takes its priority from run, or from the template", () => {
    const b = new ProgramBuilder();
    const x = b.global("x", byte);
    const site = b.site("bad-process");
    const child = b.template("Child");
    child.priority = 4;
    child.edge(0, { to: 1, when: num(0) });
    const ask = (n: number) => assign(x, { kind: "priority", process: num(n), site });
    b.active("A")
      .edge(0, { to: 1, effects: [b.run(child), b.run(child, [], undefined, num(9))] })
      .edge(1, { to: 2, effects: [ask(1)] })
      .edge(2, { to: 3, effects: [ask(2)] })
      .edge(3, { to: 4, effects: [{ kind: "set-priority", process: num(2), value: num(2), site }, ask(2)] })
      .edge(4, { to: 5, effects: [{ kind: "set-priority", process: num(2), value: num(256), site }] });
    const walk = new Walk(b.build({ usesPriorities: true })).take(0);
    expect(walk.take(0).values["x"]).toBe("4");
    expect(walk.take(0).values["x"]).toBe("9");
    expect(walk.take(0).values["x"]).toBe("2");
    expect(walk.choices).toEqual(["A[0]: A4-5 !bad-process dead"]);
  });
});

describe("death", () => {
  test("only the youngest goes; one that cannot go yet keeps its values", () => {
    const b = new ProgramBuilder();
    const a = b.active("A");
    const x = a.local("x", byte, 3);
    a.edge(0, { to: 1, effects: [increment(x)] }).end(1);
    b.active("B").end(0);
    const walk = new Walk(b.build());
    expect(walk.choices).toEqual(["B[1]: B ends", "A[0]: A0-1"]);
    walk.take(1);
    expect(walk.choices).toEqual(["B[1]: B ends"]);
    expect(walk.values).toEqual({ "A[0]:x": "4" });
    expect(walk.take(0).choices).toEqual(["A[0]: A ends"]);
    walk.take(0);
    expect(walk.system.processes(walk.state, 0)).toEqual([]);
    expect(walk.isValidEnd).toBe(true);
    expect([...walk.state].every((w) => w === 0)).toBe(true);
  });

  test("takes the channels along and leaves a state as it was before", () => {
    const b = new ProgramBuilder();
    const child = b.template("Child");
    const own = child.channel("own", b.channelType(3, [int, byte]));
    child.edge(0, { to: 1, communicate: b.send(get(own), [num(-1), num(1)]) }).end(1);
    b.active("A").edge(0, { to: 0, effects: [b.run(child)] });
    const walk = new Walk(b.build({ maxProcesses: 2 }));
    const [words] = walk.state;
    walk.take(0, 0);
    expect(walk.values).toEqual({ "Child[1]:own": "[-1,1]" });
    walk.take(0);
    expect([...walk.state]).toEqual([words, ...new Array<number>(walk.state.length - 1).fill(0)]);
    expect(reachable(walk.system).states).toBe(3);
  });
});

describe("claims", () => {
  const build = (access: "receive" | "send", capacity: number): Walk => {
    const b = new ProgramBuilder();
    const c = b.channel("c", capacity, [byte]);
    const x = b.global("x", byte);
    const add = (name: string): void => {
      b.active(name)
        .edge(0, { to: 1, communicate: b.send(get(c), [num(1)]) }, "send")
        .edge(0, { to: 1, communicate: b.receive(get(c), [store(x)]) }, "receive")
        .end(1);
    };
    add("A");
    add("B");
    b.templates[1]!.claims.push({ access, channel: get(c), site: b.site("exclusive-access") });
    return new Walk(b.build());
  };

  test("another receiver is a fault", () => {
    const walk = build("receive", 2);
    expect(walk.choices).toEqual(["B[1]: send", "A[0]: send"]);
    expect(walk.take(0).choices).toEqual(["B[1]: B ends", "A[0]: send", "A[0]: receive !exclusive-access"]);
  });

  test("another sender is a fault, in a rendezvous too", () => {
    expect(build("send", 2).choices).toEqual(["B[1]: send", "A[0]: send !exclusive-access"]);
    expect(build("send", 0).choices).toEqual([
      "B[1]+A[0]: send | receive",
      "A[0]+B[1]: send | receive !exclusive-access",
    ]);
  });

  test("end with the process that made them", () => {
    const walk = build("receive", 2).take(0, 0);
    expect(walk.choices).toEqual(["A[0]: send", "A[0]: receive"]);
  });

  test("two on one channel are a fault at creation", () => {
    const b = new ProgramBuilder();
    const c = b.channel("c", 1, [byte]);
    const child = b.template("Child");
    const p = child.parameter("p", chan);
    child.claims.push({ access: "send", channel: get(p), site: b.site("exclusive-access") });
    child.end(0);
    b.active("A").edge(0, { to: 1, effects: [b.run(child, [get(c)])] });
    b.active("B").edge(0, { to: 1, effects: [b.run(child, [get(c)])] });
    b.active("C").edge(0, { to: 1, effects: [b.run(child, [num(0)])] });
    const walk = new Walk(b.build());
    expect(walk.choices).toEqual(["C[2]: C0-1 !exclusive-access", "B[1]: B0-1", "A[0]: A0-1"]);
    expect(walk.take(1).choices).toEqual([
      "Child[3]: Child ends",
      "C[2]: C0-1 !exclusive-access",
      "A[0]: A0-1 !exclusive-access",
    ]);
    expect(walk.take(0).choices[1]).toBe("A[0]: A0-1");
    expect(walk.take(1).values).toMatchObject({ "Child[3]:p": "c" });
  });
});
