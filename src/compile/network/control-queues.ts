/**
 * Messages in transit from the controller to a switch, and the rules installed there.
 *
 * A control queue is a list of bags of messages with barriers between them; queue 0 is empty. A message is `rule * 2` to add
 * the rule, `rule * 2 + 1` to delete it. A table is a bag of rules.
 */
import { Bags } from "./bags.js";
import { Numbers, type Numbered } from "../../model/index.js";
import type { NetworkConfig } from "./config.js";
import { Memo } from "./memo.js";
import { ruleKey, type Symbols } from "./symbols.js";

export interface Installed {
  readonly queue: number;
  readonly table: number;
}

const BARRIER = -1;

export class ControlQueues {
  readonly messages: Bags;
  readonly tables: Bags;
  readonly #symbols: Symbols;
  readonly #config: NetworkConfig;
  /** Rules that are both added and deleted: their messages are not removed when they are executed. */
  readonly #clashing: ReadonlySet<string> | undefined;
  readonly #queues: Numbered<readonly number[]>;
  readonly #appended = new Memo<readonly Installed[]>();
  readonly #executed = new Memo<Installed>();
  readonly #best = new Memo<readonly number[]>();

  /** Of clashing rules the keys; undefined: any rule may be one. */
  constructor(
    symbols: Symbols,
    config: NetworkConfig,
    clashing: ReadonlySet<string> | undefined,
    numbers = new Numbers(),
  ) {
    this.#symbols = symbols;
    this.#config = config;
    this.#clashing = clashing;
    const limit = config.countsMessages ? Infinity : config.countLimit;
    this.messages = new Bags(limit, symbols.compareMessages, numbers);
    this.tables = new Bags(0, symbols.compareRules, numbers);
    this.#queues = numbers.kind((key) => key.split(",").map(Number));
    this.#queue([0]);
  }

  hasBarrier(queue: number): boolean {
    const segments = this.segments(queue);
    return segments.length > 1 || segments[0] === BARRIER; // sound: test/compile/network/queues.test.ts
  }

  /** Bags of messages, and -1 for a barrier. */
  segments(queue: number): readonly number[] {
    const segments = this.#queues.things[queue];
    if (!segments) throw new Error(`there is no control queue ${queue}`);
    return segments;
  }

  /** Number of pending barriers. */
  barriers(queue: number): number {
    return this.segments(queue).filter((segment) => segment === BARRIER).length;
  }

  /** Messages before the first barrier. */
  pending(queue: number): readonly number[] {
    const [first] = this.segments(queue);
    return first === BARRIER ? [] : this.messages.symbols(first!); // sound: test/compile/network/queues.test.ts
  }

