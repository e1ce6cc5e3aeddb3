/** The published figures on omissions beside our formulas, for the bench and the tests. */
import {
  bestFunctions,
  omissionsAmong,
  type Omissions,
} from "../../src/engines/explicit/stores/omissions.js";

export interface Figure {
  readonly name: string;
  readonly expected: number;
  readonly obtained: number;
  /** Allowed relative error: one per cent, plus the rounding of the printed figure. */
  readonly tolerance: number;
}

export const figures = (): readonly Figure[] => [
  {
    name: "64 bits, 1e7 states, table 99 % full: probability about 1e-12, as its logarithm",
    expected: -12,
    obtained: Math.log10(compact(Math.round(1e7 / 0.99), 64, 1e7).probability),
    tolerance: 0.05,
  },
  ...optimal(),
  ...memorySizes(),
  ...murphiReports(),
  ...sweep(),
];

const MIB = 8 * 2 ** 20;

const bitstate = (bits: number, functions: number, states: number): Omissions =>
  omissionsAmong({ kind: "bitstate", bits, functions }, states);

const compact = (cells: number, width: number, states: number): Omissions =>
  omissionsAmong({ kind: "compact", cells, width }, states);

/** A figure as printed: `0.168` allows half a unit of its last digit. */
function figure(name: string, printed: string, obtained: number): Figure {
  const expected = Number(printed);
  const digits = printed.replace(/e.*/, "").replace(".", "").replace(/^0+/, "").length;
  const leading = Number(printed.replace(/e.*/, "").replace(".", "")) || 1;
  return { name, expected, obtained, tolerance: Math.max(0.01, digits < 3 ? 0.55 / leading : 0) };
}

/** Best number of functions and expected omissions, by bits per state. */
function optimal(): Figure[] {
  const rows: readonly (readonly [c: number, k: number, perState: string])[] = [
    [2, 2, "0.168"],
    [4, 4, "0.0440"],
    [5, 5, "0.0238"],
    [8, 7, "4.0e-3"],
    [10, 8, "1.29e-3"],
    [12, 10, "4.3e-4"],
    [16, 12, "4.96e-5"],
    [20, 15, "5.99e-6"],
    [24, 18, "7.5e-7"],
    [32, 24, "1.24e-8"],
    [40, 29, "2.16e-10"],
    [48, 35, "3.9e-12"],
    [64, 46, "1.37e-15"],
  ];
  const n = 1e8;
  return rows.flatMap(([c, k, perState]) => [
    { name: `${c} bits per state: best k`, expected: k, obtained: bestFunctions(c * n, n), tolerance: 1e-9 },
    figure(`${c} bits per state: omissions per state`, perState, bitstate(c * n, k, n).expected / n),
  ]);
}

function memorySizes(): Figure[] {
  const n = 3e8;
  return [
    figure("1024 MB, k=21, 3e8: expected", "20.7", bitstate(1024 * MIB, 21, n).expected),
    figure("1750 MB, k=21, 3e8: expected", "0.00416", bitstate(1750 * MIB, 21, n).expected),
    figure("1750 MB, k=21, 3e8: probability", "0.0042", bitstate(1750 * MIB, 21, n).probability),
    figure("1750 MB, k=35, 3e8: expected", "0.000735", bitstate(1750 * MIB, 35, n).expected),
    figure("1750 MB, k=35, 3e8: probability", "0.00073", bitstate(1750 * MIB, 35, n).probability),
    figure("400 MB, k=24, 1e8: expected", "0.563", bitstate(400 * MIB, 24, 1e8).expected),
    figure("400 MB, k=24, 1e8: probability", "0.43", bitstate(400 * MIB, 24, 1e8).probability),
    figure("400 MB, k=3, 1e8: expected", "16064", bitstate(400 * MIB, 3, 1e8).expected),
    { name: "best k, 1024 MB, 3e8", expected: 21, obtained: bestFunctions(1024 * MIB, n), tolerance: 1e-9 },
    { name: "best k, 1750 MB, 3e8", expected: 35, obtained: bestFunctions(1750 * MIB, n), tolerance: 1e-9 },
    { name: "best k, 400 MB, 1e8", expected: 25, obtained: bestFunctions(400 * MIB, 1e8), tolerance: 1e-9 },
    { name: "best k, 32 bits per state", expected: 24, obtained: bestFunctions(3.2e9, 1e8), tolerance: 1e-9 },
  ];
}

