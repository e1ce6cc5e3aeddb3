/** Searches of a Murphi model by JavaScript and by WebAssembly: everything they find out must be the same. */
import { isDeepStrictEqual } from "node:util";
import { compileRules, type RuleCompileOptions } from "../../../src/compile/rules/index.js";
import { search, type SearchOptions, type SearchResult } from "../../../src/engines/explicit/index.js";
import { loadMurphi } from "../../../src/languages/murphi/index.js";
import { Sources, hasErrors, type Model } from "../../../src/model/index.js";
import type { RuleProgram } from "../../../src/model/rules.js";
import type { CheckOptions } from "../../../src/session/index.js";
import { planSymmetry } from "../../../src/transforms/symmetry/index.js";
import type { BothCodes } from "./both-codes.js";

export interface AskedRules {
  readonly name: string;
  readonly text: string;
  readonly options?: CheckOptions;
}

/** Both orders, both exact stores, without symmetry and with both forms of it, all errors or the first. */
export async function compareRuleCodes(
  asked: AskedRules,
): Promise<BothCodes & { readonly differences: readonly string[] }> {
  const tally = { compared: 0, asStepCode: 0, differences: [] as string[] };
  const program = load(asked);
  for (const symmetry of program ? symmetriesOf(program) : [])
    for (const chosen of CELLS) {
      const one = await searchBy(program!, { symmetry }, chosen, false);
      const other = await searchBy(program!, { symmetry }, chosen, true);
      if (!isDeepStrictEqual(one.seen, other.seen))
        tally.differences.push(
          `${asked.name} ${symmetry?.form ?? "whole"} ${JSON.stringify(chosen)}: ${JSON.stringify(one.seen)} ${JSON.stringify(other.seen)}`,
        );
      tally.compared++;
      if (other.backend === "webassembly") tally.asStepCode++;
    }
  return tally;
}

function load({ text, options = {} }: AskedRules): RuleProgram | undefined {
  const sources = new Sources();
  sources.add("m.m", text);
  const { dialect, deadlock, defines = [], loopLimit, callDepth } = options;
  const { program, diagnostics } = loadMurphi({
    ...{ file: "m.m", text, sources },
    ...(dialect && { dialect }),
    ...(deadlock && { deadlock }),
    ...(loopLimit === undefined ? {} : { maxRounds: loopLimit }),
    ...(callDepth === undefined ? {} : { maxCallDepth: callDepth }),
    defines: defines.map((define) => {
      const [name = "", value = ""] = define.split("=");
      return { name, value };
    }),
  });
  return hasErrors(diagnostics) || !program ? undefined : { ...program, temporal: [] };
}

function symmetriesOf(program: RuleProgram): RuleCompileOptions["symmetry"][] {
  const { scalarsets } = planSymmetry(program);
  if (scalarsets.length === 0) return [undefined];
  return [undefined, { scalarsets, form: "canonical" }, { scalarsets, form: "normal" }];
}

const CELLS = [
  { order: "bfs", store: "flat", maxErrors: Infinity },
  { order: "bfs", store: "tree", maxErrors: 1 },
  { order: "dfs", store: "flat", maxErrors: 1 },
  { order: "dfs", store: "tree", maxErrors: Infinity },
] as const;

async function searchBy(
  program: RuleProgram,
  options: RuleCompileOptions,
  chosen: Pick<SearchOptions, "order" | "store" | "maxErrors">,
  usesStep: boolean,
) {
  const model: Model = compileRules(program, options);
  const result = await search(model, {
    ...{ budget: { maxStates: MOST_STATES }, control: {}, checksDeadlock: true, usesStep },
    checksSite: model.sites.map(() => true),
    invariants: model.invariants.map((_, i) => i),
    ...chosen,
  });
  return { seen: seenBy(result, model), backend: result.stats.backend };
}

const MOST_STATES = 3000;

function seenBy({ stats, stop, violations }: SearchResult, model: Model): unknown {
  const { states, transitions, depth, matched, peakFrontier, stateBytes } = stats;
  return {
    ...{ states, transitions, depth, matched, peakFrontier, stateBytes, stop },
    violations: violations.map(({ cause, path, occurrences }) => ({
      ...{ cause, occurrences },
      path: Array.from({ length: path.length }, (_, i) => [...path.state(i)]),
    })),
    reached: [...model.coverage!.reached],
    times: [...model.coverage!.times!],
    met: model.properties.map((property) => model.isMet?.(property)),
  };
}
