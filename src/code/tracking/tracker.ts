/**
 * Tracks accesses of jobs, and detects races: pairs of turns whose order may affect the result.
 *
 * A turn is one or several jobs: its first, and the promise jobs that follow. A clock is the set of jobs that happen
 * before: a request before its reply, the jobs that settle the promises of a `Promise.all` before its continuation. Two
 * turns race if jobs of theirs access the same location, one of them writes it, and the earlier is not in the clock of
 * the later. For each race, the choice before the earlier turn gets another option to try (Flanagan, Godefroid: Dynamic
 * partial-order reduction for model checking software, 2005), which leads towards the later turn; or all options.
 *
 * A job that waits for several turns runs in the last of them, but does not race with the others. To move another job
 * before it, delaying any one of those turns suffices: each of their choices gets another option.
 *
 * Always true: a spurious race costs a schedule; a missed race would be unsound.
 */
import { isByClock, type Pending } from "../world/world.js";

/** `add`: commutes with other `add`s, such as the results of a `Promise.all`. */
export type Access = "read" | "write" | "add";

export class Location {
  write: Touch | undefined;
  /** By job. */
  readonly reads = new Map<number, bigint>();
  readonly adds = new Map<number, bigint>();
  /** The last job that accessed it, and the kind: repetitions need no report. */
  job = -1;
  how: Access | undefined;
}

interface Touch {
  readonly job: number;
  readonly clock: bigint;
}

interface Taken {
  /** Index of the choice that selected this turn; -1: there was none. */
  readonly choice: number;
  readonly enabled: readonly Pending[];
  readonly item: Pending;
  readonly clock: bigint;
}

export interface Job {
  readonly number: number;
  readonly clock: bigint;
}

export class Tracker {
  /** Reason why the recorded accesses are incomplete. */
  incomplete: string | undefined;
  /** By choice: sets of options, one of each set to be tried. */
  readonly races = new Map<number, Set<string>>();
  clock = 1n;
  #job = 0;
  #turn = 0;
  /** The turn of each job; the jobs of each turn. */
  readonly #turnOf: number[] = [0];
  readonly #jobsOf: bigint[] = [1n];
  readonly #taken: (Taken | undefined)[] = [undefined];
  readonly #created = new WeakMap<Pending, { readonly turn: number; readonly clock: bigint }>();
  readonly #queues = new Map<string, { location: Location; fired: bigint }>();
  /** Read by every turn; written by the end of the test, by failures and by unknown effects. */
  readonly #all = new Location();
  readonly #random = new Location();
  /** Timers and the clock: firing, setting or clearing one changes the times of others. */
  readonly #timers = new Location();

