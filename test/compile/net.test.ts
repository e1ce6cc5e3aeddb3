/** A net as a model: successors, initial tokens, overflows, growing loops, and runs as choices. */
import { describe, expect, test } from "vitest";
import { choicesOf, netModel } from "../../src/compile/net.js";
import { loadMist } from "../../src/languages/mist/index.js";
import {
  FOREIGN_AGENT,
  MOST_TOKENS,
  Successors,
  TokenOverflow,
  faultSite,
  type Net,
} from "../../src/model/index.js";
import { grows } from "../../src/session/replay/firing.js";
import { fired, hasSources, hasTransfers } from "../generators/net-oracle.js";
import { randomNet } from "../generators/nets.js";
import { Random } from "../generators/random.js";

const netOf = (text: string): Net => loadMist("m.spec", text).net!;

function successorsOf(
  net: Net,
  state: readonly number[],
): { readonly states: number[][]; readonly faults: number[] } {
  const { steps } = netModel(net);
  const out = new Successors(steps.width);
  steps.successors(Int32Array.from(state), 0, out);
  const states: number[][] = [];
  const faults: number[] = [];
  for (let i = 0; i < out.count; i++)
    if (out.flags[i] === 0) states.push([...out.words.slice(i * out.stride, i * out.stride + steps.width)]);
    else faults.push(faultSite(out.flags[i]!));
  return { states, faults };
}

test("random walks take the steps that the net has, and tokens of the start come first where a place is emptied", () => {
  let ordered = 0;
  for (let seed = 1; seed <= 120; seed++) {
    const net = randomNet(seed);
    const random = new Random(seed);
    const { steps } = netModel(net);
    const needsOrder = hasSources(net) && hasTransfers(net);
    if (needsOrder) ordered++;
    expect(steps.width).toBe(net.places.length + (needsOrder ? 1 : 0));
    let marking: readonly number[] = net.initial;
    let hasBegun = false;
    const firing: number[] = [];
    const choices: number[] = [];
    for (let step = 0; step < 8; step++) {
      const enabled = [...net.transitions.keys()].filter((t) => {
        const { isSource = false } = net.transitions[t]!;
        return !(isSource && hasBegun && needsOrder) && fired(net.transitions[t]!, marking) !== undefined;
      });
      const expected = enabled.map((t) => [
        ...fired(net.transitions[t]!, marking)!,
        ...(needsOrder ? [hasBegun || !net.transitions[t]!.isSource ? 1 : 0] : []),
      ]);
      const state = [...marking, ...(needsOrder ? [hasBegun ? 1 : 0] : [])];
      expect(successorsOf(net, state).states, `seed ${seed}`).toEqual(expected);
      if (enabled.length === 0) break;
      const choice = random.below(enabled.length);
      firing.push(enabled[choice]!);
      choices.push(choice);
      hasBegun ||= !net.transitions[enabled[choice]!]!.isSource;
      marking = fired(net.transitions[enabled[choice]!]!, marking)!;
    }
    expect(choicesOf(net, firing)).toEqual(choices);
  }
  expect(ordered).toBeGreaterThan(8);
});

describe("counts that do not fit", () => {
  const most = MOST_TOKENS;

  test("are a fault of a step that adds", () => {
    const net = netOf(`vars a rules true -> a' = a + 2; init a = ${most} target a >= 1`);
    expect(successorsOf(net, [most])).toEqual({ states: [], faults: [0] });
    expect(successorsOf(net, [most - 2])).toEqual({ states: [[most]], faults: [] });
  });

  test("are a fault of a step that transfers", () => {
    const net = netOf(`vars a b rules true -> b' = b + a, a' = 0; init a = 1, b = 1 target a >= 1`);
    expect(successorsOf(net, [2, most - 1])).toEqual({ states: [], faults: [0] });
    expect(successorsOf(net, [2, most - 2])).toEqual({ states: [[0, most]], faults: [] });
  });
});

describe("a loop that grows", () => {
  const grown = (text: string, choices: number[], loopStart: number): boolean =>
    grows(netModel(netOf(text)), { choices, loopStart });

  test("is one of steps that grow again", () => {
    const net = "vars a rules a >= 1 -> a' = a + 1; init a = 1 target a >= 9";
    expect(grown(net, [0], 0)).toBe(true);
    expect(grown(net, [0, 0], 1)).toBe(true);
    expect(grown(net, [0], 1)).toBe(false);
  });

  test("is none of tokens that may be there from the start", () => {
    const net = "vars a rules a >= 1 -> a' = a - 1; init a >= 1 target a >= 9";
    expect(grown(net, [1], 0)).toBe(false);
    const then = "vars a rules a >= 1 -> a' = a + 1; init a >= 1 target a >= 9";
    expect(grown(then, [1, 0], 1)).toBe(true);
    expect(grown(then, [1, 0], 0)).toBe(false);
  });

  test("is none where a place is emptied: more may be there once, and then the same", () => {
    const net = "vars a b rules a >= 1 -> b' = 2; init a = 1, b = 0 target b >= 9";
    expect(grown(net, [0], 0)).toBe(false);
  });
});

test("a run that cannot be taken has no choices", () => {
  const net = netOf("vars a b rules a >= 2 -> a' = a - 2, b' = b + 1; init a = 3, b = 0 target b >= 9");
  expect(choicesOf(net, [0])).toEqual([0]);
  expect(() => choicesOf(net, [0, 0])).toThrow(/step 2/);
});

test("the system to search gives up a step with too many tokens, and names it; the one to step through goes on", () => {
  const net = netOf(
    `vars a b rules a >= 1 -> a' = a - 1, b' = b + 1; a >= 1 -> a' = a + ${MOST_TOKENS}; init a = 1, b = 0 target b >= 9`,
  );
  const { system, steps } = netModel(net);
  const state = Int32Array.of(1, 0);
  expect(() => system.successors(state, 0, new Successors(2))).toThrow(TokenOverflow);
  expect(() => system.successors(state, 0, new Successors(2))).toThrow("t2: more than");
  const out = new Successors(2);
  steps.successors(state, 0, out);
  expect(out.count).toBe(2);
  const fine = new Successors(2);
  system.successors(Int32Array.of(0, 3), 0, fine);
  expect(fine.count).toBe(0);
});

test("labels: a bit for each of 31 transitions, one for all others; dead markings are an end unless they are asked about", () => {
  const rules = Array.from({ length: 40 }, () => "a >= 1 -> a' = a;").join(" ");
  const net = netOf(`vars a rules ${rules} init a = 1 target a >= 2`);
  const formula = {
    name: "F a",
    kind: "ltl",
    span: undefined,
    propositions: [],
    requirement: { kind: "satisfies", formula: { kind: "true" } },
    conditions: [],
  } as const;
  const { temporal, system } = netModel({ ...net, properties: [formula] });
  const out = new Successors(1);
  temporal!.labelled().successors(Int32Array.of(1), 0, out);
  const expected = Array.from({ length: 40 }, (_, t) => (t < 31 ? 1 << t : FOREIGN_AGENT));
  expect([...out.labels.slice(0, out.count)]).toEqual(expected);
  expect(system.status(Int32Array.of(0), 0)).toBe(1);
  const deadlock = { name: "deadlock", kind: "deadlock", span: undefined } as const;
  expect(netModel({ ...net, properties: [deadlock] }).system.status(Int32Array.of(0), 0)).toBe(0);
});
