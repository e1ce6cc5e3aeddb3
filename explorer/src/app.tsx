/** The frame: the file, its status, and the five views. */
import { useEffect } from "react";
import type { ProjectView, RunView } from "../../src/explorer/protocol.js";
import { VIEWS, formatAddress, type ViewName } from "./address.js";
import { stayAt, useAddress } from "./navigation.js";
import { CompareView } from "./compare-view.js";
import { GraphView } from "./graph/graph-view.js";
import { KeyHelp } from "./parts/key-help.js";
import { RunPage } from "./run/run-view.js";
import { newestTrace } from "./runs.js";
import { isEdited, useExplorer, type Explorer } from "./state.js";
import { TracePage } from "./trace/trace-view.js";
import { WalkPage } from "./walk-view.js";

export function App({ project }: { readonly project: ProjectView }) {
  const explorer = useExplorer(project);
  const address = useAddress();

  const hasStates = explorer.loaded?.hasStates;
  useEffect(() => {
    if (location.hash !== "" || project.at === null || hasStates === undefined) return;
    const isLoop = project.at.includes("(");
    stayAt({ view: isLoop || !hasStates ? "trace" : "walk", at: project.at });
  }, [project.at, hasStates]);

  return (
    <>
      <a
        className="skip"
        href="#main"
        onClick={(event) => (event.preventDefault(), document.getElementById("main")?.focus())}
      >
        skip to the view
      </a>
      <Header explorer={explorer} view={address.view} />
      <Notices explorer={explorer} />
      <main id="main" tabIndex={-1}>
        <View explorer={explorer} name={address.view} />
      </main>
    </>
  );
}

function View({ explorer, name }: { readonly explorer: Explorer; readonly name: ViewName }) {
  switch (name) {
    case "run":
      return <RunPage explorer={explorer} />;
    case "trace":
      return <TracePage explorer={explorer} />;
    case "walk":
      return <WalkPage explorer={explorer} />;
    case "graph":
      return <GraphView explorer={explorer} />;
    case "compare":
      return <CompareView explorer={explorer} />;
  }
}

const titles: Record<ViewName, string> = {
  run: "Run",
  trace: "Trace",
  walk: "Walk",
  graph: "Graph",
  compare: "Compare",
};

function Header({ explorer, view }: { readonly explorer: Explorer; readonly view: ViewName }) {
  const { project, draft } = explorer;
  const last = explorer.runs.at(-1);
  return (
    <header className="top">
      <h1 className="file">
        <b title={project.file}>
          <bdi>{project.file}</bdi>
        </b>{" "}
        <span className="faint">{project.language?.name ?? "unknown language"}</span>
        {draft && isEdited(draft) && <span className="chip warn">unsaved edits</span>}
        {last && <Outcome run={last} />}
      </h1>
      <nav aria-label="Views">
        {VIEWS.map((name) => (
          <a key={name} href={addressOf(name, explorer)} aria-current={name === view ? "page" : undefined}>
            {titles[name]}
          </a>
        ))}
      </nav>
      <KeyHelp />
    </header>
  );
}

/** The trace view opens with the newest trace. */
function addressOf(view: ViewName, { runs, loaded }: Explorer): string {
  const newest = view === "trace" ? newestTrace(runs, undefined) : undefined;
  if (!newest) return formatAddress({ view });
  // Without states to step through, the address names the run and its property instead of a schedule.
  return formatAddress(
    loaded && !loaded.hasStates
      ? { view, run: newest.run, property: newest.property }
      : { view, at: newest.schedule },
  );
}

function Outcome({ run }: { readonly run: RunView }) {
  if (run.state !== "done") return <span className="chip">{run.state}</span>;
  if (run.answer?.kind !== "report") return <span className="chip bad">broke off</span>;
  if (run.answer.properties.length === 0) return <span className="chip bad">not checked</span>;
  return <span className={`chip ${run.answer.verdict}`}>{run.answer.verdict}</span>;
}

function Notices({ explorer }: { readonly explorer: Explorer }) {
  const { draft, problem, isConnected, project } = explorer;
  return (
    <div className="notices" aria-live="polite">
      {!isConnected && (
        <p className="notice bad">
          The server is gone. What you see stays; start everypath explore again to continue.
        </p>
      )}
      {problem !== null && (
        <p className="notice bad">
          {problem} <button onClick={() => explorer.complain(null)}>dismiss</button>
        </p>
      )}
      {explorer.isRestored && !draft?.newer && (
        <p className="notice warn">
          Your unsaved edits of {project.file} from before the reload are back.
          <button onClick={explorer.acceptRestored}>keep them</button>
          <button onClick={explorer.takeDisk}>discard them</button>
        </p>
      )}
      {draft?.newer && (
        <p className="notice warn">
          {project.file} was changed on disk, and you have unsaved edits.
          <button onClick={explorer.takeDisk}>take the text on disk</button>
          <button onClick={explorer.keepMine}>keep mine</button>
        </p>
      )}
    </div>
  );
}
