/**
 * The models that come with Debian's `spin` package: the list is frozen in `spin-examples.json`, with what
 * Spin showed when it was frozen (`npm run conformance -- --freeze` makes it anew). The files themselves are
 * not ours to copy: they are read where the package puts them, or from SPIN_EXAMPLES.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "../repository.js";
import type { ConformanceModel } from "./models.js";

export const examplesFolder = process.env["SPIN_EXAMPLES"] ?? "/usr/share/doc/spin/examples/Examples";

export const hasExamples = (): boolean => existsSync(examplesFolder);

export type ExampleEntry =
  /** Included by models, not one by itself. */
  | { readonly file: string; readonly kind: "fragment"; readonly why: string }
  | { readonly file: string; readonly kind: "embedded-c"; readonly why: string }
  | ExampleModel;

export interface ExampleModel {
  readonly file: string;
  readonly kind: "model";
  readonly defines?: readonly string[];
  readonly choosesInAtomic?: boolean;
  /** What Spin showed; absent where it gave no figures. */
  readonly seen?: {
    readonly states: number;
    readonly transitions: number;
    readonly errors: readonly string[];
  };
  /** Why the model is not compared. It must be readable for us all the same. */
  readonly excluded?: string;
}

export const exampleListFile = inRepository("test/conformance/spin-examples.json");

export const frozenExamples = (): ExampleEntry[] =>
  JSON.parse(readFileSync(exampleListFile, "utf8")) as ExampleEntry[];

/** Those that Spin searches to the end. */
export const comparableExamples = (): ConformanceModel[] => modelsOf((entry) => entry.excluded === undefined);

/** Those where only the reading can be tested. */
export const excludedExamples = (): (ConformanceModel & { readonly excluded: string })[] =>
  modelsOf((entry) => entry.excluded !== undefined) as (ConformanceModel & { excluded: string })[];

const modelsOf = (selects: (entry: ExampleModel) => boolean): ConformanceModel[] =>
  frozenExamples()
    .filter((entry) => entry.kind === "model")
    .filter(selects)
    .map((entry) => ({
      name: entry.file,
      file: join(examplesFolder, entry.file),
      defines: entry.defines ?? [],
      statesSeen: entry.seen?.states,
      choosesInAtomic: entry.choosesInAtomic ?? false,
      ...(entry.excluded === undefined ? {} : { excluded: entry.excluded }),
    }));
