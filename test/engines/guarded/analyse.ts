/** Runs an analysis of a text to its end. */
import { ase, DEFAULT_ASE, type Analysed, type AseOptions } from "../../../src/engines/guarded/index.js";
import { loadGcl } from "../../../src/languages/gcl/index.js";
import type { GuardedProgram, Solver } from "../../../src/model/index.js";
import { openSolver, type Opened } from "../../../src/solvers/index.js";

/** A native Z3 if there is one. */
export function solverForTests(): Opened {
  const opened = openSolver({ name: "auto", timeMs: 20_000, memoryMb: 1024 });
  if (!opened) throw new Error("there is always a solver");
  return opened;
}

export function programOf(text: string): GuardedProgram {
  const { program, diagnostics } = loadGcl("test.gcl", text);
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return program;
}

export function finish<T>(steps: Generator<undefined, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

export function analyse(text: string, solver: Solver, options: Partial<AseOptions> = {}): Analysed {
  const program = programOf(text);
  const [property] = program.properties;
  if (!property) throw new Error("there is no property");
  return finish(ase(program, property, solver, { ...DEFAULT_ASE, maxIterations: 10, ...options }));
}
