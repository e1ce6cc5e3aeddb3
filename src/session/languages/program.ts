/** Registers programs: compiled, with the reductions that every `Program` has. */
import { Unsupported as CannotCompile, compile } from "../../compile/index.js";
import { hasErrors, type Diagnostic, type Program } from "../../model/index.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import { programReductions } from "../reductions/program.js";
import { ProcessSymmetries } from "../reductions/processes.js";
import type { Input } from "../request.js";

export interface LoweredProgram {
  /** Absent if a diagnostic is an error. */
  readonly program: Program | undefined;
  readonly unsupported?: Loaded["unsupported"];
  readonly diagnostics: readonly Diagnostic[];
}

export function loadedProgram(
  { program, unsupported = [], diagnostics }: LoweredProgram,
  input: Input,
  { sources, warnsTruncation }: LoadOptions,
): Loaded {
  const rejected = (more: readonly Diagnostic[] = []): Loaded => ({
    model: undefined,
    unsupported,
    diagnostics: [...diagnostics, ...more],
  });
  if (!program || hasErrors(diagnostics)) return rejected();
  try {
    const how = { notesTruncation: warnsTruncation };
    const compiled = compile(program, sources, how);
    const origin = { program, model: compiled, sources, options: how };
    const symmetries = new ProcessSymmetries(origin, "canonical");
    const { mistakes } = symmetries;
    if (hasErrors(mistakes)) return rejected(mistakes);
    const model = { ...compiled, reductions: programReductions(origin, symmetries) };
    return { model, unsupported, diagnostics, code: () => compiled.code() };
  } catch (error) {
    if (!(error instanceof CannotCompile)) throw error;
    return rejected([tooMuch(input, error)]);
  }
}

const tooMuch = ({ file }: Input, error: CannotCompile): Diagnostic => ({
  code: "compile/not-supported",
  severity: "error",
  message: `${error.message} is not supported`,
  span: error.span ?? { file, start: 0, end: 0 },
  hint: "move it in front of the sequence, into a separate statement",
});
