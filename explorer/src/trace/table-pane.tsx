/** Steps by variables: a row for each state of the path, a column for each variable that changes, and for each watch. */
import { memo, useMemo, useState } from "react";
import { counted } from "../../../src/report/figures.js";
import { known } from "../../../src/model/known.js";
import { parseExpression, type Values } from "../expression.js";
import { ROW, useRows } from "../parts/use-rows.js";
import { useWatches } from "../parts/watches.js";
import type { Path } from "../path.js";

interface TablePaneProps {
  readonly path: Path;
  readonly current: number;
  readonly onSelect: (position: number) => void;
}

export function TablePane({ path, current, onSelect }: TablePaneProps) {
  const [filter, setFilter] = useState("");
  const { expressions } = useWatches();
  const changing = path.changingNames;
  const wanted = filter.trim().toLowerCase();
  const columns = useMemo(() => {
    const names = changing.filter(
      (name) => name.toLowerCase().includes(wanted) && !expressions.includes(name),
    );
    return {
      names: [...expressions, ...names].slice(0, MOST_COLUMNS),
      left: Math.max(0, expressions.length + names.length - MOST_COLUMNS),
    };
  }, [changing, wanted, expressions]);
  const { pane, from, to, onScroll } = useRows(path.last + 1, current, { header: ROW, margin: MARGIN });
  const states = useMemo(() => path.statesBetween(Math.max(0, from - 1), to), [path, from, to]);
  const readers = useMemo(
    () =>
      columns.names.map((name) => {
        const parsed = parseExpression(name, path.vocabulary);
        return "expression" in parsed ? parsed.expression.evaluate : (values: Values) => values.get(name);
      }),
    [columns, path],
  );
  const still = path.vocabulary.names.size - changing.length;
  return (
    <>
      <div className="bar">
        <h2>Table</h2>
        <input
          type="search"
          className="filter"
          placeholder="filter the columns"
          aria-label="Filter the columns"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <span className="faint">
          {[
            columns.left > 0 ? `${counted(columns.left, "more column")}: filter to see them` : "",
            still > 0 ? `${counted(still, "variable")} never ${still === 1 ? "changes" : "change"}` : "",
          ]
            .filter(Boolean)
            .join("; ")}
        </span>
      </div>
      <div
        className="grid-pane mono"
        ref={pane}
        onScroll={onScroll}
        tabIndex={0}
        role="group"
        aria-label="Table of steps"
      >
        <table>
          <thead>
            <tr style={{ height: ROW }}>
              <th scope="col">step</th>
              {columns.names.map((name) => (
                <th key={name} scope="col" title={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {from > 0 && <tr style={{ height: from * ROW }} />}
            {Array.from({ length: to - from }, (_, i) => from + i).map((position) => (
              <Row
                key={position}
                position={position}
                number={path.numberAt(position)}
                values={known(states.get(position), "state")}
                before={states.get(position - 1)}
                readers={readers}
                isCurrent={position === current}
                onSelect={onSelect}
              />
            ))}
            {to <= path.last && <tr style={{ height: (path.last + 1 - to) * ROW }} />}
          </tbody>
        </table>
      </div>
    </>
  );
}

const MOST_COLUMNS = 40;
/** Rows outside the pane: few, as each has many cells. */
const MARGIN = 4;

interface RowProps {
  readonly position: number;
  readonly number: number;
  readonly values: Values;
  readonly before: Values | undefined;
  readonly readers: readonly ((values: Values) => string | undefined)[];
  readonly isCurrent: boolean;
  readonly onSelect: (position: number) => void;
}

const Row = memo(function Row({ position, number, values, before, readers, isCurrent, onSelect }: RowProps) {
  return (
    <tr
      data-position={position}
      className={isCurrent ? "is-current" : undefined}
      style={{ height: ROW }}
      onClick={() => onSelect(position)}
    >
      <th scope="row">{number}</th>
      {readers.map((read, column) => {
        const value = read(values);
        const isChanged = before !== undefined && read(before) !== value;
        return (
          <td key={column} className={isChanged ? "is-changed" : undefined} title={value}>
            {value ?? ""}
          </td>
        );
      })}
    </tr>
  );
});
