/**
 * Petri nets of the literature on state storage, unfolded by hand, as systems: distributed database, philosophers with
 * chairs, leader election, mutual exclusion, Peterson's algorithm. The sieve, with unbounded channels, and Murphi's
 * filter lock are separate systems. The bench checks the known numbers of states and arcs.
 */
import type { Model, Successors, System, Undo, Words } from "../src/model/index.js";

/** A number of tokens of a place. */
export type Tokens = readonly (readonly [place: number, count: number])[];

export interface NetTransition {
  readonly consumes: Tokens;
  readonly produces: Tokens;
  /** Disabled while a place has at least these tokens. */
  readonly inhibitedBy?: Tokens;
}

export interface Net {
  readonly name: string;
  readonly initial: readonly number[];
  /** Bits for the tokens of a place: 1, 2, 4, 8 or 16. */
  readonly bits: number;
  /** No transition makes more tokens of a place than this. */
  readonly capacity?: number;
  readonly transitions: readonly NetTransition[];
  /** A dead marking is not an error. */
  readonly mayEnd?: boolean;
}

/** Several places per word; a transition adds a constant to each word. */
export function netSystem(net: Net): System {
  const perWord = 32 / net.bits;
  const mask = net.bits === 32 ? -1 : (1 << net.bits) - 1;
  const width = Math.max(1, Math.ceil(net.initial.length / perWord));
  const wordOf = (place: number): number => Math.floor(place / perWord);
  const shiftOf = (place: number): number => (place % perWord) * net.bits;
  const largest = Math.min(net.capacity ?? Infinity, mask);
  const compiled = net.transitions.map((transition) => {
    const needs = summed(transition.consumes);
    const gives = summed(transition.produces);
    const effect = new Int32Array(width);
    for (const [place, count] of needs) effect[wordOf(place)]! -= count << shiftOf(place);
    for (const [place, count] of gives) effect[wordOf(place)]! += count << shiftOf(place);
    const field = ([place, count]: readonly [number, number]): number[] => [
      wordOf(place),
      shiftOf(place),
      count,
    ];
    // Largest number of tokens before the step that respects the capacity after it.
    const limits = [...gives].flatMap(([place, count]) => {
      const most = largest - count + (needs.get(place) ?? 0);
      return net.bits === 1 && net.capacity === undefined ? [] : [[place, most] as const];
    });
    return {
      needs: Int32Array.from([...needs].flatMap(field)),
      gives: Int32Array.from([...gives].flatMap(field)),
      inhibitors: Int32Array.from((transition.inhibitedBy ?? []).flatMap(field)),
      limits: Int32Array.from(limits.flatMap(field)),
      changed: Int32Array.from([...effect.keys()].filter((k) => effect[k] !== 0)),
      effect,
    };
  });

  function isEnabled(t: number, state: Words, at: number): boolean {
    const { needs, inhibitors, limits } = compiled[t]!;
    for (let i = 0; i < needs.length; i += 3)
      if (((state[at + needs[i]!]! >>> needs[i + 1]!) & mask) < needs[i + 2]!) return false;
    for (let i = 0; i < inhibitors.length; i += 3)
      if (((state[at + inhibitors[i]!]! >>> inhibitors[i + 1]!) & mask) >= inhibitors[i + 2]!) return false;
    for (let i = 0; i < limits.length; i += 3)
      if (((state[at + limits[i]!]! >>> limits[i + 1]!) & mask) > limits[i + 2]!) return false;
    return true;
  }

  const undo: Undo = {
    redo(action, state, at) {
      const { changed, effect } = compiled[action]!;
      for (const k of changed) state[at + k]! += effect[k]!;
    },
    undo(action, state, at) {
      const { gives, changed, effect } = compiled[action]!;
      for (let i = 0; i < gives.length; i += 3)
        if (((state[at + gives[i]!]! >>> gives[i + 1]!) & mask) < gives[i + 2]!) return false;
      for (const k of changed) state[at + k]! -= effect[k]!;
      return true;
    },
  };

  return {
    width,
    compareFrom: 0,
    labels: "actions",
    undo,
    initial(out) {
      out.words.fill(0, 0, width);
      for (const [place, count] of net.initial.entries())
        out.words[wordOf(place)]! += count << shiftOf(place);
      out.flags[out.count++] = 0;
    },
    successors(state, at, out) {
      for (let t = 0; t < compiled.length; t++) {
        if (!isEnabled(t, state, at)) continue;
        const to = copied(state, at, width, out, t);
        const { changed, effect } = compiled[t]!;
        for (let i = 0; i < changed.length; i++) out.words[to + changed[i]!]! += effect[changed[i]!]!;
      }
    },
    status: () => (net.mayEnd ? 1 : 0),
  };
}

