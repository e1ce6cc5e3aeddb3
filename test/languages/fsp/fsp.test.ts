/** FSP: every construct, the composition against a naive one, and located mistakes. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compare, toLts } from "../../../src/index.js";
import { loadFsp } from "../../../src/languages/fsp/index.js";
import { Random } from "../../../src/session/index.js";
import { inRepository } from "../../repository.js";
import { composed, jsonOf, randomTree, textOf } from "./naive.js";

const fsp = (text: string) => ({ file: "m.fsp", text });

/** The edges of the last composite process, as `0 a 1`. */
async function edges(text: string): Promise<string[]> {
  const { lts, diagnostics } = await toLts(fsp(text));
  if (!lts) throw new Error(JSON.stringify(diagnostics));
  return Array.from({ length: lts.states }, (_, s) => s).flatMap((s) =>
    Array.from({ length: lts.firsts[s + 1]! - lts.firsts[s]! }, (_, i) => lts.firsts[s]! + i).map(
      (t) => `${s} ${lts.labels[lts.actions[t]!]} ${lts.targets[t]}`,
    ),
  );
}

describe("constructs", () => {
  test.each([
    ["a prefix", "P = (a -> b -> P).", ["0 a 1", "1 b 0"]],
    ["STOP", "P = (a -> STOP).", ["0 a 1"]],
    ["END", "P = (a -> END).", ["0 a 1", "1 √ 1"]],
    ["ERROR", "P = (a -> ERROR).", ["0 a 1", "1 ERROR 1"]],
    ["a choice, not deterministic", "P = (a -> P | a -> STOP).", ["0 a 0", "0 a 1"]],
    ["a set of actions", "set S = {a, b.c} P = (S -> x -> P).", ["0 a 1", "0 b.c 2", "1 x 0", "2 x 0"]],
    [
      "an index is bound",
      "P = (in[i:0..1] -> out[i] -> P).",
      ["0 in.0 1", "0 in.1 2", "1 out.0 0", "2 out.1 0"],
    ],
    [
      "an index over labels",
      "P = (in[l:{x,y}] -> out[l] -> STOP).",
      ["0 in.x 1", "0 in.y 2", "1 out.x 3", "2 out.y 3"],
    ],
    [
      "indexed processes",
      "P = C[0], C[i:0..1] = (when (i < 1) up -> C[i+1] | when (i > 0) down -> C[i-1]).",
      ["0 up 1", "1 down 0"],
    ],
    ["outside of the range", "P = C[0], C[i:0..0] = (up -> C[i+1]).", ["0 up 1", "1 ERROR 1"]],
    ["if without else", "const N = 1 P = (a -> if N == 2 then P).", ["0 a 1"]],
    ["parameters", "P(N=1) = (a[N] -> P). ||S = (P(3) || P).", ["0 a.3 0", "0 a.1 0"]],
    ["a sequence", "Q = (a -> END). P = (x -> Q;Q;P). ||S = (P).", ["0 x 1", "1 a 2", "2 a 0"]],
    ["another process", "Q = (a -> END). P = (x -> Q). ||S = (P).", ["0 x 1", "1 a 2", "2 √ 2"]],
    ["relabelling to several", "P = (a -> STOP)/{x/a, y/a}.", ["0 x 1", "0 y 1"]],
    ["relabelling a prefix", "P = (a.b -> STOP)/{x/a}.", ["0 x.b 1"]],
    [
      "forall in a relabelling",
      "P = (a[i:0..1] -> STOP)/{forall [i:0..1] {x[1-i]/a[i]}}.",
      ["0 x.1 1", "0 x.0 1"],
    ],
    ["hiding", "P = (a.x -> b -> STOP)\\{a}.", ["0 tau 1", "1 b 2"]],
    ["an interface", "P = (a -> b -> STOP)@{b}.", ["0 tau 1", "1 b 2"]],
    [
      "sharing",
      "R = (get -> put -> R). ||S = ({a,b}::R).",
      ["0 a.get 1", "0 b.get 1", "1 a.put 0", "1 b.put 0"],
    ],
    [
      "instances of a range",
      "P = (x -> STOP). ||S = (p[0..1]:P).",
      ["0 p.0.x 1", "0 p.1.x 2", "1 p.1.x 3", "2 p.0.x 3"],
    ],
    [
      "replication",
      "P(I=0) = (x[I] -> STOP). ||S = (forall [i:1..2] P(i)).",
      ["0 x.1 1", "0 x.2 2", "1 x.2 3", "2 x.1 3"],
    ],
    [
      "a conditional part",
      "const N = 0 P = (a -> STOP). Q = (b -> STOP). ||S = (if N then P else Q).",
      ["0 b 1"],
    ],
    ["high priority", "P = (a -> P | b -> STOP). ||S = (P) << {b}.", ["0 b 1"]],
    ["low priority", "P = (a -> P | b -> STOP). ||S = (P) >> {b}.", ["0 a 0"]],
    ["high priority over τ", "P = (a -> P | b -> STOP)\\{a}. ||S = (P) << {b}.", ["0 b 1"]],
    ["deterministic", "deterministic P = (a -> b -> STOP | a -> c -> STOP).", ["0 a 1", "1 b 2", "1 c 2"]],
    ["minimal", "minimal P = (a -> b -> P | a -> b -> P).", ["0 a 1", "1 b 0"]],
    [
      "a set's size and elements",
      "set S = {u, v} P = (n[#S] -> e[@(S, 1)] -> STOP).",
      ["0 n.2 1", "1 e.v 2"],
    ],
    ["a quoted label", "P = (a[l:{x,y}] -> if l == 'x then STOP else P).", ["0 a.x 1", "0 a.y 0"]],
    ["precedence", "P = (a[1 + 2 * 3 % 4 - -1] -> b[!0 || 1 / 0] -> STOP).", ["0 a.4 1", "1 b.1 2"]],
    [
      "a formula is read",
      "P = (a -> P). fluent F = <{a}, {b}> initially 1 assert A = [](F -> (<> a || X F)) ||S = (P).",
      ["0 a 0"],
    ],
  ])("%s", async (_, text, expected) => {
    expect(await edges(text)).toEqual(expected);
  });
});

