/**
 * Learned assumptions: expected and obtained figures of the literature (Cobleigh, Giannakopoulou and Păsăreanu), a rover's executive rebuilt after
 * its description, and agreement with the composition of all components on 500 random systems, for all rules and orders: 72 proofs for each
 * system of four components, about a processor second, so 500 take a quarter of an hour. `--systems 1..125` runs a part of them alone.
 */
import { inOrder, orders, rules } from "../src/engines/learning/index.js";
import { Random } from "../src/session/index.js";
import {
  composeComponents,
  proveByAssumptions,
  searchError,
  type Proved,
} from "../src/session/lts/learning.js";
import {
  FAULTY,
  INPUT,
  ORDER,
  OUTPUT,
  failing,
  lockServer,
  randomSystem,
  rover,
} from "../test/engines/learning/systems.js";

const SYSTEMS = 500;
let missed = 0;

export async function measureLearning(): Promise<void> {
  const part = /^(\d+)\.\.(\d+)$/.exec(process.argv[process.argv.indexOf("--systems") + 1] ?? "");
  if (!part) {
    await figures();
    await lockServers();
    await rovers();
  }
  await randomSystems(Number(part?.[1] ?? 1), Number(part?.[2] ?? SYSTEMS));
  console.log(missed === 0 ? "all targets met" : `${missed} targets MISSED`);
}

async function figures(): Promise<void> {
  const told = await proveByAssumptions([INPUT, OUTPUT], ORDER, "asym");
  const shown = `${told.kind}, ${told.candidates} candidates, ${told.queries} queries, ${sizes(told)} states`;
  say("input and output, asym", "proved, 2 candidates, 10 queries, 2 states", shown);
  const swapped = await proveByAssumptions([OUTPUT, INPUT], ORDER, "asym");
  say(
    "output and input, asym",
    "proved, 2 candidates, 2 states",
    `${swapped.kind}, ${swapped.candidates} candidates, ${sizes(swapped)} states`,
  );
  say("input and output, sym", "7, 7", sizes(await proveByAssumptions([INPUT, OUTPUT], ORDER, "sym")));
  for (const { name } of rules) {
    const wrong = await proveByAssumptions([INPUT, FAULTY], ORDER, name);
    say(`faulty output, ${name}`, "input send ack input", wrong.trace?.join(" ") ?? wrong.kind);
  }
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
  const { components, property } = lockServer(3, { second: 3, isFaulty: true });
  const { trace, kind } = await proveByAssumptions(components, property, "asym");
  const { steps } = await searchError(failing(components, property));
  say(
    "faulty server: verdict, steps of a shortest run",
    "violated, 12",
    `${kind}, ${steps}`,
    trace?.join(" "),
  );
}

/** The largest system that any premise builds, beside the whole. */
async function rovers(): Promise<void> {
  const { components, property } = rover();
  const { states, transitions } = await searchError(failing(components, property));
  for (const order of orders) {
    const inThisOrder = inOrder(components, property.alphabet, order);
    const outcome = await proveByAssumptions(inThisOrder, property, "asym");
    const times = states / outcome.largest;
    const shown = `${states} states, ${transitions} transitions whole; largest ${outcome.largest}; ${times.toFixed(1)}x; assumptions ${sizes(outcome)}`;
    // The default order is the one that must be small.
    if (order === "property")
      say(
        "rover executive, proved and at least 5x smaller than the whole",
        "proved, yes",
        `${outcome.kind}, ${times >= 5 ? "yes" : "no"}`,
        shown,
      );
    else console.log(`rover executive, order ${order}: ${outcome.kind}, ${shown}`);
  }
  const broken = rover({ isFaulty: true });
  const outcome = await proveByAssumptions(
    inOrder(broken.components, property.alphabet, "property"),
    broken.property,
    "asym",
  );
  const whole = await searchError(failing(broken.components, broken.property));
  say(
    "rover executive that reads without the lock",
    "violated, violated",
    `${outcome.kind}, ${whole.trace ? "violated" : "proved"}`,
    outcome.trace?.join(" "),
  );
}

async function randomSystems(from: number, to: number): Promise<void> {
  let agreeing = 0;
  let violated = 0;
  let runs = 0;
  let wrongCandidates = 0;
  for (let seed = from; seed <= to; seed++) {
    const random = new Random(seed);
    const { components, property } = randomSystem(random);
    const isViolated = (await searchError(failing(components, property))).trace !== undefined;
    violated += Number(isViolated);
    for (const { name } of rules)
      for (const order of permutations(components)) {
        runs++;
        const { kind, steps, assumptions } = await proveByAssumptions(order, property, name);
        agreeing += Number(kind === (isViolated ? "violated" : "proved"));
        const [own] = assumptions;
        // Of the first learner, which is never started anew.
        if (
          own &&
          steps.filter(({ of, outcome }) => of === own.of && outcome.startsWith("too ")).length >
            own.states + 1
        )
          wrongCandidates++;
      }
    if (seed % 25 === 0) console.log(`… systems ${from}..${seed}: ${agreeing} of ${runs} runs agree`);
  }
  say(
    `random systems ${from}..${to}, ${violated} violated, ${rules.length} rules, all orders: runs that agree`,
    `${runs}`,
    `${agreeing}`,
  );
  say("runs with more wrong candidates than states of the minimal automaton", "0", `${wrongCandidates}`);
}

function permutations<T>(list: readonly T[]): (readonly T[])[] {
  if (list.length < 2) return [list];
  return list.flatMap((each, i) =>
    permutations([...list.slice(0, i), ...list.slice(i + 1)]).map((rest) => [each, ...rest]),
  );
}

const sizes = ({ kind, assumptions }: Proved): string =>
  kind === "proved" ? assumptions.map(({ states }) => states).join(", ") : kind;

function say(what: string, expected: string, obtained: string, more = ""): void {
  if (expected !== obtained) missed++;
  console.log(
    `${what}: expected ${expected}; obtained ${obtained}: ${expected === obtained ? "met" : "MISSED"}${more && ` (${more})`}`,
  );
}
