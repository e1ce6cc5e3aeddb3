/** The source, its properties, and a check with live figures. */
import { useEffect, useRef, useState } from "react";
import { Divider } from "../parts/divider.js";
import type { LoadedView, PropertyAnswer, RunRequest, RunView } from "../../../src/explorer/protocol.js";
import { counted } from "../../../src/report/figures.js";
import { goTo } from "../navigation.js";
import { useKeyNotes } from "../parts/use-keys.js";
import { isEdited, type Explorer } from "../state.js";
import { onPage } from "./advice.js";
import { Editor } from "./editor.js";
import { Abstraction } from "./abstraction.js";
import { Derivation } from "./derivation.js";
import { RunFigures } from "./figures.js";
import { RunOptions, isDefault } from "./options.js";
import { shareReport } from "./share.js";

export function RunPage({ explorer }: { readonly explorer: Explorer }) {
  const [reveal, setReveal] = useState<{ line: number } | null>(null);
  useKeyNotes(editorKeys);
  return (
    <div className="view split">
      <SourcePane explorer={explorer} reveal={reveal} />
      <Divider name="run" after={0} label="Width of the source" />
      <div className="column scrolls">
        <Asked explorer={explorer} onPlace={(line) => setReveal({ line })} />
        <Answers explorer={explorer} onPlace={(line) => setReveal({ line })} />
      </div>
    </div>
  );
}

const editorKeys = [
  { keys: ["Ctrl-S"], does: "save, in the editor" },
  { keys: ["Escape Tab"], does: "leave the editor: Tab alone indents" },
  { keys: ["Ctrl-F"], does: "find in the text, in the editor" },
];

function SourcePane({
  explorer,
  reveal,
}: {
  readonly explorer: Explorer;
  readonly reveal: { line: number } | null;
}) {
  const { draft, project } = explorer;
  if (!draft)
    return (
      <section className="pane">
        <p className="empty">Reading {project.file} …</p>
      </section>
    );
  const known = knownOf(explorer);
  const own = (known?.diagnostics ?? []).filter(({ file }) => file === project.file);
  const errors = own.filter(({ severity }) => severity === "error").length;
  const isDirty = isEdited(draft);
  return (
    <section className="pane grows" aria-label="Source">
      <div className="bar">
        <h2>{project.file}</h2>
        <span className="faint" role="status">
          {isDirty ? "unsaved edits; runs use the saved text" : "as saved"}
          {known && `, ${errors === 0 ? "no errors" : counted(errors, "error")}`}
        </span>
        <button disabled={!isDirty} onClick={() => void explorer.save()}>
          Save
        </button>
        <button disabled={!isDirty} onClick={explorer.takeDisk}>
          Undo all edits
        </button>
      </div>
      <Editor
        text={draft.text}
        label={`Source of ${project.file}`}
        highlighting={project.language?.highlighting ?? null}
        diagnostics={own}
        onEdit={explorer.edit}
        onSave={() => void explorer.save()}
        reveal={reveal}
      />
      <p className="faint way-out">
        <kbd>Ctrl-S</kbd> saves; <kbd>Escape</kbd> then <kbd>Tab</kbd> leaves the editor.
      </p>
      {project.language?.runsText && (
        <p className="faint said">
          This is code: opening and saving the file and running a check execute it. While you type it is only
          read.
        </p>
      )}
      <Problems explorer={explorer} />
    </section>
  );
}

/** Analysis of the editor's text; complete for a saved text, possibly parsed only for an unsaved one. */
const knownOf = ({ draft, loaded, draftLoaded }: Explorer): LoadedView | null =>
  draft && loaded && !isEdited(draft) && loaded.mark === draft.base.mark ? loaded : draftLoaded;

/** Lists diagnostics in words, because screen readers skip underlines. */
function Problems({ explorer }: { readonly explorer: Explorer }) {
  const diagnostics = knownOf(explorer)?.diagnostics ?? [];
  if (diagnostics.length === 0) return null;
  return (
    <ul className="problems" aria-label="Diagnostics">
      {diagnostics.map(({ severity, message, file, line, column, hint, code }, index) => (
        <li key={index} className={severity}>
          <span className="mono faint">
            {file}:{line}:{column}
          </span>{" "}
          <b>{severity}</b>: {message} {hint && <span className="faint">({hint})</span>}{" "}
          <span className="faint mono">{code}</span>
        </li>
      ))}
    </ul>
  );
}

