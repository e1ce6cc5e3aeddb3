/** Damaged trace files are refused or replayed; none causes an internal error. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { check, firstViolated, readInput, replay, type Input } from "../../src/index.js";
import { parseTraceFile, traceFile, type TraceFile } from "../../src/session/replay/trace-file.js";
import { inRepository } from "../repository.js";

const models = ["examples/models/philosophers.pml", "examples/models/heartbeat.pml"];

async function traceOf(path: string): Promise<{ readonly input: Input; readonly trace: TraceFile }> {
  const input = readInput(inRepository(path));
  if ("code" in input) throw new Error(input.message);
  const report = await check(input);
  return { input, trace: traceFile(report, firstViolated(report)!, {}, input.file) };
}

test("a step without participants is refused", async () => {
  const { trace } = await traceOf(models[0]!);
  const { participants: _, ...rest } = trace.steps[0]!;
  const text = JSON.stringify({ ...trace, steps: [rest, ...trace.steps.slice(1)] });
  expect(parseTraceFile(text)).toEqual({ problem: "its field 'steps' is missing or damaged" });
});

test("random changes anywhere", { timeout: 240_000 }, async () => {
  const traces = await Promise.all(models.map(traceOf));
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(fc.nat(1), fc.nat(10_000), fc.nat(8), async (which, place, how) => {
      const { input, trace } = traces[which]!;
      const changed = changedAt(structuredClone(trace), place, strange[how]);
      const parsed = parseTraceFile(JSON.stringify(changed));
      if ("problem" in parsed) return void refused++;
      const { schedule, options } = parsed;
      const report = await replay(input, { schedule, expected: parsed }, options);
      expect(["failed", "diverged", "passed", "ended", "open"]).toContain(report.outcome);
    }),
    { numRuns: 300 },
  );
  expect(refused).toBeGreaterThan(50);
});

const strange: readonly unknown[] = [undefined, null, 3, -1, "x", "", [], {}, true];

/** Replaces or removes one value, at any depth. */
function changedAt(value: unknown, place: number, by: unknown): unknown {
  const places: (readonly [object, string])[] = [];
  const visit = (at: unknown): void => {
    if (typeof at !== "object" || at === null) return;
    for (const key of Object.keys(at)) {
      places.push([at, key]);
      visit((at as Record<string, unknown>)[key]);
    }
  };
  visit(value);
  const [holder, key] = places[place % places.length]! as [Record<string, unknown>, string];
  if (by === undefined) delete holder[key];
  else holder[key] = by;
  return value;
}
