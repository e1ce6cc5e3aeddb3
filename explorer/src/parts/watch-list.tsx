/** Watched expressions: their value here and before, and over the whole path. */
import { useMemo, useState } from "react";
import { parseExpression, type Parsed, type Values, type Vocabulary } from "../expression.js";
import type { Path } from "../path.js";
import { useWatches } from "./watches.js";

/** A path to plot watches over. */
export interface Timeline {
  readonly path: Path;
  readonly position: number;
  readonly onSelect: (position: number) => void;
}

interface WatchListProps {
  readonly values: Values;
  readonly before: Values | null;
  readonly vocabulary: Vocabulary;
  readonly timeline: Timeline | undefined;
}

export function WatchList({ values, before, vocabulary, timeline }: WatchListProps) {
  const { expressions, toggle } = useWatches();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const add = (): void => {
    const wanted = text.trim();
    if (wanted === "") return;
    const parsed = parseExpression(wanted, vocabulary);
    if ("problem" in parsed) return setProblem(parsed.problem);
    setProblem(null);
    setText("");
    if (!expressions.includes(wanted)) toggle(wanted);
  };
  return (
    <div className="watches">
      <form onSubmit={(event) => (event.preventDefault(), add())}>
        <input
          type="search"
          className="filter"
          placeholder="watch: x + y, x == 1"
          aria-label="Watch an expression"
          value={text}
          onChange={(event) => (setText(event.target.value), setProblem(null))}
        />
        <button disabled={text.trim() === ""}>Watch</button>
      </form>
      {problem !== null && (
        <p className="refused" role="status">
          {problem}
        </p>
      )}
      {expressions.length > 0 && (
        <table className="mono">
          <tbody>
            {expressions.map((source) => (
              <Watched
                key={source}
                source={source}
                parsed={parseExpression(source, vocabulary)}
                values={values}
                before={before}
                timeline={timeline}
                onRemove={() => toggle(source)}
              />
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

interface WatchedProps {
  readonly source: string;
  readonly parsed: Parsed;
  readonly values: Values;
  readonly before: Values | null;
  readonly timeline: Timeline | undefined;
  readonly onRemove: () => void;
}

function Watched({ source, parsed, values, before, timeline, onRemove }: WatchedProps) {
  const evaluate = "expression" in parsed ? parsed.expression.evaluate : () => undefined;
  const now = evaluate(values);
  const was = before ? evaluate(before) : now;
  const why = "problem" in parsed ? parsed.problem : "no value here";
  return (
    <tr className={now === was ? undefined : "is-changed"}>
      <td>
        <button className="star" aria-label={`stop watching ${source}`} aria-pressed onClick={onRemove}>
          ★
        </button>
        {source}
      </td>
      <td title={now === undefined ? why : undefined}>{now ?? "–"}</td>
      <td className="was">{now === was ? "" : `was ${was ?? "–"}`}</td>
      <td className="plot">{timeline && <Plot source={source} timeline={timeline} />}</td>
    </tr>
  );
}

const [WIDTH, HEIGHT] = [150, 22];

/** The expression at every position of the path; a click goes there. */
function Plot({ source, timeline: { path, position, onSelect } }: { source: string; timeline: Timeline }) {
  const series = useMemo(() => path.watch(source), [path, source]);
  const { line, label } = useMemo(() => plotted(source, series), [source, series]);
  const x = (WIDTH * position) / Math.max(1, path.last);
  const go = (event: React.MouseEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    onSelect(Math.round(((event.clientX - box.left) / box.width) * path.last));
  };
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={label}
      onClick={go}
    >
      <title>{label}</title>
      <path d={line} />
      <line x1={x} x2={x} y1={0} y2={HEIGHT} />
    </svg>
  );
}

/** Numbers keep their distances; other values are levels in the order of their appearance. */
function plotted(source: string, series: readonly (string | undefined)[]): { line: string; label: string } {
  const present = series.filter((value) => value !== undefined);
  const isNumeric = present.every((value) => Number.isFinite(Number(value)));
  const levels = new Map(
    [...new Set(present)].map((value, index) => [value, isNumeric ? Number(value) : index]),
  );
  const [low, high] = [least(levels.values()), most(levels.values())];
  const y = (value: string): number =>
    high === low ? HEIGHT / 2 : HEIGHT - 2 - ((levels.get(value)! - low) / (high - low)) * (HEIGHT - 4);
  const stride = Math.max(1, Math.floor(series.length / MOST_POINTS));
  const parts: string[] = [];
  let isDrawing = false;
  for (let at = 0; at < series.length; at += stride) {
    const value = series[at];
    if (value === undefined) {
      isDrawing = false;
      continue;
    }
    const x = ((WIDTH * at) / Math.max(1, series.length - 1)).toFixed(1);
    parts.push(isDrawing ? `H${x}V${y(value).toFixed(1)}` : `M${x} ${y(value).toFixed(1)}`);
    isDrawing = true;
  }
  const range = present.length === 0 ? "no value" : isNumeric ? `${low} to ${high}` : `${levels.size} values`;
  return { line: parts.join(""), label: `${source} over the steps: ${range}` };
}

const MOST_POINTS = 1000;

const least = (numbers: Iterable<number>): number => [...numbers].reduce((a, b) => Math.min(a, b), Infinity);
const most = (numbers: Iterable<number>): number => [...numbers].reduce((a, b) => Math.max(a, b), -Infinity);
