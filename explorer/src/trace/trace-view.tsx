/** A trace, step by step: list, source, values, chart. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Place, TraceRequest } from "../../../src/explorer/protocol.js";
import { counted } from "../../../src/report/figures.js";
import { goTo, refine, useAddress } from "../navigation.js";
import { api } from "../api.js";
import { Divider } from "../parts/divider.js";
import { PicturePane } from "../parts/picture-pane.js";
import { SourcePane } from "../parts/source-pane.js";
import { StepList } from "../parts/step-list.js";
import { useKeys } from "../parts/use-keys.js";
import { Values } from "../parts/values.js";
import { Path, hasLanes, hasMessages } from "../path.js";
import type { Explorer } from "../state.js";
import { Another } from "./another.js";
import { AutomataPane } from "./automata-pane.js";
import { ChartPane } from "./chart-pane.js";
import { CopyMenu } from "./copy-menu.js";
import { OrderPane } from "./order-pane.js";
import { PassingPane } from "./passing-pane.js";
import { TablePane } from "./table-pane.js";
import { Truths } from "./truths.js";
import { foundWords, useSearch } from "./search.js";
import { SPEEDS, usePlay } from "./use-play.js";

const tabNames = {
  source: "Source",
  chart: "Sequence chart",
  table: "Table",
  passing: "Passing run",
  order: "Order",
  automata: "Automata",
  picture: "",
} as const;

type Tab = keyof typeof tabNames;

/** Those that have something to show. */
function tabsOf(path: Path, { loaded }: Explorer): Tab[] {
  const isWhole = !path.hasGap && loaded?.hasStates === true;
  const offered: Record<Tab, boolean> = {
    picture: typeof loaded?.picture === "string",
    source: true,
    chart: hasLanes(path),
    table: true,
    passing: isWhole && path.view.ending.kind === "failed",
    order: hasMessages(path),
    automata: loaded?.hasControl === true,
  };
  return order.filter((tab) => offered[tab]);
}

const order = ["picture", "source", "chart", "table", "passing", "order", "automata"] as const;

const noPlaces: readonly Place[] = [];

export function TracePage({ explorer }: { readonly explorer: Explorer }) {
  const { at, run, property, step } = useAddress();
  const [path, setPath] = useState<Path | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const mark = explorer.loaded?.mark;
  // A step that is not listed is fetched with its neighbours.
  const [around, setAround] = useState<number | undefined>(undefined);
  useEffect(() => {
    if (path && step !== undefined && step <= path.view.length && !path.lists(step)) setAround(step);
  }, [path, step]);
  useEffect(() => {
    if (at === undefined && run === undefined) return;
    let isCurrent = true;
    setProblem(null);
    api.trace(at === undefined ? { run: run!, property: property ?? 0 } : tracedBy(at, around)).then(
      (view) => isCurrent && setPath(new Path(view)),
      (error: Error) => isCurrent && (setPath(null), setProblem(error.message)),
    );
    return () => void (isCurrent = false);
  }, [at, run, property, mark, around]);

  if (at === undefined && run === undefined)
    return (
      <div className="view">
        <p className="empty">
          There is no trace to show. Run a check: the trace of a violation appears here. Or choose steps by
          hand in the Walk view.
        </p>
      </div>
    );
  if (problem !== null)
    return (
      <div className="view">
        <p className="notice bad">The trace cannot be shown: {problem}</p>
      </div>
    );
  if (!path)
    return (
      <div className="view">
        <p className="empty">Loading the trace …</p>
      </div>
    );
  return <Trace explorer={explorer} path={path} />;
}

const tracedBy = (schedule: string, around: number | undefined): TraceRequest =>
  around === undefined ? { schedule } : { schedule, around };

