/**
 * All outcomes of a program of tasks, by brute force over its own promises and its own clock.
 *
 * Shares nothing with Everypath or V8's promises: async functions are generators, jobs are a queue, and the moments of
 * turns are unknowns whose constraints, all since the start, are tested by Bellman and Ford's algorithm.
 */
import type { JoinKind, Step, TaskProgram } from "./tasks.js";

export interface Enumerated {
  readonly outcomes: ReadonlySet<string>;
  readonly runs: number;
  readonly isWhole: boolean;
}

export function enumerated(program: TaskProgram, maxRuns: number): Enumerated {
  const outcomes = new Set<string>();
  let prefix: number[] | undefined = [];
  let runs = 0;
  while (prefix && runs < maxRuns) {
    const choices: Choices = new Choices(prefix);
    outcomes.add(new Run(program, choices).outcome());
    runs++;
    prefix = choices.next();
  }
  return { outcomes, runs, isWhole: prefix === undefined };
}

class Choices {
  readonly #made: { value: number; options: number }[] = [];
  readonly #prefix: readonly number[];

  constructor(prefix: readonly number[]) {
    this.#prefix = prefix;
  }

  choose(options: number): number {
    const value = this.#prefix[this.#made.length] ?? 0;
    this.#made.push({ value, options });
    return value;
  }

  /** The prefix of the next run, depth-first. */
  next(): number[] | undefined {
    const at = this.#made.findLastIndex(({ value, options }) => value + 1 < options);
    if (at < 0) return undefined;
    return this.#made.slice(0, at + 1).map(({ value }, index) => (index === at ? value + 1 : value));
  }
}

type Settled = { readonly value: unknown } | { readonly error: unknown };
type Reaction = (settled: Settled) => void;

/** A promise: settles once; reactions are jobs. */
class Later {
  #settled: Settled | undefined;
  #reactions: Reaction[] = [];
  readonly #jobs: (() => void)[];

  constructor(jobs: (() => void)[]) {
    this.#jobs = jobs;
  }

