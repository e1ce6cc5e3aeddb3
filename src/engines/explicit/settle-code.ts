/**
 * Settles the successors that a system offers, as text: faults go to the monitor, and intermediate states (inside an atomic
 * sequence) are run through at once until nominal states come out.
 *
 * Only batches with flagged entries come here. Nominal successors keep the order in which a depth-first
 * walk through the intermediate states finds them. Each intermediate state is expanded once for a source state (and, if labels matter, for
 * each set of labels on the way to it), so that a loop inside an atomic sequence ends. `pending` is the stack of the walk; `inside`
 * holds the intermediate states already run through from one source state.
 *
 * The text is part of loops over states of one width, or, with the variable `width`, runs by itself (`intermediates.ts`).
 */
import { StepTooLong, type Successors } from "../../model/index.js";
import { emitHash, hashMultipliers, lowBits } from "./hash.js";
import type { SafetyMonitor } from "./monitor.js";
import { restride } from "./store.js";
import { emitCopy } from "./store-code.js";
import type { StepBackend } from "./step-backend.js";

/** Receives errors found on the way. */
export interface Witness extends Pick<SafetyMonitor, "fault" | "stuckInside"> {
  /** A run can stay among intermediate states forever. */
  staysInside?(): void;
}

export function settlingBindings(
  backend: StepBackend,
  monitor: Witness,
  width: number,
  nominal: Successors,
): Record<string, unknown> {
  return {
    nominal,
    pending: backend.newList(width),
    inner: backend.newList(width),
    inside: new Inside(backend, monitor, width),
    settledMultipliers: hashMultipliers(width),
  };
}

/** The intermediate states of one source state, as a hash table over a flat list. */
export class Inside {
  count = 0;
  mask = 63;
  table: Int32Array;
  hashes: Int32Array;
  states: Int32Array;
  labels: Int32Array;
  readonly #backend: Pick<StepBackend, "array">;
  readonly #monitor: Witness;
  #width: number;

  constructor(backend: Pick<StepBackend, "array">, monitor: Witness, width: number) {
    this.#backend = backend;
    this.#monitor = monitor;
    this.#width = width;
    this.table = backend.array(64);
    this.hashes = backend.array(32);
    this.states = backend.array(32 * width);
    this.labels = backend.array(32);
  }

