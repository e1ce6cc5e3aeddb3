/** Names identify properties: no two share one, and a violation is never attributed to another property. */
import { describe, expect, test } from "vitest";
import { checkInput, registry, type CheckOptions } from "../../src/session/index.js";
import { chooseProperties } from "../../src/session/check/choosing.js";
import type { LoadedInput } from "../../src/session/load.js";
import type { Property } from "../../src/model/index.js";

const answers = async (
  file: string,
  text: string,
  options: CheckOptions = { maxErrors: Infinity },
): Promise<string[]> => {
  const { report } = await checkInput({ file, text }, options, registry);
  return report.properties.map(({ property: { name, kind }, verdict }) => `${kind} '${name}' ${verdict}`);
};

describe("declared properties beside those that every model has", () => {
  const rules = `var x: 0..3; startstate begin x := 0; end;
    rule x < 3 ==> begin assert x < 9; x := x + 1; end; rule x = 3 ==> begin x := 0; end;`;
  for (const [name, kind] of [
    ["deadlock", "deadlock"],
    ["assertions", "assertion"],
    ["runtime errors", "runtime"],
  ])
    test(`a Murphi invariant called '${name}'`, async () => {
      const found = await answers("m.m", `${rules} invariant "${name}" x < 2; cover "${name}" x = 2;`);
      expect(found).toContain(`${kind} '${name}' holds`);
      expect(found).toContain(`invariant '${name} (2)' violated`);
      expect(found).toContain(`cover '${name} (3)' holds`);
    });

  const loop = "byte x; active proctype P() { do :: x < 3 -> x++; assert(x < 9) :: x == 3 -> x = 0 od }";
  for (const name of ["deadlock", "assertions"])
    test(`a formula called '${name}'`, async () => {
      const found = await answers("m.pml", `${loop} ltl ${name} { [] (x < 2) }`);
      expect(found).toContain(`ltl '${name} (2)' violated`);
      expect(found.filter((answer) => answer.endsWith(`'${name}' holds`))).toHaveLength(1);
    });

  test("conditions and formulas with the same words", async () => {
    const words = {
      maxErrors: Infinity,
      invariants: ["x < 4", "x < 4"],
      ltl: ["x < 4", "[] (x < 2)", "[] (x < 2)"],
    };
    expect((await answers("m.pml", loop, words)).slice(2)).toEqual([
      "invariant 'x < 4' holds",
      "invariant 'x < 4 (2)' holds",
      "ltl 'x < 4 (3)' holds",
      "ltl '[] (x < 2)' violated",
      "ltl '[] (x < 2) (2)' violated",
    ]);
  });
});

test("a model with two properties of one name is refused", () => {
  const named = (name: string, kind: Property["kind"]): Property => ({ name, kind, span: undefined });
  const codesOf = (properties: readonly Property[], asked?: string[]): string[] => {
    const loaded = { model: { properties }, unsupported: [], diagnostics: [], language: "toy" };
    const options = asked ? { properties: asked } : {};
    const input = { file: "m", text: "" };
    return chooseProperties(loaded as unknown as LoadedInput, input, options)!.diagnostics.map((d) => d.code);
  };
  const three = [named("a", "deadlock"), named("b", "invariant"), named("a", "invariant")];
  expect(codesOf(three)).toEqual(["session/shared-name"]);
  expect(codesOf(three, ["b"])).toEqual(["session/shared-name"]);
  expect(codesOf(three.slice(0, 2))).toEqual([]);
});

describe("places of a net", () => {
  const place = (id: string, title: string, tokens: number): string =>
    `<place id="${id}"><name><text>${title}</text></name><initialMarking><text>${tokens}</text></initialMarking></place>`;
  const net = (...places: string[]): string =>
    `<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">${places.join("")}` +
    `<transition id="t"/><arc id="a" source="p" target="t"/><arc id="b" source="t" target="p"/></page></net></pnml>`;

  for (const [what, text] of [
    ["that share a title", net(place("p", "x", 0), place("q", "x", 1))],
    ["of which one has the other's id for a title", net(place("p", "x", 0), place("x", "y", 1))],
  ] as const)
    test(`${what} are not taken for one another`, async () => {
      const codes = async (target: string): Promise<string[]> => {
        const { report } = await checkInput({ file: "n.pnml", text }, { targets: [target] }, registry);
        return report.diagnostics.map(({ code }) => code);
      };
      expect(await codes("x >= 1")).toEqual(["session/bad-target"]);
      expect(await codes("p >= 1")).toEqual([]);
    });

  test("that get a new name get one that no other has", async () => {
    const text = net(place("p", "x (r)", 0), place("q", "x", 0), place("r", "x", 1));
    expect(await answers("n.pnml", text, { targets: ['"x (r) (r)" >= 1'] })).toEqual([
      `coverability '"x (r) (r)" >= 1' violated`,
    ]);
  });

  test("are asked for as many tokens as a target says", async () => {
    const text = net(place("p", "x", 2), place("q", "y", 1));
    const asked = { targets: ["x >= 2, y >= 1", "x >= 3", "x >= 3, x >= 2", "x >= 2147483646"] };
    expect(await answers("n.pnml", text, asked)).toEqual([
      "coverability 'x >= 2, y >= 1' violated",
      ...asked.targets.slice(1).map((target) => `coverability '${target}' holds`),
    ]);
    const { report } = await checkInput({ file: "n.pnml", text }, { targets: ["x >= 2147483647"] }, registry);
    expect(report.diagnostics.map(({ code, message }) => [code, message])).toEqual([
      ["session/bad-target", "2147483647 is too large"],
    ]);
  });

  test("are asked about twice", async () => {
    const text = net(place("p", "x", 0), place("q", "y", 1));
    expect(await answers("n.pnml", text, { targets: ["y >= 1", "y >= 1"] })).toEqual([
      "coverability 'y >= 1' violated",
      "coverability 'y >= 1 (2)' violated",
    ]);
  });
});
