/**
 * The benchmark models: realistic Promela in common styles, generated in the requested size, without errors. States and
 * depth are Spin's for the plain graph (`spin -o1 -o2 -o3`, full depth-first search), and the bench checks them on every
 * run.
 */
import { bakery, filterLock, szymanski } from "./mutual-exclusion.js";
import { leaderElection, slidingWindow, sortingPipe } from "./protocols.js";
import { allocator, cacheCoherence, elevator, philosophers } from "./resources.js";

export interface BenchModel {
  readonly name: string;
  readonly text: string;
  readonly states: number;
  readonly transitions: number;
  /** Depth that pan's depth-first search reaches. */
  readonly depth: number;
}

const model = (
  name: string,
  text: string,
  states: number,
  transitions: number,
  depth: number,
): BenchModel => ({
  name,
  text: text.trimStart(),
  states,
  transitions,
  depth,
});

const reduced = (
  name: string,
  text: string,
  states: number,
  depth: number,
): Omit<BenchModel, "transitions"> => ({ name, text: text.trimStart(), states, depth });

/** One to ten million states. */
export const largeModels: readonly BenchModel[] = [
  model("filter-lock-4", filterLock(4), 3_494_642, 12_874_659, 389_510),
  model("bakery-3-16", bakery(3, 16), 7_775_042, 22_266_123, 672_358),
  model("leader-election-7", leaderElection(7), 2_027_481, 9_084_712, 167),
  model("sliding-window-6-6", slidingWindow(6, 6), 7_762_490, 26_637_441, 254_957),
  model("philosophers-7", philosophers(7), 2_621_312, 16_608_449, 22_491),
  model("cache-coherence-3", cacheCoherence(3), 1_552_710, 4_514_941, 792_667),
  model("elevator-5-2", elevator(5, 2), 1_529_688, 3_723_433, 138_661),
  model("sorting-pipe-7-2", sortingPipe(7, 2), 3_126_807, 19_112_607, 220),
  model("allocator-3-5", allocator(3, 5), 6_014_505, 19_711_252, 480_180),
];

/** Two to five million states under Spin's reduction, one per family. States and depth are pan's with its reduction. */
export const largeWhenReduced: readonly Omit<BenchModel, "transitions">[] = [
  reduced("bakery-3-16", bakery(3, 16), 2_841_390, 379_285),
  reduced("leader-election-8", leaderElection(8), 2_640_386, 178),
  reduced("sliding-window-6-6", slidingWindow(6, 6), 4_620_596, 197_336),
  reduced("philosophers-11", philosophers(11), 3_355_465, 4_071_912),
  reduced("elevator-8-2", elevator(8, 2), 2_717_414, 302_408),
  reduced("sorting-pipe-11-2", sortingPipe(11, 2), 2_906_569, 436),
  reduced("allocator-3-5", allocator(3, 5), 3_005_861, 270_908),
];

/** Ten to forty million states, for the comparison of workers. States and transitions are our single-threaded search's. */
export const hugeModels: readonly Omit<BenchModel, "depth">[] = [
  { name: "philosophers-8", text: philosophers(8).trimStart(), states: 20_971_776, transitions: 151_752_193 },
  {
    name: "leader-election-8",
    text: leaderElection(8).trimStart(),
    states: 19_851_620,
    transitions: 100_757_811,
  },
  { name: "bakery-3-32", text: bakery(3, 32).trimStart(), states: 25_152_002, transitions: 72_396_731 },
];

/** Under a million states, where start-up time counts. */
export const smallModels: readonly BenchModel[] = [
  model("szymanski-3", szymanski(3), 213_339, 602_859, 16_459),
  model("bakery-3-3", bakery(3, 3), 490_598, 1_404_252, 58_704),
  model("sliding-window-4-3", slidingWindow(4, 3), 377_424, 1_150_929, 36_284),
  model("philosophers-6", philosophers(6), 327_744, 1_781_697, 6_144),
  model("elevator-4-2", elevator(4, 2), 525_610, 1_293_499, 58_124),
  model("allocator-3-2", allocator(3, 2), 616_774, 1_820_410, 18_026),
];

/** About a hundred states, to measure start-up. */
export const tinyModel: BenchModel = model("philosophers-2", philosophers(2), 84, 157, 51);
