/** Jobs about systems of nodes and their messages: plain data, sent as structured clones. */
import { dirname, resolve } from "node:path";
import { insideFile } from "../../code/bundle/inside-files.js";
import { packed, type PackedSource, type SystemSource } from "../../code/system/index.js";
import { Sources, type Progress, type Property } from "../../model/index.js";
import type { CheckReport, ExecutionReport } from "../../report/index.js";
import type { Job } from "../../sandbox/index.js";
import type { ReplayRequest } from "../replay/request.js";
import type { CheckOptions, Input, ModelOptions } from "../request.js";

/** Common fields of jobs about nodes. */
export interface NodesJob extends Job {
  readonly source: PackedSource;
  readonly text: string;
  /** Time limit of a condition: long, to identify a condition that does not terminate. */
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
  /** Port for a debugger on the local machine; 0: any free one. Steps wait for the connection. */
  readonly inspectPort?: number;
}

/** Creates the common fields; `reads`: files that the process reads besides the bundle. */
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
  /** Address of the waiting debugger; undefined: the port is not available. */
  readonly url: string | undefined;
}

export type PackedCheck = Packed<CheckReport>;
export type PackedReplay = Packed<ExecutionReport>;

export type Packed<T> = Omit<T, "sources"> & {
  readonly texts: readonly (readonly [file: string, text: string])[];
};

export function packReport<T extends { readonly sources: Sources }>({ sources, ...rest }: T): Packed<T> {
  return { ...rest, texts: sources.texts() };
}

export function unpackReport<T extends { readonly sources: Sources }>({ texts, ...rest }: Packed<T>): T {
  const sources = new Sources();
  for (const [file, text] of texts) sources.add(file, text);
  return { ...rest, sources } as unknown as T;
}
