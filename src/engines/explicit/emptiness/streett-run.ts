/** Runs that are accepting under strong fairness: constructed inside a fair part, and followed before they are returned. */
import { allMarks, type AcceptanceGraph } from "../../../model/index.js";
import { StreettArcs, type FairPart, type StreettGraph } from "./streett-graph.js";
import { StateSet, Walker, type Walk } from "./walker.js";

export interface StreettStep {
  readonly state: number;
  readonly marks: number;
  readonly enabled: number;
  readonly taken: number;
}

/** As `Lasso`. */
export interface StreettRun {
  readonly prefix: readonly StreettStep[];
  readonly cycle: readonly StreettStep[];
}

/**
 * Inside the part every agent that is enabled moves somewhere. The cycle goes to the nearest arc that has a missing mark, or
 * where an agent moves that was enabled on the way and has not moved yet; when nothing is missing, back to the start. The
 * way back may enable further agents: then it goes round again.
 */
export function constructStreettRun(
  graph: StreettGraph,
  agents: number,
  part: FairPart,
  isVisited: (state: number) => boolean,
): StreettRun {
  const labels = new Labels(graph);
  const inside = new StateSet();
  for (const member of part.members) inside.add(member);
  const isInside = (state: number): boolean => inside.has(state);
  const allowed = new Walker(labels.graph((label) => (label.enabled & part.banned) === 0));
  const start = part.members[0];
  const cycle: StreettStep[] = [];
  let marks = allMarks(graph.conditions);
  let waiting = 0;
  let moved = 0;
  let at = start;
  do {
    const wanted = { marks, waiting };
    const isGoal = (target: number, index: number): boolean => {
      const label = labels.at(index);
      if ((wanted.marks | wanted.waiting) === 0) return target === start;
      return (label.marks & wanted.marks) !== 0 || (label.taken & wanted.waiting) !== 0;
    };
    const walk = found(allowed.shortest({ from: at, isInside, isGoal }));
    for (const step of labels.steps(walk)) {
      cycle.push(step);
      marks &= ~step.marks;
      moved |= step.taken;
      waiting = (waiting | (step.enabled & agents)) & ~moved;
    }
    at = walk.end;
  } while ((marks | waiting) !== 0 || at !== start);

  const onCycle = new Map(cycle.map(({ state }, i) => [state, i] as const).reverse());
  const turn = (at: number): StreettStep[] => [...cycle.slice(at), ...cycle.slice(0, at)];
  const atInitial = onCycle.get(graph.initial);
  if (atInitial !== undefined) return required(graph, agents, { prefix: [], cycle: turn(atInitial) });
  const everywhere = new Walker(labels.graph(() => true));
  const isGoal = (target: number): boolean => onCycle.has(target);
  const walk = found(everywhere.shortest({ from: graph.initial, isInside: isVisited, isGoal }));
  return required(graph, agents, { prefix: labels.steps(walk), cycle: turn(onCycle.get(walk.end)!) });
}

/** Returns why this is not an accepting run; undefined if it is one. Uses nothing but the graph. `agents`: the agents that count. */
export function streettFlawOf(graph: StreettGraph, agents: number, run: StreettRun): string | undefined {
  const { prefix, cycle } = run;
  if (cycle.length === 0) return "the cycle is empty";
  const steps = [...prefix, ...cycle];
  if (steps[0].state !== graph.initial) return "it does not begin in the initial state";
  const arcs = new StreettArcs();
  for (const [i, step] of steps.entries()) {
    const next = (steps[i + 1] ?? cycle[0]).state;
    graph.successors(step.state, arcs);
    if (!hasArc(arcs, next, step)) return `there is no such arc from ${step.state} to ${next}`;
  }
  const united = (mask: "marks" | "enabled" | "taken"): number =>
    cycle.reduce((all, step) => all | step[mask], 0);
  if (united("marks") !== allMarks(graph.conditions)) return "the cycle does not carry all marks";
  const starved = united("enabled") & ~united("taken") & agents;
  return starved === 0 ? undefined : `the agents ${starved} are enabled and never move`;
}

function required(graph: StreettGraph, agents: number, run: StreettRun): StreettRun {
  const flaw = streettFlawOf(graph, agents, run);
  if (flaw !== undefined) throw new Error(`not an accepting run: ${flaw}`);
  return run;
}

function hasArc(arcs: StreettArcs, target: number, step: StreettStep): boolean {
  for (let i = 0; i < arcs.count; i++)
    if (
      arcs.targets[i] === target &&
      arcs.marks[i] === step.marks &&
      arcs.enabled[i] === step.enabled &&
      arcs.taken[i] === step.taken
    )
      return true;
  return false;
}

type Label = Omit<StreettStep, "state">;

/** Three masks as one number, so that walks can be looked for in an ordinary graph. */
class Labels {
  readonly #graph: StreettGraph;
  readonly #labels: Label[] = [];
  readonly #indices = new Map<string, number>();
  readonly #arcs = new StreettArcs();

  constructor(graph: StreettGraph) {
    this.#graph = graph;
  }

  at(index: number): Label {
    return this.#labels[index];
  }

  steps(walk: Walk): StreettStep[] {
    return walk.steps.map(({ state, marks }) => ({ state, ...this.at(marks) }));
  }

  graph(isAllowed: (label: Label) => boolean): AcceptanceGraph {
    const arcs = this.#arcs;
    return {
      conditions: 0,
      initial: this.#graph.initial,
      successors: (state, out) => {
        this.#graph.successors(state, arcs);
        out.count = 0;
        for (let i = 0; i < arcs.count; i++) {
          const label = { marks: arcs.marks[i], enabled: arcs.enabled[i], taken: arcs.taken[i] };
          if (isAllowed(label)) out.add(arcs.targets[i], this.#index(label));
        }
      },
    };
  }

  #index(label: Label): number {
    const key = `${label.marks} ${label.enabled} ${label.taken}`;
    let index = this.#indices.get(key);
    if (index === undefined) this.#indices.set(key, (index = this.#labels.push(label) - 1));
    return index;
  }
}

function found(walk: Walk | undefined): Walk {
  if (!walk) throw new Error("an accepting run that was found cannot be constructed");
  return walk;
}
