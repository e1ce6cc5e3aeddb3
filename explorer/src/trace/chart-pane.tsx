/** The message sequence chart of a path: a window of rows around the selected step, for chosen processes. */
import { useEffect, useMemo, useRef, useState } from "react";
import { renderChart } from "../../../src/report/chart.js";
import { narrativeOf, processesOf, type Path } from "../path.js";

interface Props {
  readonly path: Path;
  readonly current: number;
  readonly onSelect: (position: number) => void;
}

/** A larger SVG slows the page. */
const ROWS = 300;

export function ChartPane({ path, current, onSelect }: Props) {
  const all = useMemo(() => processesOf(path), [path]);
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const [collapses, setCollapses] = useState(false);
  const pane = useRef<HTMLDivElement>(null);
  const processes = all.filter((name) => !hidden.has(name));
  // The window moves in leaps, so that most steps redraw nothing.
  const start = path.last <= ROWS ? 0 : Math.max(0, (Math.floor(current / (ROWS / 2)) - 0.5) * (ROWS / 2));
  const svg = useMemo(
    () => chartOf(path, hidden, collapses, [start, start + ROWS]),
    [path, hidden, collapses, start],
  );

  useEffect(() => {
    const number = path.numberAt(current);
    for (const row of pane.current!.querySelectorAll(".is-current")) row.classList.remove("is-current");
    const row = pane.current!.querySelector(`[data-step="${number}"]`);
    row?.classList.add("is-current");
    if (row) reveal(pane.current!, row);
  }, [svg, current, path]);

  const toggle = (name: string): void => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  const onClick = (event: React.MouseEvent): void => {
    const row = (event.target as Element).closest("[data-step]");
    if (row) onSelect(path.positionOf(Number(row.getAttribute("data-step"))));
  };
  return (
    <>
      <div className="bar">
        <h2>Sequence chart</h2>
        <label className="check">
          <input
            type="checkbox"
            checked={collapses}
            onChange={(event) => setCollapses(event.target.checked)}
          />{" "}
          messages only
        </label>
        <details className="menu">
          <summary>
            processes ({processes.length} of {all.length})
          </summary>
          <div>
            {all.map((name) => (
              <label key={name} className="check">
                <input type="checkbox" checked={!hidden.has(name)} onChange={() => toggle(name)} /> {name}
              </label>
            ))}
          </div>
        </details>
      </div>
      {path.last === 0 && <p className="empty">No step was taken yet: there is nothing to draw.</p>}
      {processes.length === 0 && <p className="empty">Choose at least one process.</p>}
      {/* Every text in the chart was escaped where it was written. */}
      <div
        className="chart"
        ref={pane}
        tabIndex={0}
        role="region"
        aria-label="Chart"
        onScroll={keepHeads}
        onClick={onClick}
        dangerouslySetInnerHTML={{ __html: svg }}
      />
    </>
  );
}

export function chartOf(
  path: Path,
  hidden: ReadonlySet<string> = new Set(),
  collapsesInternal = false,
  window?: readonly [number, number],
): string {
  if (path.last === 0) return "";
  const processes = processesOf(path).filter((name) => !hidden.has(name));
  return renderChart(narrativeOf(path), { processes, collapsesInternal, ...(window ? { window } : {}) });
}

/** The names of the processes stay in sight. */
const keepHeads = ({ currentTarget }: React.UIEvent): void =>
  currentTarget
    .querySelector(".msc-heads")
    ?.setAttribute("transform", `translate(0 ${currentTarget.scrollTop})`);

function reveal(pane: Element, row: Element): void {
  const y = Number(row.getAttribute("y"));
  const x = Number(row.getAttribute("data-x"));
  if (y < pane.scrollTop + 50 || y + 40 > pane.scrollTop + pane.clientHeight)
    pane.scrollTop = y - pane.clientHeight / 2;
  if (x < pane.scrollLeft + 60 || x + 60 > pane.scrollLeft + pane.clientWidth)
    pane.scrollLeft = x - pane.clientWidth / 2;
}
