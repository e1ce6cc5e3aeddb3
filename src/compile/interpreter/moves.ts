/**
 * The steps of a state in order: processes from youngest to oldest, edges in order, one entry each; a rendezvous send has
 * one entry per matching receive.
 *
 * `timeout` holds in a second pass, made only if the first found no entry, not even a fault.
 */
import type { Edge, Program } from "../../model/index.js";
import { siteOf, type Scope } from "./evaluate.js";
import { Executor, Run } from "./execute.js";
import { afterSending, Rules, type Offer, type Partner } from "./readiness.js";
import type { Recorder } from "./recorder.js";
import type { State } from "./state.js";

/** One entry of the successors. */
export interface Outcome<R extends Recorder> {
  /** Undefined: a fault without a successor. */
  readonly state: State | undefined;
  /** The first fault, or -1. */
  readonly fault: number;
  readonly process: number;
  /** The recorded description, if requested; absent for a fault in a guard. */
  readonly told: R | undefined;
  /** The statement tried; undefined for a fault in a `provided` clause. */
  readonly edge: Edge | undefined;
  /** The receiver of a rendezvous and its statement. */
  readonly partner: { readonly process: number; readonly edge: Edge } | undefined;
}

export class Moves {
  readonly rules: Rules;
  readonly executor: Executor;
  readonly #program: Program;
  readonly #hasTimeout: boolean;

  constructor(program: Program, hasTimeout: boolean) {
    this.#program = program;
    this.#hasTimeout = hasTimeout;
    this.rules = new Rules(program);
    this.executor = new Executor(program, this.rules);
  }

  of<R extends Recorder>(source: State, listen: () => R | undefined): Outcome<R>[] {
    const found = new Pass(this, this.#program, source, false, listen).outcomes();
    // sound: test/compile/cases/control.test.ts
    if (found.length > 0 || !this.#hasTimeout) return found;
    return new Pass(this, this.#program, source, true, listen).outcomes();
  }

  /** Does no process move unless `timeout` holds? */
  isStuck(source: State): boolean {
    return new Pass(this, this.#program, source, false, () => undefined).outcomes().length === 0;
  }
}

class Pass<R extends Recorder> {
  readonly #rules: Rules;
  readonly #executor: Executor;
  readonly #program: Program;
  readonly #source: State;
  readonly #timeout: boolean;
  readonly #listen: () => R | undefined;
  readonly #found: Outcome<R>[] = [];

  constructor(moves: Moves, program: Program, source: State, timeout: boolean, listen: () => R | undefined) {
    this.#rules = moves.rules;
    this.#executor = moves.executor;
    this.#program = program;
    this.#source = source;
    this.#timeout = timeout;
    this.#listen = listen;
  }

  outcomes(): Outcome<R>[] {
    const { exclusive, processes } = this.#source;
    for (let process = processes.length - 1; process >= 0; process--)
      // sound: test/compile/cases/control.test.ts
      if (exclusive < 0 || exclusive === process) this.#process(process);
    return this.#found;
  }

  #process(process: number): void {
    const scope: Scope = { state: this.#source, self: process, timeout: this.#timeout };
    if (!this.#tryOut(process, undefined, () => this.#rules.mayMove(scope))) return;
    const first = this.#found.length;
    let group = 0;
    for (const edge of this.#rules.locationOf(this.#source, process).edges) {
      // sound: test/compile/cases/control.test.ts
      if (group !== 0 && edge.escapeGroup !== group) continue;
      const before = this.#found.length;
      // sound: test/compile/cases/control.test.ts
      this.#tryOut(process, edge, () => this.#edge(edge, scope, before > first));
      if (this.#found.length > before) group = edge.escapeGroup;
    }
  }

  #edge(edge: Edge, scope: Scope, hasMoved: boolean): boolean {
    const readiness = this.#rules.readiness(edge, scope, hasMoved);
    if (readiness.kind === "offer") this.#offer(readiness.offer);
    else if (readiness.kind === "ready")
      this.#take(scope.self, edge, (run) => this.#executor.move(run, scope.self, edge));
    return readiness.kind !== "blocked";
  }

  #offer(offer: Offer): void {
    const { sender, edge } = offer;
    const target = this.#program.templates[this.#source.processes[sender]!.template]!.locations[edge.to]!;
    // Spin: "rv-attempt in d_step". The step could not continue at once, because the receiver moves first.
    // sound: test/compile/cases/handshakes.test.ts
    if (target.inside === "step") return this.#fail(sender, edge, target.blockedSite);
    for (const partner of this.#rules.partners(offer, afterSending(offer, this.#source), this.#timeout))
      this.#handshake(offer, partner);
  }

  #handshake(offer: Offer, { process, edge, fault }: Partner): void {
    // sound: test/compile/cases/handshakes.test.ts test/compile/conditions.test.ts
    if (fault >= 0 || !edge) return this.#fail(process, edge, fault);
    const act = (run: Run): void => this.#executor.handshake(run, offer, process, edge);
    this.#take(offer.sender, offer.edge, act, { process, edge });
  }

  #take(process: number, edge: Edge, act: (run: Run) => void, partner?: Outcome<R>["partner"]): void {
    const told = this.#listen();
    const run = new Run(this.#source.clone(), this.#timeout, told);
    let state: State | undefined = run.state;
    try {
      act(run);
    } catch (e) {
      run.note(siteOf(e));
      state = undefined;
    }
    const [fault = -1, ...others] = run.failures;
    this.#found.push({ state, fault, process, told, edge, partner });
    for (const other of others)
      this.#found.push({ state: undefined, fault: other, process, told, edge, partner });
  }

  /** A fault during a test of executability is an entry without a successor. */
  #tryOut(process: number, edge: Edge | undefined, test: () => boolean): boolean {
    try {
      return test();
    } catch (e) {
      this.#fail(process, edge, siteOf(e));
      return false;
    }
  }

  #fail(process: number, edge: Edge | undefined, fault: number): void {
    this.#found.push({ state: undefined, fault, process, told: undefined, edge, partner: undefined });
  }
}
