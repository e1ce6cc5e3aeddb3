/** The laws of χ on random terms, each condition removed once, and the normal form that they lead to. `npm run bench:lts -- --only chi` compares more. */
import { describe, expect, test } from "vitest";
import { renderChi } from "../../../src/model/index.js";
import { Random } from "../../../src/session/index.js";
import { certifyLaws, compareTerms } from "../../../src/session/chi/congruence.js";
import { loadChi } from "../../../src/languages/chi/index.js";
import { brokenLaws, chiLaws, isProper, normalForm } from "../../../src/transforms/chi/index.js";
import { CHANNELS, ChiMaker, GLOBALS } from "../../generators/chi.js";
import { DOMAIN, ends, explore, fromChi } from "../../languages/chi/naive.js";
import { checkLaw } from "./checked-laws.js";

describe.each(chiLaws.map((law, i) => ({ law, i, id: law.id })))("law $id", ({ law, i }) => {
  test("holds on random terms", async () => {
    const { compared, refuted } = await checkLaw(law, 25, 2000 + i);
    expect(compared).toBe(25);
    expect(refuted.map(({ text }) => text)).toEqual([]);
  });

  test.runIf(law.condition !== undefined)("does not hold without its condition", async () => {
    const { refuted } = await checkLaw(law, 800, 3000 + i, true);
    expect(refuted.length).toBeGreaterThan(0);
  });
});

test.each(brokenLaws.map((law, i) => ({ law, i, id: law.id })))("$id is refuted", async ({ law, i }) => {
  const { refuted } = await checkLaw(law, 400, 4000 + i);
  expect(refuted.length).toBeGreaterThan(0);
});

test("a proper term terminates in no state", () => {
  const maker = new ChiMaker(new Random(3));
  let proper = 0;
  for (let i = 0; i < 4_000; i++) {
    const term = maker.term(4);
    if (!isProper(term)) continue;
    proper++;
    for (const x of DOMAIN)
      for (const y of DOMAIN) expect(ends(fromChi(term), { x, y }), renderChi(term)).toBe(false);
  }
  expect(proper).toBeGreaterThan(500);
});

test("normal forms are congruent to their terms", async () => {
  const maker = new ChiMaker(new Random(5));
  let compared = 0;
  for (let i = 0; compared < 60; i++) {
    const system = { kind: "encap", body: maker.term(4) } as const;
    const before = explore(fromChi(system), { x: 0, y: 0 }, 200);
    if (!before || before.count < 4) continue;
    const { term, applications } = normalForm({ globals: GLOBALS, system });
    if (applications.length === 0) continue;
    const context = { globals: GLOBALS, channels: CHANNELS };
    const found = await compareTerms(context, system, term, "congruence", { maxStates: 10_000 });
    if (!found) continue;
    compared++;
    expect(found.isRelated, `${renderChi(system)} -> ${renderChi(term)}`).toBe(true);
  }
}, 120_000);

test("a parallel composition below a star remains, and the rewriting ends", () => {
  const { program } = loadChi("t.chi", "var x: nat(2) = 0; system = (skip; (x := 1 || x := 2))*;");
  if (!program) throw new Error("not read");
  const { applications, remaining } = normalForm(program);
  expect(applications.length).toBeLessThan(10);
  expect(remaining).toHaveLength(1);
});

test("applications are certified one by one", async () => {
  const text =
    "var x, y: nat(2) = 0; chan a: nat(2); system = encap(|[ z: nat(2) = 0 | (a!1; z := 1) || a?z ]|; x := 1);";
  const { program } = loadChi("t.chi", text);
  if (!program) throw new Error("not read");
  const { applications, confirmed, refuted, open } = await certifyLaws(program);
  expect(applications.length).toBeGreaterThan(1);
  expect([confirmed, refuted, open]).toEqual([applications.length, [], []]);
});
