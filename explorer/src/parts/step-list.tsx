/**
 * The steps of a path of any length: only visible rows are in the document. Rows have one height, so that positions are
 * computed.
 */
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { StepView } from "../../../src/explorer/protocol.js";
import type { Path } from "../path.js";

const ROW = 26;
/** Rows rendered above and below the visible ones. */
const MARGIN = 20;

export interface StepListProps {
  readonly path: Path;
  readonly current: number;
  readonly onSelect: (position: number) => void;
  readonly matches?: ReadonlySet<number>;
  readonly label: string;
}

export function StepList({ path, current, onSelect, matches, label }: StepListProps) {
  const pane = useRef<HTMLDivElement>(null);
  const [[first, count], setSeen] = useState<readonly [number, number]>([0, 40]);
  const rows = path.last + 1;

  const look = (): void => {
    const { scrollTop, clientHeight } = pane.current!;
    const top = Math.floor(scrollTop / ROW);
    const seen = Math.min(140, Math.ceil(clientHeight / ROW));
    setSeen((before) => (before[0] === top && before[1] === seen ? before : [top, seen]));
  };

  useEffect(() => {
    const observer = new ResizeObserver(look);
    observer.observe(pane.current!);
    return () => observer.disconnect();
  }, []);

  useLayoutEffect(() => {
    const { scrollTop, clientHeight } = pane.current!;
    const top = current * ROW;
    if (top < scrollTop) pane.current!.scrollTop = Math.max(0, top - ROW);
    else if (top + 2 * ROW > scrollTop + clientHeight) pane.current!.scrollTop = top + 2 * ROW - clientHeight;
    look();
  }, [current, rows]);

  const columns = useMemo(() => columnsOf(path), [path]);
  const from = Math.max(0, first - MARGIN);
  const to = Math.min(rows, first + count + MARGIN);
  const { loopStart, length } = path.view;
  return (
    <div
      className="steps mono"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={current >= from && current < to ? `step-${current}` : undefined}
      ref={pane}
      onScroll={look}
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
    step?.fault ? "is-fault" : "",
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
      title={step ? titleOf(step) : undefined}
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
          <span className="effect">{effectOf(step)}</span>
        </>
      ) : (
        <span className="what whole">the first state</span>
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

const titleOf = (step: StepView): string =>
  [step.action, effectOf(step), step.fault ?? ""].filter(Boolean).join("\n");
