/** A trace as a sequence diagram of Mermaid: for pages that draw their diagrams from text. */
import { matchMessages, transfersByStep } from "./messages.js";
import type { Narrative } from "./narrative.js";
import { known, lastOf } from "../model/known.js";

export function renderMermaid(trace: Narrative): string {
  const ids = new Map<string, string>();
  const idOf = (process: string): string => {
    let id = ids.get(process);
    if (id === undefined) ids.set(process, (id = `P${ids.size}`));
    return id;
  };
  const transfers = transfersByStep(matchMessages(trace.steps), ({ from, to }) => (to ?? from)?.step);
  const lines = trace.steps.flatMap((step, index) => {
    const arrows = (transfers.get(index) ?? []).map(({ from, to, channel, message, isLost }) => {
      const end = known(to ?? from, "an end of the transfer");
      const arrow = isLost ? "-x" : to ? "->>" : "--)";
      return `${idOf((from ?? end).process)}${arrow}${idOf(end.process)}: ${plain(`${channel}!${message}`)}`;
    });
    if (arrows.length > 0 || step.messages.length > 0) return arrows;
    return [`Note over ${step.participants.map(idOf).join(",")}: ${plain(`${step.number}. ${step.action}`)}`];
  });
  const loop =
    trace.loopStart === undefined || !trace.steps.at(-1)
      ? []
      : [`Note over ${idOf(lastOf(trace.steps).participants[0] ?? "")}: ${plain(loopText(trace))}`];
  const participants = [...ids].map(([name, id]) => `participant ${id} as ${plain(name)}`);
  return ["sequenceDiagram", ...[...participants, ...lines, ...loop].map((line) => `    ${line}`), ""].join(
    "\n",
  );
}

const loopText = ({ loopStart, length }: Narrative): string =>
  loopStart === length ? "nothing can move any more" : `goes back to step ${loopStart! + 1}`;

/** Mermaid takes `#` and `;` for itself, and ends a line at a line break. */
const plain = (text: string): string =>
  text.replace(/[#;<>]/g, (character) => `#${character.codePointAt(0)};`).replace(/\s*\n\s*/g, " / ");
