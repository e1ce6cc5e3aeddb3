/**
 * A world inside its realm: the clock, what is pending, the choices, and what came of them.
 *
 * A turn lets one pending thing happen (a timer, a completion, a message); promise jobs run in their own order at the
 * end of the evaluation that called `turn`, as after a macrotask. Nothing here is given to the host but numbers and
 * strings.
 *
 * Always true: at most one thing of a queue may happen next, the one that came first; which timers may is a question for
 * `Moments`, unless time passes by timers alone. Nothing comes between the immediates of one phase. What a test leaves behind
 * happens in every order, as what it waits for does.
 */
import { PlannedChooser, type Offer, type Plan } from "../../model/chooser.js";
import { describeFailure, UnsupportedError, type Failure, type Refusal } from "./failure.js";
import { Moments } from "./moments.js";

export interface WorldOptions {
  readonly plan: Plan;
  /** What `Date.now()` says at the start. */
  readonly epochMs: number;
  /**
   * `deadline-order`: requests take any time, and timers fire by deadline, at most `latenessMs` late. `punctual`: time passes
   * only until the next timer, which fires on time. `any`: as well, and a timer may fire before one that is due earlier.
   */
  readonly timers: "deadline-order" | "punctual" | "any";
  /** How late a timer may fire. */
  readonly latenessMs: number;
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
  latenessMs: 10,
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
  /** When it is due, by the virtual clock, at the earliest; undefined: at any time. */
  readonly due: number | undefined;
  /** Of a timer: how long after its setting. */
  readonly delayMs?: number;
  /** It comes again and again, under that name: nothing waits for it at the end. */
  readonly repeats?: string | undefined;
  /** The process does not wait for it. */
  isUnref?(): boolean;
  /** Something keeps it from happening now. */
  isBlocked?(): boolean;
  run(): void;
}

/** What the world has to know of `process`. */
export interface WorldProcess {
  readonly exitCode?: unknown;
  listenerCount(event: string): number;
  emit(event: string, ...args: unknown[]): boolean;
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
  clockRead(): void;
  randomDrawn(): void;
  begin(clock: bigint): object;
  resume(before: never): void;
}

/** The queue of `setImmediate`. */
export const immediates = "immediate";

/** Does it come at a time of its own? An immediate comes at once. */
export const isByClock = ({ due, queue }: Pending): boolean => due !== undefined || queue === immediates; // sound: test/code/world/conditions.test.ts

/** What `turn` answers. */
export const Turn = { again: 0, idle: 1, spent: 2, failed: 3 } as const;

/** What a run relied on that another world might not grant: bits of `World.relied`. */
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
} as const;

export class World {
  options: WorldOptions = defaultWorldOptions;
  chooser = new PlannedChooser(defaultWorldOptions.plan);
  /** The time, where it passes by timers alone; otherwise the earliest that it may be. */
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
  /** Bits of `Relied`. */
  relied = 0;
  /** Something was used that is not under control, whoever caught the error. */
  refusal: Refusal | undefined;
  /** The first assertion that failed, whoever caught it. */
  assertion: Refusal | undefined;
  #moments: Moments | undefined;
  /** The turn in which the clock was read last. */
  #readAt = -1;
  /** A timer has fired. */
  #hasTimed = false;
  /** Immediates of the phase that has begun: they come one after the other. */
  #phase: Pending[] = [];
  /** Intervals that have fired since the test was over. */
  readonly #firedAgain = new Set<string | undefined>();
  #ticks: (() => void)[] = [];
  #drained: (() => void) | undefined;
  /** The end of the process, if somebody listens for it. */
  #ending: Pending | undefined;
  /** Listeners of `beforeExit` were called, and nothing has happened since. */
  #isAsked = false;
  #hasExited = false;
  /** Callbacks of promises and of `process.nextTick` that have run. */
  jobs = 0;
  #watcher: Watcher | undefined;
  /** `process`, where it is ours. */
  process: WorldProcess | undefined;
  /** Builtins keep what they share here, by name. */
  readonly parts = new Map<string, unknown>();

  begin(options: WorldOptions): void {
    this.options = options;
    this.chooser = new PlannedChooser(options.plan);
    this.now = options.epochMs;
    if (options.timers === "deadline-order") this.#moments = new Moments(options.latenessMs); // sound: test/code/world/conditions.test.ts
  }

  /** Notes what the verdict has to say; see `Relied`. */
  rely(what: number): void {
    this.relied |= what;
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

  /** A choice that was made turns out to be none: its first option is the same as any other. */
  withdraw(choice: number): void {
    const { made } = this.chooser;
    made[choice] = { ...made[choice]!, options: 1 };
  }

  /** What the clock says. While requests are under way it may stand anywhere: the earliest and the latest time are tried. */
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
    const reading = readings[this.choose(readings.length)]!;
    if (reading > readings[0]!) this.tell("note", "clock", `${reading} ms have passed`);
    moments.fix(reading); // sound: test/code/world/conditions.test.ts
    return (this.now = this.options.epochMs + reading);
  }

