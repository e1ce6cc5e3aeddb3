/** Runs handlers on a fresh copy of the controller's state, once per combination of choices. */
import { nth } from "../../model/known.js";
import type { ControlState, Outcome } from "../../model/network.js";
import { Failure, type Env } from "./scope.js";
import type { Run } from "./statements.js";
import type { Value } from "./types.js";

/** An environment for conditions, which have no effects. */
export const conditionEnv = (control: Value[]): Env => newEnv(control, undefined, undefined, () => 0);

export function newEnv(
  control: readonly Value[],
  at: Env["at"],
  client: number | undefined,
  choose: (options: number) => number,
): Env {
  return {
    locals: [],
    control: [...control],
    commands: [],
    emits: [],
    reply: undefined,
    view: undefined,
    at,
    client,
    choose,
  };
}

/** Runs the handler; returns the index of the failure site if it fails. */
export function runHandler(run: Run, env: Env): number | undefined {
  try {
    run(env);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error.place;
    throw error;
  }
}

/** All outcomes of a handler: depth-first search over its choices. `start` sets its parameters. */
export function outcomesOf(
  run: Run,
  control: ControlState,
  client: number | undefined,
  start: (env: Env) => void,
  label = "",
): Outcome[] {
  const outcomes: Outcome[] = [];
  let script: number[] = [];
  for (;;) {
    const widths: number[] = [];
    const env = newEnv(control as Value[], undefined, client, (options) => {
      widths.push(options);
      return (script[widths.length - 1] ??= 0);
    });
    start(env);
    const error = runHandler(run, env);
    const ways = widths.map((_, i) => nth(script, i) + 1);
    outcomes.push({
      label: [label, ...ways.map((way) => `choice ${way}`)].filter((part) => part !== "").join(", "),
      emits: env.emits,
      commands: env.commands,
      state: error === undefined ? env.control : control,
      error,
    });
    script = script.slice(0, widths.length);
    const last = script.findLastIndex((choice, i) => choice + 1 < nth(widths, i));
    if (last < 0) return outcomes;
    script = [...script.slice(0, last), nth(script, last) + 1];
  }
}
