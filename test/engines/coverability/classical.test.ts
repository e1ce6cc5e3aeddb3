/** Classical nets: their sizes, and all procedures with the same, expected answer and runs that cover. */
import { describe, expect, test } from "vitest";
import { Work, procedures, runAtOnce, shorten } from "../../../src/engines/coverability/index.js";
import type { CoverProperty } from "../../../src/model/index.js";
import { run } from "../../generators/net-oracle.js";
import { classicalNets } from "./classical.js";

test("there are at least twelve", () => expect(classicalNets.length).toBeGreaterThanOrEqual(12));

describe("classical net", () => {
  for (const { net, places, transitions, answer } of classicalNets)
    test(`${net.name}: ${places} places, ${transitions} transitions, ${answer}`, () => {
      expect(net.places.length).toBe(places);
      expect(net.transitions.filter(({ isSource }) => !isSource).length).toBe(transitions);
      const { alternatives } = net.properties[0] as CoverProperty;
      for (const { name, decide } of procedures) {
        const found = runAtOnce(decide(net, alternatives, new Work({ maxStates: 300_000 })));
        expect(found.kind, name).toBe(answer);
        if (found.kind !== "covered") continue;
        const shorter = shorten(net, alternatives, found.firing);
        expect(shorter.length).toBeLessThanOrEqual(found.firing.length);
        for (const firing of [found.firing, shorter]) {
          const marking = run(net, firing);
          expect(marking, name).toBeDefined();
          expect(alternatives.some((tokens) => tokens.every(([p, n]) => marking![p]! >= n))).toBe(true);
        }
      }
    });
});
