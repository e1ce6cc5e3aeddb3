/** Modes of exploration on random programs: lossless memory, monotonicity, and agreement of everything with everything. */
import { afterAll, expect, test } from "vitest";
import { Abstraction, firstPredicates } from "../../../src/engines/guarded/abstraction.js";
import { explore, type ExploreMode } from "../../../src/engines/guarded/explore.js";
import { Logic } from "../../../src/engines/guarded/logic.js";
import type { Term } from "../../../src/model/terms.js";
import { openCheckers } from "../../../src/solvers/index.js";
import { compareAll, waysOf } from "../guarded-agreement.js";
import { randomGuarded } from "../../generators/guarded.js";
import { programOf, solverForTests } from "./analyse.js";

const opened = solverForTests();
const checkers = openCheckers("auto");
afterAll(() => {
  opened.close();
  for (const checker of checkers) checker.close();
});

/** Concrete states that an exploration with some predicates visits; undefined: too many. */
function visited(text: string, mode: ExploreMode, fewer: boolean): Set<string> | undefined {
  // An error would end the exploration early.
  const program = programOf(text.replace(/error bad:.*/, "safety bad: true;"));
  const [property] = program.properties;
  if (!property) throw new Error("there is no property");
  const logic = new Logic(program, opened.solver.terms);
  const own = firstPredicates(logic, property);
  const more: Term[] = logic.variables.slice(2).map((each) => logic.terms.atMost(each, logic.terms.int(1n)));
  const predicates = fewer ? own : [...new Set([...own, ...more])];
  const steps = explore(new Abstraction(logic, opened.solver, predicates, property), mode);
  for (let count = 0; count < 2500; count++) {
    const { done, value } = steps.next();
    if (done) return new Set(value.expanded.map(({ values }) => values.map(({ id }) => id).join()));
  }
  return undefined;
}

test("path-memo expands the states of path, and more predicates expand more", { timeout: 240_000 }, () => {
  let compared = 0;
  for (let seed = 1; seed <= 120; seed++) {
    const text = randomGuarded(seed);
    if (/nondet|= \*/.test(text)) continue;
    const [path, memo, finer, finerMemo] = [
      visited(text, "path", true),
      visited(text, "path-memo", true),
      visited(text, "path", false),
      visited(text, "path-memo", false),
    ];
    if (!path || !memo || !finer || !finerMemo) continue;
    compared++;
    expect([...memo].sort(), `seed ${seed}`).toEqual([...path].sort());
    expect([...finerMemo].sort(), `seed ${seed}`).toEqual([...finer].sort());
    for (const state of path) expect(finer.has(state), `seed ${seed}`).toBe(true);
  }
  expect(compared).toBeGreaterThan(15);
});

test("all modes agree with an explicit search, and every proof is certified", { timeout: 240_000 }, () => {
  const ways = waysOf(() => opened.solver, undefined);
  const kinds = { safe: 0, unsafe: 0 };
  for (let seed = 1001; seed <= 1040; seed++) {
    const compared = compareAll(randomGuarded(seed), ways, checkers);
    expect(compared.problem, `seed ${seed}\n${randomGuarded(seed)}`).toBeUndefined();
    const kind = compared.kinds["ase subsume trap"];
    if (kind === "safe" || kind === "unsafe") kinds[kind]++;
  }
  expect(kinds.safe).toBeGreaterThan(8);
  expect(kinds.unsafe).toBeGreaterThan(8);
});
