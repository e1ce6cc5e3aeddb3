/**
 * From a `RuleProgram` to a fast `System`: JavaScript specialised to the program.
 *
 * Read `../layout.ts` (positions of values), `cells.ts` (reading and writing one), `places.ts`, `expressions.ts`,
 * `statements.ts`, `procedures.ts`, `rules.ts`, then `module.ts` (the whole); `canonical.ts` for representatives under
 * symmetry.
 *
 * Always true: the entries equal the interpreter's (`../interpreter`), in the same order.
 */
import { type ObservedSystem, type Successors, type Words } from "../../../model/index.js";
import { patience } from "../../../model/patience.js";
import type { RuleProgram } from "../../../model/rules.js";
import type { Symmetry } from "../../../model/symmetry.js";
import type { RuleLayout } from "../layout.js";
import { emitCanonicaliser } from "./canonical.js";
import { emitModule } from "./module.js";

export interface RuleSystem extends ObservedSystem {
  /** The generated text. */
  readonly code: string;
  /** Invariants, then covers (of which no instance may hold), then instances of liveness conditions, counted through all of them. */
  readonly holds: Question;
  /** Puts the representative in the place of the state; absent if every state is its own representative. */
  canonicalise?(state: Words, at: number): void;
}

export interface RuleSurroundings {
  /** Replaces states by representatives; absent: no symmetry reduction. */
  readonly symmetry?: Symmetry | undefined;
  /** Steps are labelled with the rule instances that take them: bits of `Labels`, or their numbers. */
  readonly writesAgents?: boolean | "numbers";
  /** One byte a rule: set when it fires. */
  readonly reached: Uint8Array;
  /** Number of firings of each rule. */
  readonly fired: Float64Array;
  /** One byte a cover: set when a statement met it. */
  readonly covered: Uint8Array;
}

export function generateRules(
  program: RuleProgram,
  layout: RuleLayout,
  { reached, fired, covered, symmetry, writesAgents = false }: RuleSurroundings,
): RuleSystem {
  const canonicaliser = symmetry && emitCanonicaliser(program, layout, symmetry);
  const { code, isNarrow } = emitModule(program, layout, { canonicaliser, writesAgents });
  const module = new Function("reached", "fired", "covered", "patience", code)(
    reached,
    fired,
    covered,
    patience,
  ) as GeneratedRules;
  const step = {
    text: code,
    bindings: { reached, fired, covered, patience },
    same: {
      successors: module.expand,
      holds: module.holds,
      propose: undefined,
      successorsOf: undefined,
      status: module.status,
    },
  };
  return {
    code,
    ...(isNarrow ? { step } : {}), // sound: test/compile/rules/step.test.ts
    width: layout.words,
    compareFrom: 0,
    hasRoot: true,
    initial: module.initial,
    successors: module.expand,
    status: module.status,
    holds: module.holds,
    valuation: module.valuation,
    ...(writesAgents === true ? { labels: "agents" as const } : {}),
    ...(module.canonicalise ? { canonicalise: module.canonicalise } : {}),
  };
}

type Question = (index: number, state: Words, at: number) => boolean;

interface GeneratedRules {
  status(state: Words, at: number): number;
  initial(out: Successors): void;
  expand(state: Words, at: number, out: Successors): void;
  readonly holds: Question;
  valuation(index: number, state: Words, at: number): number;
  readonly canonicalise?: (state: Words, at: number) => void;
}
