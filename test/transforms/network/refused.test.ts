/**
 * For every refusal of the gate, a network that justifies it: with the reduction forced upon it, its verdict differs from the
 * concrete semantics.
 */
import { describe, expect, test } from "vitest";
import { configOf } from "../../../src/session/reductions/network.js";
import { gate, refusals } from "../../../src/transforms/network/index.js";
import { networkOf } from "../../languages/sdn/loading.js";
import { explore } from "./compare.js";
import { examples, type Example } from "./refused.js";

const titleOf = ({ reduction, reason }: Pick<Example, "reduction" | "reason">): string =>
  `${reduction}: ${reason}`;

test("everything that the gate refuses has an example", () => {
  const recorded = new Set(examples.map(titleOf));
  expect(refusals.map(titleOf).filter((title) => !recorded.has(title))).toEqual([]);
});

describe("refused with a reason", () => {
  for (const example of examples)
    test(`${titleOf(example)}: ${example.name}`, () => {
      const { reduction, reason, with: also = [], text, property, sends, isViolated } = example;
      const network = networkOf(text);
      const properties = network.properties.filter((p) => p.name === property);
      const { refused } = gate(network, {
        wanted: [...also, reduction],
        properties,
        sendLimit: example.isLimited ? sends : Infinity,
      });
      expect(refused.map(({ name, reason: why }) => titleOf({ reduction: name, reason: why }))).toContain(
        titleOf({ reduction, reason }),
      );
      const verdict = (names: readonly (typeof reduction)[]): boolean => {
        const found = explore(network, { ...configOf(names), sendLimit: sends }, MOST_STATES, property);
        const isFound = found.violated.has(property);
        // Finding nothing in a part proves nothing.
        expect(found.isComplete || isFound).toBe(true);
        return isFound;
      };
      expect(verdict([])).toBe(isViolated);
      // Without the refused one the others do no harm.
      expect(verdict(also)).toBe(isViolated);
      expect(verdict([...also, reduction])).toBe(!isViolated);
    });
});

const MOST_STATES = 20_000;
