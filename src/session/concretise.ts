/**
 * From a trace of a rewritten program to the trace of the original that it stands for.
 *
 * Both are run side by side. A step of the rewritten program is an edge (or two, for a rendezvous), and each edge knows
 * the original ones it stands for, in order: the original program takes those, one after the other. The
 * result is a list of choices in the original program; whoever shows it replays it there.
 */
import type { CompiledModel, Move } from "../compile/index.js";
import { Entry, Successors, faultSite, type Edge, type Trace, type Words } from "../model/index.js";

export function concretise(
  trace: Trace,
  rewritten: CompiledModel,
  original: CompiledModel,
  origins: ReadonlyMap<Edge, readonly Edge[]>,
): Trace {
  const from = new Runner(rewritten);
  const to = new Runner(original);
  const partsOf = (edge: Edge): readonly Edge[] => origins.get(edge) ?? [edge];
  trace.choices.forEach((choice, index) => {
    const { process, edge, partner } = from.moves[choice]!;
    from.take(choice);
    const isLast = index === trace.choices.length - 1;
    const goal = isLast ? trace.fault : -1;
    if (!edge) return to.takeWhere((m) => m.process === process && !m.edge);
    const [first, ...rest] = partsOf(edge);
    const [met, ...after] = partner ? partsOf(partner.edge) : [];
    to.takeWhere(
      (m) =>
        m.process === process &&
        m.edge === first &&
        m.partner?.process === partner?.process &&
        m.partner?.edge === met,
    );
    for (const part of rest)
      if (!to.hasEnded(goal)) to.takeWhere((m) => m.process === process && m.edge === part);
    for (const part of after)
      if (!to.hasEnded(goal)) to.takeWhere((m) => m.process === partner!.process && m.edge === part);
  });
  return { choices: to.choices, fault: trace.fault, loopStart: trace.loopStart };
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
    this.#state = this.#out.words.slice(0, this.#out.stride);
  }

  get moves(): readonly Move[] {
    return this.#model.movesAt(this.#state, 0);
  }

  /** The run is over, or has shown the fault it is wanted for. */
  hasEnded(fault: number): boolean {
    return (this.#flags & Entry.dead) !== 0 || (fault >= 0 && faultSite(this.#flags) === fault);
  }

  takeWhere(isWanted: (move: Move) => boolean): void {
    const choice = this.moves.findIndex(isWanted);
    if (choice < 0)
      throw new Error(`step ${this.choices.length} of the reduced trace is not in the original program`);
    this.take(choice);
  }

  take(choice: number): void {
    const { steps } = this.#model;
    const out = this.#out;
    out.clear();
    if (out.stride < steps.width) out.widen(steps.width);
    steps.successors(this.#state, 0, out);
    this.choices.push(choice);
    this.#flags = out.flags[choice]!;
    if ((this.#flags & Entry.dead) !== 0) return;
    this.#state = new Int32Array(steps.width);
    this.#state.set(out.words.subarray(choice * out.stride, (choice + 1) * out.stride));
  }
}
