/**
 * The conditions of rewriting a program (`slice`, `dead`, `merge`), on real successors: the program before and after it, side by
 * side from a state for a few steps.
 *
 * Of both always the same statements can be executed, go wrong in the same way, and are seen by the properties in the same way. The
 * states differ in nothing but variables that the rewriting removes or sets to 0. In the program before it those get values that
 * they never had: if one of them still matters, it shows. If several statements became one (`merge`), `between.ts` looks at the states that are gone.
 */
import { edgesOf, targetsOf } from "../../../model/program-walk.js";
import type { Edge, Move, Place, Program, Taken, Words } from "../../../model/index.js";
import type { Rewriting, RewritingStage } from "../rewriting.js";
import { whyBetweenShows } from "./between.js";
import { chosen, isEqual, isSame, seedOf, type Runs } from "./runs.js";
import { nth } from "../../../model/known.js";

/** One rewriting of a program, as it can be tested. */
export interface Stage {
  readonly before: Runs;
  readonly after: Runs;
  readonly program: Program;
  readonly origins: Rewriting["origins"];
  readonly forgets: RewritingStage["forgets"];
  /** As `forgottenIn` has them. */
  readonly forgotten: ReadonlySet<string>;
  /** Statements that may follow at once, if an indivisible step begins there. */
  insideStep(edge: Edge): readonly Edge[];
  /** Faults of unchecked properties, which it omits. */
  isDropped(fault: number): boolean;
  /** The difference between two states: `g3` is global 3, `l1.4` slot 4 of process 1; anything else is not a variable. */
  differences(a: Words, b: Words): readonly string[];
  /** The state with other values of some variables: process (-1: global), template and number of each. */
  altered(
    state: Words,
    isMeant: (process: number, template: number, variable: number) => boolean,
    seed: number,
  ): Words;
}

/** Number of steps to follow both programs. */
const DEPTH = 3;

/** Number of other values to try for omitted variables. */
const ATTEMPTS = 4;

/** The condition violated in the state; undefined: none. */
export function whyNotAlike(stage: Stage, state: Words): string | undefined {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const start = startOf(stage, state, attempt);
    const why = whyPartedFrom(stage, state, start);
    if (why !== undefined || start.mayDiffer.size === 0) return why;
  }
  return undefined;
}

function whyPartedFrom(stage: Stage, state: Words, start: Pair): string | undefined {
  let pair = start;
  if (stage.before.steps.observe(pair.before) !== stage.after.steps.observe(state))
    return "a property observes an omitted value";
  for (let depth = 0; depth < DEPTH; depth++) {
    const { why, next } = new Step(stage, pair).compare();
    if (why !== undefined) return why;
    // States with omissions show more.
    const differing = next.filter(({ mayDiffer }) => mayDiffer.size > pair.mayDiffer.size);
    const found = chosen(differing.length > 0 ? differing : next, state, depth);
    if (!found) return undefined;
    pair = found;
  }
  return undefined;
}

function startOf(stage: Stage, state: Words, attempt: number): Pair {
  const { forgets, forgotten, altered, differences } = stage;
  if (forgets !== "everywhere" || forgotten.size === 0)
    return { before: state, after: state, mayDiffer: new Set() };
  const isForgotten = (_: number, template: number, variable: number): boolean =>
    forgotten.has(template < 0 ? `g${variable}` : `l${template}.${variable}`);
  const before = altered(state, isForgotten, seedOf(state, attempt));
  return { before, after: state, mayDiffer: new Set(differences(before, state)) };
}

/** All variables that only one of the two programs writes somewhere; `l` with the number of a template. */
export const forgottenIn = ({ program, origins }: Pick<Stage, "program" | "origins">): ReadonlySet<string> =>
  new Set(
    program.templates.flatMap((template, t) =>
      [...edgesOf(template)].flatMap((edge) => forgottenBy({ origins }, edge, t)),
    ),
  );

/** `l`: with the number of a template, or of a process. */
const forgottenBy = ({ origins }: Pick<Stage, "origins">, edge: Edge, owner: number): string[] =>
  writtenByOne(edge, origins.get(edge) ?? [edge]).map((place) => keyOf(place, owner));

/** States of the two programs that stand for each other. */
interface Pair {
  readonly before: Words;
  readonly after: Words;
  /** Variables of which the rewritten program does not keep the value. */
  readonly mayDiffer: ReadonlySet<string>;
}

class Step {
  readonly #stage: Stage;
  readonly #pair: Pair;
  readonly #isEqual: boolean;

  constructor(stage: Stage, pair: Pair) {
    this.#stage = stage;
    this.#pair = pair;
    this.#isEqual = stage.before.key(pair.before) === stage.before.key(pair.after);
  }

