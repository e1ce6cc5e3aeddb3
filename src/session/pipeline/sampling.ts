/**
 * Tests the conditions of a reduction at sampled states, on real successors (`Reduced.test`).
 *
 * In: a search of the reduced model, and the test. Out: the search's result, unless a condition does not hold: that
 * is an internal error, and throws `BrokenReduction`.
 *
 * The sampler takes states as the search expands them, evenly and the same in every run; step code (`System.step`) offers its
 * stored states at the end instead. The tests follow after the search. A search with threads shows this sampler only the
 * states of the main thread, so states on random walks are added.
 */
import {
  LayoutExceeded,
  StepTooLong,
  isStepCodeOf,
  walkRandomly,
  withDeadline,
  type BrokenCondition,
  type Candidates,
  type ConditionTest,
  type Model,
  type ObservedSystem,
  type Sources,
  type StepCode,
  type System,
  type Words,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import type { EngineOptions } from "../contracts.js";

/** A reduction is wrong about a model: no verdict of it counts. */
export class BrokenReduction extends Error {
  readonly reduction: string;

  constructor({ reduction, condition, shown, processes }: BrokenCondition, sources: Sources | undefined) {
    const places = processes.map(({ name, span }) => {
      const line = sources && `${span.file}:${sources.position(span.file, span.start).line}`;
      return line === undefined ? name : `${name} at ${line}`;
    });
    super(
      [
        `the reduction '${reduction}' must not be used here, and was: ${condition}`,
        "in this state:",
        ...[...shown.map(({ name, value }) => `${name} = ${value}`), ...places].map((line) => `    ${line}`),
        "So there is no verdict. --plain checks without reductions.",
      ].join("\n"),
    );
    this.reduction = reduction;
  }
}

/** Searches the model by `search`, and tests the reduction in states that the search has seen. */
export async function sampled<T>(
  model: Model,
  test: ConditionTest | undefined,
  { sampling, workers, sources, budget }: Pick<EngineOptions, "sampling" | "workers" | "sources" | "budget">,
  search: (model: Model) => Promise<T>,
): Promise<{ readonly found: T; readonly verify: () => void }> {
  if (!test || sampling === "none") return { found: await search(model), verify: () => undefined };
  const sampler = new Sampler(sampling === "all" ? Infinity : MOST_KEPT);
  const started = performance.now();
  const found = await search(sampler.watching(model));
  const verify = (): void => {
    const end = started + (budget.timeMs ?? Infinity);
    const now = performance.now();
    const deadline = sampling === "all" ? Infinity : Math.min(end, now + patience(now - started));
    const latest = sampling === "all" ? Infinity : Math.min(end, now + MOST_MS_FOR_FIRST);
    untilLate(Math.max(deadline, latest), () => {
      if (workers > 1) sampler.walk(model);
      for (const [i, { state, model: seen }] of scattered(sampler.samples).entries()) {
        if (performance.now() > (i < FIRST ? latest : deadline)) return;
        const broken = test(state, seen);
        if (broken) throw new BrokenReduction(broken, sources);
      }
    });
  };
  return { found, verify };
}

/** Tests take a small part of the time that the search took; of a short one, a moment. */
const patience = (searchMs: number): number => Math.max(200, 0.1 * searchMs);

/** These are tested even if they take longer. */
const FIRST = 12;
const MOST_MS_FOR_FIRST = 2000;

/** Every seventh, then those after them: the time may end before the last. */
const scattered = <T>(list: readonly T[]): T[] =>
  Array.from({ length: 7 }, (_, first) => list.filter((_, i) => i % 7 === first)).flat();

/** Remaining states stay untested, which is not a fault of the reduction. */
function untilLate(deadline: number, work: () => void): void {
  try {
    withDeadline(deadline, work);
  } catch (error) {
    if (!(error instanceof StepTooLong)) throw error;
  }
}

/** Between half of these states and all are tested, as long as they are not too far apart. An even number. */
const MOST_KEPT = 48;
/** Expansions between two samples at most. */
const MOST_APART = 1 << 15;

interface Sample {
  readonly state: Words;
  /** The model that the state belongs to, for its layout. */
  readonly model: Model;
}

export class Sampler {
  samples: Sample[] = [];
  readonly #mostKept: number;
  /** A state is taken once in `#stride` expansions; the rest are left until then. */
  #stride = 1;
  #left = 1;

  constructor(mostKept: number) {
    this.#mostKept = mostKept;
  }

  /** The same model, whose expansions are counted. */
  watching(model: Model): Model {
    const { temporal, compact } = model;
    const watched = this.#watching(model, model.system);
    return {
      ...model,
      system: watched,
      ...(temporal
        ? {
            temporal: {
              ...temporal,
              system: this.#observing(model, temporal.system),
              labelled: () => this.#observing(model, temporal.labelled()),
            },
          }
        : {}),
      ...(compact
        ? {
            compact: (states: (index: number) => Words, count: number) =>
              this.watching(compact(states, count)),
          }
        : {}),
    };
  }

  /** Adds states on random walks, up to the number kept. */
  walk(model: Model): void {
    const seen: Words[] = [];
    walkRandomly(model.system, (state) => seen.push(state));
    const step = Math.max(1, Math.ceil(seen.length / this.#mostKept));
    for (let i = 0; i < seen.length; i += step) this.samples.push({ state: nth(seen, i), model });
  }

  #observing(model: Model, inner: ObservedSystem): ObservedSystem {
    const valuation: ObservedSystem["valuation"] = (index, state, at) => inner.valuation(index, state, at);
    return Object.defineProperties(
      { valuation },
      Object.getOwnPropertyDescriptors(this.#watching(model, inner)),
    ) as ObservedSystem;
  }

  #watching(model: Model, inner: System): System {
    const { labels, hasRoot, undo, step } = inner;
    const successors: System["successors"] = (state, at, out) => {
      if (--this.#left === 0) this.#keep(model, state.slice(at, at + inner.width));
      try {
        inner.successors(state, at, out);
      } catch (error) {
        throw this.#followed(error);
      }
    };
    const candidates = inner.candidates && this.#proposing(model, inner, inner.candidates);
    const status: System["status"] = (state, at) => inner.status(state, at);
    return {
      get width() {
        return inner.width;
      },
      compareFrom: inner.compareFrom,
      ...(hasRoot === undefined ? {} : { hasRoot }),
      ...(labels === undefined ? {} : { labels }),
      ...(undo === undefined ? {} : { undo }),
      initial: (out) => inner.initial(out),
      status,
      successors,
      ...(candidates ? { candidates } : {}),
      // sound: test/session/sampling-step.test.ts
      ...(step && isStepCodeOf(inner, model.holds)
        ? { step: this.#stepping(model, step, successors, status, candidates) }
        : {}),
    };
  }

  #proposing(model: Model, inner: System, candidates: Candidates): Candidates {
    return {
      ...candidates,
      propose: (state, at, out) => candidates.propose(state, at, out),
      successorsOf: (agent, state, at, out) => {
        if (--this.#left === 0) this.#keep(model, state.slice(at, at + inner.width));
        try {
          candidates.successorsOf(agent, state, at, out);
        } catch (error) {
          throw this.#followed(error);
        }
      },
    };
  }

  /** Step code calls none of the watched functions: it offers its states when the search has ended. */
  #stepping(
    model: Model,
    { text, bindings, same, visited }: StepCode,
    successors: System["successors"],
    status: System["status"],
    candidates: Candidates | undefined,
  ): StepCode {
    const { propose, successorsOf } = candidates ?? {};
    return {
      text,
      bindings: Object.fromEntries(
        Object.entries(bindings).map(([name, value]) => [
          name,
          typeof value === "function" ? this.#following(value as (...values: unknown[]) => unknown) : value,
        ]),
      ),
      same: { successors, holds: same.holds, propose, successorsOf, ...(same.status ? { status } : {}) },
      visited: (state, count) => {
        visited?.(state, count);
        const stride = Math.min(MOST_APART, Math.ceil(count / this.#mostKept) || 1);
        for (let id = 1; id <= count; id += stride) this.samples.push({ state: state(id), model });
      },
    };
  }

  /** The same function of the host, which may throw `LayoutExceeded`. */
  #following(call: (...values: unknown[]) => unknown) {
    return (...values: unknown[]): unknown => {
      try {
        return call(...values);
      } catch (error) {
        throw this.#followed(error);
      }
    };
  }

  /** Watches the model with which the search restarts. */
  #followed(error: unknown): unknown {
    return error instanceof LayoutExceeded ? new LayoutExceeded(() => this.watching(error.retry())) : error;
  }

  #keep(model: Model, state: Words): void {
    this.samples.push({ state, model });
    this.#left = this.#stride;
    if (this.samples.length < this.#mostKept || this.#stride >= MOST_APART) return;
    // Also drops this one: the next is then as far from its predecessor as the others.
    this.samples = this.samples.filter((_, i) => i % 2 === 0);
    this.#stride *= 2;
  }
}
