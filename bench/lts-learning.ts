/** Learned assumptions: expected and obtained figures, and agreement with the composition of all components on 500 random systems. */
import { rules, type Outcome } from "../src/engines/learning/index.js";
import { Random } from "../src/session/index.js";
import { composeComponents, proveByAssumptions, searchError } from "../src/session/lts/learning.js";
import {
  FAULTY,
  INPUT,
  ORDER,
  OUTPUT,
  failing,
  lockServer,
  randomSystem,
} from "../test/engines/learning/systems.js";

const SYSTEMS = 500;

export async function measureLearning(): Promise<void> {
  const told = await proveByAssumptions([INPUT, OUTPUT], ORDER, "asym");
  const shown = `${told.kind}, ${told.candidates} candidates, ${told.queries} queries, ${sizes(told)} states`;
  say("input and output, asym", "proved, 2 candidates, 10 queries, 2 states", shown);
  say("input and output, sym", "7, 7", sizes(await proveByAssumptions([INPUT, OUTPUT], ORDER, "sym")));
  const wrong = await proveByAssumptions([INPUT, FAULTY], ORDER, "asym");
  say(
    "faulty output",
    "input send ack input",
    wrong.kind === "violated" ? wrong.trace.join(" ") : wrong.kind,
  );
  await lockServers();
  const { components, property } = lockServer(3, { second: 3, isFaulty: true });
  say("faulty server, steps", "12", `${(await searchError(failing(components, property))).steps}`);
  await randomSystems();
}

async function lockServers(): Promise<void> {
  const published = [55, 350, 2_125, 12_500, 71_875];
  for (let n = 2; n <= 10; n++) {
    const { components, property } = lockServer(n);
    const outcome = await proveByAssumptions(components, property, "asym");
    const expected = published[n - 2];
    const whole = expected === undefined ? "not built" : `${(await composeComponents(components)).states}`;
    say(
      `lock server, ${n} clients: the whole; largest built (published: 20)`,
      `${expected ?? "not built"}; at most 20`,
      `${whole}; ${outcome.largest <= 20 ? "at most 20" : outcome.largest}`,
      `largest ${outcome.largest}, assumptions ${sizes(outcome)}, ${outcome.queries} queries, ${outcome.candidates} candidates`,
    );
  }
}

async function randomSystems(): Promise<void> {
  let agreeing = 0;
  let violated = 0;
  let runs = 0;
  for (let seed = 1; seed <= SYSTEMS; seed++) {
    const { components, property } = randomSystem(new Random(seed));
    const isViolated = (await searchError(failing(components, property))).trace !== undefined;
    violated += Number(isViolated);
    for (const rule of rules)
      for (const order of [components, [...components].reverse()]) {
        runs++;
        const { kind } = await proveByAssumptions(order, property, rule);
        agreeing += Number(kind === (isViolated ? "violated" : "proved"));
      }
  }
  say(`${SYSTEMS} random systems, ${violated} violated: runs that agree`, `${runs}`, `${agreeing}`);
}

const sizes = (outcome: Outcome): string =>
  outcome.kind === "proved" ? outcome.assumptions.map(({ states }) => states).join(", ") : outcome.kind;

const say = (what: string, expected: string, obtained: string, more = ""): void =>
  console.log(
    `${what}: expected ${expected}; obtained ${obtained}: ${expected === obtained ? "met" : "MISSED"}${more && ` (${more})`}`,
  );
