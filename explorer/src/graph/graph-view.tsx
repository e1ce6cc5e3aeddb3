/** States and transitions: all of a small system, the neighbourhood of a state in a large one. */
import { useEffect, useMemo, useRef, useState } from "react";
import { counted, formatCount } from "../../../src/report/figures.js";
import { goTo, useAddress } from "../navigation.js";
import { api } from "../api.js";
import { Divider } from "../parts/divider.js";
import { Values } from "../parts/values.js";
import { download } from "../run/share.js";
import type { Explorer } from "../state.js";
import { newestTrace } from "../runs.js";
import { AutomatonPane } from "./automaton-pane.js";
import { Canvas } from "./canvas.js";
import { Legend, colouring } from "./legend.js";
import { clustered } from "./clusters.js";
import { useDrawing, type Laid } from "./use-drawing.js";
import { merge, nameText, pathEdges, renderDot, type Graph, type Node } from "./model.js";
import { searchGraph, type Search } from "./search.js";

const SIZES = [30, 200, 2000, 5000] as const;

export function GraphView({ explorer }: { readonly explorer: Explorer }) {
  const { at = "" } = useAddress();
  const [limit, setLimit] = useState<number>(200);
  const [graph, setGraph] = useState<Graph | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const mark = explorer.loaded?.mark;
  const trace = at === "" ? newestTrace(explorer.runs, mark)?.schedule : undefined;
  useEffect(() => {
    let isCurrent = true;
    setProblem(null);
    api.graph({ schedule: at, limit, ...(trace === undefined ? {} : { trace }) }).then(
      (view) => isCurrent && setGraph(merge(null, view, at)),
      (error: Error) => isCurrent && (setGraph(null), setProblem(error.message)),
    );
    return () => void (isCurrent = false);
  }, [at, limit, mark, trace]);

  if (problem !== null)
    return (
      <div className="view">
        <p className="notice bad">There is no graph: {problem}</p>
      </div>
    );
  if (!graph)
    return (
      <div className="view">
        <p className="empty">Visiting at most {formatCount(limit)} states …</p>
      </div>
    );
  const expand = async (node: Node): Promise<void> => {
    try {
      const view = await api.graph({ schedule: node.schedule, limit: 25 });
      setGraph((before) => merge(before, view, node.schedule));
    } catch (error) {
      explorer.complain((error as Error).message);
    }
  };
  return (
    <Explored
      explorer={explorer}
      graph={graph}
      limit={limit}
      onLimit={setLimit}
      onExpand={(node) => void expand(node)}
      at={at}
    />
  );
}

interface ExploredProps {
  readonly explorer: Explorer;
  readonly graph: Graph;
  readonly limit: number;
  readonly at: string;
  readonly onLimit: (limit: number) => void;
  readonly onExpand: (node: Node) => void;
}

function Explored({ explorer, graph, limit, at, onLimit, onExpand }: ExploredProps) {
  const [selectedKey, setSelected] = useState<string | null>(null);
  const [sought, setSought] = useState("");
  const [colour, setColour] = useState("kind");
  // Null: by size.
  const [wanted, setWanted] = useState<readonly string[] | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const { graph: shown, states, by: chosen } = useMemo(() => clustered(graph, wanted), [graph, wanted]);
  const { drawing, state } = useDrawing(shown);
  const search = useMemo(() => searchGraph(sought, states, chosen), [sought, states, chosen]);
  const matches = search && search.kind !== "problem" ? search.keys : noKeys;
  const colours = useMemo(() => colouring(shown, colour), [shown, colour]);
  const path = useMemo(() => new Set(shown.path.length > 1 ? shown.path : []), [shown]);
  const edgesOfPath = useMemo(() => pathEdges(shown), [shown]);
  const selected = selectedKey === null ? undefined : shown.nodes.get(selectedKey);
  const next = (): void => {
    const list = [...matches];
    const found = list[(list.indexOf(selectedKey ?? "") + 1) % Math.max(1, list.length)];
    if (found !== undefined) setSelected(found);
  };
  const what = chosen.length > 0 ? "cluster" : "state";
  const size = `${counted(shown.nodes.size, what)}, ${counted(shown.edges.length, "edge")}`;
  return (
    <div className="view rows">
      <div className="bar tools">
        <label>
          at most{" "}
          <select value={limit} onChange={(event) => onLimit(Number(event.target.value))}>
            {SIZES.map((value) => (
              <option key={value} value={value}>
                {formatCount(value)} states
              </option>
            ))}
          </select>
        </label>
        <label>
          colour by{" "}
          <select value={colour} onChange={(event) => setColour(event.target.value)}>
            <option value="kind">what is wrong</option>
            {graph.labels.map((name) => (
              <option key={name} value={`label ${name}`}>
                {name}
              </option>
            ))}
            {graph.names.map((name) => (
              <option key={name} value={`value ${name}`}>
                {name.startsWith("@") ? nameText(name) : `value of ${name}`}
              </option>
            ))}
          </select>
        </label>
        <input
          type="search"
          className="filter"
          placeholder="search: x == 1 && y > 2"
          aria-label="Search the states"
          value={sought}
          onChange={(event) => setSought(event.target.value)}
          onKeyDown={(event) => event.key === "Enter" && next()}
        />
        {search && (
          <span className={search.kind === "problem" ? "refused" : "faint"} role="status">
            {searchWords(search, graph)}
          </span>
        )}
        <details className="menu">
          <summary>merge by values{chosen.length > 0 ? ` (${chosen.length})` : ""}</summary>
          <div>
            <p className="faint">States that agree on the chosen values become one.</p>
            <p>
              <button disabled={chosen.length === 0} onClick={() => setWanted([])}>
                Draw every state
              </button>{" "}
              <button disabled={wanted === null} onClick={() => setWanted(null)}>
                Choose for me
              </button>
            </p>
            {graph.names.map((name) => (
              <label key={name} className="check">
                <input
                  type="checkbox"
                  checked={chosen.includes(name)}
                  onChange={() => setWanted(graph.names.filter((n) => (n === name) !== chosen.includes(n)))}
                />{" "}
                {nameText(name)}
              </label>
            ))}
          </div>
        </details>
        <button onClick={() => download("states.dot", "text/vnd.graphviz", renderDot(shown))}>DOT</button>
        <button onClick={() => download("states.svg", "image/svg+xml", svgOf(frame.current!))}>SVG</button>
      </div>
      <p className="ending" role="status">
        {size}
        {chosen.length > 0
          ? `: ${counted(graph.nodes.size, "state")}, merged by ${chosen.map(nameText).join(", ")}`
          : ""}
        .{" "}
        {graph.isComplete
          ? at === ""
            ? "This is the whole system."
            : "All states reachable from here are drawn."
          : chosen.length > 0
            ? "There is more: states behind a dashed border have successors that are not drawn."
            : "There is more: states with a dashed border have successors that are not drawn; select one and expand it."}{" "}
        {drawingWords[state]}
        <span className="faint keys">drag or arrow keys move; wheel or + and - zoom; ? all keys</span>
      </p>
      <div className="wide">
        <div className="pane canvas" ref={frame}>
          <Canvas
            drawing={drawing}
            selected={selectedKey}
            matches={matches}
            classOf={(key) => colours.classes.get(key) ?? ""}
            onSelect={setSelected}
            label={`State graph: ${size}`}
            path={path}
            pathEdges={edgesOfPath}
          />
          <Legend colours={colours} graph={shown} hasPath={path.size > 0} hasMatches={matches.size > 0} />
        </div>
        <Divider name="graph" after={0} label="Width of the drawing" />
        <div className="column scrolls">
          <section className="pane" aria-label="Selected state">
            {selected ? (
              <Selected
                node={selected}
                isClass={chosen.length > 0}
                graph={shown}
                onExpand={onExpand}
                onSelect={setSelected}
              />
            ) : (
              <p className="empty">Select a state to see its values, and to walk from it.</p>
            )}
          </section>
          <AutomatonPane explorer={explorer} />
        </div>
      </div>
    </div>
  );
}

