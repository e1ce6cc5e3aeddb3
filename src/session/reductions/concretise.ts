/**
 * From a trace of a rewritten program to the trace of the original that it stands for.
 *
 * Both run side by side. A step of the rewritten program is an edge (or two, for a rendezvous), and each edge lists the
 * original ones it stands for, in order: the original program takes those. The result is a list of choices in the original
 * program, to be replayed there.
 */
import type { CompiledModel } from "../../compile/index.js";
import {
  Entry,
  Successors,
  faultSite,
  type Edge,
  type Move,
  type Trace,
  type Words,
} from "../../model/index.js";
import { nth } from "../../model/known.js";

export function concretise(
  trace: Trace,
  rewritten: CompiledModel,
  original: CompiledModel,
  origins: ReadonlyMap<Edge, readonly Edge[]>,
): Trace {
  const pair = new Pair(rewritten, original, origins);
  trace.choices.forEach((choice, index) => {
    pair.step(choice, index === trace.choices.length - 1 ? trace.fault : -1);
  });
  return { choices: pair.to.choices, fault: trace.fault, loopStart: trace.loopStart };
}

/**
 * The same for a trace that ends in a loop. Values that the rewritten program does not compute may differ from round to
 * round, so the loop is repeated until the original program's state recurs; undefined if it does not for a long time.
 */
export function concretiseLoop(
  { choices, loopStart, fault }: Trace,
  rewritten: CompiledModel,
  original: CompiledModel,
  origins: ReadonlyMap<Edge, readonly Edge[]>,
): Trace | undefined {
  const pair = new Pair(rewritten, original, origins);
  for (const choice of choices.slice(0, loopStart)) pair.step(choice, -1);
  const loop = choices.slice(loopStart);
  const { to } = pair;
  if (loopStart === undefined) return { choices: to.choices, fault, loopStart };
  if (loop.length === 0) return { choices: to.choices, fault, loopStart: to.choices.length };
  const beginnings = new Map<string, number>();
  while (to.choices.length <= MOST_STEPS) {
    const before = beginnings.get(to.key);
    if (before !== undefined) return { choices: to.choices, fault, loopStart: before };
    beginnings.set(to.key, to.choices.length);
    for (const choice of loop) pair.step(choice, -1);
  }
  return undefined;
}

const MOST_STEPS = 100_000;

/** The rewritten program and, side by side with it, the original. */
class Pair {
  readonly #from: Runner;
  readonly to: Runner;
  readonly #origins: ReadonlyMap<Edge, readonly Edge[]>;

  constructor(
    rewritten: CompiledModel,
    original: CompiledModel,
    origins: ReadonlyMap<Edge, readonly Edge[]>,
  ) {
    this.#from = new Runner(rewritten);
    this.to = new Runner(original);
    this.#origins = origins;
  }

  /** `goal`: the fault that the step is to show; negative: none. */
  step(choice: number, goal: number): void {
    const { to } = this;
    const { process, edge, partner } = nth(this.#from.moves, choice);
    this.#from.take(choice);
    if (!edge) return to.takeWhere((m) => m.process === process && !m.edge, goal);
    const [first, ...rest] = this.#partsOf(edge);
    const [met, ...after] = partner ? this.#partsOf(partner.edge) : [];
    to.takeWhere(
      (m) =>
        m.process === process &&
        m.edge === first &&
        m.partner?.process === partner?.process &&
        m.partner?.edge === met,
      goal,
    );
    for (const part of rest)
      if (!to.hasEnded(goal)) to.takeWhere((m) => m.process === process && m.edge === part, goal);
    for (const part of after)
      if (!to.hasEnded(goal)) to.takeWhere((m) => m.process === partner?.process && m.edge === part, goal);
  }

  #partsOf(edge: Edge): readonly Edge[] {
    return this.#origins.get(edge) ?? [edge];
  }
}

/** One run of a model, step by step. */
class Runner {
  readonly choices: number[] = [];
  readonly #model: CompiledModel;
  readonly #out: Successors;
  #state: Words;
  #flags = 0;

  constructor(model: CompiledModel) {
    this.#model = model;
    this.#out = new Successors(model.steps.width);
    model.steps.initial(this.#out);
    this.#state = this.#out.stateAt(0);
  }

  /** Identity of the state. */
  get key(): string {
    const { compareFrom } = this.#model.steps;
    return this.#state
      .slice(compareFrom)
      .join()
      .replace(/(,0)+$/, "");
  }

  get moves(): readonly Move[] {
    return this.#model.movesAt(this.#state, 0);
  }

  /** The run is over, or has shown the fault it is wanted for. */
  hasEnded(fault: number): boolean {
    return (this.#flags & Entry.dead) !== 0 || (fault >= 0 && faultSite(this.#flags) === fault);
  }

  /** One edge may have several outcomes, where a `d_step` fails and continues: the wanted fault, or else the first, which continues if any does. */
  takeWhere(isWanted: (move: Move) => boolean, fault: number): void {
    const found = this.moves.flatMap((move, choice) => (isWanted(move) ? [choice] : []));
    if (found.length === 0)
      throw new Error(`step ${this.choices.length} of the reduced trace is not in the original program`);
    if (found.length === 1) return this.take(nth(found, 0));
    const out = this.#expanded();
    // sound: test/session/own-fault.test.ts
    this.take(found.find((choice) => out.faultAt(choice) === fault) ?? nth(found, 0));
  }

  take(choice: number): void {
    const { steps } = this.#model;
    const out = this.#expanded();
    this.choices.push(choice);
    this.#flags = out.flags[choice]!;
    if ((this.#flags & Entry.dead) !== 0) return;
    this.#state = new Int32Array(steps.width);
    this.#state.set(out.words.subarray(choice * out.stride, (choice + 1) * out.stride));
  }

  #expanded(): Successors {
    const { steps } = this.#model;
    const out = this.#out;
    out.clear();
    if (out.stride < steps.width) out.widen(steps.width);
    steps.successors(this.#state, 0, out);
    return out;
  }
}
