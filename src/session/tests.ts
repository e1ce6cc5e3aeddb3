/** From a text to generated tests: loads the program and explores it. */
import { hasErrors, type Diagnostic, type Sources } from "../model/index.js";
import { isProgram } from "../model/module.js";
import { nativeInputs, suiteFiles } from "../programs/index.js";
import type { Registry } from "./contracts.js";
import type { GeneratedTests, TestRequest } from "./engines/egt-tests.js";
import { load } from "./load.js";
import type { Input, ModelOptions } from "./request.js";

export type TestOptions = ModelOptions & Omit<TestRequest, "sources">;

export interface TestResult {
  readonly file: string;
  readonly language: string;
  /** Undefined: nothing was explored. */
  readonly generated: GeneratedTests | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: Sources;
}

export async function generateTests(
  input: Input,
  options: TestOptions,
  registry: Registry,
): Promise<TestResult> {
  const { strategy, seed, budget, control, solver, ...model } = options;
  const { subject, language, sources, diagnostics } = await load(input, model, registry);
  const result = { file: input.file, language, sources };
  const refused = (code: string, message: string): TestResult => ({
    ...result,
    generated: undefined,
    diagnostics: [
      ...diagnostics,
      { code, severity: "error", message, span: { file: input.file, start: 0, end: 0 } },
    ],
  });
  if (hasErrors(diagnostics)) return { ...result, generated: undefined, diagnostics };
  if (!isProgram(subject))
    return refused("session/no-tests", "tests are generated for C programs; everypath check takes this file");
  const { generate } = await import("./engines/egt-tests.js");
  const generated = await generate(subject, { strategy, seed, budget, control, solver, sources });
  return "problem" in generated
    ? refused("session/no-solver", generated.problem)
    : { ...result, generated, diagnostics };
}

/** The files of a test suite, by name. */
export const testFiles = (
  { file, generated }: TestResult,
  defines: readonly string[],
  folder: string,
): Map<string, string | Uint8Array> =>
  suiteFiles(
    { file, defines, folder },
    (generated?.tests ?? []).map(({ inputs, status, output, error }) => ({
      inputs: nativeInputs(inputs),
      status,
      output,
      error,
    })),
  );
