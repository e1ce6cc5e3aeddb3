/** The symmetry of Promela texts, as the session would find it. */
import { settle } from "../../../src/compile/index.js";
import { loadPromela } from "../../../src/languages/promela/index.js";
import { Sources, type Program } from "../../../src/model/index.js";
import { planProcesses, type ProcessPlan } from "../../../src/transforms/symmetry/processes/index.js";

export function programOf(text: string, invariants: readonly string[] = []): Program {
  const { program, diagnostics } = loadPromela({
    file: "model.pml",
    text,
    defines: [],
    readFile: () => undefined,
    sources: new Sources(),
    invariants,
  });
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return program;
}

export function planOf(text: string): ProcessPlan {
  const program = programOf(text);
  const settled = settle(program);
  if (typeof settled === "string") throw new Error(settled);
  return planProcesses(program, settled, "canonical");
}

/** Why the processes of the only proctype with several are not interchangeable; undefined: they are. */
export const whyNot = (text: string): string | undefined => planOf(text).refused[0]?.why;
