/**
 * Conditions on the states of a message-passing program: `A.v == M && there + back < 3`.
 *
 * A channel stands for the number of its messages, `channel.M` for those of one name, `P.end` for the principals `P` at an end.
 * `P.v == M`: the variable of `P` holds the message; of a spawned principal, that of some instance.
 */
import type { Diagnostic, Span } from "../../model/diagnostic.js";
import { countsOf, type MessageCount } from "../../model/message-counts.js";
import type { MessageProgram } from "../../model/messages.js";
import type { MarkingCondition } from "../../model/net.js";
import { parseMarkingCondition } from "./markings.js";

export function parseMessageCondition(
  text: string,
  span: Span,
  program: MessageProgram,
): MarkingCondition | readonly Diagnostic[] {
  const counts = countsOf(program);
  const places = counts.map((count) => ({ name: nameOf(count, program), span }));
  const variables = new Map<string, Map<string, number>>();
  counts.forEach((count, place) => {
    if (count.kind !== "variable") return;
    const { name, variables: own } = program.principals[count.principal] ?? { name: "", variables: [] };
    const variable = `${name}.${own[count.variable]}`;
    const values = variables.get(variable) ?? new Map<string, number>();
    variables.set(variable, values.set(program.messages[count.message] ?? "", place));
  });
  return parseMarkingCondition(text, span, places, {
    code: CODE,
    what: "channel, variable or principal",
    hint: HINT,
    variables,
  });
}

const CODE = "messages/condition";
const HINT =
  "a condition is such as P.v == M && channel < 2 || P.end; channel.M counts the messages M of a channel";

/** Counts of variables have no name: they are compared with messages. */
function nameOf(count: MessageCount, { channels, messages, principals }: MessageProgram): string {
  switch (count.kind) {
    case "channel": {
      const channel = channels[count.channel] ?? "";
      return count.message === undefined ? channel : `${channel}.${messages[count.message]}`;
    }
    case "end":
      return `${principals[count.principal]?.name}.end`;
    case "variable":
      return "";
  }
}
