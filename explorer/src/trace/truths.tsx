/** Which invariants and propositions hold in the shown state. */
import { useMemo } from "react";
import type { Path } from "../path.js";

export function Truths({ path, position }: { readonly path: Path; readonly position: number }) {
  const truths = useMemo(() => path.truthsAt(position), [path, position]);
  if (truths.length === 0) return null;
  const isInner = position > 0 && path.steps[position - 1]?.isIntermediate === true;
  return (
    <section className="truths mono" aria-label="What holds here">
      <h3>What holds here{isInner ? ": as before the atomic sequence" : ""}</h3>
      <ul>
        {truths.map(({ name, isTrue }, index) => (
          <li key={index} className={isTrue ? "good" : "bad"}>
            <span aria-label={isTrue ? "holds" : "does not hold"} role="img">
              {isTrue ? "✓" : "✗"}
            </span>{" "}
            {name}
          </li>
        ))}
      </ul>
    </section>
  );
}
