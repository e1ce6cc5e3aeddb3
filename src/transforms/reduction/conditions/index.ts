/**
 * The conditions of the reductions of a program, tested in single states on real successors: `commutation.ts` for partial
 * order, `lockstep.ts` for rewritten programs, `between.ts` for the states that merging removes.
 *
 * In: the `Plan`, a state of the reduced program, and the process explored alone there. Out: the first violated condition, if
 * there is one. Analyses prove the conditions for all states; this test uses no analysis, only the program itself.
 */
import { edgesOf } from "../../../model/program-walk.js";
import type { BrokenCondition, Edge, Program, Stepping, Words } from "../../../model/index.js";
import type { Plan } from "../plan.js";
import { whyNotAlone } from "./commutation.js";
import { forgottenIn, whyNotAlike, type Stage } from "./lockstep.js";
import { Allowance, Runs, TooManyStates, chosen } from "./runs.js";
import { nth, lastOf } from "../../../model/known.js";

/** States shared by the program and all its rewritings. */
export interface CommonStates {
  stepsOf(program: Program): Stepping;
  /** As in `Stage`. */
  readonly differences: Stage["differences"];
  readonly altered: Stage["altered"];
}

/** Steps that are looked at in one state, for rewritten programs and for partial order. */
const MOST_STEPS = 3000;

export class Conditions {
  readonly #stages: readonly (Stage & { readonly name: string })[];
  readonly #runs: readonly Runs[];
  readonly #isLeftOut: (fault: number) => boolean;
  readonly #allowance = new Allowance();

  constructor({ stages, program, trustsClaims }: Plan, common: CommonStates) {
    const programs = [...stages.map(({ before }) => before), program];
    this.#runs = programs.map((each) => new Runs(common.stepsOf(each), this.#allowance));
    this.#stages = stages.map(({ name, origins, isDropped, forgets }, i) => ({
      name,
      before: nth(this.#runs, i),
      after: nth(this.#runs, i + 1),
      program: nth(programs, i + 1),
      origins,
      forgets,
      forgotten: forgottenIn({ program: nth(programs, i + 1), origins }),
      isDropped,
      insideStep: stepsIn(nth(programs, i + 1)),
      differences: (a, b) => common.differences(a, b),
      altered: (state, isMeant, seed) => common.altered(state, isMeant, seed),
    }));
    // A false claim is reported, and then nothing is trusted any more.
    this.#isLeftOut = (fault) => trustsClaims && program.sites[fault]?.fault === "exclusive-access";
  }

  /** `agents`: the processes that may be explored alone there. */
  test(state: Words, agents: readonly number[]): BrokenCondition | undefined {
    return this.#within(() => this.#testStages(state)) ?? this.#within(() => this.#testAgents(state, agents));
  }

  #within(test: () => BrokenCondition | undefined): BrokenCondition | undefined {
    this.#allowance.left = MOST_STEPS;
    try {
      return test();
    } catch (error) {
      if (error instanceof TooManyStates) return undefined;
      throw error;
    }
  }

  #testStages(state: Words): BrokenCondition | undefined {
    for (const stage of this.#stages) {
      const why = whyNotAlike(stage, state);
      if (why !== undefined) return this.#broken(stage.name, why, state);
    }
    return undefined;
  }

  #testAgents(state: Words, agents: readonly number[]): BrokenCondition | undefined {
    const runs = lastOf(this.#runs);
    // The search takes the first of them that can move; if that puts others off forever, another.
    const [first, ...rest] = agents.filter((agent) =>
      runs.at(state).some(({ process }) => process === agent),
    );
    for (const agent of [first, chosen(rest, state, 0)]) {
      if (agent === undefined) continue;
      const why = whyNotAlone(runs, state, agent, this.#isLeftOut);
      if (why !== undefined) return this.#broken("por", why, state);
    }
    return undefined;
  }

  #broken(reduction: string, condition: string, state: Words): BrokenCondition {
    const { steps } = nth(this.#runs, 0);
    return {
      reduction,
      condition,
      shown: steps.snapshot(state, 0),
      processes: steps.processes(state, 0),
    };
  }
}

/** By the edges that begin an indivisible step: all that such steps of the template have. */
function stepsIn({ templates }: Program): Stage["insideStep"] {
  const found = new Map<Edge, readonly Edge[]>();
  for (const template of templates) {
    const inside = template.locations.filter((l) => l.inside === "step").flatMap(({ edges }) => edges);
    for (const edge of edgesOf(template))
      if (nth(template.locations, edge.to).inside === "step") found.set(edge, inside);
  }
  return (edge) => found.get(edge) ?? [];
}
