/** Exact stores: no state is lost and no two are taken for one, each condition by itself; quick, for mutation testing. */
import { describe, expect, test } from "vitest";
import { Successors, type Words } from "../../../src/model/index.js";
import { emitEnterList, emitExpand } from "../../../src/engines/explicit/batch.js";
import {
  ALL_OWN,
  SOME_OWN,
  emitHash,
  hashMultipliers,
  hashWords,
} from "../../../src/engines/explicit/hash.js";
import { Ledger } from "../../../src/engines/explicit/ledger.js";
import type { Visited } from "../../../src/engines/explicit/loop-code.js";
import { ExactStore } from "../../../src/engines/explicit/store.js";
import { instantiate } from "../../../src/engines/explicit/store-code.js";
import { TreeStore } from "../../../src/engines/explicit/tree-store.js";
import { pairOfHash, statesOfOneHash } from "./collisions.js";

const flat = (width: number, ledger = new Ledger(), more: { homingBits?: number } = {}): ExactStore =>
  new ExactStore(
    { width, compareFrom: 0, keepsParents: true, maxStates: Infinity, chunkBits: 5, ...more },
    ledger,
  );
const tree = (width: number, ledger = new Ledger(), keepsLog = true): TreeStore =>
  new TreeStore({ width, keepsLog, maxStates: Infinity, chunkBits: 5 }, ledger);

type State = readonly number[] | Words;

interface Loops {
  expandStates(head: number, end: number): number;
  enter(words: Int32Array, from: number, length: number, isNoted: boolean): number;
}

/** Breadth-first loops of a store, with a system whose successors are given. */
class Entering {
  readonly store: Visited;
  /** The states in order of discovery, without zeros at the end. */
  readonly known: Set<string>;
  readonly #offered: Successors;
  readonly #loops: Loops;
  #next: readonly State[] = [];
  /** By state expanded together, from 1 on: the end of its successors. */
  readonly ends = new Int32Array(8).fill(1 << 30);

