/** Representatives of single states beside all states of their orbits; quick, for mutation testing. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sortingNetwork } from "../../../src/compile/rules/codegen/canonical-keys.js";
import type { Value } from "../../../src/compile/rules/interpreter/index.js";
import { valuesOf, type RuleType } from "../../../src/model/rules.js";
import { planSymmetry } from "../../../src/transforms/symmetry/index.js";
import { programOf, systemOf } from "../../compile/rules/differential.js";
import { Orbits } from "./orbits.js";

const TYPES = `type s: scalarset(4); t: scalarset(3); kind: enum { red, blue }; u: union { s, kind, t }; v: union { t, kind };
  pair: record a: s; z: s; end; box: record kinds: multiset [2] of kind; who: multiset [2] of u; end;`;

/** Declarations in which elements are known by more and more indirect signs. */
const SHAPES = {
  "values and indices":
    "n: array [s] of 0..1; p: s; top: array [0..1] of t; cell: array [t] of record x: kind; end;",
  "rows of an element": "row: array [s] of array [0..2] of 0..1; col: array [0..1] of array [t] of kind;",
  "rows of several words":
    "row: array [s] of array [0..2] of 0..100000; p: s; q: t; on: array [t] of boolean;",
  "rows of too many words to sort in variables": "row: array [s] of array [0..40] of 0..200; p: s; q: t;",
  "unions as values alone":
    "a: u; b: array [0..1] of u; n: array [t] of 0..1; m: array [s] of 0..1; k: array [kind] of boolean; c: u;",
  "a map of a set into itself": "next: array [s] of s; p: t;",
  "maps between sets": "home: array [s] of t; back: array [t] of s;",
  "a relation on a set": "has: array [s] of array [s] of boolean; q: t;",
  "a relation between sets": "has: array [s] of array [t] of 0..1;",
  "relations of two kinds": "link: array [0..1] of array [s] of t; has: array [t] of array [kind] of u;",
  "unions as indices and values": "flag: array [u] of kind; to_: array [u] of u;",
  "unions of two kinds": "to_: array [v] of u; back: array [t] of v; p: s;",
  messages: "net: multiset [3] of pair; p: t;",
  mailboxes: "mail: array [s] of multiset [2] of u;",
  "bags in bags": "post: multiset [2] of box; p: s;",
  "bags beside elements in bags":
    "post: multiset [2] of record who: s; kinds: multiset [2] of kind; end; p: t;",
  "bags in arrays in bags": "post: multiset [2] of array [t] of multiset [2] of kind; p: s;",
  "arrays in bags": "deal: multiset [2] of array [t] of s;",
} as const;

// By the zero-one principle, a network that sorts all lists of zeros and ones sorts everything (Knuth, volume 3, 5.3.4).
test("exchanges sort all lists of zeros and ones", () => {
  for (let length = 1; length <= 12; length++) {
    const exchanges = sortingNetwork(length);
    for (let bits = 0; bits < 2 ** length; bits++) {
      const list = Array.from({ length }, (_, i) => (bits >> i) & 1);
      for (const [a, b] of exchanges) if (list[a]! > list[b]!) [list[a], list[b]] = [list[b]!, list[a]!];
      if (list.some((x, i) => i > 0 && x < list[i - 1]!)) expect.fail(`${length} elements: ${list.join()}`);
    }
  }
});

describe("representatives of single states", () => {
  for (const [name, declarations] of Object.entries(SHAPES))
    test(`${name}: the same for all states of an orbit, and one of them`, () => {
      const program = programOf(`${TYPES} var ${declarations} startstate begin end; rule begin end;`);
      const scalarsets = planSymmetry(program).scalarsets;
      expect(scalarsets.length).toBeGreaterThan(1);
      const orbits = new Orbits(program, scalarsets);
      const canonical = systemOf(program, { scalarsets, form: "canonical" });
      const normal = systemOf(program, { scalarsets, form: "normal" });
      fc.assert(
        fc.property(stateOf(program.variables.map((v) => v.type)), fc.nat(), (values, which) => {
          const state = orbits.write(values);
          const renamed = orbits.renamed(state, orbits.renamings[which % orbits.renamings.length]!);
          const members = new Set(orbits.renamings.map((r) => orbits.renamed(state, r).join()));
          const [one, other, third] = [state.slice(), renamed.slice(), state.slice()];
          canonical.canonicalise!(one, 0);
          canonical.canonicalise!(other, 0);
          normal.canonicalise!(third, 0);
          expect(other.join()).toBe(one.join());
          expect(members).toContain(one.join());
          expect(members).toContain(third.join());
        }),
        { numRuns: 80, seed: 5 },
      );
    });
});

