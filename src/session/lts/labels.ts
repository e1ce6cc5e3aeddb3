/** Labels of steps: messages by channel and value, other steps by their actor and statement. */
import type { ActionSource } from "../../engines/explicit/index.js";
import { END_NAME, type Model, type Span, type Step, type Words } from "../../model/index.js";

/** `request!1` for a message that is sent or handed over, `request?1` for one that is received; `P[0]: x = 1` otherwise. */
export function labelOf({ messages, participants, action }: Step): string {
  if (messages.length > 0)
    return messages
      .map(({ kind, channel, message }) => `${channel}${kind === "receive" ? "?" : "!"}${message}`)
      .join("; ");
  const text = action.replaceAll(/\s+/g, " ").trim();
  const actor = participants.join(",");
  return actor === "" || text.startsWith(actor) ? text : `${actor}: ${text}`;
}

/** `*` stands for any text, `?` for any character. */
export function visibility(patterns: readonly string[] | undefined): (label: string) => boolean {
  if (!patterns) return () => true;
  const tests = patterns.map((pattern) => {
    const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, "\\$&");
    return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s");
  });
  return (label) => tests.some((test) => test.test(label));
}

/** Numbers the actions of a model; invisible ones are τ. */
export function actionsOf(
  { actions, steps }: Pick<Model, "actions" | "steps">,
  isVisible: (label: string) => boolean,
): ActionSource {
  if (actions)
    return {
      observe: actions.observe,
      isInteraction: actions.isInteraction,
      system: actions.system,
      actionOf: (_state, _choice, written) => written,
      labelOf: (action) => {
        const name = actions.nameOf(action);
        return name !== undefined && (name === END_NAME || isVisible(name)) ? name : undefined;
      },
      sourcesOf: (action) => actions.sourcesOf(action),
    };
  const numbers = new Map<string, number>();
  const known: { readonly label: string; readonly sources: readonly Span[] }[] = [];
  return {
    system: steps,
    actionOf: (state: Words, choice: number) => {
      const step = steps.describe(state, 0, choice);
      const label = labelOf(step);
      const place = step.sources.map(({ file, start }) => `${file}:${start}`).join();
      const key = `${place} ${label}`;
      const number = numbers.get(key);
      if (number !== undefined) return number;
      numbers.set(key, known.length);
      return known.push({ label, sources: step.sources }) - 1;
    },
    labelOf: (action) => (isVisible(known[action].label) ? known[action].label : undefined),
    sourcesOf: (action) => known[action].sources,
  };
}