function Asked({
  explorer,
  onPlace,
}: {
  readonly explorer: Explorer;
  readonly onPlace: (line: number) => void;
}) {
  const { loaded, project, draft } = explorer;
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const [options, setOptions] = useState<RunRequest>({});
  const running = explorer.runs.filter(({ state }) => state !== "done");
  const isDirty = draft !== null && isEdited(draft);
  if (!loaded)
    return (
      <section className="pane">
        <p className="empty">Reading the model …</p>
      </section>
    );
  const hasErrors = loaded.diagnostics.some(({ severity }) => severity === "error");
  const start = async (): Promise<void> => {
    if (isDirty && !(await explorer.save())) return;
    await explorer.run({ ...options, ...(chosen ? { properties: [...chosen] } : {}) });
  };
  const toggle = (name: string): void => {
    const next = new Set(chosen ?? loaded.properties.map((p) => p.name));
    if (!next.delete(name)) next.add(name);
    setChosen(next.size === loaded.properties.length ? null : next);
  };
  return (
    <section className="pane" aria-label="What to check">
      <div className="bar">
        <h2>Properties</h2>
        <button
          className="primary"
          disabled={(hasErrors && !isDirty) || running.length > 0 || chosen?.size === 0}
          onClick={() => void start()}
        >
          {isDirty ? "Save and run" : "Run"}
        </button>
        <button
          disabled={running.length === 0}
          onClick={() => running.forEach(({ id }) => explorer.stop(id))}
        >
          Stop
        </button>
        <label className="check">
          <input
            type="checkbox"
            checked={explorer.reruns}
            onChange={(e) => explorer.setReruns(e.target.checked)}
          />{" "}
          rerun when the file changes
        </label>
      </div>
      {hasErrors && (
        <p className="notice bad">The saved text has errors: nothing can be checked until they are mended.</p>
      )}
      {!hasErrors && loaded.properties.length === 0 && (
        <p className="empty">The model declares nothing to check.</p>
      )}
      <ul className="properties">
        {loaded.properties.map(({ name, kind, place }) => (
          <li key={name}>
            <label>
              <input type="checkbox" checked={chosen?.has(name) ?? true} onChange={() => toggle(name)} />{" "}
              {name} {kind !== name && <span className="faint">{kind}</span>}
            </label>
            {place && place[0] === 0 && (
              <button className="link" onClick={() => onPlace(place[1])}>
                line {place[1]}
              </button>
            )}
          </li>
        ))}
      </ul>
      <details>
        <summary>How to search{isDefault(options) ? "" : " (changed)"}</summary>
        <RunOptions choices={project.choices} request={options} onChange={setOptions} />
        {project.arguments.length > 0 && <p className="faint mono">{project.arguments.join(" ")}</p>}
      </details>
    </section>
  );
}

function Answers({
  explorer,
  onPlace,
}: {
  readonly explorer: Explorer;
  readonly onPlace: (line: number) => void;
}) {
  const run = explorer.runs.at(-1);
  const pane = useRef<HTMLElement>(null);
  // In a small window the answer is below the source: a run that starts or ends here brings it into view.
  const state = run && `${run.id} ${run.state}`;
  const before = useRef(state);
  useEffect(() => {
    if (state !== undefined && state !== before.current) pane.current?.scrollIntoView({ block: "nearest" });
    before.current = state;
  }, [state]);
  if (!run)
    return (
      <section className="pane">
        <p className="empty">
          Nothing was checked yet. Run explores every execution and shows the result here.
        </p>
      </section>
    );
  return (
    <section className="pane" aria-label="Answer" ref={pane}>
      <div className="bar">
        <h2>Run {run.id}</h2>
        {explorer.loaded && run.mark !== explorer.loaded.mark && (
          <span className="chip warn">of an earlier text</span>
        )}
        {run.answer?.kind === "report" && run.answer.properties.length > 0 && (
          <button onClick={() => void shareReport(run, explorer)}>Save the report as one file</button>
        )}
      </div>
      <Verdict run={run} onPlace={onPlace} />
      <RunFigures run={run} />
    </section>
  );
}

function Verdict({ run, onPlace }: { readonly run: RunView; readonly onPlace: (line: number) => void }) {
  const { answer, state } = run;
  if (!answer) {
    const word = state === "stopping" ? "Stopping: the search is finishing." : "Searching …";
    return <p role="status">{word}</p>;
  }
  if (answer.kind === "broken")
    return (
      <p className="notice bad" role="status">
        The search broke off: {answer.message}
      </p>
    );
  if (answer.properties.length === 0)
    return (
      <div role="status">
        <p className="notice bad">Nothing was checked.</p>
        <ul className="problems">
          {answer.diagnostics.map((d, i) => (
            <li key={i} className={d.severity}>
              {d.message} {d.hint && <span className="faint">({onPage(d.hint)})</span>}
            </li>
          ))}
        </ul>
      </div>
    );
  return (
    <>
      <p className={`verdict ${answer.verdict}`} role="status">
        <b>{answer.verdict}</b>: {answer.sentence}
      </p>
      <ul className="answers">
        {violatedFirst(answer.properties).map(([property, index]) => (
          <Answer key={index} run={run} property={property} index={index} onPlace={onPlace} />
        ))}
      </ul>
      {answer.unreached !== null && answer.unreached.length > 0 && (
        <details>
          <summary>{counted(answer.unreached.length, "statement")} never executed</summary>
          <ul className="properties mono">
            {answer.unreached.map(({ line, text, owner }, index) => (
              <li key={index}>
                <button className="link" onClick={() => onPlace(line)}>
                  line {line}
                </button>{" "}
                <span className="faint">{owner}</span> {text}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** With their positions in the answer, which identify traces. */
const violatedFirst = (properties: readonly PropertyAnswer[]): (readonly [PropertyAnswer, number])[] =>
  properties
    .map((property, index) => [property, index] as const)
    .sort(([a], [b]) => Number(b.verdict === "violated") - Number(a.verdict === "violated"));

function Answer({
  run,
  property,
  index,
  onPlace,
}: {
  readonly run: RunView;
  readonly property: PropertyAnswer;
  readonly index: number;
  readonly onPlace: (line: number) => void;
}) {
  const { title, verdict, word, reason, advice, trace } = property;
  const open = (): void =>
    goTo(
      trace!.isKept || (trace!.schedule === "" && trace!.length > 0)
        ? { view: "trace", run: run.id, property: index }
        : { view: "trace", at: trace!.schedule },
    );
  return (
    <li>
      <b>{title}</b> <span className={`chip ${verdict}`}>{word}</span>
      {trace && (
        <button className="primary" onClick={open}>
          Show the trace ({counted(trace.length, "step")})
        </button>
      )}
      <p className="reason">
        {reason}
        {advice && <span className="faint"> Try: {onPage(advice)}</span>}
      </p>
      {property.derivation && <Derivation derivation={property.derivation} onPlace={onPlace} />}
      {property.abstraction && <Abstraction abstraction={property.abstraction} />}
    </li>
  );
}
