/** Traps of phase-bounded testing: the semantic suite with every back end, and the conditions that make reductions and guesses sound. */
import { describe, expect, test } from "vitest";
import { SEMANTICS, TOSMINI } from "../../../bench/bbs-programs.js";
import { answerOf, leastPhase, taskProgramOf } from "../../../bench/bbs-run.js";
import { compareBackEnds, randomTasks } from "../../../bench/bbs-random.js";
import { hasClang } from "../../peers.js";

const least = (
  text: string,
  backEnd: "direct" | "sequential",
  bounds: Parameters<typeof leastPhase>[2],
): unknown => {
  const { phase, open } = leastPhase(taskProgramOf(text), backEnd, bounds);
  return open ?? phase;
};
const textOf = (name: string): string => {
  const found = [...SEMANTICS, ...TOSMINI].find((each) => each.name === name);
  if (!found) throw new Error(`there is no program ${name}`);
  return found.text;
};

describe.runIf(hasClang)("meaning of posts, phases, interrupts and assumptions", () => {
  for (const { name, text, fifo, tinyos } of SEMANTICS)
    test(`${name} in both modes, with both back ends`, () => {
      for (const backEnd of ["direct", "sequential"] as const) {
        expect(least(text, backEnd, { phases: 4, queue: "fifo" }), `${backEnd}, fifo`).toBe(fifo);
        expect(least(text, backEnd, { phases: 4, queue: "tinyos" }), `${backEnd}, tinyos`).toBe(tinyos);
      }
    });
});

