/** The figures of a run, live during the search, and the frontier's size over time. */
import type { Progress, RunView } from "../../../src/explorer/protocol.js";
import { formatBytes, formatCount, formatRate, formatSeconds } from "../../../src/report/figures.js";

export function RunFigures({ run }: { readonly run: RunView }) {
  const figures = figuresOf(run);
  if (!figures) return <p className="faint">The first figures come after a moment of searching.</p>;
  return (
    <>
      <dl className="figures">
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {run.history.length > 1 && <FrontierChart history={run.history} />}
    </>
  );
}

export function figuresOf({ answer, history }: RunView): (readonly [string, string])[] | null {
  if (answer?.kind === "report" && answer.stats.schedules !== undefined) {
    const { schedules, depth, seconds, totalSeconds } = answer.stats;
    return [
      ["schedules", formatCount(schedules)],
      ["turns, at most", formatCount(depth)],
      ["search", formatSeconds(seconds)],
      ["total time", formatSeconds(totalSeconds)],
    ];
  }
  if (answer?.kind === "report" && answer.stats.states > 0) {
    const { states, transitions, depth, seconds, totalSeconds, peakBytes, bytesPerState } = answer.stats;
    return [
      ["states", formatCount(states)],
      ["transitions", formatCount(transitions)],
      ["depth", formatCount(depth)],
      ["rate", seconds > 0 ? formatRate(states / seconds) : "–"],
      ["search", formatSeconds(seconds)],
      ["total time", formatSeconds(totalSeconds)],
      ["memory", formatBytes(peakBytes)],
      ["a state", bytesPerState > 0 ? `${bytesPerState.toFixed(1)} bytes` : "–"],
    ];
  }
  const now = history.at(-1);
  if (!now) return null;
  return [
    ["states", formatCount(now.states)],
    ["transitions", formatCount(now.transitions)],
    ["depth", formatCount(now.depth)],
    ["rate", formatRate(rateOf(history))],
    ["search", formatSeconds(now.seconds)],
    ["waiting", formatCount(now.frontier)],
    ["memory", formatBytes(now.bytes)],
  ];
}

/** Rate over the last moments; resets when the search restarts. */
function rateOf(history: readonly Progress[]): number {
  const now = history.at(-1)!;
  const before = history.at(-5);
  if (!before || before.states > now.states || before.seconds >= now.seconds)
    return now.seconds > 0 ? now.states / now.seconds : 0;
  return (now.states - before.states) / (now.seconds - before.seconds);
}

function FrontierChart({ history }: { readonly history: readonly Progress[] }) {
  const [width, height] = [460, 90];
  const end = Math.max(...history.map(({ seconds }) => seconds), 0.001);
  const most = Math.max(...history.map(({ frontier }) => frontier), 1);
  const points = history.map(({ seconds, frontier }) => [
    Math.round((seconds / end) * width),
    Math.round(height - (frontier / most) * (height - 6)),
  ]);
  const line = points.map(([x, y], index) => `${index === 0 ? "M" : "L"}${x} ${y}`).join("");
  const label = `States waiting to be explored over ${formatSeconds(end)}: at most ${formatCount(most)}, now ${formatCount(history.at(-1)!.frontier)}`;
  return (
    <figure className="frontier">
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label} preserveAspectRatio="none">
        <path className="area" d={`${line}L${points.at(-1)![0]} ${height}L0 ${height}Z`} />
        <path className="curve" d={line} />
      </svg>
      <figcaption className="faint">
        waiting states over {formatSeconds(end)}, at most {formatCount(most)}
      </figcaption>
    </figure>
  );
}
