/**
 * Who touched what, and which two turns could have come in the other order with another result.
 *
 * A turn is one or several jobs: what it begins with, and the promise jobs that follow. A clock is a set of jobs, those
 * that must have come before: the one that asked for something comes before its answer, those that settle the promises of
 * a `Promise.all` before what waits for it. Two turns race when jobs of theirs touch the same thing, one of them changes it, and
 * the earlier is not in the clock of the later. For each race the choice before the earlier turn gets another option to
 * try (Flanagan, Godefroid: Dynamic partial-order reduction for model checking software, 2005): one that leads towards the
 * later turn, or all.
 *
 * A job that waits for several turns runs in the last of them, but does not race with the others. If something should
 * come before it, it is enough that any one of those turns comes later: each of their choices gets another option.
 *
 * Always true: a race that is none costs a schedule; a race that is missed would be an error here.
 */
import { isByClock, type Pending } from "../world/world.js";

/** `add`: an operation that commutes with others of its kind, such as one answer more of a `Promise.all`. */
export type Access = "read" | "write" | "add";

/** Something that can be touched. */
export class Location {
  write: Touch | undefined;
  /** By job. */
  readonly reads = new Map<number, bigint>();
  readonly adds = new Map<number, bigint>();
  /** The job that touched it last, and how: it need not be told again. */
  job = -1;
  how: Access | undefined;
}

interface Touch {
  readonly job: number;
  readonly clock: bigint;
}

interface Taken {
  /** Which choice decided on this turn; -1: there was none. */
  readonly choice: number;
  readonly enabled: readonly Pending[];
  readonly item: Pending;
  /** The clock that it began with. */
  readonly clock: bigint;
}

/** A job under way. */
export interface Job {
  readonly number: number;
  readonly clock: bigint;
}

export class Tracker {
  /** Why what was told is not all there is. */
  incomplete: string | undefined;
  /** By choice: sets of options, of each of which one has to be tried. */
  readonly races = new Map<number, Set<string>>();
  clock = 1n;
  #job = 0;
  #turn = 0;
  /** Of each job, the turn it belongs to; of each turn, its jobs. */
  readonly #turnOf: number[] = [0];
  readonly #jobsOf: bigint[] = [1n];
  readonly #taken: (Taken | undefined)[] = [undefined];
  readonly #created = new WeakMap<Pending, { readonly turn: number; readonly clock: bigint }>();
  readonly #queues = new Map<string, { location: Location; fired: bigint }>();
  /** Every turn reads it; the end of the test, a failure and what touches nobody knows what write it. */
  readonly #all = new Location();
  readonly #random = new Location();
  /** Timers and the clock: when one fires, is set or cleared, others come earlier or later. */
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

  /** A reading is chosen, and later ones are not before it: it is a change of the clock. */
  clockRead(): void {
    this.touch(this.#timers, "write"); // sound: test/code/reduction/hidden-reads.test.ts
  }

  /** Random numbers come one after the other. */
  randomDrawn(): void {
    this.touch(this.#random, "write"); // sound: test/code/reduction/hidden-reads.test.ts
  }

  cannotTell(what: string): void {
    this.incomplete ??= what;
  }

  added(item: Pending): void {
    if (isByClock(item)) this.#timerChanged();
    if (item.queue !== "") this.touch(this.#queue(item.queue).location, "write");
    this.#created.set(item, { turn: this.#turn, clock: this.clock });
  }

  /** Taken back before it could happen: it might have happened instead of this turn. */
  removed(item: Pending): void {
    if (isByClock(item)) this.#timerChanged();
    if (this.#created.get(item)?.turn === this.#turn) return;
    for (const taken of this.#before()) {
      const option = taken.enabled.indexOf(item);
      this.#note(taken, option < 0 ? [] : [option]);
    }
  }

  /**
   * A timer was set or cleared: another may be next from now on. The one that was next might have fired before, and
   * perhaps never fires as the next one any more, so it is not enough to wait for it.
   */
  #timerChanged(): void {
    this.touch(this.#timers, "write");
    for (const taken of this.#before())
      taken.enabled.forEach(({ due }, option) => {
        if (due !== undefined) this.#note(taken, [option]);
      });
  }

  /** The turn that this job belongs to, and those that it waited for beside the beginning of that turn. */
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

  /** A turn begins. `enabled`: what it could have been. */
  fired(turn: number, item: Pending, enabled: readonly Pending[], choice: number): void {
    this.#turn = turn;
    const queue = item.queue === "" ? undefined : this.#queue(item.queue);
    this.#newJob((this.#created.get(item)?.clock ?? 1n) | (queue?.fired ?? 0n));
    if (queue) queue.fired |= this.clock;
    this.#taken[turn] = { choice, enabled, item, clock: this.clock };
    this.touch(this.#all, "read");
    if (isByClock(item)) this.touch(this.#timers, "write");
  }

  /** A job of this turn begins, with what came before it. Answers what `resume` is to be given. */
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

  /** Something was touched before by another job. */
  #meet(job: number, clock: bigint): void {
    const turn = this.#turnOf[job]!;
    // Before the first turn there is nothing to choose.
    if (turn !== 0 && turn !== this.#turn && ((this.clock >> BigInt(job)) & 1n) === 0n)
      this.#race(turn, clock);
    this.clock |= clock;
  }

  #queue(name: string): { location: Location; fired: bigint } {
    let queue = this.#queues.get(name);
    if (!queue) this.#queues.set(name, (queue = { location: new Location(), fired: 0n }));
    return queue;
  }

  /** What this job does might have come before what a job with that clock did in that turn. */
  #race(turn: number, clock: bigint): void {
    this.#delay(turn);
    // What that job waited for beside the beginning of its turn could have come later too, where this one needs it not.
    const joined = clock & ~this.#taken[turn]!.clock & ~this.#jobsOf[turn]! & ~this.clock;
    if (joined === 0n) return;
    for (let other = 1; other < turn; other++) if ((joined & this.#jobsOf[other]!) !== 0n) this.#delay(other);
  }

  /** Instead of that turn, something that this job has before it. Where nothing could have come before that turn, instead of the one before. */
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

  /** The last turn up to that one which was chosen: immediates of one phase follow the first. */
  #chosenBefore(turn: number): number {
    let at = turn;
    while (at > 0 && this.#taken[at]!.choice < 0) at--; // sound: test/code/reduction/natives.test.ts
    return at;
  }

  /** One of these is to be tried; of none, all. */
  #note({ choice, enabled }: Taken, options: readonly number[]): void {
    if (choice < 0) return;
    let sets = this.races.get(choice);
    if (!sets) this.races.set(choice, (sets = new Set()));
    if (options.length > 0) sets.add(options.join());
    else for (let option = 0; option < enabled.length; option++) sets.add(`${option}`);
  }
}
