/**
 * The models of Debian's `spin` package, listed in `spin-examples.json` with Spin's results at the time (`npm run
 * conformance -- --freeze` regenerates it). The files are not copied: they are read from the package's folder, or from
 * SPIN_EXAMPLES.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "../repository.js";
import type { ConformanceModel } from "./models.js";

export const examplesFolder = process.env["SPIN_EXAMPLES"] ?? "/usr/share/doc/spin/examples/Examples";

export const hasExamples = (): boolean => existsSync(examplesFolder);

export type ExampleEntry =
  /** Included by models, not a model itself. */
  | { readonly file: string; readonly kind: "fragment"; readonly why: string }
  | { readonly file: string; readonly kind: "embedded-c"; readonly why: string }
  | ExampleModel;

export interface ExampleModel {
  readonly file: string;
  readonly kind: "model";
  readonly defines?: readonly string[];
  readonly choosesInAtomic?: boolean;
  /** Spin's results; absent if it gave no figures. */
  readonly seen?: {
    readonly states: number;
    readonly transitions: number;
    readonly errors: readonly string[];
  };
  /** The reason why the model is not compared. It must still parse. */
  readonly excluded?: string;
}

export const exampleListFile = inRepository("test/conformance/spin-examples.json");

export const frozenExamples = (): ExampleEntry[] =>
  JSON.parse(readFileSync(exampleListFile, "utf8")) as ExampleEntry[];

/** Models that Spin searches completely. */
export const comparableExamples = (): ConformanceModel[] => modelsOf((entry) => entry.excluded === undefined);

/** Models that are only parsed. */
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
