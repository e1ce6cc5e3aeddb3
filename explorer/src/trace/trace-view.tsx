/** A trace, step by step: list, source, values, chart. */
import { useEffect, useMemo, useRef, useState } from "react";
import type { Place } from "../../../src/explorer/protocol.js";
import { counted } from "../../../src/report/figures.js";
import { goTo, stayAt, useAddress } from "../navigation.js";
import { api } from "../api.js";
import { PicturePane } from "../parts/picture-pane.js";
import { SourcePane } from "../parts/source-pane.js";
import { StepList } from "../parts/step-list.js";
import { useKeys } from "../parts/use-keys.js";
import { Values } from "../parts/values.js";
import { Path } from "../path.js";
import type { Explorer } from "../state.js";
import { ChartPane } from "./chart-pane.js";
import { CopyMenu } from "./copy-menu.js";

const noPlaces: readonly Place[] = [];

export function TracePage({ explorer }: { readonly explorer: Explorer }) {
  const { at, run, property } = useAddress();
  const [path, setPath] = useState<Path | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const mark = explorer.loaded?.mark;
  useEffect(() => {
    if (at === undefined && run === undefined) return;
    let isCurrent = true;
    setProblem(null);
    api.trace(at === undefined ? { run: run!, property: property ?? 0 } : { schedule: at }).then(
      (view) => isCurrent && setPath(new Path(view)),
      (error: Error) => isCurrent && (setPath(null), setProblem(error.message)),
    );
    return () => void (isCurrent = false);
  }, [at, run, property, mark]);

  if (at === undefined && run === undefined)
    return (
      <div className="view">
        <p className="empty">
          There is no trace to show. Run a check: the trace of a violation appears here. Or walk by hand in
          the Walk view.
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
        <p className="empty">Telling the trace …</p>
      </div>
    );
  return <Trace explorer={explorer} path={path} />;
}

function Trace({ explorer, path }: { readonly explorer: Explorer; readonly path: Path }) {
  const address = useAddress();
  const current =
    address.step === undefined ? path.last : path.positionOf(Math.min(address.step, path.view.length));
  const [pinned, setPinned] = useState<number | null>(null);
  const [sought, setSought] = useState("");
  const [chosen, setShows] = useState<"source" | "chart" | "picture" | null>(null);
  const search = useRef<HTMLInputElement>(null);

  const select = (position: number): void => {
    const step = path.numberAt(Math.max(0, Math.min(position, path.last)));
    stayAt({ ...address, step });
  };
  const matches = useMemo(() => found(path, sought), [path, sought]);
  const seek = (direction: 1 | -1): void => {
    const list = [...matches];
    const next = direction > 0 ? list.find((p) => p > current) : list.findLast((p) => p < current);
    const around = next ?? (direction > 0 ? list[0] : list.at(-1));
    if (around !== undefined) select(around);
  };
  const branch = (): void =>
    goTo({
      view: "walk",
      at: path.scheduleTo(current),
      from: path.view.schedule,
      left: path.numberAt(current),
    });
  useKeys({
    ArrowDown: () => select(current + 1),
    ArrowRight: () => select(current + 1),
    j: () => select(current + 1),
    ArrowUp: () => select(current - 1),
    ArrowLeft: () => select(current - 1),
    k: () => select(current - 1),
    PageDown: () => select(current + 20),
    PageUp: () => select(current - 20),
    Home: () => select(0),
    End: () => select(path.last),
    "/": () => search.current?.focus(),
    n: () => seek(1),
    N: () => seek(-1),
    w: branch,
    p: () => setPinned(pinned === current ? null : current),
  });

  const step = current === 0 ? undefined : path.steps[current - 1];
  const base = pinned ?? current - 1;
  const values = useMemo(() => path.valuesAt(current), [path, current]);
  const before = useMemo(() => (base < 0 ? null : path.valuesAt(base)), [path, base]);
  const places = useMemo(() => path.placesAt(current), [path, current]);
  const { ending, length } = path.view;
  const drawn = explorer.loaded?.picture ?? null;
  const shows = chosen ?? (drawn === null ? "source" : "picture");
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
        {sought !== "" && (
          <span className="faint">
            {matches.size === 0 ? "not found" : counted(matches.size, "match", "matches")}
          </span>
        )}
        <button onClick={branch}>Branch off here</button>
        <button aria-pressed={pinned !== null} onClick={() => setPinned(pinned === null ? current : null)}>
          {pinned === null ? "Compare from here" : `Comparing with step ${path.numberAt(pinned)}: end`}
        </button>
        <CopyMenu path={path} file={explorer.project.file} />
      </div>
      <p className={`ending ${ending.kind}`}>
        {ending.text}
        {step?.fault && ending.text !== step.fault && current === path.last ? `: ${step.fault}` : ""}
        <span className="faint keys">arrow keys or j k; / search; n next match; w branch off; p compare</span>
      </p>
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
        <section
          className="pane"
          aria-label={shows === "source" ? "Source" : shows === "chart" ? "Chart" : drawn!}
        >
          <div className="tabs" role="group" aria-label="What to show beside the steps">
            {drawn !== null && (
              <button aria-pressed={shows === "picture"} onClick={() => setShows("picture")}>
                {drawn}
              </button>
            )}
            <button aria-pressed={shows === "source"} onClick={() => setShows("source")}>
              Source
            </button>
            <button aria-pressed={shows === "chart"} onClick={() => setShows("chart")}>
              Sequence chart
            </button>
          </div>
          {shows === "picture" && <PicturePane path={path} position={current} name={drawn!} />}
          {shows === "source" && (
            <SourcePane
              explorer={explorer}
              files={path.view.files}
              sources={step?.sources ?? noPlaces}
              places={places}
              mark={path.view.mark}
            />
          )}
          {shows === "chart" && <ChartPane path={path} current={current} onSelect={select} />}
        </section>
        <section className="pane" aria-label="Values">
          <Values
            values={values}
            before={before}
            beforeName={pinned === null ? "the step before" : `step ${path.numberAt(pinned)}`}
            onlyChanged={pinned !== null}
          />
        </section>
      </div>
    </div>
  );
}

/** Positions whose step matches in process, action or effect. */
function found(path: Path, sought: string): ReadonlySet<number> {
  const wanted = sought.trim().toLowerCase();
  if (wanted === "") return new Set();
  const says = (text: string): boolean => text.toLowerCase().includes(wanted);
  return new Set(
    path.steps.flatMap(({ action, participants, changes, output }, index) =>
      says(action) ||
      participants.some(says) ||
      changes.some(([name, value]) => says(`${name} = ${value ?? ""}`)) ||
      says(output)
        ? [index + 1]
        : [],
    ),
  );
}
