/**
 * A system in which agents (nodes, processes) take turns, restricted to executions with few switches from one agent to
 * another beside the default schedule's.
 *
 * `preemptions`: leaving an agent that could continue costs one (Musuvathi, Qadeer: Iterative context bounding, 2007).
 * `delays`: the default schedule goes round the agents and lets each continue as long as it can; skipping one that could move
 * costs one (Emmi, Qadeer, Rakamarić: Delay-bounded scheduling, 2011). The choice among an agent's steps is free.
 *
 * Always true: the cost so far is a part of the state, so equal states have the same future; wherever there is a step, some
 * step is free, so the bound makes no deadlock.
 */
import { Successors, type Model, type System, type Trace, type Words } from "../model/index.js";
import { nth } from "../model/known.js";

export type SwitchKind = "preemptions" | "delays";

export class BoundedSwitches {
  /** Something was omitted. */
  isCut = false;
  readonly #inner: Model;
  readonly #kind: SwitchKind;
  readonly #bound: number;
  readonly #width: number;
  readonly #scratch: Successors;

  constructor(inner: Model, kind: SwitchKind, bound: number) {
    if (inner.system.labels !== "agents") throw new Error("the system does not say who moves");
    this.#inner = inner;
    this.#kind = kind;
    this.#bound = bound;
    this.#width = inner.system.width;
    this.#scratch = new Successors(this.#width);
  }

  /** Adds two words: the agent of the last step (0: none), and the cost so far. */
  get model(): Model {
    const { recipe: _, temporal: __, compact: ___, ...rest } = this.#inner;
    const { steps } = this.#inner;
    const system: System = {
      width: this.#width + 2,
      compareFrom: this.#inner.system.compareFrom,
      initial: (out) => this.#start(out),
      successors: (state, at, out) => void this.#expand(state, at, out),
      status: (state, at) => this.#inner.system.status(state, at),
    };
    return {
      ...rest,
      system,
      steps: {
        ...system,
        describe: (state, at, choice) =>
          steps.describe(state, at, nth(this.#expand(state, at, new Successors(this.#width + 2)), choice)),
        snapshot: (state, at) => steps.snapshot(state, at),
        processes: (state, at) => steps.processes(state, at),
      },
    };
  }

  /** The same steps, by their places among all steps. */
  concretise(trace: Trace): Trace {
    const out = new Successors(this.#width + 2);
    this.#start(out);
    let state = out.stateAt(0);
    const choices = trace.choices.map((choice) => {
      out.clear();
      const place = nth(this.#expand(state, 0, out), choice);
      state = out.stateAt(choice);
      return place;
    });
    return { ...trace, choices };
  }

  #start(out: Successors): void {
    this.#scratch.clear();
    this.#inner.system.initial(this.#scratch);
    this.#append(out, 0, 0, 0);
  }

  /** Appends the steps that the bound allows; returns their positions among all steps. */
  #expand(state: Words, at: number, out: Successors): number[] {
    const scratch = this.#scratch;
    scratch.clear();
    this.#inner.system.successors(state, at, scratch);
    let able = 0;
    for (let i = 0; i < scratch.count; i++) able |= scratch.labels[i]!;
    const last = state[at + this.#width]!;
    const places: number[] = [];
    for (let i = 0; i < scratch.count; i++) {
      const agent = agentOf(scratch.labels[i]!);
      const spent = state[at + this.#width + 1]! + this.#cost(last - 1, agent, able);
      if (spent > this.#bound) this.isCut = true;
      else {
        this.#append(out, i, agent + 1, spent);
        places.push(i);
      }
    }
    return places;
  }

  #cost(last: number, agent: number, able: number): number {
    if (this.#kind === "preemptions") return last >= 0 && agent !== last && able & (1 << last) ? 1 : 0;
    let passed = 0;
    for (let one = Math.max(0, last); one !== agent; one = (one + 1) % AGENTS)
      if (able & (1 << one)) passed++;
    return passed;
  }

  #append(out: Successors, place: number, last: number, spent: number): void {
    if (out.count === out.capacity) out.grow();
    const { words, stride, flags, isFlagged } = this.#scratch;
    const at = out.count * out.stride;
    out.words.set(words.subarray(place * stride, place * stride + this.#width), at);
    out.words[at + this.#width] = last;
    out.words[at + this.#width + 1] = spent;
    out.flags[out.count++] = flags[place]!;
    out.isFlagged ||= isFlagged;
  }
}

/** Bits of a label. */
const AGENTS = 32;

/** The first, if a step is of several. */
export const agentOf = (label: number): number =>
  label === 0 ? AGENTS - 1 : 31 - Math.clz32(label & -label);
