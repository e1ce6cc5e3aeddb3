/** Compares counted messages with a naive interpreter: no execution is missed, and the under-approximation adds none. */
import { describe, expect, test } from "vitest";
import { concreteModel } from "../../../src/compile/messages/index.js";
import { loadMpp } from "../../../src/languages/mpp/index.js";
import {
  isInPolicy,
  nowhere,
  provenanceAfter,
  Successors,
  type DomainEvent,
  type MessageProgram,
  type Policy,
  type Words,
} from "../../../src/model/index.js";
import { Cells } from "../../../src/transforms/counting/cells.js";
import {
  classify,
  concretise,
  countingModel,
  type CountingOptions,
  type CountingSystem,
} from "../../../src/transforms/counting/index.js";
import { liveVariables } from "../../../src/transforms/counting/liveness.js";
import { automatonOf } from "../../../src/transforms/counting/word-automaton.js";
import { naiveFails, naiveStates } from "../../compile/messages/naive.js";
import { largerPrograms, messagePrograms } from "../../compile/messages/programs.js";

const programs = messagePrograms(40);

type Reductions = Pick<CountingOptions, "runsToReceive" | "resetsDead" | "proposes">;
const plain: Reductions = { runsToReceive: false, resetsDead: false, proposes: false };
const ways: Readonly<Record<string, Reductions>> = {
  plain,
  "dead variables reset": { ...plain, resetsDead: true },
  "run to receive": { ...plain, runsToReceive: true },
  "run to receive, dead variables reset": { ...plain, runsToReceive: true, resetsDead: true },
};

interface Searched {
  readonly states: number;
  /** Choices of a shortest run that violates. */
  readonly violation: readonly number[] | undefined;
  readonly isComplete: boolean;
}

const MOST = 150;

function searched(program: MessageProgram, options: CountingOptions): Searched {
  const { system } = countingModel(
    program,
    program.properties[0]!,
    classify(program, program.properties[0]!),
    options,
  );
  const out = new Successors(system.width);
  system.initial(out);
  const trimmed = (words: Words): string => words.join().replace(/(,0)+$/, "");
  const start = out.words.slice(0, out.stride);
  const queue: { readonly words: Words; readonly choices: readonly number[] }[] = [
    { words: start, choices: [] },
  ];
  const seen = new Set([trimmed(start)]);
  for (const { words, choices } of queue) {
    if (seen.size > MOST) return { states: seen.size, violation: undefined, isComplete: false };
    out.clear();
    system.successors(words, 0, out);
    for (let i = 0; i < out.count; i++) {
      if (out.flags[i] !== 0) return { states: seen.size, violation: [...choices, i], isComplete: true };
      const next = out.words.slice(i * out.stride, (i + 1) * out.stride);
      if (seen.has(trimmed(next))) continue;
      seen.add(trimmed(next));
      queue.push({ words: next, choices: [...choices, i] });
    }
  }
  return { states: seen.size, violation: undefined, isComplete: true };
}

/** As in `session/engines/provenance.ts`: properties of the start are checked before anything is counted. */
const naive = programs.map(([, program]) => {
  const { states, isComplete } = naiveStates(program);
  const fails = [...states.values()].map((state) => naiveFails(program, state));
  return { isViolated: fails.includes(true), failsAtFirst: fails[0]!, isComplete };
});

/** Over all programs: states, and the number violated, for each direction and k. */
const figures: Readonly<Record<string, readonly number[]>> = {
  "plain: over": [3286, 12, 2983, 11, 3147, 11],
  "plain: under": [251, 1, 2561, 11, 2856, 11],
  "dead variables reset: over": [3000, 12, 2849, 11, 3092, 11],
  "dead variables reset: under": [242, 1, 2444, 11, 2767, 11],
  "run to receive: over": [1265, 11, 886, 10, 919, 10],
  "run to receive: under": [118, 1, 1115, 9, 1303, 10],
  "run to receive, dead variables reset: over": [1072, 11, 803, 10, 860, 10],
  "run to receive, dead variables reset: under": [116, 1, 1029, 9, 1200, 10],
};

