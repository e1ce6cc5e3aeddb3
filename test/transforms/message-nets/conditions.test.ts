/** Nets of small programs: coverability agrees with the obvious interpreter. */
import { expect, test } from "vitest";
import { loadMpp } from "../../../src/languages/mpp/index.js";
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

test.each(largerPrograms())("%s: the product", (_, program) => {
  const { states, isComplete } = naiveStates(program, { mostStates: 2000 });
  expect(isComplete).toBe(true);
  const fails = [...states.values()].some((state) => naiveFails(program, state));
  expect(isCoverable(productNet(program, program.properties[0]!), 2000)).toBe(fails);
});

test.each([
  [
    "an operation",
    "domain Worn { init clean; clean - op any -> worn; } provenance Worn;",
    "x = swap(x);",
    true,
  ],
  ["a copy", "domain Worn { init clean; clean - op any -> worn; } provenance Worn;", "y = x;", false],
  ["an assumption that is true", "", "assume(x == a); send(c, x); recv(c, x);", true],
  ["an assumption that is false", "", "assume(x != a); send(c, x); recv(c, x);", false],
  ["a test that is true", "", "if (provenance(x) in eps) { send(c, x); recv(c, x); }", true],
  ["a test that is false", "", "if (provenance(x) in P) { send(c, x); recv(c, x); }", false],
])("%s in the product", (_, domain, statements, expected) => {
  const { program } = loadMpp(
    "p.mpp",
    `message a, b; channel c; op swap { a -> b; b -> a; } ${domain} principal P { var x, y; x = a; ${statements} }
     property p: provenance(P.x) in ${domain === "" ? "eps" : "classes {clean}"};`,
  );
  expect(isViolated(program!)).toBe(expected);
  expect(isCoverable(productNet(program!, program!.properties[0]!), 1000)).toBe(expected);
});

test.each([
  ["P.y == a", true],
  ["P.y == b", false],
  ["Q.z == a", true],
  ["Q.z == b", false],
])("a violation when %s", (when, expected) => {
  const { program } = loadMpp(
    "p.mpp",
    `message a, b; channel c; principal P { var x, y; y = a; x = a; send(c, x); recv(c, x); } principal Q { var z; z = a; }
     property p: provenance(P.x) in eps when ${when};`,
  );
  expect(isViolated(program!)).toBe(expected);
  for (const make of [compactNet, productNet])
    expect(isCoverable(make(program!, program!.properties[0]!), 5000)).toBe(expected);
});

test("a spawned principal is asked for its own variables alone", () => {
  const { program } = loadMpp(
    "p.mpp",
    `message a; channel c; principal P { var x; spawn Q; spawn R; } principal Q { var y; y = a; }
     principal R { var w, z; z = a; } property p: provenance(R.z) in eps;`,
  );
  expect(isViolated(program!)).toBe(false);
  expect(isCoverable(productNet(program!, program!.properties[0]!), 1000)).toBe(false);
});

/** Provenance of the messages that Q has received from P. */
test.each([
  ["in subset {P}", false],
  ["in subset {Q}", true],
  ["in contains {P}", false],
  ["in contains {P, Q}", true],
  ["in contains {Q}, {P}", false],
  ["notin subset {P}", true],
  ["notin subset {Q}", false],
  ["notin contains {P}", true],
  ["notin contains {P, Q}", false],
  ["notin contains {Q}, {P}", true],
])("%s in bits", (policy, expected) => {
  const { program } = loadMpp(
    "p.mpp",
    `message a; channel c; provenance set; principal P { var x; x = a; send(c, x); } principal Q { var y; recv(c, y); }
     property p: provenance(Q.y) ${policy} when Q.y == a;`,
  );
  expect(isViolated(program!)).toBe(expected);
  for (const make of [compactNet, productNet])
    expect(isCoverable(make(program!, program!.properties[0]!), 5000)).toBe(expected);
});
