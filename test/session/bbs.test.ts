/** Answers about task programs: bounds, phases, traces, replay and the exported sequential program. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkInput, registry, replayInput, type CheckOptions } from "../../src/session/index.js";
import { exportedSequential } from "../../src/session/export/tasks.js";
import { hasClang } from "../peers.js";
import { inRepository } from "../repository.js";

const checked = async (text: string, options: CheckOptions = {}) =>
  (await checkInput({ file: "t.c", text: `#include <bbs.h>\n${text}` }, options, registry)).report;
const reasons = async (text: string, options: CheckOptions = {}): Promise<string[]> =>
  (await checked(text, options)).properties.map(({ verdict, reason }) => `${verdict}: ${reason}`);

const twoTasks = `int x; __task void b(void) { assert(x != 2); } __task void a(void) { x = 1; __post(b); } int main(void) { __post(a); x = 2; return 0; }`;
const example = readFileSync(inRepository("examples/c/serial-tasks.c"), "utf8");

describe.runIf(hasClang)("answers", () => {
  test("holds only if no bound has cut a run", async () => {
    expect(await checked(twoTasks)).toMatchObject({
      scope: { kind: "complete" },
      properties: [{ verdict: "holds" }, { verdict: "holds" }],
    });
    const [assertions] = await reasons(twoTasks, { tasks: ["phases=2"] });
    expect(assertions).toBe("unknown: nothing was found within the bounds: tasks of phases up to 2");
    const sequential = await reasons(twoTasks, { tasks: ["phases=2"], engine: "bbs-sequential" });
    expect(sequential[0]).toBe(assertions);
    const loop = "int n; int main(void) { while (n < 9) n++; return 0; }";
    expect((await reasons(loop))[0]).toMatch(/^holds/);
    expect((await reasons(loop, { tasks: ["unwind=8"] }))[0]).toMatch(/unknown: .*loops of up to 8 turns/);
    const interrupt = "int n; __interrupt(1) void h(void) { n = 1; } int main(void) { n = 2; return 0; }";
    expect((await reasons(interrupt))[0]).toMatch(
      /unknown: .*at most 1 interrupt before a statement and 1 at the end of a task/,
    );
    expect(await checked(interrupt, { accept: "bounded" })).toMatchObject({
      accepted: "bounded",
      scope: { kind: "bounded" },
    });
  });

  test("an error has its smallest phase, and its trace shows tasks, posts and interrupts", async () => {
    const report = await checkInput({ file: "t.c", text: example }, {}, registry);
    const found = report.report.properties.find(({ verdict }) => verdict === "violated");
    expect(found?.reason).toMatch(/in phase 4$/);
    const actions = (found?.trace?.steps ?? []).map(({ action }) => action);
    expect(actions).toContain("phase 4: fired starts, posted by update_timer#2");
    expect(actions.some((action) => action.startsWith("interrupt 6 (uart)"))).toBe(true);
    expect(actions).toContain("posts fired for phase 4");
    const schedule = found?.trace?.schedule ?? "";
    const native = await replayInput(
      { file: "t.c", text: example },
      { schedule, isNative: true },
      {},
      registry,
    );
    expect(native).toMatchObject({ outcome: "failed", native: { outcome: "same" } });
  });

  test("an error found by the sequential program is confirmed with a real queue; both together agree", async () => {
    for (const engine of ["bbs-sequential", "bbs-all"]) {
      const found = await reasons(twoTasks.replace("x = 1;", ""), { engine });
      expect(found[0], engine).toMatch(/^violated: .* in phase 3$/);
    }
    expect(await reasons(twoTasks, { engine: "bbs-all" })).toEqual([
      expect.stringMatching(/^holds/),
      expect.stringMatching(/^holds/),
    ]);
  });

  test("the sequential program proves nothing about what it does not model", async () => {
    const heap = `void *malloc(unsigned long); int *p; __task void t(void) { if (p) *p = 1; } int main(void) { p = malloc(4); __post(t); return 0; }`;
    expect((await reasons(heap))[0]).toMatch(/^holds/);
    expect((await reasons(heap, { engine: "bbs-sequential" }))[0]).toMatch(
      /unknown: .*allocated memory in the sequential program/,
    );
    const half = `int x; __task void t(void) { } int main(void) { int y; x = y; __post(t); return 0; }`;
    expect((await reasons(half, { engine: "bbs-sequential" }))[0]).toMatch(/^(unknown|holds)/);
  });

  test("paths with inputs in memory are not merged", async () => {
    const text = `unsigned char x; __task void a(void) { } __task void b(void) { assert(x != 77); } int main(void) { x = __nondet_uchar(); if (x & 1) __post(a); else __post(a); __post(b); return 0; }`;
    expect((await reasons(text))[0]).toMatch(/^violated/);
  });

  test("a hidden error leaves other properties open", async () => {
    const found = await reasons(`int main(void) { assert(0); return 0; }`, { maxErrors: Infinity });
    expect(found[1]).toMatch(/^unknown: .*others may be hidden/);
  });

  test("wrong posts and tasks are refused at their place", async () => {
    const codes = async (text: string): Promise<string[]> =>
      (await checked(text)).diagnostics.map(({ code }) => code);
    expect(await codes("void f(void) { } int main(void) { __post(f); return 0; }")).toEqual(["c/post"]);
    expect(await codes("__task int f(void) { return 1; } int main(void) { return 0; }")).toEqual(["c/task"]);
    const diagnostics = (await checked("int main(void) { return 0; }", { symbolicStdin: 3 })).diagnostics;
    expect(diagnostics[0]?.message).toContain("--sym-stdin");
    expect(
      (await checkInput({ file: "p.c", text: "int main(void) { return 0; }" }, { engine: "bbs" }, registry))
        .report.diagnostics,
    ).toHaveLength(1);
  });

  test("the sequential program is exported in C", async () => {
    const { subject } = await checkInput(
      { file: "t.c", text: example },
      { tasks: ["flavour=svcomp"] },
      registry,
    );
    const text = await exportedSequential({ subject });
    expect(text).toContain("reach_error();");
    const pointer = `#include <bbs.h>\nvoid f(void) { } void (*p)(void) = f; int main(void) { p(); return 0; }`;
    const refused = await checkInput({ file: "t.c", text: pointer }, {}, registry);
    expect(await exportedSequential({ subject: refused.subject })).toEqual({
      why: "a call through a pointer",
    });
  });

  test("the spellings of TinyOS", async () => {
    const text = `int x; task void t() { assert(x != 1); } int main(void) { atomic { x = 1; } atomic x = x; /* post t(); */ if (post t()) x = 3; return post t() == 5 ? 0 : 1; }`;
    const found = (await checkInput({ file: "t.c", text }, { tasks: ["tinyos"] }, registry)).report;
    expect(found.properties[0]?.reason).toMatch(/in phase 2$/);
  });
});
