/**
 * A world inside its realm: the clock, pending items, choices, and their results.
 *
 * A turn fires one pending item (a timer, a completion, a message). Promise jobs run at the end of the evaluation that
 * called `turn`, as after a macrotask. The host receives only numbers and strings.
 *
 * Always true: at most one item of a queue is enabled, the oldest; `Moments` determines the enabled timers, unless time
 * passes by timers alone. The immediates of a phase run without interruption. Items that a test leaves behind fire in
 * every order, like the others.
 */
import { PlannedChooser, type Offer, type Plan } from "../../model/chooser.js";
import { describeFailure, UnsupportedError, type Failure, type Refusal } from "./failure.js";
import { Chains, type Repeating } from "./chains.js";
import { Moments } from "./moments.js";
import { nth, entryOf } from "../../model/known.js";

export interface WorldOptions {
  readonly plan: Plan;
  /** Value of `Date.now()` at the start. */
  readonly epochMs: number;
  /**
   * `deadline-order`: requests take any time; timers fire by deadline, at most `latenessMs` late. `punctual`: time
   * passes only to the next timer, which fires on time. `any`: like `punctual`, but in any order of deadlines.
   */
  readonly timers: "deadline-order" | "punctual" | "any";
  readonly latenessMs: number;
  /** How often the successive timers of one chain may fire while a request is pending; absent: any number of times. */
  readonly late?: number | undefined;
  /** `Math.random` and `crypto`: numbers from a seed, or a choice between `values` evenly spaced values. */
  readonly random: { readonly seed: number } | { readonly values: number };
  readonly maxTurns: number;
  readonly recordsEvents: boolean;
  readonly env: Readonly<Record<string, string>>;
  /** The heap is captured and restored between turns, without the variables of the world itself. */
  readonly isRestored?: boolean;
}

export const defaultWorldOptions: WorldOptions = {
  plan: { prefix: [], tail: { kind: "first" } },
  epochMs: Date.UTC(2020, 0, 1),
  timers: "deadline-order",
  latenessMs: 10,
  random: { seed: 1 },
  maxTurns: 1000,
  recordsEvents: false,
  env: {},
};

/** An item that waits to be fired. */
export interface Pending {
  /** Lane of the chart: a service, or `timers`. */
  readonly lane: string;
  readonly label: string;
  /** Items of one queue fire in the order of their creation; "" means no queue. */
  readonly queue: string;
  /** Earliest virtual time at which it may fire; undefined: any time. */
  readonly due: number | undefined;
  readonly delayMs?: number;
  /** Name of a repeated item; the end of the run does not wait for it. */
  readonly repeats?: string | undefined;
  /** Whether the process may end without it. */
  isUnref?(): boolean;
  /** Whether it is currently disabled. */
  isBlocked?(): boolean;
  run(): void;
}

/** The part of `process` that the world uses. */
export interface WorldProcess {
  readonly exitCode?: unknown;
  listenerCount(event: string): number;
  emit(event: string, ...args: unknown[]): boolean;
}

export interface WorldEvent {
  /** Turn of the event; 0 is the start. */
  readonly turn: number;
  readonly kind: "call" | "turn" | "note";
  readonly lane: string;
  readonly label: string;
  /** Stack of the user's call. */
  readonly stack: string;
}

export interface Output {
  readonly turn: number;
  readonly level: string;
  readonly text: string;
}

/** Observes the turns' effects on pending items, to detect turns that could occur in another order. */
export interface Watcher {
  clock: bigint;
  added(item: Pending): void;
  removed(item: Pending): void;
  fired(turn: number, item: Pending, enabled: readonly Pending[], choice: number): void;
  touchAll(): void;
  clockRead(): void;
  randomDrawn(): void;
  begin(clock: bigint): object;
  resume(before: never): void;
}

export const immediates = "immediate";

/** Whether the clock or the immediate phase, rather than a request, determines its time. */
export const isByClock = ({ due, queue }: Pending): boolean => due !== undefined || queue === immediates; // sound: test/code/world/conditions.test.ts

