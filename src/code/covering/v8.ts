/**
 * Coverage by V8's counters.
 *
 * Incomplete for code that ran before, or is measured a second time in the same process.
 */
import { Session, type Profiler } from "node:inspector";
import type { Point } from "./points.js";
import { nth } from "../../model/known.js";

export class V8Coverage {
  readonly #session = new Session();

  /** Starts counting code that is compiled and run from now on. */
  constructor() {
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  end(): void {
    this.#session.disconnect();
  }

  /**
   * For each point of the named script, whether it was executed. The same text may have been compiled several times.
   */
  found(name: string, length: number, points: readonly Point[]): readonly boolean[] {
    const scripts: Float64Array[] = [];
    this.#session.post("Profiler.takePreciseCoverage", (error, answer) => {
      if (error) throw error;
      for (const { url, functions } of answer.result)
        if (url === name) scripts.push(countsOf(functions, length));
    });
    const all = scripts.map((counts) => runIn(counts, points));
    return points.map((_, index) => all.some((run) => run[index]));
  }
}

/**
 * V8 sometimes reports code after a `return` as executed if a `?:` intervenes; so preceding points are also required.
 */
function runIn(counts: Float64Array, points: readonly Point[]): boolean[] {
  const run: boolean[] = [];
  for (const point of points)
    run.push(isRun(point, counts) && (point.after === undefined || nth(run, point.after)));
  return run;
}

const isRun = ({ at, unless }: Point, counts: Float64Array): boolean =>
  unless
    ? Math.min(nth(counts, at), nth(counts, unless.condition)) > nth(counts, unless.then)
    : nth(counts, at) > 0;

/** Execution count of each offset. Inner ranges follow enclosing ones, as do nested functions. */
function countsOf(functions: readonly Profiler.FunctionCoverage[], length: number): Float64Array {
  const ranges = functions.flatMap((each) => each.ranges);
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const counts = new Float64Array(length + 1);
  for (const { startOffset, endOffset, count } of ranges) counts.fill(count, startOffset, endOffset);
  return counts;
}
