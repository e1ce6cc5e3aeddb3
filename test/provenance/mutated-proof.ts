/** Proofs of provenance with one change, which may invalidate them. */
import type { MessageProgram, ProvenanceProof } from "../../src/model/index.js";

/** Applies a change chosen by the seed. */
export function mutated(proof: ProvenanceProof, program: MessageProgram, seed: number): ProvenanceProof {
  let state = seed * 2654435761;
  const random = (n: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return Math.floor(((state >>> 0) / 2 ** 32) * n);
  };
  const copy = structuredClone(proof) as {
    -readonly [K in keyof ProvenanceProof]: ProvenanceProof[K];
  };
  const which = random(copy.invariant.length);
  const chosen = copy.invariant[which]!;
  const replace = (change: Partial<typeof chosen>): ProvenanceProof => ({
    ...copy,
    invariant: copy.invariant.with(which, { ...chosen, ...change }),
  });
  switch (random(7)) {
    case 0:
      return { ...copy, invariant: copy.invariant.toSpliced(which, 1) };
    case 1: {
      const at = random(chosen.pending.length);
      return replace({ pending: chosen.pending.toSpliced(at, 1) });
    }
    case 2: {
      const pending = chosen.pending.map((entry, i) =>
        i === random(chosen.pending.length) ? ([entry[0], entry[1], entry[2], random(3)] as const) : entry,
      );
      return replace({ pending });
    }
    case 3: {
      const names = Object.keys(chosen.at);
      const name = names[random(names.length)]!;
      const principal = program.principals.find((p) => p.name === name)!;
      return replace({ at: { ...chosen.at, [name]: random(principal.locations.length) } });
    }
    case 4: {
      const names = Object.keys(chosen.holds);
      if (names.length === 0) return copy;
      const message = program.messages[random(program.messages.length)]!;
      const name = names[random(names.length)]!;
      return replace({ holds: { ...chosen.holds, [name]: [message, random(copy.classes.bad.length)] } });
    }
    case 5: {
      const from = random(copy.classes.sent.length);
      const letter = random(program.principals.length);
      const sent = copy.classes.sent.with(
        from,
        copy.classes.sent[from]!.with(letter, random(copy.classes.sent.length)),
      );
      return { ...copy, classes: { ...copy.classes, sent } };
    }
    default: {
      const instances = chosen.instances.toSpliced(random(chosen.instances.length), 1);
      return replace({ instances });
    }
  }
}
