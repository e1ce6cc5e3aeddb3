/** The compiled semantics of χ against the obvious interpreter, on random terms. */
import { expect, test } from "vitest";
import { chiModel } from "../../../src/compile/chi/index.js";
import { checkExplicit } from "../../../src/engines/explicit/index.js";
import { comparing } from "../../../src/engines/lts/index.js";
import { renderChi } from "../../../src/model/index.js";
import { Random } from "../../../src/session/index.js";
import { ltsOfTerm } from "../../../src/session/chi/congruence.js";
import { CHANNELS, ChiMaker, GLOBALS } from "../../generators/chi.js";
import { asExplored, explore, fromChi } from "./naive.js";

const START = { x: 0, y: 0 };
const context = { globals: GLOBALS, channels: CHANNELS };

test("random terms have the transitions that the rules give them", async () => {
  const random = new Random(7);
  const maker = new ChiMaker(random);
  let compared = 0;
  let stuck = 0;
  let ended = 0;
  for (let i = 0; compared < 600; i++) {
    const inner = maker.term(3 + (i % 3));
    const term = i % 2 === 0 ? inner : ({ kind: "encap", body: inner } as const);
    const naive = explore(fromChi(term), START, 400);
    if (!naive || naive.count < 3) continue;
    compared++;
    if (naive.hasDeadlock) stuck++;
    if (naive.lts.labels.includes("√")) ended++;
    const lts = await ltsOfTerm(context, term, "strong");
    if (!lts) throw new Error("not explored");
    const slices = comparing(naive.lts, asExplored(lts, ["x", "y"]), "strong");
    while (slices.advance(Infinity));
    const { isRelated, evidence } = slices.result();
    expect(isRelated, `${renderChi(term)}: ${JSON.stringify(evidence)}`).toBe(true);
    const model = chiModel({
      ...context,
      name: "random",
      system: term,
      invariants: [],
      goals: [],
      checksDeadlock: true,
      span: { file: "random", start: 0, end: 0 },
    });
    const options = { order: "bfs", checkDeadlock: true, errors: 1, budget: {}, control: {} } as const;
    const { findings } = await checkExplicit(model, options);
    const isStuck = findings.some(
      ({ property, verdict }) => property.kind === "deadlock" && verdict.kind === "violated",
    );
    expect(isStuck, renderChi(term)).toBe(naive.hasDeadlock);
  }
  expect(stuck).toBeGreaterThan(40);
  expect(ended).toBeGreaterThan(40);
}, 240_000);
