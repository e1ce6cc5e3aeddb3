/**
 * Classical nets, written here from their descriptions in the literature, each with its size and expected answer. Families
 * have a parameter: tokens, or parts.
 */
import { tokensOf, type Net, type NetTransition, type Tokens } from "../../../src/model/index.js";

export interface ClassicalNet {
  readonly net: Net;
  readonly places: number;
  readonly transitions: number;
  readonly answer: "covered" | "uncovered";
}

const nowhere = { file: "classical", start: 0, end: 0 };

/** Numbers of tokens; `3+` means three or more. */
type Initial = Readonly<Record<string, number | string>>;
type Multiset = Readonly<Record<string, number>>;

/** Transitions as `idle + 2 lock -> critical`; places are named at first use. */
export function netFrom(
  name: string,
  initial: Initial,
  rules: readonly string[],
  targets: readonly Multiset[],
): Net {
  const numbers = new Map<string, number>();
  const numberOf = (place: string): number => {
    if (!numbers.has(place)) numbers.set(place, numbers.size);
    return numbers.get(place)!;
  };
  for (const place of Object.keys(initial)) numberOf(place);
  const multiset = (text: string): Map<number, number> =>
    new Map(
      text
        .split("+")
        .map((part) => /^\s*(\d*)\s*(\S+)\s*$/.exec(part))
        .filter((found) => found !== null)
        .map(([, count, place]) => [numberOf(place!), Number(count || 1)]),
    );
  const transitions = rules.map((rule, index): NetTransition => {
    const [takes, gives] = rule.split("->").map((side) => multiset(side)) as [
      Map<number, number>,
      Map<number, number>,
    ];
    const effect = new Map(
      [...takes.keys(), ...gives.keys()].map((p) => [p, (gives.get(p) ?? 0) - (takes.get(p) ?? 0)]),
    );
    return { name: `t${index + 1}`, span: nowhere, guard: tokensOf(takes), effect: tokensOf(effect) };
  });
  const alternatives: Tokens[] = targets.map((target) =>
    tokensOf(new Map(Object.entries(target).map(([place, count]) => [numberOf(place), count]))),
  );
  const free = Object.entries(initial).filter(([, count]) => `${count}`.endsWith("+"));
  const sources = free.map(([place]): NetTransition => ({
    name: `one more ${place}`,
    span: nowhere,
    guard: [],
    effect: [[numberOf(place), 1]],
    isSource: true,
  }));
  const places = [...numbers.keys()];
  return {
    kind: "net",
    name,
    places: places.map((place) => ({ name: place, span: nowhere })),
    transitions: [...transitions, ...sources],
    initial: places.map((place) => Number.parseInt(`${initial[place] ?? 0}`, 10)),
    properties: [{ name: "target", kind: "coverability", span: undefined, alternatives }],
  };
}

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

/** A lock that any number of clients share. */
export const mutex = (): Net =>
  netFrom(
    "mutex",
    { idle: "1+", lock: 1 },
    ["idle + lock -> critical", "critical -> idle + lock"],
    [{ critical: 2 }],
  );

/** n permits: a writer needs all of them, a reader one. */
export const readersWriters = (n: number): Net =>
  netFrom(
    `readers and writers (${n})`,
    { readers: "1+", writers: "1+", permit: n },
    [
      "readers + permit -> reading",
      "reading -> readers + permit",
      `writers + ${n} permit -> writing`,
      `writing -> writers + ${n} permit`,
    ],
    [{ reading: 1, writing: 1 }, { writing: 2 }],
  );

/** n philosophers; can two neighbours eat, or (with `isStuck`) all hold their left fork? */
export const philosophers = (n: number, isStuck = false): Net =>
  netFrom(
    `philosophers (${n})${isStuck ? ", stuck" : ""}`,
    Object.fromEntries(
      range(n).flatMap((i) => [
        [`think${i}`, 1],
        [`fork${i}`, 1],
      ]),
    ),
    range(n).flatMap((i) => [
      `think${i} + fork${i} -> left${i}`,
      `left${i} + fork${(i + 1) % n} -> eat${i}`,
      `eat${i} -> think${i} + fork${i} + fork${(i + 1) % n}`,
    ]),
    isStuck
      ? [Object.fromEntries(range(n).map((i) => [`left${i}`, 1]))]
      : range(n).map((i) => ({ [`eat${i}`]: 1, [`eat${(i + 1) % n}`]: 1 })),
  );

/** Four cells with n kanban cards each (Ciardo and Tilgner). */
export const kanban = (n: number): Net =>
  netFrom(
    `kanban (${n})`,
    { kan1: n, kan2: n, kan3: n, kan4: n },
    [
      "kan1 -> m1",
      ...[1, 2, 3, 4].flatMap((i) => [`m${i} -> back${i}`, `back${i} -> m${i}`, `m${i} -> out${i}`]),
      "out1 + kan2 + kan3 -> kan1 + m2 + m3",
      "out2 + out3 + kan4 -> kan2 + kan3 + m4",
      "out4 -> kan4",
    ],
    [{ m1: n, out1: 1 }, { m4: n + 1 }],
  );

