/**
 * Workers whose loops are WebAssembly over one memory, beside workers whose loops are JavaScript, and beside one thread:
 * states, transitions, depth, errors, the lengths of the paths to them, coverage, and reduction.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compile, compileRecipe, type CompiledModel } from "../../../src/compile/index.js";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import type { Sizes } from "../../../src/engines/explicit/parallel/protocol.js";
import { search, type SearchOptions, type SearchResult } from "../../../src/engines/explicit/search.js";
import { traceTo } from "../../../src/engines/explicit/trace.js";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { Sources, hasErrors, type Model } from "../../../src/model/index.js";
import { StepMemory } from "../../../src/step/index.js";
import { conformanceFixtures } from "../../conformance/fixtures.js";
import { tinyCase } from "../../generators/promela-tiny.js";
import { renderProgram } from "../../generators/promela-tree.js";
import { load, plain } from "../../transforms/reduction/reducing.js";
import { SMALL_SIZES, useThreads } from "./crews.js";
import { searchLocally } from "./local.js";
import { figures, summary } from "./results.js";

const threads = useThreads();
const MOST_STATES = 2000;
const SIZES: readonly Sizes[] = [SMALL_SIZES, { ...SMALL_SIZES, narrow: 1000, nodeBlock: 8 }];

const request = (model: Model, more: Partial<SearchOptions> = {}): SearchOptions => ({
  ...{ order: "bfs", budget: {}, control: {}, maxErrors: Infinity, checksDeadlock: true },
  checksSite: model.sites.map(() => true),
  invariants: model.invariants.map((_, i) => i),
  ...more,
});

function modelOf(text: string, invariants: readonly string[] = []): CompiledModel | undefined {
  const sources = new Sources();
  sources.add("m.pml", text);
  const given = { file: "m.pml", text, sources, readFile: () => undefined, defines: [], invariants };
  const { program, diagnostics } = loadPromela(given);
  return hasErrors(diagnostics) || !program ? undefined : compile({ ...program, temporal: [] }, sources);
}

const seen = (result: SearchResult) => ({
  figures: figures(result),
  errors: summary(result),
  stop: result.stop,
  partialOrder: result.stats.partialOrder,
});

/** Undefined: too large to compare, or it does not run as WebAssembly. */
async function compareWorkers(
  model: Model,
  options: SearchOptions,
  sizes: Sizes,
  searchBy: typeof searchLocally,
): Promise<"webassembly" | undefined> {
  const one = await search(model, { ...options, budget: { maxStates: MOST_STATES } });
  if (one.stop !== undefined) return undefined;
  const { reached } = model.coverage!;
  const reachedBy = async (usesStep: boolean) => {
    reached.fill(0);
    const result = await searchBy(model, { ...options, usesStep }, { sizes });
    for (const violation of result.violations) traceTo(violation, result.model); // throws unless it replays
    return { result, reached: [...result.model.coverage!.reached] };
  };
  const [js, wasm] = [await reachedBy(false), await reachedBy(true)];
  expect({ ...seen(wasm.result), reached: wasm.reached }).toEqual({
    ...seen(js.result),
    reached: js.reached,
  });
  if (!options.proviso) expect(seen(wasm.result)).toEqual(seen(one));
  expect(js.result.stats.backend).toBe("javascript");
  return wasm.result.stats.backend === "webassembly" ? "webassembly" : undefined;
}

test(
  "fixtures and tiny programs, by one worker; most of them run as WebAssembly",
  { timeout: 180_000 },
  async () => {
    const files = [...new Set(conformanceFixtures().map(({ file }) => file))].filter((_, i) => i % 4 === 0);
    const tiny = Array.from({ length: 12 }, (_, seed) => tinyCase(seed + 1, {}));
    const models = [
      ...files.map((file) => modelOf(readFileSync(file, "utf8"))),
      ...tiny.map(({ program, invariants }) => modelOf(renderProgram(program), invariants)),
    ].filter((model) => model !== undefined);
    let asStepCode = 0;
    for (const [i, model] of models.entries()) {
      const options = request(model, { store: i % 2 === 0 ? "flat" : "tree" });
      if (await compareWorkers(model, options, SIZES[(i >> 1) % 2]!, searchLocally)) asStepCode++;
    }
    expect(asStepCode).toBeGreaterThan(0.5 * models.length);
  },
);

/** Atomic sequences, faults, deadlocks and an invariant. */
const TEXT = `byte a[2]; byte turn;
active [2] proctype P() {
  byte k;
  do
  :: turn == _pid -> atomic { k = (k + 1) % 5; if :: a[_pid] = k :: a[_pid] = a[(_pid + 1) % 2] fi }
  :: turn = (turn + 1) % 2
  :: a[_pid] < 4 -> a[_pid]++
  :: k > 3 -> assert(a[_pid] < 4); break
  od
}`;
const ring = modelOf(TEXT, ["a[0] + a[1] < 8"])!;

