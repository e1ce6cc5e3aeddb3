/**
 * What happened before what: steps as dots in the lanes of their processes, as high as the longest chain of steps and
 * messages that leads to them. Steps that neither precede nor follow the selected one are concurrent with it.
 */
import { useEffect, useMemo, useRef } from "react";
import { counted } from "../../../src/report/figures.js";
import { clockedEvents, happensBefore, type ClockedEvent } from "../../../src/report/happens-before.js";
import { matchMessages } from "../../../src/report/messages.js";
import { narrativeOf, processesOf, type Path } from "../path.js";

interface Props {
  readonly path: Path;
  readonly current: number;
  readonly onSelect: (position: number) => void;
}

const LANE = 150;
const ROW = 30;
/** Height of the names, which stay at the top. */
const HEAD = 6;
/** A larger drawing slows the page. */
const MOST = 300;

export function OrderPane({ path, current, onSelect }: Props) {
  const pane = useRef<HTMLDivElement>(null);
  // The window moves in leaps, so that most steps keep the layout.
  const start =
    path.last <= MOST ? 0 : Math.max(0, (Math.floor((current - 1) / (MOST / 2)) - 0.5) * (MOST / 2));
  const drawing = useMemo(() => layOut(path, start), [path, start]);
  const selected = drawing.dots.filter(({ event }) => event.step === current - 1);
  const relation = (event: ClockedEvent): string => {
    if (selected.length === 0) return "";
    if (selected.some((dot) => dot.event === event)) return "is-here";
    if (selected.some((dot) => happensBefore(event, dot.event))) return "is-before";
    return selected.some((dot) => happensBefore(dot.event, event)) ? "is-after" : "is-beside";
  };
  const count = (kind: string): number =>
    new Set(drawing.dots.filter(({ event }) => relation(event) === kind).map(({ event }) => event.step)).size;
  useEffect(() => {
    const here = selected[0];
    const box = pane.current;
    if (!here || !box) return;
    if (here.y < box.scrollTop + 20 || here.y + 60 > box.scrollTop + box.clientHeight)
      box.scrollTop = here.y - box.clientHeight / 2;
    if (here.x < box.scrollLeft + 20 || here.x + 20 > box.scrollLeft + box.clientWidth)
      box.scrollLeft = here.x - box.clientWidth / 2;
  });
  const { width, height, lanes, dots, messages } = drawing;
  return (
    <>
      <div className="bar">
        <h2>Order of messages</h2>
      </div>
      <p role="status">
        {selected.length === 0
          ? "Select a step: what happened before it, after it and beside it is marked."
          : `Step ${path.numberAt(current)}: ${counted(count("is-before"), "step")} before it, ${count("is-after")} after it, ${count("is-beside")} concurrent with it.`}{" "}
        <span className="faint">
          Ordered by processes and messages; shared variables are not considered.
          {path.last > MOST ? ` ${counted(dots.length, "event")} around the step are drawn.` : ""}
        </span>
      </p>
      <div className="chart order" ref={pane} tabIndex={0} role="region" aria-label="Steps by their order">
        <div className="lane-names" style={{ width }} aria-hidden="true">
          {lanes.map(({ name }) => (
            <span key={name} title={name} style={{ width: LANE }}>
              {name}
            </span>
          ))}
        </div>
        <svg width={width} height={height} role="img" aria-label="What happened before what">
          {lanes.map(({ name, x }) => (
            <line key={name} className="lane" x1={x} x2={x} y1={HEAD} y2={height - 6} />
          ))}
          {messages.map(({ from, to, text }, index) => (
            <g key={index} className={`message ${messageClass(relation(from.event), relation(to.event))}`}>
              <title>{text}</title>
              <path d={arrowOf(from, to)} markerEnd="url(#order-tip)" />
            </g>
          ))}
          {dots.map((dot) => (
            <g
              key={`${dot.event.step} ${dot.event.process}`}
              className={`event ${relation(dot.event)}`}
              data-step={path.steps[dot.event.step]!.number}
              onClick={() => onSelect(dot.event.step + 1)}
            >
              <title>{`${path.steps[dot.event.step]!.number}. ${path.steps[dot.event.step]!.action}`}</title>
              <circle cx={dot.x} cy={dot.y} r={10} />
              <text x={dot.x} y={dot.y + 4}>
                {path.steps[dot.event.step]!.number}
              </text>
            </g>
          ))}
          <defs>
            <marker
              id="order-tip"
              viewBox="0 0 10 10"
              refX="9"
              refY="5"
              markerWidth="8"
              markerHeight="8"
              markerUnits="userSpaceOnUse"
              orient="auto"
            >
              <path d="M0 1L10 5L0 9z" />
            </marker>
          </defs>
        </svg>
      </div>
    </>
  );
}

