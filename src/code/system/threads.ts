/**
 * A system of nodes for several threads: each has realms of its own and a model of its own, and all agree on the numbers of
 * the parts of states (`journal.ts`). So to the search a state is the same words in every thread.
 *
 * What goes wrong in a thread is written down before it is thrown: errors lose what they are on their way between threads.
 */
import { threadId } from "node:worker_threads";
import { Sources, type ObservedSystem, type Recipe, type System } from "../../model/index.js";
import { lockDown, lockOfThread, type Lock } from "../isolation/index.js";
import { Journal, JournalFull } from "./journal.js";
import { makeModel, type SystemModel, type SystemModelOptions } from "./model.js";
import { Disturbed, GivenUp, Nondeterminism, NotSupported, OpaqueNode } from "./node-process.js";
import { conditionLimit, limitConditions } from "./patience.js";
import { BadCondition } from "./properties.js";
import { Pulse, watchThreads } from "./pulse.js";
import { onEachStep } from "./run-step.js";
import { CannotLoad, packed, unpacked, type PackedSource, type SystemSource } from "./source.js";

export const NODES_MAKER = "nodes";

export interface SharedModel {
  readonly model: SystemModel;
  /** What went wrong in one of the threads, as it was there; undefined: nothing that is known. */
  failure(): Error | undefined;
  /** Takes over what the other threads have noted. */
  catchUp(): void;
  /** The threads are gone. */
  release(): void;
}

interface RecipeData {
  readonly source: PackedSource;
  readonly texts: readonly (readonly [file: string, text: string])[];
  readonly timeoutMs: number;
  readonly ignore: readonly string[];
  readonly memory: SharedArrayBuffer;
  readonly pulse: SharedArrayBuffer;
  /** What a thread must not do, and how long a condition may take: as in the thread that coordinates. */
  readonly lock: Lock | undefined;
  readonly conditionMs: number | undefined;
}

/** The model of the thread that coordinates; others make theirs by its recipe. */
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

/** The model of another thread. */
export function nodesFromRecipe({ data }: Recipe): SystemModel {
  const { source, texts, timeoutMs, ignore, memory, lock, conditionMs } = data as RecipeData;
  if (lock) lockDown({ ...lock, threads: false });
  if (conditionMs !== undefined) limitConditions(conditionMs);
  const pulse = new Pulse((data as RecipeData).pulse);
  // A step that is tried again is a sign of life, too.
  onEachStep(() => pulse.beat(threadId));
  const journal = new Journal(memory);
  const failures = journal.table(() => undefined);
  const sources = new Sources();
  for (const [file, text] of texts) sources.add(file, text);
  const tells = <A extends unknown[], R>(run: (...all: A) => R) => {
    return (...all: A): R => {
      pulse.beat(threadId);
      try {
        return run(...all);
      } catch (error) {
        const told = failureOf(error);
        if (told) failures.number(JSON.stringify(told));
        throw error;
      }
    };
  };
  const model = tells(() =>
    makeModel(unpacked(source), {
      ...{ replayed: new Set<string>(), sources, timeoutMs, ignore, journal },
      watch: WATCH,
    }),
  )();
  const telling = (system: System): System => ({
    width: system.width,
    compareFrom: system.compareFrom,
    ...(system.labels ? { labels: system.labels } : {}),
    get hasRoot() {
      return tells(() => system.hasRoot ?? false)();
    },
    initial: tells((out) => system.initial(out)),
    successors: tells((state, at, out) => system.successors(state, at, out)),
    status: tells((state, at) => system.status(state, at)),
  });
  const observed = (system: ObservedSystem): ObservedSystem => ({
    ...telling(system),
    valuation: tells((index, state, at) => system.valuation(index, state, at)),
  });
  const { system, holds, temporal } = model;
  return {
    ...model,
    system: telling(system),
    holds: tells((index, state, at) => holds(index, state, at)),
    ...(temporal ? { temporal: { ...temporal, system: observed(temporal.system) } } : {}),
  };
}

/** In other threads nobody asks in the end what conditions have changed. */
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
  if (error instanceof Disturbed) return { kind: "disturbed", node: error.node, message: error.message };
  if (error instanceof NotSupported) return { kind: "unsupported", message: error.message };
  if (error instanceof Nondeterminism)
    return { kind: "nondeterminism", node: error.node, message: error.message };
  if (error instanceof BadCondition)
    return { kind: "condition", condition: error.condition, code: error.code, message: error.message };
  // The thread that coordinates has loaded the same file: here it took too long.
  if (error instanceof GivenUp || error instanceof CannotLoad) return { kind: "given-up" };
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
      return Object.assign(new Disturbed(failure.node), { message: failure.message });
    case "unsupported":
      return Object.assign(new NotSupported(""), { message: failure.message });
    case "full":
      return new JournalFull();
    case "given-up":
      return new GivenUp();
  }
}
