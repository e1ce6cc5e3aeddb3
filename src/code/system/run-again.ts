/**
 * Runs the code of a trace again, and no other code, under a debugger.
 *
 * The trace has been computed before, so its steps are memoised and finding them runs no code: only steps of the trace
 * hit breakpoints. Replayed nodes are restarted first.
 */
import { Successors } from "../../model/index.js";
import { nth } from "../../model/known.js";
import { stopWatching } from "../realm/index.js";
import type { Running } from "./events.js";
import type { Outcome } from "./local-steps.js";
import type { SystemModel } from "./model.js";

export function runAgain(model: SystemModel, choices: readonly number[]): void {
  stopWatching();
  const { nodeSystem, local } = model;
  const out = new Successors(nodeSystem.width);
  nodeSystem.initial(out);
  let entry = 0;
  for (const choice of choices) {
    const state = out.stateAt(entry);
    const taken = followed(model, state, choice);
    if (taken) {
      const { event, outcome } = taken;
      const mayFail = nodeSystem.failuresLeft(state, 0);
      local.repeat(event.node, nth(state, event.node), event.call, mayFail, outcome.choices);
    }
    out.clear();
    nodeSystem.successors(state, 0, out);
    entry = choice;
  }
}

/** Undefined: the step runs no code. */
function followed(
  { nodeSystem }: SystemModel,
  state: Int32Array,
  choice: number,
): { event: Running; outcome: Outcome } | undefined {
  let position = 0;
  let found: { event: Running; outcome: Outcome } | undefined;
  nodeSystem.eachFollower(state, 0, (event, outcome) => {
    if (position++ === choice && outcome) found = { event: event as Running, outcome };
  });
  return found;
}