interface Dot {
  readonly event: ClockedEvent;
  readonly x: number;
  readonly y: number;
}

interface Order {
  readonly lanes: readonly { readonly name: string; readonly x: number }[];
  readonly dots: readonly Dot[];
  readonly messages: readonly { readonly from: Dot; readonly to: Dot; readonly text: string }[];
  readonly width: number;
  readonly height: number;
}

function layOut(path: Path, start: number): Order {
  const { steps } = narrativeOf(path);
  const transfers = matchMessages(steps);
  const events = clockedEvents(steps, transfers).filter(({ step }) => step >= start && step < start + MOST);
  const names = new Set(events.map(({ process }) => process));
  const lanes = processesOf(path)
    .filter((name) => names.has(name))
    .map((name, index) => ({ name, x: LANE * (index + 0.5) }));
  const xs = new Map(lanes.map(({ name, x }) => [name, x]));
  const received = new Map<number, number[]>();
  for (const { from, to } of transfers)
    if (from && to && from.step !== to.step)
      received.set(to.step, [...(received.get(to.step) ?? []), from.step]);
  const levelOfStep = new Map<number, number>();
  const levelOfProcess = new Map<string, number>();
  for (const { step, process } of events) {
    const earlier = [
      levelOfProcess.get(process) ?? -1,
      ...(received.get(step) ?? []).map((s) => levelOfStep.get(s) ?? -1),
    ];
    // All participants of a step are at its height.
    levelOfStep.set(step, Math.max(levelOfStep.get(step) ?? 0, ...earlier.map((level) => level + 1)));
    for (const name of steps[step]!.participants) levelOfProcess.set(name, levelOfStep.get(step)!);
  }
  const dots = events.map((event): Dot => ({
    event,
    x: xs.get(event.process)!,
    y: HEAD + ROW * (levelOfStep.get(event.step)! + 0.7),
  }));
  const dotOf = new Map(dots.map((dot) => [`${dot.event.step} ${dot.event.process}`, dot]));
  const messages = transfers.flatMap(({ from, to, channel, message }) => {
    const a = from && dotOf.get(`${from.step} ${from.process}`);
    const b = to && dotOf.get(`${to.step} ${to.process}`);
    return a && b && a !== b ? [{ from: a, to: b, text: `${channel}!${message}` }] : [];
  });
  const height = Math.max(HEAD + ROW, ...dots.map(({ y }) => y)) + ROW;
  return { lanes, dots, messages, width: LANE * lanes.length, height };
}

/** From border to border of the dots; an arrow within a lane is bent. */
function arrowOf(from: Dot, to: Dot): string {
  if (from.x === to.x)
    return `M${from.x + 9} ${from.y + 5}C${from.x + 40} ${from.y + 10} ${to.x + 40} ${to.y - 10} ${to.x + 9} ${to.y - 5}`;
  const angle = Math.atan2(to.y - from.y, to.x - from.x);
  const [dx, dy] = [10 * Math.cos(angle), 10 * Math.sin(angle)];
  return `M${from.x + dx} ${from.y + dy}L${to.x - dx} ${to.y - dy}`;
}

const messageClass = (from: string, to: string): string =>
  (from === "is-before" || from === "is-here") && (to === "is-before" || to === "is-here")
    ? "is-before"
    : (from === "is-after" || from === "is-here") && to === "is-after"
      ? "is-after"
      : "";
