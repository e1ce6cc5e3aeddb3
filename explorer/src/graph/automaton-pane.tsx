/** Shows the automaton of a temporal property, as used by the search for violations. */
import { useEffect, useState } from "react";
import type { AutomatonView } from "../../../src/explorer/protocol.js";
import { api } from "../api.js";
import type { Explorer } from "../state.js";

export function AutomatonPane({ explorer: { loaded } }: { readonly explorer: Explorer }) {
  const temporal = (loaded?.properties ?? []).filter(({ isTemporal }) => isTemporal);
  const [name, setName] = useState<string | null>(null);
  const [view, setView] = useState<AutomatonView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const chosen = name ?? temporal[0]?.name;
  useEffect(() => {
    if (chosen === undefined) return;
    let isCurrent = true;
    setProblem(null);
    api.automaton(chosen).then(
      (answer) => isCurrent && setView(answer),
      (error: Error) => isCurrent && (setView(null), setProblem(error.message)),
    );
    return () => void (isCurrent = false);
  }, [chosen]);
  if (chosen === undefined) return null;
  return (
    <section className="pane" aria-label="Property automaton">
      <div className="bar">
        <h2>Automaton</h2>
        <select aria-label="Property" value={chosen} onChange={(event) => setName(event.target.value)}>
          {temporal.map((property) => (
            <option key={property.name}>{property.name}</option>
          ))}
        </select>
      </div>
      <p className="faint">It accepts the executions that violate the property.</p>
      {problem !== null && <p className="notice bad">{problem}</p>}
      {/* Every text in the drawing was escaped where it was written. */}
      {view && (
        <div
          className="drawing"
          tabIndex={0}
          aria-label={view.title}
          dangerouslySetInnerHTML={{ __html: view.svg }}
        />
      )}
    </section>
  );
}
