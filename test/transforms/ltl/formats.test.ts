/** Automata as text: reading inverts writing. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Automaton } from "../../../src/model/index.js";
import {
  accepts,
  isIncluded,
  renderDot,
  renderHoa,
  renderSvg,
  renderTgba,
  translate,
} from "../../../src/transforms/ltl/index.js";
import { type ReadResult, parseTgba } from "./reading/tgba-read.js";
import { parseHoa } from "./reading/hoa-read.js";
import { layOut, overlap } from "../../../src/transforms/ltl/formats/layout.js";
import { anyAutomaton, anyFormula, anyLasso, propositionNames as names } from "../../generators/ltl.js";
import { parsed } from "./literature.js";

function automatonIn(result: ReadResult): Automaton {
  if ("diagnostics" in result) throw new Error(result.diagnostics[0]!.message);
  return result;
}

const words = fc.array(anyLasso(3), { minLength: 15, maxLength: 15 });

test("HOA reads back as it was written", () =>
  fc.assert(
    fc.property(anyAutomaton(), words, (automaton, tried) => {
      const text = renderHoa(automaton, 'a "name" with \\');
      const again = automatonIn(parseHoa(text));
      expect(again).toMatchObject({ ...automaton, states: again.states });
      for (const word of tried) expect(accepts(again, word)).toBe(accepts(automaton, word));
      expect(automatonIn(parseHoa(renderHoa(again)))).toEqual(again);
    }),
    { numRuns: 150 },
  ));

test("the text format reads back with the same language", () =>
  fc.assert(
    fc.property(anyAutomaton(), words, (automaton, tried) => {
      const again = automatonIn(parseTgba(renderTgba(automaton)));
      // Propositions are numbered in order of occurrence: letters are translated by name.
      const renamed = (letter: number): number =>
        again.propositions.reduce((bits, name, i) => bits | (((letter >>> names.indexOf(name)) & 1) << i), 0);
      for (const { prefix, cycle } of tried)
        expect(accepts(again, { prefix: prefix.map(renamed), cycle: cycle.map(renamed) })).toBe(
          accepts(automaton, { prefix, cycle }),
        );
    }),
    { numRuns: 150 },
  ));

describe("other writers' HOA", () => {
  const body = (...lines: string[]): string => ["HOA: v1", "Start: 0", ...lines].join("\n");
  const [{ formula, propositions }] = parsed("G F a");
  const expected = translate(formula, propositions);
  test.each([
    [
      "marks and labels on states, aliases, comments, unknown items",
      body(
        'name: "GFa" tool: "x" "1"',
        'AP: 1 "a"',
        "Alias: @yes 0",
        "acc-name: Buchi",
        "Acceptance: 1 (Inf(0))",
        "properties: state-acc",
        "--BODY-- /* GF a */",
        'State: [@yes] 0 "in" {0} 0 1',
        "State: [!@yes] 1 0 1",
        "--END--",
      ),
      // From 0 only words that begin with a are accepted.
      "a & G F a",
    ],
    [
      "implicit labels",
      body('AP: 1 "a"', "Acceptance: 1 Inf(0)", "--BODY--", "State: 0 0 0 {0}", "--END--"),
      "G F a",
    ],
  ])("%s", (_, text, meaning) => {
    const read = automatonIn(parseHoa(text));
    const [{ formula: f, propositions: p }] = parsed(meaning);
    const wanted = meaning === "G F a" ? expected : translate(f, p);
    expect(isIncluded(read, wanted) && isIncluded(wanted, read)).toBe(true);
  });

  test.each([
    ["Acceptance: 1 Fin(0)", /generalised Büchi/],
    ["Acceptance: 2 Inf(0)|Inf(1)", /over all sets/],
    ["Acceptance: 1 Inf(!0)", /complemented/],
    ["Start: 1", /several initial states/],
    ["AP: 40", /not below 32/],
  ])("%s is refused", (line, message) => {
    const result = parseHoa(body(line, "--BODY--", "State: 0", "--END--"));
    expect("diagnostics" in result && result.diagnostics[0]!.message).toMatch(message);
  });

  test("broken texts are diagnostics, never exceptions", () =>
    fc.assert(
      fc.property(anyAutomaton(), fc.nat(400), fc.nat(20), (automaton, at, length) => {
        for (const [write, read] of [
          [renderHoa, parseHoa],
          [renderTgba, parseTgba],
        ] as const) {
          const text = write(automaton);
          expect(read(text.slice(0, at) + text.slice(at + length))).toBeDefined();
        }
      }),
      { numRuns: 300 },
    ));
});

test("the text format: quoted names, comments, an empty guard, an unknown condition", () => {
  const read = automatonIn(parseTgba('acc = "c 1" d; # two\n"s 0", t, "",d "c 1";\nt, t, "!x && (y | 0)",;'));
  expect(read).toMatchObject({ conditions: 2, initial: 0, propositions: ["x", "y"] });
  expect(read.states[0]).toEqual([{ guard: [{ care: 0, value: 0 }], marks: 3, to: 1 }]);
  const wrong = parseTgba('acc = a;\ns, s, "1", b;');
  expect("diagnostics" in wrong && wrong.diagnostics[0]).toMatchObject({
    code: "ltl/unknown-condition",
    span: { start: 20 },
  });
});

test("DOT has every state and edge, with quotes escaped", () => {
  const [{ formula }] = parsed("p U q");
  const dot = renderDot(translate(formula, ['say "p"', "q"]), "a \\ b");
  expect(dot).toContain("start -> 0;");
  expect(dot.match(/->/g)).toHaveLength(4);
  expect(dot).toContain('label="say \\"p\\" & !q"');
  expect(dot).toContain('label="a \\\\ b"');
});

describe("drawings", () => {
  test("no label covers another label or a state", () =>
    fc.assert(
      fc.property(anyFormula(), (formula) => {
        const { states, edges, width, height } = layOut(translate(formula, names), false);
        const circles = states.map(({ x, y }) => ({ x, y, width: 36, height: 36 }));
        const boxes = edges.map(({ label }) => label);
        boxes.forEach((box, i) => {
          expect([...circles, ...boxes.slice(i + 1)].filter((other) => overlap(box, other))).toEqual([]);
          expect(box.x - box.width / 2).toBeGreaterThanOrEqual(0);
          expect(box.x + box.width / 2).toBeLessThanOrEqual(width);
          expect(box.y - box.height / 2).toBeGreaterThanOrEqual(0);
          expect(box.y + box.height / 2).toBeLessThanOrEqual(height);
        });
      }),
      { numRuns: 100 },
    ));

  test("names that look like markup stay text", () => {
    const [{ formula }] = parsed("p U q");
    const svg = renderSvg(translate(formula, ["<b>&", '"q"']), "<i>");
    expect(svg).toContain("&lt;b&gt;&amp;");
    expect(svg).not.toContain("<i>");
  });
});
