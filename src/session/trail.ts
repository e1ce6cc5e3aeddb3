/**
 * Spin's `.trail` files: which run of our model is meant?
 *
 * A line is `depth:process:statement`. The statement is the number that Spin's parser gave it: no text says which
 * number belongs to which statement, and by default several statements are merged into one number. So the run is
 * searched for: each line must be a step of its process (two lines for a rendezvous: sender, receiver), the same
 * number must always mean the same statement (with the same statements merged into it), later numbers stand later
 * in the text where there is a choice, and the run must end in an error, since Spin writes trails only for errors. What is found is a run of the
 * model that shows an error; what is not found is refused with the reason.
 */
import {
  Entry,
  Successors,
  faultSite,
  type Model,
  type Span,
  type Step,
  type Words,
} from "../model/index.js";
import { endingOf } from "./ending.js";

export interface Trail {
  readonly lines: readonly TrailLine[];
  /** Statements may be merged into the one before them. */
  readonly isMerged: boolean;
}

export interface TrailLine {
  readonly process: number;
  readonly statement: number;
}

export type Refusal = { readonly problem: string };

/** Does the text look like a trail? */
export const isTrail = (text: string): boolean => /^-?\d+:-?\d+:-?\d+\r?\n/.test(text);

/** What the trail says, or why it cannot be followed. */
export function parseTrail(text: string): Trail | Refusal {
  const lines: TrailLine[] = [];
  let isMerged = false;
  for (const [index, line] of text.trimEnd().split(/\r?\n/).entries()) {
    const match = /^(-?\d+):(-?\d+):(-?\d+)$/.exec(line);
    if (!match) return { problem: `line ${index + 1} is not of the form step:process:statement` };
    const [depth, process, statement] = match.slice(1).map(Number) as [number, number, number];
    if (depth === -4) isMerged = true;
    else if (depth < 0)
      return { problem: headerProblems.get(depth) ?? `it has an unknown header line '${line}'` };
    else lines.push({ process, statement });
  }
  return { lines, isMerged };
}

/** The choices of a run that follows the trail and ends in an error. */
export function followTrail(model: Model, trail: Trail): readonly number[] | Refusal {
  return new TrailSearch(model, trail).run();
}

const headerProblems: ReadonlyMap<number, string> = new Map([
  [-1, "it shows a cycle, and only safety properties are supported yet"],
  [-2, "it was made with a never claim, which is not supported yet"],
  ...[-5, -6, -7, -8].map(
    (depth) => [depth, "it was made with a permuted search, which only pan itself can replay"] as const,
  ),
]);

interface Candidate {
  readonly choice: number;
  readonly state: Words;
  readonly fault: number;
  readonly isDead: boolean;
  readonly isIntermediate: boolean;
  /** The statement of its first participant. */
  readonly span: Span | undefined;
  /** Lines that this step takes: none for a statement merged into the one before it. */
  readonly meanings: readonly Meaning[];
}

/** That a statement number stands for a place in a proctype. */
interface Meaning {
  readonly statement: number;
  readonly owner: string;
  readonly span: Span;
}

interface Node {
  readonly candidate: Candidate;
  /** The line after those taken so far. */
  readonly line: number;
  /** Statements merged into the last line since it was taken. */
  readonly merged: readonly Span[];
  readonly untried: Candidate[];
  /** Numbers that got their meaning in this step. */
  readonly learned: readonly number[];
  /** The number of which this step showed that nothing more is merged into it. */
  readonly closed: number | undefined;
}

class TrailSearch {
  readonly #model: Model;
  readonly #trail: Trail;
  readonly #out: Successors;
  readonly #path: Node[] = [];
  readonly #meanings = new Map<number, Meaning>();
  /** By number: what is merged into it. */
  readonly #merges = new Map<number, readonly Span[]>();
  #farthest = 0;
  #effort = 0;

  constructor(model: Model, trail: Trail) {
    this.#model = model;
    this.#trail = trail;
    this.#out = new Successors(model.steps.width);
  }

