/** Simulates one run by hand: all possible steps with their effects, undo, random choice, return to the trace. */
import { useEffect, useRef, useState } from "react";
import type { ChoiceView, Place, WalkView } from "../../src/explorer/protocol.js";
import { formatSchedule, parseSchedule } from "../../src/model/trace.js";
import { counted } from "../../src/report/figures.js";
import type { Address } from "./address.js";
import { goTo, useAddress } from "./navigation.js";
import { api } from "./api.js";
import { Divider } from "./parts/divider.js";
import { PicturePane } from "./parts/picture-pane.js";
import { SourcePane } from "./parts/source-pane.js";
import { StepList } from "./parts/step-list.js";
import { useKeys } from "./parts/use-keys.js";
import { Values } from "./parts/values.js";
import { Path, extended, truncated } from "./path.js";
import type { Explorer } from "./state.js";

interface Standing {
  readonly path: Path;
  readonly walk: WalkView;
}

export function WalkPage({ explorer }: { readonly explorer: Explorer }) {
  const address = useAddress();
  const at = address.at ?? "";
  const [here, setHere] = useState<Standing | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const mark = explorer.loaded?.mark;
  const known = useRef<Standing | null>(null);

  // The address determines the state; reuses the known path if possible.
  useEffect(() => {
    let isCurrent = true;
    setProblem(null);
    placeAt(at, known.current, mark).then(
      (place) => {
        if (!isCurrent) return;
        known.current = place;
        setHere(place);
      },
      (error: Error) => isCurrent && (setHere(null), setProblem(error.message)),
    );
    return () => void (isCurrent = false);
  }, [at, mark]);

  if (problem !== null)
    return (
      <div className="view">
        <p className="notice bad">There is no walking here: {problem}</p>
        <p className="empty">
          <button onClick={() => goTo({ view: "walk" })}>Begin at the first state</button>
        </p>
      </div>
    );
  if (!here)
    return (
      <div className="view">
        <p className="empty">Going there …</p>
      </div>
    );
  return <Walk explorer={explorer} address={address} here={here} />;
}

/** Loads the state at the end of a schedule; extends the known path if one step suffices, otherwise reloads the path. */
async function placeAt(at: string, known: Standing | null, mark: string | undefined): Promise<Standing> {
  const walk = await api.walk(at);
  if (known && known.walk.mark === walk.mark && (mark === undefined || mark === walk.mark)) {
    const step = known.walk.choices.find(({ choice }) => oneMore(known.walk, walk, choice));
    if (step) return { walk, path: extended(known.path, step, walk) };
    const position = known.path.positionOf(walk.length);
    if (known.path.scheduleTo(position) === walk.schedule)
      return { walk, path: truncated(known.path, position, walk.ending) };
  }
  return { walk, path: new Path(await api.trace({ schedule: walk.schedule })) };
}

function oneMore(before: WalkView, after: WalkView, choice: number): boolean {
  const choices = parseSchedule(after.schedule)?.choices ?? [];
  return (
    choices.length === before.length + 1 &&
    choices.at(-1) === choice &&
    formatSchedule(choices.slice(0, -1)) === before.schedule
  );
}

const noPlaces: readonly Place[] = [];

