/** Stores that let states go in chunks of a thousand, with every order that keeps a queue; quick, for mutation testing. */
import { expect, test } from "vitest";
import { DEFAULT_SETTINGS, storeFor } from "../../../src/engines/explicit/index.js";
import { check } from "./checking.js";
import { trimmed, type Toy } from "./toys.js";

const LIMIT = 13;
const bad = [LIMIT - 1, LIMIT - 1, LIMIT - 1];

/** Three counters; states become wider when one of them has come far: so they do while a state is expanded. */
const toy: Toy = {
  initial: [0, 0, 0],
  width: 3,
  next: (state) =>
    [0, 1, 2].map((k) => {
      const to = [0, 1, 2].map((i) => ((state[i] ?? 0) + (i === k ? 1 : 0)) % LIMIT);
      return { to: trimmed([...to, to[1]! > 5 ? 1 : 0, to[2]! > 8 ? 1 : 0]) };
    }),
  invariants: [(state) => bad.some((value, k) => state[k] !== value)],
};

test.each(
  (["delta", "compact", "bitstate"] as const).flatMap((store) =>
    (["bfs", "random", "guided"] as const).map((order) => [store, order] as const),
  ),
)("%s, %s: every state is expanded as it is", async (store, order) => {
  const { findings, stats } = await check(toy, {
    order,
    seed: 5,
    store: storeFor(store, { ...DEFAULT_SETTINGS, tableBytes: 1 << 20 }),
  });
  expect([stats.states, stats.transitions]).toEqual([LIMIT ** 3, 3 * LIMIT ** 3]);
  const found = findings.find(({ property }) => property.kind === "invariant")!;
  if (found.verdict.kind !== "violated") throw new Error("the error was not found");
  let state = toy.initial;
  for (const choice of found.verdict.trace!.choices) state = toy.next(state)[choice]!.to!;
  expect(state.slice(0, 3)).toEqual(bad);
});
