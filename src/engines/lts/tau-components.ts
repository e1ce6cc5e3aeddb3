/**
 * Collapses the strongly connected components of τ. Their states are branching bisimilar, and without them τ has no cycles:
 * signatures can be computed from the sinks upwards.
 *
 * Always true: in the collapsed system every τ leads to a smaller number.
 */
import { TAU, bySource, type Lts } from "../../model/index.js";

export interface Collapsed {
  readonly states: number;
  readonly firsts: Int32Array;
  readonly actions: Int32Array;
  readonly targets: Int32Array;
  /** By state of the original system: its component. */
  readonly componentOf: Int32Array;
  /** By component: it has a τ-cycle. */
  readonly isDivergent: Uint8Array;
}

export function collapseTau(lts: Lts): Collapsed {
  const { componentOf, count } = tauComponents(lts);
  const isDivergent = new Uint8Array(count);
  const { states, firsts, actions, targets } = lts;
  let kept = 0;
  for (let s = 0; s < states; s++)
    for (let t = firsts[s]; t < firsts[s + 1]; t++)
      if (actions[t] !== TAU || componentOf[s] !== componentOf[targets[t]]) kept++;
      else isDivergent[componentOf[s]] = 1;
  const sources = new Int32Array(kept);
  for (let s = 0, at = 0; s < states; s++)
    for (let t = firsts[s]; t < firsts[s + 1]; t++)
      if (actions[t] !== TAU || componentOf[s] !== componentOf[targets[t]]) sources[at++] = componentOf[s];
  const { firsts: newFirsts, order } = bySource(sources, count);
  const newActions = new Int32Array(kept);
  const newTargets = sources; // its contents are in `order`
  for (let s = 0, at = 0; s < states; s++)
    for (let t = firsts[s]; t < firsts[s + 1]; t++) {
      if (actions[t] === TAU && componentOf[s] === componentOf[targets[t]]) continue;
      const to = order[at++];
      newActions[to] = actions[t];
      newTargets[to] = componentOf[targets[t]];
    }
  return {
    states: count,
    firsts: newFirsts,
    actions: newActions,
    targets: newTargets,
    componentOf,
    isDivergent,
  };
}

/**
 * Pearce's variant of Tarjan's algorithm, with explicit stacks: `order` holds the order of discovery of active states, lowered to
 * the smallest that they reach, and of finished states a number above all of these. A component ends after those that it reaches.
 */
function tauComponents({ states, firsts, actions, targets }: Lts): {
  readonly componentOf: Int32Array;
  readonly count: number;
} {
  const order = new Int32Array(states);
  const path = new Int32Array(states);
  const next = new Int32Array(states);
  const isRoot = new Uint8Array(states);
  const waiting = new Int32Array(states);
  let waitingCount = 0;
  let discovered = 1;
  let finished = states + 1;
  for (let start = 0; start < states; start++) {
    if (order[start] !== 0) continue;
    let depth = 0;
    path[0] = start;
    next[0] = firsts[start];
    isRoot[0] = 1;
    order[start] = discovered++;
    while (depth >= 0) {
      const s = path[depth];
      const end = firsts[s + 1];
      let t = next[depth];
      for (; t < end; t++) {
        if (actions[t] !== TAU) continue;
        const to = targets[t];
        if (order[to] === 0) break;
        if (order[to] < order[s]) {
          order[s] = order[to];
          isRoot[depth] = 0;
        }
      }
      if (t < end) {
        next[depth] = t; // looked at again when the target is done
        const child = targets[t];
        path[++depth] = child;
        next[depth] = firsts[child];
        isRoot[depth] = 1;
        order[child] = discovered++;
        continue;
      }
      if (isRoot[depth--] === 0) {
        waiting[waitingCount++] = s;
        continue;
      }
      discovered--;
      while (waitingCount > 0 && order[s] <= order[waiting[waitingCount - 1]]) {
        order[waiting[--waitingCount]] = finished;
        discovered--;
      }
      order[s] = finished++;
    }
  }
  for (let s = 0; s < states; s++) order[s] -= states + 1;
  return { componentOf: order, count: finished - states - 1 };
}
