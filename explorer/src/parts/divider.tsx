/** A handle between two panes of a grid: drag it, or move it by arrow keys. The tab remembers the widths. */
import { useEffect, useRef, useState } from "react";

interface Props {
  /** Identifies the grid. */
  readonly name: string;
  /** Number of the pane on the left. */
  readonly after: number;
  readonly label: string;
}

const SMALLEST = 120;

export function Divider({ name, after, label }: Props) {
  const handle = useRef<HTMLDivElement>(null);
  const [share, setShare] = useState(50);
  const key = `everypath-panes-${name}`;
  const grid = (): HTMLElement => handle.current!.parentElement!;
  useEffect(() => {
    for (const [pane, width] of JSON.parse(sessionStorage.getItem(key) ?? "[]") as [number, number][])
      grid().style.setProperty(`--pane-${pane}`, `${width}fr`);
    setShare(shareOf(panesOf(grid()), after));
  }, [key, after]);

  const move = (by: number): void => {
    const panes = panesOf(grid());
    const widths = panes.map((pane) => pane.getBoundingClientRect().width);
    const both = widths[after]! + widths[after + 1]!;
    const left = Math.min(Math.max(widths[after]! + by, SMALLEST), both - SMALLEST);
    widths[after] = left;
    widths[after + 1] = both - left;
    for (const [pane, width] of widths.entries())
      grid().style.setProperty(`--pane-${pane}`, `${Math.round(width)}fr`);
    sessionStorage.setItem(key, JSON.stringify([...widths.entries()]));
    setShare(Math.round((100 * left) / both));
  };
  const onPointerDown = (event: React.PointerEvent): void => {
    event.preventDefault();
    const element = handle.current!;
    element.setPointerCapture(event.pointerId);
    let at = event.clientX;
    const onMove = ({ clientX }: PointerEvent): void => {
      move(clientX - at);
      at = clientX;
    };
    element.addEventListener("pointermove", onMove);
    element.addEventListener("lostpointercapture", () => element.removeEventListener("pointermove", onMove), {
      once: true,
    });
  };
  return (
    <div
      ref={handle}
      className="divider"
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-valuenow={share}
      aria-valuemin={0}
      aria-valuemax={100}
      onPointerDown={onPointerDown}
      onKeyDown={(event) => {
        if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
        event.preventDefault();
        event.stopPropagation();
        move(event.key === "ArrowLeft" ? -24 : 24);
      }}
    />
  );
}

const panesOf = (grid: Element): Element[] =>
  [...grid.children].filter((child) => !child.classList.contains("divider"));

function shareOf(panes: readonly Element[], after: number): number {
  const [a, b] = [panes[after], panes[after + 1]].map((pane) => pane?.getBoundingClientRect().width ?? 1);
  return Math.round((100 * a!) / (a! + b!));
}
