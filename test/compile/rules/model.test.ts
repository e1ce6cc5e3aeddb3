/** The properties of a compiled rule program, and their verdicts; quick, for mutation testing. */
import { describe, expect, test } from "vitest";
import { compileRules, TooLarge, type RuleModel } from "../../../src/compile/rules/index.js";
import type { Words } from "../../../src/model/index.js";
import { explore, programOf } from "./differential.js";

const START = "var x: 0..3; startstate x := 0; end;";

function modelOf(text: string, deadlock: "stuck" | "off" = "off"): RuleModel {
  return compileRules(programOf(`${START} ${text}`, {}, { deadlock }));
}

const namesOf = ({ properties }: RuleModel): string[] => properties.map(({ name }) => name);

test("assertions, deadlocks and runtime errors are asked for where they can be", () => {
  for (const [body, expected] of [
    ["x := 1;", []],
    ["assert true;", ["assertions"]],
    [`error "e";`, ["runtime errors"]],
    [`assert true; error "e";`, ["assertions", "runtime errors"]],
  ] as const) {
    expect(namesOf(modelOf(`rule begin ${body} end;`))).toEqual(expected);
    expect(namesOf(modelOf(`rule begin ${body} end;`, "stuck")).sort()).toEqual(
      ["deadlock", ...expected].sort(),
    );
  }
});

describe("covers", () => {
  const text = `rule x < 2 ==> begin x := x + 1; cover x = 2 "reached"; cover x = 3 "missed"; end; cover "two" x = 2; cover "three" x = 3;`;

  test("of statements are met when a step comes to them, those of states never by that", () => {
    const model = modelOf(text);
    const covers = model.invariants.filter(({ kind }) => kind === "cover");
    const met = (): string[] => covers.filter((cover) => model.isMet!(cover)).map(({ name }) => name);
    expect(met()).toEqual([]);
    explore(programOf(`${START} ${text}`, {}, { deadlock: "off" }), model.system);
    expect(met()).toEqual(["reached"]);
  });

  test("of states are looked for in states, those of statements are not", () => {
    const model = modelOf(text);
    const { states } = explore(programOf(`${START} ${text}`, {}, { deadlock: "off" }), model.system);
    const broken = (state: Words): string[] =>
      model.invariants.filter((_, i) => !model.holds(i, state, 0)).map(({ name }) => name);
    expect(states.map(broken)).toEqual([[], [], ["two"]]);
  });
});

test("every instance of a liveness property has its name", () => {
  const model = modelOf(`rule begin x := 1; end; ruleset i: 0..1; j: 2..3 do liveness "l" x = i + j; end;`);
  expect(namesOf(model).slice(1)).toEqual([
    "l (i: 0, j: 2)",
    "l (i: 0, j: 3)",
    "l (i: 1, j: 2)",
    "l (i: 1, j: 3)",
  ]);
  const aliased = `rule begin x := 1; end; ruleset i: 0..1 do alias y: x do liveness "l" y = i; end; end;`;
  expect(namesOf(modelOf(aliased)).slice(1)).toEqual(["l (i: 0)", "l (i: 1)"]);
});

test("what is too large is refused", () => {
  const rule = (most: number): string => `ruleset i: 1..${most} do rule x = 4 ==> begin x := 1; end; end;`;
  expect(() => modelOf(rule(100_000_001))).toThrow(TooLarge);
  expect(() => modelOf(rule(100_000_000))).not.toThrow();
});
