/**
 * Checks nodes without fields that seem irrelevant. Properties that hold are `unknown`, since irrelevance is not proved. A violation
 * counts if the unsliced system replays it.
 */
import { USUAL_VALUES, diagnosticOf, findSlice, type Slice } from "../../code/system/index.js";
import type { Diagnostic, Verdict } from "../../model/index.js";
import { narrate } from "../../report/index.js";
import type { NodesSubject } from "./load.js";
import { shows } from "../replay/ending.js";
import type { EngineFinding, EngineRequest, EngineResult } from "../contracts.js";
import { remaining } from "../pipeline/totals.js";

type Check = (subject: NodesSubject, request: EngineRequest) => Promise<EngineResult>;

export async function checkSliced(
  subject: NodesSubject,
  request: EngineRequest,
  check: Check,
): Promise<EngineResult> {
  const started = performance.now();
  const { paths, notices } = chosen(subject, request);
  const left = { ...request, budget: remaining(request.budget, 0, performance.now() - started) };
  if (paths.length === 0) return noted(await check(subject, left), notices);
  const result = await check(subject.ignoring(paths), left);
  const findings = result.findings.map((finding) => confirmed(subject, finding));
  if (findings.every((finding) => finding !== undefined))
    return noted(doubted({ ...result, findings }, paths), notices);
  const off = note(
    request,
    "code/slice-off",
    `nothing is sliced: ${paths.join(", ")} turned out to affect the behaviour`,
  );
  const again = { ...request, budget: remaining(request.budget, 0, performance.now() - started) };
  return noted(await check(subject, again), [off]);
}

interface Chosen {
  readonly paths: readonly string[];
  readonly notices: readonly Diagnostic[];
}

function chosen(subject: NodesSubject, request: EngineRequest): Chosen {
  const { paths, moreValuesThan = USUAL_VALUES } = request.slice!;
  if (paths !== "auto") return { paths, notices: [] };
  const deadline = performance.now() + (request.budget.timeMs ?? Infinity) / 2;
  const isStopped = (): boolean => performance.now() > deadline || request.control.isStopped?.() === true;
  const found = foundSlice(subject, { moreValuesThan, isStopped });
  if ("why" in found)
    return { paths: [], notices: [note(request, "code/slice-off", `nothing is sliced: ${found.why}`)] };
  return { paths: found.sliced.map(({ path }) => path), notices: [slicingNote(found, request)] };
}

/** Ignores errors of the analysis: the search reports them with more detail. */
function foundSlice(
  subject: NodesSubject,
  options: Parameters<typeof findSlice>[1],
): ReturnType<typeof findSlice> {
  try {
    return findSlice(subject.model, options);
  } catch (error) {
    return { why: diagnosticOf(error, subject.source.file).message };
  }
}

function slicingNote({ sliced, kept, states }: Slice, request: EngineRequest): Diagnostic {
  const looked =
    kept.length === 0
      ? ""
      : `; examined and kept: ${kept.map(({ path, why }) => `${path} (${why})`).join(", ")}`;
  if (sliced.length === 0)
    return note(request, "code/slice", `nothing to slice in ${states} states${looked}`);
  const list = sliced.map(
    ({ path, kind, values, least, greatest }) =>
      `${path} (${kind}, ${values} values from ${least} to ${greatest})`,
  );
  const hint = `if these are only statistics, declare them in the system: ignore: ${JSON.stringify(sliced.map(({ path }) => path))}`;
  return { ...note(request, "code/slice", `sliced: ${list.join(", ")}${looked}`), hint };
}

const note = ({ file }: EngineRequest, code: string, message: string): Diagnostic => ({
  code,
  severity: "note",
  message,
  span: { file, start: 0, end: 0 },
});

const noted = (result: EngineResult, notices: readonly Diagnostic[]): EngineResult => ({
  ...result,
  notices: [...notices, ...result.notices],
});

/** Undefined: the trace shows no violation in the unsliced system. */
function confirmed({ model }: NodesSubject, finding: EngineFinding): EngineFinding | undefined {
  const { verdict, property } = finding;
  if (verdict.kind !== "violated" || !verdict.trace) return finding;
  const narration = narrate(model.steps, verdict.trace);
  if (narration.kind === "diverged") return undefined;
  const { narrative } = narration;
  const { fault, final } = narrative;
  if (!shows(model, property, { ...verdict.trace, words: final.words, fault })) return undefined;
  return { ...finding, verdict: { ...verdict, trace: { ...verdict.trace, fault } }, narrative };
}

function doubted(result: EngineResult, paths: readonly string[]): EngineResult {
  const what = `sliced, which may hide errors: ${paths.join(", ")}`;
  return {
    ...result,
    scope: { ...result.scope, kind: "partial", notes: [...result.scope.notes, what] },
    end: result.end === "complete" ? "bound" : result.end,
    coversAll: false,
    findings: result.findings.map((finding) =>
      finding.verdict.kind === "holds" ? { ...finding, verdict: unknown(paths) } : finding,
    ),
  };
}

const unknown = (paths: readonly string[]): Verdict => ({
  kind: "unknown",
  reason: `nothing was found, ignoring fields that seem to change nothing: ${paths.join(", ")}`,
  advice: "name them under 'ignore' in the system, or take this for an answer with --accept bounded",
});
