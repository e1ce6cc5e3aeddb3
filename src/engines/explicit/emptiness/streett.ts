/**
 * Strong fairness: an accepting run sees every mark infinitely often, and every agent enabled infinitely often moves
 * infinitely often (a Streett condition for each agent). Acceptance marks alone cannot express that.
 *
 * Each strongly connected component is examined when it is complete. If some agents are enabled in it but never move, an
 * accepting run inside it must avoid the arcs on which they are enabled: these arcs are removed, and the rest is decomposed
 * again (Emerson and Lei 1987). Terminates, since each round removes at least one more agent.
 */
import type { Arcs } from "../../../model/index.js";
import { allMarks, type AcceptanceGraph } from "../../../model/index.js";
import { Ledger } from "../ledger.js";
import { ComponentSearch } from "./component-search.js";
import { SteppedSearch, type Evidence, type SearchLimits } from "./emptiness-search.js";
import { EMPTY, Memory } from "./memory.js";
import { StreettArcs, type FairPart, type StreettGraph } from "./streett-graph.js";
import { constructStreettRun, type StreettRun } from "./streett-run.js";
import { StateSet } from "./walker.js";

export interface StreettResult {
  readonly isEmpty: boolean;
  readonly states: number;
  readonly transitions: number;
  readonly stack: number;
  /** When not empty; it was followed through the graph. */
  readonly run?: StreettRun;
}

/** The check in one go, for graphs that fit: only the first `agents` bits of the masks count. */
export function checkStreett(graph: StreettGraph, agents: number): StreettResult {
  const limits = { memory: new Memory(new Ledger()), maxDepth: Infinity };
  const search = new StreettSearch(graph, agents, limits);
  while (search.advance(SLICE));
  const { states, transitions, stack, outcome } = search;
  const run = outcome === "accepting" ? search.construct() : undefined;
  return { isEmpty: !run, states, transitions, stack, ...(run ? { run } : {}) };
}

export class StreettSearch extends SteppedSearch {
  readonly #graph: StreettGraph;
  readonly #agents: number;
  readonly #components: ComponentSearch;
  readonly #arcs = new StreettArcs();
  /** The current examination. */
  #examination: Iterator<void, FairPart | undefined> | undefined;
  #found: FairPart | undefined;
  /** By state: its number in the part that is examined, + 1; 0 outside. */
  #numbers: Int32Array = EMPTY;
  /** Arcs taken while components are examined. */
  #examined = 0;

  constructor(graph: StreettGraph, agents: number, limits: SearchLimits) {
    const arcs = new StreettArcs();
    const plain: AcceptanceGraph = {
      conditions: graph.conditions,
      initial: graph.initial,
      successors: (state, out) => copyArcs(graph, state, arcs, out),
    };
    super(plain, limits);
    this.#graph = graph;
    this.#agents = allMarks(agents);
    this.#components = new ComponentSearch(plain, limits.memory, limits.maxDepth);
  }

  get depth(): number {
    return this.#components.depth;
  }

  hasVisited(state: number): boolean {
    return this.#components.hasVisited(state);
  }

