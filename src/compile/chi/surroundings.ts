/**
 * A χ system started in every state of the global variables, alone or in an environment that may change them at any time. The second gives the
 * congruence ≅sl: what a term does after others have written is compared as well.
 */
import {
  Successors,
  chiSize,
  chiValues,
  type Actions,
  type ChiValue,
  type ChiVariable,
  type Surroundings,
  type System,
  type Words,
} from "../../model/index.js";
import type { ChiWords } from "./words.js";

/** Larger sets of states make graphs that are larger by this factor. */
const MOST_STATES = 4_096;
const FIRST_ENVIRONMENT = 1 << 29;

/** `first`: the first word of the first variable. */
export function surrounded(
  how: Surroundings,
  alone: Actions,
  globals: readonly ChiVariable[],
  first: number,
  shared: ChiWords,
): Actions | string {
  const size = globals.reduce((product, { type }) => product * chiSize(type), 1);
  if (size > MOST_STATES)
    return `the global variables have ${size} states, and at most ${MOST_STATES} are compared`;
  const states = globals.reduce<ChiValue[]>(
    (all, { type }) => all.flatMap((value) => chiValues(type).map((next) => [...value, ...next])),
    [[]],
  );
  const { system } = alone;
  const put = (state: Words, at: number, values: ChiValue, label: number, out: Successors): void => {
    if (out.count === out.capacity) out.grow();
    const to = out.count * out.stride;
    out.words.set(state.subarray(at, at + system.width), to);
    values.forEach((word, i) => (out.words[to + first + i] = word));
    out.labels[out.count] = label;
    out.flags[out.count++] = 0;
  };
  const start = new Successors(system.width);
  system.initial(start);
  const initial = start.words.slice(0, system.width);
  const disturbed: System = {
    width: system.width,
    compareFrom: 0,
    labels: "actions",
    hasRoot: true,
    initial: (out) => {
      out.words.fill(0, 0, system.width);
      out.flags[out.count++] = 0;
    },
    status: () => 0,
    successors: (state, at, out) => {
      // No part has the state 0: only the root does.
      if (state[at] === 0) return states.forEach((values) => put(initial, 0, values, 0, out));
      system.successors(state, at, out);
      if (how === "environment")
        states.forEach((values, i) => put(state, at, values, FIRST_ENVIRONMENT + i, out));
    },
  };
  const scratch = new Int32Array(initial);
  const environmentName = (index: number): string => {
    (states[index] ?? []).forEach((word, i) => (scratch[first + i] = word));
    return `env(${shared.shown(scratch, 0, globals.length)})`;
  };
  return {
    ...alone,
    system: disturbed,
    isInteraction: (name) => name.startsWith("env(") || alone.isInteraction?.(name) === true,
    nameOf: (action) =>
      action >= FIRST_ENVIRONMENT && action < FIRST_ENVIRONMENT + states.length
        ? environmentName(action - FIRST_ENVIRONMENT)
        : alone.nameOf(action),
  };
}
