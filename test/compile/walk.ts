/** Steps through a system by hand: lists the choices of a state and follows one. */
import { analyse } from "../../src/compile/analyse.js";
import { interpret, type Interpreter } from "../../src/compile/interpreter/index.js";
import { layOut } from "../../src/compile/layout.js";
import {
  Entry,
  Status,
  Successors,
  faultSite,
  type Program,
  type System,
  type Words,
} from "../../src/model/index.js";

export function interpreterOf(program: Program): Interpreter {
  const analysis = analyse(program);
  return interpret(program, layOut(program, analysis), analysis);
}

export interface Offered {
  readonly words: Words;
  readonly isDead: boolean;
  readonly isIntermediate: boolean;
  /** Site, or -1. */
  readonly fault: number;
}

export function entries(out: Successors): Offered[] {
  return Array.from({ length: out.count }, (_, i) => ({
    words: out.words.slice(i * out.stride, (i + 1) * out.stride),
    isDead: (out.flags[i]! & Entry.dead) !== 0,
    isIntermediate: (out.flags[i]! & Entry.intermediate) !== 0,
    fault: faultSite(out.flags[i]!),
  }));
}

export function initialOf(system: System): Words {
  const out = new Successors(system.width);
  system.initial(out);
  return entries(out)[0]!.words;
}

export function successorsOf(system: System, state: Words): Offered[] {
  const out = new Successors(system.width, 1);
  system.successors(padded(state, system.width), 0, out);
  return entries(out);
}

export class Walk {
  readonly system: Interpreter;
  readonly program: Program;
  state: Words;

  constructor(program: Program) {
    this.program = program;
    this.system = interpreterOf(program);
    this.state = initialOf(this.system);
  }

  get offered(): Offered[] {
    return successorsOf(this.system, this.state);
  }

  /** The possible actions in order, as `process: action`, with `*` if control is kept, `!kind` for a fault. */
  get choices(): string[] {
    return this.offered.map(({ isIntermediate, isDead, fault }, choice) => {
      const { participants, action } = this.system.describe(this.state, 0, choice);
      const wrong = fault < 0 ? "" : ` !${this.program.sites[fault]!.fault}${isDead ? " dead" : ""}`;
      return `${participants.join("+")}: ${action}${isIntermediate ? " *" : ""}${wrong}`;
    });
  }

  get values(): Record<string, string> {
    return Object.fromEntries(this.system.snapshot(this.state, 0).map(({ name, value }) => [name, value]));
  }

  get isValidEnd(): boolean {
    return (this.system.status(this.state, 0) & Status.validEnd) !== 0;
  }

  get isIntermediate(): boolean {
    return (this.system.status(this.state, 0) & Status.intermediate) !== 0;
  }

  take(...choices: number[]): this {
    for (const choice of choices) {
      const next = this.offered[choice];
      if (!next || next.isDead) throw new Error(`choice ${choice} leads nowhere: ${this.choices.join(", ")}`);
      this.state = next.words;
    }
    return this;
  }
}

export interface Reached {
  /** Outside atomic sequences: the user's notion of states. */
  readonly states: number;
  /** Sites of faults, with the number of edges to each. */
  readonly faults: ReadonlyMap<number, number>;
  readonly deadlocks: number;
}

/** Naive search: every reachable state once. */
export function reachable(system: System, limit = 1_000_000): Reached {
  const seen = new Set<string>();
  const faults = new Map<number, number>();
  const queue = [initialOf(system)];
  let states = 0;
  let deadlocks = 0;
  const visit = (state: Words): void => {
    const key = keyOf(state, system.compareFrom);
    if (seen.has(key)) return;
    if (seen.size > limit) throw new Error("too many states");
    seen.add(key);
    queue.push(state);
  };
  visit(queue.pop()!);
  for (let state = queue.pop(); state; state = queue.pop()) {
    const status = system.status(padded(state, system.width), 0);
    if ((status & Status.intermediate) === 0) states++;
    const offered = successorsOf(system, state);
    if (offered.length === 0 && (status & Status.validEnd) === 0) deadlocks++;
    for (const { words, isDead, fault } of offered) {
      if (fault >= 0) faults.set(fault, (faults.get(fault) ?? 0) + 1);
      if (!isDead) visit(words);
    }
  }
  return { states, faults, deadlocks };
}

/** Equal for states that differ only in hidden words or trailing zeros. */
export function keyOf(state: Words, compareFrom: number): string {
  let end = state.length;
  while (end > compareFrom && state[end - 1] === 0) end--;
  return state.subarray(compareFrom, end).join(",");
}

function padded(state: Words, width: number): Words {
  if (state.length >= width) return state;
  const wider = new Int32Array(width);
  wider.set(state);
  return wider;
}