  /** Numbers are drawn one after the other, so their order matters. */
  drawRandom(): void {
    this.#watcher?.randomDrawn();
  }

  add(pending: Pending): Pending {
    this.#offers.set(pending, { id: this.#added++, task: this.#isContinued ? this.tasks++ : this.#task });
    this.#isContinued = true;
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

  /** Calls back in this turn, when no callback of a promise or of `process.nextTick` is left. */
  whenDrained(callback: () => void): void {
    this.#drained = this.#continued(callback);
  }

  /** To be called later, as a part of what runs now. */
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

  /** Runs what `process.nextTick` or `whenDrained` was given, if anything: then promise jobs come again. */
  tick(): boolean {
    const drained = this.#drained;
    if (this.#ticks.length > 0) this.#runTicks();
    else if (drained) {
      this.#drained = undefined;
      this.attempt(drained);
    } else return false; // sound: test/code/conditions.test.ts
    return true;
  }

  /** Runs a test; the world is over when nothing is left of what it began. */
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

  /** Lets one thing happen. */
  turn(): number {
    if (this.failure) return Turn.failed; // sound: test/code/world/conditions.test.ts
    if (this.#hasExited) return Turn.idle; // sound: test/code/conditions.test.ts
    if (this.body === "done") this.#awaitExit();
    const enabled = this.body === "done" ? this.#left() : this.enabled(); // sound: test/code/world/conditions.test.ts
    if (enabled.length === 0) return Turn.idle; // sound: test/code/world/conditions.test.ts
    if (this.turns >= this.options.maxTurns) return Turn.spent; // sound: test/code/world/conditions.test.ts
    const choice = enabled.length === 1 ? -1 : this.chooser.made.length;
    this.fire(enabled[this.#chooseOne(enabled)]!, enabled, choice);
    return this.failure ? Turn.failed : Turn.again;
  }

  /**
   * What the test did not wait for. An interval would never be done: it fires once more. Then it is gone, because timers that are due
   * later wait for it.
   */
  #left(): Pending[] {
    const intervals = this.pending.filter(({ repeats }) => repeats);
    if (intervals.length > 0) this.rely(Relied.interval); // sound: test/code/world/conditions.test.ts
    for (const item of intervals) if (this.#firedAgain.has(item.repeats)) this.remove(item); // sound: test/code/world/conditions.test.ts
    return this.enabled();
  }

  /**
   * The process ends when it has nothing to wait for, unless listeners of `beforeExit` begin something. What those of `exit` begin never happens, nor
   * what the process did not wait for.
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

  /** What may happen next: first what is not bound to time, in order of its making, then the timers. */
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
    return free.concat(this.#dueNext(timers));
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

  /** `choice`: the number of the choice between what was enabled; -1: there was none. */
  fire(item: Pending, enabled: readonly Pending[] = [], choice = -1): void {
    const isOfPhase = this.#phase.includes(item);
    this.#take(item);
    if (item.due !== undefined) this.#hasTimed = true; // sound: test/testing/scope.test.ts
    this.chooser.turn = ++this.turns;
    this.#task = this.#offers.get(item)!.task;
    this.#isContinued = false;
    if (item !== this.#ending) this.#isAsked = false; // sound: test/code/conditions.test.ts
    this.#watcher?.fired(this.turns, item, enabled, choice);
    if (this.body === "done") this.#firedAgain.add(item.repeats); // sound: test/code/world/conditions.test.ts
    if (this.#moments) {
      this.#moments.begin(item);
      this.now = this.options.epochMs + this.#moments.earliest;
    } else this.now = Math.max(this.now, item.due ?? 0);
    // Node runs all immediates that are there when their phase begins; others may come before those that are set meanwhile.
    if (item.queue === immediates && !isOfPhase)
      // sound: test/code/world/conditions.test.ts
      this.#phase = this.pending.filter(({ queue }) => queue === immediates); // sound: test/code/world/conditions.test.ts
    this.tell("turn", item.lane, item.label);
    this.mark(item.lane);
    this.mark(item.label);
    this.attempt(() => item.run()); // sound: test/code/world/conditions.test.ts
    this.#runTicks();
  }

  /** Runs user code at the bottom of the stack: what it throws nobody catches. */
  attempt(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.uncaught("exception", error); // sound: test/code/world/conditions.test.ts
    }
  }

  /** Nobody has caught it. Where the process is asked to, what comes of it is not under control. */
  uncaught(kind: "exception" | "rejection", error: unknown): void {
    const events = kind === "rejection" ? ["unhandledRejection", "uncaughtException"] : ["uncaughtException"];
    const event = events.find((one) => this.process?.listenerCount(one)); // sound: test/code/conditions.test.ts
    this.fail(
      kind,
      event === undefined ? error : new UnsupportedError(`process.on("${event}") is not supported`),
    );
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
      this.jobs += ticks.length;
      for (const tick of ticks) this.attempt(tick);
    }
  }
}
