/** Which templates stand for at most one process at a time, ever. */
import type { Program, Template } from "../../model/index.js";
import { nth } from "../../model/known.js";

/** By template: at most one process of it can ever be created. */
export function singletons(program: Program): boolean[] {
  const found = new Map<number, boolean>();
  const isSingle = (t: number): boolean => {
    const known = found.get(t);
    if (known !== undefined) return known;
    found.set(t, false); // a template that creates itself is none
    const atStart = program.instances.filter((i) => i.template === t).length;
    const sites = program.templates.flatMap((creator, c) =>
      creationsIn(creator, t).map((isOnce) => ({ c, isOnce })),
    );
    const single = atStart + sites.length <= 1 && sites.every(({ c, isOnce }) => isOnce && isSingle(c)); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    found.set(t, single);
    return single;
  };
  return program.templates.map((_, t) => isSingle(t));
}

/** For each edge that creates a process of template `t`: is it executed at most once by one process? */
function creationsIn(creator: Template, t: number): boolean[] {
  return creator.locations.flatMap((location, l) =>
    location.edges.flatMap((edge) =>
      edge.effects
        .filter((e) => e.kind === "run" && e.template === t)
        .map(() => !canReach(creator, edge.to, l)),
    ),
  );
}

function canReach(template: Template, from: number, to: number): boolean {
  const seen = new Set([from]);
  for (const at of seen) {
    if (at === to) return true;
    for (const edge of nth(template.locations, at).edges) seen.add(edge.to);
  }
  return false;
}
