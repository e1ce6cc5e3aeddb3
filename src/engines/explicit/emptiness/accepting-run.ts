/** Constructs a short accepting run (prefix and cycle) from a search's evidence, by breadth-first searches among the visited states. */
import { Arcs, allMarks, type AcceptanceGraph } from "../../../model/index.js";
import type { Evidence } from "./emptiness-search.js";
import { requireRun, type Lasso, type RunStep } from "./lasso.js";
import { StateSet, Walker, type Walk } from "./walker.js";

export interface ConstructedRun {
  readonly lasso: Lasso;
  /** States visited while the cycle was constructed, counted each time. */
  readonly cycleStatesVisited: number;
  /** Number of states searched for it. */
  readonly searchSpace: number;
}

/** The run is checked by following it before it is returned. */
export function constructRun(graph: AcceptanceGraph, evidence: Evidence): ConstructedRun {
  const walker = new Walker(graph);
  let visited = 0;
  const count = (): void => void visited++;
  const cycle =
    evidence.kind === "component"
      ? cycleInComponent(graph, walker, evidence.start, evidence.isMember, count)
      : cycleThrough(graph, walker, evidence.start, evidence.isVisited, count);
  const lasso = withPrefix(graph, walker, cycle, evidence.isVisited);
  return { lasso: requireRun(graph, lasso), cycleStatesVisited: visited, searchSpace: evidence.size };
}

/** A way from the initial state to `goal` through visited states: the states on it, both ends included. */
export function pathTo(
  graph: AcceptanceGraph,
  goal: number,
  isVisited: (state: number) => boolean,
): readonly number[] {
  if (goal === graph.initial) return [goal];
  const isInside = (state: number): boolean => state === goal || isVisited(state);
  const walk = new Walker(graph).shortest({
    from: graph.initial,
    isInside,
    isGoal: (target) => target === goal,
  });
  if (!walk) throw new Error("a visited state is not reachable through visited states");
  return [...walk.steps.map(({ state }) => state), goal];
}

/** Inside a component whose arcs carry all marks: from one missing mark to the nearest next, then back to the start. */
function cycleInComponent(
  graph: AcceptanceGraph,
  walker: Walker,
  start: number,
  isInside: (state: number) => boolean,
  onVisit: () => void,
): RunStep[] {
  const cycle: RunStep[] = [];
  let missing = allMarks(graph.conditions);
  let at = start;
  do {
    const wanted = missing;
    const isGoal = (target: number, marks: number): boolean =>
      wanted === 0 ? target === start : (wanted & marks) !== 0;
    const walk = found(walker.shortest({ from: at, isInside, isGoal, onVisit }));
    for (const step of walk.steps) cycle.push(step);
    for (const { marks } of walk.steps) missing &= ~marks;
    at = walk.end;
  } while (missing !== 0 || at !== start);
  return cycle;
}

/**
 * For an accepting cycle through `start` of which no more is known: first finds arcs reachable from `start` that carry all
 * marks and lead back to it, then connects them.
 */
function cycleThrough(
  graph: AcceptanceGraph,
  walker: Walker,
  start: number,
  isVisited: (state: number) => boolean,
  onVisit: () => void,
): RunStep[] {
  const wanted = arcsOnCycles(graph, walker, start, isVisited, onVisit);
  const cycle: RunStep[] = [];
  let at = start;
  while (wanted.length > 0 || at !== start || cycle.length === 0) {
    const isGoal = (target: number, marks: number, source: number): boolean =>
      wanted.length === 0
        ? target === start
        : wanted.some((arc) => arc.source === source && arc.target === target && arc.marks === marks);
    const walk = found(walker.shortest({ from: at, isInside: isVisited, isGoal, onVisit }));
    for (const step of walk.steps) cycle.push(step);
    at = walk.end;
    const last = walk.steps[walk.steps.length - 1];
    const taken = wanted.findIndex(
      (arc) => arc.source === last.state && arc.target === walk.end && arc.marks === last.marks,
    );
    if (taken >= 0) wanted.splice(taken, 1);
  }
  return cycle;
}

interface WantedArc {
  readonly source: number;
  readonly target: number;
  readonly marks: number;
}

/** Arcs that can be reached from `start`, lead back to it, and together carry all marks. */
function arcsOnCycles(
  graph: AcceptanceGraph,
  walker: Walker,
  start: number,
  isVisited: (state: number) => boolean,
  onVisit: () => void,
): WantedArc[] {
  const wanted: WantedArc[] = [];
  const cannotReturn = new StateSet();
  let missing = allMarks(graph.conditions);
  if (missing === 0) return wanted;
  const isInside = (state: number): boolean => isVisited(state) && !cannotReturn.has(state);
  const returns = (from: number): boolean => {
    if (from === start) return true;
    const tried: number[] = [];
    const isGoal = (target: number): boolean => target === start;
    const onTry = (state: number): void => {
      tried.push(state);
      onVisit();
    };
    const walk = walker.shortest({ from, isInside, isGoal, onVisit: onTry });
    if (!walk) for (const state of tried) cannotReturn.add(state);
    return walk !== undefined;
  };
  const arcs = new Arcs();
  const queue = [start];
  const seen = new StateSet();
  seen.add(start);
  for (let head = 0; head < queue.length && missing !== 0; head++) {
    const source = queue[head];
    onVisit();
    graph.successors(source, arcs);
    for (const arc of listArcs(arcs, source)) {
      if (!isInside(arc.target)) continue;
      if ((arc.marks & missing) !== 0 && returns(arc.target)) {
        wanted.push(arc);
        missing &= ~arc.marks;
      }
      if (seen.has(arc.target)) continue;
      seen.add(arc.target);
      queue.push(arc.target);
    }
  }
  if (missing !== 0) throw new Error("the state that was found is on no accepting cycle");
  return wanted;
}

/** The graph's list is used again by the next search. */
const listArcs = (arcs: Arcs, source: number): WantedArc[] =>
  Array.from({ length: arcs.count }, (_, i) => ({ source, target: arcs.targets[i], marks: arcs.marks[i] }));

/** Puts the shortest way from the initial state before the cycle, which is turned to begin where it is met. */
function withPrefix(
  graph: AcceptanceGraph,
  walker: Walker,
  cycle: readonly RunStep[],
  isVisited: (state: number) => boolean,
): Lasso {
  const onCycle = new Set(cycle.map(({ state }) => state));
  const isOn = (state: number): boolean => onCycle.has(state);
  if (isOn(graph.initial)) return { prefix: [], cycle: turned(cycle, graph.initial) };
  const walk = found(walker.shortest({ from: graph.initial, isInside: isVisited, isGoal: isOn }));
  return { prefix: walk.steps, cycle: turned(cycle, walk.end) };
}

function turned(cycle: readonly RunStep[], first: number): RunStep[] {
  const at = cycle.findIndex(({ state }) => state === first);
  return [...cycle.slice(at), ...cycle.slice(0, at)];
}

function found(walk: Walk | undefined): Walk {
  if (!walk) throw new Error("an accepting run that was found cannot be constructed");
  return walk;
}
