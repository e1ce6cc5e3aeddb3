/**
 * Chiron-lite: artists that register with a dispatcher, as built and refactored into one server for each artist with its own lock. Prints
 * expected and obtained sizes, and compares compositions with Spin's verifier on the same systems.
 *
 * Chiron-lite refactored is generated as transition systems; the rows of `lts-promela.ts` are read from Promela.
 */
import { readFileSync } from "node:fs";
import { ltsModel } from "../src/compile/lts.js";
import { compose } from "../src/engines/compositional/index.js";
import { exploreLts } from "../src/engines/explicit/index.js";
import { comparing, partitioning, type BasicEquivalence } from "../src/engines/lts/index.js";
import { loadVectors } from "../src/languages/aut/vectors.js";
import {
  LtsBuilder,
  TAU_NAME,
  hide,
  processorMs,
  type Hierarchy,
  type Lts,
  type LtsNetwork,
  type SyncVector,
} from "../src/model/index.js";
import { compositionTools } from "../src/session/lts/composing.js";
import { actionsOf } from "../src/session/lts/labels.js";
import { besideSpin, type Family } from "./lts-spin.js";
import { report } from "./expected.js";
import { equivalences, measurePromela } from "./lts-promela.js";

const span = { file: "bench", start: 0, end: 0 };

/** A system from its successors: labels and next states, by a key of the state. */
function systemOf<S>(
  initial: S,
  keyOf: (state: S) => string,
  next: (state: S) => readonly (readonly [string, S])[],
): Lts {
  const builder = new LtsBuilder();
  const numbers = new Map([[keyOf(initial), 0]]);
  const states = [initial];
  for (let at = 0; at < states.length; at++)
    for (const [label, to] of next(states[at])) {
      const key = keyOf(to);
      const known = numbers.get(key) ?? states.push(to) - 1;
      numbers.set(key, known);
      builder.add(at, builder.labels.of(label), known);
    }
  return builder.finish(states.length, [0]);
}

type Kind = "queue" | "set";
const artists = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
const registered = (kind: Kind, list: readonly number[], i: number): readonly number[] => {
  if (list.includes(i)) return list;
  return kind === "queue" ? [...list, i] : [...list, i].sort((a, b) => a - b);
};

/** Who is registered, and how many are still to be notified; -1: idle. */
const dispatcher = (kind: Kind, n: number): Lts =>
  systemOf(
    { list: [] as readonly number[], told: -1 },
    ({ list, told }) => `${list.join()};${told}`,
    ({ list, told }) => {
      if (told === list.length) return [["ack!x", { list, told: -1 }]];
      if (told >= 0) return [[`n${list[told]}!ntf`, { list, told: told + 1 }]];
      return [
        ...artists(n).flatMap((i) => [
          [`d?reg${i}`, { list: registered(kind, list, i), told }] as const,
          [`d?unreg${i}`, { list: list.filter((each) => each !== i), told }] as const,
        ]),
        ["call?x", { list, told: 0 }] as const,
      ];
    },
  );

const registration = (kind: Kind, n: number): Lts =>
  systemOf(
    [] as readonly number[],
    (list) => list.join(),
    (list) =>
      artists(n).flatMap((i) => [
        [`?R${i}`, registered(kind, list, i)] as const,
        [`?U${i}`, list.filter((each) => each !== i)] as const,
      ]),
  );

/** Transitions of a cycle or graph, by state. */
function graph(edges: readonly (readonly [number, string, number])[]): Lts {
  const builder = new LtsBuilder();
  for (const [from, label, to] of edges) builder.add(from, builder.labels.of(label), to);
  return builder.finish(1 + Math.max(...edges.flatMap(([from, , to]) => [from, to])), [0]);
}

interface Named {
  readonly name: string;
  readonly lts: Lts;
}

