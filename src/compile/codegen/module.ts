/**
 * The whole generated module: its state (`entries.ts`), the functions of `edges.ts`, and the few that connect them. Only
 * program-dependent code is generated; `runtime` (in `index.ts`) drives it.
 */
import type { Candidacy, Program } from "../../model/index.js";
import type { Analysis } from "../analyse.js";
import type { Layout } from "../layout.js";
import { CandidateEmitter } from "./candidates.js";
import { ChannelShapes } from "./channels.js";
import { Creation } from "./creation.js";
import { EdgeEmitter } from "./edges.js";
import { emitState, emitTake } from "./entries.js";
import { emitExpansion } from "./expansion.js";
import { Emitter } from "./expressions.js";
import { Moving } from "./moving.js";
import { emitInvariants, emitQuestions, emitStatus, emitValuation } from "./observing.js";
import { emitWalk } from "./processes.js";
import { SOURCE, type Scope } from "./scope.js";
import type { EdgeOptions } from "./taking.js";
import { block } from "./unit.js";
import { firstEdges, unitsOf, type Units } from "./units.js";

export function emitModule(
  program: Program,
  layout: Layout,
  analysis: Analysis,
  options: EdgeOptions,
  candidacy?: Candidacy,
): string {
  return new ModuleEmitter(program, layout, analysis, options).emit(candidacy);
}

class ModuleEmitter {
  readonly #program: Program;
  readonly #layout: Layout;
  readonly #analysis: Analysis;
  readonly #shapes: ChannelShapes;
  readonly #em: Emitter;
  readonly #edges: EdgeEmitter;
  readonly #units: Units;
  readonly #creation: Creation;
  readonly #moving: Moving;

  constructor(program: Program, layout: Layout, analysis: Analysis, options: EdgeOptions) {
    this.#program = program;
    this.#layout = layout;
    this.#analysis = analysis;
    this.#shapes = new ChannelShapes(program, layout, analysis);
    this.#em = new Emitter(program, layout, analysis, this.#shapes);
    this.#edges = new EdgeEmitter(this.#em, firstEdges(program), options);
    this.#units = unitsOf(program, layout, analysis);
    this.#creation = new Creation(this.#em, analysis);
    this.#moving = new Moving(this.#em, this.#units, analysis);
  }

  emit(candidacy: Candidacy | undefined): string {
    const parts = [
      emitState(this.#program, this.#layout, this.#units.isFixedWidth),
      emitWalk(this.#layout, this.#shapes),
      this.#shapes.emitOperations(),
      ...this.#creation.functions(),
      ...this.#units.units.flatMap((u) => [this.#edges.step(u), this.#edges.chain(u)]),
      ...(this.#analysis.hasRendezvous
        ? [...this.#units.units.map((u) => this.#edges.meet(u)), this.#moving.meet()]
        : []),
      this.#moving.move(),
      emitQuestions(this.#program, this.#layout),
      this.#moving.questions(),
      this.#initial(),
      this.#expand(),
      emitStatus(this.#em),
      emitInvariants(this.#em, this.#analysis),
      emitValuation(this.#em, this.#analysis),
      candidacy ? this.#candidates(candidacy) : "",
      `/** From now on states have at least so many words. */
function widen(width) {
  stride = Math.max(stride, Math.min(width, s.length - 1));
}`,
      `return { load, initial, expand, status, holds, valuation, ${candidacy ? "propose, expandAgent, " : ""}widen, width: () => stride };`,
    ];
    return parts.filter((p) => p !== "").join("\n\n");
  }

  #initial(): string {
    const scope: Scope = { array: "w", pid: "-1", base: "0", record: undefined };
    const lines = [
      ...this.#creation.initialise(this.#program.initialisers, scope, this.#layout.globalChannels),
      ...this.#program.instances.map(({ template, arguments: values }) => {
        const { priority } = this.#program.templates[template]!;
        return `spawn_${template}(${[-1, -1, priority, ...values.map((v) => this.#em.value(v, scope))].join(", ")});`;
      }),
    ];
    const temporaries = this.#em.takeTemporaries();
    this.#em.takeFaultFlag();
    return `function initial() {
  ${temporaries}
  s.fill(0);
  // A search that ended by an exception may have left a fault.
  fault = 0; failed = 0; intermediate = false;
  np = 0; nq = 0; end = ${this.#layout.fixedWords};
  fork();
${lines.join("\n")}
  flags[n] = fault !== 0 ? 1 | fault << 2 : failed > 0 ? failures[0] + 1 << 2 : 0;
  out.isFlagged = flags[n] !== 0;
  fault = 0; failed = 0;
}`;
  }

  #expand(): string {
    const { exclusive } = this.#layout;
    const again = this.#analysis.hasTimeout
      ? "\n  if (n === first) { timeout = true; moveAll(); timeout = false; }"
      : "";
    const moves = exclusive
      ? `const owner = ${this.#em.places.scalar(exclusive, SOURCE, 0)};
  if (owner !== 0) { ${this.#em.places.setScalar(exclusive, SOURCE, 0, "0")} }
  moveThose(owner);
  if (owner !== 0) {
    if (n === first) { fork(); labels[n] = 0; n++; o += stride; } // blocked: control is lost
    return;
  }`
      : "moveAll();";
    const those = exclusive
      ? `
/** The owner of an atomic sequence, or all; a kernel has this as one loop. */
function moveThose(owner) {
  if (owner === 0) moveAll();
  else ${this.#program.rules.usesPriorities ? "if (isHighest(owner - 1)) " : ""}move(owner - 1);
}`
      : "";
    return `function take(state, at, width) {
${emitTake(this.#program, this.#layout, this.#units.isFixedWidth)}
}
${emitExpansion("expand(state, at, target)", "expandTaken(first);")}
function expandTaken(first) {
  ${moves}${again}
}${those}`;
  }

  #candidates(candidacy: Candidacy): string {
    const candidates = new CandidateEmitter(this.#em, candidacy);
    const { exclusive } = this.#layout;
    const inside = exclusive
      ? `if (${this.#em.places.scalar(exclusive, SOURCE, 0)} !== 0) return false;`
      : "";
    return [
      ...this.#units.units.map((u) => candidates.unit(u)),
      block("function isCandidate(p)", `${this.#moving.dispatch("isCandidate", "return")}\nreturn false;`),
      candidates.creators(),
      candidates.entryPoints(inside),
    ].join("\n");
  }
}
