/** The tables of the bench: both tools, ratios (Spin's figure divided by ours), geometric means, targets. */
import type { Measurement, Mode } from "./measure.js";
import { geometricMean, renderColumns } from "./statistics.js";

export interface Result {
  readonly model: string;
  readonly mode: Mode;
  /** In the plain graph. */
  readonly states: number;
  readonly spin: Measurement;
  readonly ours: Measurement;
}

export function renderResults(results: readonly Result[], modes: readonly Mode[]): string {
  return modes
    .map((mode) => {
      const rows = results.filter((result) => result.mode === mode);
      return [
        titles[mode],
        renderColumns([headings, ...rows.map(renderRow)]),
        ...renderMeans(mode, rows),
      ].join("\n");
    })
    .join("\n\n");
}

const titles: Record<Mode, string> = {
  "depth-first":
    "Depth-first over the same graph: --plain --search dfs; spin -o1 -o2 -o3, gcc -O2 -DSAFETY -DNOREDUCE",
  "breadth-first": "Breadth-first over the same graph: --plain --search bfs; the same with -DBFS",
  defaults: "Defaults: everypath check; spin -a, gcc -O2 -DSAFETY (its reductions on)",
};

const headings = [
  "model",
  "states: spin",
  "ours",
  "search s: spin",
  "ours",
  "ratio",
  "whole s: spin",
  "ours",
  "ratio",
  "MiB: spin",
  "ours",
  "ratio",
];

const renderRow = ({ model, spin, ours }: Result): string[] => [
  model,
  ...[spin.states, ours.states].map((count) => count.toLocaleString("en")),
  ...compared(spin.searchSeconds, ours.searchSeconds, 2),
  ...compared(spin.totalSeconds, ours.totalSeconds, 2),
  ...compared(spin.peakBytes / 2 ** 20, ours.peakBytes / 2 ** 20, 0),
];

const compared = (spin: number, ours: number, digits: number): string[] => [
  spin.toFixed(digits),
  ours.toFixed(digits),
  ratio(spin / ours),
];

function renderMeans(mode: Mode, rows: readonly Result[]): string[] {
  const search = rows.map(({ spin, ours }) => spin.searchSeconds / ours.searchSeconds);
  const small = rows.filter(({ states }) => states < 1_000_000);
  const big = rows.filter(({ states }) => states >= 5_000_000);
  const whole = small.map(({ spin, ours }) => spin.totalSeconds / ours.totalSeconds);
  const memory = big.map(({ spin, ours }) => spin.peakBytes / ours.peakBytes);
  const target = targets[mode];
  return [
    `search, geometric mean ${ratio(geometricMean(search))}, worst ${ratio(Math.min(...search))}${target?.search ?? ""}`,
    ...(small.length > 0
      ? [
          `whole run, models under 1 M states, geometric mean ${ratio(geometricMean(whole))}${target?.whole ?? ""}`,
        ]
      : []),
    ...(big.length > 0
      ? [`memory, models of 5 M states and more, worst ${ratio(Math.min(...memory))}${target?.memory ?? ""}`]
      : []),
  ];
}

const targets: Partial<Record<Mode, { search: string; whole: string; memory: string }>> = {
  "depth-first": {
    search: " (target: 2x in the mean, none below 0.8x)",
    whole: " (target: 3x)",
    memory: " (target: 2x)",
  },
  "breadth-first": { search: " (target: 3x in the mean)", whole: "", memory: "" },
};

const ratio = (value: number): string => `${value.toFixed(2)}x`;
