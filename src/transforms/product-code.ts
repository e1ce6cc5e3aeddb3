/**
 * The successors of a product as step code: for states of any width, and with the tables of the automaton as arrays.
 *
 * The text has the functions of a `StepCode`. In it `system` is the system without the automaton, `inner` the list that its steps
 * are written to, `list` holds a state without the automaton's word, and `taken` the numbers of the edges that can be taken.
 */
import type { Automaton, Fairness } from "../model/index.js";

export interface ProductShape {
  /** The property's index among the temporal ones. */
  readonly property: number;
  readonly compareFrom: number;
  readonly fairness: Fairness;
  /** Marks of the automaton; fairness marks are above them. */
  readonly conditions: number;
  /** Bits of the agents that have marks. */
  readonly agentMask: number;
  readonly initial: number;
  readonly stutters: boolean;
  readonly hasCandidates: boolean;
}

/** In place of the automaton's state, where the system has not begun. */
export const AT_ROOT = 0x7fffffff;

/** Edges are numbered through all states; edge `e` has the cubes from `firstCube[e]` to before `firstCube[e + 1]`. */
export function automatonTables(
  automaton: Automaton,
  sinks: ReadonlySet<number>,
): Record<string, Int32Array> {
  const edges = automaton.states.flat();
  const cubes = edges.flatMap(({ guard }) => guard);
  return {
    firstEdge: offsets(automaton.states.map(({ length }) => length)),
    firstCube: offsets(edges.map(({ guard }) => guard.length)),
    cares: Int32Array.from(cubes, ({ care }) => care),
    values: Int32Array.from(cubes, ({ value }) => value),
    targets: Int32Array.from(edges, ({ to }) => to),
    marks: Int32Array.from(edges, ({ marks }) => marks),
    isSink: Int32Array.from(automaton.states, (_, state) => Number(sinks.has(state))),
    taken: new Int32Array(Math.max(1, ...automaton.states.map(({ length }) => length))),
  };
}

function offsets(lengths: readonly number[]): Int32Array {
  const firsts = new Int32Array(lengths.length + 1);
  lengths.forEach((length, i) => (firsts[i + 1] = firsts[i]! + length));
  return firsts;
}

export const emitProduct = (shape: ProductShape): string => `
/** How many edges are taken. */
let edges = 0;
function expand(state, at, out) {
  const position = state[at + ${shape.compareFrom}];
  const width = system.width;
  ${emitTake(shape)}
  if (position === ${AT_ROOT}) start(from, fromAt, out);
  else if (position < 0) inside(from, fromAt, ~position, out);
  else {
    const live = steps(-1, from, fromAt, position, out);
    // sound: test/transforms/product.test.ts
    ${shape.stutters ? "if (live === 0) stutter(from, fromAt, width, out);" : ""}
  }
  widenTo(out);
}
${shape.hasCandidates ? emitCandidates(shape) : ""}
/** The automaton is not where the property is violated whatever follows. */
function holds(index, state, at) {
  const position = state[at + ${shape.compareFrom}];
  // sound: test/transforms/product.test.ts
  return position < 0 || position === ${AT_ROOT} || isSink[position] === 0;
}
/** Steps of the system by one agent, or by all, together with the automaton; how many steps of the system they are. */
function steps(agent, from, fromAt, position, out) {
  const valuation = system.valuation(${shape.property}, from, fromAt);
  // sound: test/transforms/product.test.ts
  if (valuation < 0) {
    addFault(~valuation, out);
    return ${FAILED};
  }
  findEdges(position, valuation);
  // Without an edge there is no step, whatever the system offers.
  if (edges === 0) return ${FAILED};
  clearInner();
  ${shape.hasCandidates ? "if (agent >= 0) candidates.successorsOf(agent, from, fromAt, inner);\n  else " : ""}system.successors(from, fromAt, inner);
  ${emitEnabled(shape)}
  let live = 0;
  for (let i = 0; i < inner.count; i++) {
    // sound: test/transforms/product.test.ts
    if ((inner.flags[i] & 1) !== 0) continue;
    live++;
    const fair = ${emitFairMarks(shape, "inner.labels[i]", "enabled")};
    for (let e = 0; e < edges; e++) addEdge(i, taken[e], fair, out);
  }
  return live;
}
/** The automaton begins where the system does: in the start states. */
function start(from, fromAt, out) {
  clearInner();
  system.successors(from, fromAt, inner);
  for (let i = 0; i < inner.count; i++) if ((inner.flags[i] & 1) === 0) add(i, ${shape.initial}, 0, out);
}
/** Steps inside an atomic sequence: the automaton waits. */
function inside(from, fromAt, edge, out) {
  clearInner();
  system.successors(from, fromAt, inner);
  for (let i = 0; i < inner.count; i++) {
    if ((inner.flags[i] & 1) !== 0) continue;
    const moved = ${emitFairMarks(shape, "inner.labels[i]", "-1")};
    add(i, (inner.flags[i] & 2) !== 0 ? ~edge : targets[edge], moved, out);
  }
}
${shape.stutters ? emitStutter(shape) : ""}
function findEdges(state, valuation) {
  edges = 0;
  for (let e = firstEdge[state]; e < firstEdge[state + 1]; e++)
    for (let c = firstCube[e]; c < firstCube[e + 1]; c++)
      // sound: test/transforms/product.test.ts
      if ((valuation & cares[c]) === values[c]) {
        taken[edges++] = e;
        break;
      }
}
function addEdge(entry, edge, fair, out) {
  // sound: test/transforms/product.test.ts
  add(entry, (inner.flags[entry] & 2) !== 0 ? ~edge : targets[edge], marks[edge] | fair, out);
}
function add(entry, position, label, out) {
  if (out.stride < inner.stride + 1) out.widen(inner.stride + 1);
  if (out.count === out.capacity) out.grow();
  const source = inner.words, from = entry * inner.stride, words = out.words, to = out.count * out.stride;
  const length = inner.stride, flag = inner.flags[entry] & 3, flags = out.flags, labels = out.labels;
  ${shape.compareFrom > 0 ? `for (let k = 0; k < ${shape.compareFrom}; k++) words[to + k] = source[from + k];` : ""}
  words[to + ${shape.compareFrom}] = position;
  for (let k = ${shape.compareFrom}; k < length; k++) words[to + k + 1] = source[from + k];
  for (let k = length + 1; k < out.stride; k++) words[to + k] = 0;
  labels[out.count] = label;
  flags[out.count++] = flag;
  if (flag !== 0) out.isFlagged = true;
}
function addFault(site, out) {
  widenTo(out);
  if (out.count === out.capacity) out.grow();
  const words = out.words, flags = out.flags, to = out.count * out.stride;
  for (let k = 0; k < out.stride; k++) words[to + k] = 0;
  flags[out.count++] = 1 | (site + 1) << 2;
  out.isFlagged = true;
}
function clearInner() {
  inner.clear();
  if (inner.stride < system.width) inner.widen(system.width);
}
function widenTo(out) {
  if (out.stride < system.width + 1) out.widen(system.width + 1);
}
`;

