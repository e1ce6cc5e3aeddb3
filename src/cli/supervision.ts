/**
 * Messages between the two processes of a command. Loaded before anything else: it must stay small.
 *
 * The second process does the work. It may be stuck in one long step, run out of memory or be ended by the language's own runtime;
 * the first one then still answers, enforces `--time` and `--memory`, and handles signals.
 */

/** From the process that works. */
export type WorkerMessage =
  /** A check of these files begins. */
  | { readonly kind: "begun"; readonly check: CheckBegun }
  | { readonly kind: "file"; readonly file: string }
  | { readonly kind: "progress"; readonly progress: object }
  /** The file has a result; later work has no budget. */
  | { readonly kind: "answered" }
  /** Final output of a finished file. */
  | { readonly kind: "checked"; readonly code: number; readonly json: unknown }
  | { readonly kind: "alive" };

export interface CheckBegun {
  readonly files: readonly string[];
  readonly json: boolean;
  readonly quiet: boolean;
  readonly color: "auto" | "always" | "never";
  readonly timeMs: number | undefined;
  readonly memoryBytes: number | undefined;
}

/** To the process that works. */
export type SupervisorMessage = { readonly kind: "stop" } | { readonly kind: "ping" };

/** Reports of a command to its supervisor; none without one. */
export interface Supervisor {
  send(message: WorkerMessage): void;
  onStop(stop: () => void): void;
}

/** The variable names the supervisor: an inherited one names another process. */
export const WATCHED_BY = "EVERYPATH_WATCHED_BY";

/** The descriptor by which the working process writes to standard error; the supervisor reads its own one. */
export const STDERR_FILE = 4;

export const isSupervised = (): boolean =>
  process.send !== undefined && process.env[WATCHED_BY] === String(process.ppid);

const commands = new Set(["check", "simulate", "replay", "automaton", "certify"]);

export function isSupervisedCommand(argv: readonly string[]): boolean {
  const isHelp = argv.includes("--help") || argv.includes("-h") || argv.includes("--inspect");
  return !isHelp && commands.has(argv.find((argument) => !argument.startsWith("-")) ?? "");
}
