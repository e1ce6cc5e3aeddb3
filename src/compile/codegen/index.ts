/**
 * From a `Program` to a fast `System`: JavaScript specialised to the model.
 *
 * Read `scope.ts` (the states that code reads and writes), `expressions.ts`, `channels.ts`, `edges.ts` (the steps of a
 * process), then `module.ts` (the whole, with creation of processes in `creation.ts`).
 *
 * Invariant: the entries are the interpreter's, except that an indivisible or atomic sequence is one entry until it
 * branches, and a failed assertion is a separate entry beside its successor.
 */
import {
  Successors,
  type Candidacy,
  type Candidates,
  type Edge,
  type ObservedSystem,
  type Program,
  type Words,
} from "../../model/index.js";
import type { Analysis } from "../analyse.js";
import type { Layout } from "../layout.js";
import { laidOut } from "./laid-out.js";
import { emitModule } from "./module.js";

export { Unsupported } from "./unsupported.js";

export interface CompiledSystem extends ObservedSystem {
  /** The generated text for people: indented, with the statements as comments. */
  code(): string;
  readonly holds: (index: number, state: Words, at: number) => boolean;
}

export interface Surroundings {
  /** For comments: file, line and text of a statement. */
  readonly where: (edge: Edge) => string;
  /** One byte per edge, in program order: set when the edge is executed. */
  readonly reached: Uint8Array;
  /** Likewise: set when the edge truncated a value. Absent: not recorded. */
  readonly truncated: Uint8Array | undefined;
  /** A value does not fit the narrowed field of a leaf. */
  readonly onWide: (leaf: number, value: number) => never;
  /** Each entry's label names the movers. */
  readonly writesAgents?: boolean;
  /** Processes that may be explored alone. Absent: emits no code for it. */
  readonly candidacy?: Candidacy | undefined;
  /** Smallest number of words in a state. */
  readonly width?: number;
  /** A created process was planned otherwise, or not at all. */
  readonly onUnplanned: (process: number, template: number) => never;
}

export function generate(
  program: Program,
  layout: Layout,
  analysis: Analysis,
  {
    where,
    reached,
    truncated,
    onWide,
    onUnplanned,
    writesAgents = false,
    candidacy,
    width = 0,
  }: Surroundings,
): CompiledSystem {
  const emit = (comments?: (edge: Edge) => string): string => {
    const options = { where: comments, notesTruncation: truncated !== undefined, writesAgents };
    return emitModule(program, layout, analysis, options, candidacy);
  };
  const code = emit();
  const module = new Function("reached", "truncatedAt", "wide", "unplanned", "scratch", code)(
    reached,
    truncated,
    onWide,
    onUnplanned,
    new Successors(1),
  ) as GeneratedModule;
  module.widen(width);
  const step = {
    text: code,
    bindings: { reached, truncatedAt: truncated, wide: onWide, unplanned: onUnplanned },
    same: {
      successors: module.expand,
      holds: module.holds,
      propose: module.propose,
      successorsOf: module.expandAgent,
      status: module.status,
      valuation: module.valuation,
    },
  };
  return {
    code: () => laidOut(emit(where)),
    // sound: test/engines/explicit/wrapped.test.ts
    ...(layout.processes.kind === "planned" || !analysis.hasRun ? { step } : {}),
    get width() {
      return module.width();
    },
    compareFrom: layout.compareFrom,
    initial(out) {
      module.load(out);
      module.initial();
      out.count++;
    },
    successors: module.expand,
    status: module.status,
    holds: module.holds,
    valuation: module.valuation,
    ...(writesAgents ? { labels: "agents" as const } : {}),
    ...(candidacy ? { candidates: { propose: module.propose!, successorsOf: module.expandAgent! } } : {}),
  };
}

interface GeneratedModule {
  load(out: Successors): void;
  initial(): void;
  expand(state: Words, at: number, out: Successors): void;
  status(state: Words, at: number): number;
  holds(index: number, state: Words, at: number): boolean;
  valuation(index: number, state: Words, at: number): number;
  width(): number;
  /** Only with candidates. */
  propose?: Candidates["propose"];
  expandAgent?: Candidates["successorsOf"];
  widen(width: number): void;
}
