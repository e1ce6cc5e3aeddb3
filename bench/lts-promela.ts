/** Rows of the published checks that are read from Promela: sets, queues, arrays, refactoring, and relations of small systems. */
import { execFileSync } from "node:child_process";
import { check } from "../src/index.js";
import { comparing, type BasicEquivalence } from "../src/engines/lts/index.js";
import { LtsBuilder, TAU, type Lts } from "../src/model/index.js";
import { renderLtsDot } from "../src/report/index.js";
import {
  autOf,
  chironLite,
  readExample,
  registration,
  sizeOf,
  systemOf,
} from "../test/languages/promela/components.js";
import { report } from "./expected.js";

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

export async function measurePromela(): Promise<void> {
  const example = readExample("examples/lts/split-server.pml");
  const visible = ["z!b", "w!b"];
  report(
    "AD-1 from Promela: as built, refactored and verified, minimal of both",
    ["7/8", "11/12", "3/4", "3/4"],
    [
      await sizeOf(example),
      await sizeOf(example, { refactor: "verify" }),
      await sizeOf(example, { visible, minimise: "weak" }),
      await sizeOf(example, { refactor: "apply", visible, minimise: "weak" }),
    ],
  );
  const lists = { queue: [2, 5, 16, 65, 326], set: [2, 4, 8, 16, 32, 64, 128] };
  for (const kind of ["queue", "set"] as const) {
    const found: number[] = [];
    for (const n of upTo(lists[kind].length))
      found.push(Number((await sizeOf(registration(n, kind))).split("/")[0]));
    report(`AD-2 registration from Promela, ${kind}, n = 1..${lists[kind].length}`, lists[kind], found);
  }
  const same: boolean[] = [];
  for (const n of upTo(5))
    same.push((await autOf(chironLite(n, "set", true))) === (await autOf(chironLite(n, "bits", true))));
  report(
    "AD-3 dispatcher with a set and with bits: the same graph, n = 1..5",
    upTo(5).map(() => true),
    same,
  );
  for (const [kind, expected] of [
    ["queue", ["5/9 5/7", "16/36 16/26", "65/161 65/113"]],
    [
      "set",
      ["5/9 5/7", "12/28 12/20", "28/76 28/52", "64/192 64/128", "144/464 144/304", "320/1088 320/704"],
    ],
  ] as const) {
    const found: string[] = [];
    for (const n of upTo(expected.length))
      found.push(`${await sizeOf(chironLite(n, kind, true))} ${await sizeOf(chironLite(n, kind, false))}`);
    report(`AD-4 from Promela, ${kind}, n = 1..${expected.length}`, expected, found);
  }
  await refusals(example);
  await dataTypes();
  await drawings(example);
}

async function refusals(example: string): Promise<void> {
  const refused = async (from: string, to: string): Promise<string> =>
    (await sizeOf(example.replace(from, to), { refactor: "apply" })).replace(
      /^.*\((condition \d)[^]*$/,
      "$1",
    );
  report(
    "AD-6 refused: a guarded entry, two clients of a channel, a segment that communicates with another group",
    ["condition 1", "condition 2", "condition 3"],
    [
      await refused(":: x?a -> z!b", ":: z!c -> x?a; z!b"),
      await refused("proctype Y()", "proctype Z() { x!a } proctype Y()"),
      await refused("x?c; x?d", "y?c; x?d"),
    ],
  );
}

const codesAndVerdicts = async (text: string, options: object = {}): Promise<string> => {
  const { diagnostics, properties } = await check({ file: "m.pml", text }, options);
  const codes = diagnostics.map(({ severity, code }) => `${severity} ${code}`);
  return [
    ...codes,
    ...properties
      .filter(({ property }) => property.kind === "deadlock")
      .map(({ verdict }) => `deadlock ${verdict}`),
  ].join(", ");
};

async function dataTypes(): Promise<void> {
  const within = (statements: string): string =>
    `enum E = { a, b }; active proctype P() { set s = [2] of { E }; queue q = [2] of { E }; E x; ${statements} }`;
  report(
    "AD-7 duplicates are ignored, pop of an empty queue blocks, too small a set is an error",
    ["deadlock holds", "deadlock violated", "error promela/abstract-data"],
    [
      await codesAndVerdicts(
        within("q.push(a); q.push(a); s.insert(b); s.insert(b); (q.len() == 1 && s.len() == 1)"),
      ),
      await codesAndVerdicts(within("x = q.pop()")),
      await codesAndVerdicts("enum E = { a, b }; set s = [1] of { E }; active proctype P() { skip }"),
    ],
  );
  const array = "active proctype P() { byte list[2]; list[0] = 1 }";
  report(
    "AD-8 arrays: --arrays warn, forbid, allow",
    ["warning promela/array, deadlock holds", "error promela/array", "deadlock holds"],
    [
      await codesAndVerdicts(array, { arrays: "warn" }),
      await codesAndVerdicts(array, { arrays: "forbid" }),
      await codesAndVerdicts(array, { arrays: "allow" }),
    ],
  );
}

function isValidDot(dot: string): boolean {
  try {
    execFileSync("dot", ["-Tcanon"], { input: dot, stdio: ["pipe", "ignore", "ignore"] });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") return false;
    // Without Graphviz: names, strings and edges of the language, statement by statement.
    const lines = dot.trim().split("\n");
    const statement =
      /^\s*(?:(?:\w+|"(?:[^"\\]|\\.)*")(?:\s*->\s*(?:\w+|"(?:[^"\\]|\\.)*"))*\s*(?:\[(?:\s*\w+=(?:[\w.-]+|"(?:[^"\\]|\\.)*"),?)*\s*\])?|\w+=(?:\w+|"[^"]*"));?$/;
    return (
      /^digraph\b.*\{$/.test(lines[0] ?? "") &&
      lines.at(-1) === "}" &&
      lines.slice(1, -1).every((line) => statement.test(line))
    );
  }
}

async function drawings(example: string): Promise<void> {
  const stages = [
    await systemOf(example),
    await systemOf(example, { refactor: "apply" }),
    await systemOf(example, { refactor: "apply", visible: ["z!b", "w!b"], minimise: "weak" }),
  ];
  const valid = stages.map((lts) => typeof lts !== "string" && isValidDot(renderLtsDot(lts)));
  report("AD-10 valid DOT: as built, refactored, minimal", [true, true, true], valid);
}

/** From the edges; state 0 is the first. */
function graphOf(edges: readonly (readonly [number, string, number])[]): Lts {
  const builder = new LtsBuilder();
  for (const [from, label, to] of edges)
    builder.add(from, label === "tau" ? TAU : builder.labels.of(label), to);
  return builder.finish(1 + Math.max(...edges.flatMap(([from, , to]) => [from, to])), [0]);
}

function isAlike(first: Lts, second: Lts, relation: BasicEquivalence): boolean {
  const slices = comparing(first, second, relation);
  while (slices.advance(Infinity));
  return slices.result().isRelated;
}

export function equivalences(): void {
  const a = graphOf([[0, "a", 1]]);
  const tauA = graphOf([
    [0, "tau", 1],
    [1, "a", 2],
  ]);
  const choice = graphOf([
    [0, "a", 1],
    [0, "b", 2],
  ]);
  const silentChoice = graphOf([
    [0, "a", 1],
    [0, "tau", 2],
    [2, "b", 3],
  ]);
  report(
    "AD-9 tau.a and a weakly alike; a + tau.b and a + b not (10,000 random pairs: test/engines/lts/relations.test.ts)",
    [true, false],
    [isAlike(tauA, a, "weak"), isAlike(silentChoice, choice, "weak")],
  );
}