  run(): readonly number[] | Refusal {
    this.#model.steps.initial(this.#out);
    this.#enter({ ...unmoved, state: this.#entry(0), fault: faultSite(this.#out.flags[0]!) });
    for (let node = this.#path.at(-1); node; node = this.#path.at(-1)) {
      if (this.#isGoal(node)) return this.#path.slice(1).map(({ candidate }) => candidate.choice);
      const next = node.untried.pop();
      if (next) this.#enter(next);
      else this.#leave(node);
      if (++this.#effort > patience)
        return { problem: `too many runs fit it; none of the first ${patience} ends in an error` };
    }
    return { problem: this.#whyNot() };
  }

  #isGoal({ line, candidate }: Node): boolean {
    if (line < this.#trail.lines.length) return false;
    return candidate.fault >= 0 || endingOf(this.#model, candidate.state, -1).kind === "failed";
  }

  #enter(candidate: Candidate): void {
    const parent = this.#path.at(-1);
    const line = (parent?.line ?? 0) + candidate.meanings.length;
    const learned = candidate.meanings.filter((meaning) => !this.#meanings.has(meaning.statement));
    for (const meaning of learned) this.#meanings.set(meaning.statement, meaning);
    this.#farthest = Math.max(this.#farthest, line);
    const isMerged = candidate.meanings.length === 0 && parent !== undefined;
    const merged = isMerged ? [...parent.merged, candidate.span!] : [];
    const closed = isMerged ? undefined : this.#close(parent);
    const untried = candidate.isDead ? [] : this.#candidates(candidate, line, merged);
    this.#path.push({
      candidate,
      line,
      merged,
      untried,
      learned: learned.map(({ statement }) => statement),
      closed,
    });
  }

  /** The next line begins: what was merged into the last one is now known. */
  #close(parent: Node | undefined): number | undefined {
    const last = parent && this.#trail.lines[parent.line - 1];
    if (!last || this.#merges.has(last.statement)) return undefined;
    this.#merges.set(last.statement, parent.merged);
    return last.statement;
  }

  #leave(node: Node): void {
    this.#path.pop();
    for (const statement of node.learned) this.#meanings.delete(statement);
    if (node.closed !== undefined) this.#merges.delete(node.closed);
  }

  /** What can come next, the likeliest last. */
  #candidates(from: Candidate, line: number, merged: readonly Span[]): Candidate[] {
    const { steps } = this.#model;
    this.#out.clear();
    steps.successors(from.state, 0, this.#out);
    const state = widened(from.state, steps.width);
    const found: { readonly candidate: Candidate; readonly doubt: number }[] = [];
    for (let choice = 0; choice < this.#out.count; choice++) {
      const step = steps.describe(state, 0, choice);
      for (const meanings of this.#readings(step, line, merged, from.isIntermediate)) {
        const candidate = this.#candidate(choice, meanings, step.sources[0]);
        // pan stops at an error, so one in the middle was none.
        const isLast = line + meanings.length === this.#trail.lines.length;
        if (candidate.fault < 0 || isLast) found.push({ candidate, doubt: this.#doubt(meanings) });
      }
    }
    return found.sort((a, b) => b.doubt - a.doubt).map(({ candidate }) => candidate);
  }

  /** The ways in which the trail can mean this step: as its next line or lines, or merged into the last one. */
  *#readings(
    step: Step,
    line: number,
    merged: readonly Span[],
    isInside: boolean,
  ): Iterable<readonly Meaning[]> {
    const last = this.#trail.lines[line - 1];
    const known = last && this.#merges.get(last.statement);
    const lines = this.#trail.lines.slice(line, line + step.participants.length);
    const meanings = lines.map(({ statement }, i) => ({
      statement,
      owner: step.participants[i]!.replace(/\[\d+\]$/, ""),
      span: step.sources[i] ?? step.sources[0]!,
    }));
    const isNext =
      lines.length === step.participants.length &&
      lines.every(({ process }, i) => process === numberOf(step.participants[i]!)) &&
      meanings.every((meaning) => this.#agrees(meaning));
    if (isNext && (!known || known.length === merged.length)) yield meanings;
    const isMergeable = step.participants.length === 1 && (isInside || step.messages.length === 0);
    const isMerged = isMergeable && last?.process === numberOf(step.participants[0]!);
    const expected = known?.[merged.length];
    const fits = !known || (expected !== undefined && isSameSpan(expected, step.sources[0]!));
    if ((this.#trail.isMerged || isInside) && isMerged && fits) yield [];
  }

  #agrees({ statement, owner, span }: Meaning): boolean {
    const known = this.#meanings.get(statement);
    return !known || (known.owner === owner && isSameSpan(known.span, span));
  }

  /** Numbers rise with the text, except where inlines and macros bring text from elsewhere; one place has one number. */
  #doubt(meanings: readonly Meaning[]): number {
    let doubt = meanings.length === 0 ? 0.5 : 0;
    for (const meaning of meanings) {
      if (this.#meanings.has(meaning.statement)) continue;
      for (const known of this.#meanings.values()) {
        if (known.span.file !== meaning.span.file) continue;
        const isLater = meaning.statement > known.statement;
        if (isSameSpan(known.span, meaning.span) || isLater !== meaning.span.start > known.span.start)
          doubt++;
      }
    }
    return doubt;
  }

  #candidate(choice: number, meanings: readonly Meaning[], span: Span | undefined): Candidate {
    const flags = this.#out.flags[choice]!;
    return {
      choice,
      state: this.#entry(choice),
      fault: faultSite(flags),
      isDead: (flags & Entry.dead) !== 0,
      isIntermediate: (flags & Entry.intermediate) !== 0,
      meanings,
      span,
    };
  }

  #entry(index: number): Words {
    const { words, stride } = this.#out;
    return words.slice(index * stride, (index + 1) * stride);
  }

  #whyNot(): string {
    const { lines } = this.#trail;
    if (this.#farthest === lines.length)
      return "the model follows it to its end, but there is no error there";
    const { process } = lines[this.#farthest]!;
    return `the model cannot follow it beyond step ${this.#farthest}: process ${process} has no step that fits the next line`;
  }
}

const unmoved = { choice: -1, isDead: false, isIntermediate: false, span: undefined, meanings: [] } as const;

/** Steps tried before giving up. */
const patience = 200_000;

const numberOf = (participant: string): number => Number(/\[(\d+)\]$/.exec(participant)?.[1] ?? -1);

const isSameSpan = (a: Span, b: Span): boolean => a.file === b.file && a.start === b.start && a.end === b.end;

function widened(state: Words, width: number): Words {
  if (state.length >= width) return state;
  const wider = new Int32Array(width);
  wider.set(state);
  return wider;
}
