/**
 * C programs: clang translates them to LLVM's intermediate representation, which is read into a `Module`.
 *
 * Read `load` here first, then `clang.ts` (the compiler and its messages), `llvm.ts` (the reader; `types.ts`, `operands.ts` and
 * `instructions.ts` are its parts), and `library.ts` (models of the C library, in C).
 *
 * Always true: a text that is not a program gives diagnostics, never an exception. Code outside the supported part is
 * `unsupported` in the module, so that reaching it is not overlooked.
 */
import type { Diagnostic } from "../model/diagnostic.js";
import { operandsOf } from "../model/module-operands.js";
import type { IrFunction, IrGlobal, Module, Operand } from "../model/module.js";
import { compile, diagnosticOf, findClang } from "./clang.js";
import type { SourceText } from "./debug.js";
import { LIBRARY } from "./library.js";
import type { TaskDialect } from "./tasks/index.js";
import { readUnit, type Unit } from "./llvm.js";
import { IrProblem } from "./tokens.js";

export { findClang } from "./clang.js";
export { readUnit } from "./llvm.js";
export { IrProblem } from "./tokens.js";
export { HEADER, LIBRARY } from "./library.js";
export { nativeInputs, type NativeInputs } from "./driver.js";
export {
  includesHeader,
  replaySequential,
  runSequential,
  sequentialC,
  settingProblem,
  SETTINGS_HINT,
  TASK_HEADER,
  taskProgram,
  taskSettings,
  type TaskDialect,
  type TaskSettings,
} from "./tasks/index.js";
export { suiteFiles, type SuiteTest } from "./suite.js";
export { runNatively, type NativeRun } from "./native.js";

export interface ProgramText {
  readonly file: string;
  readonly text: string;
  readonly defines: readonly string[];
  /** The compiler; absent: the newest clang. */
  readonly compiler: string | undefined;
  readonly source: SourceText;
  /** The words of task programs have their meaning. */
  readonly tasks?: TaskDialect | undefined;
}

export interface LoadedProgram {
  readonly module: Module | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export function loadProgram({ file, text, defines, compiler, source, tasks }: ProgramText): LoadedProgram {
  const failed = (code: string, message: string, hint?: string): LoadedProgram => ({
    module: undefined,
    diagnostics: [
      {
        code,
        severity: "error",
        message,
        span: { file, start: 0, end: 0 },
        ...(hint === undefined ? {} : { hint }),
      },
    ],
  });
  const clang = findClang(compiler);
  if ("problem" in clang)
    return failed(
      "c/no-clang",
      clang.problem,
      "install clang 15 or later, such as clang-16 of Debian, or name it with --cc",
    );
  const compiled = compile(clang.command, { file, text, defines, isLibrary: false, tasks });
  if ("messages" in compiled)
    return {
      module: undefined,
      diagnostics: compiled.messages.map((each) => diagnosticOf(each, source(each.file))),
    };
  const library = libraryOf(clang.command);
  if ("problem" in library) return failed("c/library", library.problem);
  try {
    const module = linked(readUnit(compiled.text, { file, source, isLibrary: false }), library);
    return module.functions.has("main")
      ? { module, diagnostics: [] }
      : failed(
          "c/no-main",
          "there is no function 'main'",
          "write a 'main' that calls the function with symbolic arguments",
        );
  } catch (problem) {
    if (!(problem instanceof IrProblem)) throw problem;
    return failed(
      "c/intermediate",
      `${clang.command} writes an intermediate representation that cannot be read: ${problem.message} (its line ${problem.line})`,
    );
  }
}

const libraries = new Map<string, Unit>();

function libraryOf(command: string): Unit | { readonly problem: string } {
  const known = libraries.get(command);
  if (known) return known;
  const compiled = compile(command, { file: "library.c", text: LIBRARY, defines: [], isLibrary: true });
  if ("messages" in compiled)
    return {
      problem: `${command} cannot compile the models of the C library: ${compiled.messages[0]?.text}`,
    };
  // Names of strings must differ from the program's.
  const unit = readUnit(compiled.text.replaceAll("@.str", "@.everypath.str"), {
    file: "library.c",
    source: () => undefined,
    isLibrary: true,
  });
  libraries.set(command, unit);
  return unit;
}

/** The program, with the models of functions that it does not define. */
export function linked(program: Unit, library: Unit): Module {
  const functions = new Map<string, IrFunction>();
  const globals = new Map<string, IrGlobal>();
  for (const { functions: some, globals: more } of [program, library]) {
    for (const fn of some) if (!functions.has(fn.name)) functions.set(fn.name, fn);
    for (const global of more)
      if (!globals.has(global.name) && !functions.has(global.name)) globals.set(global.name, global);
  }
  const used = new Set<string>();
  const visit = (operand: Operand): void => {
    if (operand.kind === "address") used.add(operand.symbol);
    else if (operand.kind === "aggregate") operand.parts.forEach(({ value }) => visit(value));
  };
  for (const { blocks } of program.functions)
    for (const { instructions, end, phis } of blocks) {
      for (const instruction of instructions) operandsOf(instruction).forEach(visit);
      operandsOf(end).forEach(visit);
      for (const { from } of phis) for (const operand of from.values()) visit(operand);
    }
  for (const { initial } of program.globals) visit(initial);
  for (const { blocks } of library.functions)
    for (const { instructions } of blocks) for (const each of instructions) operandsOf(each).forEach(visit);
  const undefinedSymbols = [...used].filter((name) => !functions.has(name) && !globals.has(name));
  return { functions, globals, undefinedSymbols };
}
