/**
 * From a text to an answer: finds the language, loads the model, runs the engine, replays violations and
 * reports. Used by the command line, tests and programs.
 *
 * Read `check/check.ts` first, then `load.ts`. `registry.ts` lists languages and engines, `accepting.ts` refuses options that they
 * do not accept. Rooms: `languages/` adapts front ends and `engines/` adapts procedures to the registry; `pipeline/` searches models
 * with their reductions (`reductions/`); `nodes/` is systems of nodes in TypeScript, `schedules/` tests of async code; `apart/`
 * runs either in a second process; `check/` goes from text to report; `replay/` is about single runs, their files and Spin's trails.
 */
export { checkInput, nothingChecked, type Checked } from "./check/check.js";
export { certifyInput, parseCertificate, type Certified, type CertifiedProof } from "./check/certificates.js";
export { type Ending } from "./replay/ending.js";
export { readInput, readProblem } from "./files.js";
export { gridLines, gridOf, type Capability, type Cell, type GridRow } from "./grid.js";
export { inspect, isRefused, languageOf, load, tooLarge, type LoadedInput } from "./load.js";
export { exportedNet, exportedProgram, type Exported, type NetEncoding } from "./export/net.js";
export type { Highlighting } from "./languages/highlighting.js";
export { generateTests, testFiles, type TestOptions, type TestResult } from "./tests.js";
export { compareInputs, toLts, type CompareResult, type LtsOptions, type LtsResult } from "./lts/index.js";
export type { Engine, Language, Registry } from "./contracts.js";
export { registry } from "./registry.js";
export type { ReplayRequest } from "./replay/request.js";
export { replayInput, runOf } from "./replay/replay.js";
export type {
  CheckOptions,
  Fairness,
  Input,
  ModelOptions,
  OutputName,
  SearchOrder,
  StoreRequest,
  SwitchRequest,
} from "./request.js";
export { Random, Simulation, freshSeed } from "./replay/simulate.js";
export type { SteppedRun } from "./replay/stepped-run.js";
export { isItf, parseItf } from "./replay/itf.js";
export { isPrintedRun, parsePrintedRun } from "./chi/trail.js";
export { parseTraceFile, traceFile, type TraceFile } from "./replay/trace-file.js";
export { followTrail, type TrailBudget } from "./replay/trail-search.js";
export { isTrail, parseTrail, type Refusal, type Trail } from "./replay/trail.js";
