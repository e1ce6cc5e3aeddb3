/** A program made from another one, and how to come back from it. */
import type { Edge, FaultKind, Program } from "../../model/index.js";
import type { ReductionName } from "./names.js";

export interface Rewriting {
  readonly program: Program;
  /** The original edges, in order, that an edge of the new program stands for. An edge that is not here is one of the original's. */
  readonly origins: ReadonlyMap<Edge, readonly Edge[]>;
}

export const unchanged = (program: Program): Rewriting => ({ program, origins: new Map() });

/** One rewriting after the other. */
export function compose(first: Rewriting, then: (program: Program) => Rewriting): Rewriting {
  const second = then(first.program);
  const back = (edge: Edge): readonly Edge[] => first.origins.get(edge) ?? [edge];
  const origins = new Map(first.origins);
  for (const [edge, parts] of second.origins) origins.set(edge, parts.flatMap(back));
  return { program: second.program, origins };
}

/** One of several rewritings. */
export interface RewritingStage {
  readonly name: ReductionName;
  readonly before: Program;
  /** From the edges behind it to those before it. */
  readonly origins: Rewriting["origins"];
  /** A variable that it removes or resets has no further effect; or only from there on, until it is written again. */
  readonly forgets: "everywhere" | "from there on";
  /** Does the fault belong to an unchecked property, so that it may be omitted? */
  isDropped(site: number): boolean;
}

/** Faults of `assert` effects. Faults of a trace have a separate property, with which nothing is rewritten. */
const isAsserted = (fault: FaultKind | undefined): boolean =>
  fault === "assertion" || fault === "trace" || fault === "notrace";

/** Rewrites a program in several steps, and notes them. */
export class Rewriter {
  readonly stages: RewritingStage[] = [];
  #rewriting: Rewriting;
  readonly #isDropped: (site: number) => boolean;

  constructor(program: Program, checksAssertions: boolean) {
    this.#rewriting = unchanged(program);
    this.#isDropped = (site) => !checksAssertions && isAsserted(program.sites[site]?.fault);
  }

  get rewriting(): Rewriting {
    return this.#rewriting;
  }

  then(
    name: ReductionName,
    forgets: RewritingStage["forgets"],
    rewrite: (program: Program) => Rewriting,
  ): void {
    const before = this.#rewriting.program;
    this.#rewriting = compose(this.#rewriting, (program) => {
      const rewriting = rewrite(program);
      const { origins } = rewriting;
      this.stages.push({ name, before, origins, forgets, isDropped: this.#isDropped });
      return rewriting;
    });
  }
}
