/** What a search has found: errors that a run with concrete inputs has shown, and reasons why a search without errors proves nothing. */
import { evaluate, type Term } from "../../model/terms.js";
import type { Gap, Runnable } from "./machine.js";
import { runConcretely, type ConcreteRun } from "./run.js";
import type { PathEnd, PathState, ProgramError } from "./state.js";

export interface FoundError {
  readonly error: ProgramError;
  readonly inputs: readonly bigint[];
  readonly run: ConcreteRun;
}

export type GapKind = Gap | "unsupported" | "depth" | "paths" | "unconfirmed" | "strategy";

export class Findings {
  readonly gaps = new Map<GapKind, string>();
  readonly errors = new Map<string, FoundError>();
  /** Enough errors were found. */
  isStopped = false;
  readonly #program: Runnable;
  readonly #onError: (error: FoundError) => "continue" | "stop";

  constructor(program: Runnable, onError: (error: FoundError) => "continue" | "stop") {
    this.#program = program;
    this.#onError = onError;
  }

  note(gap: GapKind, detail: string): void {
    if (!this.gaps.has(gap)) this.gaps.set(gap, detail);
  }

  /** A path has ended; undefined: before the program started. */
  finish(state: PathState | undefined, end: PathEnd): void {
    if (end.kind === "unsupported") this.note("unsupported", end.what); // sound: test/engines/programs/gaps.test.ts
    if (end.kind !== "error") return;
    if (state) this.report(valuesOf(state), end.error, state.steps);
    else this.note("unconfirmed", `an error before the program starts (${end.error.message})`);
  }

  /** An error of a path with these inputs: one of its kind and place. */
  report(inputs: readonly bigint[], error: ProgramError, steps: number): void {
    const key = `${error.kind} ${error.span?.file} ${error.span?.start}`;
    if (this.errors.has(key)) return;
    const run = this.#confirmed(inputs, error, steps, false);
    // Another process has other addresses: an error must not depend on them.
    if (!run || (run.usesAddresses && !this.#confirmed(inputs, error, steps, true))) {
      const why = run
        ? "that depends on the numbers of addresses"
        : "that a run with concrete inputs does not show";
      this.note("unconfirmed", `an error (${error.message}) ${why}`);
      return;
    }
    const found = { error: run.end.error, inputs, run };
    this.errors.set(key, found);
    if (this.#onError(found) === "stop") this.isStopped = true;
  }

  #confirmed(
    inputs: readonly bigint[],
    { kind, span }: ProgramError,
    steps: number,
    isMirrored: boolean,
  ): (ConcreteRun & { readonly end: Extract<PathEnd, { kind: "error" }> }) | undefined {
    const run = runConcretely(this.#program, inputs, steps * 2 + 1000, isMirrored);
    const { end } = run;
    // sound: test/engines/programs/gaps.test.ts
    if (end?.kind !== "error" || end.error.kind !== kind || end.error.span?.start !== span?.start)
      return undefined;
    return { ...run, end };
  }
}

/** Inputs of the model of a path, in the order in which the program requests them. */
export const valuesOf = (state: Pick<PathState, "inputs" | "model">): bigint[] =>
  state.inputs
    // sound: test/engines/programs/bmc.test.ts
    .filter(({ when }) => when === undefined || holdsIn(state, when))
    .flatMap(({ variables, isSigned, bytes }) =>
      variables.map((variable) => {
        // A scheduler's choice is a constant.
        const value = variable.kind === "constant" ? variable.value : (state.model.get(variable.id) ?? 0n);
        return isSigned ? BigInt.asIntN(bytes * 8, value) : value;
      }),
    );

const holdsIn = ({ model }: Pick<PathState, "model">, term: Term): boolean =>
  evaluate(term, { value: ({ id }) => model.get(id) ?? 0n }) === 1n;
