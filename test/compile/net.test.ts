/** A net as a model: successors, tokens of the start, counts that do not fit, loops that grow, and runs as choices. */
import { describe, expect, test } from "vitest";
import { choicesOf, netModel } from "../../src/compile/net.js";
import { loadMist } from "../../src/languages/mist/index.js";
import { MOST_TOKENS, Successors, faultSite, type Net } from "../../src/model/index.js";
import { grows } from "../../src/session/firing.js";
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
