/** Numbers snapshots: equal states get equal numbers, from 1. */
import { sameState } from "./equal.js";
import type { Snapshot } from "./live-heap.js";
import type { HeapRules } from "./rules.js";
import { nth } from "../../model/known.js";

export class SnapshotTable {
  readonly rules: HeapRules;
  readonly #snapshots: Snapshot[] = [];
  readonly #bySignature = new Map<string, number[]>();

  constructor(rules: HeapRules) {
    this.rules = rules;
  }

  get count(): number {
    return this.#snapshots.length;
  }

  /** The number of a state; stores the snapshot of a new one. */
  intern(snapshot: Snapshot): number {
    const bucket = this.#bySignature.get(snapshot.signature) ?? [];
    const known = bucket.find((number) => sameState(this.at(number), snapshot, this.rules));
    if (known !== undefined) return known; // sound: test/code/heap/conditions.test.ts
    this.#snapshots.push(snapshot);
    bucket.push(this.#snapshots.length);
    this.#bySignature.set(snapshot.signature, bucket);
    return this.#snapshots.length;
  }

  at(number: number): Snapshot {
    return nth(this.#snapshots, number - 1);
  }
}
