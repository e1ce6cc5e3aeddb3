/** Messages between the two processes: plain data, as structured clones. */
import type { PackedSource } from "../code/system/index.js";
import { Sources, type Diagnostic, type Progress, type Property } from "../model/index.js";
import type { CheckReport, ExecutionReport } from "../report/index.js";
import type { CheckOptions, ModelOptions, ReplayRequest } from "../session/index.js";
import type { SimulateFlags } from "../cli/simulate.js";
import type { Answered, Asked } from "../explorer/model-service.js";

export type Job = Common & (CheckJob | ReplayJob | SimulateJob | DeskJob);

interface Common {
  readonly source: PackedSource;
  readonly text: string;
  /** Files that are read there in addition to the bundle. */
  readonly reads: readonly string[];
  /** Time limit of conditions: slow, to find a non-terminating one. */
  readonly conditionMs?: number;
}

export interface CheckJob {
  readonly kind: "check";
  readonly options: Omit<CheckOptions, "control">;
}

export interface ReplayJob {
  readonly kind: "replay";
  readonly request: ReplayRequest;
  readonly options: ModelOptions;
  /** A debugger may connect at this port of the machine itself; 0: at any that is free. The steps wait for it. */
  readonly inspectPort?: number;
}

/** The command itself: its output goes through pipes, and this describes the terminal. */
export interface SimulateJob {
  readonly kind: "simulate";
  readonly file: string;
  readonly flags: SimulateFlags;
  readonly argv: readonly string[];
  readonly screens: { readonly stdout: Screen; readonly stderr: Screen };
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Questions of the explorer, one after the other, until the process is ended. */
export interface DeskJob {
  readonly kind: "desk";
  readonly options: ModelOptions;
}

export interface Screen {
  readonly isTTY: boolean;
  readonly columns: number | undefined;
}

export type ToChild =
  | { readonly kind: "job"; readonly job: Job }
  | { readonly kind: "stop" }
  | { readonly kind: "ask"; readonly asked: Asked };

/** Intermediate messages. `alive` is sent in the absence of others. */
export type News =
  | { readonly kind: "alive" }
  /** The file is loaded, and the search begins. */
  | { readonly kind: "begun"; readonly properties: readonly Property[] }
  | { readonly kind: "progress"; readonly progress: Progress }
  /** For a debugger, at that address; undefined: the port cannot be had. */
  | { readonly kind: "waiting"; readonly url: string | undefined }
  /** A question of the explorer. */
  | { readonly kind: "answered"; readonly answered: Answered };

export type Answer =
  | { readonly kind: "checked"; readonly report: Packed<CheckReport> }
  | { readonly kind: "replayed"; readonly report: Packed<ExecutionReport> }
  | { readonly kind: "simulated"; readonly exitCode: number }
  /** A run met something that is wrong with the system. */
  | { readonly kind: "refused"; readonly problem: Diagnostic }
  /** An internal error. */
  | { readonly kind: "broken"; readonly message: string; readonly stack: string };

export const isAnswer = (message: News | Answer): message is Answer =>
  ["checked", "replayed", "simulated", "refused", "broken"].includes(message.kind);

type Packed<T> = Omit<T, "sources"> & { readonly texts: readonly (readonly [file: string, text: string])[] };

export function packReport<T extends { readonly sources: Sources }>({ sources, ...rest }: T): Packed<T> {
  return { ...rest, texts: sources.files().map((file) => [file, sources.text(file)!] as const) };
}

export function unpackReport<T extends { readonly sources: Sources }>({ texts, ...rest }: Packed<T>): T {
  const sources = new Sources();
  for (const [file, text] of texts) sources.add(file, text);
  return { ...rest, sources } as unknown as T;
}
