/** Geometric means, worst rows, and the rows that no mean covers. */
import { geometricMean } from "../statistics.js";
import type { Figures } from "./figures.js";
import { type Pair, type Row, agreementOf, comparedBytes, figuresOf, pairsOf } from "./rows.js";

/** Least number of states for measuring workers. */
export const WORKER_STATES = 1_000_000;
const LONG_SECONDS = 1;

interface Ratio {
  readonly model: string;
  readonly value: number;
}

export function renderSummary(rows: readonly Row[], workers: number): string {
  const pairs = pairsOf(rows);
  const long = pairs.filter(isLong);
  const short = pairs.filter((pair) => !isLong(pair));
  const title = { long: "peer over a second", short: "peer under a second" };
  const time = (pair: Pair, of: (figures: Figures) => number): number => of(pair.theirs) / of(pair.ours);
  return [
    "Ratios: the peer's figure divided by ours, so above 1 ours is less.",
    line(`search, ${title.long}`, long, (p) => time(p, (f) => f.searchSeconds)),
    line(`search, processor time, ${title.long}`, long, (p) => time(p, (f) => f.processorSeconds)),
    line(`end to end, ${title.long}`, long, (p) => time(p, (f) => f.wholeSeconds)),
    line(`memory, ${title.long}`, long, memoryRatio),
    ...collapsedLines(long),
    line(`search, ${title.short}`, short, (p) => time(p, (f) => f.searchSeconds)),
    line(`search, processor time, ${title.short}`, short, (p) => time(p, (f) => f.processorSeconds)),
    line(`end to end, ${title.short}`, short, (p) => time(p, (f) => f.wholeSeconds)),
    line(`end to end, processor time, ${title.short}`, short, (p) => time(p, (f) => f.wholeProcessorSeconds)),
    line(`memory, ${title.short}`, short, memoryRatio),
    line("search, all rows", pairs, (p) => time(p, (f) => f.searchSeconds)),
    line("search, processor time, all rows", pairs, (p) => time(p, (f) => f.processorSeconds)),
    line("memory, all rows", pairs, memoryRatio),
    ...workerLines(pairs, workers),
    ...renderFailures(rows),
    renderAgreement(rows),
  ].join("\n");
}

/** By processor time, which a busy machine distorts least. */
export const isLong = ({ theirs }: Pair): boolean => theirs.processorSeconds > LONG_SECONDS;

const memoryRatio = ({ row, theirs, ours }: Pair): number =>
  comparedBytes(row, theirs) / comparedBytes(row, ours);

function collapsedLines(pairs: readonly Pair[]): string[] {
  const both = pairs.flatMap((pair) => {
    const collapsed = figuresOf(pair.row.collapsed);
    return collapsed ? [{ ...pair, theirs: collapsed }] : [];
  });
  const against = "against pan -DCOLLAPSE, same rows";
  return [
    line(`search, ${against}`, both, (p) => p.theirs.searchSeconds / p.ours.searchSeconds),
    line(
      `search, processor time, ${against}`,
      both,
      (p) => p.theirs.processorSeconds / p.ours.processorSeconds,
    ),
    line(`memory, ${against}`, both, memoryRatio),
  ];
}

function workerLines(pairs: readonly Pair[], workers: number): string[] {
  if (workers < 2) return [];
  const several = pairs.flatMap((pair) => {
    const figures = figuresOf(pair.row.workers);
    return figures ? [{ ...pair, several: figures }] : [];
  });
  return [
    line(
      `search, --workers ${workers} beside one of ours, over a million states`,
      several,
      (p) => p.ours.searchSeconds / p.several.searchSeconds,
    ),
    line(
      `search, --workers ${workers} beside the peer, over a million states`,
      several,
      (p) => p.theirs.searchSeconds / p.several.searchSeconds,
    ),
  ];
}

function line<P extends Pair>(what: string, pairs: readonly P[], of: (pair: P) => number): string {
  const ratios = pairs.map((pair) => ({ model: pair.row.model, value: of(pair) }));
  if (ratios.length === 0) return `${what}: no rows`;
  const worst = worstOf(ratios);
  const mean = geometricMean(ratios.map(({ value }) => value));
  return `${what} (${ratios.length} rows): geometric mean ${mean.toFixed(2)}x, worst ${worst.value.toFixed(2)}x (${worst.model})`;
}

export const worstOf = (ratios: readonly Ratio[]): Ratio =>
  ratios.reduce((worst, ratio) => (ratio.value < worst.value ? ratio : worst));

/** Rows without a ratio, with the reason. */
function renderFailures(rows: readonly Row[]): string[] {
  const lines = rows.flatMap((row) => {
    const sides = [row.theirs, row.ours, row.collapsed, row.workers];
    const reasons = sides.flatMap((one) => (one?.kind === "failed" ? [one.why] : []));
    return reasons.length === 0 ? [] : [`  ${row.model}: ${reasons.join("; ")}`];
  });
  const compared = pairsOf(rows).length;
  return [`compared: ${compared} of ${rows.length} models`, ...(lines.length ? ["failed:", ...lines] : [])];
}

function renderAgreement(rows: readonly Row[]): string {
  const differing = rows.filter((row) => agreementOf(row) === "DIFFERS").map(({ model }) => model);
  const equal = rows.filter((row) => agreementOf(row) === "equal").length;
  const names = differing.length === 0 ? "" : `: ${differing.join(", ")}`;
  return `states: ${equal} equal, ${differing.length} DIFFER${names}, ${rows.length - equal - differing.length} not compared`;
}
