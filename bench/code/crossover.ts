/**
 * Compares incremental and full hashing of a growing heap, by share of changed objects; plots
 * `docs/images/incremental-hashing.svg`.
 */
import { writeFileSync } from "node:fs";
import type { LiveHeap, Snapshot } from "../../src/code/heap/index.js";
import { crossing, drawCurves, type Point } from "./plot.js";
import type { Results } from "./table.js";

/** Number of objects written between two captures. */
const shares: readonly { readonly name: string; of(size: number): number }[] = [
  { name: "one object", of: () => 1 },
  { name: "1 %", of: (size) => Math.ceil(size / 100) },
  { name: "5 %", of: (size) => Math.ceil(size / 20) },
  { name: "50 %", of: (size) => Math.ceil(size / 2) },
];

const sizes = [10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000];

/** Kinds of objects: records of a few fields, and buffers of 2 KB. */
const kinds: readonly Kind[] = [
  {
    name: "records",
    make: (i) => ({ value: i, name: `object ${i % 50}` }),
    change: (record) => void (record as { value: number }).value++,
    most: 100_000,
  },
  {
    name: "buffers of 2 KB",
    make: (i) => new Uint8Array(2048).fill(i),
    change: (buffer) => void (buffer as Uint8Array)[7]!++,
    most: 10_000,
  },
];

interface Kind {
  readonly name: string;
  make(index: number): object;
  change(object: object): void;
  readonly most: number;
}

export interface Heaps {
  heapOf(root: unknown, hash: "incremental" | "full"): LiveHeap;
  taken(heap: LiveHeap): Snapshot;
}

export function crossover(results: Results, heaps: Heaps, picture: string | undefined): void {
  for (const kind of kinds) {
    results.heading(`incremental against full hashing: ${kind.name}, median ms per capture`);
    const points = sizes.filter((size) => size <= kind.most).map((size) => measured(kind, size, heaps));
    for (const { size, values } of points) {
      const [full, ...rest] = values as [number, ...number[]];
      const parts = rest.map((ms, i) => `${shares[i]!.name} ${ms.toFixed(3)} (${(full / ms).toFixed(1)})`);
      results.figure(`${size} objects`, `full ${full.toFixed(3)}; incremental ${parts.join(", ")}`);
    }
    shares.forEach(({ name }, i) => {
      const from = crossing(
        points.map(({ size, values }) => ({ size, values: [values[i + 1]!, values[0]!] })),
      );
      results.figure(
        `${name} changed: incremental is faster`,
        from === undefined ? "nowhere" : `from about ${from.toFixed(0)} objects on`,
      );
    });
    if (picture !== undefined && kind === kinds[0]) writeFileSync(picture, drawCurves(curves, points));
  }
}

const curves = ["full hashing, one object", ...shares.map(({ name }) => `incremental, ${name}`)];

/**
 * Full hashing with one change, then incremental hashing for each share; interleaved, since the machine may be busy.
 */
function measured(kind: Kind, size: number, { heapOf, taken }: Heaps): Point {
  const steps = Math.max(9, Math.min(300, Math.floor(60_000 / size)));
  const runs = [
    { hash: "full" as const, changed: 1 },
    ...shares.map(({ of }) => ({ hash: "incremental" as const, changed: of(size) })),
  ].map(({ hash, changed }) => {
    const list = Array.from({ length: size }, (_, i) => kind.make(i));
    return { list, changed, heap: heapOf({ list }, hash), times: [] as number[] };
  });
  for (let step = -2; step < steps; step++)
    for (const { list, changed, heap, times } of runs) {
      for (let i = 0; i < changed; i++)
        kind.change(list[((step + 2) * 7 + Math.floor((i * size) / changed)) % size]!);
      const started = performance.now();
      taken(heap);
      if (step >= 0) times.push(performance.now() - started);
    }
  const values = runs.map(({ times }) => times.sort((a, b) => a - b)[Math.floor(steps / 2)]!);
  return { size, values };
}
