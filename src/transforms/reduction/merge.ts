/**
 * Statement merging: a statement and the local ones that follow it become one transition.
 *
 * A chain continues through statements that are always executable, deterministic, unlabelled and, outside of atomic
 * sequences, access nothing shared. Other processes cannot tell when they are executed, so they are executed at once. An
 * assertion is the last of its chain. A chain ends where others can observe the process's arrival (`readiness.ts`),
 * and before a statement that could fail, if others can see that the chain has begun: a failing step has no successor, and
 * would lose the effects before it.
 *
 * Spin 6.5 merges a little less and a little more: it lets a chain begin only with a local statement, and ignores the indices
 * of local arrays. `mergeAsSpin` follows Spin, for comparison with its figures.
 */
import type { Edge, Location, Program, Template } from "../../model/index.js";
import { isFallible, mayStop } from "./failing.js";
import { Readiness } from "./readiness.js";
import type { Rewriting } from "./rewriting.js";
import type { Sight } from "./sight.js";
import {
  edgesIn,
  expressionsAround,
  expressionsIn,
  expressionsOf,
  targetsOf,
  watchedPlaces,
} from "../../model/program-walk.js";
import { nth, lastOf } from "../../model/known.js";

/** Does the statement, at a location of a template, touch anything that is not the process's own? */
export type IsGlobal = (template: Template, location: Location, edge: Edge) => boolean;

/**
 * `sight`: the view of a temporal property, for a program searched for infinite executions. Then a statement that it sees is
 * not merged with one before it, nor is any that could fail: an execution that ends there would be lost.
 */
export function mergeStatements(program: Program, sight?: Pick<Sight, "isSeen">): Rewriting {
  const constants = constantGlobals(program);
  return merge(program, (_, __, edge) => touchesShared(edge, constants), true, sight);
}

export function mergeAsSpin(program: Program, isGlobal: IsGlobal): Rewriting {
  return merge(program, isGlobal, false);
}

function merge(
  program: Program,
  isGlobal: IsGlobal,
  isOurs: boolean,
  sight?: Pick<Sight, "isSeen">,
): Rewriting {
  const origins = new Map<Edge, readonly Edge[]>();
  const watched = watchedPlaces([...expressionsIn(program), ...expressionsAround(program)]);
  const hasRendezvous = program.channelTypes.some((c) => c.capacity === 0);
  const readiness = new Readiness(program);
  const templates = program.templates.map((template, t) => {
    const isWatched = (l: number): boolean => watched.has(`${t}.${l}`);
    const mayFollow = (from: number, edge: Edge, isInside: boolean): boolean =>
      !sight || (!isFallible(edge) && (isInside || !sight.isSeen(t, from, edge)));
    const isReadinessSeen = (l: number): boolean => readiness.isSeen(t, l);
    const facts: Facts = { isGlobal, isOurs, hasRendezvous, isWatched, isReadinessSeen, mayFollow };
    const merger = new Merger(template, facts);
    const locations = template.locations.map((location, l) => ({
      ...location,
      edges: location.edges.map((edge) => {
        const chain = merger.chain(l, edge);
        if (chain.length === 1) return edge;
        const merged = join(chain);
        origins.set(merged, chain);
        return merged;
      }),
    }));
    return { ...template, locations };
  });
  return { program: { ...program, templates }, origins };
}

/**
 * Output does not matter here: it is printed when a trace is replayed, in the order of the original program. A failure to
 * print does.
 */
function touchesShared(edge: Edge, constants: ReadonlySet<number>): boolean {
  if (writesShared(edge)) return true;
  const effects = edge.effects.filter((e) => e.kind !== "print" || mayStop(e)); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
  return [...expressionsOf({ ...edge, effects })].some((e) => {
    switch (e.kind) {
      case "load":
        return e.place.scope === "global" && !constants.has(e.place.variable);
      case "constant":
      case "self":
      case "unary":
      case "binary":
      case "conditional":
        return false;
      default:
        return true;
    }
  });
}

/** Is there more to the edge than reading, and writing what belongs to the process? */
const writesShared = ({ effects, ...edge }: Edge): boolean =>
  [...targetsOf({ ...edge, effects })].some((p) => p.scope === "global") ||
  effects.some((e) => e.kind !== "assign" && e.kind !== "assert" && e.kind !== "print");

/** Globals that no step writes. */
function constantGlobals(program: Program): Set<number> {
  const constants = new Set(program.globals.keys());
  for (const edge of edgesIn(program))
    for (const p of targetsOf(edge)) if (p.scope === "global") constants.delete(p.variable);
  return constants;
}

