/** Before the first level: the workers make their models, and the store is laid out for the width of their states. */
import type { Model, Recipe } from "../../../model/index.js";
import type { Ledger } from "../ledger.js";
import type { SearchOptions } from "../search.js";
import type { Crew } from "./crew.js";
import { levelProviso } from "./level-proviso.js";
import { meetingPlace } from "./meeting.js";
import type { SharedWords, Sizes, StepPlace } from "./protocol.js";
import { SharedStore } from "./shared-store.js";
import { sharedTable } from "./tables/index.js";
import type { TableSpec } from "./tables/table.js";

export interface Attempt {
  readonly model: Model;
  readonly recipe: Recipe;
  readonly width: number;
}

/** States turned out to be other than the attempt assumed: what to try next. */
export interface Misfit extends Pick<Attempt, "recipe" | "width"> {
  readonly isSpent?: boolean;
}

/** State shared by the workers and their coordinator, and the mode of work. */
export interface Workplace {
  readonly table: TableSpec;
  readonly sizes: Sizes;
  readonly keepsArcs: boolean;
  readonly control: SharedWords;
  readonly figures: readonly Float64Array<SharedArrayBuffer>[];
  readonly ledger: Ledger;
  readonly step: StepPlace | undefined;
}

/** A misfit when states turn out to be wider than the table was made for. */
export async function prepare(
  { model, recipe, width: assumed }: Attempt,
  options: SearchOptions,
  crew: Crew,
  { table, sizes, keepsArcs, control, figures, ledger, step }: Workplace,
): Promise<SharedStore | Misfit> {
  const width = Math.max(assumed, model.system.width);
  const { maxErrors, checksDeadlock, checksSite, invariants, sought = [], proviso } = options;
  const monitor = { maxErrors, checksDeadlock, checksSite, invariants, sought };
  const place = meetingPlace(crew.size);
  const ready = await crew.ask(
    figures.map((own, worker) => ({
      kind: "prepare",
      worker,
      recipe,
      width,
      monitor,
      sizes,
      table,
      keepsArcs,
      step,
      // Only the flat table identifies the state it has found, as with one thread.
      proviso: proviso && table.kind === "flat" ? levelProviso(proviso) : undefined,
      control,
      meetingPlace: place,
      figures: own,
    })),
    "ready",
  );
  const { width: actual, compareFrom } = ready[0]!;
  if (ready.some((reply) => reply.width !== actual || reply.compareFrom !== compareFrom))
    throw new Error("the workers' models differ");
  if (table.kind === "tree" && actual !== width) return { recipe, width: actual };
  const { maxStates = Infinity } = options.budget;
  return new SharedStore(
    sharedTable(table, { width: actual, compareFrom }, sizes, ledger),
    { width: actual, system: model.system, maxStates, workers: crew.size, sizes },
    ledger,
  );
}
