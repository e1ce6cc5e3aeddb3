/**
 * Replaces a system's states by their representatives. States inside an atomic sequence stay unchanged, so
 * that a search finds the same representatives whether it takes the sequence as one step or by statements.
 */
import { Entry, type Successors, type System } from "../../model/index.js";
import type { Canonicaliser } from "./canonical.js";

/** Wraps the functions of `system` that produce states. */
export function representing<S extends System>(system: S, canonicaliser: Canonicaliser): S {
  const canonicalise = (out: Successors, first: number): void => {
    for (let entry = first; entry < out.count; entry++)
      if ((out.flags[entry]! & (Entry.dead | Entry.intermediate)) === 0)
        canonicaliser.canonicalise(out.words, entry * out.stride, out.stride);
  };
  const changed: Pick<System, "initial" | "successors"> = {
    initial(out) {
      const first = out.count;
      system.initial(out);
      canonicalise(out, first);
    },
    successors(state, at, out) {
      const first = out.count;
      system.successors(state, at, out);
      canonicalise(out, first);
    },
  };
  return Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(system),
      ...Object.getOwnPropertyDescriptors(changed),
    },
  ) as S;
}
