/** Never claims: read by Spin, and with the same verdict as the claim that Spin makes of the formula itself. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Formula } from "../../../src/model/index.js";
import {
  format,
  hasNext,
  isStateBased,
  negate,
  renderNeverClaim,
  translate,
  translateToBuchi,
} from "../../../src/transforms/ltl/index.js";
import { anyFormula } from "../../generators/ltl.js";
import { describeWithPeers } from "../../peers.js";
import { claimSize, spinFormula } from "./claims.js";
import { collected, parsed } from "./literature.js";

test("the claim of a response property", () => {
  const [{ formula, propositions }] = parsed("!G(p -> F q)");
  expect(renderNeverClaim(translateToBuchi(formula, propositions), "p leads to q */"))
    .toBe(`never { /* p leads to q * / */
T0_init:
	do
	:: ((p) && !(q)) -> goto accept_S1
	:: (1) -> goto T0_init
	od;
accept_S1:
	do
	:: (!(q)) -> goto accept_S1
	od;
}
`);
});

describe("a claim has as many states and options as its automaton", () => {
  test.each(collected())("%s", (text) => {
    const [{ formula, propositions }] = parsed(text);
    const automaton = translateToBuchi(formula, propositions);
    expect(isStateBased(automaton)).toBe(true);
    const { states, transitions } = claimSize(renderNeverClaim(automaton));
    expect(states).toBe(automaton.states.length);
    expect(transitions).toBe(automaton.states.flat().length);
  });
});

describeWithPeers("verdicts of Spin with our claims", ["spin", "gcc"], () => {
  const folder = mkdtempSync(join(tmpdir(), "everypath-claims-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const names = ["x == 1", "x > 1", "y"];
  const definitions = names.map((name, i) => `#define ${"abc"[i]} (${name})\n`).join("");

  /** Loops and stops: some formulas hold, some do not, some only on finite runs. */
  const model = `byte x; bool y;
active proctype P() { do :: x < 3 -> x++ :: x == 3 -> x = 0 :: x == 2 -> break od; x = 1 }
active proctype Q() { do :: y = !y :: x == 1 -> break od }
`;

  function run(command: string, ...args: string[]): string {
    const { stdout, stderr, status } = spawnSync(command, args, {
      cwd: folder,
      encoding: "utf8",
      timeout: 240_000,
    });
    if (status !== 0) throw new Error(`${command}: ${stdout}${stderr}`);
    return stdout;
  }

  /** One verifier for all claims, which are chosen by name: compiling takes longest. */
  function compile(claims: readonly string[]): void {
    const named = claims.map((claim, i) => claim.replace(/^never/, `never c${i}`));
    writeFileSync(join(folder, "m.pml"), [definitions, model, ...named].join("\n"));
    run("spin", "-a", "m.pml");
    run("gcc", "-w", "-O0", "-DNOREDUCE", "-o", "pan", "pan.c");
  }

  /** Does pan find a run that the claim accepts? */
  function finds(claim: number): boolean {
    const output = run("./pan", "-a", "-E", "-N", `c${claim}`);
    const errors = /errors: (\d+)/.exec(output);
    if (!errors || /max search depth/.test(output)) throw new Error(output);
    return errors[1] !== "0";
  }

  const formulas = fc.sample(
    anyFormula(2).filter((formula) => !hasNext(formula)),
    { numRuns: 9, seed: 5 },
  );
  const fixed = ["G(a -> F b)", "F G c", "G F a & G F b", "a U b", "G(c -> F !c)"].map(
    (text) => parsed(text)[0].formula,
  );

  const negated = [...fixed, ...formulas].map(negate);
  const spins = (formula: Formula): string => run("spin", "-f", spinFormula(formula, ["a", "b", "c"]));

  beforeAll(() =>
    compile([
      ...negated.map(spins),
      ...negated.map((formula) => renderNeverClaim(translateToBuchi(formula, names))),
      ...negated.map((formula) => renderNeverClaim(translate(formula, names))),
    ]),
  );

  test.each(negated.map((formula, i) => [format(formula, ["a", "b", "c"]), i] as const))("%s", (_, i) => {
    const expected = finds(i);
    expect(finds(i + negated.length)).toBe(expected);
    expect(finds(i + 2 * negated.length)).toBe(expected);
  });

  test("some hold and some do not", () => {
    const found = negated.filter((_, i) => finds(i)).length;
    expect(found).toBeGreaterThan(1);
    expect(found).toBeLessThan(negated.length - 1);
  });
});