/** Sends meet receptions of the same channel and message in pairs; `call` and `ack` are external. */
function paired(name: string, parts: readonly Named[]): LtsNetwork {
  const owners = new Map<string, number[]>();
  for (const [part, { lts }] of parts.entries())
    for (const label of lts.labels.slice(1)) owners.set(label, [...(owners.get(label) ?? []), part]);
  const vectors: SyncVector[] = [];
  const vector = (label: string, moves: readonly (readonly [number, string])[]): void => {
    const labels: (string | undefined)[] = parts.map(() => undefined);
    for (const [part, own] of moves) labels[part] = own;
    vectors.push({ label, labels });
  };
  for (const [label, senders] of owners) {
    if (label === "call?x" || label === "ack!x") vector(label, [[senders[0], label]]);
    else if (label.includes("!"))
      for (const from of senders)
        for (const to of owners.get(label.replace("!", "?")) ?? [])
          vector(TAU_NAME, [
            [from, label],
            [to, label.replace("!", "?")],
          ]);
  }
  return { name, parts, vectors, span };
}

const asBuilt = (kind: Kind, n: number): LtsNetwork =>
  paired("as built", [
    { name: "dispatcher", lts: dispatcher(kind, n) },
    ...artists(n).map((i) => ({
      name: `artist${i}`,
      lts: graph([
        [0, `d!reg${i}`, 1],
        [1, `n${i}?ntf`, 1],
        [1, `d!unreg${i}`, 0],
      ]),
    })),
  ]);

const core = (n: number): Lts => {
  const edges: [number, string, number][] = [];
  for (const i of artists(n)) edges.push([0, `e${i}?lock`, i], [i, `e${i}?release`, 0]);
  let at = n + 1;
  edges.push([0, "call?x", at]);
  for (const i of artists(n)) edges.push([at, `g${i}!go`, at + 1], [at + 1, `k${i}?bk`, (at += 2)]);
  edges.push([at, "ack!x", 0]);
  return graph(edges);
};

const group = (i: number): Named[] => [
  {
    name: `artist${i}`,
    lts: graph([
      [0, `e${i}!lock`, 1],
      [1, `d${i}!reg`, 2],
      [2, `n${i}?ntf`, 2],
      [2, `e${i}!lock`, 3],
      [3, `d${i}!unreg`, 0],
    ]),
  },
  {
    name: `server${i}`,
    lts: graph([
      [0, `d${i}?reg`, 1],
      [1, `v${i}!set`, 2],
      [2, `e${i}!release`, 0],
      [0, `d${i}?unreg`, 3],
      [3, `v${i}!clr`, 2],
      [0, `g${i}?go`, 4],
      [4, `v${i}!is1`, 5],
      [5, `n${i}!ntf`, 6],
      [4, `v${i}!is0`, 6],
      [6, `k${i}!bk`, 0],
    ]),
  },
  {
    name: `value${i}`,
    lts: graph([
      [0, `v${i}?set`, 1],
      [0, `v${i}?clr`, 0],
      [0, `v${i}?is0`, 0],
      [1, `v${i}?set`, 1],
      [1, `v${i}?clr`, 0],
      [1, `v${i}?is1`, 1],
    ]),
  },
];

const refactored = (n: number): LtsNetwork =>
  paired("refactored", [{ name: "core", lts: core(n) }, ...artists(n).flatMap(group)]);

/** Each group by itself, then one after the other into the core. */
const folding = (n: number): Hierarchy =>
  artists(n).reduce<Hierarchy>(
    (before, i) => ({
      name: `core + 1..${i}`,
      children: [before, { name: `group ${i}`, children: group(i).map(({ name }) => name) }],
    }),
    { name: "core", children: ["core"] },
  );

async function explored(network: LtsNetwork): Promise<Lts> {
  const { lts } = await exploreLts(
    actionsOf(ltsModel(network), () => true),
    {},
    {},
  );
  if (!lts) throw new Error(`${network.name} was not explored`);
  return lts;
}

const size = ({ states, targets }: Lts): string => `${states}/${targets.length}`;

