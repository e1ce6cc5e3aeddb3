/** The automaton of each process, with the location at which it stands. */
import { useEffect, useMemo, useState } from "react";
import type { ControlView, StandingView } from "../../../src/explorer/protocol.js";
import { counted } from "../../../src/report/figures.js";
import { api } from "../api.js";
import { Canvas } from "../graph/canvas.js";
import type { Edge, Graph, Node } from "../graph/model.js";
import { useDrawing } from "../graph/use-drawing.js";

interface Props {
  /** Leads to the shown state. */
  readonly schedule: string;
  readonly mark: string;
}

type Automaton = ControlView["automata"][number];
type Standing = StandingView["standing"][number];

export function AutomataPane({ schedule, mark }: Props) {
  const [control, setControl] = useState<ControlView | null>(null);
  const [standing, setStanding] = useState<readonly Standing[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const [name, setName] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    setProblem(null);
    api.control().then(
      (view) => isCurrent && setControl(view),
      (error: Error) => isCurrent && setProblem(error.message),
    );
    return () => void (isCurrent = false);
  }, [mark]);
  useEffect(() => {
    let isCurrent = true;
    api.standing(schedule).then(
      (view) => isCurrent && setStanding(view.standing),
      (error: Error) => isCurrent && setProblem(error.message),
    );
    return () => void (isCurrent = false);
  }, [schedule, mark]);
  if (problem !== null) return <p className="notice bad">There are no automata: {problem}</p>;
  if (!control) return <p className="empty">Loading the automata …</p>;
  const chosen = standing.find(({ process }) => process === name) ?? standing[0];
  const automaton = control.automata[chosen?.automaton ?? 0]!;
  const alike = standing.filter((other) => other.automaton === chosen?.automaton);
  return (
    <>
      <div className="bar">
        <h2>Automaton</h2>
        <select
          aria-label="Process"
          value={chosen?.process ?? ""}
          onChange={(event) => setName(event.target.value)}
        >
          {standing.length === 0 && <option value="">no process is alive</option>}
          {standing.map(({ process }) => (
            <option key={process}>{process}</option>
          ))}
        </select>
      </div>
      <p role="status">
        {chosen
          ? `${chosen.process} is at ${automaton.locations[chosen.location]?.name ?? "its end"}. `
          : "No process is alive. "}
        <span className="faint">
          {counted(automaton.locations.length, "location")}
          {alike.length > 1
            ? `; ${counted(alike.length - 1, "other process", "other processes")} like it`
            : ""}
        </span>
      </p>
      <Drawn automaton={automaton} here={chosen?.location ?? null} />
    </>
  );
}

/** The layout stays while the process moves. */
function Drawn({ automaton, here }: { readonly automaton: Automaton; readonly here: number | null }) {
  const graph = useMemo(() => graphOf(automaton), [automaton]);
  const { drawing, state } = useDrawing(graph);
  const kinds = useMemo(() => new Map([...graph.nodes].map(([key, { kind }]) => [key, kind])), [graph]);
  return (
    <div className="canvas automaton" data-state={state}>
      <Canvas
        drawing={drawing}
        selected={here === null ? null : `${here}`}
        matches={none}
        classOf={(key) => kinds.get(key) ?? ""}
        onSelect={() => undefined}
        label={`Automaton of ${automaton.name}`}
        path={none}
        pathEdges={none}
      />
    </div>
  );
}

const none: ReadonlySet<string> = new Set();

/** Locations that no edge leads to are left out. */
function graphOf({ initial, locations, edges }: Automaton): Graph {
  const levels = new Map([[initial, 0]]);
  for (const [from, level] of levels)
    for (const edge of edges) if (edge.from === from && !levels.has(edge.to)) levels.set(edge.to, level + 1);
  const nodes = new Map(
    [...levels].map(([index, level]): [string, Node] => [
      `${index}`,
      {
        key: `${index}`,
        number: index,
        schedule: "",
        values: new Map(),
        labels: new Set(),
        kind: locations[index]!.kind,
        text: locations[index]!.name,
        lines: [locations[index]!.name],
        isExpanded: true,
        level,
        size: 1,
      },
    ]),
  );
  const joined = new Map<string, { from: string; to: string; labels: string[] }>();
  for (const { from, to, label } of edges) {
    if (!levels.has(from)) continue;
    const key = `${from} ${to}`;
    const edge = joined.get(key) ?? { from: `${from}`, to: `${to}`, labels: [] };
    edge.labels.push(label);
    joined.set(key, edge);
  }
  const all: Edge[] = [...joined.values()];
  return { mark: "", names: [], labels: [], nodes, edges: all, isComplete: true, path: [] };
}
