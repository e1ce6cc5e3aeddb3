/** Derivation that proves an answer where there is no run: as a drawing and step by step. */
import type { DerivationView } from "../../../src/explorer/protocol.js";
import { counted } from "../../../src/report/figures.js";

interface Props {
  readonly derivation: DerivationView;
  readonly onPlace: (line: number) => void;
}

export function Derivation({ derivation: { steps, leftOut, svg }, onPlace }: Props) {
  return (
    <details open className="derived">
      <summary>Derivation in {counted(leftOut + steps.length, "step")}</summary>
      {/* Every text in the drawing was escaped where it was written. */}
      {svg !== null && (
        <div
          className="drawing"
          role="group"
          tabIndex={0}
          aria-label="Derivation"
          dangerouslySetInnerHTML={{ __html: svg }}
        />
      )}
      {leftOut > 0 && <p className="faint">the first {counted(leftOut, "step")} are left out</p>}
      <table className="mono comparison">
        <thead>
          <tr>
            <th>step</th>
            <th>rule</th>
            <th>from</th>
            <th>vector</th>
          </tr>
        </thead>
        <tbody>
          {steps.map(({ rule, place, from, vector }, index) => (
            <tr key={index}>
              <td>{leftOut + index + 1}</td>
              <td>
                <button className="link" onClick={() => onPlace(place[1])}>
                  {rule}
                </button>
              </td>
              <td>{from.join(" and ")}</td>
              <td>{vector}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
