/** A program made from another one, and how to come back from it. */
import type { Edge, Program } from "../../model/index.js";

export interface Rewriting {
  readonly program: Program;
  /** The original edges, in order, that an edge of the new program stands for. An edge that is not here is one of the original's. */
  readonly origins: ReadonlyMap<Edge, readonly Edge[]>;
}

export const unchanged = (program: Program): Rewriting => ({ program, origins: new Map() });

/** One rewriting after the other. */
export function compose(first: Rewriting, then: (program: Program) => Rewriting): Rewriting {
  const second = then(first.program);
  const back = (edge: Edge): readonly Edge[] => first.origins.get(edge) ?? [edge];
  const origins = new Map(first.origins);
  for (const [edge, parts] of second.origins) origins.set(edge, parts.flatMap(back));
  return { program: second.program, origins };
}
