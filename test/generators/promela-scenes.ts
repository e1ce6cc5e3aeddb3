/**
 * Scenes: tiny programs of one construct that reductions treat specially, similar to programs that once exposed a
 * missing condition. Values, orders and details are random; the construct is always present, unlike in
 * `promela-tiny.ts`.
 */
import { line, type Program, type Proctype, type Statement } from "./promela-tree.js";
import type { Random } from "./random.js";

export function drawScene(random: Random): Program {
  const bodies = random.pick(scenes)(new Draw(random));
  if (random.chance(40)) {
    const body = random.pick(bodies);
    body.splice(random.below(body.length + 1), 0, random.pick(besides));
  }
  const text = bodies.flat().join("\n");
  const names = (word: string): boolean => new RegExp(`\\b${word}\\b`).test(text);
  const capacity = random.pick([1, 2, 2, 3]);
  const globals = [
    "byte g;",
    "byte h;",
    "byte a[2];",
    ...(names("c") ? [`chan c = [${capacity}] of {byte};`] : []),
    ...(names("r") ? ["chan r = [0] of {byte};"] : []),
    ...(names("d") ? ["chan d[2] = [1] of {byte};"] : []),
    ...(names("t") ? ["chan t = [1] of {chan};"] : []),
    ...(names("u") ? ["chan u;"] : []),
  ];
  const lender: Proctype = {
    head: "active proctype W()",
    locals: ["chan l = [1] of {byte}"],
    body: [line("t!l"), ...(random.chance(30) ? [line(random.pick(["l?_", "len(l) == 1", "g = 1"]))] : [])],
  };
  const created: Proctype = {
    head: "proctype D(byte k)",
    locals: [`byte x = ${random.pick(["len(c)", "g", "a[g]", "k"])}`],
    body: [line(`assert(x ${random.pick(["==", "!=", "<"])} ${random.below(3)})`)],
  };
  const processes = bodies.map((body, index): Proctype => {
    const claims = body.filter((each) => /^x[rs] /.test(each));
    const statements = body.filter((each) => !claims.includes(each));
    return {
      head: `active proctype P${index}()`,
      locals: ["byte x", `byte i = ${random.pick([1, 2, 5])}`, ...(names("t") ? ["chan q"] : []), ...claims],
      body: statements.map(statementOf),
    };
  });
  // Processes end in reverse order: the lender ends first if it is the last.
  const helpers = [...(names("D") ? [created] : []), ...(names("t") ? [lender] : [])];
  const needsChannel = names("D") && created.locals[0]!.includes("len(c)") && !names("c");
  return {
    globals: needsChannel ? [...globals, `chan c = [${capacity}] of {byte};`] : globals,
    proctypes:
      helpers.length > 0 && random.chance(80) ? [...processes, ...helpers] : [...helpers, ...processes],
  };
}

/**
 * A process that must be scheduled to satisfy the formula, next to cyclic processes: a postponed transition must not
 * look disabled.
 */
export function drawFairScene(random: Random): { readonly program: Program; readonly formula: string } {
  const turning = (): string =>
    random.pick(["do :: x = 1 - x od", "do :: x = i; i = 1 - x od", "do :: skip od"]);
  const moving = random.pick([["g = 1"], ["x = 1", "g = 1"], ["do :: x = 1; g = 1; g = 0 od"]]);
  const bodies = [[turning()], moving, ...(random.chance(40) ? [[turning()]] : [])];
  const process = (body: readonly string[], index: number): Proctype => ({
    head: `active proctype P${index}()`,
    locals: ["byte x", "byte i"],
    body: body.map((each) => line(each)),
  });
  return {
    program: { globals: ["byte g;", "byte h;", "byte a[2];"], proctypes: bodies.map(process) },
    formula: random.pick(["(<> (g == 1))", "([] (<> (g == 1)))", "([] ((g == 0) -> (<> (g == 1))))"]),
  };
}

/** A condition that applies to every scene. */
export const sceneObservation = (random: Random): string =>
  random.pick([
    `(g ${random.pick(["==", "!=", "<"])} ${random.below(3)})`,
    `(h == ${random.below(2)})`,
    `(P0:x < ${random.between(1, 3)})`,
    `(a[g] == ${random.below(2)})`,
    `(1 / (1 - g) == 1)`,
  ]);

/** The statements of each process; claims come first. */
type Scene = (draw: Draw) => string[][];

class Draw {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  of(...texts: readonly string[]): string {
    return this.#random.pick(texts);
  }

  /** One of these, or none. */
  maybe(...texts: readonly string[]): string[] {
    return this.#random.chance(50) ? [this.of(...texts)] : [];
  }

  value = (): number => this.#random.pick([1, 2, 3, 5]);

  /** An assertion about the received value. */
  look = (): string => `assert(x ${this.of("==", "!=", "<", ">")} ${this.value()})`;

  local = (): string => this.of("x = 2", "i = 0", "x = i", "skip", "i = i + 1");

  /** Faults in most states. */
  fault = (): string => this.of("a[i] = 3", "x = a[i + 1]", "x = 1 / h", "u!1", "x = a[2]", "g = 2 % x");
}