/** Results of `turn`. */
export const Turn = { again: 0, idle: 1, spent: 2, failed: 3 } as const;

/** Assumptions of a run that another world might violate: bits of `World.relied`. */
export const Relied = {
  seed: 1,
  date: 2,
  readings: 4,
  lateness: 8,
  wholeSegments: 16,
  cuts: 32,
  interval: 64,
  caught: 128,
  wholeWrites: 256,
  timersAlone: 512,
  fewRandoms: 1024,
  instantTurns: 2048,
  ownConnections: 4096,
  roomOnWire: 8192,
  wholeDelays: 16384,
  ownStreams: 32768,
  uncollected: 65536,
  late: 131072,
  endless: 262144,
} as const;

export class World {
  options: WorldOptions = defaultWorldOptions;
  chooser = new PlannedChooser(defaultWorldOptions.plan);
  /** Virtual time if it passes by timers alone, else its lower bound. */
  now = defaultWorldOptions.epochMs;
  pending: Pending[] = [];
  turns = 0;
  readonly events: WorldEvent[] = [];
  readonly output: Output[] = [];
  failure: Failure | undefined;
  /** State of the test in this world, if any. */
  body: "none" | "running" | "done" = "none";
  /** Equal for equal runs. */
  fingerprint = 0;
  /** Number of tasks: chains of turns, each of which created the next. */
  tasks = 1;
  #task = 0;
  /** Whether this turn has created an item. The first continues its task; each further one begins a task. */
  #isContinued = false;
  #added = 0;
  readonly #offers = new WeakMap<Pending, Offer>();
  readonly #chains = new Chains();
  relied = 0;
  /** Use of an unsupported feature, even if the code caught the error. */
  refusal: Refusal | undefined;
  /** The first failed assertion, even if the code caught it. */
  assertion: Refusal | undefined;
  #moments: Moments | undefined;
  /** Turn of the last clock reading. */
  #readAt = -1;
  #hasTimed = false;
  /** Remaining immediates of the current phase. */
  #phase: Pending[] = [];
  /** Intervals that have fired since the end of the test. */
  readonly #firedAgain = new Set<string | undefined>();
  #ticks: (() => void)[] = [];
  #drained: (() => void) | undefined;
  /** The end of the process, if it has listeners. */
  #ending: Pending | undefined;
  /** Whether `beforeExit` was emitted and no item has fired since. */
  #isAsked = false;
  #hasExited = false;
  /** Number of executed callbacks of promises and `process.nextTick`. */
  jobs = 0;
  #watcher: Watcher | undefined;
  process: WorldProcess | undefined;
  /** Pure functions of the host's Node; see `builtins/pure.ts`. */
  pure: ((text: string) => string) | undefined;
  /** Shared data of builtins, by name. */
  readonly parts = new Map<string, unknown>();

  begin(options: WorldOptions): void {
    this.options = options;
    this.chooser = new PlannedChooser(options.plan);
    this.now = options.epochMs;
    if (options.timers === "deadline-order") this.#moments = new Moments(options.latenessMs); // sound: test/code/world/conditions.test.ts
  }

  /** Records an assumption, which the verdict states; see `Relied`. */
  rely(what: number): void {
    this.relied |= what;
  }

  watch(watcher: Watcher): void {
    this.#watcher = watcher;
  }

  /** Marks this turn as dependent on all others. */
  touchAll(): void {
    this.#watcher?.touchAll();
  }

  choose(options: number): number {
    return this.chooser.choose(options);
  }

  /** Removes a choice whose options turned out to be equivalent. */
  withdraw(choice: number): void {
    const { made } = this.chooser;
    made[choice] = { ...nth(made, choice), options: 1 };
  }

