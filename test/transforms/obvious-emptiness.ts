/** Is there an accepting run? The obvious way: build the whole graph, then look at its components one by one. */
import { Entry, Successors, allMarks, faultSite, type System, type Words } from "../../src/model/index.js";

export interface ObviousAnswer {
  readonly isEmpty: boolean;
  readonly states: number;
  readonly faults: ReadonlySet<number>;
}

export function obviousEmptiness(system: System, conditions: number, mostStates = 50_000): ObviousAnswer {
  const faults = new Set<number>();
  const ids = new Map<string, number>();
  const words: Words[] = [];
  const arcs: { to: number; marks: number }[][] = [];
  const idOf = (state: Words): number => {
    const key = keyOf(state, system.compareFrom);
    const known = ids.get(key);
    if (known !== undefined) return known;
    if (words.length >= mostStates) throw new Error("too many states for the obvious way");
    ids.set(key, words.length);
    return words.push(state) - 1;
  };
  const first = new Successors(system.width);
  system.initial(first);
  idOf(first.words.slice(0, first.stride));
  for (let id = 0; id < words.length; id++) {
    arcs.push([]);
    for (const { state, marks } of nominalSuccessors(system, words[id]!, faults))
      arcs[id]!.push({ to: idOf(state), marks });
  }
  const isEmpty = !components(arcs).some((component) => isAccepting(arcs, component, conditions));
  return { isEmpty, states: words.length, faults };
}

/** Where one can get in one step, atomic sequences run through, with the labels on the way; the faults on the way are added. */
export function nominalSuccessors(system: System, source: Words, faults = new Set<number>()) {
  const found: { state: Words; marks: number }[] = [];
  const pending = [{ state: source, marks: 0 }];
  const seen = new Set<string>();
  for (let next = pending.pop(); next; next = pending.pop()) {
    const out = new Successors(system.width, 1);
    const padded = new Int32Array(system.width);
    padded.set(next.state);
    system.successors(padded, 0, out);
    for (let i = 0; i < out.count; i++) {
      const flags = out.flags[i]!;
      if (faultSite(flags) >= 0) faults.add(faultSite(flags));
      if ((flags & Entry.dead) !== 0) continue;
      const state = out.words.slice(i * out.stride, (i + 1) * out.stride);
      const marks = next.marks | out.labels[i]!;
      if ((flags & Entry.intermediate) === 0) found.push({ state, marks });
      else {
        const key = `${keyOf(state, system.compareFrom)}/${marks}`;
        if (!seen.has(key)) pending.push({ state, marks });
        seen.add(key);
      }
    }
  }
  return found;
}

/** The same for equal states, however wide. */
export const keyOf = (state: Words, from: number): string =>
  state
    .slice(from)
    .join()
    .replace(/(,0)+$/, "");

function isAccepting(
  arcs: { to: number; marks: number }[][],
  component: number[],
  conditions: number,
): boolean {
  const members = new Set(component);
  const inner = component.flatMap((state) => arcs[state]!.filter(({ to }) => members.has(to)));
  return inner.length > 0 && inner.reduce((all, { marks }) => all | marks, 0) === allMarks(conditions);
}

/** Tarjan's algorithm without recursion. */
function components(arcs: { to: number }[][]): number[][] {
  const index = new Int32Array(arcs.length).fill(-1);
  const low = new Int32Array(arcs.length);
  const isOpen = new Uint8Array(arcs.length);
  const open: number[] = [];
  const found: number[][] = [];
  let next = 0;
  for (let root = 0; root < arcs.length; root++) {
    if (index[root] !== -1) continue;
    const stack = [{ state: root, arc: 0 }];
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const { state } = top;
      if (top.arc === 0) {
        index[state] = low[state] = next++;
        open.push(state);
        isOpen[state] = 1;
      }
      const arc = arcs[state]![top.arc++];
      if (arc) {
        if (index[arc.to] === -1) stack.push({ state: arc.to, arc: 0 });
        else if (isOpen[arc.to]) low[state] = Math.min(low[state]!, index[arc.to]!);
        continue;
      }
      stack.pop();
      const parent = stack.at(-1);
      if (parent) low[parent.state] = Math.min(low[parent.state]!, low[state]!);
      if (low[state] !== index[state]) continue;
      const component: number[] = [];
      for (let member = -1; member !== state; component.push(member)) {
        member = open.pop()!;
        isOpen[member] = 0;
      }
      found.push(component);
    }
  }
  return found;
}
