/**
 * Expected number of states that a lossy store has omitted, and the probability that it omitted none.
 *
 * Bitstate after Dillinger and Manolios (2004), hash compaction after Stern and Dill (1995). Every formula is about *hash*
 * omissions: new states that counted as visited. States reachable only through those are missed as well, so a report judges
 * the estimate by the number of ways into a state (`reliability`).
 */

export interface Bitstate {
  readonly kind: "bitstate";
  /** m */
  readonly bits: number;
  /** k */
  readonly functions: number;
}

export interface Compact {
  readonly kind: "compact";
  /** t */
  readonly cells: number;
  /** b */
  readonly width: number;
  /** V, different signatures; 2^b - 1 if absent, as 0 is none. */
  readonly values?: number;
}

export type Lossy = Bitstate | Compact;

export interface Omissions {
  readonly expected: number;
  /** That at least one state was omitted. */
  readonly probability: number;
}

/** For `states` different states that are each new once: what to expect before a run. */
export function omissionsAmong(store: Lossy, states: number): Omissions {
  switch (store.kind) {
    case "bitstate":
      return bitstateOmissions(store, states);
    case "compact":
      return compactOmissions(store, states);
  }
}

/** After a run that visited `visited` states: new states that counted as old before and between them. */
export function omissionsBeside(store: Lossy, visited: number): Omissions {
  if (store.kind === "compact") return compactOmissions(store, visited);
  const falsePositive = falsePositives(store);
  const expected = integrate((i) => falsePositive(i) / (1 - falsePositive(i)), visited);
  return { expected, probability: bitstateOmissions(store, visited).probability };
}

function bitstateOmissions(store: Bitstate, states: number): Omissions {
  const falsePositive = falsePositives(store);
  return {
    expected: integrate(falsePositive, states),
    probability: -Math.expm1(integrate((i) => Math.log1p(-falsePositive(i)), states)),
  };
}

/** The probability that a new state is taken as visited when `i` states are stored. */
function falsePositives({ bits, functions }: Bitstate): (i: number) => number {
  const perState = functions * Math.log1p(-1 / bits);
  return (i) => Math.min(1 - 1e-12, (-Math.expm1(perState * i)) ** functions);
}

/** The sum of `f(i)` over 0 ≤ i < n; of many terms by the midpoint rule, which these smooth functions allow. */
function integrate(f: (i: number) => number, n: number): number {
  let sum = 0;
  if (n <= MIDPOINTS) {
    for (let i = 0; i < n; i++) sum += f(i);
    return sum;
  }
  const step = n / MIDPOINTS;
  for (let i = 0; i < MIDPOINTS; i++) sum += f((i + 0.5) * step - 0.5);
  return sum * step;
}

const MIDPOINTS = 4096;

function compactOmissions({ cells, width, values = 2 ** width - 1 }: Compact, states: number): Omissions {
  if (states > cells) return { expected: states - cells, probability: 1 };
  const comparisons = expectedComparisons(states, cells);
  return {
    expected: comparisons / values,
    probability: -Math.expm1(comparisons * Math.log1p(-1 / values)),
  };
}

/** With occupied cells, while `states` states are entered into `cells` cells in any order. */
const expectedComparisons = (states: number, cells: number): number =>
  // One state meets none; rounding makes a negative number of it.
  Math.max(0, (cells + 1) * harmonicDifference(cells + 1, cells - states + 1) - states);

/** H(high) - H(low). */
function harmonicDifference(high: number, low: number): number {
  if (high - low <= 4096) {
    let sum = 0;
    for (let i = low + 1; i <= high; i++) sum += 1 / i;
    return sum;
  }
  return harmonic(high) - harmonic(low);
}

function harmonic(x: number): number {
  if (x > 64) return Math.log(x) + EULER + 1 / (2 * x) - 1 / (12 * x * x);
  let sum = 0;
  for (let i = 1; i <= x; i++) sum += 1 / i;
  return sum;
}

const EULER = 0.5772156649015329;

/**
 * Hash compaction, breadth-first: the probability that one particular state was missed, at any level (Stern and Dill's bound
 * on "even one undetected error"). `levels` are the states of each level.
 */
export function missedState({ cells, width }: Compact, levels: readonly number[]): number {
  const values = 2 ** width;
  let logFound = 0;
  let k = -1;
  for (const states of levels) {
    k += states;
    if (k >= cells) return 1;
    const found =
      1 -
      (2 / values) * harmonicDifference(cells + 1, cells - k) +
      (2 * cells + k * (cells - k)) / (cells * values * (cells - k + 1));
    logFound += Math.log(Math.max(0, Math.min(1, found)));
  }
  return -Math.expm1(logFound);
}

/** The number of bits per state that loses the fewest states of `states`; not the one with the least last rate. */
export function bestFunctions(bits: number, states: number): number {
  const expected = (functions: number): number =>
    integrate(falsePositives({ kind: "bitstate", bits, functions }), states);
  // Nearly 0.7 for each bit of a state; from there downhill, there is one valley.
  let best = Math.max(1, Math.min(MOST_FUNCTIONS, Math.round((0.7 * bits) / Math.max(1, states))));
  let least = expected(best);
  for (const step of [1, -1])
    for (let next = best + step; next >= 1 && next <= MOST_FUNCTIONS; next += step) {
      const there = expected(next);
      if (there >= least) break;
      best = next;
      least = there;
    }
  return best;
}

/** More brings no noticeable gain. */
const MOST_FUNCTIONS = 64;

export type Reliability = "reliable" | "rough" | "lower bound only";

/** By the average number of transitions into a state: the more, the less an omitted state hides. */
export function reliability(transitions: number, visited: number): Reliability {
  const inDegree = visited === 0 ? 0 : transitions / visited;
  if (inDegree >= 4) return "reliable";
  return inDegree >= 2 ? "rough" : "lower bound only";
}
