/** Client of the server: requests with the secret, and the stream of events. */
import {
  SECRET_HEADER,
  type AnotherView,
  type AutomatonView,
  type ControlView,
  type DrawnView,
  type FindRequest,
  type FoundView,
  type GraphRequest,
  type GraphView,
  type LoadedView,
  type PassingView,
  type PictureRequest,
  type Problem,
  type ProjectView,
  type RunRequest,
  type RunView,
  type SaveRequest,
  type ServerEvent,
  type SourceView,
  type StandingView,
  type TraceRequest,
  type TraceView,
  type WalkView,
} from "../../src/explorer/protocol.js";

/** A request the server refused; `status` is 0 when the server is unreachable. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Keeps the secret across reloads of this tab only. */
const KEPT = "everypath-secret";

/** Exchanges the address's one-time token for the secret, which the tab then keeps. */
export async function enter(): Promise<void> {
  const token = /^#token=(.+)$/.exec(location.hash)?.[1];
  if (token !== undefined) {
    history.replaceState(null, "", location.pathname);
    const { secret } = await post<{ secret: string }>("session", { token });
    sessionStorage.setItem(KEPT, secret);
  }
  if (sessionStorage.getItem(KEPT) === null)
    throw new Refused(
      401,
      "This address needs the token that `everypath explore` printed, and each token works once.",
    );
}

export const api = {
  project: () => get<ProjectView>("project"),
  runs: () => get<RunView[]>("runs"),
  source: (file: string) => post<SourceView>("source", { file }),
  save: (request: SaveRequest) => post<SourceView>("save", request),
  load: (text?: string) => post<LoadedView>("load", text === undefined ? {} : { text }),
  run: (request: RunRequest) => post<RunView>("run", request),
  stop: (id: number) => post<RunView>("stop", { id }),
  report: (id: number) => post<{ html: string | null }>("report", { id }),
  trace: (request: TraceRequest) => post<TraceView>("trace", request),
  find: (request: FindRequest) => post<FoundView>("find", request),
  walk: (schedule: string) => post<WalkView>("walk", { schedule }),
  wander: (schedule: string, seed: number) => post<WalkView>("wander", { schedule, seed }),
  graph: (request: GraphRequest) => post<GraphView>("graph", request),
  picture: (request: PictureRequest) => post<DrawnView>("picture", request),
  another: (known: readonly string[]) => post<AnotherView>("another", { known }),
  passing: (schedule: string) => post<PassingView>("passing", { schedule }),
  control: () => post<ControlView>("control", {}),
  standing: (schedule: string) => post<StandingView>("standing", { schedule }),
  automaton: (property: string) => post<AutomatonView>("automaton", { property }),
};

/** Reconnects after a broken connection; reports each change of its state. */
export function listen(
  onEvent: (event: ServerEvent) => void,
  onConnection: (isOpen: boolean) => void,
): () => void {
  const stop = new AbortController();
  void (async () => {
    while (!stop.signal.aborted) {
      try {
        const response = await fetch("api/events", { headers: secretHeader(), signal: stop.signal });
        if (!response.ok || !response.body) throw new Error(response.statusText);
        onConnection(true);
        await readEvents(response.body, onEvent);
      } catch {
        // Reported below, then retried.
      }
      if (stop.signal.aborted) return;
      onConnection(false);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  })();
  return () => stop.abort();
}

async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: ServerEvent) => void,
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let pending = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    pending += decoder.decode(value, { stream: true });
    const blocks = pending.split("\n\n");
    pending = blocks.pop()!;
    for (const block of blocks)
      if (block.startsWith("data: ")) onEvent(JSON.parse(block.slice(6)) as ServerEvent);
  }
}

const secretHeader = (): Record<string, string> => {
  const secret = sessionStorage.getItem(KEPT);
  return secret === null ? {} : { [SECRET_HEADER]: secret };
};

const get = <T>(path: string): Promise<T> => ask<T>(path, { method: "GET" });

const post = <T>(path: string, body: unknown): Promise<T> =>
  ask<T>(path, { method: "POST", body: JSON.stringify(body) });

async function ask<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`api/${path}`, { ...init, headers: secretHeader() });
  } catch {
    throw new Refused(0, "The explorer's server is gone. Start `everypath explore` again.");
  }
  const answer = (await response.json()) as T | Problem;
  if (response.ok) return answer as T;
  throw new Refused(response.status, (answer as Problem).error);
}
