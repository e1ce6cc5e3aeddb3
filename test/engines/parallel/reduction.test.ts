/** Partial-order reduction by several workers: against the obvious search under the same proviso, and against no reduction. */
import { expect, test } from "vitest";
import type { CompiledModel } from "../../../src/compile/index.js";
import type { Proviso } from "../../../src/engines/explicit/index.js";
import { search, type SearchOptions, type SearchResult } from "../../../src/engines/explicit/search.js";
import { traceTo } from "../../../src/engines/explicit/trace.js";
import { obviousReduced } from "../../transforms/reduction/obvious.js";
import { load, plain, plainRandom } from "../../transforms/reduction/reducing.js";
import { SMALL_SIZES, useThreads } from "./crews.js";

const threads = useThreads();

const PROVISOS = [
  ["queue", "next-level"],
  ["none", "none"],
] as const;

test(
  "random programs: the states, steps and errors of the obvious search, however many workers",
  {
    timeout: 240_000,
  },
  async () => {
    let compared = 0;
    let rejected = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const model = plainRandom(seed);
      if (!model) continue;
      const full = await search(model, { ...request(model), budget: { maxStates: 1500 } });
      if (full.stop !== undefined) continue;
      for (const [proviso, known] of PROVISOS) {
        const obvious = obviousReduced(model.system, "bfs", known);
        for (const workers of [2, 3]) {
          const result = await threads.search(model, request(model, proviso), {
            workers,
            sizes: SMALL_SIZES,
          });
          const { stats } = result;
          const { partialOrder } = stats;
          expect(
            [stats.states, stats.transitions + 1, partialOrder!.reduced, partialOrder!.rejected],
            `seed ${seed}, ${proviso}, ${workers} workers`,
          ).toEqual([obvious.states, obvious.transitions, obvious.reduced, obvious.rejected]);
          expect(partialOrder!.proviso).toBe(known);
          expect(errorsOf(result)).toEqual([...obvious.errors].sort());
          if (proviso !== "none")
            expect(errorsOf(result), `seed ${seed}, ${proviso}`).toEqual(errorsOf(full));
          for (const violation of result.violations) traceTo(violation, result.model); // throws unless it replays
          rejected += partialOrder!.rejected;
        }
      }
      compared++;
    }
    expect(compared).toBeGreaterThan(15);
    expect(rejected).toBeGreaterThan(0);
  },
);

/** The spinner alone could be explored forever: the assertion fails only if the other process is let in. */
test("a process that goes round in circles does not hide another one's error", async () => {
  const model = plain(
    load(`byte seen;
active proctype other() { seen = 1; assert(seen == 0) }
active proctype spinner() { byte k; do :: k = 1 - k od }`),
  );
  for (const [proviso] of PROVISOS) {
    const result = await threads.search(model, request(model, proviso), { sizes: SMALL_SIZES });
    expect(errorsOf(result)).toHaveLength(proviso === "none" ? 0 : 1);
  }
});

const request = (model: CompiledModel, proviso?: Proviso): SearchOptions => ({
  order: "bfs",
  budget: {},
  control: {},
  maxErrors: Infinity,
  checksDeadlock: true,
  checksSite: model.sites.map(() => true),
  invariants: [],
  proviso,
});

const errorsOf = ({ violations }: SearchResult): string[] =>
  violations.map(({ cause }) => (cause.kind === "fault" ? `${cause.site}` : cause.kind)).sort();
