/** The automaton of the executions that violate a temporal property, as a drawing. */
import type { Model } from "../model/index.js";
import { soughtBy } from "../transforms/ltl/sought.js";
import { renderSvg } from "../transforms/ltl/index.js";
import { CannotAnswer } from "./cannot-answer.js";
import type { AutomatonView } from "./protocol.js";

export function automatonView(model: Model, name: string): AutomatonView {
  const property = model.temporal?.properties.find((candidate) => candidate.name === name);
  if (!property) throw new CannotAnswer(`'${name}' has no automaton: it is not about infinite executions`);
  const automaton = soughtBy(property);
  if (!automaton) throw new CannotAnswer("the automaton of the formula is too large to be drawn");
  const title = `executions that violate ${name}`;
  return { title, svg: renderSvg(automaton, title) };
}
