/** Distances to code that no path has reached, in blocks of a function: the strategy of CREST and KLEE. */
import type { IrFunction, Terminator } from "../../model/module.js";
import type { PathState } from "./state.js";

/** Frames below are reached later: only the innermost few are looked at. */
const FRAMES = 4;

export class Distances {
  readonly #visited = new Map<IrFunction, Uint8Array>();
  readonly #known = new Map<IrFunction, readonly number[]>();

  visit({ frame: { fn, block, at } }: PathState): void {
    if (at > 0 || fn.isLibrary) return;
    const visited = this.#visited.get(fn) ?? new Uint8Array(fn.blocks.length);
    this.#visited.set(fn, visited);
    if (visited[block]) return;
    visited[block] = 1;
    this.#known.delete(fn);
  }

  /** Blocks to the nearest block that was not visited; infinite: there is none. */
  of({ frames }: PathState): number {
    let least = Infinity;
    for (const { fn, block } of frames.slice(-FRAMES))
      if (!fn.isLibrary) least = Math.min(least, this.#within(fn)[block] ?? Infinity);
    return least;
  }

  #within(fn: IrFunction): readonly number[] {
    const known = this.#known.get(fn);
    if (known) return known;
    const visited = this.#visited.get(fn);
    const distances = fn.blocks.map((_, block) => (visited?.[block] ? Infinity : 0));
    for (let isChanged = true; isChanged;) {
      isChanged = false;
      for (let block = fn.blocks.length - 1; block >= 0; block--)
        for (const to of targetsOf(fn.blocks[block]?.end)) {
          const distance = (distances[to] ?? Infinity) + 1;
          if (distance >= (distances[block] ?? 0)) continue;
          distances[block] = distance;
          isChanged = true;
        }
    }
    this.#known.set(fn, distances);
    return distances;
  }
}

function targetsOf(end: Terminator | undefined): readonly number[] {
  switch (end?.kind) {
    case "jump":
      return [end.to];
    case "branch":
      // Code behind a failing check is no code of the user.
      return end.isCheck ? [end.yes] : [end.yes, end.no];
    case "switch":
      return [...end.cases.map(({ to }) => to), end.otherwise];
    default:
      return [];
  }
}