/** Appends a copy of the state; returns its position. */
function copied(state: Words, at: number, width: number, out: Successors, action: number): number {
  if (out.count === out.capacity) out.grow();
  const to = out.count * width;
  for (let k = 0; k < width; k++) out.words[to + k] = state[at + k]!;
  out.labels[out.count] = action;
  out.flags[out.count++] = 0;
  return to;
}

function summed(tokens: Tokens): Map<number, number> {
  const sums = new Map<number, number>();
  for (const [place, count] of tokens) sums.set(place, (sums.get(place) ?? 0) + count);
  return sums;
}

/** Numbers places on first use. */
class Places {
  readonly #numbers = new Map<string, number>();
  readonly #initial: number[] = [];

  one(...name: readonly (string | number)[]): readonly [number, number] {
    const key = name.join(" ");
    let number = this.#numbers.get(key);
    if (number === undefined) {
      this.#numbers.set(key, (number = this.#initial.length));
      this.#initial.push(0);
    }
    return [number, 1];
  }

  mark(...name: readonly (string | number)[]): void {
    this.#initial[this.one(...name)[0]]!++;
  }

  get initial(): readonly number[] {
    return this.#initial;
  }
}

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** Jensen's distributed database: a site that updates notifies all others, and waits for their answers. */
export function dbm(n: number): Net {
  const places = new Places();
  const transitions: NetTransition[] = [];
  const sites = range(n);
  for (const s of sites) places.mark("inactive", s);
  places.mark("mutex");
  for (const s of sites)
    transitions.push({
      consumes: [places.one("inactive", s), places.one("mutex")],
      produces: [
        places.one("waiting", s),
        ...sites.filter((r) => r !== s).map((r) => places.one("sent", s, r)),
      ],
    });
  for (const s of sites)
    for (const r of sites.filter((other) => other !== s))
      transitions.push({
        consumes: [places.one("inactive", r), places.one("sent", s, r)],
        produces: [places.one("performing", r), places.one("received", s, r)],
      });
  for (const s of sites)
    for (const r of sites.filter((other) => other !== s))
      transitions.push({
        consumes: [places.one("performing", r), places.one("received", s, r)],
        produces: [places.one("inactive", r), places.one("acks", s, r)],
      });
  for (const s of sites)
    transitions.push({
      consumes: [
        places.one("waiting", s),
        ...sites.filter((r) => r !== s).map((r) => places.one("acks", s, r)),
      ],
      produces: [places.one("inactive", s), places.one("mutex")],
    });
  return { name: `dbm ${n}`, initial: places.initial, bits: 1, transitions };
}

/** Philosophers with one chair fewer than philosophers, which prevents deadlock. */
export function dining(n: number): Net {
  const places = new Places();
  const chair = places.one("chair");
  for (let i = 1; i < n; i++) places.mark("chair");
  for (const i of range(n)) {
    places.mark("thinking", i);
    places.mark("fork", i);
  }
  const transitions = range(n).flatMap((i): NetTransition[] => {
    const [left, right] = [places.one("fork", i), places.one("fork", (i + 1) % n)];
    const [thinking, seated] = [places.one("thinking", i), places.one("seated", i)];
    const [withLeft, eating] = [places.one("with left", i), places.one("eating", i)];
    return [
      { consumes: [thinking, chair], produces: [seated] },
      { consumes: [seated, left], produces: [withLeft] },
      { consumes: [withLeft, right], produces: [eating] },
      { consumes: [eating], produces: [thinking, chair, left, right] },
    ];
  });
  return { name: `dining ${n}`, initial: places.initial, bits: 4, transitions };
}