  /** Reads the clock. During requests its value is uncertain: explores the earliest and the latest time. */
  readClock(): number {
    this.#watcher?.clockRead();
    const moments = this.#moments;
    if (!moments) this.rely(Relied.timersAlone); // sound: test/code/world/conditions.test.ts
    if (this.#readAt === this.turns) this.rely(Relied.instantTurns); // sound: test/testing/scope.test.ts
    if (this.#hasTimed) this.rely(Relied.wholeDelays); // sound: test/testing/scope.test.ts
    if (!moments || this.#readAt === this.turns) {
      this.#readAt = this.turns;
      return this.now; // sound: test/code/world/conditions.test.ts
    }
    this.#readAt = this.turns;
    const readings = moments.readings();
    if (readings.length > 1) this.rely(Relied.readings); // sound: test/code/world/conditions.test.ts
    const reading = nth(readings, this.choose(readings.length));
    if (reading > nth(readings, 0)) this.record("note", "clock", `${reading} ms have passed`);
    moments.fix(reading); // sound: test/code/world/conditions.test.ts
    return (this.now = this.options.epochMs + reading);
  }

  /** Draws a random number; the order of draws matters. */
  drawRandom(): void {
    this.#watcher?.randomDrawn();
  }

  add(pending: Pending): Pending {
    this.#offers.set(pending, { id: this.#added++, task: this.#isContinued ? this.tasks++ : this.#task });
    this.#isContinued = true;
    this.#chains.add(pending, this.turns, this.options.recordsEvents);
    this.pending.push(pending);
    if (isByClock(pending)) this.#moments?.set(pending, pending.delayMs ?? 0); // sound: test/code/world/conditions.test.ts
    this.#watcher?.added(pending);
    return pending;
  }

  remove(pending: Pending): boolean {
    const isRemoved = this.#take(pending);
    if (isRemoved) {
      this.#moments?.remove(pending); // sound: test/code/world/conditions.test.ts
      this.#watcher?.removed(pending);
    }
    return isRemoved;
  }

  #take(pending: Pending): boolean {
    const index = this.pending.indexOf(pending);
    if (index < 0) return false;
    this.pending.splice(index, 1);
    this.#phase = this.#phase.filter((other) => other !== pending); // sound: test/code/world/conditions.test.ts
    return true;
  }

  nextTick(callback: () => void): void {
    this.#ticks.push(this.#continued(callback));
  }

  /** Calls back in this turn, after all promise and `process.nextTick` callbacks. */
  whenDrained(callback: () => void): void {
    this.#drained = this.#continued(callback);
  }

  /** Attributes a later callback to the current job. */
  #continued(callback: () => void): () => void {
    const watcher = this.#watcher;
    if (!watcher) return callback;
    const { clock } = watcher;
    return () => {
      const before = watcher.begin(clock);
      this.attempt(callback);
      watcher.resume(before as never);
    };
  }

