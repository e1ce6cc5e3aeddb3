/** Random systems for tests of the stores: small graphs with all features, and small nets. */
import fc from "fast-check";
import type { Toy, ToyStep } from "../explicit/toys.js";
import type { Net, NetTransition } from "../../../bench/nets.js";

/** States of different widths, atomic sequences, faults, deadlocks, an invariant. */
export function randomGraph(): fc.Arbitrary<Toy> {
  const edge = fc.record({ to: fc.nat(40), fault: fc.option(fc.nat(2), { freq: 12 }), isDead: fc.boolean() });
  const node = fc.record({
    edges: fc.array(edge, { maxLength: 4 }),
    isIntermediate: fc.boolean(),
    isValidEnd: fc.boolean(),
    words: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 5 }),
    isGood: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
  });
  return fc.array(node, { minLength: 1, maxLength: 40 }).map((nodes) => {
    const words = nodes.map((n, i) => [i, ...n.words]);
    const at = (state: readonly number[]) => nodes[state[0] ?? 0]!;
    return {
      initial: words[0]!,
      next: (state) =>
        at(state).edges.map(({ to, fault, isDead }): ToyStep => {
          const target = to % nodes.length;
          if (fault !== null && isDead) return { fault };
          const isInside = nodes[target]!.isIntermediate && target !== 0;
          return { to: words[target]!, intermediate: isInside, ...(fault === null ? {} : { fault }) };
        }),
      isValidEnd: (state) => at(state).isValidEnd,
      sites: ["assertion", "division-by-zero", "assertion"],
      invariants: [(state) => at(state).isGood],
    };
  });
}

/** With weights, self-loops, inhibitors and a capacity. */
export function randomNet(): fc.Arbitrary<Net> {
  const tokens = (places: number, most: number) =>
    fc.array(fc.tuple(fc.nat(places - 1), fc.integer({ min: 1, max: 2 })), { maxLength: most });
  return fc.integer({ min: 2, max: 7 }).chain((places) =>
    fc.record({
      name: fc.constant("random net"),
      initial: fc.array(fc.nat(2), { minLength: places, maxLength: places }),
      bits: fc.constantFrom(4, 8, 16),
      capacity: fc.integer({ min: 2, max: 4 }),
      transitions: fc.array(
        fc.record({
          consumes: tokens(places, 3),
          produces: tokens(places, 3),
          inhibitedBy: tokens(places, 1),
        }) as fc.Arbitrary<NetTransition>,
        { minLength: 1, maxLength: 6 },
      ),
      mayEnd: fc.boolean(),
    }),
  );
}
