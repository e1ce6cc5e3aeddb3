/**
 * Systems of nodes written in TypeScript or JavaScript, as the registry wants them: loaded into a model, and searched by
 * the explicit engine, with what is special about code that runs: nodes whose state turns out to be no data are replayed, and
 * code that does not do the same twice has no verdict.
 */
import { dirname, resolve } from "node:path";
import {
  BadCondition,
  CannotLoad,
  ChoiceAtStart,
  Nondeterminism,
  NotSymmetric,
  OpaqueNode,
  UnknownBudget,
  bundleSystem,
  inspectSystem,
  makeModel,
  type SystemModel,
  type SystemSource,
} from "../code/system/index.js";
import {
  Successors,
  type Diagnostic,
  type Property,
  type Scope,
  type Span,
  type Subject,
} from "../model/index.js";
import { narrate, noStats } from "../report/index.js";
import { checkSliced } from "./code-slicing.js";
import { asymmetricProperty, nodeSymmetry } from "./code-symmetry.js";
import { check as checkExplicitly } from "./reduced-check.js";
import { searchSwitches } from "./switching.js";
import type { EngineFinding, EngineRequest, EngineResult, LoadOptions, Loaded } from "./registry.js";
import type { Input, ModelOptions } from "./request.js";

/** A system of nodes, beside its model: nodes may have to be loaded again in another way. */
export interface NodesSubject extends Subject {
  readonly kind: "nodes";
  readonly model: SystemModel;
  readonly source: SystemSource;
  /** The same system with one more node replayed. */
  replaying(node: string): NodesSubject;
  /** The same system, its states compared without those fields. */
  ignoring(paths: readonly string[]): NodesSubject;
  /** Why nodes are replayed. */
  readonly opaque: readonly OpaqueNode[];
}

export const isNodesSubject = (subject: Subject | undefined): subject is NodesSubject =>
  subject?.kind === "nodes";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const source = await bundleInput(input, options);
  return "code" in source ? loadSource(source, options) : nothing(source);
}

/** Runs nothing of it. */
export async function bundleInput(
  input: Input,
  { defines = [] }: ModelOptions,
): Promise<SystemSource | readonly Diagnostic[]> {
  const file = resolve(input.file);
  const source = await bundleSystem(file, dirname(file), parametersOf(defines));
  if ("code" in source) return { ...source, file: input.file };
  return source.map((d) => ({ ...d, span: renamed(d.span, input) }));
}

/** Runs the file, and the first steps of its nodes. */
export function loadSource(source: SystemSource, options: SourceOptions): Loaded {
  try {
    const subject = probed(new Loader(source, options).subject([]));
    return {
      model: subject.model,
      subject,
      unsupported: [],
      diagnostics: subject.opaque.map((o) => replayNote(o, subject.model)),
    };
  } catch (error) {
    return nothing([diagnosticOf(error, source.file)]);
  }
}

/** Parses the text and finds what it imports; runs nothing. */
export async function inspect({ file, text }: Input): Promise<readonly Diagnostic[]> {
  const found = await inspectSystem(resolve(file), dirname(resolve(file)), text);
  return found.map((d) => ({ ...d, span: renamed(d.span, { file, text }) }));
}

const nothing = (diagnostics: readonly Diagnostic[]): Loaded => ({
  model: undefined,
  unsupported: [],
  diagnostics,
});

const renamed = (span: Span, { file }: Input): Span =>
  resolve(dirname(resolve(file)), span.file) === resolve(file) || span.file === "" ? { ...span, file } : span;

/** `-D NAME=VALUE`: numbers where they are, `true` without a value. */
function parametersOf(defines: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    defines.map((define) => {
      const [, name, value] = /^([^=]*)(?:=([^]*))?$/.exec(define)!;
      return [
        name!,
        value === undefined ? true : value !== "" && !Number.isNaN(Number(value)) ? Number(value) : value,
      ];
    }),
  );
}

export interface SourceOptions {
  readonly sources: LoadOptions["sources"];
  /** A handler that takes longer does not end. */
  readonly handlerMs?: number;
}

class Loader {
  readonly #source: SystemSource;
  readonly #options: SourceOptions;

  readonly #ignore: readonly string[];

  constructor(source: SystemSource, options: SourceOptions, ignore: readonly string[] = []) {
    this.#source = source;
    this.#options = options;
    this.#ignore = ignore;
  }

  subject(opaque: readonly OpaqueNode[]): NodesSubject & { because(opaque: OpaqueNode): NodesSubject } {
    try {
      return this.#make(opaque);
    } catch (error) {
      if (!(error instanceof OpaqueNode) || opaque.some(({ node }) => node === error.node)) throw error;
      return this.subject([...opaque, error]);
    }
  }

