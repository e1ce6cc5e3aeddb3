/** Reference instances with their published answers: which way, and at which i when i grows by one and nothing is concretised. */
import type { Bvas, BvasRule } from "../../../src/model/index.js";

export interface ReferenceCase {
  readonly id: string;
  readonly system: Bvas;
  readonly target: readonly number[];
  readonly answer: "covered" | "uncovered";
  readonly i: number;
}

const nowhere = { file: "reference", start: 0, end: 0 };

export function system(
  name: string,
  axioms: readonly (readonly number[])[],
  unary: readonly (readonly number[])[],
  binary: readonly (readonly number[])[] = [],
): Bvas {
  const rules = (kind: string, vectors: readonly (readonly number[])[]): BvasRule[] =>
    vectors.map((vector, index) => ({ name: `${kind} ${index + 1}`, vector, span: nowhere }));
  return {
    kind: "bvas",
    name,
    places: axioms[0]!.map((_, index) => `x${index + 1}`),
    axioms: rules("axiom", axioms),
    unary: rules("unary", unary),
    binary: rules("binary", binary),
    properties: [],
  };
}

const B1 = system("B1", [[1]], [], [[0]]);
const B1b = system("B1b", [[1]], [], [[-1]]);
const B1c = system("B1c", [[2]], [], [[-1]]);
const B2 = system("B2", [[1, 0]], [[-1, 2]], [[0, -1]]);
const B3 = system(
  "B3",
  [
    [1, 0, 0],
    [0, 1, 0],
  ],
  [],
  [[-1, -1, 1]],
);
const V1 = system(
  "V1",
  [[1, 2]],
  [
    [2, -1],
    [-1, -1],
    [1, -1],
  ],
);
const V2 = system(
  "V2",
  [[1, 1, 0]],
  [
    [1, 0, 0],
    [-1, -1, 1],
    [1, 1, -1],
  ],
);
const V3 = (n: number): Bvas =>
  system(
    `V3 (n = ${n})`,
    [[0, 0]],
    [
      [1, 0],
      [-n, 1],
    ],
  );
const V4 = (n: number): Bvas => system(`V4 (n = ${n})`, [[n, 0]], [[-2, 1]]);

type Row = readonly [system: Bvas, target: readonly number[], answer: "covered" | "uncovered", i: number];

const rows = (id: string, list: readonly Row[]): ReferenceCase[] =>
  list.map(([of, target, answer, i]) => ({ id, system: of, target, answer, i }));

export const referenceCases: readonly ReferenceCase[] = [
  ...rows("CB-1", [
    [B1, [1], "covered", 0],
    [B1, [2], "covered", 2],
    [B1, [5], "covered", 5],
    [B1, [13], "covered", 13],
    [B1b, [1], "covered", 0],
    [B1b, [2], "uncovered", 1],
    [B1c, [2], "covered", 0],
    [B1c, [3], "covered", 3],
    [B1c, [10], "covered", 10],
    [B2, [1, 1], "covered", 2],
    [B2, [2, 0], "covered", 2],
    [B2, [1, 2], "covered", 2],
    [B2, [0, 3], "covered", 3],
    [B2, [3, 0], "covered", 3],
    [B2, [2, 5], "covered", 5],
    [B3, [0, 0, 1], "covered", 1],
    [B3, [0, 0, 2], "uncovered", 1],
    [B3, [1, 1, 0], "uncovered", 0],
    [B3, [0, 1, 1], "uncovered", 0],
  ]),
  ...rows("CB-2", [
    [V1, [2, 0], "covered", 2],
    [V1, [5, 0], "covered", 5],
    [V1, [4, 1], "uncovered", 3],
    [V1, [5, 1], "uncovered", 3],
    [V1, [6, 0], "uncovered", 5],
    [V2, [0, 0, 1], "covered", 1],
    [V2, [0, 0, 2], "uncovered", 1],
    [V2, [0, 1, 1], "uncovered", 1],
    [V2, [0, 2, 0], "uncovered", 1],
    [V2, [9, 0, 1], "covered", 9],
    ...[1, 2, 3, 5].flatMap((n): Row[] => [
      [V3(n), [0, 1], "covered", n],
      [V3(n), [0, 2], "covered", Math.max(n, 2)],
    ]),
    [V4(3), [0, 1], "covered", 1],
    [V4(3), [0, 2], "uncovered", 1],
    [V4(5), [0, 2], "covered", 2],
    [V4(5), [0, 3], "uncovered", 3],
    [V4(8), [0, 4], "covered", 6],
    [V4(8), [0, 5], "uncovered", 6],
  ]),
];

/** The control flow of a web server: handlers ask a cache and a database and reply with the first useful answer. */
export const webServer = (isBuggy: boolean): string => `
task cache { choose { [] return hit; [] return miss; } }
task db { return row; }
task handler {
  post cache in S; post db in S;
  ewait S { on hit: on row: on miss: ewait S { on *: } }
  ${isBuggy ? "ewait S { on hit: error on row: error on miss: }" : "skip;"}
  return ok;
}
task main { loop { choose { [] post handler in R; [] ewait R { on *: } } } }
main main;
`;
