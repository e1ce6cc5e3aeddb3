/** Which words an automaton accepts, against the obvious way. */
import { expect, test } from "vitest";
import { accepts } from "../../../../src/transforms/ltl/checks/lasso.js";
import { names, randomAutomata, shortLassos, shortWords } from "../obvious.js";

test("an automaton accepts a word as it should", () => {
  const lassos = shortLassos();
  for (const automaton of randomAutomata(10, names)) {
    const accepted = shortWords.ofAutomaton(automaton);
    lassos.forEach((lasso, word) => expect(accepts(automaton, lasso)).toBe(accepted[word] === 1));
  }
});