  settle(settled: Settled): void {
    if (this.#settled) return;
    this.#settled = settled;
    for (const reaction of this.#reactions) this.#jobs.push(() => reaction(settled));
  }

  react(reaction: Reaction): void {
    const settled = this.#settled;
    if (settled) this.#jobs.push(() => reaction(settled));
    else this.#reactions.push(reaction);
  }
}

interface Item {
  /** The delay and the turn that set it, of a timer. */
  readonly delay?: number;
  readonly setAt: number;
  /** Items of one queue come in order. */
  readonly queue?: string;
  run(): void;
}

/** `T[a] - T[b] <= most`, of moments of turns. */
type Bound = readonly [a: number, b: number, most: number];

interface Next {
  readonly item: Item;
  readonly bounds: readonly Bound[];
}

type Flow = Generator<Later, void, unknown>;

class Run {
  readonly #program: TaskProgram;
  readonly #choices: Choices;
  readonly #jobs: (() => void)[] = [];
  readonly #said: string[] = [];
  readonly #gate = new Later(this.#jobs);
  #items: Item[] = [];
  #bounds: readonly Bound[] = [];
  #turn = 0;
  /** Delay of the timer that fired last, in this turn. */
  #firedDelay: number | undefined;
  #isOver = false;
  #failuresLeft = 1;
  #x = 1;
  #y = 0;
  readonly #log: number[] = [];

  constructor(program: TaskProgram, choices: Choices) {
    this.#program = program;
    this.#choices = choices;
  }

  outcome(): string {
    this.#start(this.#body());
    this.#drain();
    for (let next = this.#next(); next; next = this.#next()) {
      this.#turn++;
      this.#bounds = next.bounds;
      this.#firedDelay = next.item.delay;
      this.#items = this.#items.filter((item) => item !== next!.item);
      next.item.run();
      this.#drain();
    }
    return [...this.#said, ...(this.#isOver ? [] : ["deadlock"])].join("\n");
  }

  #drain(): void {
    for (let job = this.#jobs.shift(); job; job = this.#jobs.shift()) job();
  }

  /** The item of the next turn, with the constraints on moments after it. */
  #next(): Next | undefined {
    const [now, then] = [this.#turn, this.#turn + 1];
    const passes: Bound = [now, then, 0];
    const all: Next[] = [];
    for (const item of this.#items) {
      const others = this.#items.filter((other) => other !== item);
      const inTime = this.#items
        .filter(isTimer)
        .map(({ delay, setAt }): Bound => [then, setAt, delay + this.#program.latenessMs]);
      const bounds = [...this.#bounds, passes, ...inTime];
      const before = this.#items.slice(0, this.#items.indexOf(item));
      if (!isTimer(item)) {
        if (before.every(({ queue }) => queue === undefined || queue !== item.queue))
          all.push({ item, bounds });
        continue;
      }
      const { delay, setAt } = item;
      if (before.some((other) => other.delay === delay)) continue;
      const isDue: Bound = [setAt, then, -delay];
      const isFirst = others.filter(isTimer).map((other): Bound => [setAt, other.setAt, other.delay - delay]);
      all.push({ item, bounds: [...bounds, isDue, ...isFirst] });
      // Node runs every due timer of a delay before those of others.
      if (this.#firedDelay === delay) all.push({ item, bounds: [...bounds, isDue, [then, now, 0]] });
    }
    const possible = all.filter(({ bounds }) => isSatisfiable(bounds, then + 1));
    return possible.length === 0 ? undefined : possible[this.#choices.choose(possible.length)];
  }

  *#body(): Flow {
    const { how, tasks } = this.#program;
    const joined = this.#join(how, tasks);
    const caught = new Later(this.#jobs);
    joined.react((settled) => {
      if ("error" in settled) this.#y = -1;
      caught.settle({ value: undefined });
    });
    yield caught;
    this.#said.push(`end ${JSON.stringify([this.#x, this.#y, this.#log])}`);
    this.#isOver = true;
  }

  /** An async function. */
  #start(flow: Flow): Later {
    const result = new Later(this.#jobs);
    const go = (settled: Settled): void => {
      try {
        const step = "error" in settled ? flow.throw(settled.error) : flow.next(settled.value);
        if (step.done) result.settle({ value: undefined });
        else step.value.react(go);
      } catch (error) {
        result.settle({ error });
      }
    };
    go({ value: undefined });
    return result;
  }

  #join(how: JoinKind, parts: readonly (readonly Step[])[]): Later {
    const result = new Later(this.#jobs);
    const started = parts.map((steps) => this.#start(this.#steps(steps)));
    let left = started.length;
    for (const one of started)
      one.react((settled) => {
        const isFailed = "error" in settled;
        const settles = { all: isFailed, allSettled: false, race: true, any: !isFailed }[how];
        if (settles) result.settle(settled);
        else if (--left === 0) result.settle(how === "any" ? settled : { value: undefined });
      });
    return result;
  }

  *#steps(steps: readonly Step[]): Flow {
    for (const step of steps) yield* this.#step(step);
  }

  *#step(step: Step): Flow {
    switch (step.do) {
      case "pause":
        return void (yield this.#answered(() => ({ value: undefined })));
      case "gate":
        return void (yield this.#gate);
      case "tick":
        return void (yield this.#done());
      case "ask": {
        const seen = (yield this.#ask(step.k)) as number;
        this.#y = this.#y * 2 + seen;
        return;
      }
      case "stale": {
        const before = this.#x;
        this.#x = before + ((yield this.#ask(step.k)) as number);
        return;
      }
      case "tell": {
        const isNow = this.#choices.choose(2) === 0;
        const tell = (): void => void (this.#y += step.k);
        if (isNow) tell();
        return void (yield this.#answered(() => {
          if (!isNow) tell();
          return { value: undefined };
        }));
      }
      case "may":
        return void (yield this.#may());
      case "caught":
        try {
          yield this.#may();
        } catch {
          this.#x -= step.k;
        }
        return;
      case "fifo":
        return void (yield this.#answered(() => {
          this.#log.push(step.k);
          return { value: undefined };
        }, "fifo"));
      case "sleep": {
        const woken = new Later(this.#jobs);
        this.#timer(step.k, () => woken.settle({ value: undefined }));
        return void (yield woken);
      }
      case "walk":
        // The length is read again in each round.
        for (let i = 0; i < this.#log.length; i++) {
          yield this.#answered(() => ({ value: undefined }));
          this.#y = this.#y * 3 + this.#log[i]!;
        }
        return;
      case "join":
        return void (yield this.#join(step.how, step.parts));
      default:
        this.#touch(step);
    }
  }

  #touch(step: Exclude<Step, { do: "join" }>): void {
    const k = "k" in step ? step.k : 0;
    if (step.do === "double") this.#x = this.#x * 2 + k;
    else if (step.do === "push") this.#log.push(k);
    else if (step.do === "bump") this.#y += this.#x > k ? 1 : 0;
    else if (step.do === "mix") this.#y = this.#y * 3 + this.#x;
    else if (step.do === "open") this.#gate.settle({ value: undefined });
    else if (step.do === "say") this.#said.push(`say ${this.#x}`);
    else if (step.do === "throw" && this.#y > 3 * k) throw new Error("too much");
    else if (step.do === "later")
      this.#timer(k, () => {
        this.#y = this.#y * 2 + k;
        this.#said.push(`late ${this.#y}`);
      });
  }

  #ask(k: number): Later {
    return this.#answered(() => ({ value: this.#x + k }));
  }

  #may(): Later {
    return this.#answered(() => {
      if (this.#failuresLeft === 0 || this.#choices.choose(2) === 0) return { value: undefined };
      this.#failuresLeft--;
      return { error: new Error("may failed") };
    });
  }

  /** A request: `answer` runs in its turn. */
  #answered(answer: () => Settled, queue?: string): Later {
    const result = new Later(this.#jobs);
    const run = (): void => result.settle(answer());
    this.#items.push({ setAt: this.#turn, run, ...(queue === undefined ? {} : { queue }) });
    return result;
  }

  #timer(delay: number, run: () => void): void {
    this.#items.push({ delay, setAt: this.#turn, run });
  }

  #done(): Later {
    const done = new Later(this.#jobs);
    done.settle({ value: undefined });
    return done;
  }
}

const isTimer = (item: Item): item is Item & { readonly delay: number } => item.delay !== undefined;

/** No cycle of bounds is negative. */
function isSatisfiable(bounds: readonly Bound[], moments: number): boolean {
  const distance = new Array<number>(moments).fill(0);
  for (let round = 0; round <= moments; round++) {
    let isChanged = false;
    for (const [a, b, most] of bounds)
      if (distance[b]! + most < distance[a]!) {
        distance[a] = distance[b]! + most;
        isChanged = true;
      }
    if (!isChanged) return true;
  }
  return false;
}
