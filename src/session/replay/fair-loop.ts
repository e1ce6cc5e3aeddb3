/**
 * Chooses the steps of a fair loop. An emptiness check finds states and acceptance marks; if several agents can make a transition
 * between the same states, a trace reconstructed from states alone may always show the same agent and omit the agents that make the loop
 * fair.
 */
import { Status, Successors, type Fairness, type System, type Trace, type Words } from "../../model/index.js";
import { nth } from "../../model/known.js";

/** Keeps the states and takes a step of every agent that fairness requires to move. Unchanged if `steps` does not label agents. */
export function withFairSteps(trace: Trace, steps: System, fairness: Fairness): Trace {
  const { choices, loopStart } = trace;
  if (fairness === "none" || loopStart === undefined || steps.labels !== "agents") return trace;
  const { offers, waiting } = loopOf(steps, choices, loopStart, fairness);
  const taken = assigned(offers, waiting);
  return { ...trace, choices: choices.map((choice, i) => taken.get(i - loopStart) ?? choice) };
}

/** An alternative to a step, with the same target. */
interface Offer {
  readonly choice: number;
  readonly agents: number;
}

interface Loop {
  readonly offers: readonly (readonly Offer[])[];
  /** Agents that must move: enabled in every state of the loop (weak fairness) or in some (strong). */
  readonly waiting: number;
}

function loopOf(steps: System, choices: readonly number[], loopStart: number, fairness: Fairness): Loop {
  const out = new Successors(steps.width);
  steps.initial(out);
  let state = entryOf(out, 0, steps.width);
  let waiting = fairness === "weak" ? ~0 : 0;
  const offers: Offer[][] = [];
  for (const [i, choice] of choices.entries()) {
    out.clear();
    steps.successors(state, 0, out);
    if (i >= loopStart) {
      const enabled = offered(out).reduce((all, entry) => all | nth(out.labels, entry), 0);
      const isNominal = (steps.status(state, 0) & Status.intermediate) === 0;
      if (isNominal) waiting = fairness === "weak" ? waiting & enabled : waiting | enabled;
      const alike = offered(out).filter((entry) => isAlike(out, entry, choice));
      offers.push(alike.map((entry) => ({ choice: entry, agents: nth(out.labels, entry) })));
    }
    state = entryOf(out, choice, steps.width);
  }
  return { offers, waiting };
}

const offered = (out: Successors): number[] =>
  Array.from({ length: out.count }, (_, entry) => entry).filter((entry) => !out.isDead(entry));

const isAlike = (out: Successors, a: number, b: number): boolean =>
  out.flags[a] === out.flags[b] &&
  entryOf(out, a, out.stride).every((word, k) => word === out.words[b * out.stride + k]);

function entryOf(out: Successors, entry: number, width: number): Words {
  const state = new Int32Array(width);
  state.set(out.words.subarray(entry * out.stride, (entry + 1) * out.stride));
  return state;
}

/** Matches waiting agents to steps of the loop; returns the choice by step. */
function assigned(offers: Loop["offers"], waiting: number): ReadonlyMap<number, number> {
  const taken = new Map<number, { readonly agent: number; readonly choice: number }>();
  const place = (agent: number, tried: Set<number>): boolean =>
    offers.some((offer, step) => {
      const offered = offer.find(({ agents }) => (agents & agent) !== 0);
      if (tried.has(step) || !offered) return false;
      tried.add(step);
      const before = taken.get(step);
      if (before && !place(before.agent, tried)) return false;
      taken.set(step, { agent, choice: offered.choice });
      return true;
    });
  for (let bit = 0; bit < 31; bit++) if ((waiting & (1 << bit)) !== 0) place(1 << bit, new Set());
  return new Map([...taken].map(([step, { choice }]) => [step, choice]));
}
