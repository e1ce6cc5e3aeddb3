/** The source beside a path: the line of the step and the locations of processes. */
import { useEffect, useMemo, useState } from "react";
import type { Place, SourceView } from "../../../src/explorer/protocol.js";
import { api } from "../api.js";
import { Editor, type Mark } from "../run/editor.js";
import type { Explorer } from "../state.js";

interface Props {
  readonly explorer: Explorer;
  readonly files: readonly string[];
  /** Source positions of the shown step. */
  readonly sources: readonly Place[];
  readonly places: ReadonlyMap<string, Place>;
  /** Declaration of the property that the shown state violates. */
  readonly violated?: Place | undefined;
  /** Identifies the text that the path belongs to. */
  readonly mark: string;
}

export function SourcePane({ explorer, files, sources, places, mark, violated }: Props) {
  const wanted = sources[0]?.[0] ?? [...places.values()][0]?.[0] ?? 0;
  const [chosen, setChosen] = useState<number | null>(null);
  const file = chosen ?? wanted;
  const { text, problem } = useText(files[file], mark);
  useEffect(() => setChosen(null), [wanted]);
  const marks = useMemo(() => marksOf(file, sources, places, violated), [file, sources, places, violated]);
  return (
    <>
      <div className="bar">
        <h2>Source</h2>
        {files.length > 1 ? (
          <select aria-label="File" value={file} onChange={(event) => setChosen(Number(event.target.value))}>
            {files.map((name, index) => (
              <option key={name} value={index}>
                {name}
              </option>
            ))}
          </select>
        ) : (
          <span className="faint">{files[0]}</span>
        )}
      </div>
      {problem !== null && <p className="notice bad">{problem}</p>}
      {text !== null && (
        <Editor
          text={text}
          label={`Source of ${files[file] ?? ""}`}
          highlighting={explorer.project.language?.highlighting ?? null}
          marks={marks}
        />
      )}
    </>
  );
}

function useText(file: string | undefined, mark: string): { text: string | null; problem: string | null } {
  const [source, setSource] = useState<SourceView | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    if (file === undefined) return;
    let isCurrent = true;
    setProblem(null);
    api.source(file).then(
      (view) => isCurrent && setSource(view),
      (error: Error) => isCurrent && setProblem(error.message),
    );
    return () => void (isCurrent = false);
  }, [file, mark]);
  return { text: source?.text ?? null, problem };
}

function marksOf(
  file: number,
  sources: readonly Place[],
  places: ReadonlyMap<string, Place>,
  violated: Place | undefined,
): Mark[] {
  interface Entry extends Omit<Mark, "line"> {
    isStep: boolean;
    isViolated: boolean;
    readonly processes: string[];
  }
  const lines = new Map<number, Entry>();
  const at = (line: number): Entry => {
    let entry = lines.get(line);
    if (!entry) lines.set(line, (entry = { isStep: false, isViolated: false, processes: [] }));
    return entry;
  };
  if (violated && violated[0] === file) at(violated[1]).isViolated = true;
  for (const [name, [where, line]] of places) if (where === file) at(line).processes.push(name);
  for (const [where, line] of sources) if (where === file) at(line).isStep = true;
  return [...lines].map(([line, entry]) => ({ line, ...entry }));
}
