/**
 * Finds numbers that do not influence nodes: statistics, unread counters. The method is heuristic, and the report says
 * that; after the data slicing of implementation-level checking (Musuvathi: CMC, 2004).
 *
 * Candidates are numbers with many values, and numbers that alone prevent a node from equalling its initial state.
 * Other observed values are written into states of nodes: if every recorded call then sends the same messages and leads
 * to a state that differs only in candidates, and every condition has the same value, the number is inert. Monotonicity
 * proves nothing: sequence numbers are monotone.
 *
 * Times and random values, which the published method finds by shifting the clock, are not considered: here
 * time does not advance and random numbers are choices, so no state contains them.
 */
import { differingFields } from "../heap/index.js";
import { DataNode } from "./data-node.js";
import type { Outcome } from "./local-steps.js";
import type { SystemModel } from "./model.js";
import { ignoring } from "./ignore.js";
import { IGNORED } from "../heap/index.js";
import { observe, type Observation, type Seen, type Variable } from "./observe.js";
import { nth, lastOf } from "../../model/known.js";

export interface SlicingOptions {
  /** Minimal number of values of a candidate. */
  readonly moreValuesThan: number;
  isStopped(): boolean;
}

export interface Slice {
  readonly sliced: readonly SlicedVariable[];
  /** Candidates with an influence. */
  readonly kept: readonly { readonly path: string; readonly why: string }[];
  readonly states: number;
}

export interface SlicedVariable {
  readonly path: string;
  readonly kind: "counter" | "statistic";
  readonly values: number;
  readonly least: number | bigint;
  readonly greatest: number | bigint;
}

/** Counters of published protocols, such as retransmissions, have fewer values. */
export const USUAL_VALUES = 64;

/** The slice, or the reason why there is none. */
export function findSlice(model: SystemModel, options: SlicingOptions): Slice | { readonly why: string } {
  if (!model.nodes.every((node) => node instanceof DataNode))
    return { why: "states of nodes that are replayed cannot be changed to try them out" };
  const observation = observe(model, MOST_STATES, () => options.isStopped());
  if (!observation) return { why: "there was no time to watch" };
  const candidates = observation.variables.filter(
    ({ values, isHeld, path }) =>
      (values.size > options.moreValuesThan || isHeld) && !isIgnored(model.summary.ignore, path),
  );
  return { ...settle(new Trial(model, observation), candidates), states: observation.states };
}

/** Sampled states, and trials per number. */
const MOST_STATES = 20_000;
const SAMPLES = 50;

/** A sum of statistics is a statistic only if its summands are: repeats until no further number is sliced. */
function settle(trial: Trial, candidates: readonly Variable[]): Pick<Slice, "sliced" | "kept"> {
  const sliced = new Map<string, Variable>();
  const why = new Map<string, string>();
  for (let before = -1; before < sliced.size;) {
    before = sliced.size;
    for (const variable of candidates) {
      if (sliced.has(variable.path)) continue;
      const influence = trial.influenceOf(variable, new Set([...sliced.keys(), variable.path]));
      if (influence === undefined) sliced.set(variable.path, variable);
      else why.set(variable.path, influence);
    }
  }
  const kept = [...why].filter(([path]) => !sliced.has(path));
  return {
    sliced: [...sliced.values()].map(described),
    kept: kept.map(([path, reason]) => ({ path, why: reason })),
  };
}

function described({ path, values, isMonotone }: Variable): SlicedVariable {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : 1));
  const [least, greatest] = [nth(sorted, 0), lastOf(sorted)];
  return { path, kind: isMonotone ? "counter" : "statistic", values: values.size, least, greatest };
}

const isIgnored = (patterns: readonly string[], path: string): boolean =>
  ignoring(patterns)?.(path.split("."), 0) === IGNORED;

class Trial {
  readonly #model: SystemModel;
  readonly #observation: Observation;

  constructor(model: SystemModel, observation: Observation) {
    this.#model = model;
    this.#observation = observation;
  }

