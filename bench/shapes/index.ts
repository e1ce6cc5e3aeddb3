/**
 * Promela models of the shapes on which the engine is measured, generated here in any size: wide states, dozens of processes, many rendezvous
 * channels, branching atomic sequences, large arrays, discrete clocks. None has an assertion that fails.
 *
 * Scale 1 is for tests (seconds at most); at scale 3 pan takes more than a second of processor time on each; 4 is several times that.
 */
import { crowd, layers } from "./processes.js";
import { fieldBus, timers, transfers, warehouse } from "./data.js";

export interface Shape {
  readonly name: string;
  readonly text: string;
}

export const SCALES = [1, 2, 3, 4] as const;

/** One model of each shape. */
export function shapesOf(scale: number): readonly Shape[] {
  const at = <T>(sizes: readonly [T, T, T, T]): T => {
    const size = sizes[scale - 1];
    if (size === undefined) throw new Error(`--scale must be between 1 and ${SCALES.length}`);
    return size;
  };
  const shape = (name: string, sizes: readonly [Size, Size, Size, Size], make: Generator): Shape => {
    const size = at(sizes);
    return { name: `${name}-${size.join("-")}`, text: make(...size).trimStart() };
  };
  return [
    shape(
      "field-bus",
      [
        [3, 8],
        [4, 8],
        [5, 12],
        [6, 12],
      ],
      (n, d) => fieldBus(n!, d!),
    ),
    shape(
      "crowd",
      [
        [6, 2],
        [16, 2],
        [36, 2],
        [60, 2],
      ],
      (n, k) => crowd(n!, k!),
    ),
    shape(
      "layers",
      [
        [1, 1],
        [2, 0],
        [2, 8],
        [2, 16],
      ],
      (n, retries) => layers(n!, retries!),
    ),
    shape(
      "transfers",
      [
        [2, 3, 3],
        [3, 4, 4],
        [3, 5, 5],
        [4, 5, 4],
      ],
      (n, a, c) => transfers(n!, a!, c!),
    ),
    shape(
      "warehouse",
      [
        [5, 1],
        [6, 3],
        [8, 3],
        [9, 4],
      ],
      (side, crates) => warehouse(side!, crates!),
    ),
    shape(
      "timers",
      [
        [3, 3],
        [5, 3],
        [5, 5],
        [6, 4],
      ],
      (n, most) => timers(n!, most!),
    ),
  ];
}

type Size = readonly number[];
type Generator = (...size: readonly number[]) => string;
