/** Registers message-passing programs: a subject for proofs, and a model to step through and to search. */
import { concreteModel, propertiesOf } from "../../compile/messages/index.js";
import { loadMpp } from "../../languages/mpp/index.js";
import { hasErrors, type Diagnostic, type MessageProgram, type MessageSubject } from "../../model/index.js";
import { flowPicture } from "../../report/flow.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import type { Input } from "../request.js";
import { messageQuestions } from "./message-questions.js";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const { program, diagnostics } = loadMpp(input.file, input.text);
  if (!program) return { model: undefined, unsupported: [], diagnostics };
  return loadedMessages(program, diagnostics, options);
}

export function loadedMessages(
  program: MessageProgram,
  diagnostics: readonly Diagnostic[],
  options: LoadOptions,
  isExtracted = false,
): Loaded {
  const asked = messageQuestions(program, options);
  const all = [...diagnostics, ...asked.diagnostics];
  if (hasErrors(all)) return { model: undefined, unsupported: [], diagnostics: all };
  const { questions } = asked;
  const subject: MessageSubject = {
    kind: "messages",
    program,
    properties: propertiesOf(program, questions),
    isExtracted,
  };
  return {
    model: concreteModel(program, questions),
    subject,
    picture: flowPicture(program),
    unsupported: [],
    diagnostics: all,
  };
}
