/** The front agrees with every back end, and with trying values. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { evaluate, Terms, times, type Term } from "../../src/model/terms.js";
import type { Backend } from "../../src/solvers/backend.js";
import { decideDifferences } from "../../src/solvers/differences.js";
import { EmbeddedZ3 } from "../../src/solvers/embedded.js";
import { FrontSolver, SolverDisagreement } from "../../src/solvers/front.js";
import { isInstalled, NATIVE, NativeBackend } from "../../src/solvers/native.js";
import { scriptOf } from "../../src/solvers/smtlib.js";

const installed = (["z3", "cvc5"] as const).filter((name) => isInstalled(name));
for (const name of ["z3", "cvc5"] as const)
  if (!installed.includes(name)) console.warn(`skipped: back end ${name} (native) is not installed`);

const backends: Backend[] = [new EmbeddedZ3(), ...installed.map((name) => new NativeBackend(NATIVE[name]))];
afterAll(() => backends.forEach((backend) => backend.close()));

const small = fc.integer({ min: -2, max: 2 });
const literal = fc.record({
  kind: fc.constantFrom("atMost", "equal", "divides", "difference"),
  x: small,
  y: small,
  z: small,
  constant: fc.integer({ min: -4, max: 4 }),
  isNegated: fc.boolean(),
});
type Literal = typeof literal extends fc.Arbitrary<infer T> ? T : never;

function built(t: Terms, { kind, x, y, z, constant, isNegated }: Literal): Term {
  const variable = (name: string): Term => t.variable(name, "int");
  const sum =
    kind === "difference"
      ? t.sum([times(1n, variable("x")), times(-1n, variable(y > 0 ? "y" : "z"))], BigInt(constant))
      : t.sum(
          [times(BigInt(x), variable("x")), times(BigInt(y), variable("y")), times(BigInt(z), variable("z"))],
          BigInt(constant),
        );
  const atom =
    kind === "divides"
      ? t.divides(3n, sum)
      : kind === "equal"
        ? t.equal(sum, t.int(0n))
        : t.atMost(sum, t.int(0n));
  return isNegated ? t.not(atom) : atom;
}

const RANGE = Array.from({ length: 9 }, (_, i) => BigInt(i - 4));

/** Within -4..4, by trying. */
const satisfiable = (formula: Term): boolean =>
  RANGE.some((x) =>
    RANGE.some((y) =>
      RANGE.some((z) => {
        const values: Readonly<Record<string, bigint>> = { x, y, z };
        return evaluate(formula, { value: ({ name }) => values[name] ?? 0n }) === 1n;
      }),
    ),
  );

const bounded = (t: Terms): Term[] =>
  ["x", "y", "z"].flatMap((name) => [
    t.atMost(t.variable(name, "int"), t.int(4n)),
    t.atMost(t.int(-4n), t.variable(name, "int")),
  ]);

describe("the solver of engines", () => {
  test("agrees with trying values, with models and cores that fit", { timeout: 240_000 }, () => {
    fc.assert(
      fc.property(fc.array(literal, { minLength: 1, maxLength: 5 }), (literals) => {
        const t = new Terms();
        const solver = new FrontSolver(t, backends, { timeMs: 10_000, comparesAll: true });
        for (const term of bounded(t)) solver.assert(term);
        const all = literals.map((each) => built(t, each));
        const answer = solver.check(all, { purpose: "feasibility" });
        expect(answer.kind).toBe(satisfiable(t.and([...bounded(t), ...all])) ? "sat" : "unsat");
        if (answer.kind === "sat") expect(evaluate(t.and([...bounded(t), ...all]), solver.model())).toBe(1n);
        else expect(satisfiable(t.and([...bounded(t), ...solver.core()]))).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  test("the difference-bound test is right whenever it decides", () => {
    let decided = 0;
    fc.assert(
      fc.property(fc.array(literal, { minLength: 1, maxLength: 6 }), (literals) => {
        const t = new Terms();
        const all = [...bounded(t), ...literals.map((each) => built(t, each))].filter(
          (term) => term.kind !== "constant",
        );
        const found = decideDifferences(all);
        if (!found) return;
        decided++;
        expect(found.kind).toBe(satisfiable(t.and(all)) ? "sat" : "unsat");
      }),
      { numRuns: 1500 },
    );
    expect(decided).toBeGreaterThan(500);
  });

  test("a level that is popped no longer counts", () => {
    const t = new Terms();
    const solver = new FrontSolver(t, backends.slice(0, 1), { timeMs: 10_000 });
    const x = t.variable("x", "int");
    solver.push();
    solver.assert(t.atMost(x, t.int(0n)));
    expect(solver.check([t.atMost(t.int(1n), x)], { purpose: "feasibility" }).kind).toBe("unsat");
    solver.pop();
    expect(solver.check([t.atMost(t.int(1n), x)], { purpose: "feasibility" }).kind).toBe("sat");
  });

  test("functions and bit-vectors reach the back ends", () => {
    const t = new Terms();
    const solver = new FrontSolver(t, backends, { timeMs: 10_000, comparesAll: true });
    const [x, y] = [t.variable("x", "int"), t.variable("y", "int")];
    const different = t.not(t.equal(t.apply("f", "int", [x]), t.apply("f", "int", [y])));
    expect(solver.check([different, t.equal(x, y)], { purpose: "feasibility" }).kind).toBe("unsat");
    expect(solver.check([different], { purpose: "feasibility" }).kind).toBe("sat");
    const b = t.variable("b", 8);
    const next = t.bits("bvadd", [b, t.constant(8, 1n)], 8);
    const wraps = t.bits("bvult", [next, b], "bool");
    expect(solver.check([wraps], { purpose: "feasibility" }).kind).toBe("sat");
    expect(evaluate(b, solver.model())).toBe(255n);
  });

  test("back ends that disagree are an internal error", () => {
    const t = new Terms();
    const lying: Backend = {
      name: "liar",
      ask: () => "unsat",
      begin: () => ({ poll: () => "unsat" }),
      limit: () => "",
      close: () => undefined,
    };
    const solver = new FrontSolver(t, [lying], { timeMs: 1000, comparesAll: true });
    const formula = t.atMost(t.variable("x", "int"), t.int(3n));
    expect(() => solver.check([formula], { purpose: "feasibility" })).toThrow(SolverDisagreement);
  });

  test("dumped queries are whole scripts", () => {
    const folder = mkdtempSync(join(tmpdir(), "everypath-dump-"));
    const t = new Terms();
    const solver = new FrontSolver(t, backends.slice(0, 1), { timeMs: 10_000, dumpDirectory: folder });
    const x = t.variable("x", "int");
    solver.check([t.divides(7n, x), t.less(t.int(100n), x)], { purpose: "feasibility" });
    const [file = ""] = readdirSync(folder);
    expect(readFileSync(join(folder, file), "utf8")).toContain(scriptOf([t.divides(7n, x)]).split("\n")[0]);
    rmSync(folder, { recursive: true });
  });
});
