/**
 * Loads systems of nodes, written in TypeScript or JavaScript, into a model. Nodes whose state is not data are replayed. `check.ts`
 * searches them.
 */
import { dirname, resolve } from "node:path";
import {
  BadCondition,
  Disturbed,
  NotSupported,
  OpaqueNode,
  bundleSystem,
  diagnosticOf,
  inspectSystem,
  makeModel,
  parseLimit,
  replayNote,
  sharedModel,
  type Limits,
  type SharedModel,
  type SystemKind,
  type SystemModel,
  type SystemModelOptions,
  type SystemSource,
} from "../../code/system/index.js";
import { Successors, type Diagnostic, type Span, type Subject } from "../../model/index.js";
import { machineActions, machineProblem } from "../machines/adapting.js";
import { exportsMachines } from "../machines/recognising.js";
import { withRefinement, whyNotCompared } from "../refinement/check.js";
import type { Specification } from "../refinement/observed.js";
import { problem } from "../refinement/problem.js";
import { parseDefine, unknownDefine, unmentioned } from "../defines.js";
import type { LoadOptions, Loaded } from "../contracts.js";
import type { Input, ModelOptions } from "../request.js";

/** A system of nodes and its model: nodes may have to be reloaded in another mode. */
export interface NodesSubject extends Subject {
  readonly kind: "nodes";
  readonly model: SystemModel;
  readonly source: SystemSource;
  /** The same system with one more node replayed. */
  because(opaque: OpaqueNode): NodesSubject;
  /** The same system with every evaluation of a condition watched; undefined: it already is. */
  watched(): NodesSubject | undefined;
  /** The same system, with nothing remembered. */
  again(): NodesSubject;
  /** The same system; comparisons of states ignore these fields. */
  ignoring(paths: readonly string[]): NodesSubject;
  /** A second instance, for several threads. */
  sharing(): SharedModel;
  /** Of a check of refinement. */
  readonly specification?: Specification | undefined;
  /** Nodes that are replayed, with reasons. */
  readonly opaque: readonly OpaqueNode[];
}

export const isNodesSubject = (subject: Subject | undefined): subject is NodesSubject =>
  subject?.kind === "nodes";

export async function load(input: Input, options: LoadOptions): Promise<Loaded> {
  const source = await bundleInput(input, options);
  return "code" in source ? loadSource(source, options) : nothing(source);
}

/** Does not run the code. */
export async function bundleInput(
  input: Input,
  { defines = [], faults = [], language }: ModelOptions,
): Promise<SystemSource | readonly Diagnostic[]> {
  const file = resolve(input.file);
  const kind = kindOf(input.text, language);
  const source = await bundleSystem(file, dirname(file), parametersOf(defines), kind, limitsOf(faults));
  if ("code" in source) return { ...source, file: input.file };
  return source.map((d) => ({ ...d, span: renamed(d.span, input) }));
}

const kindOf = (text: string, language: string | undefined): SystemKind =>
  language === "machines" || (language === undefined && exportsMachines(text)) ? "machines" : "system";

/** Runs the file, and the first steps of its nodes. */
export function loadSource(source: SystemSource, options: SourceOptions): Loaded {
  try {
    const subject = probed(new Loader(source, options).subject([]), options.isSearched === true);
    const inVain = unreadParameters(source, subject.model);
    if (inVain.length > 0) return nothing(inVain);
    const different = refinementProblem(subject.model, options, source.file);
    if (different) return nothing([different]);
    return {
      model:
        source.kind === "machines"
          ? Object.assign(subject.model, machineActions(subject.model))
          : subject.model,
      subject,
      userPicture: drawnBy(subject.model),
      unsupported: [],
      diagnostics: subject.opaque.map((o) => replayNote(o, subject.model)),
    };
  } catch (error) {
    const problem = diagnosticOf(error, source.file);
    return nothing([source.kind === "machines" ? machineProblem(problem, options.sources) : problem]);
  }
}

/** A picture that cannot be drawn is the user's error. */
const drawnBy = ({ draw }: SystemModel): Loaded["userPicture"] => draw && ((words) => draw(words, 0));

/** The commands that compare have the specification explored. */
function refinementProblem(
  model: SystemModel,
  { refines, specification }: SourceOptions,
  file: string,
): Diagnostic | undefined {
  if (specification) return whyNotCompared(model, specification, file);
  // sound: test/session/refinement.test.ts
  return refines === undefined
    ? undefined
    : problem(file, "no-specification", "--refines is decided by the commands check and replay");
}

/** Code can read parameters at any time, by computed names: refuses only unreadable ones. */
function unreadParameters({ parameters, text, file }: SystemSource, { summary }: SystemModel): Diagnostic[] {
  const names = Object.keys(JSON.parse(parameters) as object);
  if (!summary.takesParameters)
    return names.map((name) => unknownDefine(name, "the system is defined without parameters", file));
  // The system itself refuses names that it does not declare.
  return summary.declaresParameters ? [] : unmentionedParameters(names, text, file);
}

const unmentionedParameters = (names: readonly string[], code: string, file: string): Diagnostic[] =>
  unmentioned(names, [code]).map((name) =>
    unknownDefine(name, "no code of the system mentions the name", file),
  );

