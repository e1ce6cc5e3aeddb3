/** Murphi as the registry wants it: parsed, checked and compiled. */
import { TooLarge, compileRules } from "../compile/rules/index.js";
import { loadMurphi } from "../languages/murphi/index.js";
import type { Diagnostic } from "../model/index.js";
import type { LoadOptions, Loaded } from "./registry.js";
import type { Input } from "./request.js";
import { symmetryOf } from "./symmetry.js";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const { dialect, deadlock, callDepth, loopLimit } = options;
  const { program, diagnostics } = loadMurphi({
    file: input.file,
    text: input.text,
    sources: options.sources,
    defines: (options.defines ?? []).map(parseDefine),
    invariants: options.invariants ?? [],
    ...(dialect === undefined ? {} : { dialect }),
    ...(deadlock === undefined ? {} : { deadlock }),
    ...(callDepth === undefined ? {} : { maxCallDepth: callDepth }),
    ...(loopLimit === undefined ? {} : { maxRounds: loopLimit }),
  });
  const refused = [...refusedOptions(input, options)];
  if (!program || refused.length > 0)
    return { model: undefined, unsupported: [], diagnostics: [...diagnostics, ...refused] };
  try {
    const model = compileRules(program);
    const reductions = symmetryOf(program, model, options.symmetry ?? "exact");
    return { model, unsupported: [], diagnostics, code: model.code, ...reductions };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return { model: undefined, unsupported: [], diagnostics: [...diagnostics, tooMuch(input, error)] };
  }
}

/** `NAME` or `NAME=VALUE`. */
function parseDefine(define: string): { readonly name: string; readonly value: string | undefined } {
  const equals = define.indexOf("=");
  return equals < 0
    ? { name: define, value: undefined }
    : { name: define.slice(0, equals), value: define.slice(equals + 1) };
}

/** Nothing that was asked for is passed over in silence. */
function* refusedOptions({ file }: Input, { ltl = [], claims = [] }: LoadOptions): Generator<Diagnostic> {
  const asked = [...(ltl.length > 0 ? ["--ltl"] : []), ...(claims.length > 0 ? ["--claim"] : [])];
  for (const option of asked)
    yield {
      code: "murphi/not-supported",
      severity: "error",
      message: `${option} is not supported for Murphi models`,
      span: { file, start: 0, end: 0 },
      hint: "state invariants, covers and liveness in the model",
    };
}

const tooMuch = ({ file }: Input, error: TooLarge): Diagnostic => ({
  code: "compile/not-supported",
  severity: "error",
  message: `${error.message} is too large`,
  span: error.span ?? { file, start: 0, end: 0 },
  hint: "make the ranges, arrays or scalarsets smaller",
});
