/** Everything that a command prints with `--json`; `npm run schema` writes its JSON Schema. */
import type { Plan } from "../engines/explicit/stores/plan.js";
import type { CheckJson, ExecutionJson, FilesJson, GridLine } from "../report/index.js";
import type { AutomatonJson } from "./automaton.js";
import type { CertifyJson } from "./certify.js";
import type { CompareJson } from "./compare.js";
import type { DeviceJson, EngineJson, LanguageJson, OptionJson } from "./lists.js";
import type { LearnJson } from "./learn.js";
import type { LtsResultJson } from "./lts.js";
import type { TestJson } from "./test.js";

export type JsonOutput =
  | CheckJson
  | FilesJson
  | ExecutionJson
  | CertifyJson
  | AutomatonJson
  | LearnJson
  | LtsResultJson
  | CompareJson
  | TestJson
  | readonly LanguageJson[]
  | readonly EngineJson[]
  | readonly DeviceJson[]
  | readonly OptionJson[]
  | readonly GridLine[]
  | readonly Plan[];
