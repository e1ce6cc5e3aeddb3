/**
 * Visibility of a statement without shared accesses to a temporal property: the process leaves or enters an observed
 * location, or writes a variable that is read from outside.
 */
import type { Edge, Expr, Program } from "../../model/index.js";
import { remoteReads, targetsOf, watchedPlaces, within } from "../../model/program-walk.js";
import { nth } from "../../model/known.js";

export class Sight {
  readonly #program: Program;
  readonly #locals: ReadonlySet<string>;
  readonly #places: ReadonlySet<string>;
  readonly #seesProgress: boolean;
  readonly #seesAcceptance: boolean;

  constructor(program: Program, observed: readonly Expr[]) {
    const all = observed.flatMap((e) => [...within(e)]);
    this.#program = program;
    this.#locals = remoteReads(all);
    this.#places = watchedPlaces(all);
    this.#seesProgress = all.some((e) => e.kind === "no-progress");
    this.#seesAcceptance = all.some((e) => e.kind === "accepting");
  }

  /** When a process of template `t` takes the edge at location `from`. */
  isSeen(t: number, from: number, edge: Edge): boolean {
    if (this.#isPlaceSeen(t, from) || this.#isPlaceSeen(t, edge.to)) return true;
    return [...targetsOf(edge)].some((p) => p.scope === "local" && this.#locals.has(`${t}.${p.variable}`));
  }

  #isPlaceSeen(t: number, location: number): boolean {
    const { isProgress, isAccept } = nth(nth(this.#program.templates, t).locations, location);
    if ((this.#seesProgress && isProgress) || (this.#seesAcceptance && isAccept)) return true;
    return this.#places.has(`${t}.${location}`);
  }
}
