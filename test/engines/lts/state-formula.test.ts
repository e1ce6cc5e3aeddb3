/** CTL operators against their definitions as fixpoints, on random systems. */
import { expect, test } from "vitest";
import { StateFormulas } from "../../../src/engines/lts/index.js";
import type { ActionSet, StateFormula } from "../../../src/model/index.js";
import { Random } from "../../../src/session/index.js";
import { randomLts } from "./random-lts.js";

const sets: readonly ActionSet[] = [
  { kind: "any" },
  { kind: "label", label: "a" },
  { kind: "not", of: { kind: "label", label: "a" } },
];
const X: StateFormula = { kind: "variable", name: "X" };
const not = (of: StateFormula): StateFormula => ({ kind: "not", of });
const both = (left: StateFormula, right: StateFormula): StateFormula => ({ kind: "and", left, right });
const either = (left: StateFormula, right: StateFormula): StateFormula => ({ kind: "or", left, right });
const FALSE: StateFormula = { kind: "false" };
const DEADLOCK: StateFormula = { kind: "deadlock" };

/** `during`, `by` and `then` as fixpoints of modalities. */
const definitions = (
  during: StateFormula,
  by: ActionSet,
  then: StateFormula,
): readonly (readonly [StateFormula, StateFormula])[] => [
  [
    { kind: "exists-until", during, by, then },
    { kind: "least", name: "X", of: either(then, both(during, { kind: "diamond", by, of: X })) },
  ],
  [
    { kind: "all-until", during, by, then },
    {
      kind: "least",
      name: "X",
      of: either(
        then,
        both(
          both(during, not(DEADLOCK)),
          both(
            { kind: "box", by: { kind: "not", of: by }, of: FALSE },
            { kind: "box", by: { kind: "any" }, of: X },
          ),
        ),
      ),
    },
  ],
  [
    { kind: "exists-always", by, of: then },
    { kind: "greatest", name: "X", of: both(then, either(DEADLOCK, { kind: "diamond", by, of: X })) },
  ],
];

test("operators equal their fixpoints, and a path shows each false invariant", () => {
  const random = new Random(24);
  for (let i = 0; i < 4_000; i++) {
    const states = 1 + random.below(6);
    const lts = randomLts(random, { states, labels: 2, transitions: random.below(2 * states + 3) });
    const atoms: StateFormula[] = [
      { kind: "true" },
      DEADLOCK,
      { kind: "diamond", by: { kind: "label", label: "b" }, of: { kind: "true" } },
      { kind: "box", by: { kind: "tau" }, of: FALSE },
    ];
    const [during, then] = [atoms[random.below(4)], atoms[random.below(4)]];
    const formulas = new StateFormulas(lts);
    for (const [operator, fixpoint] of definitions(during, sets[random.below(3)], then)) {
      const holds = formulas.holds(operator);
      expect([...holds]).toEqual([...formulas.holds(fixpoint)]);
      for (let s = 0; s < states; s++) {
        const { transitions, loopStart } = formulas.explain(operator, s, holds[s] === 1);
        let at = s;
        const places = [s];
        for (const t of transitions) {
          expect(t >= lts.firsts[at] && t < lts.firsts[at + 1]).toBe(true);
          places.push((at = lts.targets[t]));
        }
        if (loopStart !== undefined) expect(places[loopStart]).toBe(at);
      }
    }
  }
}, 60_000);