/** Chang and Roberts: the process with the highest number wins the ring. */
export function leader(n: number): Net {
  const places = new Places();
  const transitions: NetTransition[] = [];
  const add = (consumes: Tokens, produces: Tokens): void => void transitions.push({ consumes, produces });
  const message = (to: number, id: number, type: 1 | 2): Tokens[number] =>
    places.one("msg", to % n, id, type);
  const ids = range(n);
  for (const x of ids) places.mark("idle", x, 0);
  for (const x of ids)
    for (const b of [0, 1]) {
      const [idle, wait] = [places.one("idle", x, b), places.one("wait", x, b)];
      const losing = places.one("losing", x, b);
      add([idle], [wait, message(x + 1, x, 1)]);
      for (const y of ids.filter((other) => other < x)) {
        add([idle, message(x, y, 1)], [places.one("wait", x, 0), message(x + 1, x, 1)]);
        add([wait, message(x, y, 1)], [wait]);
        add([losing, message(x, y, 1)], [losing]);
      }
      for (const y of ids.filter((other) => other > x)) {
        add([idle, message(x, y, 1)], [losing, message(x + 1, y, 1)]);
        add([wait, message(x, y, 1)], [losing, message(x + 1, y, 1)]);
      }
      add([wait, message(x, x, 1)], [places.one("wait", x, 1), message(x + 1, x, 2)]);
    }
  return { name: `leader ${n}`, initial: places.initial, bits: 1, transitions, mayEnd: true };
}

/** Processes that request a lock, hold it over five locations, and release it. */
export function mutex(n: number): Net {
  const places = new Places();
  const lock = places.one("lock");
  places.mark("lock");
  for (const i of range(n)) places.mark("idle", i);
  const transitions = range(n).flatMap((i): NetTransition[] => {
    const [idle, requesting] = [places.one("idle", i), places.one("requesting", i)];
    const locked = range(5).map((location) => places.one("locked", i, location));
    return [
      { consumes: [idle], produces: [requesting] },
      { consumes: [requesting, lock], produces: [locked[0]!] },
      ...range(4).map((k) => ({ consumes: [locked[k]!], produces: [locked[k + 1]!] })),
      { consumes: [locked[4]!], produces: [idle, lock] },
    ];
  });
  return { name: `mutex ${n}`, initial: places.initial, bits: 1, transitions };
}

/** Peterson's algorithm for n processes, one transition per arrow of its flow chart. */
export function peterson(n: number): Net {
  const places = new Places();
  const transitions: NetTransition[] = [];
  const turns = range(n - 1);
  for (const i of range(n)) {
    places.mark("idle", i);
    places.mark("want", i, "no");
  }
  for (const j of turns) places.mark("turn", j, 0);
  for (const i of range(n)) {
    const at = (location: string, ...counters: number[]): Tokens[number] =>
      places.one(location, i, ...counters);
    const move = (
      from: Tokens[number],
      to: Tokens[number],
      takes: Tokens = [],
      gives: Tokens = takes,
    ): void => void transitions.push({ consumes: [from, ...takes], produces: [to, ...gives] });
    const wants = (process: number, answer: "yes" | "no"): Tokens => [places.one("want", process, answer)];
    move(at("idle"), at("ask", 0), wants(i, "no"), wants(i, "yes"));
    for (const j of turns) {
      const turn = (process: number): Tokens => [places.one("turn", j, process)];
      for (const before of range(n)) move(at("ask", j), at("test", j), turn(before), turn(i));
      for (const holder of range(n))
        move(at("test", j), holder === i ? at("begin", j, 0) : at("end turn", j), turn(holder));
      for (const k of range(n)) {
        move(at("begin", j, k), at("identity", j, k));
        if (k === i) move(at("identity", j, k), at("end body", j, k));
        else {
          move(at("identity", j, k), at("alone", j, k));
          move(at("alone", j, k), at("test", j), wants(k, "yes"));
          move(at("alone", j, k), at("end body", j, k), wants(k, "no"));
        }
        move(at("end body", j, k), k < n - 1 ? at("begin", j, k + 1) : at("end turn", j));
      }
      move(at("end turn", j), j < n - 2 ? at("ask", j + 1) : at("critical"));
    }
    move(at("critical"), at("idle"), wants(i, "yes"), wants(i, "no"));
  }
  return { name: `peterson ${n}`, initial: places.initial, bits: 1, transitions };
}

