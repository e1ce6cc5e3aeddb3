/** Choices of the scheduler: inputs with few values, which fork the path without a solver. */
import type { ProvidedCall } from "../calls.js";
import { Ended } from "../machine.js";
import type { PathState } from "../state.js";
import type { Value } from "../values.js";

function note(state: PathState, { executor }: ProvidedCall, name: string, choice: number): void {
  const variables = [executor.machine.bits.terms.constant(8, BigInt(choice))];
  state.inputs.push({ name, bytes: 1, isSigned: false, isText: false, source: "call", variables });
}

/** Of a concrete run: the next input. */
function given({ executor: { machine } }: ProvidedCall, options: number): number {
  const value = machine.host.given?.(8);
  if (value === undefined || value < 0n || value >= BigInt(options)) throw new Ended({ kind: "dropped" });
  return Number(value);
}

function forks(
  context: ProvidedCall,
  name: string,
  options: number,
  onFork: (fork: PathState, choice: number) => void,
): void {
  const { executor, state } = context;
  const { host } = executor.machine;
  if (state.decisions >= host.maxDepth) throw new Ended({ kind: "cut" });
  state.decisions++;
  for (let choice = options - 1; choice > 0; choice--) {
    const fork = state.fork();
    note(fork, context, name, choice);
    onFork(fork, choice);
    host.onFork(fork);
  }
  note(state, context, name, 0);
}

/** The last action of a call: `apply` changes the state and gives the result. */
export function choose(
  context: ProvidedCall,
  name: string,
  options: number,
  apply: (state: PathState, choice: number) => Value,
): Value {
  if (options === 1) return apply(context.state, 0);
  if (context.executor.machine.host.given) {
    const choice = given(context, options);
    note(context.state, context, name, choice);
    return apply(context.state, choice);
  }
  forks(context, name, options, (fork, choice) => {
    const result = apply(fork, choice);
    if (context.call.hasResult) fork.frame.registers[context.call.into] = result;
    fork.frame.at++;
  });
  return apply(context.state, 0);
}

/** A choice that `remember` keeps in the state, since a fork executes the call again. */
export function chooseFirst(
  context: ProvidedCall,
  name: string,
  options: number,
  remember: (state: PathState, choice: number) => void,
): void {
  if (context.executor.machine.host.given) {
    const choice = options === 1 ? 0 : given(context, options);
    if (options > 1) note(context.state, context, name, choice);
    remember(context.state, choice);
    return;
  }
  if (options > 1) forks(context, name, options, remember);
  remember(context.state, 0);
}
