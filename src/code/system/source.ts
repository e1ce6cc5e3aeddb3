/** A system file: bundled once, evaluated once per node. */
import { Script } from "node:vm";
import type { Diagnostic } from "../../model/index.js";
import {
  SourceMapped,
  bundle,
  insideFile,
  insideScript,
  worldSource,
  type BundleRequest,
} from "../bundle/index.js";
import type { WorldOptions } from "../world/world.js";
import { Realm, defaultWorldOptions, isOutOfTime } from "../realm/index.js";
import type { Limits } from "./limits.js";
import type { Mailbox } from "./node-runtime.js";
import type { SystemSummary } from "./summary.js";

export interface SystemSource {
  readonly kind: SystemKind;
  readonly file: string;
  readonly directory: string;
  /** `-D`, as JSON. */
  readonly parameters: string;
  /** `--faults`: limits instead of those in the file. */
  readonly limits: Limits;
  readonly code: Script;
  readonly text: string;
  readonly map: SourceMapped;
  readonly mapText: string;
  /** The user's files in it, relative to the directory. */
  readonly files: readonly string[];
}

export async function bundleSystem(
  file: string,
  directory: string,
  parameters: Readonly<Record<string, unknown>>,
  kind: SystemKind = "system",
  limits: Limits = {},
): Promise<SystemSource | readonly Diagnostic[]> {
  const { script, map, files, diagnostics } = await bundle(requestFor(kind, file, directory));
  if (script === undefined) return diagnostics;
  const problem = unsuitable(script, file);
  if (problem) return [problem];
  return {
    kind,
    file,
    directory,
    parameters: JSON.stringify(parameters),
    limits,
    code: new Script(script, { filename: bundleName }),
    text: script,
    map: new SourceMapped(map, directory),
    mapText: map,
    files,
  };
}

/** A source as plain data for other threads, with the scripts of every realm, so that nothing is bundled twice. */
export interface PackedSource extends Pick<
  SystemSource,
  "kind" | "file" | "directory" | "parameters" | "limits" | "text" | "mapText" | "files"
> {
  readonly world: string;
  readonly inside: string;
}

export const packed = ({
  kind,
  file,
  directory,
  parameters,
  limits,
  text,
  mapText,
  files,
}: SystemSource): PackedSource => ({
  kind,
  file,
  directory,
  parameters,
  limits,
  text,
  mapText,
  files,
  ...ownScripts(),
});

export function unpacked({ world, inside, ...source }: PackedSource): SystemSource {
  scripts ??= { world, inside };
  return {
    ...source,
    code: new Script(source.text, { filename: bundleName }),
    map: new SourceMapped(source.mapText, source.directory),
  };
}

/** The bundle of an unsaved text, or its diagnostics. Runs no user code. */
export async function inspectSystem(
  file: string,
  directory: string,
  text: string,
  kind: SystemKind = "system",
): Promise<string | readonly Diagnostic[]> {
  const { script, diagnostics } = await bundle({
    ...requestFor(kind, file, directory),
    unsaved: { file, text },
  });
  if (script === undefined) return diagnostics;
  const problem = unsuitable(script, file);
  return problem ? [problem] : script;
}

/** A file that defines a system of nodes, or one that exports XState machines. */
export type SystemKind = "system" | "machines";

function requestFor(kind: SystemKind, file: string, directory: string): BundleRequest {
  const define = insideFile("system/define");
  const replaced = {
    "everypath/system": define,
    "everypath/code": define,
    "everypath/machines": insideFile("machines/define"),
  };
  const all = `import * as all from ${JSON.stringify(file)};`;
  if (kind === "system")
    return {
      entry: `${all}\nglobalThis[Symbol.for("everypath.file")] = () => all.default;`,
      directory,
      replaced,
      scope: "script",
    };
  const inside = (name: string): string => JSON.stringify(insideFile(`machines/${name}`));
  const imports = [
    `import ${inside("caches")};`,
    'import { createActor } from "xstate";',
    `import ${inside("loaded")};`,
    all,
    `import { machineSystem } from ${inside("runtime")};`,
  ];
  return {
    entry: `${imports.join("\n")}\nglobalThis[Symbol.for("everypath.file")] = () => machineSystem(all, createActor);`,
    directory,
    replaced,
    scope: "script",
    // The variant with modules of its own scope: functions of the other one close over variables, and are not data.
    conditions: ["module"],
    isBare: true,
  };
}

