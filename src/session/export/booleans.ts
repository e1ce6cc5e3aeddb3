/** Exports Boolean programs and χ to Promela, so that Spin can confirm our verdicts. */
import { isBoolean, isChi, type Span } from "../../model/index.js";
import type { Checked } from "../check/check.js";
import type { Exported } from "./net.js";

export async function exportedPromela({
  subject,
  report,
}: Pick<Checked, "subject" | "report">): Promise<Exported> {
  if (isChi(subject)) {
    const { promelaOfChi } = await import("../../compile/chi/promela.js");
    const found = promelaOfChi(subject.program, (span) => positionIn(report, span));
    return "why" in found ? found : found.text;
  }
  if (!isBoolean(subject)) return { why: "it is neither a Boolean program nor χ" };
  const { promelaOf } = await import("../../languages/bp/index.js");
  return (
    promelaOf(subject.program) ?? {
      why: "a target that several threads reach together is no assertion of Promela",
    }
  );
}

function positionIn({ sources }: Checked["report"], { file, start }: Span): string {
  const { line, column } = sources.position(file, start);
  return `${line}:${column}`;
}
