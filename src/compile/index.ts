/**
 * From a `Program` to a `Model` that can be searched, replayed and shown.
 *
 * Two implementations of the same semantics: `codegen/` makes JavaScript for searching, `interpreter/` follows
 * the program statement by statement for people (simulation, traces, the explorer). Every trace that a search
 * finds is replayed through the interpreter before it is shown, so each checks the other.
 * `layout.ts` says where everything stands in a state, `ranges.ts` how fields become narrower, `analyse.ts` what a
 * program uses.
 */
import {
  LayoutExceeded,
  type Coverage,
  type Edge,
  type Model,
  type Program,
  type Property,
  type Sources,
  type Words,
} from "../model/index.js";
import { analyse, type Analysis } from "./analyse.js";
import { generate } from "./codegen/index.js";
import { interpret } from "./interpreter/index.js";
import { layOut } from "./layout.js";
import { StateMeter } from "./meter.js";
import { withMoreRoom, withProcess, type Guess } from "./ranges.js";
import { walkTowardsNews } from "./sample.js";

export { Unsupported } from "./codegen/index.js";

export interface CompiledModel extends Model {
  /** The generated JavaScript. */
  readonly code: string;
}

export interface CompileOptions {
  /** Note which assignments cut a value to fit its variable. */
  readonly notesTruncation?: boolean;
}

export function compile(program: Program, sources: Sources, options: CompileOptions = {}): CompiledModel {
  const parts = program.templates.flatMap((t) =>
    t.locations.flatMap((l) => l.edges.map((e) => ({ owner: t.name, text: e.text, span: e.span }))),
  );
  const coverage = { parts, reached: new Uint8Array(parts.length) };
  const truncation = options.notesTruncation ? { parts, reached: new Uint8Array(parts.length) } : undefined;
  return compileWith({ program, sources, analysis: analyse(program), coverage, truncation });
}

interface Compilation {
  readonly program: Program;
  readonly sources: Sources;
  readonly analysis: Analysis;
  /** Shared by all layouts of the program. */
  readonly coverage: Coverage;
  readonly truncation: Coverage | undefined;
}

/** Without a guess at what the states will hold there is room for everything. */
function compileWith(compilation: Compilation, guess?: Guess, retries = 0): CompiledModel {
  const { program, sources, analysis, coverage, truncation } = compilation;
  const layout = layOut(program, analysis, guess);
  const retry = (better: (guess: Guess) => Guess): never => {
    const next = guess && retries < MOST_RETRIES ? better(guess) : undefined;
    throw new LayoutExceeded(() => compileWith(compilation, next, retries + 1));
  };
  const system = generate(program, layout, analysis, {
    where: (edge) => describeEdge(edge, sources),
    reached: coverage.reached,
    truncated: truncation?.reached,
    onWide: (leaf) => retry((g) => withMoreRoom(program, g, leaf)),
    onUnplanned: (process, template) => retry((g) => withProcess(program, g, process, template)),
  });
  const invariants = program.invariants.map((i): Property => ({
    name: i.name,
    kind: "invariant",
    span: i.span,
  }));
  return {
    code: system.code,
    system,
    steps: interpret(program, layout, analysis),
    properties: [...safetyProperties(program), ...invariants],
    invariants,
    sites: program.sites,
    holds: (index, state, at) => system.holds(index, state, at),
    coverage,
    ...(truncation ? { truncation } : {}),
    ...(guess
      ? {}
      : {
          compact: (states: (index: number) => Words, count: number): Model => {
            const meter = new StateMeter(program, layout);
            for (let i = 0; i < count; i++) meter.add(states(i), 0, system.width);
            // A search begins in a corner of the state space; walks see more of it.
            walkTowardsNews(system, (words, at) => meter.add(words, at, system.width));
            return compileWith(compilation, meter.guess());
          },
        }),
  };
}

/** After so many wrong guesses we stop guessing. */
const MOST_RETRIES = 12;

function describeEdge(edge: Edge, sources: Sources): string {
  const { line } = sources.position(edge.span.file, edge.span.start);
  return `${edge.span.file}:${line}: ${edge.text.replace(/\s+/g, " ")}`;
}

/** What every program is asked, declared or not. */
function safetyProperties(program: Program): Property[] {
  const properties: Property[] = [{ name: "deadlock", kind: "deadlock", span: undefined }];
  if (program.sites.some((s) => s.fault === "assertion"))
    properties.unshift({ name: "assertions", kind: "assertion", span: undefined });
  if (program.sites.some((s) => s.fault !== "assertion"))
    properties.push({ name: "runtime errors", kind: "runtime", span: undefined });
  return properties;
}
