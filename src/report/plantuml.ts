/** A trace as a sequence diagram of PlantUML. */
import { matchMessages, transfersByStep } from "./messages.js";
import type { Narrative } from "./narrative.js";
import { known } from "../model/known.js";

export function renderPlantuml(trace: Narrative, title: string): string {
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
      // `->x` is a lost message, `-->` one that this trace does not receive.
      const arrow = isLost ? "->x" : to ? "->" : "-->";
      return `${idOf((from ?? end).process)} ${arrow} ${idOf(end.process)} : ${plain(`${channel}!${message}`)}`;
    });
    if (arrows.length > 0 || step.messages.length > 0) return arrows;
    const over = step.participants.length > 0 ? step.participants : [""];
    return [`note over ${over.map(idOf).join(", ")} : ${plain(`${step.number}. ${step.action}`)}`];
  });
  const participants = [...ids].map(([name, id]) => `participant "${plain(name)}" as ${id}`);
  return [
    "@startuml",
    `title ${plain(title)}`,
    ...participants,
    ...lines,
    ...loop(trace),
    "@enduml",
    "",
  ].join("\n");
}

const loop = ({ loopStart, length }: Narrative): string[] => {
  if (loopStart === undefined) return [];
  return [
    `== ${loopStart === length ? "nothing can move any more" : `goes back to step ${loopStart + 1}`} ==`,
  ];
};

/** Escapes PlantUML's mark-up as `<U+002A>`; a label is one line. */
const plain = (text: string): string =>
  text
    .replace(/\s*\n\s*/g, " / ")
    .replace(
      /["<>\\~*_|#]|\/(?=\/)|\[(?=\[)|-(?=-)/g,
      (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}>`,
    );
