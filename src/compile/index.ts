/**
 * From a `Program` to a `Model` that can be searched, replayed and shown.
 *
 * Implements the semantics twice: `codegen/` generates JavaScript for searching, `interpreter/` follows the program
 * statement by statement for people (simulation, traces, the explorer). The interpreter replays every trace of a search
 * before it is shown, so each checks the other. `layout.ts` places everything in a state, `ranges.ts` narrows fields,
 * `analyse.ts` finds the features a program uses.
 */
import {
  LayoutExceeded,
  type Candidacy,
  type Coverage,
  type Edge,
  type FaultKind,
  type Model,
  type Move,
  type ObservedSystem,
  type Program,
  type Property,
  type Recipe,
  type Sources,
  type System,
  type Temporal,
  type Words,
} from "../model/index.js";
import { analyse, type Analysis } from "./analyse.js";
import { automataOf } from "./control.js";
import { boundsOf, isBounded, withBounds, type Bounds } from "./bounds.js";
import { generate, type Surroundings } from "./codegen/index.js";
import { interpret } from "./interpreter/index.js";
import { initialWords, layOut, type Layout } from "./layout.js";
import { StateMeter } from "./meter.js";
import { withMoreRoom, withMoreRoomForAll, withProcess, type Guess, type Range } from "./ranges.js";
import { walkTowardsNews } from "./sample.js";
import type { ProcessSymmetry } from "../model/symmetry.js";
import { Canonicaliser, representing } from "./symmetry/index.js";

export { Unsupported } from "./codegen/index.js";
export { CommonStates } from "./common-states.js";
export { Canonicaliser, ProcessRenamer, settle } from "./symmetry/index.js";

export interface CompiledModel extends Model {
  /** The generated JavaScript, for people. */
  code(): string;
  /** Positions of everything in its states. */
  readonly layout: Layout;
  /** The move behind each entry that `steps.successors` yields there. */
  movesAt(state: Words, at: number): readonly Move[];
}

export interface CompileOptions {
  /** Record assignments that truncate a value. */
  readonly notesTruncation?: boolean;
  /** Processes that partial-order reduction may explore alone. */
  readonly candidacy?: Candidacy | undefined;
  /** Replaces states by representatives; absent: no reduction. */
  readonly symmetry?: ProcessSymmetry | undefined;
}

export function compile(program: Program, sources: Sources, options: CompileOptions = {}): CompiledModel {
  return compileWith(compilationOf(program, (edge) => describeEdge(edge, sources), options));
}

function compilationOf(
  program: Program,
  where: (edge: Edge) => string,
  options: CompileOptions,
): Compilation {
  const parts = program.templates.flatMap((t) =>
    t.locations.flatMap((l) => l.edges.map((e) => ({ owner: t.name, text: e.text, span: e.span }))),
  );
  const coverage = { parts, reached: new Uint8Array(parts.length) };
  const truncation = options.notesTruncation ? { parts, reached: new Uint8Array(parts.length) } : undefined;
  const analysis = analyse(program);
  let found: Bounds | undefined;
  const bounds = (): Bounds => (found ??= boundsOf(program, analysis));
  return { program, where, analysis, bounds, coverage, truncation, options };
}

/** Plain data from which a thread compiles the same model again. */
interface CompileData {
  readonly program: Program;
  readonly options: CompileOptions;
}

/** In JSON form. */
interface CompileLayout {
  readonly guess?: {
    readonly plan?: readonly number[] | undefined;
    readonly ranges: readonly (Range | undefined | null)[];
  };
  readonly retries: number;
}

export const COMPILER = "compile";

/** The model of a recipe made by `COMPILER`; its states have at least `width` words. */
export function compileRecipe({ data, layout }: Recipe, width: number): CompiledModel {
  const { program, options } = data as CompileData;
  const { guess, retries } = layout as CompileLayout;
  const compilation = compilationOf(program, (edge) => edge.text, options);
  if (!guess) return compileWith(compilation, undefined, retries, width);
  const ranges = guess.ranges.map((range) => range ?? undefined);
  return compileWith(compilation, { plan: guess.plan, ranges }, retries, width);
}

interface Compilation {
  readonly program: Program;
  /** For comments in the code: file, line and text of a statement. */
  readonly where: (edge: Edge) => string;
  readonly analysis: Analysis;
  readonly bounds: () => Bounds;
  /** Shared by all layouts of the program. */
  readonly coverage: Coverage;
  readonly truncation: Coverage | undefined;
  readonly options: CompileOptions;
}

