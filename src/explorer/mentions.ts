/** Search for a text in the steps of a run; the page and its server agree on what a step mentions. */
import type { Change, StepView } from "./protocol.js";

/** Does the step mention the text in its process, action, effect, messages, output or error? */
export function mentions(step: Omit<StepView, "moves" | "sources">, text: string): boolean {
  const { action, participants, changes, messages, output, fault } = step;
  const wanted = text.trim().toLowerCase();
  const contains = (part: string): boolean => part.toLowerCase().includes(wanted);
  return (
    contains(action) ||
    contains(participants.join(" + ")) ||
    valuesMention(changes, text) ||
    messages.some(({ channel, message, kind }) =>
      contains(`${channel}${kind === "receive" ? "?" : "!"}${message}`),
    ) ||
    contains(output) ||
    (fault !== null && contains(fault))
  );
}

export function valuesMention(values: readonly Change[], text: string): boolean {
  const wanted = text.trim().toLowerCase();
  return values.some(([name, value]) =>
    (value === null ? `${name} is gone` : `${name} = ${value}`).toLowerCase().includes(wanted),
  );
}
