/** Shared by orders that keep their queue in the store: entering the successors of states, and the path to a state. */
import type { Successors } from "../../model/index.js";
import type { Loops } from "./breadth-first-loops.js";
import { widenTo } from "./intermediates.js";
import type { Path } from "./monitor.js";
import type { Run } from "./order.js";

/** Owner of loops for states of one width, remade when the width grows. */
export interface Enterer {
  loops(): Loops;
  renew(): void;
  /**
   * With reduction, the entries before `entered` are in: expands states again whose candidates are rejected. True if there were any,
   * false, with `run.stop` set, without room for their successors.
   */
  review?(entered: number): boolean | undefined;
}

/** Enters the successors of `sources` states from `head` on; false, with `run.stop` set, without room. */
export function enterOffered(
  run: Run,
  enterer: Enterer,
  ends: Int32Array,
  sources: number,
  head: number,
): boolean {
  const { width } = run.store;
  const list = run.settle(ends, sources, head, enterer.loops());
  const isNoted = list === run.offered && list.stride === width;
  // sound: test/engines/stores/flat-states.test.ts
  if (run.model.system.width === width) return enterList(run, enterer, list, 0, head, width, isNoted);
  return run.widen() !== undefined && enterList(run, enterer, list, 0, head, width, false);
}

/** Enters a list from entry `first` on, by loops for states of `width` words; false, with `run.stop` set, without room. */
export function enterList(
  run: Run,
  enterer: Enterer,
  list: Successors,
  first: number,
  head: number,
  width: number,
  isNoted: boolean,
): boolean {
  const { store } = run;
  run.transitions += list.count - first;
  for (let entered = first; ;) {
    // sound: test/engines/stores/flat-states.test.ts test/engines/explicit/leaving.test.ts
    if (run.isLeaving || store.width !== width) {
      // sound: test/engines/explicit/leaving.test.ts
      if (run.isLeaving) run.leave();
      ({ width } = store);
      widenTo(list, width);
      enterer.renew();
      isNoted = false;
    }
    // Again after the store grew: states may be found elsewhere.
    entered = enterer.loops().resolve(list.words, entered, list.count, head, isNoted);
    const hasRoom = enterer.review?.(entered);
    // States that were expanded again may have made others wider.
    // sound: test/engines/explicit/provisos.test.ts
    if (hasRoom) continue;
    // sound: test/engines/stores/flat-states.test.ts
    if (entered === list.count && hasRoom === undefined) return true;
    // sound: test/engines/explicit/endings.test.ts
    if (entered >= 0 && hasRoom === undefined && run.grow()) continue;
    // sound: test/engines/explicit/endings.test.ts
    if (entered < 0) run.stop = "memory";
    run.transitions -= list.count - Math.max(first, entered);
    return false;
  }
}

/** By the states that others were found from. */
export function pathInStore({ store }: Run, id: number): Path {
  const path: number[] = [];
  for (let at = id; at > 0; at = store.parent(at)) path.push(at);
  path.reverse();
  return { length: path.length, state: (index) => store.numbered(path[index]!, store.width) };
}
