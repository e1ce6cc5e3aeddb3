/** Registers message-passing programs: a subject for proofs, and a model to step through. */
import { concreteModel } from "../../compile/messages/index.js";
import { loadMpp } from "../../languages/mpp/index.js";
import type { Diagnostic, MessageProgram, MessageSubject } from "../../model/index.js";
import { flowPicture } from "../../report/flow.js";
import type { Loaded } from "../contracts.js";
import type { Input } from "../request.js";

export async function load(input: Input): Promise<Loaded> {
  const { program, diagnostics } = loadMpp(input.file, input.text);
  if (!program) return { model: undefined, unsupported: [], diagnostics };
  return loadedMessages(program, diagnostics);
}

export function loadedMessages(
  program: MessageProgram,
  diagnostics: readonly Diagnostic[],
  isExtracted = false,
): Loaded {
  const subject: MessageSubject = { kind: "messages", program, properties: program.properties, isExtracted };
  return {
    model: concreteModel(program),
    subject,
    picture: flowPicture(program),
    unsupported: [],
    diagnostics,
  };
}