  /** Runs `process.nextTick` and `whenDrained` callbacks; true if there were any, since promise jobs may follow. */
  tick(): boolean {
    const drained = this.#drained;
    if (this.#ticks.length > 0) this.#runTicks();
    else if (drained) {
      this.#drained = undefined;
      this.attempt(drained);
    } else return false; // sound: test/code/conditions.test.ts
    return true;
  }

  /** Runs a test; the world ends when all items that it created are done. */
  start(test: () => Promise<void>): void {
    this.body = "running";
    void test().then(
      () => (this.body = "done"),
      (error: unknown) => {
        this.body = "done";
        this.fail("exception", error); // sound: test/code/world/conditions.test.ts
      },
    );
  }

  /** Fires one enabled item. */
  turn(): number {
    if (this.failure) return Turn.failed; // sound: test/code/world/conditions.test.ts
    if (this.#hasExited) return Turn.idle; // sound: test/code/conditions.test.ts
    if (this.body === "done") this.#awaitExit();
    const enabled = this.body === "done" ? this.#left() : this.enabled(); // sound: test/code/world/conditions.test.ts
    if (enabled.length === 0) return Turn.idle; // sound: test/code/world/conditions.test.ts
    if (this.turns >= this.options.maxTurns) {
      // sound: test/code/world/conditions.test.ts
      this.rely(Relied.endless);
      return Turn.spent;
    }
    const choice = enabled.length === 1 ? -1 : this.chooser.made.length;
    this.fire(nth(enabled, this.#chooseOne(enabled)), enabled, choice);
    return this.failure ? Turn.failed : Turn.again;
  }

  /** Enabled items after the end of the test. An interval would run forever: it fires once more and is then removed. */
  #left(): Pending[] {
    const intervals = this.pending.filter(({ repeats }) => repeats);
    if (intervals.length > 0) this.rely(Relied.interval); // sound: test/code/world/conditions.test.ts
    for (const item of intervals) if (this.#firedAgain.has(item.repeats)) this.remove(item); // sound: test/code/world/conditions.test.ts
    return this.enabled();
  }

  /**
   * Ends the process when nothing keeps it alive, unless `beforeExit` listeners create items. Items created by `exit`
   * listeners, and unreferenced ones, never fire.
   */
  #awaitExit(): void {
    const { process } = this;
    const hears = (event: string): boolean => (process?.listenerCount(event) ?? 0) > 0;
    if (this.#ending || !(hears("beforeExit") || hears("exit"))) return; // sound: test/code/conditions.test.ts
    const isHeld = ({ isUnref, repeats }: Pending): boolean => !isUnref?.() && repeats === undefined; // sound: test/code/conditions.test.ts
    this.#ending = this.add({
      lane: "process",
      label: "exit",
      queue: "",
      due: undefined,
      isUnref: () => true,
      isBlocked: () => this.pending.some(isHeld), // sound: test/code/conditions.test.ts
      run: () => {
        this.#ending = undefined;
        const isAsked = !this.#isAsked && hears("beforeExit"); // sound: test/code/conditions.test.ts
        this.#isAsked = isAsked;
        this.#hasExited = !isAsked;
        process!.emit(isAsked ? "beforeExit" : "exit", process!.exitCode ?? 0);
      },
    });
  }

  /** Enabled items: untimed ones in the order of creation, then timers. */
  enabled(): Pending[] {
    if (this.#phase.length > 0) return this.#phase.slice(0, 1); // sound: test/code/world/conditions.test.ts
    const free: Pending[] = [];
    const timers: Pending[] = [];
    const seen = new Set<string>();
    for (const item of this.pending) {
      if (item.isBlocked?.()) continue; // sound: test/code/conditions.test.ts
      if (item.due !== undefined)
        timers.push(item); // sound: test/code/world/conditions.test.ts
      else if (item.queue === "")
        free.push(item); // sound: test/code/world/conditions.test.ts
      else if (!seen.has(item.queue)) {
        // sound: test/code/world/conditions.test.ts
        seen.add(item.queue);
        free.push(item);
      }
    }
    return this.#inTime(free.concat(this.#dueNext(timers)));
  }

  /**
   * With `late`, disables timers that would overtake an enabled request too often. The request stays enabled, so this
   * never leaves a run without a turn.
   */
  #inTime(enabled: Pending[]): Pending[] {
    const { late } = this.options;
    if (late === undefined) return enabled;
    const requests = enabled.filter((item) => !isByClock(item));
    if (requests.length === 0) return enabled; // sound: test/code/world/late.test.ts
    const oldest = Math.min(...requests.map((item) => this.#chains.turnOf(item)));
    const kept = enabled.filter((item) => !isByClock(item) || this.#chains.firedSince(item, oldest) < late); // sound: test/code/world/late.test.ts
    if (kept.length < enabled.length) this.rely(Relied.late); // sound: test/code/world/late.test.ts
    return kept;
  }

  /** The timer that keeps the run from ending, if one does. */
  repeating(): Repeating | undefined {
    return this.#chains.repeating(this.pending);
  }

  #dueNext(timers: Pending[]): Pending[] {
    if (this.#moments) {
      if (this.#moments.isCompared) this.rely(Relied.lateness); // sound: test/code/world/conditions.test.ts
      if (this.#moments.isOvertaken) this.rely(Relied.instantTurns); // sound: test/testing/scope.test.ts
      return this.#moments.next(({ due }) => due !== undefined); // sound: test/code/world/conditions.test.ts
    }
    if (timers.length > 0) this.rely(Relied.timersAlone); // sound: test/code/world/conditions.test.ts
    timers.sort((a, b) => a.due! - b.due!); // sound: test/code/world/conditions.test.ts
    return this.options.timers === "any" ? timers : timers.slice(0, 1); // sound: test/code/world/conditions.test.ts
  }

  /** `choice`: index of the choice between the enabled items; -1: there was none. */
  fire(item: Pending, enabled: readonly Pending[] = [], choice = -1): void {
    const isOfPhase = this.#phase.includes(item);
    this.#take(item);
    if (item.due !== undefined) this.#hasTimed = true; // sound: test/testing/scope.test.ts
    this.chooser.turn = ++this.turns;
    this.#task = entryOf(this.#offers, item).task;
    this.#isContinued = false;
    this.#chains.fire(item, this.turns, isByClock(item)); // sound: test/code/world/late.test.ts
    if (item !== this.#ending) this.#isAsked = false; // sound: test/code/conditions.test.ts
    this.#watcher?.fired(this.turns, item, enabled, choice);
    if (this.body === "done") this.#firedAgain.add(item.repeats); // sound: test/code/world/conditions.test.ts
    if (this.#moments) {
      this.#moments.begin(item);
      this.now = this.options.epochMs + this.#moments.earliest;
    } else this.now = Math.max(this.now, item.due ?? 0);
    // Node runs all immediates that exist when their phase begins; other items may precede later immediates.
    if (item.queue === immediates && !isOfPhase)
      // sound: test/code/world/conditions.test.ts
      this.#phase = this.pending.filter(({ queue }) => queue === immediates); // sound: test/code/world/conditions.test.ts
    this.record("turn", item.lane, item.label);
    this.mark(item.lane);
    this.mark(item.label);
    this.attempt(() => item.run()); // sound: test/code/world/conditions.test.ts
    this.#runTicks();
  }

  /** Runs user code at the bottom of the stack, so that every exception is uncaught. */
  attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.uncaught("exception", error); // sound: test/code/world/conditions.test.ts
    }
  }

  /** Fails, because an error was not caught. Listeners of `process` for such errors are unsupported. */
  uncaught(kind: "exception" | "rejection", error: unknown): void {
    const events = kind === "rejection" ? ["unhandledRejection", "uncaughtException"] : ["uncaughtException"];
    const event = events.find((one) => this.process?.listenerCount(one)); // sound: test/code/conditions.test.ts
    this.fail(
      kind,
      event === undefined ? error : new UnsupportedError(`process.on("${event}") is not supported`),
    );
  }

  /** Records the first failure; later ones are often its consequences. */
  fail(kind: Failure["kind"], error: unknown): void {
    this.touchAll();
    this.failure ??= describeFailure(kind, error, this.turns);
  }

  /** Adds `text` to the fingerprint. */
  mark(text: string): void {
    let hash = this.fingerprint;
    for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    this.fingerprint = hash ^ (hash >>> 15);
  }

  print(level: string, text: string): void {
    this.output.push({ turn: this.turns, level, text });
    this.mark(text);
  }

  record(kind: WorldEvent["kind"], lane: string, label: string): void {
    if (!this.options.recordsEvents) return;
    const stack = kind === "turn" ? "" : (new Error().stack ?? "");
    this.events.push({ turn: this.turns, kind, lane, label, stack });
  }

  #chooseOne(enabled: readonly Pending[]): number {
    return this.chooser.choose(
      enabled.length,
      enabled.map((item) => entryOf(this.#offers, item)),
    );
  }

  #runTicks(): void {
    while (this.#ticks.length > 0) {
      const ticks = this.#ticks;
      this.#ticks = [];
      this.jobs += ticks.length;
      for (const tick of ticks) this.attempt(tick);
    }
  }
}