describe.each(["flat", "tree"] as const)("%s", (store) => {
  test.each([1, 2, 3])("%i threads", { timeout: 240_000 }, async (workers) => {
    const one = await search(ring, request(ring, { store }));
    expect(one.stats.states).toBeGreaterThan(1000);
    for (const usesStep of [true, false]) {
      const options = request(ring, { store, usesStep });
      const found = await threads.search(ring, options, {
        workers,
        sizes: { ...SMALL_SIZES, chunkStates: 64 },
      });
      expect(found.stats.backend).toBe(usesStep ? "webassembly" : "javascript");
      expect(seen(found)).toEqual(seen(one));
      for (const violation of found.violations) traceTo(violation, found.model);
    }
  });

  test("outgrows what WebAssembly can address, and goes on as JavaScript", async () => {
    const one = await search(ring, request(ring, { store }));
    for (const stepPages of [129, 130, 131, 132, 2000]) {
      const options = request(ring, { store, usesStep: true, storeSizes: { stepPages } });
      const found = await searchLocally(ring, options, { sizes: { ...SMALL_SIZES, chunkStates: 64 } });
      expect(found.stats.backend, `${stepPages} pages`).toBe(
        stepPages === 2000 ? "webassembly" : "javascript",
      );
      expect(seen(found), `${stepPages} pages`).toEqual(seen(one));
    }
  });

  test("a budget is kept", async () => {
    for (const budget of [{ maxStates: 777 }, { maxDepth: 5 }]) {
      const options = request(ring, { store, budget });
      const [js, wasm] = [
        await searchLocally(ring, options, { sizes: SMALL_SIZES }),
        await searchLocally(ring, { ...options, usesStep: true }, { sizes: SMALL_SIZES }),
      ];
      expect([wasm.stop, figures(wasm), wasm.stats.backend]).toEqual([js.stop, figures(js), "webassembly"]);
    }
  });
});

test(
  "partial order: the same states, and the same candidates are rejected",
  { timeout: 240_000 },
  async () => {
    const model = plain(
      load(`chan c = [2] of { byte }; byte done;
active [2] proctype S() { byte k; do :: k < 3 -> c!k; k++ :: else -> done++; break od }
active proctype R() { byte x; do :: c?x -> x = x + 1; x = x * 2 :: done == 2 && empty(c) -> break od; assert(x != 8) }
active proctype spinner() { byte k; do :: k = 1 - k od }`),
    );
    let rejected = 0;
    for (const proviso of ["queue", "none"] as const)
      for (const sizes of SIZES) {
        const options = request(model, { proviso });
        expect(await compareWorkers(model, options, sizes, searchLocally)).toBe("webassembly");
        const { stats } = await threads.search(model, { ...options, usesStep: true }, { sizes });
        expect(stats.backend).toBe("webassembly");
        rejected += stats.partialOrder!.rejected;
      }
    expect(rejected).toBeGreaterThan(0);
  },
);

describe("a model that is wrapped", () => {
  const wrapped = (model: Model): Model => ({
    ...model,
    system: Object.create(model.system, { successors: { value: () => undefined } }) as Model["system"],
  });
  const options = request(ring, { usesStep: true, checksDeadlock: false, invariants: [] });

  test("in the coordinating thread alone is searched as the workers make it, as JavaScript", async () => {
    const found = await searchLocally(wrapped(ring), options, { sizes: SMALL_SIZES });
    expect(found.stats.backend).toBe("javascript");
  });

  test("by the workers is not searched by its step code", async () => {
    const make = (...given: Parameters<typeof compileRecipe>) => wrapped(compileRecipe(...given));
    const found = await searchLocally(ring, options, { sizes: SMALL_SIZES }, make);
    expect([found.stats.backend, found.stats.states]).toEqual(["javascript", 1]);
  });
});

test("an array that other threads still read is not handed out again before it is released", () => {
  const memory = StepMemory.create(64)!;
  const ledger = new Ledger(Infinity, undefined, memory);
  const [old] = [ledger.allocateShared(1000)!, ledger.allocateShared(10)!];
  old.fill(7);
  ledger.retire(old);
  expect(ledger.bytes).toBe(40);
  ledger.allocateShared(1000);
  expect(old.every((word) => word === 7)).toBe(true);
  ledger.release();
  expect(ledger.allocateShared(1000)!.byteOffset).toBe(old.byteOffset);
});

test("a step with more successors than WebAssembly has room for is taken as JavaScript", async () => {
  const bits = Array.from({ length: 17 }, () => "if :: a = 2 * a :: a = 2 * a + 1 fi").join("; ");
  const wide = modelOf(`int a; active proctype P() { atomic { ${bits} }; a = 0 }`)!;
  const one = await search(wide, request(wide));
  expect(one.stats.states).toBeGreaterThan(2 ** 17);
  for (const [stepPages, backend] of [
    [150, "javascript"],
    [4000, "webassembly"],
  ] as const) {
    const options = request(wide, { usesStep: true, storeSizes: { stepPages } });
    const found = await searchLocally(wide, options, { sizes: SMALL_SIZES });
    expect([seen(found), found.stats.backend]).toEqual([seen(one), backend]);
  }
});
