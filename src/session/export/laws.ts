/** Writes the normal form of a χ model with every law that was applied, both sides compared under every environment. */
import { isChi, renderChi, renderChiType, renderChiValue, type ChiVariable } from "../../model/index.js";
import { normalForm, renderApplication } from "../../transforms/chi/index.js";
import type { Checked } from "../check/check.js";
import { certifyLaws } from "../chi/congruence.js";
import type { Exported } from "./net.js";

export async function exportedLaws({ subject }: Pick<Checked, "subject">): Promise<Exported> {
  if (!isChi(subject)) return { why: "it is not χ" };
  const { program } = subject;
  const { term, remaining } = normalForm(program);
  const { applications, confirmed, open, refuted } = await certifyLaws(program);
  // A law that changes the system is a defect of ours.
  if (refuted[0]) throw new Error(`a law is refuted: ${renderApplication(refuted[0])}`);
  return [
    `// ${applications.length} applications of laws: ${confirmed} confirmed, ${open.length} too large to compare`,
    ...applications.map(
      (application) =>
        `// ${open.includes(application) ? "open" : "confirmed"}: ${renderApplication(application)}`,
    ),
    ...remaining.map((part) => `// no law removes the parallel composition or scope in: ${renderChi(part)}`),
    ...program.globals.map(declared),
    ...program.channels.map(({ name, type }) =>
      type.kind === "unit" ? `chan ${name};` : `chan ${name}: ${renderChiType(type)};`,
    ),
    `system = ${renderChi(term)};`,
    "",
  ].join("\n");
}

const declared = ({ name, type, initial }: ChiVariable): string =>
  `var ${name}: ${renderChiType(type)} = ${renderChiValue(type, initial)};`;
