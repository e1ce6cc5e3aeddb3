/** The variables of a state: changes first, then everything as a tree; watched expressions; a filter. */
import { memo, useCallback, useMemo, useState } from "react";
import { counted } from "../../../src/report/figures.js";
import { vocabularyOf, type Values as StateValues } from "../expression.js";
import { treeRows, type Foldable, type Leaf, type TreeRow } from "./value-tree.js";
import { WatchList, type Timeline } from "./watch-list.js";
import { useWatches } from "./watches.js";

export interface ValuesProps {
  readonly values: StateValues;
  /** The state to compare with, and its name. */
  readonly before: StateValues | null;
  readonly beforeName: string;
  /** Hides equal values. */
  readonly onlyChanged?: boolean;
  /** Watches are plotted over it. */
  readonly timeline?: Timeline;
}

export function Values({ values, before, beforeName, onlyChanged = false, timeline }: ValuesProps) {
  const [filter, setFilter] = useState("");
  const leaves = useMemo(() => leavesOf(values, before), [values, before]);
  const path = timeline?.path;
  const vocabulary = useMemo(() => path?.vocabulary ?? vocabularyOf([values]), [path, values]);
  const wanted = filter.trim().toLowerCase();
  const shown = leaves.filter(
    ({ name, value }) =>
      wanted === "" || name.toLowerCase().includes(wanted) || value?.toLowerCase().includes(wanted),
  );
  const changed = shown.filter(({ isChanged }) => isChanged);
  return (
    <>
      <div className="bar">
        <h2>Values</h2>
        <input
          type="search"
          className="filter"
          placeholder="filter"
          aria-label="Filter the values"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      </div>
      <WatchList values={values} before={before} vocabulary={vocabulary} timeline={timeline} />
      <div className="values mono">
        {changed.length > 0 && (
          <>
            <h3>Changed since {beforeName}</h3>
            <Tree leaves={changed} isFlat label="Changed values" />
          </>
        )}
        {!onlyChanged && shown.length > 0 && (
          <>
            {changed.length > 0 && <h3>All values</h3>}
            <Tree leaves={shown} isFlat={false} label="All values" />
          </>
        )}
        {(shown.length === 0 || (onlyChanged && changed.length === 0)) && (
          <p className="empty">{emptyWords(leaves.length, onlyChanged, beforeName)}</p>
        )}
      </div>
    </>
  );
}

const emptyWords = (count: number, onlyChanged: boolean, beforeName: string): string => {
  if (count === 0) return "This state has no variables.";
  return onlyChanged ? `Nothing differs from ${beforeName}.` : "No value is like that.";
};

interface TreeProps {
  readonly leaves: readonly Leaf[];
  /** Whole names, in a list. */
  readonly isFlat: boolean;
  readonly label: string;
}

function Tree({ leaves, isFlat, label }: TreeProps) {
  const { expressions, toggle } = useWatches();
  const [folds, setFolds] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isOpen = (key: string, row: Foldable): boolean => folds.get(key) ?? opensAtFirst(row, leaves.length);
  const rows = isFlat
    ? leaves.flatMap((leaf) =>
        treeRows([leaf], isOpen).map((row) => ({ ...row, label: row.name ?? row.label })),
      )
    : treeRows(leaves, isOpen);
  const fold = useCallback(
    (key: string, opens: boolean): void => setFolds((before) => new Map(before).set(key, opens)),
    [],
  );
  return (
    <>
      <table aria-label={label}>
        <tbody>
          {rows.slice(0, MOST_ROWS).map(({ key, ...row }) => (
            <Row
              key={key}
              {...row}
              id={key}
              isWatched={row.name !== undefined && expressions.includes(row.name)}
              onWatch={toggle}
              onFold={fold}
            />
          ))}
        </tbody>
      </table>
      {rows.length > MOST_ROWS && (
        <p className="empty">
          … and {counted(rows.length - MOST_ROWS, "more row")}: fold or filter to see them.
        </p>
      )}
    </>
  );
}

interface RowProps extends Omit<TreeRow, "key"> {
  readonly id: string;
  readonly isWatched: boolean;
  readonly onWatch: (name: string) => void;
  readonly onFold: (key: string, opens: boolean) => void;
}

/** Rendered again only if one of its values is another. */
const Row = memo(function Row({ id, isWatched, onWatch, onFold, ...row }: RowProps) {
  const { name } = row;
  return (
    <tr className={row.isChanged ? "is-changed" : undefined}>
      <td style={{ paddingLeft: row.depth * 14 }}>
        {name !== undefined && (
          <button
            className="star"
            aria-pressed={isWatched}
            aria-label={`watch ${name}`}
            onClick={() => onWatch(name)}
          >
            {isWatched ? "★" : "☆"}
          </button>
        )}
        {row.isOpen === undefined ? (
          row.label
        ) : (
          <button className="fold" aria-expanded={row.isOpen} onClick={() => onFold(id, !row.isOpen)}>
            {row.isOpen ? "▾" : "▸"} {row.label}
          </button>
        )}
      </td>
      <td>{row.value === undefined ? <i>gone</i> : row.isOpen && row.depth > 0 ? "" : row.value}</td>
      <td className="was">{wasWords(row)}</td>
    </tr>
  );
});

const wasWords = ({ isChanged, was }: Omit<TreeRow, "key">): string =>
  !isChanged ? "" : was === undefined ? "new" : `was ${was}`;

const MOST_ROWS = 300;

/** Groups are open in a small state, and where something changed; values unfold only on request. */
const opensAtFirst = ({ hasChanges, isValue }: Foldable, all: number): boolean =>
  !isValue && (all <= 40 || hasChanges);

function leavesOf(values: StateValues, before: StateValues | null): Leaf[] {
  const rows: Leaf[] = [...values].map(([name, value]) => {
    const was = before?.get(name);
    return { name, value, was, isChanged: before !== null && was !== value };
  });
  for (const [name, was] of before ?? [])
    if (!values.has(name)) rows.push({ name, value: undefined, was, isChanged: true });
  return rows;
}
