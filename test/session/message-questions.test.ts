/** Conditions, formulas and deadlocks of message-passing programs, against the naive interpreter and the naive count. */
import { describe, expect, test } from "vitest";
import { concreteModel } from "../../src/compile/messages/index.js";
import { loadMpp } from "../../src/languages/mpp/index.js";
import { parseMessageCondition } from "../../src/languages/toolkit/message-conditions.js";
import { overallVerdict, type CheckOptions } from "../../src/index.js";
import { FOREIGN_AGENT, Status, Successors, type MessageProgram, type Words } from "../../src/model/index.js";
import { checkInput, registry } from "../../src/session/index.js";
import { labelOf, naiveKey, naiveStart, naiveSteps, type NaiveState } from "../compile/messages/naive.js";
import { largerPrograms, messagePrograms } from "../compile/messages/programs.js";

interface Asked {
  readonly text: string;
  holds(state: NaiveState): boolean;
}

/** Conditions of every form, with their meaning in naive states. */
function conditionsOf({ channels, messages, principals }: MessageProgram): Asked[] {
  const inChannel = (state: NaiveState, channel: number, message?: number): number =>
    state.channels[channel]!.filter((each) => message === undefined || each.message === message).length;
  const counted = channels.flatMap((name, c): Asked[] => [
    { text: `${name} < 1`, holds: (state) => inChannel(state, c) < 1 },
    ...messages.flatMap((message, m): Asked[] => [
      { text: `2 * ${name}.${message} <= ${name}`, holds: (s) => 2 * inChannel(s, c, m) <= inChannel(s, c) },
      { text: `${name}.${message}`, holds: (state) => inChannel(state, c, m) >= 1 },
    ]),
  ]);
  const held = principals.flatMap(({ name, variables }, p): Asked[] =>
    variables.flatMap((variable, v) =>
      messages.flatMap((message, m): Asked[] => {
        const isHeld = ({ standing }: NaiveState): boolean =>
          standing.some((each) => each.principal === p && each.held[v]!.message === m);
        return [
          { text: `${name}.${variable} == ${message}`, holds: isHeld },
          { text: `${name}.${variable} != ${message}`, holds: (state) => !isHeld(state) },
        ];
      }),
    ),
  );
  const ended = principals.map(({ name, locations }, p): Asked => ({
    text: `${name}.end == 1`,
    holds: ({ standing }) =>
      standing.filter((each) => each.principal === p && locations[each.location]!.length === 0).length === 1,
  }));
  const single = [...counted, ...held, ...ended];
  const pairs = single.flatMap((one, i): Asked[] => {
    const other = single[(7 * i + 3) % single.length]!;
    return [
      { text: `${one.text} && !(${other.text})`, holds: (s) => one.holds(s) && !other.holds(s) },
      { text: `${one.text} || ${other.text}`, holds: (s) => one.holds(s) || other.holds(s) },
    ];
  });
  return [...single, ...pairs];
}

describe("conditions on states mean what they mean to the naive interpreter", () => {
  for (const [name, program] of [...messagePrograms(15), ...largerPrograms()])
    test(name, () => compare(program));
});

function compare(program: MessageProgram): void {
  const asked = conditionsOf(program);
  const invariants = asked.map(({ text }) => {
    const span = { file: "--invariant", start: 0, end: text.length };
    const condition = parseMessageCondition(text, span, program);
    if (!("kind" in condition)) throw new Error(`${text}: ${condition[0]?.message}`);
    return { name: text, kind: "invariant" as const, span, condition };
  });
  const model = concreteModel(program, { invariants, formulas: [], asksDeadlock: true });
  const { system } = model;
  const out = new Successors(system.width);
  system.initial(out);
  const start = naiveStart(program);
  const queue: (readonly [Words, NaiveState])[] = [[out.words.slice(0, system.width), start]];
  const seen = new Set([naiveKey(start)]);
  const first = program.properties.length;
  for (const [words, naive] of queue) {
    if (queue.length > 60) break;
    asked.forEach(({ text, holds }, i) => expect(model.holds(first + i, words, 0), text).toBe(holds(naive)));
    const isOver = naive.standing.every(
      ({ principal, location }) => program.principals[principal]!.locations[location]!.length === 0,
    );
    expect(system.status(words, 0)).toBe(isOver ? Status.validEnd : 0);
    out.clear();
    system.successors(words, 0, out);
    const next = new Map(naiveSteps(program, naive).map((step) => [step.label, step.next]));
    system.stepsFrom(words, 0).forEach(({ principal, location, edge, values, taken }, i) => {
      expect(out.labels[i]).toBe(1 << principal);
      const edges = program.principals[principal]!.locations[location]!;
      const other = next.get(labelOf(principal, location, edges.indexOf(edge), values, taken))!;
      if (!seen.has(naiveKey(other)))
        queue.push([out.words.slice(i * out.stride, (i + 1) * out.stride), other]);
      seen.add(naiveKey(other));
    });
  }
}

const check = async (text: string, options: CheckOptions) =>
  (await checkInput({ file: "m.mpp", text }, options, registry)).report;

const two = `message a, b; channel c;
principal P { var x; x = a; send(c, x); }
principal Q { var y; loop { skip; } }
property p: provenance(P.x) in eps | P;`;

test("formulas are about executions, and fairness about principals", async () => {
  const ltl = ['F "P.end"'];
  const asked = { ltl, properties: ltl };
  expect(overallVerdict(await check(two, asked))).toBe("violated");
  expect(overallVerdict(await check(two, { ...asked, fairness: "weak" }))).toBe("holds");
  expect(overallVerdict(await check(two, { ...asked, fairness: "strong" }))).toBe("holds");
});

test("principals beyond the thirty-first share a label", () => {
  const many = Array.from({ length: 33 }, (_, i) => `principal P${i} { var x; x = a; }`).join("\n");
  const { program } = loadMpp(
    "m.mpp",
    `message a; channel c;\n${many}\nproperty p: provenance(P0.x) in eps;`,
  );
  const { system } = concreteModel(program!);
  const out = new Successors(system.width);
  system.initial(out);
  const state = out.words.slice(0, system.width);
  out.clear();
  system.successors(state, 0, out);
  expect([...out.labels.slice(0, 33)]).toEqual(
    Array.from({ length: 33 }, (_, i) => (i < 31 ? 1 << i : FOREIGN_AGENT)),
  );
});

test("a program without a bound is explored as far as the budget goes, and nothing is claimed", async () => {
  const growing = `message a; channel c;
    principal P { var x; x = a; loop { send(c, x); } }
    property p: provenance(P.x) in eps;`;
  const asked = { invariants: ["c >= 0"], properties: ["c >= 0"], budget: { maxStates: 50 } };
  expect(overallVerdict(await check(growing, asked))).toBe("unknown");
});

test("mistakes in conditions are located, several at once", async () => {
  const { diagnostics } = await check(two, { invariants: ["P.x == d && e > 1", "P.x < a"] });
  expect(diagnostics.map(({ code, span, message }) => [code, span.file, span.start, message])).toEqual([
    ["messages/condition", "--invariant", 7, "`d` is no value of `P.x`"],
    ["messages/condition", "--invariant", 12, "there is no channel, variable or principal `e`"],
    ["messages/condition", "--invariant 2", 4, "`P.x` is compared by == and !="],
  ]);
});

test("a deadlock has one meaning", async () => {
  const { diagnostics } = await check(two, { deadlock: "stuttering" });
  expect(diagnostics.map(({ code }) => code)).toEqual(["messages/deadlock"]);
});