for (const [way, reductions] of Object.entries(ways))
  for (const direction of ["over", "under"] as const)
    test(`${way}: ${direction}`, () => {
      const found: number[] = [];
      for (const k of [0, 1, 2]) {
        let [states, violated] = [0, 0];
        programs.forEach(([name, program], i) => {
          const { when, principal } = program.properties[0]!;
          if (reductions.runsToReceive && when && when.principal !== principal) return;
          if (naive[i]!.failsAtFirst) return;
          const options = { ...reductions, k, direction };
          const result = searched(program, options);
          states += result.states;
          if (result.violation) violated++;
          if (direction === "over" && naive[i]!.isViolated && result.isComplete)
            expect(result.violation, name).toBeDefined();
          if (direction === "under" && result.violation)
            expect(followed(program, options, result.violation), name).toBe("genuine");
          if (naive[i]!.isComplete && !naive[i]!.isViolated && result.violation)
            expect(followed(program, options, result.violation), name).toBe("spurious");
        });
        found.push(states, violated);
      }
      expect(found, `${way}: ${direction}`).toEqual(figures[`${way}: ${direction}`]);
    });

/** Genuine if the run, in the real semantics, ends where the property fails. */
function followed(program: MessageProgram, options: CountingOptions, choices: readonly number[]): string {
  const [property] = program.properties;
  const { system } = countingModel(program, property!, classify(program, property!), options);
  return followedIn(system, program, choices);
}

function followedIn(system: CountingSystem, program: MessageProgram, choices: readonly number[]): string {
  const classes = classify(program, program.properties[0]!);
  const model = concreteModel(program);
  const trace = { choices, fault: 0, loopStart: undefined };
  const result = concretise(system, model.steps, classes, trace);
  if (result.kind === "genuine") expect(model.holds(0, result.final, 0)).toBe(false);
  return result.kind;
}

test("a trace is followed with the messages that it takes", () => {
  const { program } = loadMpp(
    "p.mpp",
    `message a, b; channel c;
     principal P { var x; x = a; send(c, x); x = b; send(c, x); } principal Q { var y; recv(c, y); }
     property p: provenance(Q.y) in eps when Q.y == b;`,
  );
  const options = { ...plain, k: 1, direction: "under" } as const;
  expect(followed(program!, options, searched(program!, options).violation!)).toBe("genuine");
});

describe("several instances of a principal", () => {
  const spawned = {
    "hold different messages": `message a, b; channel c;
      principal P { var x; spawn R; spawn R; } principal R { var y; choose { [] y = a; [] y = b; } send(c, y); }
      principal Q { var z; recv(c, z); } property p: provenance(Q.z) in eps when Q.z == b;`,
    "hold messages that have been elsewhere": `message a; channel c, d;
      principal P { var x; spawn R; spawn R; x = a; send(c, x); }
      principal R { var y; choose { [] y = a; [] recv(c, y); } send(d, y); }
      principal Q { var z; recv(d, z); } property p: provenance(Q.z) in eps | R;`,
  };
  for (const [name, text] of Object.entries(spawned))
    test(`${name}: every trace is followed`, () => {
      const { program } = loadMpp("p.mpp", text);
      const [property] = program!.properties;
      const options = { ...plain, k: 2, direction: "under" } as const;
      const { system } = countingModel(program!, property!, classify(program!, property!), options);
      const violations = everyViolation(system);
      expect(violations.length).toBeGreaterThan(10);
      for (const choices of violations) expect(followedIn(system, program!, choices)).toBe("genuine");
    });
});

test("a copy changes nothing", () => {
  const [, program] = largerPrograms().find(([name]) => name === "a copy is no operation")!;
  expect(searched(program, { ...plain, k: 1, direction: "over" }).violation).toBeUndefined();
});

test.each([
  [
    "another one",
    "principal P { var x; spawn Q; assume(x == a); spawn R; } property p: provenance(R.y) in R;",
  ],
  [
    "one that holds something else",
    "principal P { var x; spawn R; spawn Q; } property p: provenance(R.y) in R when R.y == b;",
  ],
])("%s is not born bad", (_, text) => {
  const others = "principal Q { var z; z = a; } principal R { var y; y = a; }";
  const { program } = loadMpp("p.mpp", `message a, b; channel c; ${others} ${text}`);
  expect(searched(program!, { ...plain, k: 1, direction: "over" }).violation).toBeUndefined();
});

test("a principal without messages may violate a property at its creation", () => {
  const text = "principal P { var x; spawn R; } property p: provenance(R.y) in R when R.y == none;";
  const { program } = loadMpp("p.mpp", `message a; channel c; ${text} principal R { var y; y = a; }`);
  expect(searched(program!, { ...plain, k: 1, direction: "over" }).violation).toEqual([0]);
});

