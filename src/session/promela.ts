/** Promela as the registry wants it: parsed, checked and compiled. */
import { dirname, relative } from "node:path";
import { Unsupported as CannotCompile, compile } from "../compile/index.js";
import { loadPromela } from "../languages/promela/index.js";
import type { Diagnostic } from "../model/index.js";
import { reducer, temporalReducer } from "./reduction.js";
import type { LoadOptions, Loaded } from "./registry.js";
import type { Input } from "./request.js";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const { program, messages, unsupported, diagnostics } = loadPromela({
    file: input.file,
    text: withClaims(input, options.claims ?? []),
    defines: (options.defines ?? []).map(parseDefine),
    readFile: input.readFile ?? (() => undefined),
    sources: options.sources,
    rules: {
      ...(options.maxProcesses === undefined ? {} : { maxProcesses: options.maxProcesses }),
      loseWhenFull: options.loseWhenFull ?? false,
      endNeedsEmptyChannels: options.endNeedsEmptyChannels ?? false,
    },
    invariants: options.invariants ?? [],
    formulas: options.ltl ?? [],
  });
  if (!program) return { model: undefined, unsupported, diagnostics };
  if (messages) return { ...(await import("./mpp.js")).loadedMessages(messages, diagnostics), unsupported };
  try {
    const how = { notesTruncation: options.warnsTruncation };
    const model = compile(program, options.sources, how);
    const reduce = reducer(program, model, options.sources, how);
    const reduceTemporal = temporalReducer(program, model, options.sources, how);
    return { model, unsupported, diagnostics, code: model.code, reduce, reduceTemporal };
  } catch (error) {
    if (!(error instanceof CannotCompile)) throw error;
    return { model: undefined, unsupported, diagnostics: [...diagnostics, tooMuch(input, error)] };
  }
}

/** Claims of other files stand behind the model, so that its own positions stay. */
const withClaims = ({ file, text }: Input, claims: readonly string[]): string =>
  [text, ...claims.map((claim) => `#include "${relative(dirname(file), claim)}"\n`)].join("\n");

/** `NAME` or `NAME=VALUE`. */
function parseDefine(define: string): { readonly name: string; readonly value?: string } {
  const equals = define.indexOf("=");
  return equals < 0 ? { name: define } : { name: define.slice(0, equals), value: define.slice(equals + 1) };
}

const tooMuch = ({ file }: Input, error: CannotCompile): Diagnostic => ({
  code: "compile/not-supported",
  severity: "error",
  message: `${error.message} is not supported`,
  span: error.span ?? { file, start: 0, end: 0 },
  hint: "move it in front of the sequence, into a statement of its own",
});
