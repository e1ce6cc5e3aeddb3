/** A search that becomes large continues as WebAssembly, over the states it has: its results do not change. */
import { expect, test } from "vitest";
import { compileRules } from "../../../src/compile/rules/index.js";
import { search, type SearchOptions } from "../../../src/engines/explicit/index.js";
import type { Model } from "../../../src/model/index.js";
import { programOf } from "../../compile/rules/differential.js";

/** A grid of 50 by 50 with a fault at its far corner, a broken invariant on the way, and a padded text. */
const textOf = (padding: number): string => `
  var x, y: 0..49; startstate x := 0; y := 0; end;
  rule "right" x < 49 ==> begin x := x + 1; end;
  rule "up" y < 49 ==> begin y := y + 1; end;
  rule "beyond" x = 49 & y = 49 ==> begin x := x + 1; end;
  ${`rule x + y > 98 ==> begin x := 0; end;`.repeat(padding)}
  invariant "low" x + y < 90;`;

async function found(
  model: Model,
  order: "bfs" | "dfs",
  usesStep: SearchOptions["usesStep"],
  maxStates?: number,
) {
  model.coverage!.times!.fill(0);
  const { stats, violations, stop } = await search(model, {
    ...{ order, control: {}, maxErrors: Infinity, checksDeadlock: true, usesStep: usesStep! },
    budget: maxStates === undefined ? {} : { maxStates },
    checksSite: model.sites.map(() => true),
    invariants: [0],
  });
  const { states, transitions, depth, peakFrontier, backend } = stats;
  const causes = violations.map(({ cause, occurrences, path }) => [cause, occurrences, path.length]);
  const times = [...model.coverage!.times!];
  return { backend, seen: { states, transitions, depth, peakFrontier, stop, causes, times } };
}

test.each(["bfs", "dfs"] as const)("%s", async (order) => {
  const model = compileRules(programOf(textOf(0)));
  const plain = await found(model, order, false);
  const later = await found(model, order, "when large");
  expect(later.seen).toEqual(plain.seen);
  expect([plain.backend, later.backend]).toEqual(["javascript", "webassembly"]);
  expect(plain.seen.states).toBe(2501);
});

test("a search of few states, or of a long text, stays JavaScript", async () => {
  const model = compileRules(programOf(textOf(0)));
  expect((await found(model, "bfs", "when large", 900)).backend).toBe("javascript");
  expect((await found(model, "bfs", true, 900)).backend).toBe("webassembly");
  const long = compileRules(programOf(textOf(1000)));
  expect(long.code.length).toBeGreaterThan(60_000);
  expect((await found(long, "bfs", "when large")).backend).toBe("javascript");
});
