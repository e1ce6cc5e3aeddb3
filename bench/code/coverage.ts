/** Which places of a system's code were run, by V8's own counts, over any number of checks in this process. */
import { Session } from "node:inspector";
import { bundleName, bundleSystem, type SystemSource } from "../../src/code/system/source.js";

export interface FileCoverage {
  /** `line:column` of code in the user's file. */
  readonly places: Set<string>;
  readonly covered: Set<string>;
}

export type Covered = ReadonlyMap<string, FileCoverage>;

export class Coverage {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post("Profiler.enable");
  }

  /** What is run from now on counts. */
  start(): void {
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /** By file, relative to the folder; `start` has to come first again. */
  async stop(file: string, directory: string): Promise<Covered> {
    const counted: boolean[][] = [];
    this.#session.post("Profiler.takePreciseCoverage", (error, answer) => {
      if (error) throw error;
      for (const { url, functions } of answer.result)
        if (url === bundleName) counted.push(offsetsOf(functions));
    });
    this.#session.post("Profiler.stopPreciseCoverage");
    const source = await bundleSystem(file, directory, {});
    if (!("text" in source)) throw new Error(`${file} cannot be loaded`);
    return placesOf(source, counted);
  }
}

/** Both together. */
export function union(parts: readonly Covered[]): Covered {
  const all = new Map<string, FileCoverage>();
  for (const part of parts)
    for (const [name, { places, covered }] of part) {
      const sum = all.get(name) ?? { places: new Set<string>(), covered: new Set<string>() };
      places.forEach((place) => sum.places.add(place));
      covered.forEach((place) => sum.covered.add(place));
      all.set(name, sum);
    }
  return all;
}

/** In percent, over files that the name fits. */
export function percent(covered: Covered, fits: (name: string) => boolean): number {
  const files = [...covered].filter(([name]) => fits(name)).map(([, file]) => file);
  const sum = (of: (file: FileCoverage) => number): number => files.reduce((n, file) => n + of(file), 0);
  return (
    (100 * sum(({ covered: run }) => run.size)) /
    Math.max(
      1,
      sum(({ places }) => places.size),
    )
  );
}

/** Lines with code of which nothing was run. */
export function unexecutedLines(covered: Covered, name: string): number[] {
  const { places, covered: run } = covered.get(name) ?? { places: new Set(), covered: new Set() };
  const lineOf = (place: string): number => Number(place.split(":")[0]);
  const executed = new Set([...run].map(lineOf));
  return [...new Set([...places].map(lineOf))].filter((line) => !executed.has(line)).sort((a, b) => a - b);
}

interface FunctionCoverage {
  readonly ranges: readonly {
    readonly startOffset: number;
    readonly endOffset: number;
    readonly count: number;
  }[];
}

/** For each offset, was it run? Inner ranges come after those around them, functions inside others too. */
function offsetsOf(functions: readonly FunctionCoverage[]): boolean[] {
  const ranges = functions.flatMap((each) => each.ranges);
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const run: boolean[] = [];
  for (const { startOffset, endOffset, count } of ranges)
    for (let i = startOffset; i < endOffset; i++) run[i] = count > 0;
  return run;
}

function placesOf({ text, map, directory }: SystemSource, counted: readonly boolean[][]): Covered {
  const all = new Map<string, FileCoverage>();
  let line = 1;
  let column = 1;
  for (let offset = 0; offset < text.length; offset++) {
    const place = /\S/.test(text[offset]!) ? map.place(line, column) : undefined;
    if (place?.file.startsWith(directory)) {
      const name = place.file.slice(directory.length + 1);
      const file = all.get(name) ?? { places: new Set<string>(), covered: new Set<string>() };
      const key = `${place.line}:${place.column}`;
      file.places.add(key);
      if (counted.some((run) => run[offset])) file.covered.add(key);
      all.set(name, file);
    }
    if (text[offset] === "\n") {
      line++;
      column = 1;
    } else column++;
  }
  return all;
}
