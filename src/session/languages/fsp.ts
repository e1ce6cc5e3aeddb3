/** Adapts FSP to the registry: terms of processes become products by vectors. */
import { ltsProduct } from "../../compile/lts.js";
import { TermProblem, termNetwork } from "../../compile/lts-term.js";
import { TERM_CODES, loadFsp } from "../../languages/fsp/index.js";
import type { Diagnostic } from "../../model/index.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import { parseDefine } from "../defines.js";
import { asked } from "../lts/questions.js";
import { termTools } from "../lts/terms.js";
import type { Input } from "../request.js";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const { file, text } = input;
  const { defines = [] } = options;
  const { system, progress, assertions, diagnostics } = loadFsp(file, text, {
    constants: defines.map(parseDefine),
  });
  if (!system) return { model: undefined, unsupported: [], diagnostics };
  try {
    const { network } = await termNetwork(system.name, system.term, system.span, termTools);
    const found = asked(network, ltsProduct(network, progress), { progress, assertions }, input, options);
    return { ...found, unsupported: [], diagnostics: [...diagnostics, ...found.diagnostics] };
  } catch (error) {
    if (!(error instanceof TermProblem)) throw error;
    return { model: undefined, unsupported: [], diagnostics: [...diagnostics, problem(error)] };
  }
}

const problem = ({ code, message, span }: TermProblem): Diagnostic => ({
  code: TERM_CODES[code],
  severity: "error",
  message,
  span,
});
