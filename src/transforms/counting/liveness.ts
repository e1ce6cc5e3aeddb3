/** Live variables of a principal: backward analysis of its control-flow graph. */
import { readBy, writtenBy, type Principal } from "../../model/index.js";
import { nth } from "../../model/known.js";

/** By location, then by variable: is its value read later? */
export function liveVariables({ locations, variables }: Principal): boolean[][] {
  const live = locations.map(() => variables.map(() => false)); // sound: test/transforms/counting/conditions.test.ts
  for (let isChanged = true; isChanged;) {
    isChanged = false; // sound: test/transforms/counting/conditions.test.ts
    locations.forEach((edges, location) => {
      // sound: test/transforms/counting/conditions.test.ts
      for (const { action, to } of edges)
        variables.forEach((_, variable) => {
          const isNeeded =
            readBy(action) === variable || (nth(nth(live, to), variable) && writtenBy(action) !== variable); // sound: test/transforms/counting/conditions.test.ts
          if (isNeeded && !nth(live, location)[variable]) nth(live, location)[variable] = isChanged = true; // sound: test/transforms/counting/conditions.test.ts
        });
    });
  }
  return live;
}