function murphiReports(): Figure[] {
  const rows: readonly (readonly [b: number, t: number, n: number, p: string])[] = [
    [16, 1_097_143, 409_304, "0.792183"],
    [20, 930_911, 409_308, "0.116540"],
    [24, 808_421, 409_308, "0.009568"],
    [40, 529_657, 409_308, "0"],
  ];
  return rows.map(([b, t, n, p]) => figure(`b=${b}, t=${t}: probability`, p, compact(t, b, n).probability));
}

/** 400 MB from 10 to 1000 million states, each technique at its best. Percentages as printed. */
function sweep(): Figure[] {
  const rows: readonly (readonly string[])[] = [
    ["10", "1.19e-4", "5.7e-23", "0.829", "5.7e-28", "1.8e-5"],
    ["30", "1.24e-3", "9.6e-12", "1", "3.2e-17", "4.7e-4"],
    ["50", "4.17e-3", "7.0e-7", "1", "1.4e-12", "2.1e-3"],
    ["80", "0.0164", "0.0092", "1", "1.2e-8", "8.4e-3"],
    ["90", "0.0264", "0.080", "1", "9.3e-8", "0.0118"],
    ["100", "0.0504", "0.431", "1", "5.6e-7", "0.0161"],
    ["104", "0.0889", "0.676", "1", "1.1e-6", "0.0180"],
    ["120", "", "1", "1", "1.1e-5", "0.0272"],
    ["150", "", "1", "1", "2.9e-4", "0.0514"],
    ["200", "", "1", "1", "0.0113", "0.116"],
    ["300", "", "1", "1", "0.57", "0.35"],
    ["500", "", "1", "1", "10.5", "1.3"],
    ["1000", "", "1", "1", "47", "6.7"],
  ];
  const lost: Readonly<Record<string, string>> = {
    120: "12.6",
    150: "30",
    200: "47",
    300: "65",
    500: "79",
    1000: "89",
  };
  /** Printed with one digit. */
  const nearly: Readonly<Record<string, number>> = {
    10: 1e-9,
    30: 4e-9,
    50: 8e-9,
    80: 2e-8,
    90: 3e-8,
    100: 5e-8,
    104: 9e-8,
  };
  return rows.flatMap(
    ([millions = "", full = "", fine = "", coarse = "", finePart = "", coarsePart = ""]) => {
      const n = Number(millions) * 1e6;
      const at = `400 MB, ${millions} M states`;
      const [hc, k24, k3] = [
        compact(104_857_600, 32, n),
        bitstate(400 * MIB, 24, n),
        bitstate(400 * MIB, 3, n),
      ];
      const about = nearly[millions];
      return [
        ...(about === undefined
          ? []
          : [
              {
                name: `${at}: compaction, % omitted, about`,
                expected: about,
                obtained: (100 * hc.expected) / n,
                tolerance: 0.5,
              },
            ]),
        full !== ""
          ? figure(`${at}: compaction, probability`, full, hc.probability)
          : figure(
              `${at}: compaction, % omitted`,
              lost[millions]!,
              Math.floor((1000 * hc.expected) / n) / 10,
            ),
        figure(`${at}: k=24, probability`, fine, k24.probability),
        figure(`${at}: k=3, probability`, coarse, k3.probability),
        figure(`${at}: k=24, % omitted`, finePart, (100 * k24.expected) / n),
        figure(`${at}: k=3, % omitted`, coarsePart, (100 * k3.expected) / n),
      ];
    },
  );
}