test("an extended alphabet blocks", async () => {
  const other = "Q = (b -> Q).";
  expect(await edges(`P = (a -> P). ${other} ||S = (P || Q).`)).toEqual(["0 a 0", "0 b 0"]);
  expect(await edges(`P = (a -> P) + {b}. ${other} ||S = (P || Q).`)).toEqual(["0 a 0"]);
});

test("a label of an unreachable local process blocks", async () => {
  const text = (own: string): string => `P = (a -> P)${own}. Q = (b -> Q). ||S = (P || Q).`;
  expect(await edges(text(", R = (b -> R)"))).toEqual(["0 a 0"]);
});

test("the whole ends when all parts have ended", async () => {
  expect(await edges("P = (a -> END). Q = (b -> END). ||S = (P || Q).")).toContain("3 √ 3");
  const stuck = await edges("P = (a -> END). Q = (b -> STOP). ||S = (P || Q).");
  expect(stuck.filter((edge) => edge.includes("√"))).toEqual([]);
});

test("compositions equal a naive one", { timeout: 240_000 }, async () => {
  for (let seed = 1; seed <= 300; seed++) {
    const tree = randomTree(new Random(seed));
    const text = textOf(tree);
    const { comparison, systems } = await compare(
      fsp(text),
      { file: "naive.aut", text: jsonOf(composed(tree)) },
      "strong",
    );
    const context = `seed ${seed}\n${text}\n${JSON.stringify(systems[0].diagnostics)}`;
    expect(comparison?.isRelated, context).toBe(true);
  }
});

describe("bad input", () => {
  const folder = inRepository("test/fixtures/fsp/bad");
  for (const name of readdirSync(folder))
    test(name, () => {
      const text = readFileSync(`${folder}/${name}`, "utf8");
      const expected = [...text.matchAll(/^\/\/ expect: (.*)$/gm)].map(([, found]) => found);
      const found = loadFsp(name, text).diagnostics.map(({ code, span: { start } }) => {
        const before = text.slice(0, start).split("\n");
        return `${code} ${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
      });
      expect(found).toEqual(expected);
    });

  test("constants of the command line", () => {
    const codes = (name: string, value?: string): string[] =>
      loadFsp("m.fsp", "const N = 1 P = (a[N] -> P).", { constants: [{ name, value }] }).diagnostics.map(
        ({ code }) => code,
      );
    expect(codes("N", "2")).toEqual([]);
    expect(codes("N")).toEqual(["fsp/bad-define"]);
    expect(codes("M", "2")).toEqual(["fsp/bad-define"]);
  });

  test("deep nesting and mutated texts give diagnostics only", () => {
    for (const open of ["(", "[", "{", "!", "-"])
      expect(loadFsp("m.fsp", `P = (a[${open.repeat(5000)}`).system).toBeUndefined();
    const text = readFileSync(inRepository("examples/lts/semaphore.fsp"), "utf8");
    const signs = [
      "(",
      ")",
      "[",
      "]",
      "{",
      "}",
      ".",
      "->",
      "|",
      "||",
      "::",
      ":",
      "/",
      "\\",
      "@",
      "0",
      "P",
      "x",
      "=",
    ];
    for (let seed = 1; seed <= 500; seed++) {
      const random = new Random(seed);
      let mutated = text;
      for (let n = 0; n <= random.below(3); n++) {
        const at = random.below(mutated.length);
        mutated =
          mutated.slice(0, at) + signs[random.below(signs.length)]! + mutated.slice(at + random.below(4));
      }
      expect(() => loadFsp("m.fsp", mutated), mutated).not.toThrow();
    }
  });
});
