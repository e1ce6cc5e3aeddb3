/** The visited states that are not in memory, in sorted runs: few enough of them that a lookup asks few files. */
import type { Words } from "../../../model/index.js";
import type { Checkpoint, Folder } from "./folder.js";
import type { Recent } from "./recent.js";
import { RunWriter, SortedRun, mergeRuns } from "./sorted-run.js";

export class Visits {
  /** States with ids up to this are in memory for good or in a run. */
  sorted = 0;
  readonly #folder: Folder;
  readonly #compareFrom: number;
  readonly #runs: SortedRun[];
  #obsolete: string[] = [];
  #lastNumber: number;

  constructor(folder: Folder, runs: Checkpoint["runs"], compareFrom: number) {
    this.#folder = folder;
    this.#compareFrom = compareFrom;
    this.#runs = runs.map((entry) => new SortedRun(folder, entry, compareFrom));
    this.sorted = folder.manifest.checkpoint?.sorted ?? 0;
    this.#lastNumber = Math.max(0, ...runs.map(({ name }) => Number(name.split("-")[1])));
  }

  get entries(): Checkpoint["runs"] {
    return this.#runs.map((run) => run.entry);
  }

  get names(): string[] {
    return this.#runs.map((run) => run.name);
  }

  has(hash: number, words: Words, at: number, width: number): boolean {
    // sound: test/engines/disk/runs.test.ts
    for (const run of this.#runs) if (run.has(hash, words, at, width)) return true;
    return false;
  }

  /** Moves the new states of `recent` into a run; with them all up to id `sorted` are in memory or in one. */
  add(recent: Recent, width: number, sorted: number): void {
    const writer = new RunWriter(this.#folder, this.#newName(), width);
    recent.drain((hash, words, at, stride) => writer.add(hash, words, at, stride));
    this.#runs.push(writer.finish(this.#compareFrom));
    this.sorted = Math.max(this.sorted, sorted);
    // As in a binary counter: every state is merged a logarithmic number of times.
    while (this.#runs.length > 1 && this.#runs.at(-2)!.count < 2 * this.#runs.at(-1)!.count)
      this.#mergeLast();
  }

  /** Names of runs that were merged away: to be removed when no manifest names them any more. */
  takeObsolete(): string[] {
    const names = this.#obsolete;
    this.#obsolete = [];
    return names;
  }

  close(): void {
    for (const run of this.#runs) run.close();
  }

  #mergeLast(): void {
    const [a, b] = this.#runs.slice(-2) as [SortedRun, SortedRun];
    const merged = mergeRuns(this.#folder, this.#newName(), a, b, this.#compareFrom);
    this.#runs.splice(-2, 2, merged);
    for (const run of [a, b]) {
      run.close();
      this.#obsolete.push(run.name);
    }
  }

  #newName(): string {
    return `run-${++this.#lastNumber}`;
  }
}
