/** Compares a Murphi model with a formula to its Promela version, a naive oracle, and other searches. */
import { compileRules } from "../../../src/compile/rules/index.js";
import { loadMurphi } from "../../../src/languages/murphi/index.js";
import { Sources, parseSchedule, type Fairness } from "../../../src/model/index.js";
import type { Narrative } from "../../../src/report/index.js";
import { checkInput, registry, replayInput, type CheckOptions } from "../../../src/session/index.js";
import { isFair } from "../../generators/fair.js";
import { ruleCase } from "../../generators/murphi-ltl.js";
import { obviously } from "./temporal-oracle.js";

export interface TemporalCompared {
  readonly verdicts: Readonly<Record<Fairness, string>>;
  readonly differences: readonly string[];
}

const FAIRNESS: readonly Fairness[] = ["none", "weak", "strong"];

export async function compareTemporal(seed: number): Promise<TemporalCompared> {
  const { murphi, promela, formula } = ruleCase(seed);
  const differences: string[] = [];
  const verdicts: Record<Fairness, string> = { none: "", weak: "", strong: "" };
  const model = modelOf(murphi, [formula]);
  for (const fairness of FAIRNESS) {
    const ours = await answerOf("m.m", murphi, formula, { ltl: [formula], fairness, isPlain: true });
    verdicts[fairness] = ours.verdict;
    const note = (who: string, theirs: string): void => {
      if (theirs !== ours.verdict) differences.push(`${fairness}: ${ours.verdict}, ${who} ${theirs}`);
    };
    if (promela !== undefined)
      note("Promela", (await answerOf("m.pml", promela, "asked", { fairness, isPlain: true })).verdict);
    const truth = obviously(model, model.temporal.properties[0]!, fairness);
    // A search may find a violation before the fault.
    note("the oracle", truth === "fault" && ours.verdict !== "holds" ? ours.verdict : truth);
    const other = otherWay(seed, fairness);
    const again = await answerOf("m.m", murphi, formula, { ltl: [formula], fairness, ...other });
    if (truth !== "fault" || again.verdict === "holds") note(JSON.stringify(other), again.verdict);
    for (const { trace } of [ours, again]) {
      if (!trace) continue;
      const wrong = await traceProblem(murphi, formula, trace, fairness);
      if (wrong !== undefined) differences.push(`${fairness}: ${wrong}`);
    }
  }
  return { verdicts, differences };
}

/** Draws other search options. */
function otherWay(seed: number, fairness: Fairness): CheckOptions {
  const names = [
    "cou99",
    "cou99-norem",
    "cou99-lazy",
    "cou99-shy-",
    "cou99-shy",
    "gv04",
    "cvwy90",
    "se05",
    "tau03opt",
  ];
  if (seed % 5 === 0) return { search: "dfs" };
  if (seed % 5 === 1 || fairness === "strong") return {};
  return { emptiness: names[seed % names.length]! };
}

/** Explains why a trace does not show the violation. */
async function traceProblem(
  text: string,
  formula: string,
  trace: Narrative,
  fairness: Fairness,
): Promise<string | undefined> {
  const { schedule } = trace;
  const replayed = await replayInput({ file: "m.m", text }, { schedule }, { ltl: [formula] }, registry);
  if (replayed.outcome !== "failed") return `replaying ${schedule}: ${replayed.reason}`;
  const run = parseSchedule(schedule);
  const model = modelOf(text, [formula]);
  return run && isFair(model, run, fairness) ? undefined : `${schedule} is not fair`;
}

export function modelOf(text: string, formulas: readonly string[] = []): ReturnType<typeof compileRules> {
  const { program, diagnostics } = loadMurphi({ file: "m.m", text, formulas, sources: new Sources() });
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return compileRules(program);
}

interface Answer {
  readonly verdict: string;
  readonly trace: Narrative | undefined;
}

async function answerOf(file: string, text: string, name: string, options: CheckOptions): Promise<Answer> {
  const { report } = await checkInput({ file, text }, { properties: [name], ...options }, registry);
  const errors = report.diagnostics.filter(({ severity }) => severity === "error");
  const [found] = report.properties.filter(({ property }) => property.name === name);
  if (errors.length > 0 || !found)
    return { verdict: `refused: ${errors.map((e) => e.message).join("; ")}`, trace: undefined };
  return { verdict: found.verdict, trace: found.trace };
}
