/** One memory for several threads: no two of them get the same words. */
import { expect, test } from "vitest";
import { StepMemory } from "../../src/step/index.js";

const twice = (): readonly [StepMemory, StepMemory] => {
  const one = StepMemory.create(64)!;
  return [one, StepMemory.join(structuredClone(one.memory), 64)];
};

test("arrays of two threads do not overlap, and each thread sees those of the other", () => {
  const [one, other] = twice();
  const arrays = Array.from({ length: 60 }, (_, i) =>
    (i % 3 === 0 ? other : one).allocate(1 + 1000 * (i % 7))!,
  );
  arrays.forEach((array, i) => array.fill(i + 1));
  arrays.forEach((array, i) => {
    expect(array.every((word) => word === i + 1)).toBe(true);
    const owner = i % 3 === 0 ? other : one;
    const seen = (owner === one ? other : one).at({ address: owner.addressOf(array), length: array.length });
    expect(seen.every((word) => word === i + 1)).toBe(true);
  });
});

test("an array that was given back at the end is there for both threads, and is zero", () => {
  const [one, other] = twice();
  const last = one.allocate(100)!;
  const at = one.addressOf(last);
  last.fill(5);
  one.free(last);
  const next = other.allocate(100)!;
  expect([other.addressOf(next), next.every((word) => word === 0)]).toEqual([at, true]);
  // It is handed out once.
  expect(one.addressOf(one.allocate(100)!)).not.toBe(at);
});

test("another thread allocates just before: both get words of their own", () => {
  const [one, other] = twice();
  const { compareExchange } = Atomics as { compareExchange: (...given: unknown[]) => number };
  const before = (act: () => void): void => {
    const once = (...given: unknown[]): number => {
      Object.assign(Atomics, { compareExchange });
      act();
      return compareExchange(...given);
    };
    Object.assign(Atomics, { compareExchange: once });
  };
  try {
    let taken: Int32Array | undefined;
    before(() => (taken = other.allocate(16)));
    const own = one.allocate(16)!;
    expect(one.addressOf(own)).not.toBe(other.addressOf(taken!));
    // Given back at the end, while the other thread continues behind it.
    const last = one.allocate(16)!;
    before(() => (taken = other.allocate(16)));
    one.free(last);
    const fresh = [other.allocate(16)!, one.allocate(16)!, one.allocate(16)!];
    fresh.forEach((array, i) => array.fill(i + 1));
    taken!.fill(9);
    expect(fresh.map((array) => [...new Set(array)])).toEqual([[1], [2], [3]]);
  } finally {
    Object.assign(Atomics, { compareExchange });
  }
});

test("there is no more than the maximum", () => {
  const [one, other] = twice();
  while (one.allocate(1 << 14));
  expect(other.allocate(1 << 14)).toBeUndefined();
});
