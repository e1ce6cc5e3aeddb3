/** Rows of one height in a pane that scrolls: tells which to render, and keeps the current one in view. */
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";

export const ROW = 26;

export interface VisibleRows {
  readonly pane: RefObject<HTMLDivElement | null>;
  readonly from: number;
  readonly to: number;
  readonly onScroll: () => void;
}

export interface RowsOptions {
  /** Height of the part that stays at the top of the pane. */
  readonly header?: number;
  /** Rows rendered above and below the visible ones. */
  readonly margin?: number;
}

export function useRows(
  rows: number,
  current: number,
  { header = 0, margin = 20 }: RowsOptions = {},
): VisibleRows {
  const pane = useRef<HTMLDivElement>(null);
  const [[first, count], setSeen] = useState<readonly [number, number]>([0, 40]);
  const look = (): void => {
    const { scrollTop, clientHeight } = pane.current!;
    const top = Math.floor(scrollTop / ROW);
    const seen = Math.min(140, Math.ceil(clientHeight / ROW));
    setSeen((before) => (before[0] === top && before[1] === seen ? before : [top, seen]));
  };
  const reveal = (): void => {
    const { scrollTop, clientHeight } = pane.current!;
    const top = current * ROW;
    if (top < scrollTop) pane.current!.scrollTop = Math.max(0, top - ROW);
    else if (top + 2 * ROW + header > scrollTop + clientHeight)
      pane.current!.scrollTop = top + 2 * ROW + header - clientHeight;
    look();
  };
  const newest = useRef(reveal);
  useLayoutEffect(() => {
    newest.current = reveal;
  });
  // A smaller pane may no longer show the current row.
  useEffect(() => {
    const observer = new ResizeObserver(() => newest.current());
    observer.observe(pane.current!);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => newest.current(), [current, rows, header]);
  return {
    pane,
    from: Math.max(0, first - margin),
    to: Math.min(rows, first + count + margin),
    onScroll: look,
  };
}
