/**
 * Decisions on one path: conditions that hold, conditions that may hold, and forks.
 *
 * A fork is a copy of the state before the current instruction, with one more literal in its path condition; it executes the
 * instruction again. So an instruction must make all its decisions before its first effect.
 */
import type { Span } from "../../model/diagnostic.js";
import type { Module, ProgramInputs } from "../../model/module.js";
import type { Solver } from "../../model/solver.js";
import { evaluate, type Term } from "../../model/terms.js";
import { Arithmetic } from "./arithmetic.js";
import type { Bits } from "./bits.js";
import type { Provided } from "./calls.js";
import type { PathEnd, PathState, Violation } from "./state.js";
import { isTerm, Partial, Pointer, type Value } from "./values.js";

/** Ends a path. */
export class Ended extends Error {
  constructor(readonly end: PathEnd) {
    super("the path ends");
  }
}

/** Reasons why an analysis without errors does not show that there are none. */
export type Gap = "solver" | "float" | "address" | "limit";

export interface MachineHost {
  readonly module: Module;
  readonly inputs: ProgramInputs;
  /** Undefined: a run with concrete inputs only. */
  readonly solver: Solver | undefined;
  /** Values of a concrete run, in order; undefined: inputs are symbolic. */
  readonly given: ((bits: number) => bigint | undefined) | undefined;
  /** Largest number of decisions on a path. */
  readonly maxDepth: number;
  onFork(state: PathState): void;
  /** Replaces the decision of an engine that lets a path continue with both answers, or decides later. */
  decide?(state: PathState, condition: Term): boolean;
  /** Called before a value of the path's model is used. */
  onModel?(): void;
  /** An input is requested. */
  onRequest?(state: PathState, variables: readonly Term[]): void;
  onGap(gap: Gap, detail: string): void;
  /** Standard input is read. */
  onInput(): void;
  /** Functions for the calls of one kind of program, in addition to those of the executor. */
  provides?(name: string): Provided | undefined;
  /** May change the state in which a path ends, so that the path continues. */
  recovers?(state: PathState, end: PathEnd, machine: Machine): boolean;
}

/** What a run needs to know about a program. */
export interface Runnable extends Pick<MachineHost, "module" | "inputs" | "provides" | "recovers"> {
  readonly module: Module;
}

export class Machine {
  readonly host: MachineHost;
  readonly bits: Bits;
  readonly arithmetic: Arithmetic;
  /** Addresses of globals and functions. */
  readonly symbols = new Map<string, number>();

  constructor(host: MachineHost, bits: Bits) {
    this.host = host;
    this.bits = bits;
    this.arithmetic = new Arithmetic(bits);
  }

  /** Does a condition hold on this path? If both answers are possible, the other one becomes a fork. */
  decide(state: PathState, condition: Value): boolean {
    if (typeof condition === "number" || typeof condition === "bigint") return Number(condition) !== 0;
    const term = this.#condition(state, condition);
    if (term.kind === "constant") return term.value === 1n;
    const known = state.known.get(term.id);
    if (known !== undefined) return known;
    if (this.host.decide) return this.host.decide(state, term);
    if (state.decisions >= this.host.maxDepth) throw new Ended({ kind: "cut" });
    const { terms } = this.bits;
    const isTrue = this.valueOf(state, term) === 1n;
    const other = isTrue ? terms.not(term) : term;
    const model = this.#satisfy(state, other);
    state.decisions++;
    if (model !== undefined) {
      const fork = state.fork();
      assume(fork, terms.not(other), other);
      fork.model = model;
      this.host.onFork(fork);
      assume(state, other, terms.not(other));
    } else note(state, other, terms.not(other)); // implied: the condition need not grow
    return isTrue;
  }