test("resets dead variables on request", () => {
  const [, program] = programs.find(([name]) => name === "what is not read again")!;
  const places = program.principals.flatMap(({ locations, variables }, principal) =>
    locations.flatMap((_, location) =>
      variables.map((_, variable) => [principal, location, variable] as const),
    ),
  );
  const [property] = program.properties;
  const reset = [true, false].map((resetsDead) => {
    const options = { ...plain, resetsDead, k: 1, direction: "over" } as const;
    const { system } = countingModel(program, property!, classify(program, property!), options);
    return places.filter((place) => system.isReset(...place)).map((place) => place.join(""));
  });
  const ofFirst = ["000", "001", "011", "020", "021", "030", "040", "041"];
  const ofSecond = ["100", "101", "111", "120", "130", "140", "141"];
  expect(reset).toEqual([[...ofFirst, ...ofSecond], []]);
});

/** Choices of every run that violates, of a program without loops. Their order depends on the cells that were made before. */
function everyViolation(system: CountingSystem): number[][] {
  const found: number[][] = [];
  const visit = (words: Words, choices: readonly number[]): void => {
    const out = new Successors(system.width);
    system.successors(words, 0, out);
    for (let i = 0; i < out.count; i++)
      if (out.flags[i] !== 0) found.push([...choices, i]);
      else visit(out.words.slice(i * out.stride, (i + 1) * out.stride), [...choices, i]);
  };
  const out = new Successors(system.width);
  system.initial(out);
  visit(out.words.slice(0, out.stride), []);
  return found;
}

test("proposes only principals with independent, invisible steps", () => {
  const found = programs.map(([, program]) => {
    const property = program.properties[0]!;
    const { system } = countingModel(program, property, classify(program, property), {
      ...plain,
      proposes: true,
      k: 1,
      direction: "over",
    });
    const out = new Successors(system.width);
    const proposed = new Int32Array(program.principals.length);
    system.initial(out);
    const state = out.words.slice(0, out.stride);
    const count = system.candidates!.propose(state, 0, proposed);
    for (const principal of proposed.subarray(0, count)) {
      const edges = program.principals[principal]!.locations[0]!;
      expect(edges.length).toBeGreaterThan(0);
      for (const { action } of edges) {
        expect(action.kind).not.toBe("receive");
        if (action.kind !== "fresh" && action.kind !== "apply") continue;
        const { principal: owner, variable, when } = property;
        expect([principal, action.target]).not.toEqual([owner, variable]);
        if (when) expect([principal, action.target]).not.toEqual([when.principal, when.variable]);
      }
      out.clear();
      system.candidates!.successorsOf(principal, state, 0, out);
      expect(out.count).toBe(edges.length);
    }
    return count;
  });
  expect(found.filter((count) => count > 0).length).toBe(48);
});

test("does not propose principals that have ended", () => {
  const text = "principal P { var x; halt; } principal Q { var y; skip; recv(c, y); }";
  const { program } = loadMpp("p.mpp", `message a; channel c; ${text} property p: provenance(Q.y) in eps;`);
  const [property] = program!.properties;
  const options = { ...plain, proposes: true, k: 1, direction: "over" } as const;
  const { system } = countingModel(program!, property!, classify(program!, property!), options);
  const proposed = new Int32Array(2);
  expect(system.candidates!.propose(new Int32Array(system.width), 0, proposed)).toBe(1);
  expect(proposed[0]).toBe(1);
});

test("a variable is live where it is read before it is written", () => {
  for (const [name, { principals }] of programs)
    for (const principal of principals) {
      const live = liveVariables(principal);
      principal.locations.forEach((_, location) =>
        principal.variables.forEach((_, variable) =>
          expect(live[location]![variable], name).toBe(isRead(principal, location, variable)),
        ),
      );
    }
});

/** Naive liveness: follows every path that does not write the variable. */
function isRead(
  { locations }: MessageProgram["principals"][number],
  from: number,
  variable: number,
): boolean {
  const reached = new Set([from]);
  for (const location of reached)
    for (const { action, to } of locations[location]!) {
      if (action.kind === "apply" && action.source === variable) return true;
      const isAsked = action.kind === "send" || action.kind === "assume" || action.kind === "test";
      if (isAsked && action.variable === variable) return true;
      const target =
        action.kind === "receive"
          ? action.variable
          : action.kind === "fresh" || action.kind === "apply"
            ? action.target
            : -1;
      if (target !== variable) reached.add(to);
    }
  return false;
}

