/** The variables of a state: marks changes, watches chosen variables, and compares two states. */
import { useMemo, useState } from "react";

export interface ValuesProps {
  readonly values: ReadonlyMap<string, string>;
  /** The state to compare with, and its name. */
  readonly before: ReadonlyMap<string, string> | null;
  readonly beforeName: string;
  /** Hides equal values. */
  readonly onlyChanged?: boolean;
}

export function Values({ values, before, beforeName, onlyChanged = false }: ValuesProps) {
  const [filter, setFilter] = useState("");
  const [watched, setWatched] = useState<ReadonlySet<string>>(new Set());
  const [onlyWatched, setOnlyWatched] = useState(false);
  const rows = useMemo(() => rowsOf(values, before), [values, before]);
  const wanted = filter.trim().toLowerCase();
  const shown = rows
    .filter(
      ({ name, value }) =>
        wanted === "" || name.toLowerCase().includes(wanted) || value?.toLowerCase().includes(wanted),
    )
    .filter(({ name }) => !onlyWatched || watched.has(name))
    .filter(({ isChanged }) => !onlyChanged || isChanged)
    .sort((a, b) => Number(watched.has(b.name)) - Number(watched.has(a.name)));
  const toggle = (name: string): void => {
    const next = new Set(watched);
    if (!next.delete(name)) next.add(name);
    setWatched(next);
    if (next.size === 0) setOnlyWatched(false);
  };
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
        <label className="check">
          <input
            type="checkbox"
            checked={onlyWatched}
            disabled={watched.size === 0}
            onChange={(event) => setOnlyWatched(event.target.checked)}
          />{" "}
          watched only
        </label>
      </div>
      <div className="values mono">
        {shown.length === 0 ? (
          <p className="empty">{emptyWords(rows.length, onlyChanged, beforeName)}</p>
        ) : (
          <table>
            <tbody>
              {shown.slice(0, MOST_ROWS).map(({ name, value, was, isChanged }) => (
                <tr key={name} className={isChanged ? "is-changed" : undefined}>
                  <td>
                    <button
                      className="star"
                      aria-pressed={watched.has(name)}
                      aria-label={`watch ${name}`}
                      onClick={() => toggle(name)}
                    >
                      {watched.has(name) ? "★" : "☆"}
                    </button>
                    {name}
                  </td>
                  <td>
                    {value ?? <i>gone</i>}
                    {isChanged && <span className="was"> {was === undefined ? "new" : `was ${was}`}</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {shown.length > MOST_ROWS && (
          <p className="empty">… and {shown.length - MOST_ROWS} more: filter to see them.</p>
        )}
      </div>
    </>
  );
}

const MOST_ROWS = 300;

const emptyWords = (count: number, onlyChanged: boolean, beforeName: string): string => {
  if (count === 0) return "This state has no variables.";
  return onlyChanged ? `Nothing differs from ${beforeName}.` : "No value is like that.";
};

interface ValueRow {
  readonly name: string;
  readonly value: string | undefined;
  readonly was: string | undefined;
  readonly isChanged: boolean;
}

function rowsOf(values: ReadonlyMap<string, string>, before: ReadonlyMap<string, string> | null): ValueRow[] {
  const rows: ValueRow[] = [...values].map(([name, value]) => {
    const was = before?.get(name);
    return { name, value, was, isChanged: before !== null && was !== value };
  });
  for (const [name, was] of before ?? [])
    if (!values.has(name)) rows.push({ name, value: undefined, was, isChanged: true });
  return rows;
}