function Walk({
  explorer,
  address,
  here,
}: {
  readonly explorer: Explorer;
  readonly address: Address;
  readonly here: Standing;
}) {
  const { path, walk } = here;
  const [aimed, setAimed] = useState<number | null>(null);
  const [showsSource, setShowsSource] = useState(false);
  const drawn = explorer.loaded?.picture ?? null;
  const choices = walk.choices;
  const go = (at: string): void => {
    setAimed(null);
    goTo({ ...address, view: "walk", at });
  };
  const take = (choice: number): void =>
    go(formatSchedule([...(parseSchedule(walk.schedule)?.choices ?? []), choice]));
  const undo = (): void => (path.last > 0 ? go(path.scheduleTo(path.last - 1)) : undefined);
  const back = (): void => goTo({ view: "trace", at: address.from!, step: address.left ?? 0 });
  const wander = async (): Promise<void> => {
    try {
      go((await api.wander(walk.schedule, Math.floor(Math.random() * 2 ** 31))).schedule);
    } catch (error) {
      explorer.complain((error as Error).message);
    }
  };
  const aim = (direction: 1 | -1): void => {
    if (choices.length === 0) return;
    const next =
      aimed === null
        ? direction > 0
          ? 0
          : choices.length - 1
        : (aimed + direction + choices.length) % choices.length;
    setAimed(next);
    document.getElementById(`choice-${next}`)?.focus();
  };
  useKeys([
    { keys: ["ArrowDown", "j"], does: "next possible step; Enter takes it", act: () => aim(1) },
    { keys: ["ArrowUp", "k"], does: "previous possible step", act: () => aim(-1) },
    { keys: ["u", "Backspace"], does: "undo the last step", act: undo },
    { keys: ["r"], does: "walk at random until something happens", act: () => void wander() },
    ...(address.from === undefined ? [] : [{ keys: ["b"], does: "back to the trace", act: back }]),
  ]);
  const aimedAt = aimed === null ? undefined : choices[aimed];
  const values = path.valuesAt(path.last);
  return (
    <div className="view rows">
      <div className="bar tools">
        <output id="counter">
          {walk.length === 0 ? "first state" : `after ${counted(walk.length, "step")}`}
        </output>
        <button disabled={path.last === 0} onClick={undo}>
          Undo
        </button>
        <button disabled={path.last === 0} onClick={() => go("")}>
          To the first state
        </button>
        <button disabled={choices.length === 0} onClick={() => void wander()}>
          Random walk
        </button>
        {address.from !== undefined && (
          <button className="primary" onClick={back}>
            Back to the trace (step {address.left ?? 0})
          </button>
        )}
        <button onClick={() => goTo({ view: "trace", at: walk.schedule })}>Show as a trace</button>
        <button onClick={() => goTo({ view: "graph", at: walk.schedule })}>Graph from here</button>
        <code className="schedule" title="the schedule that leads here">
          {walk.schedule === ""
            ? "no step taken"
            : walk.schedule.length > 60
              ? `… ${walk.schedule.slice(-56)}`
              : walk.schedule}
        </code>
      </div>
      <p className={`ending ${walk.ending.kind}`}>
        {walk.ending.text}
        <span className="faint keys">
          arrow keys or j k choose, Enter takes; u undo; r random walk; ? all keys
        </span>
      </p>
      <div className="thirds">
        <section className="pane" aria-label="Possible steps">
          <h2>Possible steps</h2>
          {choices.length === 0 && <p className="empty">Nothing can happen here: {walk.ending.text}.</p>}
          <ul className="choices">
            {choices.map((choice, index) => (
              <li key={index}>
                <Choice
                  choice={choice}
                  index={index}
                  onTake={() => take(choice.choice)}
                  onAim={() => setAimed(index)}
                />
              </li>
            ))}
          </ul>
        </section>
        <Divider name="walk" after={0} label="Width of the steps" />
        <section className="pane" aria-label="Source and way">
          {drawn !== null && (
            <div className="tabs" role="group" aria-label="What to show of the state">
              <button aria-pressed={!showsSource} onClick={() => setShowsSource(false)}>
                {drawn}
              </button>
              <button aria-pressed={showsSource} onClick={() => setShowsSource(true)}>
                Source
              </button>
            </div>
          )}
          {drawn !== null && !showsSource ? (
            <PicturePane path={path} position={path.last} name={drawn} />
          ) : (
            <SourcePane
              explorer={explorer}
              files={walk.files}
              sources={aimedAt?.sources ?? noPlaces}
              places={path.placesAt(path.last)}
              mark={walk.mark}
              violated={walk.ending.place}
            />
          )}
          <h2>The way here</h2>
          <StepList
            path={path}
            current={path.last}
            onSelect={(position) => go(path.scheduleTo(position))}
            label="Steps taken"
          />
        </section>
        <Divider name="walk" after={1} label="Width of the values" />
        <section className="pane" aria-label="Values">
          <Values
            values={values}
            before={path.last === 0 ? null : path.valuesAt(path.last - 1)}
            beforeName="the step before"
            timeline={{
              path,
              position: path.last,
              onSelect: (position) => go(path.scheduleTo(position)),
            }}
          />
        </section>
      </div>
    </div>
  );
}

interface ChoiceProps {
  readonly choice: ChoiceView;
  readonly index: number;
  readonly onTake: () => void;
  readonly onAim: () => void;
}

function Choice({ choice, index, onTake, onAim }: ChoiceProps) {
  const { participants, action, changes, messages, output, fault, leadsTo } = choice;
  return (
    <button
      id={`choice-${index}`}
      className="choice mono"
      onClick={onTake}
      onFocus={onAim}
      onMouseEnter={onAim}
    >
      <span className="who">{participants.join(" + ")}</span>
      <span className="what">{action}</span>
      {messages.map(({ kind, channel, message, from, to }, i) => (
        <span key={i} className="effect message">
          {kind === "lost" ? "loses " : ""}
          {from ?? ""} {channel}
          {kind === "receive" ? "?" : "!"}
          {message} {to ? `→ ${to}` : ""}
        </span>
      ))}
      {changes.map(([name, value]) => (
        <span key={name} className="effect">
          {value === null ? `${name} is gone` : `${name} = ${value}`}
        </span>
      ))}
      {output !== "" && <span className="effect">prints {output.trimEnd()}</span>}
      {(fault ?? (leadsTo.kind === "failed" ? leadsTo.text : null)) !== null && (
        <span className="effect bad">{fault ?? leadsTo.text}</span>
      )}
      {leadsTo.kind === "ended" && <span className="effect">{leadsTo.text}</span>}
    </button>
  );
}