/**
 * The sieve as a row of testers with unbounded channels between them. A tester's input is the same in every run, so a
 * state is the progress of each: half-word 0 counts the generator's messages, half-word `i` is twice the messages taken
 * by tester `i`, plus one while it works on the last of them.
 */
export function eratosthene(n: number): System {
  const END = 0;
  /** By tester: its prime, its messages in order, and the number passed on after each. */
  const testers: { prime: number; inputs: number[]; passed: number[]; creates: number }[] = [];
  for (let inputs = [...range(n - 1).map((i) => i + 2), END], prime = 2; prime > 0;) {
    const outputs = inputs.filter((number) => number === END || number % prime !== 0);
    const [next = END, ...rest] = outputs;
    let count = 0;
    const passed = inputs.map((number) => (number === END || number % prime !== 0 ? count++ : count));
    testers.push({ prime, inputs, passed: [...passed, count], creates: next });
    inputs = rest;
    prime = next;
  }
  const width = Math.ceil((testers.length + 2) / 2);
  const get = (state: Words, at: number, half: number): number =>
    (state[at + (half >> 1)]! >>> (16 * (half & 1))) & 0xffff;

  /** Messages sent to tester `i`, excluding the one that created it. */
  function arrived(state: Words, at: number, i: number): number {
    if (i === 0) return Math.min(n, get(state, at, 0));
    const before = get(state, at, i);
    const done = (before >> 1) - (before & 1);
    return testers[i - 1]!.passed[done]! - (testers[i - 1]!.creates === END ? 0 : 1);
  }

  function step(state: Words, at: number, out: Successors, half: number, by: number): void {
    const to = copied(state, at, width, out, 0);
    out.words[to + (half >> 1)]! += by << (16 * (half & 1));
  }

  return {
    width,
    compareFrom: 0,
    initial(out) {
      out.words.fill(0, 0, width);
      out.flags[out.count++] = 0;
    },
    successors(state, at, out) {
      const sent = get(state, at, 0);
      const last = testers.length - 1;
      if (sent < n) step(state, at, out, 0, 1);
      // The last tester's answer to the end lets the generator end.
      else if (sent === n && get(state, at, last + 1) === 2 * testers[last]!.inputs.length)
        step(state, at, out, 0, 1);
      for (let i = 0; i <= last; i++) {
        const own = get(state, at, i + 1);
        if ((own & 1) === 1) step(state, at, out, i + 1, -1);
        else if (own >> 1 < arrived(state, at, i)) step(state, at, out, i + 1, 3);
      }
    },
    status: () => 1,
  };
}

/** Peterson's filter lock as Murphi's users write it; five bits per process, four per level. */
export function murphiFilter(n: number): System {
  const [IDLE, SETLEV, SETTOP, WAITING, CRIT] = [0, 1, 2, 3, 4];
  const width = n + 1;
  return {
    width,
    compareFrom: 0,
    initial(out) {
      out.words.fill(0, 0, width);
      out.flags[out.count++] = 0;
    },
    // Word i: location of process i, its level in bits 4 to 7, the level it goes for in bits 8 to 11.
    // Word n: the last to arrive at each level plus one, four bits each; 0 is undefined.
    successors(state, at, out) {
      const tops = state[at + n]!;
      for (let i = 0; i < n; i++) {
        const own = state[at + i]!;
        const [level, goal] = [(own >> 4) & 15, own >> 8];
        const become = (location: number, newLevel: number, newGoal: number, newTops = tops): void => {
          const to = copied(state, at, width, out, 0);
          out.words[to + i] = location | (newLevel << 4) | (newGoal << 8);
          out.words[to + n] = newTops;
        };
        switch (own & 15) {
          case IDLE:
            become(SETLEV!, level, 1);
            break;
          case SETLEV:
            become(SETTOP!, goal, goal);
            break;
          case SETTOP:
            become(WAITING!, level, goal, (tops & ~(15 << (4 * goal))) | ((i + 1) << (4 * goal)));
            break;
          case WAITING: {
            let mayPass = ((tops >>> (4 * goal)) & 15) !== i + 1;
            if (!mayPass) {
              mayPass = true;
              for (let k = 0; k < n; k++)
                if (k !== i && ((state[at + k]! >> 4) & 15) >= goal) mayPass = false;
            }
            if (!mayPass) break;
            if (goal === n - 1) become(CRIT!, level, goal);
            else become(SETLEV!, level, goal + 1);
            break;
          }
          case CRIT:
            become(IDLE!, 0, 0);
        }
      }
    },
    status: () => 1,
  };
}

