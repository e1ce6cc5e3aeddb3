/** Jobs about systems of nodes, and what is told and answered of them: plain data, as structured clones. */
import { dirname, resolve } from "node:path";
import { insideFile } from "../../code/bundle/inside-files.js";
import { packed, type PackedSource, type SystemSource } from "../../code/system/index.js";
import { Sources, type Progress, type Property } from "../../model/index.js";
import type { CheckReport, ExecutionReport } from "../../report/index.js";
import type { Job } from "../../sandbox/index.js";
import type { ReplayRequest } from "../replay/request.js";
import type { CheckOptions, Input, ModelOptions } from "../request.js";

/** What every job about nodes has. */
export interface NodesJob extends Job {
  readonly source: PackedSource;
  readonly text: string;
  /** Conditions are given up after so long: slow, for finding the one that does not end. */
  readonly conditionMs?: number;
}

export interface CheckJob extends NodesJob {
  readonly kind: "check";
  readonly options: Omit<CheckOptions, "control">;
}

export interface ReplayJob extends NodesJob {
  readonly kind: "replay";
  readonly request: ReplayRequest;
  readonly options: ModelOptions;
  /** A debugger may connect at this port of the machine itself; 0: at any that is free. The steps wait for it. */
  readonly inspectPort?: number;
}

/** The fields of every job about the nodes of a file; `reads`: files that are read there beside the bundle. */
export function nodesJob(
  source: SystemSource,
  { file, text }: Input,
  { reads = [], writes = false, threads = false }: Partial<Job["lock"]> = {},
): Omit<NodesJob, "kind"> {
  const files = source.files.map((name) => resolve(source.directory, name));
  const inside = dirname(dirname(insideFile("world/index")));
  return {
    source: packed(source),
    text,
    lock: { reads: [inside, ...files, resolve(file), ...reads], writes, threads },
  };
}

export type CheckNews =
  /** The file is loaded, and the search begins. */
  | { readonly kind: "begun"; readonly properties: readonly Property[] }
  | { readonly kind: "progress"; readonly progress: Progress };

export interface ReplayNews {
  /** Where a debugger is waited for; undefined: the port cannot be had. */
  readonly url: string | undefined;
}

export type PackedCheck = Packed<CheckReport>;
export type PackedReplay = Packed<ExecutionReport>;

type Packed<T> = Omit<T, "sources"> & { readonly texts: readonly (readonly [file: string, text: string])[] };

export function packReport<T extends { readonly sources: Sources }>({ sources, ...rest }: T): Packed<T> {
  return { ...rest, texts: sources.files().map((file) => [file, sources.text(file)!] as const) };
}

export function unpackReport<T extends { readonly sources: Sources }>({ texts, ...rest }: Packed<T>): T {
  const sources = new Sources();
  for (const [file, text] of texts) sources.add(file, text);
  return { ...rest, sources } as unknown as T;
}
