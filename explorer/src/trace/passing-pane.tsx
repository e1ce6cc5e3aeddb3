/** The failing execution beside the nearest one that does not fail. */
import { Fragment, useEffect, useMemo, useState } from "react";
import type { PassingView, StepView } from "../../../src/explorer/protocol.js";
import { counted } from "../../../src/report/figures.js";
import { api } from "../api.js";
import { goTo } from "../navigation.js";
import { Path } from "../path.js";

interface Props {
  readonly path: Path;
  readonly current: number;
  readonly onSelect: (position: number) => void;
}

type Found = PassingView & { readonly kind: "found" };

export function PassingPane({ path, current, onSelect }: Props) {
  const [answer, setAnswer] = useState<PassingView | null>(null);
  const [other, setOther] = useState<Path | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const { schedule } = path.view;
  useEffect(() => {
    let isCurrent = true;
    const find = async (): Promise<void> => {
      const found = await api.passing(schedule);
      const trace = found.kind === "found" ? await api.trace({ schedule: found.schedule }) : null;
      if (!isCurrent) return;
      setAnswer(found);
      setOther(trace && new Path(trace));
    };
    setAnswer(null);
    setProblem(null);
    find().catch((error: Error) => isCurrent && setProblem(error.message));
    return () => void (isCurrent = false);
  }, [schedule]);
  return (
    <>
      <div className="bar">
        <h2>Nearest execution that does not fail</h2>
        {other && (
          <button onClick={() => goTo({ view: "trace", at: other.view.schedule })}>Open it as a trace</button>
        )}
      </div>
      {problem !== null && <p className="notice bad">{problem}</p>}
      {problem === null && !answer && <p className="empty">Looking for an execution that does not fail …</p>}
      {answer?.kind === "none" && <p className="empty">{noneText(answer)}</p>}
      {answer?.kind === "found" && other && (
        <>
          <p role="status">{foundText(answer, path)}</p>
          <SideBySide
            path={path}
            other={other}
            shared={answer.shared}
            current={current}
            onSelect={onSelect}
          />
        </>
      )}
    </>
  );
}

const foundText = ({ shared, ends }: Found, { view }: Path): string => {
  const end = {
    end: "comes to a valid end",
    loop: "comes into a loop that does not fail",
    open: "had not failed where the search ended",
  }[ends];
  const where =
    shared === 0
      ? "differs from the first step"
      : `has the same first ${counted(shared, "step")} of ${view.length}`;
  return `It ${where} and ${end}. Properties of infinite executions are not judged.`;
};

const noneText = ({ states, isComplete }: PassingView & { readonly kind: "none" }): string =>
  isComplete
    ? `Every execution fails: ${counted(states, "other state")} were searched.`
    : `None was found among ${counted(states, "state")}; the others were not searched.`;

interface SideProps extends Props {
  readonly other: Path;
  readonly shared: number;
}

/** Common steps are few rows apart from the first that differs; a long common part is left out. */
const CONTEXT = 6;
const MOST_ROWS = 400;

function SideBySide({ path, other, shared, current, onSelect }: SideProps) {
  const [showsAll, setShowsAll] = useState(false);
  const rows = Math.max(path.view.length, other.view.length);
  const first = showsAll ? 0 : Math.max(0, shared - CONTEXT);
  const last = Math.min(rows, first + MOST_ROWS);
  const effects = useMemo(() => differences(path, other), [path, other]);
  return (
    <div className="scrolls" tabIndex={0} role="region" aria-label="Both executions">
      <table className="beside mono">
        <thead>
          <tr>
            <th scope="col">step</th>
            <th scope="col">fails</th>
            <th scope="col">does not fail</th>
          </tr>
        </thead>
        <tbody>
          {first > 0 && (
            <tr>
              <td />
              <td colSpan={2}>
                <button className="link" onClick={() => setShowsAll(true)}>
                  show the {counted(first, "common step")} before
                </button>
              </td>
            </tr>
          )}
          {Array.from({ length: last - first }, (_, index) => first + index + 1).map((number) => (
            <Fragment key={number}>
              {number === shared + 1 && (
                <tr className="differs">
                  <th colSpan={3}>first difference</th>
                </tr>
              )}
              <tr
                className={`${number <= shared ? "is-common" : ""}${number === shared + 1 ? " is-first" : ""}${number === path.numberAt(current) ? " is-current" : ""}`}
              >
                <th scope="row">{number}</th>
                <Cell step={stepAt(path, number)} onSelect={() => onSelect(path.positionOf(number))} />
                <Cell step={stepAt(other, number)} />
              </tr>
            </Fragment>
          ))}
          {last < rows && (
            <tr>
              <td />
              <td colSpan={2}>{counted(rows - last, "more step")} not listed</td>
            </tr>
          )}
        </tbody>
      </table>
      {effects.length > 0 && (
        <>
          <h2>Values that differ at the ends</h2>
          <table className="beside mono">
            <tbody>
              {effects.map(([name, here, there]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{here}</td>
                  <td>{there}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </div>
  );
}

const stepAt = (path: Path, number: number): StepView | undefined => {
  const step = path.steps[path.positionOf(number) - 1];
  return step?.number === number ? step : undefined;
};

function Cell({
  step,
  onSelect,
}: {
  readonly step: StepView | undefined;
  readonly onSelect?: (() => void) | undefined;
}) {
  if (!step) return <td className="faint">–</td>;
  const text = (
    <>
      <b>{step.participants.join(" + ")}</b> {step.action}
      {step.fault !== null && <span className="wrong"> ✗ {step.fault}</span>}
    </>
  );
  return (
    <td>
      {onSelect ? (
        <button className="plain" onClick={onSelect}>
          {text}
        </button>
      ) : (
        text
      )}
    </td>
  );
}

function differences(path: Path, other: Path): [string, string, string][] {
  const [here, there] = [path.valuesAt(path.last), other.valuesAt(other.last)];
  return [...new Set([...here.keys(), ...there.keys()])]
    .map((name): [string, string, string] => [name, here.get(name) ?? "–", there.get(name) ?? "–"])
    .filter(([, a, b]) => a !== b);
}
