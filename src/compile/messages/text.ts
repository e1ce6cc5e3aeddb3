/** Messages and provenances for people. */
import type { MessageProgram, Provenance, TravelledMessage } from "../../model/index.js";

/** `HA via Patient Secretary`; without more when it has been nowhere. */
export function messageText(program: MessageProgram, { message, provenance }: TravelledMessage): string {
  const name = program.messages[message]!;
  return provenance.length === 0 ? name : `${name} via ${provenanceText(program, provenance)}`;
}

/** `Patient Secretary`, `{Patient, Secretary}`, or the name of a class; `eps` for a new message. */
export function provenanceText({ domain, principals }: MessageProgram, provenance: Provenance): string {
  if (domain.kind === "declared") return domain.classes[provenance[0] ?? 0]!;
  if (provenance.length === 0) return "eps";
  const names = provenance.map((principal) => principals[principal]!.name);
  return domain.kind === "set" ? `{${names.join(", ")}}` : names.join(" ");
}
