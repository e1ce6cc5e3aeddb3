/** Shared by searches along a single depth-first path: the path and its greatest depth. */
import type { AcceptanceGraph } from "../../../model/index.js";
import { SteppedSearch, type SearchLimits } from "./emptiness-search.js";
import { Path } from "./path.js";

export abstract class PathSearch extends SteppedSearch {
  protected readonly path: Path;

  constructor(graph: AcceptanceGraph, limits: SearchLimits) {
    super(graph, limits);
    this.path = new Path(graph, limits.memory);
  }

  get depth(): number {
    return this.path.highest - 1;
  }
}