/** A chain of n cells with one card each, fed without end. */
export const line = (n: number): Net =>
  netFrom(
    `production line (${n})`,
    Object.fromEntries(range(n).map((i) => [`free${i}`, 1])),
    [
      "free0 -> work0",
      ...range(n - 1).flatMap((i) => [`work${i} + free${i + 1} -> free${i} + work${i + 1}`]),
      `work${n - 1} -> free${n - 1} + made`,
    ],
    [{ [`work${n - 1}`]: 2 }],
  );

/** A flexible manufacturing system: three kinds of parts, n pallets of each, machines that are shared. */
export const fms = (n: number): Net =>
  netFrom(
    `manufacturing (${n})`,
    { pallet1: n, pallet2: n, pallet3: n, mill: 3, lathe: 1, assembler: 2 },
    [
      "pallet1 -> raw1",
      "pallet2 -> raw2",
      "pallet3 -> raw3",
      "raw1 + mill -> milling1",
      "milling1 -> mill + done1",
      "raw2 + lathe -> turning2",
      "turning2 -> lathe + done2",
      "raw3 + lathe -> turning3",
      "turning3 -> lathe + done3",
      "done1 -> ship1",
      "done2 -> ship2",
      "done3 -> ship3",
      "done1 -> wait1",
      "done2 -> wait2",
      "wait1 + wait2 + assembler -> assembling",
      "assembling -> assembler + ship12",
      "ship1 -> pallet1 + stock",
      "ship2 -> pallet2 + stock",
      "ship3 -> pallet3 + stock",
      "ship12 -> pallet1 + pallet2 + stock",
    ],
    [{ milling1: 4 }, { turning2: 1, turning3: 1 }, { assembling: 3 }],
  );

/** A grid of n by n processors; a message is taken from a buffer, worked on, and passed to a neighbour's. */
export const mesh = (n: number): Net => {
  const cells = range(n).flatMap((x) => range(n).map((y) => [x, y] as const));
  return netFrom(
    `mesh (${n} x ${n})`,
    { ...Object.fromEntries(cells.map(([x, y]) => [`idle_${x}_${y}`, 1])), buffer_0_0: "0+" },
    cells.flatMap(([x, y]) => [
      `buffer_${x}_${y} + idle_${x}_${y} -> busy_${x}_${y}`,
      ...[
        [x + 1, y],
        [x, y + 1],
        [x - 1, y],
        [x, y - 1],
      ]
        .filter(([a, b]) => a! >= 0 && b! >= 0 && a! < n && b! < n)
        .map(([a, b]) => `busy_${x}_${y} -> idle_${x}_${y} + buffer_${a}_${b}`),
    ]),
    [{ [`busy_${n - 1}_${n - 1}`]: 2 }],
  );
};

/** n stations and one token that goes round; two may not send at once. */
export const tokenRing = (n: number): Net =>
  netFrom(
    `token ring (${n})`,
    { token0: 1, ...Object.fromEntries(range(n).map((i) => [`rest${i}`, 1])) },
    range(n).flatMap((i) => [
      `rest${i} -> ready${i}`,
      `ready${i} + token${i} -> send${i}`,
      `send${i} -> rest${i} + token${(i + 1) % n}`,
      `token${i} + rest${i} -> rest${i} + token${(i + 1) % n}`,
    ]),
    range(n - 1).map((i) => ({ [`send${i}`]: 1, [`send${i + 1}`]: 1 })),
  );

/** n stages that each make two of one: 2^n tokens at the end, and one more not. */
export const doubling = (n: number, more = 0): Net =>
  netFrom(
    `doubling (${n})${more > 0 ? `, ${more} more` : ""}`,
    { s0: 1 },
    range(n).map((i) => `s${i} -> 2 s${i + 1}`),
    [{ [`s${n}`]: 2 ** n + more }],
  );

/** n pools with changing rooms and keys; no visitor may be both dressed and swimming. */
export const pools = (n: number): Net =>
  netFrom(
    `pools (${n})`,
    { ...Object.fromEntries(range(n).map((i) => [`outside${i}`, "1+"])), room: 2, bag: 3 },
    range(n).flatMap((i) => [
      `outside${i} + room -> undress${i}`,
      `undress${i} + bag -> swim${i} + room`,
      `swim${i} + room -> dress${i}`,
      `dress${i} -> outside${i} + room + bag`,
    ]),
    [{ swim0: 4 }, { [`dress${n - 1}`]: 3 }],
  );

export const producerConsumer = (capacity: number): Net =>
  netFrom(
    `producer and consumer (${capacity})`,
    { produce: 1, consume: 1, room: capacity },
    ["produce -> put", "put + room -> produce + item", "consume + item -> use + room", "use -> consume"],
    [{ item: capacity + 1 }],
  );

