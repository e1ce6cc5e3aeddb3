/**
 * A world inside its realm: the clock, what is pending, the choices, and what came of them.
 *
 * A turn lets one pending thing happen (a timer, a completion, a message); promise jobs run in their own order at the
 * end of the evaluation that called `turn`, as after a macrotask. Nothing here is given to the host but numbers and
 * strings.
 *
 * Always true: at most one thing of a queue may happen next, the one that came first; of the timers the one that is
 * due first, of equals the one that was set first.
 */
import { PlannedChooser, type Offer, type Plan } from "../../model/chooser.js";
import { describeFailure, type Failure } from "./failure.js";

export interface WorldOptions {
  readonly plan: Plan;
  /** What `Date.now()` says at the start. */
  readonly epochMs: number;
  /** May a timer fire before one that is due earlier? */
  readonly timers: "deadline-order" | "any";
  /** `Math.random` and `crypto`: numbers from a seed, or so many evenly spaced values to choose from. */
  readonly random: { readonly seed: number } | { readonly values: number };
  /** Turns after which the run is given up. */
  readonly maxTurns: number;
  /** Keep what happened, to be told. */
  readonly tells: boolean;
  readonly env: Readonly<Record<string, string>>;
}

export const defaultWorldOptions: WorldOptions = {
  plan: { prefix: [], tail: { kind: "first" } },
  epochMs: Date.UTC(2020, 0, 1),
  timers: "deadline-order",
  random: { seed: 1 },
  maxTurns: 1000,
  tells: false,
  env: {},
};

/** Something that waits to happen. */
export interface Pending {
  /** Who it belongs to, a lane of the chart: a service, `timers`. */
  readonly lane: string;
  readonly label: string;
  /** Things of one queue happen in the order in which they were added; "" is no queue. */
  readonly queue: string;
  /** When it is due, by the virtual clock; undefined: at any time. */
  readonly due: number | undefined;
  /** It comes again and again: nothing waits for it at the end. */
  readonly repeats?: boolean;
  /** Something keeps it from happening now. */
  isBlocked?(): boolean;
  run(): void;
}

/** Something that happened: one line of the story. */
export interface Told {
  /** The turn it happened in; 0 is the start. */
  readonly turn: number;
  readonly kind: "call" | "turn" | "note";
  readonly lane: string;
  readonly label: string;
  /** Where the user's code asked for it: a stack. */
  readonly stack: string;
}

export interface Output {
  readonly turn: number;
  readonly level: string;
  readonly text: string;
}

/** Is told what turns do to what is pending, to find out which could have come in another order. */
export interface Watcher {
  clock: bigint;
  added(item: Pending): void;
  removed(item: Pending): void;
  fired(turn: number, item: Pending, enabled: readonly Pending[], choice: number): void;
  touchAll(): void;
  begin(clock: bigint): object;
  resume(before: never): void;
}

/** What `turn` answers. */
export const Turn = { again: 0, idle: 1, spent: 2, failed: 3 } as const;

/** Turns that are still taken when the test is over, for what it left behind: in the default order. */
const lastTurns = 100;

export class World {
  options: WorldOptions = defaultWorldOptions;
  chooser = new PlannedChooser(defaultWorldOptions.plan);
  now = defaultWorldOptions.epochMs;
  pending: Pending[] = [];
  turns = 0;
  readonly told: Told[] = [];
  readonly output: Output[] = [];
  failure: Failure | undefined;
  /** Of the test that runs in this world, if one does. */
  body: "none" | "running" | "done" = "none";
  /** Equal for equal runs. */
  fingerprint = 0;
  /** Tasks: chains of turns, each of which asked for the next. */
  tasks = 1;
  #task = 0;
  /** Has this turn asked for something already? The first thing goes on with its task, what is more begins tasks. */
  #isContinued = false;
  #added = 0;
  readonly #offers = new WeakMap<Pending, Offer>();
  #turnsLeft = lastTurns;
  #ticks: (() => void)[] = [];
  #watcher: Watcher | undefined;
  /** Builtins keep what they share here, by name. */
  readonly parts = new Map<string, unknown>();

  begin(options: WorldOptions): void {
    this.options = options;
    this.chooser = new PlannedChooser(options.plan);
    this.now = options.epochMs;
  }

  watch(watcher: Watcher): void {
    this.#watcher = watcher;
  }

  /** Something happened that no other turn may be exchanged with. */
  touchAll(): void {
    this.#watcher?.touchAll();
  }

  choose(options: number): number {
    return this.chooser.choose(options);
  }

  add(pending: Pending): Pending {
    this.#offers.set(pending, { id: this.#added++, task: this.#isContinued ? this.tasks++ : this.#task });
    this.#isContinued = true;
    this.pending.push(pending);
    this.#watcher?.added(pending);
    return pending;
  }