describe.runIf(hasClang)("traps", () => {
  test("an error in main is no error of phase 2, and a task is not run in phase 1", () => {
    expect(answerOf(taskProgramOf(textOf("S2"))({ phases: 1 }), "direct").error).toBeUndefined();
    expect(answerOf(taskProgramOf(textOf("S2"))({ phases: 1 }), "sequential").error).toBeUndefined();
  });

  test("an assumption or an endless loop of a later phase does not hide an earlier error", () => {
    for (const name of ["S15", "S17"])
      for (const phases of [2, 3])
        expect(answerOf(taskProgramOf(textOf(name))({ phases }), "sequential").error?.phase, name).toBe(1);
  });

  test("arguments are evaluated at the post", () => {
    const text = `int x; __task void t(unsigned char v, int w) { assert(v == 1 && w == -7); }
int main(void) { x = 1; __post(t, x, -7); x = 2; return 0; }`;
    for (const backEnd of ["direct", "sequential"] as const)
      expect(least(text, backEnd, { phases: 2 })).toBeUndefined();
    expect(least(text.replace("v == 1", "v == 2"), "sequential", { phases: 2 })).toBe(2);
  });

  test("tasks of one phase share one copy of the variables", () => {
    const text = `int x; __task void a(void) { x++; } __task void b(void) { assert(x != 1); } int main(void) { __post(a); __post(b); return 0; }`;
    for (const backEnd of ["direct", "sequential"] as const)
      expect(least(text, backEnd, { phases: 2 })).toBe(2);
  });

  test("static variables of functions belong to the variables of a phase", () => {
    const text = `void count(void) { static int n; n++; assert(n < 2); } __task void t(void) { count(); } int main(void) { __post(t); count(); return 0; }`;
    for (const backEnd of ["direct", "sequential"] as const)
      expect(least(text, backEnd, { phases: 2 })).toBe(2);
  });

  test("an interrupt does not arrive in an atomic section, whose ends may be several, nor in a handler", () => {
    const text = `int x; __interrupt(1) void h(void) { x = 1; }
int f(int c) { __atomic { x = 0; if (c) return x; assert(x == 0); } return 0; }
int main(void) { f(0); f(1); ALSO return 0; }`;
    expect(least(text.replace("ALSO", ""), "direct", { phases: 1 })).toBeUndefined();
    expect(least(text.replace("ALSO", "x = 0; if (x == 0) assert(x == 0);"), "direct", { phases: 1 })).toBe(
      1,
    );
    const nested = `int x; __interrupt(1) void g(void) { x = 1; assert(x == 1); } __interrupt(2) void h(void) { x = 2; assert(x == 2); } int main(void) { x = 3; return 0; }`;
    expect(least(nested, "direct", { phases: 1, perPoint: 2 })).toBeUndefined();
  });

  test("interrupts that are switched off do not arrive", () => {
    const text = `int x; __interrupt(7) void h(void) { x = 1; } int main(void) { __irq_disable(7); x = 0; assert(x == 0); __irq_enable(7); x = 0; ALSO return 0; }`;
    for (const backEnd of ["direct", "sequential"] as const) {
      expect(least(text.replace("ALSO", ""), backEnd, { phases: 1 })).toBeUndefined();
      expect(least(text.replace("ALSO", "assert(x == 0);"), backEnd, { phases: 1 })).toBe(1);
    }
  });

  test("a handler that a task keeps from a later phase stays off there", () => {
    const text = `int x; __interrupt(7) void h(void) { x = 1; } __task void t(void) { x = 0; assert(x == 0); } int main(void) { __irq_disable(7); __post(t); ALSO return 0; }`;
    for (const backEnd of ["direct", "sequential"] as const) {
      expect(least(text.replace("ALSO", ""), backEnd, { phases: 2 })).toBeUndefined();
      expect(least(text.replace("ALSO", "__irq_enable(7);"), backEnd, { phases: 2 })).toBe(2);
    }
  });

  test("an assumption keeps its interrupt point: a handler that fails may come first", () => {
    const text = `int x; __interrupt(1) void h(void) { assert(0); } int main(void) { int y = __nondet_int(); __assume(y != y); return 0; }`;
    expect(least(text, "direct", { phases: 1 })).toBe(1);
  });

  test("what is reached through pointers is raced", () => {
    const text = `int x, *p = &x; __interrupt(1) void h(void) { *p = 1; } int main(void) { if (x == 0) assert(x == 0); return 0; }`;
    const program = taskProgramOf(text)({ phases: 1 });
    expect(program.statistics.raced).toContain("x");
    expect(answerOf(program, "direct").error?.phase).toBe(1);
  });

  test("a statement of several accesses is one step, unless accesses are", () => {
    const text = `int x; __interrupt(1) void h(void) { x = x + 1; } int main(void) { x = 0; x = x + 1; if (x == 0) return 0; assert(x != 5); int y = x - x; assert(y == 0); return 0; }`;
    expect(least(text, "direct", { phases: 1 })).toBeUndefined();
    expect(least(text, "direct", { phases: 1, granularity: "access" })).toBe(1);
  });

  test("a variable of a task that has ended is no variable any more", () => {
    for (const backEnd of ["direct", "sequential"] as const)
      expect(answerOf(taskProgramOf(textOf("S9"))({ phases: 2 }), backEnd).error?.kind).toBe(
        "use after return",
      );
  });

  test("a posted address of a variable dangles", () => {
    const text = `int r; __task void t(int *p) { r = *p; } int main(void) { int l = 1; __post(t, &l); return 0; }`;
    for (const backEnd of ["direct", "sequential"] as const)
      expect(answerOf(taskProgramOf(text)({ phases: 2 }), backEnd).error?.kind).toBe("use after return");
  });

  test("a function that an atomic section calls is not interrupted", () => {
    const text = `int x; __interrupt(1) void h(void) { x = 1; } void f(void) { if (x == 0) assert(x == 0); } int main(void) { __atomic { x = 0; f(); } return 0; }`;
    expect(least(text, "direct", { phases: 1 })).toBeUndefined();
    expect(least(text.replace("__atomic", ""), "direct", { phases: 1 })).toBe(1);
  });

  test("an offset computed from null is no access", () => {
    const text = `struct s { char a; int b; }; int main(void) { unsigned long n = (unsigned long)&((struct s *)0)->b; assert(n == 4); return 0; }`;
    expect(least(text, "direct", { phases: 1 })).toBeUndefined();
  });

  test("the environment posts a task at any interrupt point", () => {
    const text = `int x; __env __task void t(unsigned char v) { assert(v != 3); } int main(void) { x = 1; return 0; }`;
    for (const backEnd of ["direct", "sequential"] as const)
      expect(least(text, backEnd, { phases: 2 })).toBe(2);
  });
});

describe.runIf(hasClang)("nine bugs of TinyOS applications", () => {
  for (const { name, text, kind, line, minimal, twin } of TOSMINI)
    test(`${name}: phase ${minimal}, and nothing in its twin`, () => {
      const bounds = { phases: minimal, atTaskEnd: name === "blinkfail" ? 3 : 1 };
      const { phase, error } = leastPhase(taskProgramOf(text), "direct", bounds);
      expect([phase, error?.kind, error?.line]).toEqual([minimal, kind, line]);
      expect(least(twin, "direct", bounds)).toBeUndefined();
    });
});

describe.runIf(hasClang)("random programs", () => {
  for (const seed of [3, 8, 100, 104])
    test(`real queue, sequential program, exported program and interpreter agree on program ${seed}`, () => {
      expect(compareBackEnds(randomTasks(seed), seed < 10)).toEqual([]);
    }, 240_000);
});