const unboundedBuffer = (): Net =>
  netFrom(
    "unbounded buffer",
    { produce: 1, consume: 1 },
    ["produce -> put", "put -> produce + item", "consume + item -> use", "use -> consume"],
    [{ item: 50 }],
  );

/** Peterson's algorithm for two; turn and flags as places with their complements. */
const peterson = (): Net =>
  netFrom(
    "Peterson",
    { idle0: 1, idle1: 1, off0: 1, off1: 1, turn0: 1 },
    [
      ...[0, 1].flatMap((i) => {
        const other = 1 - i;
        return [
          `idle${i} + off${i} -> want${i} + on${i}`,
          `want${i} + turn${i} -> wait${i} + turn${other}`,
          `want${i} + turn${other} -> wait${i} + turn${other}`,
          `wait${i} + off${other} -> critical${i} + off${other}`,
          `wait${i} + turn${i} -> critical${i} + turn${i}`,
          `critical${i} + on${i} -> idle${i} + off${i}`,
        ];
      }),
    ],
    [{ critical0: 1, critical1: 1 }],
  );

/** A ball between two players, one of whom may lose it. */
const pingPong = (): Net =>
  netFrom(
    "ping-pong",
    { ping: 1 },
    ["ping -> flying", "flying -> pong", "pong -> back", "back -> ping", "flying -> lost", "lost -> ping"],
    [{ ping: 1, pong: 1 }],
  );

/** Requests and answers that a lossy link may drop: a second answer may come only after a second request. */
const requestAnswer = (): Net =>
  netFrom(
    "request and answer",
    { client: 1, server: 1 },
    [
      "client -> waiting + request",
      "request + server -> server + answer",
      "waiting + answer -> client",
      "request -> dropped",
      "waiting -> client",
    ],
    [{ answer: 3 }],
  );

/** A central server: jobs share one processor and two disks. */
const centralServer = (): Net =>
  netFrom(
    "central server",
    { terminal: "1+", cpu: 1, disks: 2 },
    [
      "terminal -> queue",
      "queue + cpu -> run",
      "run -> cpu + io",
      "io + disks -> seek",
      "seek -> disks + queue",
      "run -> cpu + terminal",
    ],
    [{ run: 2 }, { seek: 3 }],
  );

/** A lock that processes release without holding it. */
const leakyLock = (): Net =>
  netFrom(
    "leaky lock",
    { idle: "1+", lock: 1 },
    ["idle -> waiting", "waiting + lock -> critical", "critical -> idle + lock", "waiting -> idle + lock"],
    [{ critical: 2 }],
  );

const row = (
  net: Net,
  places: number,
  transitions: number,
  answer: ClassicalNet["answer"],
): ClassicalNet => ({
  net,
  places,
  transitions,
  answer,
});

export const classicalNets: readonly ClassicalNet[] = [
  row(mutex(), 3, 2, "uncovered"),
  row(readersWriters(3), 5, 4, "uncovered"),
  row(philosophers(4), 16, 12, "uncovered"),
  row(philosophers(4, true), 16, 12, "covered"),
  row(kanban(1), 16, 16, "uncovered"),
  row(line(4), 9, 5, "uncovered"),
  row(fms(2), 23, 20, "uncovered"),
  row(mesh(2), 12, 12, "uncovered"),
  row(tokenRing(3), 12, 12, "uncovered"),
  row(doubling(4), 5, 4, "covered"),
  row(doubling(4, 1), 5, 4, "uncovered"),
  row(pools(2), 10, 8, "uncovered"),
  row(producerConsumer(3), 6, 4, "uncovered"),
  row(unboundedBuffer(), 5, 4, "covered"),
  row(peterson(), 14, 12, "uncovered"),
  row(pingPong(), 5, 6, "uncovered"),
  row(requestAnswer(), 6, 5, "covered"),
  row(centralServer(), 7, 6, "uncovered"),
  row(leakyLock(), 4, 4, "covered"),
];

export const families: readonly {
  readonly name: string;
  readonly make: (n: number) => Net;
  readonly answer: ClassicalNet["answer"];
}[] = [
  { name: "kanban", make: kanban, answer: "uncovered" },
  { name: "mesh", make: (n) => mesh(n + 1), answer: "uncovered" },
  { name: "fms", make: fms, answer: "uncovered" },
  { name: "philosophers", make: (n) => philosophers(n + 1), answer: "uncovered" },
  { name: "stuck", make: (n) => philosophers(n + 1, true), answer: "covered" },
  { name: "line", make: (n) => line(n + 1), answer: "uncovered" },
  { name: "ring", make: (n) => tokenRing(n + 1), answer: "uncovered" },
  { name: "pools", make: pools, answer: "uncovered" },
  { name: "readers", make: readersWriters, answer: "uncovered" },
  { name: "doubling", make: doubling, answer: "covered" },
];