describe("policies", () => {
  const letters = (...principals: number[]) => ({ kind: "letters", principals }) as const;
  const words = (expression: Extract<Policy, { kind: "words" }>["expression"]): Policy => ({
    kind: "words",
    expression,
  });
  const empty = { kind: "empty" } as const;
  const policies: Policy[] = [
    words(empty),
    words(letters(0, 1)),
    words({ kind: "sequence", first: letters(0), second: { kind: "repeat", body: letters(1) } }),
    words({ kind: "sequence", first: { kind: "repeat", body: letters(0) }, second: letters(1) }),
    words({
      kind: "sequence",
      first: { kind: "repeat", body: letters(0) },
      second: { kind: "repeat", body: letters(1) },
    }),
    words({
      kind: "choice",
      options: [letters(0), { kind: "sequence", first: letters(1), second: letters(0) }],
    }),
    words({ kind: "choice", options: [empty, letters(0)] }),
    words({ kind: "repeat", body: { kind: "sequence", first: letters(0), second: letters(0, 1) } }),
    { kind: "subset", principals: [0] },
    { kind: "subset", principals: [] },
    { kind: "contains", sets: [[0, 1]] },
    { kind: "contains", sets: [[1], [0]] },
    { kind: "contains", sets: [] },
    {
      kind: "automaton",
      automaton: {
        states: 3,
        initial: 0,
        accepting: [2],
        steps: [
          { from: 0, letter: 0, to: 0 },
          { from: 0, letter: 0, to: 1 },
          { from: 1, letter: 1, to: 2 },
          { from: 2, letter: 1, to: 2 },
        ],
      },
    },
  ];
  /** All up to five letters. */
  const tried: number[][] = [[]];
  for (const word of tried) if (word.length < 5) tried.push([...word, 0], [...word, 1]);

  test("an automaton accepts exactly its policy, and is minimal", () => {
    const sizes = policies.map((policy) => {
      const { steps, accepting } = automatonOf(policy, 2);
      for (const word of tried)
        expect(accepting[word.reduce((state, letter) => steps[state]![letter]!, 0)]).toBe(
          isInPolicy(policy, word),
        );
      return steps.length;
    });
    expect(sizes).toEqual([2, 3, 3, 3, 3, 4, 3, 3, 2, 2, 4, 2, 1, 4]);
  });

  test("classes distinguish provenances that the property or a test distinguishes", () => {
    for (const [name, program] of programs.slice(0, 30)) {
      const [property] = program.properties;
      const classes = classify(program, property!);
      const events = program.principals.flatMap((_, principal): DomainEvent[] => [
        { kind: "send", principal },
        { kind: "receive", principal },
        { kind: "operation", operation: 0, principal },
      ]);
      const met = new Map([["", nowhere]]);
      for (const provenance of met.values()) {
        const own = classes.of(provenance);
        expect(classes.isBad[own], name).toBe(
          isInPolicy(property!.policy, provenance) !== property!.isAllowed,
        );
        program.tests.forEach((policy, i) =>
          expect(classes.tests[i]![own], name).toBe(isInPolicy(policy, provenance)),
        );
        for (const event of events) {
          const next = provenanceAfter(program.domain, event, provenance);
          expect(classes.after(event, own), name).toBe(classes.of(next));
          if (next.length < 5) met.set(next.join(), next);
        }
      }
    }
  });
});

test("a cell counts up to k, and then any number or no more", () => {
  for (const k of [0, 1, 2])
    for (const direction of ["over", "under"] as const) {
      const cells = new Cells(1, k, direction);
      const slots = [
        cells.slotOfMessage(0, 1, 0),
        cells.slotOfMessage(0, 1, 1),
        cells.slotOfMessage(1, 1, 0),
        cells.slotOfInstance(0, 0, [1, 2]),
        cells.slotOfInstance(0, 1, [1, 2]),
      ];
      expect(slots).toEqual([1, 2, 3, 4, 5]);
      expect(cells.slotOfMessage(0, 1, 1)).toBe(2);
      expect(cells.slotOfInstance(0, 1, [1, 2])).toBe(5);
      expect([cells.inChannel(0), cells.inChannel(1), cells.inChannel(2), cells.ofInstances()]).toEqual([
        [1, 2],
        [3],
        [],
        [4, 5],
      ]);
      let words: Int32Array = new Int32Array(1);
      const most = direction === "over" ? k + 1 : k;
      for (let sent = 1; sent <= 4; sent++) {
        words = cells.increased(words, 2);
        expect(words[2]).toBe(Math.min(sent, most));
        expect(cells.isUnbounded(words[2]!)).toBe(direction === "over" && sent > k);
      }
      if (most > 0) expect(cells.decreased(words, 2)[2]).toBe(direction === "over" ? most : most - 1);
    }
});