/** Parses the text and resolves its imports; does not run it. */
export async function inspect(
  { file, text }: Input,
  { defines = [], language }: ModelOptions,
): Promise<readonly Diagnostic[]> {
  const found = await inspectSystem(resolve(file), dirname(resolve(file)), text, kindOf(text, language));
  if (typeof found === "string")
    return unmentionedParameters(
      defines.map(parseDefine).map(({ name }) => name),
      found,
      file,
    );
  return found.map((d) => ({ ...d, span: renamed(d.span, { file, text }) }));
}

const nothing = (diagnostics: readonly Diagnostic[]): Loaded => ({
  model: undefined,
  unsupported: [],
  diagnostics,
});

const renamed = (span: Span, { file }: Input): Span =>
  resolve(dirname(resolve(file)), span.file) === resolve(file) || span.file === "" ? { ...span, file } : span;

/** `-D NAME=VALUE`: a number if the value is one, `true` without a value. */
const parametersOf = (defines: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    defines
      .map(parseDefine)
      .map(({ name, value }) => [
        name,
        value === undefined ? true : value !== "" && !Number.isNaN(Number(value)) ? Number(value) : value,
      ]),
  );

/** `--faults NAME[=NUMBER]`. */
export const limitsOf = (faults: readonly string[]): Limits =>
  Object.fromEntries(
    faults.map((text) => {
      const limit = parseLimit(text);
      if (!limit) throw new RangeError(`'${text}' is not NAME or NAME=NUMBER`);
      return limit;
    }),
  );

export interface SourceOptions extends Pick<
  LoadOptions,
  "sources" | "isSearched" | "refines" | "specification"
> {
  /** Time limit of a handler. */
  readonly handlerMs?: number;
}

class Loader {
  readonly #source: SystemSource;
  readonly #options: SourceOptions;

  readonly #ignore: readonly string[];

  readonly #isWatched: boolean;

  constructor(
    source: SystemSource,
    options: SourceOptions,
    ignore: readonly string[] = [],
    isWatched = false,
  ) {
    this.#source = source;
    this.#options = options;
    this.#ignore = ignore;
    this.#isWatched = isWatched;
  }

  subject(opaque: readonly OpaqueNode[]): NodesSubject {
    try {
      return this.#make(opaque);
    } catch (error) {
      if (!(error instanceof OpaqueNode) || opaque.some(({ node }) => node === error.node)) throw error;
      return this.subject([...opaque, error]);
    }
  }

  #make(opaque: readonly OpaqueNode[]): NodesSubject {
    const replayed = new Set(opaque.map(({ node }) => node));
    const { specification } = this.#options;
    const made = makeModel(this.#source, this.#modelOptions(replayed));
    const model = specification ? withRefinement(made, specification) : made;
    const because = (found: OpaqueNode): NodesSubject => this.subject([...opaque, found]);
    return {
      kind: "nodes",
      properties: model.properties,
      model,
      source: this.#source,
      specification,
      opaque,
      because,
      again: () => this.subject(opaque),
      watched: () =>
        this.#isWatched
          ? undefined
          : new Loader(this.#source, this.#options, this.#ignore, true).subject(opaque),
      ignoring: (paths) => new Loader(this.#source, this.#options, paths).subject(opaque),
      sharing: () => sharedModel(this.#source, this.#modelOptions(replayed)),
    };
  }

  #modelOptions(replayed: ReadonlySet<string>): SystemModelOptions {
    const { sources, handlerMs = HANDLER_MS } = this.#options;
    const watch = this.#isWatched ? { every: 1 } : undefined;
    return { replayed, ignore: this.#ignore, sources, timeoutMs: handlerMs, watch };
  }
}

/** Most handlers take less than a thousandth of this. */
const HANDLER_MS = 1000;

/** Explores the first states, to detect most replayed nodes before the search. */
function probed(subject: NodesSubject, isSearched: boolean): NodesSubject {
  try {
    probe(subject.model);
    return subject;
  } catch (error) {
    const isForSearch = [BadCondition, Disturbed, NotSupported].some((kind) => error instanceof kind);
    if (isForSearch && isSearched) return subject;
    if (!(error instanceof OpaqueNode) || subject.opaque.some(({ node }) => node === error.node)) throw error;
    return probed(subject.because(error), isSearched);
  }
}

function probe({ system, invariants, holds }: SystemModel): void {
  const out = new Successors(system.width);
  system.initial(out);
  if (out.isDead(0)) return;
  const queue = [out.words.slice(0, system.width)];
  const seen = new Set(queue.map((words) => words.join()));
  const began = process.cpuUsage();
  for (const state of queue) {
    const { user, system: kernel } = process.cpuUsage(began);
    if (queue.length > PROBE_STATES || (user + kernel) / 1000 > PROBE_PROCESSOR_MS) return;
    invariants.forEach((_, index) => holds(index, state, 0));
    out.clear();
    system.successors(state, 0, out);
    for (let i = 0; i < out.count; i++) {
      const words = out.stateAt(i);
      if (out.flags[i] === 0 && !seen.has(words.join())) {
        seen.add(words.join());
        queue.push(words);
      }
    }
  }
}

const PROBE_STATES = 300;
/** Generous, and in processor time: state numbers start here, and a seed must give the same run on a busy machine. */
const PROBE_PROCESSOR_MS = 3000;
