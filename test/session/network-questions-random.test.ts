/** Formulas of random networks: beside a naive graph, with and without fairness, whatever reductions are asked for. */
import { describe, expect, test } from "vitest";
import { compileNetwork, concreteConfig } from "../../src/compile/network/index.js";
import type { CheckOptions } from "../../src/index.js";
import { Entry, Successors, type Words } from "../../src/model/index.js";
import type { Network } from "../../src/model/network.js";
import { network as declared } from "../../src/session/declarations.js";
import { checkInput, registry } from "../../src/session/index.js";
import { networkLoaded } from "../../src/session/languages/network.js";
import { Naive } from "../compile/network/naive.js";
import { SHAPES, satisfies, satisfiesFairly, type Shape } from "../generators/lasso-oracle.js";
import { randomNetwork } from "../generators/network.js";
import { QUIET, asked, conditionsFor } from "./asked-network.js";

const MOST_STATES = 250;

const checked = async (network: Network, options: CheckOptions, sends: number | undefined = 1) => {
  const language = {
    name: "random",
    summary: "",
    extensions: [],
    accepts: declared,
    load: async (_: unknown, given: Parameters<typeof networkLoaded>[2]) =>
      networkLoaded(network, sends, given),
  };
  const { report } = await checkInput(
    { file: network.name, text: "" },
    { ...options, language: "random", isolation: "none" },
    { ...registry, languages: [language as never] },
  );
  return report;
};

const verdictOf = async (network: Network, name: string, options: CheckOptions, sends?: number) => {
  const report = await checked(network, { ...options, properties: [name] }, sends);
  return report.properties.find((p) => p.property.name === name)?.verdict;
};

/** Every state of the model and who moves, by the words of its states. */
function labelledGraph(network: Network) {
  const model = compileNetwork(network, { ...concreteConfig, sendLimit: 1 });
  const { system } = model.temporal!;
  const labelled = model.temporal!.labelled();
  const out = new Successors(system.width);
  labelled.initial(out);
  const states: Words[] = [out.words.slice(0, out.stride)];
  const numbers = new Map([[states[0]!.join(), 0]]);
  const next: number[][] = [];
  const moves: number[][] = [];
  for (const state of states) {
    out.clear();
    labelled.successors(state, 0, out);
    const live = Array.from({ length: out.count }, (_, i) => i).filter(
      (i) => (out.flags[i]! & Entry.dead) === 0,
    );
    next.push(
      live.map((i) => {
        const one = out.words.slice(i * out.stride, (i + 1) * out.stride);
        if (!numbers.has(one.join())) numbers.set(one.join(), states.push(one) - 1);
        return numbers.get(one.join())!;
      }),
    );
    moves.push(live.map((i) => out.labels[i]!));
  }
  const valuations = states.map((state) => system.valuation(0, state, 0));
  return { next, moves, p: valuations.map((v) => (v & 1) !== 0) };
}

describe.each(Array.from({ length: 10 }, (_, part) => part))("random networks, part %i", (part) => {
  test("formulas are answered as by a naive graph, whatever reductions are asked for", async () => {
    const answers = new Map<string, number>();
    let compared = 0;
    for (let seed = 1 + part; compared < 30; seed += 10) {
      const network = randomNetwork(seed);
      const graph = new Naive(network, 1).graph(MOST_STATES);
      if (!graph) continue;
      compared++;
      const { p, q } = conditionsFor(seed);
      const oracle = { next: graph.next, p: graph.views.map(p!), q: graph.views.map(q!) };
      const shape = SHAPES[compared % SHAPES.length]!;
      const whole = asked(network, seed, [shape]);
      const expected = satisfies(oracle, shape) ? "holds" : "violated";
      for (const options of [
        { isPlain: true },
        {},
        { reductions: [...declared.reductions] },
      ] as CheckOptions[]) {
        if (network.controller.kappa !== 1 && options.reductions) continue;
        expect(await verdictOf(whole, shape, options), `seed ${seed}, ${shape}`).toBe(expected);
      }
      answers.set(expected, (answers.get(expected) ?? 0) + 1);
    }
    expect(answers.get("holds")).toBeGreaterThan(2);
    expect(answers.get("violated")).toBeGreaterThan(2);
  }, 240_000);
});

test("weak fairness asks switches, clients and the controller to move", async () => {
  const shape: Shape = "G F p";
  let changed = 0;
  for (let seed = 1, compared = 0; compared < 25; seed++) {
    const network = asked(randomNetwork(seed), QUIET, [shape]);
    if (network.events.length === 0 || !new Naive(network, 1).graph(MOST_STATES)) continue;
    compared++;
    const graph = labelledGraph(network);
    const isFair = satisfiesFairly(graph, 5);
    expect(await verdictOf(network, shape, { fairness: "weak" }), `seed ${seed}`).toBe(
      isFair ? "holds" : "violated",
    );
    if (isFair && !satisfies({ ...graph, q: graph.p }, shape)) changed++;
  }
  expect(changed).toBeGreaterThan(0);
}, 240_000);
