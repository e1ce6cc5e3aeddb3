/** Runs C texts for the tests of the executor. Without clang, the tests are skipped by name. */
import { loadProgram } from "../../../src/programs/index.js";
import {
  explore,
  runConcretely,
  type ConcreteRun,
  type Exploration,
} from "../../../src/engines/programs/index.js";
import type { Module } from "../../../src/model/module.js";
import { openSolver } from "../../../src/solvers/index.js";

export { hasClang } from "../../peers.js";

export function compiled(text: string, file = "test.c"): Module {
  const source = (name: string): string | undefined => (name === file ? text : undefined);
  const { module, diagnostics } = loadProgram({ file, text, defines: [], compiler: undefined, source });
  if (!module) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return module;
}

export interface Inputs {
  readonly args?: readonly (readonly [number, number])[];
  readonly stdin?: number;
}

const inputsOf = ({ args = [], stdin }: Inputs) => ({ args: new Map(args), stdin });

export function explored(
  text: string,
  inputs: Inputs = {},
  options: {
    readonly maxDepth?: number;
    readonly maxPaths?: number;
    readonly order?: "fork" | "dfs" | "bfs" | "random";
    readonly seed?: number;
  } = {},
): Exploration {
  const opened = openSolver({ name: "auto", timeMs: 10_000, memoryMb: 1024 });
  if (!opened) throw new Error("there is no solver");
  try {
    const { maxDepth = Infinity, maxPaths = Infinity, order = "fork", seed = 1 } = options;
    const steps = explore(
      { module: compiled(text), inputs: inputsOf(inputs) },
      opened.solver,
      { order, seed, maxDepth, maxPaths },
      () => "continue",
    );
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
    }
  } finally {
    opened.close();
  }
}

export const ran = (text: string, values: readonly bigint[] = [], inputs: Inputs = {}): ConcreteRun =>
  runConcretely({ module: compiled(text), inputs: inputsOf(inputs) }, values, 1e7);

/** Kinds of errors, with the lines where they happen, sorted. */
export const errorsOf = ({ errors }: Exploration): string[] =>
  errors.map(({ error }) => `${error.kind}`).sort();
