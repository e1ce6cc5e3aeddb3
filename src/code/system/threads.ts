/**
 * A system of nodes for several threads: each has separate realms and a separate model, and all share the numbering of
 * the parts of states (`journal.ts`). So the words of a state are the same in every thread.
 *
 * A failure in a thread is written to the journal before it is thrown, because errors lose their class between threads.
 */
import { threadId } from "node:worker_threads";
import { Sources, type ObservedSystem, type Recipe, type System } from "../../model/index.js";
import { lockDown, lockOfThread, type Lock } from "../isolation/index.js";
import { Journal, JournalFull } from "../../model/journal.js";
import { makeModel, type SystemModel, type SystemModelOptions } from "./model.js";
import { ChangedByCondition, StepTimeout, Nondeterminism, NotSupported, OpaqueNode } from "./node-process.js";
import { conditionLimit, limitConditions } from "./condition-limit.js";
import { BadCondition } from "./properties.js";
import { Pulse, watchThreads } from "./pulse.js";
import { onEachStep } from "./run-step.js";
import { CannotLoad, packed, unpacked, type PackedSource, type SystemSource } from "./source.js";

export const NODES_MAKER = "nodes";

export interface SharedModel {
  readonly model: SystemModel;
  /** The original failure of a thread; undefined: none is known. */
  failure(): Error | undefined;
  catchUp(): void;
  /** Called after the threads have ended. */
  release(): void;
}

interface RecipeData {
  readonly source: PackedSource;
  readonly texts: readonly (readonly [file: string, text: string])[];
  readonly timeoutMs: number;
  readonly ignore: readonly string[];
  readonly memory: SharedArrayBuffer;
  readonly pulse: SharedArrayBuffer;
  /** Restrictions and time limits, as in the coordinating thread. */
  readonly lock: Lock | undefined;
  readonly conditionMs: number | undefined;
}

/** Model of the coordinating thread; the others build theirs from its recipe. */
export function sharedModel(
  source: SystemSource,
  { sources, timeoutMs, ignore }: Omit<SystemModelOptions, "replayed" | "journal" | "hash">,
): SharedModel {
  const journal = new Journal();
  let failure: Error | undefined;
  journal.table((_, key) => (failure ??= revived(JSON.parse(key) as Failure)));
  const shared = { replayed: new Set<string>(), sources, timeoutMs, journal, watch: WATCH };
  const model = makeModel(source, { ...shared, ignore: ignore ?? [] });
  const texts = sources.files().map((file) => [file, sources.text(file)!] as const);
  const pulse = new Pulse();
  watchThreads(pulse);
  const data: RecipeData = {
    source: packed(source),
    texts,
    timeoutMs,
    ignore: ignore ?? [],
    memory: journal.memory,
    pulse: pulse.memory,
    lock: lockOfThread(),
    conditionMs: conditionLimit(),
  };
  return {
    model: { ...model, recipe: { maker: NODES_MAKER, data } },
    failure: () => {
      journal.catchUp();
      return failure;
    },
    catchUp: () => journal.catchUp(),
    release: () => watchThreads(undefined),
  };
}

export function nodesFromRecipe({ data }: Recipe): SystemModel {
  const { source, texts, timeoutMs, ignore, memory, lock, conditionMs } = data as RecipeData;
  if (lock) lockDown({ ...lock, threads: false });
  if (conditionMs !== undefined) limitConditions(conditionMs);
  const pulse = new Pulse((data as RecipeData).pulse);
  // A repeated step is also progress.
  onEachStep(() => pulse.beat(threadId));
  const journal = new Journal(memory);
  const failures = journal.table(() => undefined);
  const sources = new Sources();
  for (const [file, text] of texts) sources.add(file, text);
  const journaling = <A extends unknown[], R>(run: (...all: A) => R) => {
    return (...all: A): R => {
      pulse.beat(threadId);
      try {
        return run(...all);
      } catch (error) {
        const failure = failureOf(error);
        if (failure) failures.number(JSON.stringify(failure));
        throw error;
      }
    };
  };
  const model = journaling(() =>
    makeModel(unpacked(source), {
      ...{ replayed: new Set<string>(), sources, timeoutMs, ignore, journal },
      watch: WATCH,
    }),
  )();
  const journalingSystem = (system: System): System => ({
    width: system.width,
    compareFrom: system.compareFrom,
    ...(system.labels ? { labels: system.labels } : {}),
    get hasRoot() {
      return journaling(() => system.hasRoot ?? false)();
    },
    initial: journaling((out) => system.initial(out)),
    successors: journaling((state, at, out) => system.successors(state, at, out)),
    status: journaling((state, at) => system.status(state, at)),
  });
  const observed = (system: ObservedSystem): ObservedSystem => ({
    ...journalingSystem(system),
    valuation: journaling((index, state, at) => system.valuation(index, state, at)),
  });
  const { system, holds, temporal } = model;
  return {
    ...model,
    system: journalingSystem(system),
    holds: journaling((index, state, at) => holds(index, state, at)),
    ...(temporal ? { temporal: { ...temporal, system: observed(temporal.system) } } : {}),
  };
}

/** In other threads, no final check detects changes by conditions. */
const WATCH = { every: 256 } as const;

type Failure =
  | { readonly kind: "opaque"; readonly node: string; readonly what: string; readonly path: string }
  | { readonly kind: "nondeterminism"; readonly node: string; readonly message: string }
  | {
      readonly kind: "condition";
      readonly condition: string;
      readonly code: string;
      readonly message: string;
    }
  | { readonly kind: "disturbed"; readonly node: string; readonly message: string }
  | { readonly kind: "unsupported"; readonly message: string }
  | { readonly kind: "full" }
  | { readonly kind: "given-up" };

function failureOf(error: unknown): Failure | undefined {
  if (error instanceof OpaqueNode)
    return { kind: "opaque", node: error.node, what: error.what, path: error.path };
  if (error instanceof ChangedByCondition)
    return { kind: "disturbed", node: error.node, message: error.message };
  if (error instanceof NotSupported) return { kind: "unsupported", message: error.message };
  if (error instanceof Nondeterminism)
    return { kind: "nondeterminism", node: error.node, message: error.message };
  if (error instanceof BadCondition)
    return { kind: "condition", condition: error.condition, code: error.code, message: error.message };
  // The coordinating thread has loaded the same file, so this is a timeout.
  if (error instanceof StepTimeout || error instanceof CannotLoad) return { kind: "given-up" };
  return error instanceof JournalFull ? { kind: "full" } : undefined;
}

function revived(failure: Failure): Error {
  switch (failure.kind) {
    case "opaque":
      return new OpaqueNode(failure.node, failure.what, failure.path);
    case "nondeterminism":
      return Object.assign(new Nondeterminism(failure.node, ""), { message: failure.message });
    case "condition":
      return Object.assign(new BadCondition(failure.condition, undefined), {
        code: failure.code,
        message: failure.message,
      });
    case "disturbed":
      return Object.assign(new ChangedByCondition(failure.node), { message: failure.message });
    case "unsupported":
      return Object.assign(new NotSupported(""), { message: failure.message });
    case "full":
      return new JournalFull();
    case "given-up":
      return new StepTimeout();
  }
}
