/** Adapts Boolean programs to the registry: a subject for the symbolic search, and a model for all searches of states. */
import type { CompiledModel } from "../../compile/index.js";
import { loadBp, type BpOptions, type Processes } from "../../languages/bp/index.js";
import {
  faultSite,
  moved,
  Successors,
  type BooleanMove,
  type BooleanProgram,
  type BooleanState,
  type BooleanSubject,
  type Diagnostic,
  type Trace,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { parseDefine, unknownDefine } from "../defines.js";
import type { Loaded, LoadOptions } from "../contracts.js";
import type { Input } from "../request.js";
import { loadedProgram } from "./program.js";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const { defines = [], targets = [], sources } = options;
  const { initial, diagnostics: wrong } = initialValues(defines, input.file);
  const asked = targets.map((text, index) => {
    const file = index === 0 ? "--target" : `--target (${index + 1})`;
    sources.add(file, text);
    return { text, file };
  });
  const loaded = loadBp(input.file, input.text, { targets: asked, ...(initial ? { initial } : {}) });
  const diagnostics = [...wrong, ...loaded.diagnostics];
  const { program, processes } = loaded;
  const whole = loadedProgram({ program: processes?.program, diagnostics }, input, options);
  if (!whole.model || !program || !processes) return whole;
  const origin: Origin = { program, processes, model: whole.model as CompiledModel };
  // Every location is a valid end: there are no deadlocks to report.
  const properties = whole.model.properties.filter(({ kind }) => kind !== "deadlock");
  const subject: BooleanSubject = {
    kind: "boolean",
    program,
    properties,
    traceOf: (run) => traceOf(origin, run),
  };
  return { ...whole, model: { ...whole.model, properties }, subject };
}

/** `-D init=nondet`: variables without an initial value begin with either. */
function initialValues(
  defines: readonly string[],
  file: string,
): { readonly initial?: BpOptions["initial"]; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  let initial: BpOptions["initial"];
  for (const { name, value } of defines.map(parseDefine))
    if (name !== "init")
      diagnostics.push(unknownDefine(name, "a Boolean program has the definition `init` alone", file));
    else if (value === "false" || value === "nondet") initial = value;
    else
      diagnostics.push({
        code: "bp/bad-define",
        severity: "error",
        message: `-D init=${value ?? ""} is neither false nor nondet`,
        span: { file, start: 0, end: 0 },
        hint: "write -D init=nondet",
      });
  return { ...(initial ? { initial } : {}), diagnostics };
}

interface Origin {
  readonly program: BooleanProgram;
  readonly processes: Processes;
  readonly model: CompiledModel;
}

/** A run of a Boolean program as choices of its model. */
function traceOf(
  { program, processes, model }: Origin,
  { first, moves }: { readonly first: BooleanState; readonly moves: readonly BooleanMove[] },
): Trace {
  let state: BooleanState | undefined = first;
  const from = moves.map((move) => {
    const location = nth(state?.at ?? [], move.thread);
    state = state && moved(program, state, move);
    return { ...move, from: location };
  });
  const { steps } = model;
  const out = new Successors(steps.width);
  steps.initial(out);
  let words = out.words.slice(0, steps.width);
  let fault = -1;
  const choices = processes.route(first.values, from).map(({ process, edge }) => {
    const choice = model
      .movesAt(words, 0)
      .findIndex((move) => move.process === process && move.edge === edge);
    if (choice < 0) throw new Error(`the step ${edge.text} is not possible in the model`);
    out.clear();
    steps.successors(words, 0, out);
    fault = faultSite(nth(out.flags as unknown as number[], choice));
    words = out.words.slice(choice * out.stride, (choice + 1) * out.stride);
    return choice;
  });
  return { choices, fault, loopStart: undefined };
}