  evidence(): Evidence {
    const members = new StateSet();
    for (const member of this.#part.members) members.add(member);
    return {
      kind: "component",
      start: this.#part.members[0],
      isMember: (state) => members.has(state),
      isVisited: (state) => this.hasVisited(state),
      size: this.#part.members.length,
    };
  }

  construct(): StreettRun {
    const isVisited = (state: number): boolean => this.hasVisited(state);
    return constructStreettRun(this.#graph, this.#agents, this.#part, isVisited);
  }

  protected start(): void {
    this.#components.enter(this.#graph.initial);
    this.#count();
  }

  protected step(): boolean {
    if (this.#examination) return this.#examine(this.#examination);
    if (this.#components.isIdle) return this.finish("empty");
    const members = this.#components.step();
    if (members) this.#examination = this.#examinations({ members, banned: 0 });
    this.#count();
    return true;
  }

  get #part(): FairPart {
    if (!this.#found) throw new Error("no accepting run was found");
    return this.#found;
  }

  #count(): void {
    this.isCut = this.#components.isCut;
    this.states = this.#components.states;
    this.transitions = this.#components.transitions + this.#examined;
    this.measure(this.#components.stack);
  }

  #examine(examination: Iterator<void, FairPart | undefined>): boolean {
    const { done, value } = examination.next();
    if (!done) return true;
    this.#count();
    this.#examination = undefined;
    if (!value) return true;
    this.#found = value;
    return this.finish("accepting");
  }

  /** Looks for an accepting part of one component and of its remainders; pauses now and then. */
  *#examinations(component: FairPart): Generator<void, FairPart | undefined> {
    const parts = [component];
    for (let part = parts.pop(); part; part = parts.pop()) {
      this.#number(part);
      const judgement = yield* this.#judge(part);
      if (judgement === "accepting") return part;
      if (judgement !== 0)
        for (const smaller of yield* this.#decompose(part, part.banned | judgement)) parts.push(smaller);
      for (const member of part.members) this.#numbers[member] = 0;
    }
    return undefined;
  }

  #number({ members }: FairPart): void {
    for (let i = 0; i < members.length; i++) {
      if (members[i] >= this.#numbers.length)
        this.#numbers = this.memory.grown(this.#numbers, members[i] + 1);
      this.#numbers[members[i]] = i + 1;
    }
  }

  /** Is the part accepting? If not: the agents to ban before it is decomposed, 0 if that is of no use. */
  *#judge(part: FairPart): Generator<void, "accepting" | number> {
    const arcs = this.#arcs;
    let marks = 0;
    let enabled = 0;
    let taken = 0;
    for (const state of part.members) {
      yield;
      this.#graph.successors(state, arcs);
      this.#examined += arcs.count;
      for (let i = 0; i < arcs.count; i++) {
        // sound: test/engines/emptiness/streett.test.ts
        if ((arcs.enabled[i] & part.banned) !== 0 || !this.#isInside(arcs.targets[i])) continue;
        marks |= arcs.marks[i];
        enabled |= arcs.enabled[i];
        taken |= arcs.taken[i];
      }
    }
    // sound: test/engines/emptiness/streett.test.ts
    if (marks !== this.full) return 0;
    // sound: test/engines/emptiness/streett.test.ts
    const starved = enabled & ~taken & this.#agents;
    // sound: test/engines/emptiness/streett.test.ts
    return starved === 0 ? "accepting" : starved;
  }

  #isInside(state: number): boolean {
    return state < this.#numbers.length && this.#numbers[state] !== 0;
  }

  /** The components that remain when arcs where a banned agent is enabled are omitted. */
  *#decompose(part: FairPart, banned: number): Generator<void, FairPart[]> {
    const arcs = this.#arcs;
    const rest: AcceptanceGraph = {
      conditions: 0,
      initial: 0,
      successors: (number, out) => {
        this.#graph.successors(part.members[number], arcs);
        out.count = 0;
        for (let i = 0; i < arcs.count; i++) {
          const target = arcs.targets[i];
          if (this.#isInside(target) && (arcs.enabled[i] & banned) === 0)
            out.add(this.#numbers[target] - 1, 0);
        }
      },
    };
    const search = new ComponentSearch(rest, this.memory);
    const found: FairPart[] = [];
    for (let number = 0; number < part.members.length; number++) {
      if (search.hasVisited(number)) continue;
      search.enter(number);
      while (!search.isIdle) {
        const members = search.step();
        if (members) found.push({ members: members.map((inner) => part.members[inner]), banned });
        yield;
      }
    }
    this.#examined += search.transitions;
    search.free();
    return found;
  }
}

function copyArcs(graph: StreettGraph, state: number, arcs: StreettArcs, out: Arcs): void {
  graph.successors(state, arcs);
  out.count = 0;
  for (let i = 0; i < arcs.count; i++) out.add(arcs.targets[i], arcs.marks[i]);
}

const SLICE = 1 << 16;
