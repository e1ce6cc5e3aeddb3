/** Questions about a message-passing program on the command line: invariants, formulas, deadlocks. */
import { parseMessageCondition } from "../../languages/toolkit/message-conditions.js";
import {
  PropertyNames,
  type Diagnostic,
  type MessageInvariant,
  type MessageProgram,
  type MessageQuestions,
  type Span,
} from "../../model/index.js";
import type { LoadOptions } from "../contracts.js";
import { onlyStuck, readFormulas } from "../formulas.js";

export function messageQuestions(
  program: MessageProgram,
  { invariants = [], ltl = [], deadlock = "off", sources }: LoadOptions,
): { readonly questions: MessageQuestions; readonly diagnostics: readonly Diagnostic[] } {
  const conditionOf = (text: string, span: Span): ReturnType<typeof parseMessageCondition> =>
    parseMessageCondition(text, span, program);
  const names = new PropertyNames();
  for (const { name } of program.properties) names.take(name);
  const read = invariants.map((text, index): MessageInvariant | readonly Diagnostic[] => {
    const file = index === 0 ? "--invariant" : `--invariant ${index + 1}`;
    sources.add(file, text);
    const span = { file, start: 0, end: text.length };
    const condition = conditionOf(text, span);
    return "kind" in condition
      ? { name: names.take(text.trim()), kind: "invariant", span, condition }
      : condition;
  });
  const added = read.flatMap((one) => ("kind" in one ? [one] : []));
  const { formulas, diagnostics } = readFormulas(
    ltl,
    conditionOf,
    [...program.properties, ...added],
    sources,
  );
  return {
    questions: { invariants: added, formulas, asksDeadlock: deadlock === "stuck" },
    diagnostics: [
      ...read.flatMap((one) => ("kind" in one ? [] : one)),
      ...diagnostics,
      ...onlyStuck(deadlock, MESSAGES),
    ],
  };
}

const MESSAGES = {
  code: "messages/deadlock",
  what: "a message-passing program",
  stuck: "states in which no principal can move and one is not at its end",
};