/** Without a guess, every value has its declared width. */
function compileWith(compilation: Compilation, guess?: Guess, retries = 0, width = 0): CompiledModel {
  const { program, where, analysis, coverage, truncation, options } = compilation;
  const layout = layOut(program, analysis, guess);
  const retry = (better: (guess: Guess) => Guess): never => {
    const wider = (g: Guess): Guess => {
      if (retries === 0) return withBounds(g, compilation.bounds());
      return retries === PATIENT_RETRIES ? withMoreRoomForAll(program, g, analysis) : g;
    };
    const next = guess && retries < MOST_RETRIES ? wider(better(guess)) : undefined;
    throw new LayoutExceeded(() => compileWith(compilation, next, retries + 1));
  };
  const surroundings: Surroundings = {
    where,
    width,
    reached: coverage.reached,
    truncated: truncation?.reached,
    candidacy: options.candidacy,
    onWide: (leaf, value) => retry((g) => withMoreRoom(program, g, leaf, value)),
    onUnplanned: (process, template) => retry((g) => withProcess(program, g, process, template)),
  };
  const { symmetry } = options;
  const canonicaliser = symmetry && new Canonicaliser(program, layout, symmetry);
  const represented = <S extends System>(all: S): S =>
    canonicaliser ? representing(all, canonicaliser) : all;
  // The sampling walks before a search need the agents.
  const writesAgents = guess === undefined;
  const system = represented(generate(program, layout, analysis, { ...surroundings, writesAgents }));
  const steps = represented(interpret(program, layout, analysis, width));
  let labelled: ObservedSystem | undefined;
  const temporal: Temporal = {
    properties: program.temporal ?? [],
    system,
    steps,
    labelled: () =>
      (labelled ??=
        writesAgents && !symmetry
          ? system
          : generate(program, layout, analysis, { ...surroundings, writesAgents: true })),
    agents: analysis.hasRun ? undefined : program.instances.length,
  };
  const invariants = program.invariants.map((i): Property => ({
    name: i.name,
    kind: "invariant",
    span: i.span,
  }));
  return {
    code: () => system.code(),
    layout,
    system,
    steps,
    movesAt: (state, at) => steps.movesAt(state, at),
    properties: [...safetyProperties(program), ...invariants, ...temporal.properties],
    invariants,
    temporal,
    sites: program.sites,
    holds: system.holds,
    coverage,
    control: {
      get automata() {
        return automataOf(program);
      },
      standing: (state, at) => steps.standing(state, at),
    },
    recipe: {
      maker: COMPILER,
      data: { program, options } satisfies CompileData,
      layout: { ...(guess ? { guess } : {}), retries } satisfies CompileLayout,
    },
    ...(truncation ? { truncation } : {}),
    // Representatives need processes in blocks of equal layout.
    ...(guess || symmetry
      ? {}
      : {
          compact: (states: (index: number) => Words, count: number): Model => {
            const meter = new StateMeter(program, layout);
            for (let i = 0; i < count; i++) meter.add(states(i), 0, system.width);
            const bounded = boundedGuess(compilation, meter.guess());
            if (bounded) return compileWith(compilation, bounded);
            // A search begins in a corner of the state space; walks see more of it.
            walkTowardsNews(temporal.labelled(), (words, at, width) => meter.add(words, at, width));
            return compileWith(compilation, chooseGuess(compilation, meter.guess()));
          },
        }),
  };
}

/** Room for all values that the program can assign, unless states become wider by half: another layout costs as much as 50,000 states. */
function chooseGuess({ program, analysis, bounds }: Compilation, seen: Guess): Guess {
  const possible = withBounds(seen, bounds());
  const words = (guess: Guess): number => initialWords(program, layOut(program, analysis, guess));
  return words(possible) < 1.5 * words(seen) ? possible : seen;
}

/** The guess that walks would not change: all processes and all ranges are known. */
function boundedGuess(compilation: Compilation, seen: Guess): Guess | undefined {
  if (compilation.analysis.hasRun || !isBounded(seen, compilation.bounds())) return undefined;
  const chosen = chooseGuess(compilation, seen);
  return chosen === seen ? undefined : chosen;
}

/** Retries after which every scalar gets more room. */
const PATIENT_RETRIES = 1;
/** Retries after which all scalars get their declared width. */
const MOST_RETRIES = 12;

function describeEdge(edge: Edge, sources: Sources): string {
  const { line } = sources.position(edge.span.file, edge.span.start);
  return `${edge.span.file}:${line}: ${edge.text.replace(/\s+/g, " ")}`;
}

/** Properties of every program, declared or not. */
function safetyProperties(program: Program): Property[] {
  const properties: Property[] = [{ name: "deadlock", kind: "deadlock", span: undefined }];
  if (program.sites.some((s) => s.fault === "assertion"))
    properties.unshift({ name: "assertions", kind: "assertion", span: undefined });
  if (program.sites.some((s) => !STATED.has(s.fault)))
    properties.push({ name: "runtime errors", kind: "runtime", span: undefined });
  for (const kind of ["trace", "notrace"] as const) {
    const site = program.sites.find((s) => s.fault === kind);
    if (site) properties.push({ name: kind, kind, span: site.span });
  }
  return properties;
}

/** Faults with separate properties. */
const STATED: ReadonlySet<FaultKind> = new Set(["assertion", "trace", "notrace", "never"]);
