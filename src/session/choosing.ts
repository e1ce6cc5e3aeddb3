/** What is to be checked, and by whom: the properties and the engine that were asked for, or that are meant when nothing is said. */
import { isNet, type Diagnostic, type Property } from "../model/index.js";
import type { LoadedInput } from "./load.js";
import type { Engine, Registry, Unsupported } from "./registry.js";
import type { CheckOptions, Input } from "./request.js";

export interface Chosen {
  readonly properties: readonly Property[];
  readonly unsupported: readonly Unsupported[];
  readonly unchecked: readonly Property[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Undefined when nothing was loaded. */
export function chooseProperties(
  loaded: LoadedInput,
  input: Input,
  options: CheckOptions,
): Chosen | undefined {
  const all = loaded.subject?.properties ?? loaded.model?.properties;
  if (!all) return undefined;
  const { properties: asked, checksDeadlock = true } = options;
  const isAsked = ({ name }: { readonly name: string }): boolean =>
    asked === undefined || asked.includes(name);
  const declared = [...all.map((p) => p.name), ...loaded.unsupported.map((u) => u.name)];
  const unknown = (asked ?? []).filter((name) => !declared.includes(name));
  const isChecked = (p: Property): boolean => isAsked(p) && (checksDeadlock || p.kind !== "deadlock");
  const properties = all.filter(isChecked);
  const unsupported = loaded.unsupported.filter(isAsked);
  const hasNothing = unknown.length === 0 && properties.length + unsupported.length === 0;
  return {
    properties,
    unchecked: [...all, ...loaded.unsupported.filter((u) => !isAsked(u))].filter((p) => !isChecked(p)),
    unsupported,
    diagnostics: hasNothing
      ? [nothingToCheck(input, checksDeadlock, isNet(loaded.subject))]
      : unknown.map((name) => ({
          code: "session/unknown-property",
          severity: "error",
          message: `there is no property '${name}'`,
          span: { file: input.file, start: 0, end: 0 },
          hint: `--property takes one of: ${declared.join(", ")}`,
        })),
  };
}

/** A check of nothing would hold, and mean nothing. */
const nothingToCheck = ({ file }: Input, checksDeadlock: boolean, asksNet: boolean): Diagnostic => ({
  code: "session/nothing-to-check",
  severity: "error",
  message: "no property is left to check",
  span: { file, start: 0, end: 0 },
  hint: asksNet
    ? "state a target with --target 'p >= 2', or ask --bounded"
    : `${checksDeadlock ? "" : "drop --no-deadlock, or "}state a condition with --invariant`,
});

/** Undefined when nothing was loaded. */
export function chooseEngine(
  loaded: LoadedInput,
  { file }: Input,
  { engine: asked }: CheckOptions,
  { engines }: Registry,
): Engine | Diagnostic | undefined {
  if (!loaded.model && !loaded.subject) return undefined;
  const able = engines.filter((engine) => engine.takes(loaded));
  const found = asked === undefined ? able[0] : able.find(({ name }) => name === asked);
  if (found) return found;
  const isKnown = engines.some(({ name }) => name === asked);
  return {
    code: isKnown ? "session/wrong-engine" : "session/unknown-engine",
    severity: "error",
    message: isKnown
      ? `the engine '${asked}' cannot check what is written in ${loaded.language}`
      : `there is no engine '${asked}'`,
    span: { file, start: 0, end: 0 },
    hint: `--engine takes one of: ${able.map(({ name }) => name).join(", ")}`,
  };
}

/** What is asked of another language must not be taken for done. */
export function onlyForNodes(
  { subject, language }: LoadedInput,
  { file }: Input,
  { slice, schedules }: CheckOptions,
): Diagnostic[] {
  if (subject?.kind === "nodes") return [];
  const problem = (code: string, option: string, hint: string): Diagnostic => ({
    code,
    severity: "error",
    message: `${option} is for systems of nodes, and this is ${language}`,
    span: { file, start: 0, end: 0 },
    hint,
  });
  const slicing = "--reduction slice leaves out what no property of a model depends on";
  const searching = "leave --search out, or take bfs, dfs, random or guided";
  return [
    ...(slice ? [problem("session/no-slice", "--slice", slicing)] : []),
    ...(schedules ? [problem("session/not-for-schedules", `--search ${schedules.by}`, searching)] : []),
  ];
}