/** Trap of the literature: with one lock for all groups, each composition keeps the locks of the others open. */
async function sharedLock(): Promise<void> {
  const found: number[] = [];
  for (const n of [1, 2, 3]) {
    const { parts } = refactored(n);
    const shared = parts.map(({ name, lts }) => ({ name, lts: withOneLock(lts) }));
    const network = paired("one lock", shared);
    const result = await compose(network, () => true, folding(n), {}, compositionTools("weak", {}));
    if ("stop" in result) throw new Error(`${result.step}: ${result.stop}`);
    found.push(Math.max(...result.log.map(({ states }) => states)));
  }
  // Published for CCS. Pairs of vectors hide more than CCS does: 22, 41, 98 were obtained, so the row is missed; why is not known for sure.
  report("trap 1: with one lock for all groups the largest graph, n = 1..3", [22, 54, 348], found);
}

function withOneLock({ states, initial, labels, firsts, actions, targets }: Lts): Lts {
  const builder = new LtsBuilder();
  for (let s = 0; s < states; s++)
    for (let t = firsts[s]; t < firsts[s + 1]; t++)
      builder.add(s, builder.labels.of(labels[actions[t]].replace(/^e\d+/, "e")), targets[t]);
  return builder.finish(states, initial);
}

async function composed(n: number, relation: BasicEquivalence, isVisible: (label: string) => boolean) {
  const begun = processorMs();
  const result = await compose(refactored(n), isVisible, folding(n), {}, compositionTools(relation, {}));
  if ("stop" in result) throw new Error(`${result.step}: ${result.stop}`);
  const largest = Math.max(...result.log.map(({ states }) => states));
  return { lts: result.root.lts, largest, seconds: (processorMs() - begun) / 1000 };
}

export async function measureAdt(): Promise<void> {
  await example();
  const tables = { queue: [2, 5, 16, 65, 326, 1957, 13700], set: [2, 4, 8, 16, 32, 64, 128] };
  for (const kind of ["queue", "set"] as const)
    report(
      `AD-2 registration, ${kind}, n = 1..7`,
      tables[kind],
      artists(7).map((n) => registration(kind, n).states),
    );
  await chiron();
  await sharedLock();
  await measurePromela();
  await equivalences();
  for (const n of [1, 2, 3, 4]) {
    const { lts } = await composed(n, "weak", () => true);
    const slices = comparing(withoutMarks(lts), await explored(asBuilt("set", n)), "weak");
    while (slices.advance(Infinity));
    report(`AD-5 refactored and as built, n = ${n}, weakly bisimilar`, true, slices.result().isRelated);
  }
  for (const [n, expected] of [
    [14, 91],
    [30, 187],
    [100, 607],
  ] as const) {
    const { lts, largest, seconds } = await composed(n, "weak", () => true);
    report(`AD-5 largest graph, n = ${n} (${seconds.toFixed(1)} s; final ${size(lts)})`, expected, largest);
  }
  besideSpin([chironLite, lockServer]);
}

/** Labels of complete steps begin with a mark. */
const withoutMarks = (lts: Lts): Lts => ({
  ...lts,
  labels: lts.labels.map((label) => label.replace(/^=/, "")),
});

async function example(): Promise<void> {
  const read = (file: string): LtsNetwork => {
    const path = `examples/lts/${file}`;
    const { network } = loadVectors(
      path,
      readFileSync(path, "utf8"),
      (name) => readFileSync(name, "utf8"),
      () => undefined,
    );
    if (!network) throw new Error(`${path} cannot be read`);
    return network;
  };
  const [built, split] = [read("as-built.vectors"), read("refactored.vectors")];
  report("AD-1 S", "7/8", size(built.parts[0].lts));
  const systems = [await explored(built), await explored(split)];
  report("AD-1 as built, refactored", ["7/8", "11/12"], systems.map(size));
  const minimal = systems.map((lts) => {
    const slices = partitioning(
      hide(lts, () => true),
      "weak",
    );
    while (slices.advance(Infinity));
    return size(slices.result().quotient);
  });
  report("AD-1 minimal", ["3/4", "3/4"], minimal);
}

async function chiron(): Promise<void> {
  const expected = {
    queue: [
      "5/9 5/7",
      "16/36 16/26",
      "65/161 65/113",
      "326/846 326/586",
      "1957/5217 1957/3587",
      "13700/37184 13700/25442",
    ],
    set: [
      "5/9 5/7",
      "12/28 12/20",
      "28/76 28/52",
      "64/192 64/128",
      "144/464 144/304",
      "320/1088 320/704",
      "704/2496 704/1600",
    ],
  };
  for (const kind of ["queue", "set"] as const) {
    const found: string[] = [];
    for (const n of artists(expected[kind].length))
      found.push(`${size(dispatcher(kind, n))} ${size(await explored(asBuilt(kind, n)))}`);
    report(`AD-4 dispatcher and system, ${kind}`, expected[kind], found);
  }
}

