/** The search for a linearization, compared with enumeration. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { History, linearize, type Operation, type SequentialModel } from "../../src/model/index.js";

type Input = { readonly write: number } | "read" | "add";
type Recorded = Operation<Input, number | null>;

/** A register with addition; an operation returns its value, or null. */
const register = {
  initial: 0,
  apply: (state: number, input: Input) => {
    if (input === "read") return { state, output: state };
    if (input === "add") return { state: state + 1, output: state + 1 };
    return { state: input.write, output: null };
  },
} satisfies SequentialModel<number, Input, number | null>;

const input = fc.oneof(
  fc.constant<Input>("read"),
  fc.constant<Input>("add"),
  fc.record({ write: fc.integer({ min: 1, max: 2 }) }),
);

/** Random intervals and answers, some missing. */
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
      // All events have different times.
      calledAt: calledAt * 20 + i,
      answeredAt: takes === null ? undefined : (calledAt + takes) * 20 + 10 + i,
      output: takes === null ? undefined : typeof asked === "object" ? null : output,
    })),
  );

/** Enumerates every order of every choice of unanswered operations. */
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

  /** Sequential reads with these answers. */
  const answered = (...outputs: unknown[]): Operation[] =>
    outputs.map((output, i) => ({
      client: "a",
      input: "read",
      calledAt: 2 * i,
      answeredAt: 2 * i + 1,
      output,
    }));
  const reading = (initial: unknown): SequentialModel<unknown, unknown, unknown> => ({
    initial,
    apply: (state) => ({ state, output: state }),
  });

  test("answers that JSON would not tell apart are not the same", () => {
    expect(linearize(answered(NaN), reading(null))).toBeUndefined();
    expect(linearize(answered(new Map([["a", 1]])), reading(new Map()))).toBeUndefined();
    expect(linearize(answered({ b: 2, a: 1 }), reading({ a: 1, b: 2 }))).toBeDefined();
    expect(() => linearize(answered(new Error("a")), reading(new Error("b")))).toThrow("cannot be compared");
  });

  test("states are told apart by what maps hold", () => {
    const store: SequentialModel<Map<string, number>, number | "read", number> = {
      initial: new Map(),
      apply: (state, asked) =>
        asked === "read"
          ? { state, output: state.get("x") ?? 0 }
          : { state: new Map(state).set("x", asked), output: 0 },
    };
    const write = { client: "a", calledAt: 0, answeredAt: 10, output: 0 } as const;
    const read = { client: "b", input: "read", calledAt: 11, answeredAt: 12 } as const;
    const seeing = (output: number) =>
      linearize(
        [
          { ...write, input: 1 },
          { ...write, input: 2 },
          { ...read, output },
        ],
        store,
      );
    expect([seeing(1), seeing(2), seeing(3)].map((order) => order !== undefined)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("a model that changes its state is refused", () => {
    const pushing: SequentialModel<string[], string, number> = {
      initial: [],
      apply: (state, asked) => ({ state, output: state.push(asked) }),
    };
    expect(() => linearize(answered(1) as Operation<string, number>[], pushing)).toThrow("changes the state");
  });

  test("an answer is what it was when it came", () => {
    const list = [1];
    const recorded = new History<string, number[]>();
    recorded.call("a", "read")(list);
    list.push(2);
    expect(linearize(recorded.operations, reading([1]) as never)).toBeDefined();
    expect(linearize(recorded.operations, reading([1, 2]) as never)).toBeUndefined();
  });
});
