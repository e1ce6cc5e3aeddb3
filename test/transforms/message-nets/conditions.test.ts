/** Nets of small programs: what can be covered is what the obvious interpreter meets. */
import { expect, test } from "vitest";
import type { CoverProperty, MessageProgram, Net } from "../../../src/model/index.js";
import {
  compactNet,
  labelledNet,
  productNet,
  whyNotCompact,
} from "../../../src/transforms/message-nets/index.js";
import { NetBuilder, trimmed } from "../../../src/transforms/message-nets/net-builder.js";
import { naiveFails, naiveStates } from "../../compile/messages/naive.js";
import { largerPrograms, messagePrograms } from "../../compile/messages/programs.js";

const span = { file: "test", start: 0, end: 0 };

/** The obvious search; undefined where there are more markings than that. */
function isCoverable({ initial, transitions, properties }: Net, mostMarkings: number): boolean | undefined {
  const { alternatives } = properties[0] as CoverProperty;
  const seen = new Map([[initial.join(), initial]]);
  for (const marking of seen.values()) {
    if (alternatives.some((tokens) => tokens.every(([place, count]) => marking[place]! >= count)))
      return true;
    if (seen.size > mostMarkings) return undefined;
    for (const { guard, effect } of transitions) {
      if (!guard.every(([place, count]) => marking[place]! >= count)) continue;
      const next = [...marking];
      for (const [place, count] of effect) next[place]! += count;
      if (!seen.has(next.join())) seen.set(next.join(), next);
    }
  }
  return false;
}

const isViolated = (program: MessageProgram): boolean | undefined => {
  const { states, isComplete } = naiveStates(program, { mostStates: 200 });
  const fails = [...states.values()].some((state) => naiveFails(program, state));
  return fails || (isComplete ? false : undefined);
};

const programs = messagePrograms(25);
const answers = programs.map(([, program]) => isViolated(program));

test("what no run marks is taken away", () => {
  const builder = new NetBuilder();
  const [unused, first, second, third] = ["unused", "first", "second", "third"].map((name) =>
    builder.place(name, span),
  );
  builder.mark(first!);
  builder.fire("never", span, { takes: [unused!], gives: [third!] });
  builder.fire("once", span, { takes: [first!], gives: [second!] });
  const shapeOf = (...alternatives: readonly number[][]): unknown => {
    const { places, initial, transitions, properties } = trimmed(builder.net("net", undefined, alternatives));
    return {
      places: places.map(({ name }) => name),
      initial,
      transitions: transitions.map(({ name, guard, effect }) => ({ name, guard, effect })),
      alternatives: (properties[0] as CoverProperty).alternatives,
    };
  };
  const transitions = [
    {
      name: "once",
      guard: [[0, 1]],
      effect: [
        [0, -1],
        [1, 1],
      ],
    },
  ];
  expect(shapeOf([second!], [third!], [second!, unused!])).toEqual({
    places: ["first", "second"],
    initial: [1, 0],
    transitions,
    alternatives: [[[1, 1]]],
  });
  expect(shapeOf([third!])).toEqual({
    places: ["first", "second", "never"],
    initial: [1, 0, 0],
    transitions,
    alternatives: [[[2, 1]]],
  });
});

test("what is spawned has no places before that", () => {
  const spawning = [...programs, ...largerPrograms()].filter(
    ([, { principals, tests }]) => principals.some(({ isSpawned }) => isSpawned) && tests.length === 0,
  );
  expect(spawning.length).toBeGreaterThan(4);
  for (const [name, program] of spawning) {
    const { places } = labelledNet(program, program.properties[0]!);
    for (const { name: spawned } of program.principals.filter(({ isSpawned }) => isSpawned))
      expect(
        places.filter((place) => place.name.startsWith(`${spawned} `)),
        name,
      ).toEqual([]);
  }
});

test.each([
  ["product", productNet, 400, [13, 17, 14]],
  ["compact", compactNet, 600, [7, 7, 11]],
] as const)("the %s", (kind, make, most, expected) => {
  const compared: (boolean | undefined)[] = [];
  programs.forEach(([name, program], i) => {
    if (kind === "compact" && whyNotCompact(program) !== undefined) return;
    const net = make(program, program.properties[0]!);
    const covered = answers[i] === undefined ? undefined : isCoverable(net, most);
    if (covered !== undefined) expect(covered, name).toBe(answers[i]);
    compared.push(covered);
  });
  expect([true, false, undefined].map((it) => compared.filter((one) => one === it).length)).toEqual(expected);
});