const besides = ["x = 1", "skip", "g = 1", "h = 1", "x = g", "assert(x < 2)", "g == 0", "i = 0"];

const scenes: readonly Scene[] = [
  // Another message may precede the first.
  (d) => [
    [...d.maybe(d.local()), d.of("c?x", "c?x", "c?<x>"), d.look()],
    [`c!!${d.value()}`, `c!!${d.value()}`],
  ],
  // A message further back, or one not yet sent.
  (d) => {
    const [first, second] = d.of("5 3", "1 2", "2 1", "3 3").split(" ") as [string, string];
    const found = `c??${second} -> assert(false)`;
    return [
      [d.of(`if :: ${found} :: c?x fi`, `nempty(c); if :: ${found} :: else fi`)],
      [`c!${first}`, `c!${second}`],
    ];
  },
  // A rendezvous, its waiting partner and its observers.
  (d) => {
    const [mine, other] = d.of("r?x r!1", "r!1 r?x").split(" ") as [string, string];
    const waits = d.of(
      `if :: ${other} :: else -> assert(false) fi`,
      `if :: ${other} :: else -> h = 1; assert(x == 1) fi`,
      `{ g = 1; assert(false) } unless { ${other} }`,
    );
    return [
      [...d.maybe("g = 1"), d.local(), ...d.maybe(d.local()), d.of(mine, `end0: ${mine}`)],
      [...d.maybe("g == 1"), waits],
    ];
  },
  // Blocked inside an atomic sequence.
  (d) => [
    [...d.maybe("g = 1"), d.local(), "atomic { r?x; a[0] = 1 }"],
    [...d.maybe("g == 1"), "atomic { h = 1; r!1 }"],
    [`end0: atomic { h == 1 && a[0] == ${d.of("0", "0", "1")} -> assert(false) }`],
  ],
  // A channel observed as a destination, or through its contents.
  (d) => [
    [`c!${d.value()}`, ...d.maybe("c!1", "g = 1")],
    d
      .of(
        "d[len(c) % 2]!1;assert(len(d[0]) == 0)",
        "d[len(c) % 2]!1;assert(len(d[1]) == 0)",
        "d[0]!len(c);d[0]?x;assert(x == 1)",
        "d[0]!1;d[0]?a[len(c) % 2];assert(a[0] == 0)",
        "x = a[len(c) % 2];assert(len(c) == 1)",
      )
      .split(";"),
  ],
  // Initial values of a new process.
  (d) => [[d.of("c!1", "g = 1", "g = 1"), ...d.maybe("h = 1", d.local())], ["run D(1)"]],
  // Claims that hold or fail.
  (d) => {
    const [claim, mine, other] = d.of("xs c,c!1,c!2", "xs c,c!1,c!2", "xr c,c?x,c?_").split(",") as [
      string,
      string,
      string,
    ];
    return [
      [claim, ...d.maybe(d.local()), mine, "end0: false"],
      [...d.maybe("xs c", "xr c"), `end1: ${other}`, "end2: false"],
      ...(claim === "xr c" ? [["c!1"]] : []),
    ];
  },
  // A channel that ends with its creator.
  (d) => [["t?q", ...d.maybe(d.local()), d.of("q!0", "q?x", "len(q) == 0", "q!1; q?x")]],
  // States before a fault.
  (d) => [
    ["g = 1", ...d.maybe(d.local()), d.fault(), ...d.maybe("assert(x == 0)")],
    [d.of("assert(g == 0)", "g == 1; assert(false)", "g == 1; h = 1")],
  ],
  // A fault and a failed assertion in one step.
  (d) => [
    [
      ...d.maybe(d.local()),
      `${d.of("atomic", "d_step")} { g = 1; ${d.fault()}; ${d.of("assert(g == 0)", "h = 1", "assert(h == 1)")} }`,
    ],
    ...d.maybe("g = 2", "h = 1").map((each) => [each]),
  ],
  // Dead, but observed.
  (d) => [
    [`x = ${d.value()}`, d.of("end0: false", "g = 1", "h = 1")],
    [d.of("P0:x == 3; assert(false)", "assert(P0:x == 0)", "P0:x != 0; h = 1")],
  ],
  // The destination of a message that is never read.
  (d) => [[`c!${d.value()}`, `i = ${d.of("1", "2", "5")}`, d.of("c?a[i]", "c?a[i]; assert(a[1] == 0)")]],
  // Infinite processes next to another.
  (d) => {
    const loop = (): string =>
      d.of("do :: x = 0 od", "do :: skip od", "do :: x = 1 - x od", "do :: x = 0 :: x == 1 -> break od");
    const other = [...d.maybe(d.local()), d.of("assert(false)", "g = 1; assert(g == 0)", "g = 1", d.fault())];
    const loops = [[loop()], ...d.maybe(loop()).map((each) => [each])];
    return d.of("before", "behind") === "before" ? [other, ...loops] : [...loops, other];
  },
];

function statementOf(text: string): Statement {
  const [, label, rest] = /^(?:(end\d): )?(.*)$/s.exec(text)!;
  return { ...line(rest!), label };
}