const drawingWords: Record<Laid["state"], string> = {
  drawn: "",
  improving: "The drawing is being improved …",
  rough: "There is too much for a careful drawing: edges may run through states; merge by values.",
};

const noKeys: ReadonlySet<string> = new Set();

/** Number of states found, and the limits of the search. */
function searchWords(search: Search, { nodes, isComplete }: Graph): string {
  if (search.kind === "problem") return search.message;
  const found = search.count === 0 ? "no state is like that" : counted(search.count, "state");
  const how = search.kind === "text" ? " (by text)" : "";
  const undecided =
    search.undecided === 0 ? "" : `; ${counted(search.undecided, "state")} without a value for it`;
  const scope = isComplete ? "" : ` among the ${formatCount(nodes.size)} drawn; the others were not searched`;
  return `${found}${how}${scope}${undecided}`;
}

interface SelectedProps {
  readonly node: Node;
  readonly isClass: boolean;
  readonly graph: Graph;
  readonly onExpand: (node: Node) => void;
  readonly onSelect: (key: string) => void;
}

function Selected({ node, isClass, graph, onExpand, onSelect }: SelectedProps) {
  const out = graph.edges.filter(({ from }) => from === node.key);
  return (
    <>
      <div className="bar">
        <h2>{isClass ? counted(node.size, "state") : `State ${node.number}`}</h2>
        <button onClick={() => goTo({ view: "walk", at: node.schedule })}>Walk from here</button>
        <button onClick={() => goTo({ view: "trace", at: node.schedule })}>Trace to here</button>
        <button disabled={node.isExpanded || isClass} onClick={() => onExpand(node)}>
          {node.isExpanded ? "Expanded" : "Expand"}
        </button>
      </div>
      {node.text && <p className={`ending ${endings[node.kind]}`}>{node.text}</p>}
      {node.labels.size > 0 && <p className="faint">holds: {[...node.labels].join(", ")}</p>}
      <Values values={node.values} before={null} beforeName="" />
      <h2>Steps from here</h2>
      {out.length === 0 && <p className="empty">{node.isExpanded ? "None." : "Not drawn yet: expand it."}</p>}
      <ul className="properties mono">
        {out.map(({ to, labels }) => (
          <li key={to}>
            <button className="link" onClick={() => onSelect(to)}>
              {labels.join("; ")} → {graph.nodes.get(to)!.number}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

const endings: Record<Node["kind"], string> = {
  state: "",
  intermediate: "",
  end: "ended",
  deadlock: "failed",
  broken: "failed",
  fault: "failed",
};

/** Inlines the colours, which the page's style sheet defines. */
function svgOf(frame: HTMLElement): string {
  const svg = frame.querySelector("svg")!;
  const copy = svg.cloneNode(true) as SVGElement;
  copy.setAttribute("viewBox", svg.dataset["whole"]!);
  const [from, to] = [svg.querySelectorAll<SVGElement>("*"), copy.querySelectorAll<SVGElement>("*")];
  for (const [index, element] of from.entries()) {
    const style = getComputedStyle(element);
    for (const name of [
      "fill",
      "stroke",
      "stroke-width",
      "stroke-dasharray",
      "paint-order",
      "font-size",
      "font-family",
      "text-anchor",
    ])
      to[index]!.style.setProperty(name, style.getPropertyValue(name));
  }
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  return new XMLSerializer().serializeToString(copy);
}