  #condition(state: PathState, condition: Value): Term {
    if (condition instanceof Partial)
      throw this.violation(state, "uninitialised", "a decision depends on a value that is not initialised"); // sound: test/engines/programs/checks.test.ts
    if (!isTerm(condition)) throw new Error("a condition is a Boolean");
    return condition;
  }

  /** Values for the variables that satisfy the path condition and `literal`; undefined: there are none. */
  #satisfy(state: PathState, literal: Term): ReadonlyMap<number, bigint> | undefined {
    const { solver } = this.host;
    if (!solver) throw new Error("a concrete run has no terms");
    const answer = solver.check([...state.condition, literal], { purpose: "feasibility" });
    if (answer.kind === "unsat") return undefined;
    if (answer.kind === "unknown") {
      this.host.onGap("solver", answer.reason); // sound: test/engines/programs/gaps.test.ts
      return undefined;
    }
    const found = solver.model();
    const model = new Map<number, bigint>();
    for (const { variables } of state.inputs)
      for (const variable of variables)
        if (variable.kind === "variable") model.set(variable.id, found.value(variable));
    return model;
  }

  /** The value of a term in the model of the path. */
  valueOf(state: PathState, term: Term): bigint {
    if (term.kind === "constant") return term.value;
    this.host.onModel?.();
    return evaluate(term, { value: ({ id }) => state.model.get(id) ?? 0n });
  }

  /** A value for a term on this path; the other values become forks. */
  concretise(state: PathState, value: Value, bits: number): bigint {
    if (typeof value === "number" || typeof value === "bigint") return BigInt(value);
    if (value instanceof Partial)
      throw this.violation(state, "uninitialised", "a value that is not initialised is used");
    if (value instanceof Pointer) return this.expose(state, value);
    if (!isTerm(value)) throw new Error("a structure has no number");
    const found = this.valueOf(state, value);
    const isIt = this.bits.equal(value, this.bits.constant(bits, found));
    this.decide(state, isIt); // sound: test/engines/programs/forks.test.ts
    return found;
  }

  /** A value for a term that stands for all of its values: the analysis is then incomplete. */
  pin(state: PathState, term: Term, bits: number, gap: Gap, detail: string): bigint {
    const found = this.valueOf(state, term);
    const isIt = this.bits.equal(term, this.bits.constant(bits, found));
    if (isIt.kind !== "constant" && state.known.get(isIt.id) !== true) {
      if (this.#satisfy(state, this.bits.terms.not(isIt))) this.host.onGap(gap, detail); // sound: test/engines/programs/gaps.test.ts
      assume(state, this.bits.terms.not(isIt), isIt);
    }
    return found;
  }

  /** Drops the path unless `condition` can hold; continues with the inputs for which it does. */
  assume(state: PathState, condition: Value): void {
    if (!this.decide(state, condition)) throw new Ended({ kind: "dropped" });
  }

  /** The number of an address. Real programs have others, so an analysis that depends on it is incomplete. */
  expose(state: PathState, { object, offset }: Pointer): bigint {
    if (object !== 0) {
      this.host.onGap("address", "the program computes with the numbers of addresses"); // sound: test/engines/programs/gaps.test.ts
      state.exposed.add(object);
    }
    const base = object === 0 ? 0 : (state.objects.get(object)?.base ?? 0);
    const at = isTerm(offset) ? BigInt.asIntN(64, this.concretise(state, offset, 64)) : BigInt(offset);
    return BigInt.asUintN(64, BigInt(base) + at);
  }

  violation(state: PathState, kind: Violation, message: string): Ended {
    const { span, within } = this.position(state);
    const text = within === undefined ? message : `${message}, in a call of '${within}'`;
    return new Ended({ kind: "error", error: { kind, message: text, span } });
  }

  unsupported(state: PathState, what: string): Ended {
    return new Ended({ kind: "unsupported", what, span: this.position(state).span });
  }

  /** In the user's code: of the innermost call from there, if a model of the library runs. */
  position(state: PathState): { readonly span: Span | undefined; readonly within: string | undefined } {
    let within: string | undefined;
    for (const { fn, block, at } of state.frames.toReversed()) {
      if (fn.isLibrary) {
        within = fn.name.replace(/^everypath_/, "");
        continue;
      }
      const found = fn.blocks[block];
      const here = found?.instructions[at] ?? found?.end;
      return { span: here?.span ?? fn.span, within };
    }
    return { span: undefined, within };
  }
}

export function assume(state: PathState, excluded: Term, literal: Term): void {
  state.condition.push(literal);
  note(state, excluded, literal);
}

function note(state: PathState, excluded: Term, literal: Term): void {
  state.known.set(literal.id, true);
  state.known.set(excluded.id, false);
}