describe("rings, in which elements look alike but cannot be exchanged", () => {
  const bag = (a: number, b: number): Value[] => [[a, b]];
  for (const [name, declaration, ring] of [
    ["in a map", "next: array [s] of s;", [1, 2, 3, 0]],
    [
      "in a bag of bags",
      "net: multiset [4] of record who: multiset [2] of s; end;",
      [bag(0, 1), bag(1, 2), bag(2, 3), bag(3, 0)],
    ],
    [
      "in a bag of pairs",
      "net: multiset [4] of pair;",
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 0],
      ],
    ],
    [
      "in a bag of arrays",
      "net: multiset [4] of array [0..1] of s;",
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 0],
      ],
    ],
    [
      "in bags of elements",
      "net: array [s] of multiset [2] of s;",
      [
        [1, 3],
        [0, 2],
        [1, 3],
        [0, 2],
      ],
    ],
  ] as const)
    test(`${name}: one representative for all of an orbit`, () => {
      const program = programOf(`${TYPES} var ${declaration} startstate begin end; rule begin end;`);
      const { scalarsets } = planSymmetry(program);
      const orbits = new Orbits(program, scalarsets);
      const { canonicalise } = systemOf(program, { scalarsets, form: "canonical" });
      const state = orbits.write([ring as unknown as Value]);
      const members = orbits.renamings.map((renaming) => orbits.renamed(state, renaming));
      expect(new Set(members.map((member) => member.join())).size).toBeGreaterThan(1);
      for (const member of members) canonicalise!(member, 0);
      expect(new Set(members.map((member) => member.join())).size).toBe(1);
      const [one] = members;
      const among = Int32Array.from({ length: one!.length + 2 }, () => -1);
      among.set(state, 1);
      canonicalise!(among, 1);
      expect([...among]).toEqual([-1, ...one!, -1]);
    });
});

test("the first state has the representative that it has later", () => {
  const program = programOf(
    `${TYPES} var next: array [s] of s; low: array [s] of boolean; p: t; startstate begin end; rule begin end;`,
  );
  const { scalarsets } = planSymmetry(program);
  const orbits = new Orbits(program, scalarsets);
  for (const [a, b, c, d] of [
    [2, 3, 1, 0],
    [3, 2, 0, 1],
    [1, 2, 0, 1],
  ] as const) {
    const { canonicalise } = systemOf(program, { scalarsets, form: "canonical" });
    const [first, later] = [0, 1].map(() => {
      const state = orbits.write([[a, b, c, d], [0, 0, 1, 1], 0]);
      canonicalise!(state, 0);
      return state;
    });
    expect(first).toEqual(later);
  }
});

/** Any values, but few different ones, so that elements look alike. */
const stateOf = (types: readonly RuleType[]): fc.Arbitrary<Value[]> => fc.tuple(...types.map(valueOf));

function valueOf(type: RuleType): fc.Arbitrary<Value> {
  switch (type.kind) {
    case "record":
      return fc.tuple(...type.fields.map((field) => valueOf(field.type)));
    case "array":
      return fc.array(valueOf(type.element), {
        minLength: valuesOf(type.index),
        maxLength: valuesOf(type.index),
      });
    case "multiset":
      return fc
        .array(valueOf(type.element), { maxLength: type.bound })
        .map((elements) => [...elements, ...Array<null>(type.bound - elements.length).fill(null)]);
    default:
      return fc.option(fc.integer({ min: type.low, max: type.high }), { nil: undefined, freq: 3 });
  }
}