/** The system as built, with the set as bits. */
function promela(n: number): string {
  const options = artists(n).flatMap((i) => [
    `:: d?reg,${i} -> s[${i}] = 1`,
    `:: d?unreg,${i} -> s[${i}] = 0`,
  ]);
  const tell = artists(n).map((i) => `if :: s[${i}] -> n[${i}]!ntf :: else fi;`);
  return [
    "mtype = { reg, unreg, ntf };",
    "chan d = [0] of { mtype, byte }; chan call = [0] of { bit }; chan ack = [0] of { bit };",
    `chan n[${n + 1}] = [0] of { mtype };`,
    `active proctype Dispatcher() { bit s[${n + 1}]; do ${options.join(" ")} :: call?1 -> ${tell.join(" ")} ack!1 od }`,
    "active proctype Caller() { do :: call!1; ack?1 od }",
    `proctype Artist(byte i) { end: do :: d!reg,i; do :: n[i]?ntf :: d!unreg,i -> break od od }`,
    `init { atomic { ${artists(n)
      .map((i) => `run Artist(${i})`)
      .join("; ")} } }`,
  ].join("\n");
}

const chironLite: Family = {
  name: "Chiron-lite",
  from: 14,
  step: 1,
  promela,
  network: refactored,
  hierarchy: folding,
};

/** Clients with some work of their own, and one lock. */
const WORK = 3;

const client = (i: number): Lts => {
  const work = artists(WORK).map((at): [number, string, number] => [at - 1, `w${i}!step`, at]);
  return graph([
    ...work,
    [WORK, `acquire${i}`, WORK + 1],
    [WORK + 1, `enter${i}`, WORK + 2],
    [WORK + 2, `exit${i}`, WORK + 3],
    [WORK + 3, `release${i}`, 0],
  ]);
};

const lockServer: Family = {
  name: "lock server",
  from: 8,
  step: 1,
  promela: (n) =>
    [
      `chan acquire[${n + 1}] = [0] of { bit }; chan release[${n + 1}] = [0] of { bit }; byte work[${n + 1}]; byte inside;`,
      `active proctype Server() { end: do ${artists(n)
        .map((i) => `:: acquire[${i}]?1 -> release[${i}]?1`)
        .join(" ")} od }`,
      `proctype Client(byte i) { end: do :: ${artists(WORK)
        .map((at) => `work[i] = ${at};`)
        .join(" ")} acquire[i]!1; work[i] = 0; inside++; inside--; release[i]!1 od }`,
      `init { atomic { ${artists(n)
        .map((i) => `run Client(${i})`)
        .join("; ")} } }`,
    ].join("\n"),
  network: (n) => {
    const parts = [
      {
        name: "server",
        lts: graph(
          artists(n).flatMap((i): [number, string, number][] => [
            [0, `acquire${i}`, i],
            [i, `release${i}`, 0],
          ]),
        ),
      },
      ...artists(n).map((i) => ({ name: `client${i}`, lts: client(i) })),
    ];
    const vector = (label: string, part: number, withServer: boolean): SyncVector => ({
      label,
      labels: parts.map((_, p) => (p === part || (withServer && p === 0) ? label : undefined)),
    });
    const vectors = artists(n).flatMap((i) => [
      vector(`w${i}!step`, i, false),
      vector(`acquire${i}`, i, true),
      vector(`enter${i}`, i, false),
      vector(`exit${i}`, i, false),
      vector(`release${i}`, i, true),
    ]);
    return { name: "locks", parts, vectors, span };
  },
  hierarchy: (n) =>
    artists(n).reduce<Hierarchy>(
      (before, i) => ({ name: `server + 1..${i}`, children: [before, `client${i}`] }),
      { name: "server", children: ["server"] },
    ),
};
