/**
 * The steps of a path of any length: only visible rows are in the document. Rows have one height, so that positions are
 * computed.
 */
import { memo, useMemo } from "react";
import type { StepView } from "../../../src/explorer/protocol.js";
import { isWhereItFails, type Path } from "../path.js";
import { ROW, useRows } from "./use-rows.js";

export interface StepListProps {
  readonly path: Path;
  readonly current: number;
  readonly onSelect: (position: number) => void;
  readonly matches?: ReadonlySet<number>;
  readonly label: string;
}

export function StepList({ path, current, onSelect, matches, label }: StepListProps) {
  const rows = path.last + 1;
  const { pane, from, to, onScroll } = useRows(rows, current);
  const columns = useMemo(() => columnsOf(path), [path]);
  const { loopStart, length } = path.view;
  return (
    <div
      className="steps mono"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={current >= from && current < to ? `step-${current}` : undefined}
      ref={pane}
      onScroll={onScroll}
    >
      <div style={{ height: rows * ROW, ...columns } as React.CSSProperties}>
        <div style={{ transform: `translateY(${from * ROW}px)` }}>
          {Array.from({ length: to - from }, (_, i) => from + i).map((position) => (
            <Row
              key={position}
              position={position}
              rows={rows}
              step={position === 0 ? undefined : path.steps[position - 1]!}
              previous={position < 2 ? 0 : path.steps[position - 2]!.number}
              loop={
                loopStart === null
                  ? ""
                  : loopClass(position === 0 ? 0 : path.steps[position - 1]!.number, loopStart, length)
              }
              failure={failureAt(path, position)}
              isCurrent={position === current}
              isMatch={matches?.has(position) ?? false}
              onSelect={onSelect}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** The error of a step, or of the state that the run ends in. */
function failureAt({ steps, view }: Path, position: number): string | null {
  const number = position === 0 ? 0 : steps[position - 1]!.number;
  if (isWhereItFails(view, number)) return view.ending.text;
  return position === 0 ? null : steps[position - 1]!.fault;
}

/** Widths in letters, equal for all rows so that columns align. */
function columnsOf({ steps, view }: Path): Record<"--digits" | "--who", number> {
  let who = 4;
  for (const { participants } of steps) who = Math.max(who, participants.join(" + ").length);
  return { "--digits": Math.max(3, `${view.length}`.length + 1), "--who": Math.min(who, 24) };
}

/** Steps of the loop have a bracket beside them. */
function loopClass(number: number, loopStart: number, length: number): string {
  if (number <= loopStart) return "";
  const ends = [number === loopStart + 1 ? "loop-begin" : "", number === length ? "loop-end" : ""];
  return ["loop", ...ends].filter(Boolean).join(" ");
}

interface RowProps {
  readonly position: number;
  readonly rows: number;
  readonly step: StepView | undefined;
  readonly previous: number;
  readonly loop: string;
  readonly failure: string | null;
  readonly isCurrent: boolean;
  readonly isMatch: boolean;
  readonly onSelect: (position: number) => void;
}

const Row = memo(function Row({
  position,
  rows,
  step,
  previous,
  loop,
  failure,
  isCurrent,
  isMatch,
  onSelect,
}: RowProps) {
  const gap = step ? step.number - previous - 1 : 0;
  const kind = [
    "step",
    loop,
    isCurrent ? "is-current" : "",
    isMatch ? "is-match" : "",
    failure === null ? "" : "is-fault",
    step?.isIntermediate ? "is-inner" : "",
  ];
  return (
    <div
      id={`step-${position}`}
      role="option"
      aria-selected={isCurrent}
      aria-setsize={rows}
      aria-posinset={position + 1}
      className={kind.filter(Boolean).join(" ")}
      style={{ height: ROW }}
      title={[step ? titleOf(step) : "", failure ?? ""].filter(Boolean).join("\n") || undefined}
      onClick={() => onSelect(position)}
    >
      <span className="number">{step?.number ?? 0}</span>
      {step ? (
        <>
          <span className="who">{step.participants.join(" + ")}</span>
          <span className="what">
            {gap > 0 && <i className="faint">({gap} left out) </i>}
            {step.action}
          </span>
          <span className="effect">
            {failure !== null && <b className="bad">✗ {failure} </b>}
            {effectOf(step)}
          </span>
        </>
      ) : (
        <span className="what whole">
          the first state{failure !== null && <b className="bad"> ✗ {failure}</b>}
        </span>
      )}
    </div>
  );
});

export function effectOf({
  changes,
  messages,
  output,
}: Pick<StepView, "changes" | "messages" | "output">): string {
  const parts = [
    ...messages.map(({ kind, channel, message }) => `${channel}${kind === "receive" ? "?" : "!"}${message}`),
    ...changes
      .slice(0, 4)
      .map(([name, value]) => (value === null ? `${name} is gone` : `${name} = ${value}`)),
    ...(output === "" ? [] : [`prints ${output.trimEnd()}`]),
  ];
  return parts.join(", ");
}

const titleOf = (step: StepView): string => [step.action, effectOf(step)].filter(Boolean).join("\n");