  remove(pending: Pending): boolean {
    const isRemoved = this.#take(pending);
    if (isRemoved) this.#watcher?.removed(pending);
    return isRemoved;
  }

  #take(pending: Pending): boolean {
    const index = this.pending.indexOf(pending);
    if (index < 0) return false;
    this.pending.splice(index, 1);
    return true;
  }

  nextTick(callback: () => void): void {
    const watcher = this.#watcher;
    if (!watcher) return void this.#ticks.push(callback);
    const { clock } = watcher;
    this.#ticks.push(() => {
      const before = watcher.begin(clock);
      this.attempt(callback);
      watcher.resume(before as never);
    });
  }

  /** Runs what `process.nextTick` was given, if anything: then promise jobs come again. */
  tick(): boolean {
    if (this.#ticks.length === 0) return false;
    this.#runTicks();
    return true;
  }

  /** Runs a test; the world is over when it is, but for what it left behind. */
  start(test: () => Promise<void>): void {
    this.body = "running";
    void test().then(
      () => this.#end(),
      (error: unknown) => {
        this.#end();
        this.fail("exception", error);
      },
    );
  }

  /** From now on nothing is chosen any more, so it matters what came before. */
  #end(): void {
    this.body = "done";
    this.touchAll();
  }

  /** Lets one thing happen. */
  turn(): number {
    if (this.failure) return Turn.failed;
    if (this.body === "done") return this.#finish();
    const enabled = this.enabled();
    if (enabled.length === 0) return Turn.idle;
    if (this.turns >= this.options.maxTurns) return Turn.spent;
    const choice = enabled.length === 1 ? -1 : this.chooser.made.length;
    this.fire(enabled[this.#chooseOne(enabled)]!, enabled, choice);
    return this.failure ? Turn.failed : Turn.again;
  }

  /** What the test did not wait for happens in the default order, so that its failures show without more schedules. */
  #finish(): number {
    const next = this.enabled().find(({ repeats }) => !repeats);
    if (!next || this.#turnsLeft-- <= 0) return Turn.idle;
    this.fire(next);
    return this.failure ? Turn.failed : Turn.again;
  }

  /** What may happen next: first what is not bound to time, in order of its making, then the timers. */
  enabled(): Pending[] {
    const free: Pending[] = [];
    const timers: Pending[] = [];
    const seen = new Set<string>();
    for (const item of this.pending) {
      if (item.isBlocked?.()) continue;
      if (item.due !== undefined) timers.push(item);
      else if (item.queue === "") free.push(item);
      else if (!seen.has(item.queue)) {
        seen.add(item.queue);
        free.push(item);
      }
    }
    if (timers.length > 1) timers.sort((a, b) => a.due! - b.due!);
    return free.concat(this.options.timers === "any" ? timers : timers.slice(0, 1));
  }

  /** `choice`: the number of the choice between what was enabled; -1: there was none. */
  fire(item: Pending, enabled: readonly Pending[] = [], choice = -1): void {
    this.#take(item);
    this.chooser.turn = ++this.turns;
    this.#task = this.#offers.get(item)!.task;
    this.#isContinued = false;
    this.#watcher?.fired(this.turns, item, enabled, choice);
    if (item.due !== undefined && item.due > this.now) this.now = item.due;
    this.tell("turn", item.lane, item.label);
    this.mark(item.lane);
    this.mark(item.label);
    this.attempt(() => item.run());
    this.#runTicks();
  }

  /** Runs user code at the bottom of the stack: what it throws nobody catches. */
  attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.fail("exception", error);
    }
  }

  /** Only the first failure counts: what follows is often its consequence. */
  fail(kind: Failure["kind"], error: unknown): void {
    this.touchAll();
    this.failure ??= describeFailure(kind, error, this.turns);
  }

  /** Takes part in the fingerprint. */
  mark(text: string): void {
    let hash = this.fingerprint;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    this.fingerprint = hash ^ (hash >>> 15);
  }

  print(level: string, text: string): void {
    this.output.push({ turn: this.turns, level, text });
    this.mark(text);
  }

  tell(kind: Told["kind"], lane: string, label: string): void {
    if (!this.options.tells) return;
    const stack = kind === "turn" ? "" : (new Error().stack ?? "");
    this.told.push({ turn: this.turns, kind, lane, label, stack });
  }

  #chooseOne(enabled: readonly Pending[]): number {
    return this.chooser.choose(
      enabled.length,
      enabled.map((item) => this.#offers.get(item)!),
    );
  }

  #runTicks(): void {
    while (this.#ticks.length > 0) {
      const ticks = this.#ticks;
      this.#ticks = [];
      for (const tick of ticks) this.attempt(tick);
    }
  }
}
