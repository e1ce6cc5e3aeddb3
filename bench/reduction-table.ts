/**
 * The figures to reproduce: Spin 6.5 on the models in `bench/models/reduction`, nominal states (without states inside
 * atomic sequences and handshakes) and transitions in Spin's count (stored and matched).
 *
 * `plain` is `spin -o1 -o2 -o3`, `opt` Spin's default. Breadth-first Spin stores intermediate states, so its transitions
 * are comparable only for models without any; elsewhere none are given. Spin's two orders search the two handover models
 * differently, so breadth-first they are compared with depth-first.
 */
export interface Row {
  readonly model: string;
  readonly defines?: Readonly<Record<string, string>>;
  readonly isPidGlobal?: boolean;
  readonly mode: "plain" | "opt";
  readonly cells: Readonly<Partial<Record<Column, Cell>>>;
  /** Takes minutes: only with `--all`. */
  readonly isLong?: boolean;
}

export const columns = ["dfs", "dfs stack", "bfs", "bfs queue", "bfs visited"] as const;
export type Column = (typeof columns)[number];

export interface Cell {
  readonly states: number;
  readonly transitions?: number;
  /** Spin stores states inside atomic sequences and applies its proviso to them, unlike our search. */
  readonly isSpinOnly?: boolean;
  readonly isStoredInside?: boolean;
}

const cell = (states: number, transitions?: number): Cell =>
  transitions === undefined ? { states } : { states, transitions };
const spinOnly = (states: number): Cell => ({ states, isSpinOnly: true });
/** Reproduced by `spin-breadth-first.ts`, with `--all`. */
const storedInside = (states: number): Cell => ({ states, isSpinOnly: true, isStoredInside: true });

/** Full, stack, queue, visited; breadth-first full equals depth-first full. */
function cells(full: Cell | undefined, stack: Cell, queue: Cell, visited: Cell): Row["cells"] {
  return {
    ...(full ? { dfs: full, bfs: full } : {}),
    "dfs stack": stack,
    "bfs queue": queue,
    "bfs visited": visited,
  };
}

const peterson = (n: number): { model: string; defines: Record<string, string> } => ({
  model: "petersonN",
  defines: { N: `${n}` },
});

export const table: readonly Row[] = [
  {
    model: "sieve",
    mode: "opt",
    cells: cells(cell(25295, 90558), cell(2093, 2571), cell(2093), cell(10392)),
  },
  {
    model: "sieve",
    mode: "plain",
    cells: cells(cell(47669, 177716), cell(2528, 3006), cell(2528), cell(14069)),
  },
  { model: "dkr", mode: "opt", cells: cells(cell(15779, 58181), cell(97, 97), cell(97), cell(97)) },
  { model: "dkr", mode: "plain", cells: cells(cell(41692, 169690), cell(108, 108), cell(108), cell(108)) },
  {
    model: "dkr_any",
    mode: "opt",
    cells: cells(undefined, cell(14122, 14241), cell(14122), cell(14122)),
  },
  {
    model: "dkr_any",
    mode: "plain",
    cells: cells(undefined, cell(15642, 15761), cell(15642), cell(15642)),
  },
  {
    model: "dkr_any",
    mode: "opt",
    isLong: true,
    cells: { dfs: cell(1975050, 7208097), bfs: cell(1975050, 7208097) },
  },
  {
    model: "dkr_any",
    mode: "plain",
    isLong: true,
    cells: { dfs: cell(5422354, 21949905), bfs: cell(5422354, 21949905) },
  },
  {
    model: "handover",
    mode: "opt",
    cells: cells(cell(10865, 32688), cell(3301, 6531), spinOnly(3076), spinOnly(6082)),
  },
  {
    model: "handover",
    mode: "plain",
    cells: cells(cell(10865, 32688), cell(3301, 6531), spinOnly(3076), spinOnly(6082)),
  },
  {
    model: "handover_full",
    mode: "opt",
    cells: cells(cell(30652, 91356), cell(6602, 13291), spinOnly(6015), spinOnly(11867)),
  },
  {
    model: "handover_full",
    mode: "plain",
    cells: cells(cell(32668, 98268), cell(6774, 13463), spinOnly(6183), spinOnly(12443)),
  },
  { ...peterson(2), mode: "opt", cells: cells(cell(178, 321), cell(56, 62), cell(56, 63), cell(61, 75)) },
  {
    ...peterson(2),
    mode: "plain",
    cells: cells(cell(294, 541), cell(91, 111), cell(112, 159), cell(113, 165)),
  },
  {
    ...peterson(3),
    mode: "opt",
    cells: cells(cell(25362, 69787), cell(2999, 3805), cell(2970, 3748), cell(11595, 28178)),
  },
  {
    ...peterson(3),
    mode: "plain",
    cells: cells(cell(45915, 128654), cell(4442, 5646), cell(7385, 11344), cell(20152, 48585)),
  },
  {
    ...peterson(2),
    isPidGlobal: true,
    mode: "opt",
    cells: cells(cell(206, 375), cell(133, 171), cell(135, 180), cell(164, 290)),
  },
  {
    ...peterson(2),
    isPidGlobal: true,
    mode: "plain",
    cells: cells(cell(294, 541), cell(196, 290), cell(199, 299), cell(234, 428)),
  },
  {
    ...peterson(3),
    isPidGlobal: true,
    mode: "opt",
    cells: cells(cell(30432, 84269), cell(16720, 30322), cell(13650, 21135), cell(26373, 73771)),
  },
  {
    ...peterson(3),
    isPidGlobal: true,
    mode: "plain",
    cells: cells(cell(45915, 128654), cell(19414, 33721), cell(20748, 35538), cell(38926, 110974)),
  },
  {
    ...peterson(4),
    isPidGlobal: true,
    mode: "opt",
    isLong: true,
    cells: cells(undefined, cell(3185844, 6853324), cell(3645286, 7423781), cell(7161481, 27380286)),
  },
  {
    model: "flowctl",
    mode: "opt",
    cells: cells(cell(144813, 397948), cell(47356, 64970), cell(47439), storedInside(99699)),
  },
  {
    model: "flowctl",
    mode: "plain",
    cells: cells(cell(439895, 1301624), cell(95241, 130859), storedInside(94744), storedInside(243713)),
  },
  {
    model: "sortpipe",
    mode: "opt",
    cells: cells(cell(107713, 512419), cell(135, 135), cell(135), cell(135)),
  },
  {
    model: "sortpipe",
    mode: "plain",
    cells: cells(cell(659683, 3454989), cell(182, 182), cell(182), cell(182)),
  },
];
