/** Solvers that hang, die or run out of memory: `unknown` with the reason, then a new solver; nothing is left running. */
import { spawnSync } from "node:child_process";
import { afterEach, describe, expect, test } from "vitest";
import { Terms, type Term } from "../../src/model/terms.js";
import { SolverFailure, type Backend } from "../../src/solvers/backend.js";
import { EmbeddedZ3 } from "../../src/solvers/embedded.js";
import { FrontSolver } from "../../src/solvers/front.js";
import { isInstalled, NATIVE, NativeBackend } from "../../src/solvers/native.js";

/** Twenty pigeons, nineteen holes: exponential for every back end. */
const PIGEONS = Array.from({ length: 20 }, (_, i) => `p${i}`);
const HARD = `(push 1)${PIGEONS.map((p) => `(declare-fun ${p} () Int)(assert (and (<= 0 ${p}) (< ${p} 19)))`).join("")}
${PIGEONS.flatMap((p, i) => PIGEONS.slice(i + 1).map((q) => `(assert (not (= ${p} ${q})))`)).join("")}(check-sat)(pop 1)`;

const easy = "(push 1)(declare-fun x () Int)(assert (> x 3))(check-sat)(pop 1)";

const opened: Backend[] = [];
const using = <B extends Backend>(backend: B): B => (opened.push(backend), backend);
afterEach(() => opened.splice(0).forEach((backend) => backend.close()));

const isAlive = (pid: number): boolean => {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-g", `${pid}`], { encoding: "utf8" });
  return stdout.split("\n").some((line) => line.trim() !== "" && !line.trim().startsWith("Z"));
};

const hard = (t: Terms): Term[] => {
  // Pigeons: 12 variables in 0..10, all different, by pairs.
  const all = Array.from({ length: 12 }, (_, i) => t.variable(`p${i}`, "int"));
  const inside = all.flatMap((p) => [t.atMost(p, t.int(10n)), t.atMost(t.int(0n), p)]);
  const apart = all.flatMap((p, i) => all.slice(i + 1).map((q) => t.not(t.equal(p, q))));
  return [...inside, ...apart];
};

for (const [name, make] of [
  ["the embedded Z3", (memoryMb?: number) => new EmbeddedZ3(memoryMb)],
  ["a native z3", (memoryMb?: number) => new NativeBackend(NATIVE.z3, memoryMb)],
  ["a native cvc5", (memoryMb?: number) => new NativeBackend(NATIVE.cvc5, memoryMb)],
] as const) {
  const program = name.replace("a native ", "");
  const isMissing = name.startsWith("a native") && !isInstalled(program);
  if (isMissing) console.warn(`skipped: ${name} is not installed`);
  describe.skipIf(isMissing)(name, () => {
    test("that hangs is given up, and replaced", { timeout: 240_000 }, () => {
      const backend = using(make());
      expect(backend.ask(easy, 30_000).trim()).toBe("sat");
      expect(() => backend.ask(HARD, 300)).toThrow(SolverFailure);
      expect(backend.ask(easy, 30_000).trim()).toBe("sat");
    });

    test("that is out of time leaves a query unknown, with the reason", { timeout: 240_000 }, () => {
      const t = new Terms();
      const solver = new FrontSolver(t, [using(make())], { timeMs: 40 });
      const answer = solver.check(hard(t), { purpose: "feasibility" });
      expect(answer.kind).toBe("unknown");
      if (answer.kind === "unknown") expect(answer.reason).toMatch(/gives up|does not answer/);
      const x = t.variable("x", "int");
      const after = solver.check([t.divides(7n, x), t.less(t.int(50n), x)], {
        purpose: "feasibility",
        timeMs: 20_000,
      });
      expect(after.kind).toBe("sat");
    });
  });
}

describe("memory", () => {
  test("the embedded Z3 beyond its limit is replaced", { timeout: 240_000 }, () => {
    const backend = using(new EmbeddedZ3(12));
    const many = Array.from({ length: 60_000 }, (_, i) => `(assert (> (* ${i + 2} x) (* y ${i + 3})))`).join(
      "",
    );
    expect(() =>
      backend.ask(`(push 1)(declare-fun x () Int)(declare-fun y () Int)${many}(check-sat)(pop 1)`, 30_000),
    ).toThrow(/out of memory|failed|does not answer/);
    expect(backend.ask(easy, 30_000).trim()).toBe("sat");
  });

  test.skipIf(!isInstalled("z3"))("a native z3 beyond its limit is replaced", { timeout: 240_000 }, () => {
    const backend = using(new NativeBackend(NATIVE.z3, 40));
    const many = Array.from({ length: 60_000 }, (_, i) => `(assert (> (* ${i + 2} x) (* y ${i + 3})))`).join(
      "",
    );
    expect(() =>
      backend.ask(`(push 1)(declare-fun x () Int)(declare-fun y () Int)${many}(check-sat)(pop 1)`, 30_000),
    ).toThrow(/out of memory|ended/);
    expect(backend.ask(easy, 30_000).trim()).toBe("sat");
  });
});

describe.skipIf(!isInstalled("z3"))("the process of a native solver", () => {
  test("is renewed before a context, never inside one", () => {
    const backend = using(new NativeBackend({ ...NATIVE.z3, renewAfter: 2 }));
    const open = "(push 1)(declare-fun x () Int)(assert (= x 3))(check-sat)";
    const pids = Array.from({ length: 5 }, () => {
      expect(backend.ask(open, 10_000).trim()).toBe("sat");
      const { pid } = backend;
      expect(backend.ask("(get-value (x))", 10_000)).toContain("3");
      backend.ask("(pop 1)", 10_000);
      expect(backend.pid).toBe(pid);
      return pid;
    });
    expect(pids[0]).toBe(pids[1]);
    expect(pids[1]).not.toBe(pids[2]);
  });

  test("that is killed is an answer of its own, and replaced", { timeout: 240_000 }, () => {
    const backend = using(new NativeBackend(NATIVE.z3));
    backend.ask(easy, 10_000);
    const { pid } = backend;
    // The solver, not the shell around it.
    const { stdout } = spawnSync("ps", ["-o", "pid=,comm=", "-g", `${pid ?? 0}`], { encoding: "utf8" });
    const solver = stdout.split("\n").find((line) => line.includes("z3"));
    process.kill(Number.parseInt(solver ?? "", 10), "SIGKILL");
    expect(() => backend.ask(easy, 10_000)).toThrow(/was killed/);
    expect(backend.ask(easy, 10_000).trim()).toBe("sat");
  });

  test("ends when it is closed", () => {
    const backend = new NativeBackend(NATIVE.z3);
    backend.ask(easy, 10_000);
    const { pid } = backend;
    backend.close();
    for (let i = 0; i < 100 && isAlive(pid ?? 0); i++)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    expect(isAlive(pid ?? 0)).toBe(false);
  });
});
