/** The search for an order of operations against trying all of them. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { History, linearize, type Operation, type SequentialModel } from "../../src/model/index.js";

type Input = { readonly write: number } | "read" | "add";
type Recorded = Operation<Input, number | null>;

/** A register that can be added to; what is answered is its value, or null. */
const register: SequentialModel<number, Input, number | null> = {
  initial: 0,
  apply: (state, input) => {
    if (input === "read") return { state, output: state };
    if (input === "add") return { state: state + 1, output: state + 1 };
    return { state: input.write, output: null };
  },
};

const input = fc.oneof(
  fc.constant<Input>("read"),
  fc.constant<Input>("add"),
  fc.record({ write: fc.integer({ min: 1, max: 2 }) }),
);

/** Random intervals and answers, some of them none. */
const history = fc
  .array(
    fc.record({
      input,
      calledAt: fc.integer({ min: 0, max: 8 }),
      takes: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 5 }),
      output: fc.integer({ min: 0, max: 3 }),
    }),
    { maxLength: 6 },
  )
  .map((all) =>
    all.map(({ input: asked, calledAt, takes, output }, i): Recorded => ({
      client: `${i}`,
      input: asked,
      // No two events at the same time.
      calledAt: calledAt * 20 + i,
      answeredAt: takes === null ? undefined : (calledAt + takes) * 20 + 10 + i,
      output: takes === null ? undefined : typeof asked === "object" ? null : output,
    })),
  );

/** Every order of every choice of unanswered operations. */
function obvious(operations: readonly Recorded[]): boolean {
  const go = (left: readonly Recorded[], state: number): boolean => {
    if (left.every(({ answeredAt }) => answeredAt === undefined)) return true;
    return left.some((one) => {
      const others = left.filter((other) => other !== one);
      if (others.some(({ answeredAt }) => answeredAt !== undefined && answeredAt < one.calledAt))
        return false;
      const { state: next, output } = register.apply(state, one.input);
      return (one.answeredAt === undefined || output === one.output) && go(others, next);
    });
  };
  return go(operations, 0);
}

describe("linearizability", () => {
  test("is decided as by trying every order", () => {
    let yes = 0;
    fc.assert(
      fc.property(history, (operations) => {
        const found = linearize(operations, register);
        if (found) yes++;
        expect(found !== undefined).toBe(obvious(operations));
      }),
      { numRuns: 1000 },
    );
    expect(yes).toBeGreaterThan(50);
    expect(yes).toBeLessThan(950);
  });

  test("an order that is found explains every answer and keeps to the times", () => {
    fc.assert(
      fc.property(history, (operations) => {
        const order = linearize(operations, register) ?? [];
        let state = register.initial;
        order.forEach((one, at) => {
          const { state: next, output } = register.apply(state, one.input);
          if (one.answeredAt !== undefined) expect(output).toBe(one.output);
          for (const later of order.slice(at + 1))
            expect(later.answeredAt === undefined || later.answeredAt > one.calledAt).toBe(true);
          state = next;
        });
      }),
    );
  });

  test("a read that sees an older value than one before it is told", () => {
    const recorded = new History<Input, number | null>();
    const written = recorded.call("a", { write: 1 });
    recorded.call("b", "read")(1);
    recorded.call("b", "read")(0);
    written(null);
    expect(() => recorded.assertLinearizable(register)).toThrow('b: "read" → 0 [4, 5]');
  });
});