  #make(opaque: readonly OpaqueNode[]): ReturnType<Loader["subject"]> {
    const replayed = new Set(opaque.map(({ node }) => node));
    const model = makeModel(this.#source, {
      replayed,
      ignore: this.#ignore,
      sources: this.#options.sources,
      timeoutMs: this.#options.handlerMs ?? HANDLER_MS,
    });
    const because = (found: OpaqueNode): NodesSubject => this.subject([...opaque, found]);
    return {
      kind: "nodes",
      properties: model.properties,
      model,
      source: this.#source,
      opaque,
      because,
      ignoring: (paths) => new Loader(this.#source, this.#options, paths).subject(opaque),
      replaying: (node) => because(new OpaqueNode(node, "state that is no data", node)),
    };
  }
}

/** Most handlers are done within a thousandth of that. */
const HANDLER_MS = 1000;

/** Looks at the first states, so that most nodes that have to be replayed are known before anything else is done. */
function probed(subject: NodesSubject): NodesSubject {
  try {
    probe(subject.model);
    return subject;
  } catch (error) {
    if (!(error instanceof OpaqueNode) || subject.opaque.some(({ node }) => node === error.node)) throw error;
    return probed((subject as ReturnType<Loader["subject"]>).because(error));
  }
}

function probe({ system, invariants, holds }: SystemModel): void {
  const out = new Successors(system.width);
  system.initial(out);
  if (out.flags[0] !== 0) return;
  const queue = [out.words.slice(0, system.width)];
  const seen = new Set(queue.map((words) => words.join()));
  const deadline = performance.now() + PROBE_MS;
  for (const state of queue) {
    if (queue.length > PROBE_STATES || performance.now() > deadline) return;
    invariants.forEach((_, index) => holds(index, state, 0));
    out.clear();
    system.successors(state, 0, out);
    for (let i = 0; i < out.count; i++) {
      const words = out.words.slice(i * out.stride, (i + 1) * out.stride);
      if (out.flags[i] === 0 && !seen.has(words.join())) {
        seen.add(words.join());
        queue.push(words);
      }
    }
  }
}

const PROBE_STATES = 300;
const PROBE_MS = 300;

/** The engine. */
export async function check(loaded: Loaded, request: EngineRequest): Promise<EngineResult> {
  if (!isNodesSubject(loaded.subject)) throw new Error("there is no system of nodes to search");
  return request.slice
    ? checkSliced(loaded.subject, request, checkSubject)
    : checkSubject(loaded.subject, request);
}

async function checkSubject(subject: NodesSubject, request: EngineRequest): Promise<EngineResult> {
  const { model } = subject;
  const { reduce, notes } = nodeSymmetry(model);
  const properties = model.properties.filter((p) =>
    request.properties.some(({ name, kind }) => name === p.name && kind === p.kind),
  );
  try {
    const { schedules } = request;
    const result = schedules
      ? await searchSwitches(model, { ...request, schedules, properties, workers: 1 })
      : await checkExplicitly(
          { model, unsupported: [], diagnostics: [], ...(reduce ? { reduce } : {}) },
          { ...request, properties, workers: 1 },
        );
    const scope = { ...result.scope, notes: [...result.scope.notes, ...notes()] };
    return told({ ...result, scope }, subject, request);
  } catch (error) {
    if (error instanceof OpaqueNode && !subject.opaque.some(({ node }) => node === error.node)) {
      const result = await checkSubject((subject as ReturnType<Loader["subject"]>).because(error), request);
      return { ...result, notices: [replayNote(error, model), ...result.notices] };
    }
    if (error instanceof NotSymmetric && error.property !== undefined) {
      const result = await checkSubject(subject, { ...request, isPlain: true });
      return { ...result, notices: [asymmetricProperty(error, request.file), ...result.notices] };
    }
    if (UNDECIDED.some((kind) => error instanceof kind))
      return undecided(properties, diagnosticOf(error, request.file), (error as Error).message);
    throw error;
  }
}

/** After these there is no answer, whatever was found before. */
const UNDECIDED = [Nondeterminism, NotSymmetric, BadCondition, OpaqueNode] as const;

/** In the system's own words: reasons of conditions, what was bounded, how nodes were captured. */
function told(result: EngineResult, subject: NodesSubject, request: EngineRequest): EngineResult {
  const scope = scopeOf(result.scope, subject);
  const findings = result.findings.map((finding): EngineFinding => {
    const { verdict, property } = finding;
    if (verdict.kind === "holds")
      return { ...finding, verdict: { ...verdict, scope: { ...scope, notes: [] } } };
    if (verdict.kind !== "violated" || !verdict.trace) return finding;
    const narration = narrate(subject.model.steps, verdict.trace);
    if (narration.kind === "diverged")
      throw new Nondeterminism(property.name, `its trace stops at step ${narration.step}`);
    const reason =
      property.kind === "invariant"
        ? reasonOf(subject.model, property, narration.narrative.final.words)
        : (subject.model.sites[verdict.trace.fault]?.message ?? verdict.reason);
    return { ...finding, verdict: { ...verdict, reason }, narrative: narration.narrative };
  });
  const workers = request.workers > 1 ? [oneWorker(request.file)] : [];
  return { ...result, scope, findings, notices: [...result.notices, ...workers] };
}

