/**
 * Leads a run that Spin prints of generated Promela back to χ. Every line of the generated text is a transition of a part, so the lines of `spin
 * -t -p` are the steps of the parts; a send and the receive that follows it are one step.
 */
import { chiModel, type ChiModel } from "../../compile/chi/index.js";
import { promelaOfChi, type PartLine } from "../../compile/chi/promela.js";
import { Status, Successors, type ChiProgram, type Words } from "../../model/index.js";
import type { Refusal } from "../replay/trail.js";

/** What `spin -t -p` printed. */
export interface PrintedRun {
  readonly steps: readonly { readonly line: number; readonly statement: number }[];
}

const STEP = /^\s*\d+:\s+proc\s+\d+ \(P\d+:\d+\) \S+:(\d+) \(state (\d+)\)\s+\[/;

export const isPrintedRun = (text: string): boolean =>
  text.split(/\r?\n/, 50).some((line) => STEP.test(line));

export const parsePrintedRun = (text: string): PrintedRun => ({
  steps: text.split(/\r?\n/).flatMap((line) => {
    const found = STEP.exec(line);
    return found ? [{ line: Number(found[1]), statement: Number(found[2]) }] : [];
  }),
});

export interface ChiRun {
  readonly choices: readonly number[];
  /** It ends in a deadlock. */
  readonly isStuck: boolean;
}

/** The run of the system, or why it has none. */
export function followPrinted(program: ChiProgram, { steps }: PrintedRun): ChiRun | Refusal {
  const generated = promelaOfChi(program);
  if ("why" in generated) return { problem: generated.why };
  const model = chiModel(program);
  const follower = new Follower(model);
  /** By line: the statement that begins it. Others belong to the same step. */
  const first = new Map<number, number>();
  for (const { line, statement } of steps) {
    const move = generated.lines.get(line);
    if (!move) return { problem: `line ${line} of the generated text is no step` };
    if (!first.has(line)) first.set(line, statement);
    if (first.get(line) !== statement) continue;
    // sound: test/session/chi-trail.test.ts
    if (!follower.take(move))
      return { problem: `the system cannot take line ${line} as step ${follower.length + 1}` };
  }
  // sound: test/session/chi-trail.test.ts
  if (follower.isWaiting) return { problem: "the run ends inside a communication" };
  return { choices: follower.choices, isStuck: follower.isStuck };
}

/** For texts. */
export function chiRunOfSpin(program: ChiProgram, text: string): ChiRun {
  const run = followPrinted(program, parsePrintedRun(text));
  if ("problem" in run) throw new Error(run.problem);
  return run;
}

class Follower {
  readonly choices: number[] = [];
  readonly #model: ChiModel;
  #words: Words;
  /** A send that waits for its receive. */
  #sent: PartLine | undefined;

  constructor(model: ChiModel) {
    this.#model = model;
    const out = new Successors(model.system.width);
    model.system.initial(out);
    this.#words = out.words.slice(0, model.system.width);
  }

  get length(): number {
    return this.choices.length;
  }

  get isWaiting(): boolean {
    return this.#sent !== undefined;
  }

  get isStuck(): boolean {
    const { system } = this.#model;
    return (
      this.#model.takenAt(this.#words).length === 0 && (system.status(this.#words, 0) & Status.validEnd) === 0
    );
  }

  /** False: the system has no such step. */
  take(move: PartLine): boolean {
    const moves = this.#sent ? [this.#sent, move] : [move];
    const all = this.#model.takenAt(this.#words);
    const fits = (taken: Int32Array): boolean =>
      taken.every((transition, part) => {
        const own = moves.find((each) => each.part === part);
        return own ? own.transition === transition : transition < 0;
      });
    // sound: test/session/chi-trail.test.ts
    if (move.isSend) {
      this.#sent = this.#sent ? undefined : move;
      return this.#sent !== undefined && all.some((taken) => taken[move.part] === move.transition);
    }
    const choice = all.findIndex(fits);
    if (choice < 0) return false;
    const out = new Successors(this.#words.length);
    this.#model.system.successors(this.#words, 0, out);
    if (out.isDead(choice)) return false;
    this.#words = out.stateAt(choice);
    this.choices.push(choice);
    this.#sent = undefined;
    return true;
  }
}
