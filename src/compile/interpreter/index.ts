/**
 * The reference semantics of a `Program`: the direct implementation, for simulation, traces, replay and the explorer;
 * generated code is compared with it word for word.
 *
 * Reading order: `moves.ts` (steps and their order), `readiness.ts` (executability), `execute.ts` (effects),
 * `evaluate.ts` (expressions); below them `state.ts` and `buffer.ts` decode the packed words; `explain.ts` describes
 * them. The model is Spin 6.5's verifier without statement merging and reductions; comments "as in Spin" were checked in
 * its source or by experiment.
 *
 * A failed assertion, or a false `xr`/`xs`, leaves a successor; any other fault ends the step without one.
 */
import {
  Entry,
  FOREIGN_AGENT,
  Status,
  type Explainer,
  type Expr,
  type Move,
  type ObservedSystem,
  type Program,
  type Standing,
  type Stepping,
  type Successors,
  type Words,
} from "../../model/index.js";
import type { Analysis } from "../analyse.js";
import { initialWords, type Layout } from "../layout.js";
import { lengthOf } from "./buffer.js";
import { siteOf } from "./evaluate.js";
import { Explanations } from "./explain.js";
import { Moves } from "./moves.js";
import { State } from "./state.js";

export interface Interpreter extends ObservedSystem, Explainer, Stepping {
  standing(state: Words, at: number): readonly Standing[];
  /** Evaluates invariant `index`; a fault (such as division by zero) counts as false. */
  holds(index: number, state: Words, at: number): boolean;
  /** The move behind each entry that `successors` yields there. */
  movesAt(state: Words, at: number): readonly Move[];
}

/** `least`: smallest number of words in a state. */
export function interpret(program: Program, layout: Layout, analysis: Analysis, least = 0): Interpreter {
  const moves = new Moves(program, analysis.hasTimeout);
  const explanations = new Explanations(program, moves);
  let width = Math.max(least, initialWords(program, layout));
  const read = (state: Words, at: number): State => State.read(layout, state, at, width);

  const emit = (out: Successors, state: State, fault: number, label = 0): void => {
    width = Math.max(width, state.words.length);
    if (out.stride < width) out.widen(width);
    if (out.count === out.capacity) out.grow();
    const start = out.count * out.stride;
    out.words.fill(0, start, start + out.stride).set(state.words, start);
    const flags = ((fault + 1) << Entry.faultShift) | (state.exclusive < 0 ? 0 : Entry.intermediate);
    out.labels[out.count] = label;
    out.flags[out.count++] = flags;
    if (flags !== 0) out.isFlagged = true;
  };

  const observe = (state: Words): string => {
    width = Math.max(width, state.length);
    const conditions = program.invariants.map((_, index) => interpreter.holds(index, state, 0));
    const valuations = (program.temporal ?? []).map((_, index) => interpreter.valuation(index, state, 0));
    return [...conditions, ...valuations].join();
  };

  const interpreter: Interpreter = {
    get width() {
      return width;
    },
    compareFrom: layout.compareFrom,
    labels: "agents",
    initial(out) {
      try {
        const { state, failures } = moves.executor.start(layout);
        emit(out, state, failures[0] ?? -1);
      } catch (e) {
        out.addFault(siteOf(e));
      }
    },
    successors(state, at, out) {
      for (const outcome of moves.of(read(state, at), () => undefined))
        if (outcome.state) emit(out, outcome.state, outcome.fault, agentsOf(outcome));
        else out.addFault(outcome.fault);
    },
    status(state, at) {
      const opened = read(state, at);
      return (
        (isValidEnd(opened, moves, program) ? Status.validEnd : 0) |
        (opened.exclusive < 0 ? 0 : Status.intermediate)
      );
    },
    holds(index, state, at) {
      const { condition } = program.invariants[index]!;
      try {
        return moves.rules.evaluator.holds(condition, { state: read(state, at), self: -1, timeout: false });
      } catch (e) {
        siteOf(e);
        return false;
      }
    },
    valuation(index, state, at) {
      const opened = read(state, at);
      const scope = { state: opened, self: -1, timeout: analysis.hasTimeout && moves.isStuck(opened) };
      try {
        return (program.temporal ?? [])[index]!.propositions.reduce(
          (bits, { condition }, i) => bits | (moves.rules.evaluator.holds(condition, scope) ? 1 << i : 0),
          0,
        );
      } catch (e) {
        return ~siteOf(e);
      }
    },
    movesAt: (state, at) =>
      moves
        .of(read(state, at), () => undefined)
        .map(({ process, edge, partner }) => ({ process, edge, partner })),
    takenAt: (state) => {
      width = Math.max(width, state.length);
      return moves
        .of(read(state, 0), () => undefined)
        .map(({ state: to, fault, process, edge, partner }) => ({
          state: to?.words,
          fault,
          process,
          edge,
          partner,
          isIntermediate: to !== undefined && to.exclusive >= 0,
        }));
    },
    observe,
    describe: (state, at, choice) => explanations.describe(read(state, at), choice),
    snapshot: (state, at) => explanations.snapshot(read(state, at)),
    processes: (state, at) => explanations.processes(read(state, at)),
    standing: (state, at) => explanations.standing(read(state, at)),
  };
  return interpreter;
}

const agentsOf = ({ process, partner }: Pick<Move, "process" | "partner">): number =>
  agent(process) | (partner ? agent(partner.process) : 0);

const agent = (process: number): number => (process > 30 ? FOREIGN_AGENT : 1 << process);

function isValidEnd(state: State, moves: Moves, program: Program): boolean {
  const areEnded = state.processes.every((_, p) => moves.rules.locationOf(state, p).isEnd);
  const isEmpty = (): boolean => state.channels.every((c) => lengthOf(state, c) === 0);
  const scope = { state, self: -1, timeout: false };
  const isComplete = (condition: Expr): boolean =>
    // sound: test/languages/promela/trace-ends.test.ts
    state.processes.length === 0 || moves.rules.evaluator.holds(condition, scope);
  // sound: test/compile/cases/control.test.ts
  if (!areEnded || (program.rules.endNeedsEmptyChannels && !isEmpty())) return false;
  // sound: test/languages/promela/trace-ends.test.ts
  return program.endCondition === undefined || isComplete(program.endCondition);
}