/** A system as a model with only the deadlock property. */
export const systemModel = (system: System): Model => ({
  system,
  steps: Object.assign(Object.create(system) as System, EXPLAINS_NOTHING),
  properties: [{ name: "deadlock", kind: "deadlock", span: undefined }],
  sites: [],
  holds: () => true,
  invariants: [],
  coverage: { parts: [], reached: new Uint8Array(0) },
});

const EXPLAINS_NOTHING = {
  describe: () => ({ participants: [], action: "", sources: [], messages: [], output: "" }),
  snapshot: () => [],
  processes: () => [],
};

export interface KnownNet {
  readonly name: string;
  readonly system: () => System;
  readonly states: number;
  /** If known. */
  readonly arcs?: number;
}

const known = (
  name: string,
  make: (n: number) => System,
  rows: readonly (readonly [n: number, states: number, arcs?: number])[],
): KnownNet[] =>
  rows.map(([n, states, arcs]) => ({
    name: `${name} ${n}`,
    system: () => make(n),
    states,
    ...(arcs === undefined ? {} : { arcs }),
  }));

const unfolded =
  (net: (n: number) => Net) =>
  (n: number): System =>
    netSystem(net(n));

/** Published counts, up to the sizes that fit a minute. */
export const knownNets: readonly KnownNet[] = [
  ...known("dbm", unfolded(dbm), [
    [2, 7, 8],
    [3, 28, 42],
    [4, 109, 224],
    [5, 406, 1090],
    [6, 1459, 4872],
    [7, 5104, 20426],
    [8, 17497, 81664],
    [9, 59050, 314946],
    [10, 196831, 1181000],
  ]),
  ...known("dining", unfolded(dining), [
    [2, 7, 8],
    [3, 31, 63],
    [4, 127, 376],
    [5, 491, 1895],
    [6, 1843, 8748],
    [7, 6791, 38171],
    [8, 24735, 160400],
    [9, 89419, 656343],
    [10, 321667, 2633980],
  ]),
  ...known("leader", unfolded(leader), [
    [2, 9, 13],
    [3, 27, 58],
    [4, 78, 221],
    [5, 219, 770],
    [6, 603, 2533],
    [7, 1638, 8008],
    [8, 4407, 24596],
    [9, 11775, 73916],
    [10, 31302, 218407],
    [11, 82899, 636742],
    [12, 218931, 1836299],
  ]),
  ...known("mutex", unfolded(mutex), [
    [2, 24, 38],
    [3, 68, 144],
    [4, 176, 464],
    [5, 432, 1360],
    [6, 1024, 3744],
    [10, 26624, 151040],
  ]),
  ...known("peterson", unfolded(peterson), [
    [2, 158, 316],
    [3, 20754, 62262],
  ]),
  ...known("eratosthene", eratosthene, [
    [10, 384],
    [15, 2267],
    [20, 10802],
    [25, 48561],
    [30, 187288],
    [35, 657389],
  ]),
  ...known("filter", murphiFilter, [
    [2, 43, 80],
    [3, 894, 2196],
    [4, 18165, 54064],
    [5, 409308, 1431660],
  ]),
];