  touch(location: Location, how: Access): void {
    if (location.job === this.#job && (location.how === "write" || location.how === how)) return;
    const { write, reads, adds } = location;
    if (write) this.#meet(write.job, write.clock);
    if (how !== "read") for (const [job, clock] of reads) this.#meet(job, clock);
    if (how !== "add") for (const [job, clock] of adds) this.#meet(job, clock);
    if (how === "write") {
      location.write = { job: this.#job, clock: this.clock };
      reads.clear();
      adds.clear();
    } else (how === "read" ? reads : adds).set(this.#job, this.clock);
    location.job = this.#job;
    location.how = how;
  }

  touchAll(): void {
    this.touch(this.#all, "write");
  }

  /** A reading is chosen and bounds later readings, so it writes the clock. */
  clockRead(): void {
    this.touch(this.#timers, "write"); // sound: test/code/reduction/hidden-reads.test.ts
  }

  /** Random numbers form a sequence. */
  randomDrawn(): void {
    this.touch(this.#random, "write"); // sound: test/code/reduction/hidden-reads.test.ts
  }

  markIncomplete(what: string): void {
    this.incomplete ??= what;
  }

  added(item: Pending): void {
    if (isByClock(item)) this.#timerChanged();
    if (item.queue !== "") this.touch(this.#queue(item.queue).location, "write");
    this.#created.set(item, { turn: this.#turn, clock: this.clock });
  }

  /** A removed item might have fired instead of this turn. */
  removed(item: Pending): void {
    if (isByClock(item)) this.#timerChanged();
    if (this.#created.get(item)?.turn === this.#turn) return;
    for (const taken of this.#before()) {
      const option = taken.enabled.indexOf(item);
      this.#note(taken, option < 0 ? [] : [option]);
    }
  }

  /**
   * Setting or clearing a timer may enable another. The previous next timer might have fired before and may never be
   * next again, so waiting for it does not suffice.
   */
  #timerChanged(): void {
    this.touch(this.#timers, "write");
    for (const taken of this.#before())
      taken.enabled.forEach(({ due }, option) => {
        if (due !== undefined) this.#note(taken, [option]);
      });
  }

  /** The turn of this job, and the turns that it additionally waited for. */
  #before(): Taken[] {
    const taken = this.#taken[this.#chosenBefore(this.#turn)];
    if (!taken) return [];
    const joined = this.clock & ~taken.clock & ~this.#jobsOf[this.#turn]!;
    return [taken, ...this.#turnsOf(joined)];
  }

  #turnsOf(jobs: bigint): Taken[] {
    if (jobs === 0n) return [];
    return this.#taken.flatMap((_, turn) =>
      (jobs & this.#jobsOf[turn]!) === 0n ? [] : (this.#taken[this.#chosenBefore(turn)] ?? []),
    );
  }

  /** Begins a turn; `enabled`: its alternatives. */
  fired(turn: number, item: Pending, enabled: readonly Pending[], choice: number): void {
    this.#turn = turn;
    const queue = item.queue === "" ? undefined : this.#queue(item.queue);
    this.#newJob((this.#created.get(item)?.clock ?? 1n) | (queue?.fired ?? 0n));
    if (queue) queue.fired |= this.clock;
    this.#taken[turn] = { choice, enabled, item, clock: this.clock };
    this.touch(this.#all, "read");
    if (isByClock(item)) this.touch(this.#timers, "write");
  }

  /** Begins a job of this turn with the given clock; returns the argument of `resume`. */
  begin(clock: bigint): Job {
    const before = { number: this.#job, clock: this.clock };
    this.#newJob(clock);
    return before;
  }

  resume({ number, clock }: Job): void {
    this.#job = number;
    this.clock = clock;
  }

  #newJob(clock: bigint): void {
    this.#job = this.#turnOf.push(this.#turn) - 1;
    const bit = 1n << BigInt(this.#job);
    this.#jobsOf[this.#turn] = (this.#jobsOf[this.#turn] ?? 0n) | bit;
    this.clock = clock | bit;
  }

  /** Another job accessed the location before. */
  #meet(job: number, clock: bigint): void {
    const turn = this.#turnOf[job]!;
    // Before the first turn there is no choice.
    if (turn !== 0 && turn !== this.#turn && ((this.clock >> BigInt(job)) & 1n) === 0n)
      this.#race(turn, clock);
    this.clock |= clock;
  }

  #queue(name: string): { location: Location; fired: bigint } {
    let queue = this.#queues.get(name);
    if (!queue) this.#queues.set(name, (queue = { location: new Location(), fired: 0n }));
    return queue;
  }

  /** This job might have run before the job with that clock in `turn`. */
  #race(turn: number, clock: bigint): void {
    this.#delay(turn);
    // The turns that the other job additionally waited for could also come later, unless this job depends on them.
    const joined = clock & ~this.#taken[turn]!.clock & ~this.#jobsOf[turn]! & ~this.clock;
    if (joined === 0n) return;
    for (let other = 1; other < turn; other++) if ((joined & this.#jobsOf[other]!) !== 0n) this.#delay(other);
  }

  /**
   * Requires, instead of `last`, a turn that happens before this job. If `last` was not chosen, delays the turn before.
   */
  #delay(last: number): void {
    const turn = this.#chosenBefore(last);
    const taken = this.#taken[turn];
    if (!taken) return;
    const options: number[] = [];
    for (let later = turn + 1; later <= this.#turn; later++) {
      if (later !== this.#turn && (this.clock & this.#jobsOf[later]!) === 0n) continue;
      const option = taken.enabled.indexOf(this.#taken[later]!.item);
      if (option >= 0) options.push(option);
    }
    this.#note(taken, options);
  }

  /** The last turn up to `turn` that was chosen: immediates of one phase follow the first without choice. */
  #chosenBefore(turn: number): number {
    let at = turn;
    while (at > 0 && this.#taken[at]!.choice < 0) at--; // sound: test/code/reduction/natives.test.ts
    return at;
  }

  /** Requires one of `options`; without options, all. */
  #note({ choice, enabled }: Taken, options: readonly number[]): void {
    if (choice < 0) return;
    let sets = this.races.get(choice);
    if (!sets) this.races.set(choice, (sets = new Set()));
    if (options.length > 0) sets.add(options.join());
    else for (let option = 0; option < enabled.length; option++) sets.add(`${option}`);
  }
}
