/**
 * A depth-first emptiness check whose loop is text (`path-code.ts`), run as JavaScript or, over a system with step code, as
 * WebAssembly. `cou99` and `dfs` are such checks.
 */
import { Arcs, type AcceptanceGraph } from "../../../model/index.js";
import { instantiate } from "../store-code.js";
import { EmptinessSearch, rankedComponent, type Evidence, type SearchLimits } from "./emptiness-search.js";
import { InternedGraph } from "./interned-graph.js";
import { EMPTY } from "./memory.js";
import {
  COMPONENT_WORDS,
  Event,
  FRAME_WORDS,
  Phase,
  emitPathLoop,
  type Algorithm,
  type Expansion,
  type PathLoop,
} from "./path-code.js";

export class PathCheck extends EmptinessSearch {
  readonly #algorithm: Algorithm;
  readonly #path: PathState;
  readonly #expansion: () => Expansion;
  #loop: PathLoop;

  constructor(graph: AcceptanceGraph, limits: SearchLimits, algorithm: Algorithm) {
    super(graph, limits);
    this.#algorithm = algorithm;
    this.#path = newPath(limits.maxDepth);
    this.#expansion =
      graph instanceof InternedGraph && graph.canBeInlined
        ? () => graph.expansion()
        : () => hostExpansion(graph);
    this.#reserve();
    this.#path.height = 1;
    this.#path.frames[0] = graph.initial;
    if (algorithm === "components") this.#enterFirst();
    else this.#path.ranks[graph.initial] = 1;
    this.#loop = this.#instantiate();
  }

  get depth(): number {
    return this.#path.highest - 1;
  }

  hasVisited(state: number): boolean {
    return (this.#path.ranks[state] ?? 0) !== 0;
  }

  evidence(): Evidence {
    const { ranks, components, componentCount, closing } = this.#path;
    if (this.#algorithm === "plain")
      return {
        kind: "cycle",
        start: closing,
        isVisited: (state) => this.hasVisited(state),
        size: this.states,
      };
    const root = components[COMPONENT_WORDS * (componentCount - 1)]!;
    const size = ranks.reduce((size, rank) => size + (rank >= root ? 1 : 0), 0);
    return rankedComponent(closing, ranks, root, size);
  }

  advance(quota: number): boolean {
    for (let left = quota; left > 0;) {
      const event = this.#loop.advance(left);
      left -= Math.max(1, this.#path.counted);
      this.#count();
      switch (event) {
        case Event.quota:
          return true;
        case Event.done:
          return this.finish("empty");
        case Event.accepting:
          return this.finish("accepting");
        case Event.room:
          this.#reserve();
          break;
        default:
          this.#follow(event);
      }
      if (this.#graph?.leavesStep) this.#loop = this.#instantiate();
    }
    return true;
  }

  get #graph(): InternedGraph | undefined {
    return this.graph instanceof InternedGraph ? this.graph : undefined;
  }

  /** The store grows, or follows the system to wider states. */
  #follow(event: Event): void {
    if (event === Event.full) this.#graph?.grow();
    else {
      this.#graph?.followWidth();
      this.#loop = this.#instantiate();
    }
  }

  #count(): void {
    const path = this.#path;
    this.states = path.states;
    this.transitions += path.counted;
    this.stack = path.stack;
    this.isCut = path.isCut;
  }

  #enterFirst(): void {
    const { ranks, live, components } = this.#path;
    ranks[this.graph.initial] = this.#path.lastRank = 1;
    live[1] = this.graph.initial;
    components[0] = 1;
    this.#path.componentCount = 1;
  }

  /** Room for one level, one component, one live state and `needed` arcs more, and for the ranks of states up to `bound`. */
  #reserve(): void {
    const path = this.#path;
    const { height, arcEnd, lastRank } = path;
    path.frames = this.#grown(path.frames, FRAME_WORDS * (height + 1));
    path.frameRoom = Math.floor(path.frames.length / FRAME_WORDS);
    path.arcs = this.#grown(path.arcs, 2 * (arcEnd + path.needed));
    path.arcRoom = path.arcs.length >> 1;
    path.ranks = this.#grown(path.ranks, Math.max(path.bound, this.graph.initial + 1));
    path.rankRoom = path.ranks.length;
    if (this.#algorithm === "plain") return;
    path.live = this.#grown(path.live, lastRank + 2);
    // There are no more components than live states.
    path.components = this.#grown(path.components, COMPONENT_WORDS * path.live.length);
    path.liveRoom = path.live.length;
  }

  #grown(array: Int32Array, length: number): Int32Array {
    return length <= array.length ? array : this.memory.grown(array, length);
  }

  #instantiate(): PathLoop {
    if (this.#graph?.leavesStep) this.#graph.leaveStep();
    const expansion = this.#expansion();
    const text = emitPathLoop(this.#algorithm, expansion, this.full);
    const bindings = { path: this.#path, ...expansion.bindings };
    return (
      this.#graph?.asStepCode<PathLoop>(text, ["advance"], bindings) ??
      instantiate("emptiness check", bindings, `${text}\nreturn { advance };`)
    );
  }
}

/** State of the loop between calls. */
export interface PathState {
  height: number;
  highest: number;
  arcEnd: number;
  phase: number;
  states: number;
  stack: number;
  lastRank: number;
  componentCount: number;
  /** Transitions of the last call. */
  counted: number;
  closing: number;
  maxDepth: number;
  isCut: boolean;
  /** Arcs to make room for. */
  needed: number;
  /** No state that was named so far has this number or a greater one. */
  bound: number;
  frames: Int32Array;
  arcs: Int32Array;
  ranks: Int32Array;
  live: Int32Array;
  components: Int32Array;
  frameRoom: number;
  arcRoom: number;
  rankRoom: number;
  liveRoom: number;
}

const newPath = (maxDepth: number): PathState => ({
  height: 0,
  highest: 0,
  arcEnd: 0,
  phase: Phase.expand,
  states: 0,
  stack: 0,
  lastRank: 0,
  componentCount: 0,
  counted: 0,
  closing: 0,
  maxDepth,
  isCut: false,
  needed: FIRST_ARCS,
  bound: 0,
  frames: EMPTY,
  arcs: EMPTY,
  ranks: EMPTY,
  live: EMPTY,
  components: EMPTY,
  frameRoom: 0,
  arcRoom: 0,
  rankRoom: 0,
  // Without a list of live states there is always room for them.
  liveRoom: 0x7fffffff,
});

const FIRST_ARCS = 64;

/** Asks the graph itself. */
const hostExpansion = (graph: AcceptanceGraph): Expansion => ({
  head: "",
  locals: "",
  expand: `
graph.successors(top, fetched);
const length = fetched.count;
for (let i = 0; i < length; i++) if (fetched.targets[i] >= path.bound) path.bound = fetched.targets[i] + 1;
if (arcEnd + length > arcRoom || path.bound > rankRoom) {
  path.needed = length;
  event = ${Event.room};
  break search;
}
for (let i = 0; i < length; i++, arcEnd++) {
  arcs[2 * arcEnd] = fetched.targets[i];
  arcs[2 * arcEnd + 1] = fetched.marks[i];
}`,
  keep: "",
  bindings: { graph, fetched: new Arcs() },
});
