/** State of the page: texts, their analyses, the runs. One hook, used once, at the top. */
import { useCallback, useEffect, useRef, useState } from "react";
import type {
  LoadedView,
  Progress,
  ProjectView,
  RunRequest,
  RunView,
  ServerEvent,
  SourceView,
} from "../../src/explorer/protocol.js";
import { api, listen } from "./api.js";
import { keepEdit, keptEdit, type KeptEdit } from "./kept-edit.js";

/** A file: the version on disk and the user's edit. */
export interface Draft {
  /** Version that the edit started from. */
  readonly base: SourceView;
  readonly text: string;
  /** Present text, if another program has written the file since. */
  readonly newer: SourceView | null;
}

export const isEdited = ({ base, text }: Draft): boolean => text !== base.text;

export interface Explorer {
  readonly project: ProjectView;
  readonly draft: Draft | null;
  /** Analysis of the text on disk. */
  readonly loaded: LoadedView | null;
  /** Analysis of the text in the editor. */
  readonly draftLoaded: LoadedView | null;
  readonly runs: readonly RunView[];
  readonly isConnected: boolean;
  readonly reruns: boolean;
  readonly problem: string | null;
  /** The edit was made before the page was reloaded. */
  readonly isRestored: boolean;
  acceptRestored(): void;
  edit(text: string): void;
  save(): Promise<boolean>;
  /** Discards the edit in favour of the text on disk. */
  takeDisk(): void;
  /** Keeps the edit, to overwrite the text on disk. */
  keepMine(): void;
  run(request: RunRequest): Promise<RunView | null>;
  stop(id: number): void;
  setReruns(reruns: boolean): void;
  complain(problem: string | null): void;
}

export function useExplorer(project: ProjectView): Explorer {
  const [draft, setDraft] = useState<Draft | null>(null);
  const [loaded, setLoaded] = useState<LoadedView | null>(null);
  const [draftLoaded, setDraftLoaded] = useState<LoadedView | null>(null);
  const [runs, setRuns] = useState<readonly RunView[]>([]);
  const [isConnected, setConnected] = useState(true);
  const [reruns, setReruns] = useState(true);
  const [problem, complain] = useState<string | null>(null);
  const [isRestored, setRestored] = useState(false);

  const say = useCallback(
    (error: unknown) => complain(error instanceof Error ? error.message : String(error)),
    [],
  );
  const reload = useCallback(async () => setLoaded(await api.load()), []);

  const run = useCallback(
    async (request: RunRequest): Promise<RunView | null> => {
      try {
        complain(null);
        const view = await api.run(request);
        setRuns((before) => withRun(before, view));
        return view;
      } catch (error) {
        say(error);
        return null;
      }
    },
    [say],
  );

  // Event handlers need the newest values, not the values at subscription.
  const now = useRef({ runs, reruns, draft });
  useEffect(() => {
    now.current = { runs, reruns, draft };
  });

  useEffect(() => {
    const onSource = async (file: string): Promise<void> => {
      if (file === project.file) {
        const newer = await api.source(file);
        setDraft((before) => (before ? seen(before, newer) : before));
      }
      await reload();
      const last = now.current.runs.at(-1);
      if (now.current.reruns && last && last.state === "done") await run(last.request);
    };
    const onEvent = (event: ServerEvent): void => {
      if (event.kind === "run") setRuns((before) => withRun(before, event.run));
      else if (event.kind === "progress")
        setRuns((before) => before.map((r) => (r.id === event.id ? progressed(r, event.progress) : r)));
      else void onSource(event.file).catch(say);
    };
    const start = async (): Promise<void> => {
      const source = await api.source(project.file);
      const kept = keptEdit(project.file);
      setDraft(kept ? restored(kept, source) : { base: source, text: source.text, newer: null });
      setRestored(kept !== null && kept.text !== source.text);
      setRuns(await api.runs());
      await reload();
    };
    void start().catch(say);
    return listen(onEvent, setConnected);
  }, [project.file, reload, run, say]);

  useEffect(() => {
    if (draft) keepEdit(project.file, draft);
  }, [draft, project.file]);

  // Reloading keeps the edit; closing the tab would lose it.
  const isDirty = draft !== null && isEdited(draft);
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isDirty]);

  // Diagnostics follow the typing with a short delay.
  const text = draft?.text;
  useEffect(() => {
    if (text === undefined) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      void api.load(text).then((view) => isCurrent && setDraftLoaded(view), say);
    }, 250);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, say]);

  return {
    project,
    draft,
    loaded,
    draftLoaded,
    runs,
    isConnected,
    reruns,
    problem,
    isRestored: isRestored && isDirty,
    acceptRestored: () => setRestored(false),
    edit: (text) => setDraft((before) => before && { ...before, text }),
    save: async () => {
      if (!draft) return false;
      try {
        const base = await api.save({ file: project.file, text: draft.text, mark: draft.base.mark });
        setDraft({ base, text: draft.text, newer: null });
        complain(null);
        return true;
      } catch (error) {
        say(error);
        return false;
      }
    },
    takeDisk: () =>
      setDraft(
        (before) =>
          before && {
            base: before.newer ?? before.base,
            text: (before.newer ?? before.base).text,
            newer: null,
          },
      ),
    keepMine: () =>
      setDraft((before) => before && { ...before, base: before.newer ?? before.base, newer: null }),
    run,
    stop: (id) => void api.stop(id).catch(say),
    setReruns,
    complain,
  };
}

/** The edit from before a reload, with the text on disk as its newer version if that has changed. */
const restored = ({ base, text }: KeptEdit, disk: SourceView): Draft =>
  seen({ base, text, newer: null }, disk);

/** A file without edits follows the disk; an edited one keeps the edit and records the newer text. */
function seen(draft: Draft, newer: SourceView): Draft {
  if (newer.mark === draft.base.mark) return { ...draft, newer: null };
  if (!isEdited(draft) || newer.text === draft.text) return { base: newer, text: newer.text, newer: null };
  return { ...draft, newer };
}

const withRun = (runs: readonly RunView[], run: RunView): readonly RunView[] =>
  runs.some(({ id }) => id === run.id) ? runs.map((r) => (r.id === run.id ? run : r)) : [...runs, run];

const progressed = (run: RunView, progress: Progress): RunView =>
  run.state === "done" ? run : { ...run, history: [...run.history, progress].slice(-800) };
