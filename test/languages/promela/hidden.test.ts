/** A hidden variable stays out of the state only if no step reads its old value. */
import { expect, test } from "vitest";
import { Sources } from "../../../src/model/diagnostic.js";
import { loadPromela } from "../../../src/languages/promela/index.js";

function hiddenIn(text: string): readonly string[] {
  const sources = new Sources();
  const { program, diagnostics } = loadPromela({
    file: "m.pml",
    text,
    defines: [],
    readFile: () => undefined,
    sources,
  });
  const revealed = diagnostics.filter(({ code }) => code === "promela/hidden-read").length;
  const hidden = program!.globals.filter(({ hidden }) => hidden).map(({ name }) => name);
  expect(revealed).toBe([...text.matchAll(/hidden byte/g)].length - hidden.length);
  return hidden;
}

test.each([
  ["never read", "hidden byte h; active proctype P() { h = 1; h = 2 }", ["h"]],
  ["received and dropped", "hidden byte h; chan c = [1] of { byte }; init { c!1; c?h }", ["h"]],
  ["read in the same step", "hidden byte h; byte x; init { d_step { h = 1; x = h } }", ["h"]],
  ["read in a guard of the step", "hidden byte h; init { d_step { h = 1; h == 1 } }", ["h"]],
  [
    "a counter of the step",
    "hidden byte h; init { d_step { h = 0; do :: h < 3 -> h++ :: else -> break od } }",
    ["h"],
  ],
  ["read in the next step", "hidden byte h; byte x; init { d_step { h = 1; skip } x = h }", []],
  ["read in an atomic sequence", "hidden byte h; byte x; init { atomic { h = 1; x = h } }", []],
  ["one branch writes", "hidden byte h; byte x; init { d_step { if :: h = 1 :: x = 2 fi; x = h } }", []],
  ["an element is written", "hidden byte h[2]; byte x; init { d_step { h[0] = 1; x = h[1] } }", []],
  [
    "written on one of two ways, of which the other comes back later",
    "hidden byte h; byte x, y; init { d_step { if :: x == 0 -> h = 1; goto A :: else -> goto B fi; A: x = 2; y = h; goto E; B: x = 3; goto A; E: skip } }",
    [],
  ],
  ["a local variable is written", "hidden byte h; byte x; init { byte k; d_step { k = 1; x = h } }", []],
  ["a local variable is read", "hidden byte h; byte x; init { byte k; h = 1; x = k }", ["h"]],
  ["read by its own assignment", "hidden byte h; init { d_step { h = h + 1; skip } }", []],
  ["read by a formula", "hidden byte h; init { h = 1 } ltl p { <> (h == 1) }", []],
  ["read by an initialiser", "hidden byte h; proctype W() { byte k = h; skip } init { h = 1; run W() }", []],
  ["read by a clause", "hidden byte h; active proctype P() provided (h == 0) { skip }", []],
  ["printed", 'hidden byte h; init { h = 1; printf("%d", h) }', []],
  ["matched", "hidden byte h; chan c = [1] of { byte }; init { c!1; c?eval(h) }", []],
])("%s", (_, text, expected) => expect(hiddenIn(text)).toEqual(expected));
