/** Proves properties of transition systems by learned assumptions, composing by the one product. */
import { automatonOf, prove, type Component, type Outcome, type Rule } from "../../engines/learning/index.js";
import { termNetwork } from "../../compile/lts-term.js";
import { ltsModel } from "../../compile/lts.js";
import { checkExplicit } from "../../engines/explicit/index.js";
import {
  ERROR_NAME,
  Successors,
  TAU_NAME,
  type Lts,
  type LtsNetwork,
  type Model,
} from "../../model/index.js";
import { whyNotDeterministic } from "../../transforms/lts/determinise.js";
import { termTools } from "./terms.js";

const span = { file: "", start: 0, end: 0 };

/** The system of components that synchronise on shared labels. */
export const composeComponents = async (components: readonly Component[]): Promise<Lts> =>
  termTools.build(await networkOf(components));

async function networkOf(components: readonly Component[]): Promise<LtsNetwork> {
  const parts = components.map((component) => ({ kind: "part" as const, ...component, span }));
  return (await termNetwork("components", { kind: "parallel", parts }, span, termTools)).network;
}

/** A shortest run to an error state: visible actions and the number of all steps. */
export async function searchError(components: readonly Component[]): Promise<{
  readonly trace: readonly string[] | undefined;
  readonly steps: number;
  readonly states: number;
}> {
  const model = ltsModel(await networkOf(components));
  const { findings, stats, isComplete } = await checkExplicit(model, {
    order: "bfs",
    checkDeadlock: false,
    errors: 1,
    budget: {},
    control: {},
  });
  const violation = findings.map(({ verdict }) => verdict).find(({ kind }) => kind === "violated");
  if (!violation && !isComplete) throw new Error("the search did not end");
  const choices = violation?.kind === "violated" ? (violation.trace?.choices ?? []) : [];
  return {
    trace: violation && labelsOf(model, choices),
    steps: choices.length,
    states: stats.states,
  };
}

function labelsOf({ steps }: Model, choices: readonly number[]): string[] {
  const out = new Successors(steps.width);
  steps.initial(out);
  let state = out.words.slice(0, steps.width);
  return choices.flatMap((choice) => {
    const { action } = steps.describe(state, 0, choice);
    out.clear();
    steps.successors(state, 0, out);
    state = out.words.slice(choice * out.stride, choice * out.stride + steps.width);
    return action === TAU_NAME || action === ERROR_NAME ? [] : [action];
  });
}

/** Throws if the property has no meaning: it must be deterministic, and its alphabet within those of the components. */
export function proveByAssumptions(
  components: readonly Component[],
  property: Component,
  rule: Rule,
): Promise<Outcome> {
  const why = whyNotDeterministic(property.lts);
  if (why !== undefined) throw new RangeError(`property '${property.name}' is not deterministic: ${why}`);
  const known = new Set(components.flatMap(({ alphabet }) => [...alphabet]));
  // sound: test/engines/learning/learning.test.ts
  const foreign = [...property.alphabet].find((label) => !known.has(label));
  if (foreign !== undefined)
    throw new RangeError(`no component has the action '${foreign}' of '${property.name}'`);
  const alphabet = [...property.alphabet];
  return prove(components, { dfa: automatonOf(property.lts, alphabet), alphabet }, rule, {
    compose: composeComponents,
    search: searchError,
  });
}
