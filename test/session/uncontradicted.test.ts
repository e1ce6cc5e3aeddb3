/** Reductions whose conditions cannot be tested in single states: a partial search of the whole system must not contradict them. */
import { beforeEach, describe, expect, test, vi } from "vitest";
import { checkInput, registry, type CheckOptions } from "../../src/session/index.js";
import type * as Gate from "../../src/transforms/network/gate.js";
import { examples } from "../transforms/network/refused.js";

/** Removes the conditions. */
const gateState = vi.hoisted(() => ({ isOpen: false }));

vi.mock("../../src/transforms/network/gate.js", async (load) => {
  const real = await load<typeof Gate>();
  const gate: typeof Gate.gate = (network, request) =>
    gateState.isOpen ? { names: request.wanted, refused: [] } : real.gate(network, request);
  return { ...real, gate };
});

beforeEach(() => void (gateState.isOpen = false));

const check = async (text: string, options: CheckOptions) =>
  (await checkInput({ file: "n.sdn", text }, options, registry)).report;

/** Reductions that are impossible for every property are refused before the search. */
const searched = examples.filter(({ isViolated, reason }) => isViolated && reason !== "kappa");

describe("a network that is reduced against the rules has no verdict", () => {
  for (const { name, reduction, with: also = [], text, property, sends } of searched)
    test(`${reduction}: ${name}`, async () => {
      gateState.isOpen = true;
      const options = {
        reductions: [...also, reduction],
        properties: [property],
        concrete: sends,
      };
      await expect(check(text, options)).rejects.toThrow(`disagree on '${property}': holds`);
    });
});

test("one that is reduced by the rules keeps its verdict", async () => {
  const [example] = examples.filter(({ isViolated }) => !isViolated);
  const { text, property } = example!;
  const { properties } = await check(text, { reducesAtOnce: true, properties: [property] });
  expect(properties.map(({ verdict }) => verdict)).toEqual(["holds"]);
});
