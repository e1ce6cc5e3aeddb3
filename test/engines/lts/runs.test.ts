/** Runs that an automaton accepts: each is one of the system and violates the formula; without one, random runs satisfy it. */
import { expect, test } from "vitest";
import { acceptedRun } from "../../../src/engines/lts/index.js";
import { TAU, type Lts } from "../../../src/model/index.js";
import { Random } from "../../../src/session/index.js";
import { evaluate, parseLtl, translate } from "../../../src/transforms/ltl/index.js";
import { randomLts } from "./random-lts.js";

const texts = ["G F a", "F b", "G (a -> X b)", "a U b", "F G !a", "G !b", "X X a", "(G F a) -> (G F b)"];

const letterOf = (names: readonly string[]) => (label: string) =>
  names.reduce((letter, name, p) => (name === label ? letter | (1 << p) : letter), 0);

interface Walk {
  readonly labels: readonly number[];
  readonly loopStart: number | undefined;
}

/** Until a state repeats, or the run ends. */
function randomWalk(random: Random, lts: Lts): Walk {
  const seen = new Map<number, number>();
  const labels: number[] = [];
  for (let s = lts.initial[0]; ;) {
    const known = seen.get(s);
    if (known !== undefined && random.below(2) === 0) return { labels, loopStart: known };
    seen.set(s, labels.length);
    const count = lts.firsts[s + 1] - lts.firsts[s];
    if (count === 0) return { labels, loopStart: undefined };
    const t = lts.firsts[s] + random.below(count);
    labels.push(lts.actions[t]);
    s = lts.targets[t];
  }
}

test("agrees with the semantics of formulas", () => {
  const random = new Random(24);
  const found = { accepted: 0, none: 0 };
  for (let i = 0; i < 1_500; i++) {
    const states = 1 + random.below(5);
    const lts = randomLts(random, { states, labels: 2, transitions: random.below(2 * states + 2) });
    const parsed = parseLtl(texts[random.below(texts.length)], "test");
    if ("diagnostics" in parsed) throw new Error("not a formula");
    const { formula, propositions } = parsed;
    const letter = letterOf(propositions);
    const satisfies = ({ labels, loopStart }: Walk): boolean => {
      const read = (from: number, to: number): number[] =>
        labels.slice(from, to).flatMap((action) => (action === TAU ? [] : [letter(lts.labels[action])]));
      const cycle = loopStart === undefined ? [] : read(loopStart, labels.length);
      return evaluate(formula, read(0, loopStart ?? labels.length), cycle.length === 0 ? [0] : cycle);
    };
    const run = acceptedRun(lts, translate({ kind: "not", operand: formula }, propositions), letter);
    if (run) {
      found.accepted++;
      const labels = run.transitions.map((t) => lts.actions[t]);
      expect(satisfies({ labels, loopStart: run.loopStart })).toBe(false);
    } else {
      found.none++;
      for (let walk = 0; walk < 40; walk++) expect(satisfies(randomWalk(random, lts))).toBe(true);
    }
  }
  expect(Math.min(found.accepted, found.none)).toBeGreaterThan(200);
}, 60_000);