function reasonOf(model: SystemModel, property: Property, words: Int32Array): string {
  const index = model.invariants.indexOf(property);
  model.holds(index, words, 0);
  const reason = model.reasonOf(property.name);
  return `invariant violated: ${property.name}${reason === undefined ? "" : `: ${reason}`}`;
}

function scopeOf(scope: Scope, { model }: NodesSubject): Scope {
  const { nodes, summary, nodeSystem, local } = model;
  const replayed = summary.nodes.filter((_, node) => nodes[node]!.mode === "replay");
  const modes =
    replayed.length === 0
      ? "node states captured as data"
      : `nodes replayed: ${replayed.join(", ")}${replayed.length < nodes.length ? "; others captured as data" : ""}`;
  const bounds = boundsOf(model);
  const ignored = summary.ignore.length > 0 ? [`ignored: ${summary.ignore.join(", ")}`] : [];
  const silent = [...local.sites].filter(([, hasFailed]) => !hasFailed).map(([site]) => site);
  const untried = silent.length > 0 ? [`never let fail: ${silent.sort().join(", ")}`] : [];
  const discarded = nodeSystem.discarded > 0 ? ["states beyond the declared bound were discarded"] : [];
  const kind =
    scope.kind === "complete" && bounds.length + discarded.length + ignored.length > 0
      ? "bounded"
      : scope.kind;
  return { ...scope, kind, notes: [...scope.notes, ...bounds, ...discarded, ...ignored, ...untried, modes] };
}

function boundsOf({ summary }: SystemModel): string[] {
  const { network, faults, budgets, actions } = summary;
  const counted = [
    ...(network.capacity === undefined ? [] : [`at most ${network.capacity} messages under way`]),
    ...(typeof network.loss === "number" ? [`losses: ${network.loss}`] : []),
    ...(network.duplicates ? [`duplicates: ${network.duplicates}`] : []),
    ...(faults.crashes ? [`crashes: ${faults.crashes}`] : []),
    ...(faults.failures ? [`failures: ${faults.failures}`] : []),
    ...(faults.partitions ? [`partitions: ${faults.partitions}`] : []),
    ...Object.entries(budgets).map(([name, limit]) => `${name}: ${limit}`),
    ...actions.flatMap(({ name, times }) => (times === undefined ? [] : [`${name}: ${times}`])),
  ];
  return counted;
}

const undecided = (properties: readonly Property[], problem: Diagnostic, reason: string): EngineResult => ({
  findings: properties.map((property) => ({
    property,
    verdict: { kind: "unknown", reason, advice: problem.hint ?? "" },
    occurrences: 0,
  })),
  scope: { kind: "partial", by: "exhaustion", notes: [reason] },
  end: "stopped",
  runs: [],
  stats: noStats,
  coversAll: false,
  notices: [problem],
});

function diagnosticOf(error: unknown, file: string): Diagnostic {
  const span = { file, start: 0, end: 0 };
  const common = { severity: "error", span, message: error instanceof Error ? error.message : "" } as const;
  if (error instanceof CannotLoad || error instanceof BadCondition) return { ...common, code: error.code };
  if (error instanceof UnknownBudget) return { ...common, code: "code/unknown-budget" };
  if (error instanceof ChoiceAtStart)
    return { ...common, code: "code/choice-at-start", hint: "let a timer or an action make the choice" };
  if (error instanceof Nondeterminism)
    return {
      ...common,
      severity: "warning",
      code: "code/nondeterminism",
      hint: "something outside the world decides: look for clocks, random numbers or counters that are not in the node",
    };
  if (error instanceof NotSymmetric)
    return {
      ...common,
      severity: "warning",
      code: "code/not-symmetric",
      hint: "take the nodes out of 'symmetric', or search all states with --reduction none",
    };
  if (error instanceof OpaqueNode)
    return {
      ...common,
      severity: "warning",
      code: "code/opaque-state",
      hint: "keep what a node knows in its fields or in module variables",
    };
  throw error;
}

const replayNote = (opaque: OpaqueNode, model: SystemModel): Diagnostic => ({
  code: "code/opaque-state",
  severity: "note",
  message: `${opaque.node} is replayed, not captured: it keeps ${opaque.what} at ${opaque.path}`,
  span: model.placeOf(opaque.node),
  hint: "states of a replayed node are its histories, so equal states are not recognised; keep what it knows in fields or module variables",
});

const oneWorker = (file: string): Diagnostic => ({
  code: "code/one-worker",
  severity: "note",
  message: "systems of nodes are searched by one thread",
  span: { file, start: 0, end: 0 },
});
