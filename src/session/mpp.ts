/** Message-passing programs as the registry wants them: a subject to prove things about, and a model to step through. */
import { concreteModel } from "../compile/messages/index.js";
import { loadMpp } from "../languages/mpp/index.js";
import type { Diagnostic, MessageProgram, MessageSubject } from "../model/index.js";
import { flowPicture } from "../report/flow.js";
import type { LoadOptions, Loaded } from "./registry.js";
import type { Input } from "./request.js";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const refused = unknownOptions(input, options);
  const { program, diagnostics } = loadMpp(input.file, input.text);
  if (!program || refused.length > 0)
    return { model: undefined, unsupported: [], diagnostics: [...diagnostics, ...refused] };
  return loadedMessages(program, diagnostics);
}

export function loadedMessages(program: MessageProgram, diagnostics: readonly Diagnostic[]): Loaded {
  const subject: MessageSubject = { kind: "messages", program, properties: program.properties };
  return {
    model: concreteModel(program),
    subject,
    picture: flowPicture(program),
    unsupported: [],
    diagnostics,
  };
}

/** Options that say what to ask of a model, in words that this language does not have. */
function unknownOptions({ file }: Input, options: LoadOptions): Diagnostic[] {
  const given = [
    ["--invariant", options.invariants],
    ["--ltl", options.ltl],
    ["--claim", options.claims],
    ["-D", options.defines],
  ] as const;
  return given
    .filter(([, values]) => (values ?? []).length > 0)
    .map(([option]) => ({
      code: "mpp/unknown-option",
      severity: "error",
      message: `${option} means nothing for message-passing programs`,
      span: { file, start: 0, end: 0 },
      hint: "write what you want to know as a `property` in the file",
    }));
}