function Trace({ explorer, path }: { readonly explorer: Explorer; readonly path: Path }) {
  const address = useAddress();
  const current =
    address.step === undefined ? path.last : path.positionOf(Math.min(address.step, path.view.length));
  const [pinned, setPinned] = useState<number | null>(null);
  const [sought, setSought] = useState("");
  const [chosen, setShows] = useState<Tab | null>(null);
  const search = useRef<HTMLInputElement>(null);

  // Constant over the steps, so that rows are not rendered again.
  const select = useCallback(
    (position: number): void => refine({ step: path.numberAt(Math.max(0, Math.min(position, path.last))) }),
    [path],
  );
  const found = useSearch(path, sought);
  const matches = useMemo(
    () => new Set(found.numbers.map((number) => path.positionOf(number))),
    [path, found],
  );
  const seek = (direction: 1 | -1): void => {
    const list = found.numbers;
    const here = address.step ?? path.numberAt(current);
    const next = direction > 0 ? list.find((n) => n > here) : list.findLast((n) => n < here);
    const number = next ?? (direction > 0 ? list[0] : list.at(-1));
    if (number !== undefined) refine({ step: number });
  };
  const branch = (): void =>
    goTo({
      view: "walk",
      at: path.scheduleTo(current),
      from: path.view.schedule,
      left: path.numberAt(current),
    });
  const play = usePlay(current, path.last, select);
  useKeys([
    { keys: [" "], does: "play, or stop", act: play.toggle },
    { keys: ["ArrowDown", "ArrowRight", "j"], does: "next step", act: () => select(current + 1) },
    { keys: ["ArrowUp", "ArrowLeft", "k"], does: "previous step", act: () => select(current - 1) },
    { keys: ["PageDown"], does: "20 steps on", act: () => select(current + 20) },
    { keys: ["PageUp"], does: "20 steps back", act: () => select(current - 20) },
    { keys: ["Home"], does: "first state", act: () => select(0) },
    { keys: ["End"], does: "last step", act: () => select(path.last) },
    { keys: ["/"], does: "search the steps; Escape ends the search", act: () => search.current?.focus() },
    { keys: ["n"], does: "next match", act: () => seek(1) },
    { keys: ["N"], does: "previous match", act: () => seek(-1) },
    { keys: ["w"], does: "branch off: walk from here", act: branch },
    {
      keys: ["p"],
      does: "compare with this step, or end that",
      act: () => setPinned(pinned === current ? null : current),
    },
  ]);

  const step = current === 0 ? undefined : path.steps[current - 1];
  const base = pinned ?? current - 1;
  const values = useMemo(() => path.valuesAt(current), [path, current]);
  const before = useMemo(() => (base < 0 ? null : path.valuesAt(base)), [path, base]);
  const places = useMemo(() => path.placesAt(current), [path, current]);
  const { ending, length } = path.view;
  const drawn = explorer.loaded?.picture ?? "";
  const tabs = useMemo(() => tabsOf(path, explorer), [path, explorer]);
  const titleOf = (tab: Tab): string => (tab === "picture" ? drawn : tabNames[tab]);
  const shows = chosen !== null && tabs.includes(chosen) ? chosen : tabs[0]!;
  return (
    <div className="view rows">
      <div className="bar tools">
        <button aria-label="first state" disabled={current === 0} onClick={() => select(0)}>
          ⇤
        </button>
        <button disabled={current === 0} onClick={() => select(current - 1)}>
          previous
        </button>
        <output id="counter">
          {step ? `step ${step.number} of ${length}` : `first state, ${counted(length, "step")}`}
        </output>
        <button disabled={current === path.last} onClick={() => select(current + 1)}>
          next
        </button>
        <button aria-label="last step" disabled={current === path.last} onClick={() => select(path.last)}>
          ⇥
        </button>
        <button aria-pressed={play.isPlaying} onClick={play.toggle}>
          {play.isPlaying ? "stop" : "play"}
        </button>
        <select
          aria-label="Steps a second"
          value={play.perSecond}
          onChange={(event) => play.setPerSecond(Number(event.target.value))}
        >
          {SPEEDS.map((speed) => (
            <option key={speed} value={speed}>
              {speed}/s
            </option>
          ))}
        </select>
        <input
          type="range"
          id="slider"
          aria-label="Step"
          min={0}
          max={path.last}
          value={current}
          onChange={(event) => select(Number(event.target.value))}
        />
        <input
          ref={search}
          type="search"
          placeholder="/ search"
          aria-label="Search the steps"
          value={sought}
          onChange={(event) => setSought(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter") seek(event.shiftKey ? -1 : 1);
            if (event.key !== "Escape") return;
            setSought("");
            event.currentTarget.blur();
          }}
        />
        {sought.trim() !== "" && (
          <span className="faint" role="status" id="found">
            {foundWords(found)}
          </span>
        )}
        <button onClick={branch}>Branch off here</button>
        <button aria-pressed={pinned !== null} onClick={() => setPinned(pinned === null ? current : null)}>
          {pinned === null ? "Compare from here" : `Comparing with step ${path.numberAt(pinned)}: end`}
        </button>
        <CopyMenu path={path} file={explorer.project.file} />
      </div>
      <div className="head">
        <p className={`ending ${ending.kind}`}>
          {ending.text}
          {step?.fault && ending.text !== step.fault && current === path.last ? `: ${step.fault}` : ""}
        </p>
        <Another path={path} />
        <span className="faint keys">
          arrow keys or j k; / search; n next match; w branch off; ? all keys
        </span>
      </div>
      <div className="thirds">
        <section className="pane" aria-label="Steps">
          <StepList
            path={path}
            current={current}
            onSelect={select}
            matches={matches}
            label="Steps of the trace"
          />
        </section>
        <Divider name="trace" after={0} label="Width of the steps" />
        <section className="pane" aria-label={titleOf(shows)}>
          <div className="tabs" role="group" aria-label="What to show beside the steps">
            {tabs.map((tab) => (
              <button key={tab} aria-pressed={shows === tab} onClick={() => setShows(tab)}>
                {titleOf(tab)}
              </button>
            ))}
          </div>
          {shows === "picture" && <PicturePane path={path} position={current} name={drawn} />}
          {shows === "source" && (
            <SourcePane
              explorer={explorer}
              files={path.view.files}
              sources={step?.sources ?? noPlaces}
              places={places}
              mark={path.view.mark}
              violated={current === path.last ? ending.place : undefined}
            />
          )}
          {shows === "table" && <TablePane path={path} current={current} onSelect={select} />}
          {shows === "chart" && <ChartPane path={path} current={current} onSelect={select} />}
          {shows === "passing" && <PassingPane path={path} current={current} onSelect={select} />}
          {shows === "order" && <OrderPane path={path} current={current} onSelect={select} />}
          {shows === "automata" && <AutomataPane schedule={path.scheduleTo(current)} mark={path.view.mark} />}
        </section>
        <Divider name="trace" after={1} label="Width of the values" />
        <section className="pane" aria-label="Values">
          <Values
            values={values}
            before={before}
            beforeName={pinned === null ? "the step before" : `step ${path.numberAt(pinned)}`}
            onlyChanged={pinned !== null}
            timeline={{ path, position: current, onSelect: select }}
          />
          <Truths path={path} position={current} />
        </section>
      </div>
    </div>
  );
}
