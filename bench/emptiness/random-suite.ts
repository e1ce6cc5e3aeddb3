/**
 * Random systems with random or collected formulas (tables 1 and 4 of the paper): the cost of each emptiness check on the
 * products that have an accepting run, relative to the product's size.
 *
 * The generators follow the paper's description, not its code: expect the shape of its tables, not their decimals.
 */
import { refusal, type EmptinessAlgorithm } from "../../src/engines/explicit/emptiness/index.js";
import { checkGraph } from "./check-graph.js";
import type { Automaton } from "../../src/model/index.js";
import { randomNumbers } from "../../test/engines/emptiness/graphs.js";
import { automatonOf } from "./formulas.js";
import { product, sizeOf, type SystemGraph } from "./products.js";

export interface SuiteOptions {
  readonly density: number;
  readonly formulas: readonly string[];
  /** Systems per formula. */
  readonly systems: number;
  /** Conditions of the systems. */
  readonly fairConditions: number;
  readonly seed: number;
  readonly algorithms: readonly EmptinessAlgorithm[];
}

/** Means in percent of the product's states, transitions, states, states and states. */
export interface SuiteRow {
  readonly algorithm: EmptinessAlgorithm;
  readonly products: number;
  readonly states: number;
  readonly transitions: number;
  readonly stack: number;
  readonly cycleStatesVisited: number;
  readonly searchSpace: number;
}

export function runSuite(options: SuiteOptions): SuiteRow[] {
  const random = randomNumbers(options.seed);
  const sums = new Map(options.algorithms.map((algorithm) => [algorithm, new Sum()]));
  for (const text of options.formulas) {
    const automaton = automatonOf(text);
    for (let i = 0; i < options.systems; i++) {
      const system = randomSystem(
        random,
        options.density,
        options.fairConditions,
        automaton.propositions.length,
      );
      addProduct(sums, system, automaton, options.fairConditions);
    }
  }
  return [...sums].map(([algorithm, sum]) => sum.row(algorithm));
}

function addProduct(
  sums: ReadonlyMap<EmptinessAlgorithm, Sum>,
  system: SystemGraph,
  automaton: Automaton,
  systemConditions: number,
): void {
  const make = () => product(system, automaton, { systemConditions, edges: "fewer marks first" });
  if (checkGraph(make(), "cou99").isEmpty) return;
  const size = sizeOf(make());
  for (const [algorithm, sum] of sums) {
    if (refusal(algorithm, systemConditions + automaton.conditions, false) !== undefined) continue;
    const result = checkGraph(make(), algorithm);
    if (result.isEmpty) throw new Error(`${algorithm} finds no run in a product that has one`);
    const run = result.construct();
    sum.add([
      result.states / size.states,
      result.transitions / size.transitions,
      result.stack / size.states,
      run.cycleStatesVisited / size.states,
      run.searchSpace / size.states,
    ]);
  }
}

class Sum {
  #count = 0;
  readonly #totals = [0, 0, 0, 0, 0];

  add(values: readonly number[]): void {
    this.#count++;
    for (const [i, value] of values.entries()) this.#totals[i] += 100 * value;
  }

  row(algorithm: EmptinessAlgorithm): SuiteRow {
    const [states, transitions, stack, cycleStatesVisited, searchSpace] = this.#totals.map(
      (total) => total / this.#count,
    );
    return { algorithm, products: this.#count, states, transitions, stack, cycleStatesVisited, searchSpace };
  }
}

const STATES = 1024;
const CONDITION_PROBABILITY = 0.0133333;

/** All 1024 states are reachable; propositions hold with probability 1/2. */
export function randomSystem(
  random: () => number,
  density: number,
  conditions: number,
  propositions: number,
): SystemGraph {
  const below = (limit: number): number => Math.floor(random() * limit);
  const mask = (bits: number, probability: number): number => {
    let bitsSet = 0;
    for (let i = 0; i < bits; i++) if (random() < probability) bitsSet |= 1 << i;
    return bitsSet;
  };
  const unreached = new Unreached(STATES);
  unreached.delete(0);
  const successors = new Map<number, number[]>();
  // Expands the reached state with the smallest number next.
  const isWaiting = new Uint8Array(STATES);
  isWaiting[0] = 1;
  for (let state = 0; state >= 0; state = isWaiting.indexOf(1)) {
    isWaiting[state] = 0;
    const chosen = new Set<number>();
    const degree = Math.min(STATES, outDegree(random, density));
    let isReaching = false;
    while (chosen.size < degree) {
      const mustReach = chosen.size === degree - 1 && !isReaching && unreached.size > 0;
      const target = mustReach ? unreached.at(below(unreached.size)) : below(STATES);
      if (chosen.has(target)) continue;
      chosen.add(target);
      if (!unreached.delete(target)) continue;
      isReaching = true;
      isWaiting[target] = 1;
    }
    successors.set(state, [...chosen]);
  }
  const lists = Array.from({ length: STATES }, (_, state) => successors.get(state) ?? []);
  const targets = lists.flat();
  const firsts = [0];
  for (const list of lists) firsts.push(firsts[firsts.length - 1] + list.length);
  return {
    states: STATES,
    transitions: targets.length,
    firsts: Int32Array.from(firsts),
    targets: Int32Array.from(targets),
    labels: Int32Array.from(targets, () => mask(conditions, CONDITION_PROBABILITY)),
    valuations: Int32Array.from(lists, () => mask(propositions, 0.5)),
  };
}

/** Numbers below `size`, one of which can be drawn at random. */
class Unreached {
  size: number;
  readonly #numbers: Int32Array;
  readonly #places: Int32Array;

  constructor(size: number) {
    this.size = size;
    this.#numbers = Int32Array.from({ length: size }, (_, i) => i);
    this.#places = this.#numbers.slice();
  }

  at(index: number): number {
    return this.#numbers[index];
  }

  /** False if the number was absent. */
  delete(number: number): boolean {
    const place = this.#places[number];
    if (place >= this.size) return false;
    const last = this.#numbers[--this.size];
    this.#numbers[place] = last;
    this.#places[last] = place;
    this.#numbers[this.size] = number;
    this.#places[number] = this.size;
    return true;
  }
}

/** Normal with mean `1 + 1023 d` and variance `1023 d (1 - d)`, at least 1. */
function outDegree(random: () => number, density: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const others = STATES - 1;
  return Math.max(1, Math.round(1 + others * density + normal * Math.sqrt(others * density * (1 - density))));
}