/** Declares `from` and `fromAt` as the state without the automaton's word. */
const emitTake = ({ compareFrom }: ProductShape): string =>
  compareFrom === 0
    ? "const from = state, fromAt = at + 1;"
    : `if (list.stride < system.width) list.widen(system.width);
  const from = list.words, fromAt = 0;
  for (let k = 0; k < ${compareFrom}; k++) from[k] = state[at + k];
  for (let k = ${compareFrom}; k < system.width; k++) from[k] = state[at + k + 1];`;

/** The system's candidates: the automaton follows any agent. */
const emitCandidates = (shape: ProductShape): string => `
function propose(state, at, agents) {
  const position = state[at + ${shape.compareFrom}];
  if (position < 0 || position === ${AT_ROOT}) return 0;
  ${emitTake(shape)}
  return candidates.propose(from, fromAt, agents);
}
function expandAgent(agent, state, at, out) {
  const position = state[at + ${shape.compareFrom}];
  ${emitTake(shape)}
  steps(agent, from, fromAt, position, out);
  widenTo(out);
}`;

/** A state without successors repeats itself; then no agent can move. */
const emitStutter = (shape: ProductShape): string => `
function stutter(from, fromAt, width, out) {
  clearInner();
  const words = inner.words, flags = inner.flags, fair = ${emitFairMarks(shape, "0", "0")};
  for (let k = 0; k < inner.stride; k++) words[k] = k < width ? from[fromAt + k] : 0;
  flags[0] = 0;
  for (let e = 0; e < edges; e++) addEdge(0, taken[e], fair, out);
}`;

/** Declares `enabled`, the agents that can move, and notes those without marks. */
const emitEnabled = ({ agentMask }: ProductShape): string =>
  agentMask === 0
    ? "const enabled = 0;"
    : `let enabled = 0;
  for (let i = 0; i < inner.count; i++) if ((inner.flags[i] & 1) === 0) enabled |= inner.labels[i];
  // sound: test/transforms/product.test.ts
  if ((enabled & ${~agentMask}) !== 0) met.hasForeignAgent = true;`;

/** The marks of a step by `agents` from a state in which `enabled` can move. */
function emitFairMarks(
  { fairness, agentMask, conditions }: ProductShape,
  agents: string,
  enabled: string,
): string {
  if (fairness === "none" || agentMask === 0) return "0";
  // sound: test/transforms/product.test.ts
  const carried = fairness === "weak" ? `(${agents} | ~${enabled})` : agents;
  return `(${carried} & ${agentMask}) << ${conditions}`;
}

/** The state cannot be evaluated, or the automaton ends: it does not even repeat itself. */
const FAILED = -1;
