/**
 * Solvers: the embedded Z3 and native solvers on PATH, behind the interfaces of `model/solver.ts`.
 *
 * Read `front.ts` first (the `Solver` that engines get), then `backend.ts` and its two implementations, `embedded.ts` and
 * `native.ts`; `smtlib.ts` prints queries, `differences.ts` decides some without a solver.
 *
 * Always true: a solver that hangs, dies or runs out of memory is an `unknown` with its reason, and its process does not
 * outlive this one.
 */
import { Terms } from "../model/terms.js";
import type { Backend } from "./backend.js";
import { EmbeddedZ3 } from "./embedded.js";
import { FrontSolver } from "./front.js";
import { isInstalled, NATIVE, NativeBackend } from "./native.js";
import { BackendScripts } from "./scripts.js";

export { Cdcl } from "./cdcl.js";
export { isInstalled } from "./native.js";

/** `auto`: a native Z3 if there is one, otherwise the embedded one. `all`: every installed one, whose answers must agree. */
export type SolverName = "auto" | "z3" | "native" | "cvc5" | "all";

export interface SolverRequest {
  readonly name: SolverName;
  /** Limit of a query. */
  readonly timeMs: number;
  readonly memoryMb: number;
  readonly dumpDirectory?: string | undefined;
}

export interface Opened {
  readonly solver: FrontSolver;
  /** Z3, for Horn clauses; absent if the user chose another solver. */
  readonly horn: BackendScripts | undefined;
  close(): void;
}

/** Undefined if the requested solver is not installed. */
export function openSolver(request: SolverRequest): Opened | undefined {
  const backends = backendsFor(request.name, request.memoryMb);
  if (backends.length === 0) return undefined;
  const { timeMs, memoryMb, dumpDirectory } = request;
  const comparesAll = request.name === "all";
  const solver = new FrontSolver(new Terms(), backends, { timeMs, dumpDirectory, comparesAll });
  const zed = hornBackend(request.name, memoryMb);
  return {
    solver,
    horn: zed && new BackendScripts(zed, dumpDirectory),
    close: () => {
      solver.close();
      zed?.close();
    },
  };
}

/** Solvers for checking proofs: each named solver if it is installed, the embedded one otherwise. */
export function openCheckers(name: SolverName, memoryMb = 2048): readonly BackendScripts[] {
  return backendsFor(name, memoryMb).map((backend) => new BackendScripts(backend));
}

function backendsFor(name: SolverName, memoryMb: number): readonly Backend[] {
  const native = (which: "z3" | "cvc5"): readonly Backend[] =>
    isInstalled(which) ? [new NativeBackend(NATIVE[which], memoryMb)] : [];
  switch (name) {
    case "z3":
      return [new EmbeddedZ3(memoryMb)];
    case "native":
      return native("z3");
    case "cvc5":
      return native("cvc5");
    case "auto":
      return [native("z3")[0] ?? new EmbeddedZ3(memoryMb)];
    case "all":
      return [new EmbeddedZ3(memoryMb), ...native("z3"), ...native("cvc5")];
  }
}

/** Spacer needs Z3; its embedded release is newer than the native ones of distributions. */
const hornBackend = (name: SolverName, memoryMb: number): Backend | undefined =>
  name === "cvc5"
    ? undefined
    : name === "native"
      ? new NativeBackend(NATIVE.z3, memoryMb)
      : new EmbeddedZ3(memoryMb);
