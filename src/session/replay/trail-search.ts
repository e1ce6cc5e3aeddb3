/**
 * Finds the run of our model that a trail of Spin describes.
 *
 * A line names its statement by a number of Spin's parser; the trail does not map numbers to statements, and by default Spin merges
 * several statements into one number. So this module searches for a run: each line is a step of its process (two lines for a
 * rendezvous: sender, receiver); a number always denotes the same statement, with the same merged statements; if
 * there is a choice, larger numbers denote later statements; and the run ends in an error, since Spin writes trails only for errors. The result
 * is a run that shows an error; if the budget is spent, a refusal with its reason.
 */
import {
  Entry,
  Successors,
  faultSite,
  type Model,
  type Span,
  type Step,
  type Words,
} from "../../model/index.js";
import { nth } from "../../model/known.js";
import { formatCount } from "../../report/index.js";
import { endingOf } from "./ending.js";
import type { Refusal, Trail } from "./trail.js";

/** Limits of the search. */
export interface TrailBudget {
  readonly steps: number;
  /** Memory for states on the path and untried alternatives. */
  readonly bytes: number;
}

/** The choices of a run that follows the trail and ends in an error. */
export function followTrail(
  model: Model,
  trail: Trail,
  budget: TrailBudget = { steps: 500_000, bytes: 256e6 },
): readonly number[] | Refusal {
  return new TrailSearch(model, trail, budget).run();
}

interface Candidate {
  readonly choice: number;
  readonly state: Words;
  readonly fault: number;
  readonly isDead: boolean;
  readonly isIntermediate: boolean;
  /** The statement of its first participant. */
  readonly span: Span | undefined;
  /** Lines consumed by this step: none for a merged statement. */
  readonly meanings: readonly Meaning[];
}

/** Assigns a statement number to a position in a proctype. */
interface Meaning {
  readonly statement: number;
  readonly owner: string;
  readonly span: Span;
}

interface Node {
  readonly candidate: Candidate;
  /** Index of the next line. */
  readonly line: number;
  /** Statements merged into the last line so far. */
  readonly merged: Chain | undefined;
  readonly untried: Candidate[];
  /** Size of the states stored for `untried`. */
  readonly bytes: number;
  /** Numbers assigned by this step. */
  readonly learned: readonly number[];
  /** The number whose merged statements this step completed. */
  readonly closed: number | undefined;
}

/** Statements in reverse order: chains of one path share their common tails. */
interface Chain {
  readonly span: Span;
  readonly before: Chain | undefined;
  readonly length: number;
}

class TrailSearch {
  readonly #model: Model;
  readonly #trail: Trail;
  readonly #budget: TrailBudget;
  readonly #out: Successors;
  readonly #path: Node[] = [];
  readonly #meanings = new Map<number, Meaning>();
  /** Merged statements by number. */
  readonly #merges = new Map<number, readonly Span[]>();
  #farthest = 0;
  #stepsTried = 0;
  #bytes = 0;

  constructor(model: Model, trail: Trail, budget: TrailBudget) {
    this.#model = model;
    this.#trail = trail;
    this.#budget = budget;
    this.#out = new Successors(model.steps.width);
  }

  run(): readonly number[] | Refusal {
    this.#model.steps.initial(this.#out);
    this.#enter({ ...unmoved, state: this.#entry(0), fault: this.#out.faultAt(0) });
    for (let node = this.#path.at(-1); node; node = this.#path.at(-1)) {
      if (this.#isGoal(node)) return this.#path.slice(1).map(({ candidate }) => candidate.choice);
      const next = node.untried.pop();
      if (next) this.#enter(next);
      else this.#leave(node);
      if (this.#stepsTried > this.#budget.steps || this.#bytes > this.#budget.bytes)
        return {
          problem: `too many runs fit it: gave up after trying ${formatCount(this.#stepsTried)} steps`,
        };
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
    const merged = isMerged ? extended(parent.merged, candidate.span!) : undefined;
    const closed = isMerged ? undefined : this.#close(parent);
    const untried = candidate.isDead ? [] : this.#candidates(candidate, line, merged?.length ?? 0);
    const bytes = untried.length * bytesOf(candidate);
    this.#bytes += bytes;
    this.#path.push({
      candidate,
      line,
      merged,
      untried,
      bytes,
      learned: learned.map(({ statement }) => statement),
      closed,
    });
  }

  /** Completes the merged statements of the last line. */
  #close(parent: Node | undefined): number | undefined {
    const last = parent && this.#trail.lines[parent.line - 1];
    if (!last || this.#merges.has(last.statement)) return undefined;
    const spans = spansOf(parent.merged);
    this.#stepsTried += spans.length; // Accounts for copying the chain.
    this.#merges.set(last.statement, spans);
    return last.statement;
  }

  #leave(node: Node): void {
    this.#path.pop();
    this.#bytes -= node.bytes;
    for (const statement of node.learned) this.#meanings.delete(statement);
    if (node.closed !== undefined) this.#merges.delete(node.closed);
  }