/** Name of the bundle in stacks. */
export const bundleName = "everypath-system.js";

function unsuitable(script: string, file: string): Diagnostic | undefined {
  try {
    new Script(script);
    return undefined;
  } catch (error) {
    return {
      code: "code/top-level-await",
      severity: "error",
      message: `the system cannot be loaded as a script: ${(error as Error).message}`,
      span: { file, start: 0, end: 0 },
      hint: "a system file and its imports cannot use top-level await",
    };
  }
}

export interface OpenedRealm {
  readonly realm: Realm;
  readonly mailbox: Mailbox;
  readonly summary: SystemSummary;
}

export interface RealmPlan {
  /** "" is the realm of the properties. */
  readonly name: string;
  readonly names: readonly string[];
  readonly random: number;
  readonly timers: "any" | "in-order";
  /** Whether crashes lose unsynced writes in order. */
  readonly losesInOrder?: boolean;
  readonly timeoutMs?: number;
  /** Called after the realm is created, before the user's code runs. */
  before?(realm: Realm, mailbox: Mailbox): void;
}

/** The user's code fails to load, or does not export a system. */
export class CannotLoad extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

export function openRealm(source: SystemSource, plan: RealmPlan): OpenedRealm {
  const world: WorldOptions = {
    ...defaultWorldOptions,
    timers: plan.timers === "any" ? "any" : "punctual",
    random: { values: Math.max(1, plan.random) },
    isRestored: true,
  };
  const realm = new Realm({
    base: baseScript(),
    world,
    ...(plan.timeoutMs === undefined || plan.timeoutMs === Infinity ? {} : { timeoutMs: plan.timeoutMs }),
  });
  nodeScript().runInContext(realm.context);
  const mailbox = mailboxScript.runInContext(realm.context) as Mailbox;
  mailbox.identify(plan.name, JSON.stringify(plan.names));
  plan.before?.(realm, mailbox);
  return { realm, mailbox, summary: install(source, realm) };
}

function install(source: SystemSource, realm: Realm): SystemSummary {
  let text: string;
  try {
    realm.load(source.code);
    realm.give(`{"given":${source.parameters},"limits":${JSON.stringify(source.limits)}}`);
    text = realm.load(installScript) as string;
  } catch (error) {
    const how = isOutOfTime(error) ? "does not terminate" : "fails";
    const why = isOutOfTime(error) ? "" : `: ${messageOf(error)}`;
    throw new CannotLoad("code/load-failed", `the system file ${how} when it is loaded${why}`);
  }
  if (text === "")
    throw new CannotLoad(
      "code/no-system",
      "the file does not export a system: export default defineSystem({ … })",
    );
  return JSON.parse(text) as SystemSummary;
}

/** Any value may be thrown. */
export function messageOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return String(error);
  const { name, message } = error as { name?: unknown; message?: unknown };
  return `${String(name)}: ${String(message)}`;
}

/** Scripts that every realm evaluates first: built here, or taken from a packed source. */
const ownScripts = (): OwnScripts =>
  (scripts ??= { world: worldSource(), inside: insideScript("system/node-runtime") });

type OwnScripts = Pick<PackedSource, "world" | "inside">;

let scripts: OwnScripts | undefined;
let base: Script | undefined;
const baseScript = (): Script => (base ??= new Script(ownScripts().world));
let inside: Script | undefined;
const nodeScript = (): Script => (inside ??= new Script(ownScripts().inside));
const mailboxScript = new Script('globalThis[Symbol.for("everypath.node")]');
const installScript = new Script('globalThis[Symbol.for("everypath.node")].install(everypath_inbox)');
