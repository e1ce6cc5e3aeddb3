/**
 * Results for people and programs. In: reports (`result.ts`) and diagnostics. Out: text, JSON, HTML, SVG.
 *
 * Read `result.ts` and `narrative.ts` first: everything else is a view of them. `text.ts` with
 * `trace-text.ts` is the terminal, `json.ts` the contract with programs, `html.ts` the page, `chart.ts`
 * the message sequence chart.
 *
 * Invariants: nothing here runs a search or reads a file, and no model text reaches a terminal or markup unescaped.
 */
export { formatPosition, renderDiagnostic, renderDiagnostics, visible } from "./diagnostics.js";
export { counted, formatBytes, formatCount, formatRate, formatSeconds } from "./figures.js";
export { gridPage, gridText, type GridLine } from "./grid.js";
export {
  guardedNarrative,
  guardedReason,
  runOfSchedule,
  scheduleOf,
  transitionText,
} from "./guarded-narrative.js";
export {
  ndlogDerivation,
  ndlogNarrative,
  ndlogReason,
  ndlogRunOfSchedule,
  ndlogSchedule,
  ndlogStep,
  type NdlogRun,
  tupleText,
} from "./ndlog-narrative.js";
export { errorProperty, errorReason, runNarrative, type ProgramRun } from "./program-run.js";
export { taskNarrative, type TaskRunShown } from "./task-run.js";
export {
  figuresOf,
  simulationReason,
  unionOfFigures,
  unionOfProperties,
  unionOfReports,
} from "./simulation.js";
export { unionOfResults } from "./shards.js";
export { quote } from "./sentences.js";
export { renderLanes } from "./lanes.js";
export { ABSENT, itfValue, renderItf, textOf } from "./itf.js";
export { coverageLines } from "./coverage-text.js";
export { palette, type Palette } from "./palette.js";
export {
  changesBetween,
  narrate,
  type FinalState,
  type NarratedStep,
  type Narration,
  type Narrative,
  valuesAfter,
} from "./narrative.js";
export {
  decidingRuns,
  firstViolated,
  overallVerdict,
  type AcceptedScope,
  type AutomatonFigures,
  type CheckReport,
  type ExecutionReport,
  type Outcome,
  type PeerFigures,
  type PropertyReport,
  type CountingFigures,
  type RunReport,
  type SimulationFigures,
  type TotalStats,
  type UnreachedPart,
  type Violation,
} from "./result.js";
export {
  checkJson,
  diagnosticJson,
  executionJson,
  noStats,
  stepJson,
  traceJson,
  type CheckJson,
  type DerivationStepJson,
  type DiagnosticJson,
  type ExecutionJson,
  type FilesJson,
  type PropertyJson,
  type StepJson,
  type TraceJson,
  type UnreachedJson,
} from "./json.js";
export { ndlogPicture } from "./ndlog-picture.js";
export { emptyScene, sceneAt, type Picture, type Scene, type SceneStep } from "./picture.js";
export { ProgressReporter, type ProgressStyle } from "./progress.js";
export { scopeSentence, verdictSentence } from "./sentences.js";
export { alignedRows } from "./table.js";
export { renderCheck, type TextOptions } from "./text.js";
export { renderPlace, renderSingleStep, renderState, renderSteps, type TraceStyle } from "./trace-text.js";
export { version } from "./version.js";
export { renderLtsDot } from "./lts-dot.js";
export { assumptionFsp, ltsFsp } from "./lts-fsp.js";
export { renderLtsSvg, type DrawnLts } from "./lts-svg.js";