  /** Possible next steps, the most plausible last. */
  #candidates(from: Candidate, line: number, merged: number): Candidate[] {
    const { steps } = this.#model;
    this.#out.clear();
    steps.successors(from.state, 0, this.#out);
    const state = widened(from.state, steps.width);
    const offered = Array.from({ length: this.#out.count }, (_, choice) => steps.describe(state, 0, choice));
    this.#stepsTried += 1 + offered.length;
    const found: { readonly candidate: Candidate; readonly doubt: number }[] = [];
    for (const [choice, step] of offered.entries()) {
      const canMerge = this.#canMerge(step, offered, merged, from.isIntermediate);
      for (const meanings of this.#readings(step, line, merged, canMerge)) {
        const candidate = this.#candidate(choice, meanings, step.sources[0]);
        // pan stops at the first error, so the run has none before the last line.
        const isLast = line + meanings.length === this.#trail.lines.length;
        if (candidate.fault < 0 || isLast) found.push({ candidate, doubt: this.#doubt(meanings) });
      }
    }
    return found.sort((a, b) => b.doubt - a.doubt).map(({ candidate }) => candidate);
  }

  /** The possible readings of a step: as the next line or lines, or merged into the last one. */
  *#readings(step: Step, line: number, merged: number, canMerge: boolean): Iterable<readonly Meaning[]> {
    const last = this.#trail.lines[line - 1];
    const known = last && this.#merges.get(last.statement);
    const lines = this.#trail.lines.slice(line, line + step.participants.length);
    const meanings = lines.map(({ statement }, i) => ({
      statement,
      owner: nth(step.participants, i).replace(/\[\d+\]$/, ""),
      span: step.sources[i] ?? nth(step.sources, 0),
    }));
    const isNext =
      lines.length === step.participants.length &&
      lines.every(({ process }, i) => process === numberOf(nth(step.participants, i))) &&
      meanings.every((meaning) => this.#agrees(meaning));
    if (isNext && (!known || known.length === merged)) yield meanings;
    const expected = known?.[merged];
    const fits = !known || (expected !== undefined && isSameSpan(expected, nth(step.sources, 0)));
    if (canMerge && last?.process === numberOf(nth(step.participants, 0)) && fits) yield [];
  }

  /**
   * Can Spin have merged this step into the previous one? Inside an atomic sequence a `d_step` takes several of our steps. Elsewhere
   * Spin merges statements without alternatives, each at most once.
   */
  #canMerge(step: Step, offered: readonly Step[], merged: number, isInside: boolean): boolean {
    if (step.participants.length !== 1) return false;
    if (isInside) return true;
    if (!this.#trail.isMerged || step.messages.length > 0) return false;
    const isAlone = offered.every(
      (other) => other === step || !other.participants.includes(nth(step.participants, 0)),
    );
    return isAlone && merged < this.#model.coverage.parts.length;
  }

  #agrees({ statement, owner, span }: Meaning): boolean {
    const known = this.#meanings.get(statement);
    return !known || (known.owner === owner && isSameSpan(known.span, span));
  }

  /** Numbers rise with the text, except for text from inlines and macros; each position has one number. */
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
    const flags = nth(this.#out.flags, choice);
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
    const { process } = nth(lines, this.#farthest);
    return `the model cannot follow it beyond step ${this.#farthest}: process ${process} has no step that fits the next line`;
  }
}

const unmoved = { choice: -1, isDead: false, isIntermediate: false, span: undefined, meanings: [] } as const;

/** A state and its bookkeeping. */
const bytesOf = ({ state }: Candidate): number => state.byteLength + 300;

const extended = (before: Chain | undefined, span: Span): Chain => ({
  span,
  before,
  length: (before?.length ?? 0) + 1,
});

/** In execution order. */
function spansOf(chain: Chain | undefined): Span[] {
  const spans: Span[] = [];
  for (let link = chain; link; link = link.before) spans.push(link.span);
  return spans.reverse();
}

const numberOf = (participant: string): number => Number(/\[(\d+)\]$/.exec(participant)?.[1] ?? -1);

const isSameSpan = (a: Span, b: Span): boolean => a.file === b.file && a.start === b.start && a.end === b.end;

function widened(state: Words, width: number): Words {
  if (state.length >= width) return state;
  const wider = new Int32Array(width);
  wider.set(state);
  return wider;
}