  /** An influence of the number on anything but `uncounted` numbers; undefined: none was observed. */
  influenceOf(variable: Variable, uncounted: ReadonlySet<string>): string | undefined {
    for (const [turn, seen] of this.#samples(variable).entries())
      for (const value of othersThan(seen.value, variable, turn)) {
        const influence = this.#try(seen, value, uncounted);
        if (influence !== undefined) return influence;
      }
    return undefined;
  }

  #try(seen: Seen, value: number | bigint, uncounted: ReadonlySet<string>): string | undefined {
    const { node, state, object, field } = seen;
    const process = this.#model.nodes[node] as DataNode;
    const other = process.overwritten(state, object, field, value);
    const whole = this.#observation.stateWith(node, state);
    if (whole) {
      const changed = whole.slice();
      changed[node] = other;
      if (this.#model.answersIn(whole, 0) !== this.#model.answersIn(changed, 0)) return "a condition asks it";
    }
    const { local } = this.#model;
    for (const { call, mayFail } of local.callsIn(node, state)) {
      const before = local.outcomes(node, state, call, mayFail);
      const after = local.outcomes(node, other, call, mayFail);
      if (before.length !== after.length) return "it decides which steps are possible";
      for (const [i, outcome] of before.entries()) {
        const influence = differenceOf(process, outcome, nth(after, i), uncounted);
        if (influence !== undefined) return influence;
      }
    }
    return undefined;
  }

  /** Samples evenly; states with new kinds of calls come first. */
  #samples({ places }: Variable): Seen[] {
    const step = Math.max(1, Math.floor(places.length / MOST_TRIED));
    const spread = places.filter((_, i) => i % step === 0).slice(0, MOST_TRIED);
    const kinds = new Set<string>();
    const [distinctive, others]: [Seen[], Seen[]] = [[], []];
    for (const seen of spread) {
      const before = kinds.size;
      for (const kind of this.#kindsOfCalls(seen)) kinds.add(kind);
      (kinds.size > before ? distinctive : others).push(seen);
    }
    const rest = Math.max(0, SAMPLES - distinctive.length);
    const each = Math.max(1, Math.floor(others.length / Math.max(1, rest)));
    return [...distinctive, ...others.filter((_, i) => i % each === 0).slice(0, rest)];
  }

  /** Recorded calls without their numbers. */
  #kindsOfCalls({ node, state, object, field }: Seen): string[] {
    const { local } = this.#model;
    return local
      .callsIn(node, state)
      .map(
        ({ call }) => `${node} ${object} ${field} ${JSON.stringify(local.call(call)).replace(/\d+/g, "#")}`,
      );
  }
}

const MOST_TRIED = 1000;

/** The least, the greatest, and another observed value. */
function othersThan(value: number | bigint, { values }: Variable, turn: number): (number | bigint)[] {
  const all = [...values].sort((a, b) => (a < b ? -1 : 1));
  const chosen = new Set([nth(all, 0), lastOf(all), nth(all, (turn * 7919) % all.length)]);
  chosen.delete(value);
  return [...chosen];
}

function differenceOf(
  process: DataNode,
  a: Outcome,
  b: Outcome,
  uncounted: ReadonlySet<string>,
): string | undefined {
  if (JSON.stringify(a.choices) !== JSON.stringify(b.choices) || a.failed !== b.failed)
    return "it decides which steps are possible";
  if (a.site !== b.site || (a.next === 0) !== (b.next === 0)) return "it decides whether a step fails";
  if (JSON.stringify(a.sends) !== JSON.stringify(b.sends)) return "it decides which messages are sent";
  if (a.isDiscarded !== b.isDiscarded) return "it decides which states are discarded";
  if (a.next === 0) return undefined;
  const [one, other] = [process.state(a.next), process.state(b.next)];
  if (one.isUp !== other.isUp || JSON.stringify(one.side) !== JSON.stringify(other.side))
    return "it decides about timers or the disk";
  const fields = differingFields(process.snapshot(a.next), process.snapshot(b.next), process.rules);
  if (!fields) return "it decides the structure of a node's state";
  const influenced = [...fields].find((path) => !uncounted.has(path));
  return influenced === undefined ? undefined : `it decides ${influenced}`;
}
