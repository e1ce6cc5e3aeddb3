/** Abstract states behind a verdict: as a drawing, and with their formulas and steps. */
import type { AbstractionView } from "../../../src/explorer/protocol.js";
import { counted } from "../../../src/report/figures.js";

export function Abstraction({
  abstraction: { states, edges, svg },
}: {
  readonly abstraction: AbstractionView;
}) {
  return (
    <details open className="derived abstraction">
      <summary>
        {counted(states.length, "abstract state")}, {counted(edges.length, "step")}
      </summary>
      {/* Every text in the drawing was escaped where it was written. */}
      {svg !== null && (
        <div
          className="drawing"
          role="group"
          tabIndex={0}
          aria-label="Abstract states"
          dangerouslySetInnerHTML={{ __html: svg }}
        />
      )}
      <table className="mono comparison">
        <thead>
          <tr>
            <th>state</th>
            <th>formulas</th>
            <th>steps</th>
          </tr>
        </thead>
        <tbody>
          {states.map(({ name, formulas, marks }, number) => (
            <tr key={number}>
              <td>
                {name}
                {marks !== "" && <span className="faint"> ({marks})</span>}
              </td>
              <td>{formulas.join(" and ")}</td>
              <td>
                {edges
                  .filter(({ from }) => from === number)
                  .map(({ label, to, kind }) => `${label} to ${states[to]?.name ?? ""} (${kind})`)
                  .join("; ")}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