  /** `known`: of a store in which there are states. */
  constructor(store: Visited, known = new Set<string>()) {
    this.store = store;
    this.known = known;
    this.#offered = new Successors(store.width);
    const first = new Int32Array(store.width).fill(-5);
    if (store.count === 0) {
      expect(store.enter(first)).toBeDefined();
      this.known.add(key(first));
    }
    const code = store.code();
    const text = `${code.head}
let unused = 0;
${emitExpand({ ...code, load: code.loadNumbered }, store.width, false)}
function enter(words, from, length, isNoted) {
  const head = 1;
  ${emitEnterList(code, { isNoted: "isNoted", whenFull: "break;", step: "i" })}
}
return { expandStates, enter };`;
    const system = {
      successors: (from: Words, at: number, out: Successors): void => {
        this.expanded = [...from.subarray(at, at + store.width)];
        for (const state of this.#next) write(out, state);
      },
    };
    const bindings = {
      ...code.bindings,
      store,
      system,
      offered: this.#offered,
      ends: this.ends,
    };
    this.#loops = instantiate("conditions", bindings, text);
  }

  /** The state that was expanded last, as the system saw it. */
  expanded: number[] = [];

  /** Enters a list, given or made by the expansion of state `from`. */
  enter(states: readonly State[], from = 0): void {
    this.#next = states;
    this.#offered.clear();
    if (from > 0) this.#loops.expandStates(from, from + 1);
    else for (const state of states) write(this.#offered, state);
    for (let done = 0; done < states.length;) {
      done = this.#loops.enter(this.#offered.words, done, states.length, from > 0);
      if (done < 0) throw new Error("no memory");
      if (done < states.length) expect(this.store.grow()).toBe("grown");
    }
    for (const state of states) this.known.add(key(state));
  }

  /** Every entry is there, once and in order, and is found again. */
  verify(): void {
    const { store, known } = this;
    expect(store.count).toBe(known.size);
    const states = [...known].map((_, i) => store.numbered(i + 1, store.width));
    expect(states.map(key)).toEqual([...known]);
    for (let i = 0; i < states.length; i += 100) this.enter(states.slice(i, i + 100));
    expect(store.count).toBe(known.size);
  }
}

function write(out: Successors, state: State): void {
  if (out.count === out.capacity) out.grow();
  out.words.fill(0, out.count * out.stride, (out.count + 1) * out.stride);
  out.words.set(state, out.count * out.stride);
  out.flags[out.count++] = 0;
}

const key = (state: State): string => {
  const words = [...state];
  while (words.at(-1) === 0) words.pop();
  return words.join();
};

const numbered = (count: number, width: number, of = (i: number) => i): number[][] =>
  Array.from({ length: count }, (_, i) =>
    Array.from({ length: width }, (_, k) => (k === 0 ? of(i) >> 4 : k === width - 1 ? of(i) & 15 : k)),
  );

describe.each([
  ["flat", flat],
  ["flat, every bit needed", (width: number) => flat(width, undefined, { homingBits: 10 })],
  ["tree", tree],
] as const)("%s", (_, storeOf) => {
  test.each([1, 2, 3, 5, 26])("%i words: tables grow, and everything stays", (width) => {
    const entering = new Entering(storeOf(width));
    const count = width === 3 ? 4000 : 1300;
    const states = numbered(count, width, (i) => (width === 1 ? 16 * i : i));
    for (let i = 0; i < count; i += 250)
      entering.enter([...states.slice(i, i + 250), ...states.slice(i, i + 20)]);
    entering.verify();
  });

  test("states of one hash are told apart, and so are those that share a word", () => {
    const entering = new Entering(storeOf(2));
    const same = statesOfOneHash(300);
    entering.enter(same);
    entering.enter(same.map(([a = 0, b = 0]) => [b, a]));
    entering.enter(same.map(([a = 0]) => [a, 0]));
    entering.verify();
    for (const width of [3, 30]) {
      const wide = new Entering(storeOf(width));
      const rest = new Array<number>(width - 2).fill(9);
      wide.enter(same.slice(0, 60).map((words) => [...words, ...rest]));
      wide.verify();
    }
  });

  test("a state has the hash of one that was narrower, and of one that differs in the last word", () => {
    const store = storeOf(2);
    const same = statesOfOneHash(120);
    const narrow = new Entering(store);
    narrow.enter(same.slice(0, 60));
    expect(store.widen(3)).not.toBeUndefined();
    const wide = new Entering(store, narrow.known);
    wide.enter(same.map(([a = 0, b = 0]) => [a, b, 0]));
    wide.enter(same.slice(0, 60).map(([a = 0, b = 0], i) => [a, b, i % 2]));
    wide.verify();
  });

  test("each state knows from which state it came", () => {
    const entering = new Entering(storeOf(2));
    entering.ends.set([2, 2, 5]);
    entering.enter(numbered(6, 2));
    expect([2, 3, 4, 5, 6, 7].map((id) => entering.store.parent(id))).toEqual([1, 1, 3, 3, 3, 4]);
  });

  test("the state of zeros is one like others, once", () => {
    for (const width of [1, 2, 3]) {
      const entering = new Entering(storeOf(width));
      entering.enter([new Array<number>(width).fill(0)]);
      entering.enter([new Array<number>(width).fill(0), new Array<number>(width).fill(1)]);
      entering.verify();
      expect(entering.store.count).toBe(3);
    }
  });

  test("successors that differ in one word, in each, from the state they come from", () => {
    for (const width of [1, 2, 3, 4, 7]) {
      const entering = new Entering(storeOf(width));
      const base = Array.from({ length: width }, (_, k) => k + 1);
      entering.enter([base, base.map((word) => word + 9)]);
      for (const id of [2, 3, 5, 2]) {
        if (id > entering.known.size) continue;
        const from = [...entering.store.numbered(id, width)];
        const next = from.flatMap((_, k) => [0, 1, 50 + id].map((value) => from.with(k, value)));
        entering.enter([from, ...next], id);
        expect(entering.expanded).toEqual(from);
      }
      entering.verify();
    }
  });

  test("states get wider while there are some of every width", () => {
    const store = storeOf(1);
    let entering = new Entering(store);
    entering.enter([[0], ...numbered(50, 1, (i) => 16 * i)]);
    for (let width = 2; width <= 6; width++) {
      expect(store.widen(width)).not.toBeUndefined();
      entering = new Entering(store, entering.known);
      entering.enter(numbered(60, width));
      entering.verify();
      for (let id = 1; id <= store.count; id++) {
        entering.enter([], id);
        expect(entering.expanded).toEqual([...store.numbered(id, width)]);
      }
    }
  });
});

describe("nodes of a tree", () => {
  // The second and the third hash alike but for their places; the first is in the place of the third.
  const pairs = [pairOfHash(1, 40), pairOfHash(2, 41), pairOfHash(2, 40)];
  const [, right] = pairOfHash(3, 50);
  const others = Array.from({ length: 1500 }, (_, i) => [i + 4, right, 0, 0]);

  test("that share a part are told apart, however they were entered", () => {
    const states = [...pairs.map((pair) => [...pair, 5, 6]), ...others];
    for (const keepsLog of [true, false]) {
      const store = tree(4, undefined, keepsLog);
      const entering = new Entering(store);
      for (let i = 0; i < states.length; i += 300) entering.enter(states.slice(i, i + 300));
      for (let i = 0; i < states.length; i += 300) entering.enter(states.slice(i, i + 300));
      expect(store.count).toBe(states.length + 1);
      if (keepsLog) entering.verify();
    }
    const single = tree(4);
    for (const [i, state] of states.entries()) {
      expect(single.insert(single.root(Int32Array.from(state), 0)!)).toBe(1);
      expect([...single.numbered(i + 1, 4)]).toEqual(state);
    }
  });
});

describe("roots at the end of a tree's set", () => {
  // With 4096 places each has 2^20 hashes. The word -5 is the first node.
  const last = (count: number, spacing: number): (readonly [number, number])[] =>
    Array.from({ length: count }, (_, i) => [-5, pairOfHash(1, -1 - i * spacing)[1]]);
  const small = (): TreeStore => tree(2, new Ledger(1 << 24));

  test.each([1, 2, 1100])("%i that want the last places go on at the first ones", (count) => {
    const entering = new Entering(small());
    const pairs = last(count, 100);
    for (let i = 0; i < count; i += 200) entering.enter(pairs.slice(i, i + 200));
    entering.verify();
    const single = small();
    for (const pair of pairs) expect(single.insert(single.root(Int32Array.from(pair), 0)!)).toBe(1);
    for (const pair of pairs) expect(single.insert(single.root(Int32Array.from(pair), 0)!)).toBe(0);
    expect(single.count).toBe(pairs.length);
  });

  test("a set that is made larger keeps its states, wherever they stood", () => {
    const store = small();
    const pairs = [...last(900, 1), ...Array.from({ length: 900 }, (_, i) => [-5, i] as const)];
    for (const pair of pairs) expect(store.insert(store.root(Int32Array.from(pair), 0)!)).toBe(1);
    for (let i = 0; i < 3; i++) expect(store.growSet()).toBe(true);
    for (const pair of pairs) expect(store.insert(store.root(Int32Array.from(pair), 0)!)).toBe(0);
  });
});

/** Claims to have memory for everything, but refuses arrays beyond a limit of words. */
class Refusing extends Ledger {
  readonly asked: number[] = [];
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override allocate(words: number): Int32Array<ArrayBuffer> | undefined {
    this.asked.push(words);
    return words > this.#most ? undefined : super.allocate(words);
  }
}

describe("the table of the flat store", () => {
  /** Grows from a full table of that size, whose contents are never read. */
  const grownFrom = (size: number) => {
    const ledger = new Refusing(0);
    const store = flat(1, ledger);
    store.table = { length: size, byteLength: 4 * size } as Int32Array;
    store.count = 0.75 * size;
    return { store, ledger, growth: store.grow() };
  };

  test("has at most 2^31 entries: ids are 31 bits", () => {
    expect(grownFrom(2 ** 30).ledger.asked).toContain(2 ** 31);
    expect(grownFrom(2 ** 31).ledger.asked).toEqual([]);
    expect(grownFrom(2 ** 31).growth).toBe("no memory");
  });

  test("needs every bit of a hash when it has more than 2^27 entries", () => {
    expect(grownFrom(2 ** 26).store.ownMask).toBe(SOME_OWN);
    expect(grownFrom(2 ** 27).store.ownMask).toBe(ALL_OWN);
  });

  test("that cannot be had is no larger table", () => {
    const store = flat(1, new Refusing(1500));
    for (let i = 0; i < 768; i++) expect(store.insert(Int32Array.of(i), 0)).toBe(i + 1);
    expect([store.grow(), store.insert(Int32Array.of(768), 0)]).toEqual(["no memory", undefined]);
  });

  test("rebuilt from the states has no entry of a state that is not there", () => {
    const store = flat(2, undefined, { homingBits: 10 });
    const zero = statesOfOneHash(1, 0)[0]!;
    // The state of zeros has the hash of state 737; 736 is the first of its chunk.
    for (let id = 1; id <= 768; id++)
      expect(store.insert(id === 737 ? zero : Int32Array.of(id, 3), 0)).toBe(id);
    expect(store.insert(Int32Array.of(0, 0), 0)).toBe(769);
  });

  test("is made anew where there is no memory for two, and kept where there is none for the larger one", () => {
    // Of 1024 and 2048 words; the states take 8 bytes each.
    for (let budget = 8_000; budget < 26_000; budget += 1000) {
      const ledger = new Ledger(budget);
      const store = new ExactStore(
        { width: 2, compareFrom: 0, keepsParents: false, maxStates: Infinity, chunkBits: 8 },
        ledger,
      );
      let count = 0;
      while (store.insert(Int32Array.of(count, 7), 0) !== undefined) count++;
      for (let i = 0; i < count; i++) expect(store.insert(Int32Array.of(i, 7), 0)).toBe(~(i + 1));
      expect(ledger.bytes).toBe(
        [...store.chunks, store.table].reduce((sum, { byteLength }) => sum + byteLength, 0),
      );
      expect(count > 768).toBe(budget >= 8192 + 4 * 256 * 8);
    }
  });

  test("the first chunk doubles, and keeps what it has", () => {
    const ledger = new Ledger();
    const store = new ExactStore(
      { width: 2, compareFrom: 0, keepsParents: true, maxStates: Infinity, chunkBits: 10 },
      ledger,
    );
    const entering = new Entering(store);
    for (let i = 0; i < 2500; i += 100) entering.enter(numbered(100, 2, (k) => i + k));
    entering.verify();
    expect(store.chunks.length).toBe(3);
    const arrays = [...store.chunks, ...store.parents, store.table];
    expect(ledger.bytes).toBe(arrays.reduce((sum, { byteLength }) => sum + byteLength, 0));
  });

  test("without a word that tells states apart there is one state; without any state it gets wider", () => {
    const hidden = { width: 1, compareFrom: 1, keepsParents: true, maxStates: Infinity };
    const entering = new Entering(new ExactStore(hidden, new Ledger()));
    entering.enter([[1], [2]]);
    expect(entering.store.count).toBe(1);
    const store = flat(1);
    expect(store.widen(2)).toBe("none");
    expect(store.insert(Int32Array.of(1, 2), 0)).toBe(1);
    expect(store.widen(3)).toBe("none");
    for (let i = 0; i < 9; i++) expect(store.insert(Int32Array.of(1, i, i), 0)).toBe(i + 2);
    expect([...store.state(1), ...store.state(5)]).toEqual([1, 2, 0, 1, 3, 3]);
  });

  test("hashes are computed for a list that was not seen, and again when every bit came to be needed", () => {
    const store = flat(1);
    store.grow();
    const code = store.code();
    const text = `return (words, length, isSeen) => {
  ${code.locals}
  ${code.prepare("false", "return [];", "isSeen")}
  return [...hashes.subarray(0, length)];
};`;
    const bindings = { ...code.bindings, store };
    const hashes = instantiate<(words: Words, length: number, isSeen: boolean) => number[]>(
      "hashes",
      bindings,
      text,
    );
    const words = Int32Array.from({ length: 300 }, (_, i) => i + 1);
    for (const isSeen of [false, true, true]) {
      const expected = [...words].map((_, i) => hashWords(words, i, 1, 0, store.ownMask));
      expect(hashes(words, 300, isSeen)).toEqual(expected);
      if (isSeen) store.ownMask = store.ownMask === ALL_OWN ? SOME_OWN : ALL_OWN;
      else
        expect(
          hashes(
            words.map((word) => -word),
            300,
            false,
          ),
        ).not.toEqual(expected);
      if (!isSeen) expect(hashes(words, 300, false)).toEqual(expected);
    }
  });

  test("a hash is that of the state's words alone", () => {
    for (const width of [1, 5, 70]) {
      const words = Int32Array.from({ length: width + 2 }, (_, k) => 3 * k + 1);
      const expected = hashWords(words, 1, width, 0);
      const text = `return (words, at) => { ${emitHash(width, 0)} return hash; };`;
      const bindings = { ownMask: ALL_OWN, multipliers: hashMultipliers(width) };
      const hash = instantiate<(words: Words, at: number) => number>("hash", bindings, text);
      expect(hash(words, 1)).toBe(expected);
      expect(hash(words.slice(1, width + 1), 0)).toBe(expected);
      expect(hashWords(words.slice(1, width + 1), 0, width, 0)).toBe(expected);
      for (let k = 1; k <= width; k++) expect(hash(words.with(k, 0), 1)).not.toBe(expected);
    }
  });
});
