/** Maps positions in a bundle to positions in the user's files. */
import { SourceMap } from "node:module";
import { resolve } from "node:path";

export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

interface Mapping {
  readonly generatedLine: number;
  readonly generatedColumn: number;
  readonly originalSource: string;
  readonly originalLine: number;
  readonly originalColumn: number;
}

export class SourceMapped {
  readonly #map: SourceMap;
  readonly #directory: string;

  /** `directory`: base of the names in the map. */
  constructor(map: string, directory: string) {
    this.#map = new SourceMap(JSON.parse(map) as ConstructorParameters<typeof SourceMap>[0]);
    this.#directory = directory;
  }

  /** Lines and columns count from 1, as in stacks. */
  place(line: number, column: number): Place | undefined {
    return this.#placeOf(this.#map.findEntry(line - 1, column - 1) as Partial<Mapping>);
  }

  /** The first mapped position on the line between the two columns. */
  firstPlace(line: number, column: number, end: number): Place | undefined {
    for (let at = column; at < end; at++) {
      const entry = this.#map.findEntry(line - 1, at - 1) as Partial<Mapping>;
      if (entry.generatedLine === line - 1 && entry.generatedColumn! >= column - 1)
        return this.#placeOf(entry);
    }
    return undefined;
  }

  #placeOf(entry: Partial<Mapping>): Place | undefined {
    if (entry.originalSource === undefined || entry.originalLine === undefined) return undefined;
    const file = resolve(this.#directory, entry.originalSource.replace(/^file:\/\//, ""));
    return { file, line: entry.originalLine + 1, column: (entry.originalColumn ?? 0) + 1 };
  }
}