  /** Doubles the room. */
  grow(): void {
    limitInside(this.count, this.#width);
    const { hashes, states, labels } = this;
    this.hashes = this.#backend.array(2 * hashes.length);
    this.states = this.#backend.array(2 * states.length);
    this.labels = this.#backend.array(2 * labels.length);
    this.hashes.set(hashes);
    this.states.set(states);
    this.labels.set(labels);
    this.mask = 2 * this.mask + 1;
    this.table = this.#backend.array(this.mask + 1);
    // sound: test/engines/explicit/settling.test.ts
    for (let i = 0; i < this.count; i++) {
      let slot = hashes[i]! & this.mask;
      // sound: test/engines/explicit/settling.test.ts
      while (this.table[slot] !== 0) slot = (slot + 1) & this.mask;
      this.table[slot] = i + 1;
    }
  }

  widen(width: number): void {
    if (width === this.#width) return;
    const states = this.#backend.array(this.hashes.length * width);
    restride(this.states, this.#width, states, width, this.count);
    this.states = states;
    this.#width = width;
  }

  /** The atomic sequence has no way on from the state that was added last. */
  stuck(source: number): void {
    const at = (this.count - 1) * this.#width;
    this.#monitor.stuckInside(source, Int32Array.from(this.states.subarray(at, at + this.#width)));
  }
}

/**
 * The function `settle(ends, sources, firstSource)`: turns entries of `offered` into entries of `nominal`. If labels matter,
 * an entry gets the labels of all steps on the way to it, and an intermediate state is run through once for each label.
 */
export function emitSettle(
  width: number | "width",
  compareFrom: number,
  labelsMatter = false,
  hashBits = 32,
): string {
  const isVariable = width === "width";
  const ifVariable = (text: string): string => (isVariable ? text : "");
  const ifLabels = (text: string): string => (labelsMatter ? text : "");
  return `
function settle(ends, sources, firstSource) {
  nominal.clear();
  let entry = 0;
  for (let i = 0; i < sources; i++) {
    if (inside.count > 0) forgetInside();
    // sound: test/engines/explicit/settling.test.ts
    for (; entry < ends[i]; entry++) {
      const flag = offered.flags[entry];
      // sound: test/engines/explicit/settling.test.ts
      if (flag === 0) keepNominal(offered.words, entry * ${width}${ifLabels(", offered.labels[entry]")});
      else settleEntry(entry, flag, firstSource + i);
    }
    ends[i] = nominal.count;
  }
}
function keepNominal(words, at${ifLabels(", label")}) {
  // sound: test/engines/explicit/settling.test.ts
  if (nominal.count === nominal.capacity) nominal.grow();
  const to = nominal.words, there = nominal.count * ${width};
  ${emitCopy(width, "to", "there", "words", "at")}
  ${ifLabels("const labels = nominal.labels; labels[nominal.count] = label;")}
  nominal.count++;
}
function keepPending(words, at, flag${ifLabels(", label")}) {
  // sound: test/engines/explicit/settling.test.ts
  if (pending.count === pending.capacity) pending.grow();
  const to = pending.words, there = pending.count * ${width};
  ${emitCopy(width, "to", "there", "words", "at")}
  ${ifLabels("const labels = pending.labels; labels[pending.count] = label;")}
  const flags = pending.flags;
  flags[pending.count++] = flag;
}
function settleEntry(entry, first, source) {
  pending.count = 0;
  keepPending(offered.words, entry * ${width}, first${ifLabels(", offered.labels[entry]")});
  // sound: test/engines/explicit/settling.test.ts
  while (pending.count > 0) {
    const top = --pending.count, flag = pending.flags[top], site = (flag >> 2) - 1;
    ${ifLabels("const label = pending.labels[top];")}
    // sound: test/engines/explicit/settling.test.ts
    if (site >= 0) monitor.fault(site, source);
    // sound: test/engines/explicit/settling.test.ts
    if ((flag & 1) !== 0) continue;
    // sound: test/engines/explicit/settling.test.ts
    if ((flag & 2) === 0) keepNominal(pending.words, top * ${width}${ifLabels(", label")});
    else if (addInside(pending.words, top * ${width}${ifLabels(", label")})) expandInside(source${ifLabels(", label")});
    ${ifVariable("else rounds.look(pending.words, top * width);")}
  }
}
/** Puts the successors of the intermediate state added last on the stack. */
function expandInside(source${ifLabels(", label")}) {
  inner.clear();
  system.successors(inside.states, (inside.count - 1) * ${width}, inner);
  ${ifVariable(`// sound: test/engines/explicit/conditions.test.ts
  if (inner.stride !== width) width = wider(inner.stride);`)}
  // sound: test/engines/explicit/settling.test.ts
  if (inner.count === 0) inside.stuck(source);
  // sound: test/engines/explicit/settling.test.ts
  for (let i = inner.count - 1; i >= 0; i--) {
    const flags = inner.flags;
    keepPending(inner.words, i * ${width}, flags[i]${ifLabels(", label | inner.labels[i]")});
  }
}
function addInside(words, at${ifLabels(", label")}) {
  ${
    isVariable
      ? `const hash = hashWords(words, at, width, ${compareFrom});`
      : `const ownMask = ${lowBits(hashBits)}, multipliers = settledMultipliers;
  ${emitHash(width, compareFrom)}`
  }
  if (2 * inside.count >= inside.mask) inside.grow();
  const table = inside.table, mask = inside.mask, hashes = inside.hashes, states = inside.states;
  ${ifLabels("const labels = inside.labels;")}
  let slot = hash & mask;
  // sound: test/engines/explicit/settling.test.ts
  next: for (let known = table[slot]; known !== 0; known = table[slot]) {
    slot = (slot + 1) & mask;
    // sound: test/engines/explicit/settling.test.ts
    if (hashes[known - 1] !== hash) continue;
    ${ifLabels(`// sound: test/engines/emptiness/step-loop.test.ts
    if (labels[known - 1] !== label) continue;`)}
    // sound: test/engines/explicit/settling.test.ts
    for (let k = ${compareFrom}, there = (known - 1) * ${width}; k < ${width}; k++) if (states[there + k] !== words[at + k]) continue next;
    return false;
  }
  const there = inside.count * ${width};
  for (let k = 0; k < ${width}; k++) states[there + k] = words[at + k];
  hashes[inside.count] = hash;
  ${ifLabels("labels[inside.count] = label;")}
  table[slot] = ++inside.count;
  return true;
}
function forgetInside() {
  const table = inside.table, mask = inside.mask, hashes = inside.hashes;
  // sound: test/engines/explicit/settling.test.ts
  for (let i = 0; i < inside.count; i++) {
    let slot = hashes[i] & mask;
    // sound: test/engines/explicit/settling.test.ts
    while (table[slot] !== i + 1) slot = (slot + 1) & mask;
    table[slot] = 0;
  }
  inside.count = 0;
}`;
}

/** Gives up an atomic sequence that may run on forever: budgets are polled between steps only. */
export function limitInside(count: number, width: number): void {
  // sound: test/engines/explicit/leaving.test.ts
  if (count < MOST_INSIDE && count * width < MOST_INSIDE_WORDS) return;
  throw new StepTooLong(
    "step",
    `an atomic sequence has more than ${count.toLocaleString("en")} intermediate states`,
  );
}

const MOST_INSIDE = 2 ** 20;
const MOST_INSIDE_WORDS = 2 ** 24;
