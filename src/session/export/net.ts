/** Exports to other tools: message-passing programs as nets in Mist's format, nets as message-passing programs. */
import { isMessageSubject, isNet, transferIn, type ProvenanceProperty } from "../../model/index.js";
import type { Checked } from "../check/check.js";

export type NetEncoding = "product" | "compact";

/** A text, or the reason why there is none. */
export type Exported = string | { readonly why: string };

/** Exports the net, or the net of a message-passing program and its only checked property. */
export async function exportedNet(
  { subject, report }: Checked,
  encoding: NetEncoding = "product",
): Promise<Exported> {
  const { renderSpec } = await import("../../languages/mist/index.js");
  if (isNet(subject))
    return subject.properties.some(({ kind }) => kind === "coverability")
      ? renderSpec(subject)
      : { why: "there is no target; --target gives one" };
  if (!isMessageSubject(subject)) return { why: "it is neither a net nor a message-passing program" };
  const asked = [...new Set(report.properties.map(({ property }) => property))];
  if (asked.length !== 1)
    return { why: `a net asks one question, and there are ${asked.length} properties; --property chooses` };
  const { compactNet, productNet, whyNotCompact } = await import("../../transforms/message-nets/index.js");
  const { program } = subject;
  const property = asked[0] as ProvenanceProperty;
  if (encoding === "product") return renderSpec(productNet(program, property));
  const why = whyNotCompact(program);
  return why === undefined ? renderSpec(compactNet(program, property)) : { why };
}

export async function exportedProgram({ subject }: Checked): Promise<Exported> {
  if (!isNet(subject)) return { why: "it is not a net" };
  const transfer = transferIn(subject);
  if (transfer)
    return { why: `a program cannot empty a channel at once, as ${transfer.name} empties places` }; // sound: test/session/net-engines.test.ts
  const { programOfNet } = await import("../../languages/mpp/index.js");
  return programOfNet(subject) ?? { why: "there is no target; --target gives one" };
}
