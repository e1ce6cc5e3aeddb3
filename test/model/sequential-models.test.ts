/** Ready sequential models: their histories, judged by the search and by enumeration of all orders. */
import { describe, expect, test } from "vitest";
import {
  History,
  linearize,
  lockModel,
  logModel,
  queueModel,
  registerModel,
  setModel,
  type Operation,
  type SequentialModel,
} from "../../src/model/index.js";
import { Random } from "../../src/session/index.js";

/** Unlike JSON in a list, distinguishes null from nothing. */
const shown = (output: unknown): string => (output === undefined ? "nothing" : JSON.stringify(output));

/** Tries every order of every choice of unanswered operations. */
function obvious<S, I, O>(operations: readonly Operation<I, O>[], model: SequentialModel<S, I, O>): boolean {
  const go = (left: readonly Operation<I, O>[], state: S): boolean =>
    left.every(({ answeredAt }) => answeredAt === undefined) ||
    left.some((one) => {
      const others = left.filter((other) => other !== one);
      if (others.some(({ answeredAt }) => answeredAt !== undefined && answeredAt < one.calledAt))
        return false;
      const effect = model.apply(state, one.input);
      if (!effect) return false;
      const agrees = shown(effect.output) === shown(one.output);
      return (one.answeredAt === undefined || agrees) && go(others, effect.state);
    });
  return go(operations, model.initial);
}

const owners = ["a", "b"];
type Any = SequentialModel<unknown, unknown, unknown>;
/** Inputs by number. */
const models: Readonly<Record<string, readonly [Any, (n: number) => unknown]>> = {
  register: [
    registerModel(0),
    (n) => [{ op: "read" }, { op: "write", value: n % 3 }, { op: "swap", expected: n % 2, value: 2 }][n % 3],
  ],
  queue: [queueModel<number>(), (n) => (n % 2 === 0 ? { op: "take" } : { op: "put", value: n })],
  set: [setModel<number>(), (n) => ({ op: ["add", "remove", "has"][n % 3], value: n % 2 })],
  lock: [lockModel(), (n) => ({ op: ["lock", "tryLock", "unlock"][n % 3], owner: owners[n % 2] })],
  log: [
    logModel<number>(),
    (n) =>
      [
        { op: "append", value: n },
        { op: "read", from: n % 2 },
      ][n % 2],
  ],
};

/** Overlapping operations whose answers come from a random order, or are exchanged; some have none. */
function randomHistory(random: Random, model: Any, input: (n: number) => unknown): Operation[] {
  const count = 2 + random.below(4);
  let state: unknown = model.initial;
  const made = Array.from({ length: count }, (_, i): Operation => {
    const asked = input(random.below(12));
    const effect = model.apply(state, asked);
    if (effect) state = effect.state;
    const calledAt = 10 * i - random.below(25) + i / 100;
    const isAnswered = effect !== undefined && random.below(5) > 0;
    const answeredAt = isAnswered ? Math.max(calledAt, 10 * i) + 1 + random.below(20) + i / 1000 : undefined;
    return {
      client: `${i}`,
      input: asked,
      calledAt,
      answeredAt,
      output: isAnswered ? effect.output : undefined,
    };
  });
  if (random.below(2) === 0) return made;
  const [one, other] = [random.below(count), random.below(count)];
  return made.map((each, i) => {
    const from = made[i === one ? other : i === other ? one : i]!;
    return each.answeredAt === undefined || from.answeredAt === undefined
      ? each
      : { ...each, output: from.output };
  });
}

describe.each(Object.entries(models))("%s", (name, [model, input]) => {
  test("the search agrees with enumeration", () => {
    let [right, wrong] = [0, 0];
    for (let seed = 1; seed <= 1500; seed++) {
      const history = randomHistory(new Random(seed), model, input);
      const expected = obvious(history, model);
      if (expected) right++;
      else wrong++;
      expect([name, seed, linearize(history, model) !== undefined]).toEqual([name, seed, expected]);
    }
    // Both kinds occur.
    expect(Math.min(right, wrong)).toBeGreaterThan(20);
  });

  test("an unknown operation is refused", () => {
    const history = new History<unknown, unknown>();
    history.end(history.begin("a", { op: "explode" }));
    expect(() => history.judge(model)).toThrow("has no operation 'explode'");
  });
});

test("an operation that cannot happen yet waits for its turn", () => {
  const history = new History<unknown, unknown>();
  const first = history.begin("a", { op: "lock", owner: "a" });
  history.end(first);
  const second = history.begin("b", { op: "lock", owner: "b" });
  const release = history.begin("a", { op: "unlock", owner: "a" });
  history.end(release);
  history.end(second);
  expect(history.judge(lockModel())).toBe(true);
  const again = history.begin("a", { op: "lock", owner: "a" });
  expect(history.judge(lockModel())).toBe(true); // still waiting
  history.end(again);
  expect(history.judge(lockModel())).toContain("no order of the operations explains their answers");
});

test("an unanswered write may have happened, or not", () => {
  const history = new History<unknown, unknown>();
  history.begin("a", { op: "write", value: 1 });
  const read = (value: number): void => history.end(history.begin("b", { op: "read" }), value);
  read(0);
  read(1);
  expect(history.judge(registerModel(0))).toBe(true);
  read(0);
  expect(history.judge(registerModel(0))).not.toBe(true);
});

test("histories that mean nothing are refused", () => {
  const history = new History<unknown, unknown>();
  const call = history.begin("a", { op: "read" });
  history.end(call, 0);
  expect(() => history.end(call, 0)).toThrow("answered twice");
  expect(() => history.end(7)).toThrow("no call number 7");
  const wrong = { client: "a", input: { op: "read" }, output: 0 } as const;
  for (const times of [
    { calledAt: 3, answeredAt: 2 },
    { calledAt: 3, answeredAt: 3 },
    { calledAt: NaN, answeredAt: 3 },
    { calledAt: 1, answeredAt: NaN },
  ])
    expect(() => linearize([{ ...wrong, ...times }], registerModel(0))).toThrow("is answered at");
  expect(() => queueModel().apply([], { op: "put", value: null })).toThrow("holds no null");
});
