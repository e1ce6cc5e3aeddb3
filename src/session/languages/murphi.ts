/** Adapts Murphi to the registry: parses, resolves and compiles. */
import { TooLarge, compileRules } from "../../compile/rules/index.js";
import { loadMurphi } from "../../languages/murphi/index.js";
import { MOST_CONDITIONS, type Diagnostic, type Temporal } from "../../model/index.js";
import { murphi, murphiWithoutFormulas } from "../declarations.js";
import { parseDefine } from "../defines.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import type { Input } from "../request.js";
import { ruleReductions } from "../reductions/rules.js";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const { dialect, deadlock, callDepth, loopLimit } = options;
  const { program, diagnostics } = loadMurphi({
    file: input.file,
    text: input.text,
    sources: options.sources,
    defines: (options.defines ?? []).map(parseDefine),
    invariants: options.invariants ?? [],
    formulas: options.ltl ?? [],
    ...(dialect === undefined ? {} : { dialect }),
    ...(deadlock === undefined ? {} : { deadlock }),
    ...(callDepth === undefined ? {} : { maxCallDepth: callDepth }),
    ...(loopLimit === undefined ? {} : { maxRounds: loopLimit }),
  });
  if (!program) return { model: undefined, unsupported: [], diagnostics };
  try {
    const compiled = compileRules(program);
    const refused = refusedFairness(input, compiled.temporal, options);
    if (refused.length > 0)
      return { model: undefined, unsupported: [], diagnostics: [...diagnostics, ...refused] };
    const reductions = ruleReductions(program, compiled, options.symmetry ?? "exact");
    return {
      model: { ...compiled, reductions },
      unsupported: [],
      diagnostics,
      code: () => compiled.code,
      accepts: program.temporal.length > 0 ? murphi : murphiWithoutFormulas,
    };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    return { model: undefined, unsupported: [], diagnostics: [...diagnostics, tooMuch(input, error)] };
  }
}

function refusedFairness(
  { file }: Input,
  { properties, agents = 0 }: Temporal,
  { fairness = "none" }: LoadOptions,
): Diagnostic[] {
  // sound: test/session/murphi-temporal.test.ts
  if (fairness === "none" || properties.length === 0 || agents <= MOST_CONDITIONS) return [];
  return [
    {
      code: "murphi/too-many-instances",
      severity: "error",
      message: `fairness is checked for at most ${MOST_CONDITIONS} rule instances, and the model has ${agents}`,
      span: { file, start: 0, end: 0 },
      hint: "make rulesets smaller, or check without --fairness",
    },
  ];
}

const tooMuch = ({ file }: Input, error: TooLarge): Diagnostic => ({
  code: "compile/not-supported",
  severity: "error",
  message: `${error.message} is too large`,
  span: error.span ?? { file, start: 0, end: 0 },
  hint: "make the ranges, arrays or scalarsets smaller",
});
