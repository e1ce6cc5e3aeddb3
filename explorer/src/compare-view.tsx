/** Compares two runs (reductions, stores, engines): results and costs. */
import { useState } from "react";
import type { RunRequest, RunView } from "../../src/explorer/protocol.js";
import { figuresOf } from "./run/figures.js";
import { RunOptions, describeRequest } from "./run/options.js";
import type { Explorer } from "./state.js";

export function CompareView({ explorer }: { readonly explorer: Explorer }) {
  const { runs } = explorer;
  const [left, setLeft] = useState<number | null>(null);
  const [right, setRight] = useState<number | null>(null);
  const a = runs.find(({ id }) => id === left) ?? runs.at(-2) ?? runs.at(-1);
  const b = runs.find(({ id }) => id === right) ?? runs.at(-1);
  return (
    <div className="view rows">
      <div className="halves">
        <Start explorer={explorer} title="Left run" onStarted={setLeft} initial={{ reductions: [] }} />
        <Start explorer={explorer} title="Right run" onStarted={setRight} initial={{ reductions: ["all"] }} />
      </div>
      {a && b ? (
        <Comparison runs={runs} a={a} b={b} onLeft={setLeft} onRight={setRight} />
      ) : (
        <p className="empty">
          Nothing ran yet. Start two runs that search in different ways: their figures appear here, side by
          side.
        </p>
      )}
    </div>
  );
}

interface StartProps {
  readonly explorer: Explorer;
  readonly title: string;
  readonly initial: RunRequest;
  readonly onStarted: (id: number) => void;
}

function Start({ explorer, title, initial, onStarted }: StartProps) {
  const [request, setRequest] = useState<RunRequest>(initial);
  const start = async (): Promise<void> => {
    const run = await explorer.run(request);
    if (run) onStarted(run.id);
  };
  return (
    <section className="pane" aria-label={title}>
      <div className="bar">
        <h2>{title}</h2>
        <button className="primary" onClick={() => void start()}>
          Run
        </button>
      </div>
      <RunOptions choices={explorer.project.choices} request={request} onChange={setRequest} />
    </section>
  );
}

interface ComparisonProps {
  readonly runs: readonly RunView[];
  readonly a: RunView;
  readonly b: RunView;
  readonly onLeft: (id: number) => void;
  readonly onRight: (id: number) => void;
}

function Comparison({ runs, a, b, onLeft, onRight }: ComparisonProps) {
  const rows = rowsOf(a, b);
  const choose = (run: RunView, onChange: (id: number) => void, label: string) => (
    <select aria-label={label} value={run.id} onChange={(event) => onChange(Number(event.target.value))}>
      {runs.map((each) => (
        <option key={each.id} value={each.id}>
          run {each.id}: {describeRequest(each.request)}
        </option>
      ))}
    </select>
  );
  return (
    <section className="pane scrolls" aria-label="Comparison">
      <table className="comparison">
        <thead>
          <tr>
            <th scope="col">
              <span className="hidden">figure</span>
            </th>
            <th scope="col">{choose(a, onLeft, "Left run")}</th>
            <th scope="col">{choose(b, onRight, "Right run")}</th>
            <th scope="col">right / left</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, left, right, ratio }) => (
            <tr key={name} className={left === right ? undefined : "is-different"}>
              <th scope="row">{name}</th>
              <td>{left}</td>
              <td>{right}</td>
              <td>{ratio}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {a.mark !== b.mark && <p className="notice warn">These runs checked different texts.</p>}
    </section>
  );
}

interface Row {
  readonly name: string;
  readonly left: string;
  readonly right: string;
  readonly ratio: string;
}

function rowsOf(a: RunView, b: RunView): Row[] {
  const texts: readonly (readonly [string, (run: RunView) => string])[] = [
    ["verdict", verdictOf],
    ["in words", ({ answer }) => (answer?.kind === "report" ? answer.sentence : "–")],
    ["engine", ({ answer }) => (answer?.kind === "report" ? answer.engine || "–" : "–")],
    ["reduced by", reductionsOf],
    ["store", storeOf],
    ["trace", traceOf],
  ];
  const [left, right] = [new Map(figuresOf(a) ?? []), new Map(figuresOf(b) ?? [])];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  const ratios = ratiosOf(a, b);
  return [
    ...texts.map(([name, of]) => ({ name, left: of(a), right: of(b), ratio: "" })),
    ...names.map((name) => ({
      name,
      left: left.get(name) ?? "–",
      right: right.get(name) ?? "–",
      ratio: ratios.get(name) ?? "",
    })),
  ];
}

const verdictOf = ({ answer, state }: RunView): string =>
  answer === null ? state : answer.kind === "report" ? answer.verdict : `broke off: ${answer.message}`;

const reductionsOf = ({ answer }: RunView): string =>
  answer?.kind === "report"
    ? [...new Set(answer.runs.flatMap((run) => run.reductions))].join(", ") || "nothing"
    : "–";

const storeOf = ({ answer, request }: RunView): string =>
  answer?.kind === "report" ? (request.store ?? "chosen by the tool") : "–";

function traceOf({ answer }: RunView): string {
  if (answer?.kind !== "report") return "–";
  const trace = answer.properties.find((property) => property.trace)?.trace;
  return trace ? `${trace.length} steps` : "none";
}

function ratiosOf(a: RunView, b: RunView): ReadonlyMap<string, string> {
  if (a.answer?.kind !== "report" || b.answer?.kind !== "report") return new Map();
  const [x, y] = [a.answer.stats, b.answer.stats];
  const ratio = (before: number, after: number): string => (before > 0 ? (after / before).toFixed(2) : "");
  return new Map([
    ["states", ratio(x.states, y.states)],
    ["transitions", ratio(x.transitions, y.transitions)],
    ["depth", ratio(x.depth, y.depth)],
    ["search", ratio(x.seconds, y.seconds)],
    ["memory", ratio(x.peakBytes, y.peakBytes)],
  ]);
}
