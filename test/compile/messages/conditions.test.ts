/** Message-passing programs as models against a naive interpreter, step by step. */
import { describe, expect, test } from "vitest";
import { concreteModel } from "../../../src/compile/messages/index.js";
import { Successors, type MessageProgram, type Words } from "../../../src/model/index.js";
import { labelOf, type NaiveState, naiveFails, naiveKey, naiveStart, naiveSteps } from "./naive.js";
import { largerPrograms, messagePrograms } from "./programs.js";

describe("a message-passing program runs as the obvious interpreter runs it", () => {
  for (const [name, program] of [...messagePrograms(25), ...largerPrograms()])
    test(name, () => compare(program));
});

/** Explores both in parallel; equal states of one are equal in the other. */
function compare(program: MessageProgram): void {
  const model = concreteModel(program);
  const { system } = model;
  const out = new Successors(system.width);
  system.initial(out);
  const start = naiveStart(program);
  const queue: (readonly [Words, NaiveState])[] = [[out.words.slice(0, system.width), start]];
  const seen = new Map([[naiveKey(start), queue[0]![0].join()]]);
  for (const [words, naive] of queue) {
    if (queue.length > 100) break;
    expect(model.holds(0, words, 0)).toBe(!naiveFails(program, naive));
    out.clear();
    system.successors(words, 0, out);
    const steps = system.stepsFrom(words, 0);
    expect(steps.length).toBe(out.count);
    const theirs = new Map(naiveSteps(program, naive).map(({ label, next }) => [label, next]));
    const labels = steps.map(({ principal, location, edge, values, taken }) =>
      labelOf(
        principal,
        location,
        program.principals[principal]!.locations[location]!.indexOf(edge),
        values,
        taken,
      ),
    );
    expect(labels.toSorted()).toEqual([...theirs.keys()].sort());
    labels.forEach((label, i) => {
      const next = out.words.slice(i * out.stride, (i + 1) * out.stride);
      const other = theirs.get(label)!;
      const key = naiveKey(other);
      if (!seen.has(key)) queue.push([next, other]);
      else expect(next.join()).toBe(seen.get(key));
      seen.set(key, next.join());
    });
  }
  expect(new Set(seen.values()).size).toBe(seen.size);
}
