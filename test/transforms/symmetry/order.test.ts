/** Which orders show, without a search: `loops.test.ts` has the same models with one. Quick, for mutation testing. */
import { describe, expect, test } from "vitest";
import { planSymmetry } from "../../../src/transforms/symmetry/index.js";
import { isSymmetric } from "../../../src/transforms/symmetry/plan.js";
import { programOf } from "../../compile/rules/differential.js";
import { KEPT, REFUSED, modelOf } from "./orders.js";

const WHY: Readonly<Record<string, string>> = {
  "a reference parameter":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "a reference parameter that stands for what the loop reads":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "two reference parameters that may be the same":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "a reference parameter that is a part of what the loop writes":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "an alias around the loop":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "an alias around the loop and its variable":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "an alias of an alias":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "an alias of a local":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "an alias before the rule":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "a local that reads itself":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "a local that reads a part of itself":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "a local of which each round sets a part":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "a local that is passed to its own value":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "a local that is used after the loop":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "a local that only some rounds set":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "two different constants":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "counting up and down":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "a first element":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "undefining what another round sets":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "an alias of a local that the loop reads":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "undefining and clearing":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "setting what another round undefines":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "an element that all rounds write":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "an element that another round writes":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "an element that another round reads":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "counting and setting":
    "the order of a loop over it matters: an iteration accesses a place that another one writes",
  "a function with effects in a quantifier":
    "the order shows in which 'exists' goes through it: a called function changes the state",
  "a function that writes a local in a quantifier":
    "the order shows in which 'exists' goes through it: a called function changes the state",
  "a function with effects that counts elements":
    "the order of a multiset's elements shows: a called function changes the state",
  "an assertion beside an undefined value":
    "the order of a loop over it matters: which error comes first depends on it",
  "an assumption beside an error":
    "the order of a loop over it matters: which error comes first depends on it",
  "an assertion in a function of a quantifier":
    "the order shows in which 'forall' goes through it: which error comes first depends on it",
  "a cover before an assumption":
    "the order of a loop over it matters: whether an assumption or an error comes first depends on it",
  "an assumption beside an undefined value":
    "the order of a loop over it matters: whether an assumption or an error comes first depends on it",
  "a constant element by clearing": "'clear' gives it its first element",
  "leaving the loop": "the order of a loop over it matters: it is left by 'return'",
  "a cover beside an assumption":
    "the order of a loop over it matters: whether a cover is met before the step ends depends on it",
  "a cover beside an undefined value":
    "the order of a loop over it matters: whether a cover is met before the step ends depends on it",
  "an assumption of each element that may be undefined":
    "the order of instances shows: it may stop before it meets an error",
};

describe("refused, and why", () => {
  for (const [name, given] of Object.entries(REFUSED))
    test(name, () => {
      const { scalarsets, refused } = planSymmetry(programOf(modelOf(given)));
      expect([scalarsets, refused.map(({ why }) => why)]).toEqual([[], [WHY[name]]]);
    });
});

describe("kept", () => {
  for (const [name, given] of Object.entries(KEPT))
    test(name, () => {
      expect(planSymmetry(programOf(modelOf(given)))).toEqual({ scalarsets: [0], refused: [] });
    });
});

test("instances of a property for elements are no properties of orbits", () => {
  const after = `ruleset i: S do liveness "one" a[i]; end; liveness "some" exists i: S do a[i] end;
ruleset k: 0..3 do liveness "number" n = k; end;
alias x: a do liveness "another name" exists i: S do x[i] end; end; alias x: o do liveness "an element" x = x; end;`;
  const program = programOf(modelOf({ body: "r := true;", after }));
  expect(program.liveness.map((c) => isSymmetric(c, [0]))).toEqual([false, true, true, true, true]);
  expect(program.liveness.map((c) => isSymmetric(c, []))).toEqual([true, true, true, true, true]);
});

test("instances of a property for elements of a multiset are none either", () => {
  const { covers } = programOf(`type S: scalarset(2); m: record d: S; end;
var net: multiset [2] of m; x: boolean;
startstate undefine net; x := true; end;
rule x := !x; end;
choose e: net do cover "equal" net[e].d = net[e].d; end;`);
  const condition = covers[0]!.condition!;
  expect([isSymmetric(condition, [0]), isSymmetric(condition, [])]).toEqual([false, true]);
});
