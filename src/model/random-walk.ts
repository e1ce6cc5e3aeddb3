/** Random walks: a cheap look at the far parts of a state space. */
import { StepTooLong } from "./patience.js";
import { Successors, type System, type Words } from "./system.js";

const WALKS = 25;
const STEPS = 300;

/** Shows every state on the walks to `visit`. The same system gives the same walks. A step that is given up ends them. */
export function walkRandomly(system: System, visit: (state: Words) => void): void {
  try {
    walk(system, visit);
  } catch (error) {
    if (!(error instanceof StepTooLong)) throw error;
  }
}

function walk(system: System, visit: (state: Words) => void): void {
  const out = new Successors(system.width);
  let random = 0x2545f491;
  for (let walks = 0; walks < WALKS; walks++) {
    out.clear();
    system.initial(out);
    for (let step = 0; step < STEPS && out.count > 0; step++) {
      random = (Math.imul(random ^ (random >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
      const choice = (random >>> 8) % out.count;
      if (out.isDead(choice)) break;
      const state = out.stateAt(choice);
      visit(state);
      out.clear();
      system.successors(state, 0, out);
    }
  }
}