  /** The best matching rules; several where priorities are equal. */
  best(table: number, packet: number): readonly number[] {
    return this.#best.get(table, packet, 0, () => {
      const matching = this.tables.symbols(table).filter((rule) => this.#symbols.matches(rule, packet));
      const highest = Math.max(...matching.map((rule) => this.#symbols.ruleAt(rule).priority));
      return matching.filter((rule) => this.#symbols.ruleAt(rule).priority === highest); // sound: test/compile/network/queues.test.ts
    });
  }

  execute(queue: number, table: number, message: number): Installed {
    return this.#executed.get(queue, table, message, () => ({
      queue: this.#queue(this.#executedIn(this.segments(queue), message)),
      table: this.applied(table, message),
    }));
  }

  #executedIn([first, ...rest]: readonly number[], message: number): readonly number[] {
    const left = this.afterExecution(first!, message);
    return left === 0 && rest.length > 0 ? rest : [left, ...rest]; // sound: test/compile/network/queues.test.ts
  }

  /** Without some messages of the only segment. */
  removed(queue: number, messages: readonly number[]): number {
    return this.#queue([
      messages.reduce((bag, message) => this.messages.without(bag, message), this.segments(queue)[0]!),
    ]);
  }

  applied(table: number, message: number): number {
    const rule = message >> 1;
    return (message & 1) === 1 ? this.tables.without(table, rule) : this.tables.add(table, rule); // sound: test/compile/network/queues.test.ts
  }

  afterExecution(bag: number, message: number): number {
    if (!this.#config.countsMessages) return this.messages.take(bag, message);
    return this.#isClashing(message >> 1) ? bag : this.messages.without(bag, message); // sound: test/compile/network/queues.test.ts
  }

  /** The outcomes of a list of commands: several if a barrier lets additions and deletions race. */
  append(queue: number, table: number, list: number): readonly Installed[] {
    return this.#appended.get(queue, table, list, () => {
      const commands = this.#symbols.commandLists[list]!;
      const flushes = this.#config.mergesBarriers && commands.includes(BARRIER);
      const longer = this.#glue(queue, table, commands);
      return flushes ? this.#flushAll(longer, table) : [{ queue: this.#queue(longer), table }]; // sound: test/compile/network/queues.test.ts
    });
  }

  /** Processes the first barrier. */
  flush(queue: number, table: number): readonly Installed[] {
    const [segments, rest] = this.#untilBarrier(this.segments(queue));
    const next = this.#queue(rest.length === 0 ? [0] : rest);
    return this.#flushed(table, segments).map((after) => ({ queue: next, table: after }));
  }

  #flushAll(segments: readonly number[], table: number): Installed[] {
    if (!segments.includes(BARRIER))
      return [{ queue: this.#queue(segments.length === 0 ? [0] : segments), table }];
    const [bag, rest] = this.#untilBarrier(segments);
    const outcomes = this.#flushed(table, bag).flatMap((after) => this.#flushAll(rest, after));
    return outcomes.filter(
      (o, i) => outcomes.findIndex((p) => p.queue === o.queue && p.table === o.table) === i,
    );
  }

  /** Messages up to the first barrier, and the rest after it. */
  #untilBarrier(segments: readonly number[]): [bag: number, rest: readonly number[]] {
    const barrier = segments.indexOf(BARRIER);
    return [barrier === 0 ? 0 : segments[0]!, segments.slice(barrier + 1)];
  }

  /** In any order: a rule that is only added is present, one only deleted is absent, and for the others both are possible. */
  #flushed(table: number, bag: number): readonly number[] {
    const messages = this.messages.symbols(bag);
    const isOpposed = (message: number): boolean => messages.includes(message ^ 1);
    const certain = messages
      .filter((message) => !isOpposed(message)) // sound: test/compile/network/queues.test.ts
      .reduce((after, message) => this.applied(after, message), table);
    return messages
      .filter((message) => (message & 1) === 0 && isOpposed(message)) // sound: test/compile/network/queues.test.ts
      .reduce(
        (tables, message) => tables.flatMap((t) => [this.applied(t, message), this.applied(t, message ^ 1)]),
        [certain],
      );
  }

  /** Neighbouring bags become one. */
  #glue(queue: number, table: number, commands: readonly number[]): number[] {
    const segments = [...this.segments(queue)];
    commands.forEach((command) => {
      const last = segments.at(-1)!;
      // Behind a barrier that is merged the table is another one.
      const isLater = this.#config.mergesBarriers && segments.includes(BARRIER);
      if (command === BARRIER) segments.push(BARRIER);
      else if (last === BARRIER)
        segments.push(this.#with(0, table, command, isLater)); // sound: test/compile/network/queues.test.ts
      else segments[segments.length - 1] = this.#with(last, table, command, isLater);
    });
    return segments.length > 1 && segments[0] === 0 ? segments.slice(1) : segments;
  }

  #with(bag: number, table: number, message: number, isLater: boolean): number {
    if (!this.#config.countsMessages || isLater) return this.messages.add(bag, message);
    if (this.messages.has(bag, message)) return bag;
    const isInstalled = this.tables.has(table, message >> 1);
    const isRedundant =
      (message & 1) === 0 ? isInstalled : !isInstalled && !this.messages.has(bag, message ^ 1); // sound: test/compile/network/queues.test.ts
    return isRedundant && !this.#isClashing(message >> 1) ? bag : this.messages.add(bag, message); // sound: test/compile/network/queues.test.ts
  }

  #isClashing(rule: number): boolean {
    if (!this.#clashing) return true;
    return this.#clashing.size > 0 && this.#clashing.has(ruleKey(this.#symbols.ruleAt(rule)));
  }

  #queue(segments: readonly number[]): number {
    return this.#queues.numberOf(segments.join(), () => segments);
  }
}