  compare(): { readonly why: string | undefined; readonly next: readonly Pair[] } {
    const { before, after } = this.#stage;
    const moves = after.moves(this.#pair.after);
    const wanted = moves.map((move) => this.#first(move));
    const found = before.moves(this.#pair.before);
    if (wanted.length !== found.length || !wanted.every((one) => found.some((other) => isSame(one, other))))
      return { why: this.#whyOthers(wanted, found), next: [] };
    const next: Pair[] = [];
    for (const move of moves) {
      const why = this.#take(move, next);
      if (why !== undefined) return { why: `${after.text(this.#pair.after, move)} ${why}`, next: [] };
    }
    return { why: undefined, next };
  }

  #whyOthers(wanted: readonly Move[], found: readonly Move[]): string {
    const { before } = this.#stage;
    const text = (moves: readonly Move[], others: readonly Move[]): string[] =>
      moves
        .filter((move) => !others.some((other) => isSame(move, other)))
        .map((move) => before.text(this.#pair.before, move));
    const [more, less] = [text(wanted, found), text(found, wanted)];
    const which = [
      ...(more.length > 0 ? [`${more.join(", ")} only after the reduction`] : []),
      ...(less.length > 0 ? [`${less.join(", ")} only before it`] : []),
    ];
    return `not the same statements can be executed: ${which.join("; ")}`;
  }

  /** Executes the statement, and those it stands for; adds where they lead. */
  #take(move: Taken, next: Pair[]): string | undefined {
    const { before, after, isDropped, origins, differences, altered } = this.#stage;
    const isRewritten = [move.edge, move.partner?.edge].some((edge) => edge && origins.has(edge));
    const entries = after.at(this.#pair.after).filter((entry) => isSame(entry, move));
    const to = entries.find(({ state }) => state)?.state;
    if (this.#isEqual && !isRewritten) {
      if (to) next.push({ before: to, after: to, mayDiffer: this.#pair.mayDiffer });
      return undefined;
    }
    const parts = this.#parts(move);
    const run = before.follow(this.#pair.before, parts);
    if (run === undefined) return "stands for statements that cannot be executed one after the other";
    const asked = (faults: Iterable<number>): ReadonlySet<number> =>
      new Set([...faults].filter((fault) => fault >= 0 && !isDropped(fault)));
    const isAlike = isEqual(asked(entries.map(({ fault }) => fault)), asked(run.faults));
    if (!isAlike || (run.end === undefined) !== (to === undefined))
      return "does not go wrong as before the reduction";
    const why = whyBetweenShows(before, this.#pair.before, run.between, run.end);
    if (why !== undefined || to === undefined || run.end === undefined) return why;
    const leftOut = new Set(this.#leftOut(move));
    const mayDiffer = new Set([...this.#pair.mayDiffer, ...leftOut]);
    const [shown] = differences(run.end, to).filter((place) => !mayDiffer.has(place));
    if (shown !== undefined) return `leads to another state: ${this.#nameOf(shown)} differs`;
    const isMeant = (process: number, _: number, variable: number): boolean =>
      leftOut.has(process < 0 ? `g${variable}` : `l${process}.${variable}`);
    const end = leftOut.size > 0 ? altered(run.end, isMeant, seedOf(run.end)) : run.end;
    if (before.steps.observe(end) !== after.steps.observe(to))
      return "omits a value that a property observes";
    next.push({ before: end, after: to, mayDiffer });
    return undefined;
  }

  #first({ process, edge, partner }: Move): Move {
    return {
      process,
      edge: edge && this.#originsOf(edge)[0],
      partner: partner && { process: partner.process, edge: nth(this.#originsOf(partner.edge), 0) },
    };
  }

  /** The statements it stands for, in order: its own, then the rendezvous partner's. */
  #parts(move: Move): Move[] {
    const { process, edge, partner } = move;
    const rest = (of: number, all: readonly Edge[]): Move[] =>
      all.slice(1).map((one) => ({ process: of, edge: one, partner: undefined }));
    return [
      this.#first(move),
      ...(edge ? rest(process, this.#originsOf(edge)) : []),
      ...(partner ? rest(partner.process, this.#originsOf(partner.edge)) : []),
    ];
  }

  /** The variables that only one of the two programs writes here. */
  #leftOut({ process, edge, partner }: Move): string[] {
    const of = (who: number, one: Edge): string[] =>
      [one, ...this.#stage.insideStep(one)].flatMap((each) => forgottenBy(this.#stage, each, who));
    return [...(edge ? of(process, edge) : []), ...(partner ? of(partner.process, partner.edge) : [])];
  }

  #originsOf(edge: Edge): readonly Edge[] {
    return this.#stage.origins.get(edge) ?? [edge];
  }

  #nameOf(place: string): string {
    const { globals } = this.#stage.program;
    if (place.startsWith("g")) return `'${nth(globals, Number(place.slice(1))).name}'`;
    return place.startsWith("l") ? `a variable of process ${place.slice(1).split(".")[0]}` : place;
  }
}

/** Places written by the edge, and by the edges it stands for. */
function writtenByOne(edge: Edge, parts: readonly Edge[]): Place[] {
  const own = [...targetsOf(edge)];
  const others = parts.flatMap((part) => [...targetsOf(part)]);
  const without = (all: readonly Place[], some: readonly Place[]): Place[] => {
    const left = [...some];
    return all.filter((place) => {
      const at = left.indexOf(place);
      if (at >= 0) left.splice(at, 1);
      return at < 0;
    });
  };
  return [...without(own, others), ...without(others, own)];
}

const keyOf = ({ scope, variable }: Place, process: number): string =>
  scope === "global" ? `g${variable}` : `l${process}.${variable}`;
