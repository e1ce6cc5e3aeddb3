/** Self-covering runs of nets. */
import { Successors, type Model, type Trace } from "../../model/index.js";
import { nth } from "../../model/known.js";

/**
 * Does the loop of the run end in a marking that strictly covers the one it starts in? By monotonicity it can then be repeated for
 * ever, provided each of its steps has the same effect again.
 */
export function grows(model: Model, { choices, loopStart }: Pick<Trace, "choices" | "loopStart">): boolean {
  if (loopStart === undefined) return false;
  const out = new Successors(model.steps.width);
  model.steps.initial(out);
  let state = out.stateAt(0);
  let before = state;
  for (const [index, choice] of choices.entries()) {
    if (index === loopStart) before = state;
    out.clear();
    model.steps.successors(state, 0, out);
    if (choice >= out.count) return false;
    const growsAgain = model.growsAgain?.(state, 0, choice) ?? true;
    if (index >= loopStart && !growsAgain) return false; // sound: test/compile/net.test.ts
    state = out.stateAt(choice);
  }
  if (loopStart >= choices.length) return false;
  return (
    before.every((count, place) => count <= nth(state, place)) && before.some((c, p) => c < nth(state, p))
  );
}
