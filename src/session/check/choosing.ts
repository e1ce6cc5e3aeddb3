/** Selects the properties to check and the engine: as requested, or by default. */
import { isNet, type Diagnostic, type Property } from "../../model/index.js";
import { suggest } from "../../languages/toolkit/spelling.js";
import { refusedKind } from "../accepting.js";
import type { LoadedInput } from "../load.js";
import type { Engine, Registry } from "../contracts.js";
import type { CheckOptions, Input } from "../request.js";

export interface Chosen {
  readonly properties: readonly Property[];
  readonly unchecked: readonly Property[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Undefined if nothing was loaded. */
export function chooseProperties(
  loaded: LoadedInput,
  input: Input,
  options: CheckOptions,
): Chosen | undefined {
  const all = loaded.subject?.properties ?? loaded.model?.properties;
  if (!all) return undefined;
  const { properties: asked, checksDeadlock = true } = options;
  const isAsked = ({ name }: { readonly name: string }): boolean =>
    // sound: test/session/chosen.test.ts
    asked === undefined || asked.includes(name);
  const declared = [...all.map((p) => p.name), ...loaded.unsupported.map((u) => u.name)];
  // sound: test/session/chosen.test.ts
  const unknown = (asked ?? []).filter((name) => !declared.includes(name));
  // sound: test/session/names.test.ts
  const shared = declared.filter((name, i) => declared.indexOf(name) !== i);
  // sound: test/session/chosen.test.ts
  const isChecked = (p: Property): boolean => isAsked(p) && (checksDeadlock || p.kind !== "deadlock");
  const properties = all.filter(isChecked);
  // sound: test/session/chosen.test.ts
  const unsupported = loaded.unsupported.filter(isAsked);
  // sound: test/session/chosen.test.ts
  const hasNothing = unknown.length === 0 && properties.length + unsupported.length === 0;
  // Deadlocks are then the only property.
  // sound: test/session/chosen.test.ts
  const isWithoutDeadlock = asked === undefined && all.length > 0;
  return {
    properties,
    unchecked: [...all, ...loaded.unsupported.filter((u) => !isAsked(u))].filter((p) => !isChecked(p)),
    diagnostics: hasNothing
      ? [
          isWithoutDeadlock
            ? nothingElse(input)
            : nothingToCheck(input, checksDeadlock, isNet(loaded.subject)),
        ]
      : [
          ...shared.map((name) => sharedName(name, input)),
          ...unsupported.map((one) => refusedKind(`the language '${loaded.language}'`, one, input.file)),
          ...unknown.map(
            (name) =>
              ({
                code: "session/unknown-property",
                severity: "error",
                message: `there is no property '${name}'`,
                span: { file: input.file, start: 0, end: 0 },
                hint: [suggest(name, declared), `--property takes one of: ${declared.join(", ")}`]
                  .filter(Boolean)
                  .join(" "),
              }) as const,
          ),
        ],
  };
}

const sharedName = (name: string, { file }: Input): Diagnostic => ({
  code: "session/shared-name",
  severity: "error",
  message: `two properties are called '${name}'`,
  span: { file, start: 0, end: 0 },
  hint: "rename one of them: an answer names its property",
});

/** A search without properties still counts states and finds unreachable code. */
const nothingElse = ({ file }: Input): Diagnostic => ({
  code: "session/nothing-to-check",
  severity: "note",
  message:
    "the model states nothing else to check: without deadlocks its states are explored, and nothing can be violated",
  span: { file, start: 0, end: 0 },
  hint: "state a condition with --invariant",
});

/** Refuses a check without properties: its `holds` would be vacuous. */
const nothingToCheck = ({ file }: Input, checksDeadlock: boolean, asksNet: boolean): Diagnostic => ({
  code: "session/nothing-to-check",
  severity: "error",
  message: "no property is left to check",
  span: { file, start: 0, end: 0 },
  hint: asksNet
    ? "state a target with --target 'p >= 2' or an invariant with --invariant 'p < 2', or ask --bounded"
    : `${checksDeadlock ? "" : "drop --no-deadlock, or "}state a condition with --invariant`,
});

/** Undefined if nothing was loaded. */
export function chooseEngine(
  loaded: LoadedInput,
  { file }: Input,
  { engine: asked }: CheckOptions,
  { engines }: Registry,
  properties: readonly Property[],
): Engine | Diagnostic | undefined {
  if (!loaded.model && !loaded.subject) return undefined;
  const able = engines.filter((engine) => engine.takes(loaded));
  // sound: test/session/chosen.test.ts
  const found = asked === undefined ? deciding(able, properties) : able.find(({ name }) => name === asked);
  if (found) return found;
  const known = engines.filter(({ name }) => asked === undefined || name === asked);
  const reasons = known.flatMap((engine) => {
    const why = engine.whyNot?.(loaded);
    return why === undefined ? [] : [`the engine '${engine.name}' cannot check this: ${why}`];
  });
  const wrong = wrongEngine(`${asked}`, loaded.language, able, file);
  if (known.length === 0)
    return { ...wrong, code: "session/unknown-engine", message: `there is no engine '${asked}'` };
  return reasons.length > 0 ? { ...wrong, message: reasons.join("; ") } : wrong;
}

/** The first engine that decides all requested properties; otherwise the first one, which reports undecided kinds. */
const deciding = (able: readonly Engine[], properties: readonly Property[]): Engine | undefined =>
  // sound: test/session/net-properties.test.ts
  able.find(({ accepts }) => properties.every(({ kind }) => accepts.kinds.includes(kind))) ?? able[0];

/** Refuses an engine that does not apply to inputs of this language. */
export const wrongEngine = (
  engine: string,
  language: string,
  able: readonly Pick<Engine, "name">[],
  file: string,
): Diagnostic => ({
  code: "session/wrong-engine",
  severity: "error",
  message: `the engine '${engine}' cannot check inputs in ${language}`,
  span: { file, start: 0, end: 0 },
  hint:
    able.length > 0
      ? `--engine takes one of: ${able.map(({ name }) => name).join(", ")}`
      : "no engine decides all requested properties: request fewer",
});
