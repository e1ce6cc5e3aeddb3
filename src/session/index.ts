/**
 * From a text to an answer: finds the language, loads the model, runs the engine, judges and replays what it
 * found. The command line, tests and programs all come through here.
 *
 * Read `check.ts` first, then `load.ts`; `registry.ts` says what languages and engines there are, `accepting.ts` which options each takes.
 * `simulate.ts` and `replay.ts` are about one run; `trace-file.ts` is how a trace is kept, `trail.ts` reads Spin's and
 * `trail-search.ts` finds the run it means.
 */
export { checkInput, nothingChecked, type Checked } from "./check.js";
export {
  certifyInput,
  hashOfMeaning,
  parseCertificate,
  type Certified,
  type CertifiedProof,
} from "./certificates.js";
export { endingOf, type Ending } from "./ending.js";
export { readInput, readProblem } from "./files.js";
export { gridLines, gridOf, type Capability, type Cell, type GridRow } from "./grid.js";
export { inspect, isRefused, languageOf, load, type LoadedInput } from "./load.js";
export { exportedNet, exportedProgram, type Exported, type NetEncoding } from "./net-export.js";
export { Random, freshSeed } from "./random.js";
export type { Highlighting } from "./highlighting.js";
export { registry, type Engine, type Language, type Registry } from "./registry.js";
export { replayInput, runOf, type ReplayRequest } from "./replay.js";
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
export { Simulation } from "./simulate.js";
export { tooLarge } from "./too-large.js";
export { parseTraceFile, traceFile, type TraceFile } from "./trace-file.js";
export { followTrail, type TrailBudget } from "./trail-search.js";
export { isTrail, parseTrail, type Refusal, type Trail } from "./trail.js";