interface Facts {
  readonly isGlobal: IsGlobal;
  /** Our rules, not Spin's. */
  readonly isOurs: boolean;
  readonly hasRendezvous: boolean;
  /** Can another process or a property test whether the process is there? */
  readonly isWatched: (location: number) => boolean;
  /** Can others tell whether the process is ready for a rendezvous there? */
  readonly isReadinessSeen: (location: number) => boolean;
  /** As far as temporal properties are concerned. `isInside`: no other process sees the state before it. */
  readonly mayFollow: (from: number, edge: Edge, isInside: boolean) => boolean;
}

class Merger {
  readonly #template: Template;
  readonly #facts: Facts;
  /** Locations inside atomic sequences. */
  readonly #inside: ReadonlySet<number>;

  constructor(template: Template, facts: Facts) {
    this.#template = template;
    this.#facts = facts;
    const edges = template.locations.flatMap((l) => l.edges);
    this.#inside = new Set(edges.filter((e) => e.keepsControl).map((e) => e.to));
  }

  /** The edge and those to be merged with it. */
  chain(at: number, edge: Edge): Edge[] {
    const chain = [edge];
    if (!this.#mayBegin(at, edge)) return chain;
    for (let l = edge.to; ; l = lastOf(chain).to) {
      const next = this.#onlyEdge(l);
      if (!next || chain.includes(next) || !this.#mayFollow(l, next, lastOf(chain))) return chain;
      if (this.#facts.isOurs && isFallible(next) && this.#isSeen(at, chain)) return chain; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
      chain.push(next);
    }
  }

  /** Is there a state between the statements in which others can move, and see that the process has left location `at`? */
  #isSeen(at: number, chain: readonly Edge[]): boolean {
    const lastOpen = chain.findLastIndex((e) => !e.keepsControl);
    if (lastOpen < 0) return false;
    if (this.#facts.isReadinessSeen(at)) return true; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    return chain.slice(0, lastOpen + 1).some((e) => e.communication !== undefined || writesShared(e)); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
  }

  #mayBegin(l: number, edge: Edge): boolean {
    const location = nth(this.#template.locations, l);
    if (location.inside === "step" || this.#entersStep(edge) || this.#facts.isWatched(l)) return false;
    if (edge.communication?.kind === "send" && this.#facts.hasRendezvous) return false; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    if (this.#facts.isOurs) return !edge.effects.some((e) => e.kind === "die");
    if (edge.guard.kind === "else" || edge.effects.some(isUnmergeable)) return false;
    if (edge.escapeGroup === 0 && location.edges.some((e) => e.escapeGroup !== 0)) return false;
    const isGuarding = edge.guard.kind === "condition" || edge.communication;
    if (!isGuarding && location.stands !== "compound" && location.labels.length > 0) return false;
    return this.#isOwn(l, location, edge);
  }

  #mayFollow(l: number, edge: Edge, previous: Edge): boolean {
    const location = nth(this.#template.locations, l);
    if (location.stands === "compound" || location.stands === undefined) return false;
    if (location.inside === "step" || location.labels.length > 0 || this.#facts.isWatched(l)) return false;
    if (edge.guard.kind !== "always" || edge.communication || this.#entersStep(edge)) return false; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    if (edge.escapeGroup !== 0 || edge.effects.some(isUnmergeable)) return false; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    if (!this.#facts.isOurs) {
      // `skip` is a condition that always holds, and conditions end a chain.
      if (location.stands === "statement" && edge.effects.length === 0) return false;
      return this.#isOwn(l, location, edge);
    }
    // After a failed assertion the process continues: one transition has room for one fault.
    if (previous.effects.some((e) => e.kind === "assert")) return false;
    if (!this.#facts.mayFollow(l, edge, previous.keepsControl)) return false;
    if (previous.keepsControl) return true; // no other process moves before it
    if (this.#facts.isReadinessSeen(edge.to)) return false; // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
    return !this.#facts.isGlobal(this.#template, location, edge); // sound: test/transforms/reduction/strength.test.ts test/transforms/reduction/forced.test.ts
  }

  #isOwn(l: number, location: Location, edge: Edge): boolean {
    return edge.keepsControl || this.#inside.has(l) || !this.#facts.isGlobal(this.#template, location, edge);
  }

  #entersStep(edge: Edge): boolean {
    return nth(this.#template.locations, edge.to).inside === "step";
  }

  #onlyEdge(l: number): Edge | undefined {
    const { edges } = nth(this.#template.locations, l);
    return edges.length === 1 ? edges[0] : undefined;
  }
}

/** Creating a process as a separate statement is a condition that there is room for it. */
const isUnmergeable = (e: Edge["effects"][number]): boolean =>
  e.kind === "die" || e.kind === "set-priority" || (e.kind === "run" && !e.target);

function join(chain: readonly Edge[]): Edge {
  const last = lastOf(chain);
  return {
    ...nth(chain, 0),
    effects: chain.flatMap((e) => e.effects),
    to: last.to,
    keepsControl: last.keepsControl,
    text: chain.map((e) => e.text).join("; "),
  };
}
