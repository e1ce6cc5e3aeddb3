/**
 * The semantics of a network, concrete or reduced, as one successor function: the steps of switches. `state-parts.ts` defines
 * states, `matches.ts` the use of rules by packets, `requests.ts` the controller's steps, `environment.ts` all others.
 */
import type { Words } from "../../model/index.js";
import type { Network } from "../../model/network.js";
import type { NetworkConfig } from "./config.js";
import { Environment } from "./environment.js";
import { Matches } from "./matches.js";
import { Memo } from "./memo.js";
import { Requests } from "./requests.js";
import { CONTROL, CONTROL_QUEUE, MODE, QUEUE, StateParts, TABLE, type Sink } from "./state-parts.js";

export class Machine extends StateParts {
  readonly #environment: Environment;
  readonly #matches: Matches;
  readonly #requests: Requests;
  readonly #concerned = new Memo<boolean>();

  constructor(network: Network, config: NetworkConfig, memory?: SharedArrayBuffer) {
    super(network, config, memory);
    this.#environment = new Environment(this);
    this.#matches = new Matches(this);
    this.#requests = new Requests(this);
  }

  initial(words: Words, at: number): void {
    if (this.config.preloads) this.#environment.preload(words, at);
  }

  expand(state: Words, at: number, sink: Sink): void {
    this.numbers.catchUp(); // sound: test/session/interned-resources.test.ts
    if (this.config.clients === "first" && this.#environment.receiveAll(state, at, sink, false) > 0) return;
    for (let index = 0; index < this.network.switches.length; index++)
      this.#switchSteps(index, state, at, sink);
    this.#environment.receiveAll(state, at, sink, true);
    this.#environment.replyAll(state, at, sink);
    this.#environment.happen(state, at, sink);
    this.#environment.failLinks(state, at, sink);
    if (!this.config.preloads) this.#environment.sendAll(state, at, sink);
  }

  #switchSteps(index: number, state: Words, at: number, sink: Sink): void {
    const base = at + this.switchAt(index);
    const queue = state[base + CONTROL_QUEUE]!;
    const table = state[base + TABLE]!;
    const mode = state[base + MODE]!;
    const hasBarrier = this.control.hasBarrier(queue);
    // A packet that the controller sent out before the barrier goes first.
    const isFirst = this.isOpenFlow && this.#requests.isReady(mode); // sound: test/compile/network/errors.test.ts test/compile/network/barriers.test.ts
    if (hasBarrier && !isFirst) this.#barrier(index, queue, table, mode, sink); // sound: test/transforms/network/quick.test.ts test/transforms/network/random.test.ts
    if ((mode & 1) === 1) this.#requests.answer(index, mode >> 1, state, at, sink); // sound: test/transforms/network/quick.test.ts
    if (hasBarrier && !this.isOpenFlow) return; // sound: test/compile/network/errors.test.ts test/compile/network/barriers.test.ts
    if (mode !== 0) {
      if (this.#requests.isReady(mode)) this.#requests.carryOut(index, (mode >> 1) - 1, state, at, sink); // sound: test/compile/network/barriers.test.ts
      return;
    }
    const packets = state[base + QUEUE]!;
    this.#install(index, packets, queue, table, sink);
    this.#expire(index, packets, table, sink);
    if (this.config.installsLazily) this.#installAndUse(index, packets, queue, table, state, at, sink);
    if (this.config.oneShot !== "off") this.#matches.matchAll(index, packets, table, state, at, sink);
    for (const packet of this.deliveries.packets.symbols(packets)) {
      const best = this.control.best(table, packet);
      // sound: test/transforms/network/quick.test.ts
      if (best.length === 0) {
        if (!this.config.installsLazily || !this.#isAwaited(packet, queue))
          this.#requests.ask(index, packet, state, at, sink);
      } else if (this.config.oneShot === "off") this.#matches.match(index, packet, best, state, at, sink);
    }
  }

  #barrier(index: number, queue: number, table: number, mode: number, sink: Sink): void {
    for (const after of this.control.flush(queue, table)) {
      this.begin(sink, index, after);
      sink.words[sink.at + this.switchAt(index) + MODE] = this.#requests.afterBarrier(mode);
      if (this.repliesAt >= 0) {
        const word = sink.at + this.repliesAt;
        sink.words[word] = this.replies.add(sink.words[word]!, index);
      }
      sink.end([], () => [{ kind: "barrier", switch: index, table: this.rulesOf(after.table) }]);
    }
  }

  /** Messages that are executed by themselves. */
  #install(index: number, packets: number, queue: number, table: number, sink: Sink): void {
    for (const message of this.control.pending(queue)) {
      const kind = (message & 1) === 1 ? "del" : "add";
      if (this.config.installsLazily && kind === "add") continue;
      if (!this.#concerns(message >> 1, packets)) continue; // sound: test/transforms/network/quick.test.ts
      this.begin(sink, index, this.control.execute(queue, table, message));
      sink.end([], () => [{ kind, switch: index, rule: this.symbols.ruleAt(message >> 1) }]);
    }
  }

  #expire(index: number, packets: number, table: number, sink: Sink): void {
    for (const rule of this.control.tables.symbols(table)) {
      if (!this.symbols.ruleAt(rule).expires || !this.#concerns(rule, packets)) continue; // sound: test/transforms/network/quick.test.ts
      sink.begin();
      sink.words[sink.at + this.switchAt(index) + TABLE] = this.control.tables.without(table, rule);
      sink.end([], () => [{ kind: "expire", switch: index, rule: this.symbols.ruleAt(rule) }]);
    }
  }

  /** Is there any packet for which the rule makes a difference? */
  #concerns(rule: number, packets: number): boolean {
    if (!this.config.installsOnArrival) return true; // sound: test/transforms/network/quick.test.ts
    return this.#concerned.get(
      packets,
      rule,
      0,
      () => this.deliveries.packets.symbols(packets).some((packet) => this.symbols.matches(rule, packet)), // sound: test/transforms/network/quick.test.ts
    );
  }

  /** Is a rule for the packet on its way? In the published encoding the switch then does not ask. */
  #isAwaited(packet: number, queue: number): boolean {
    return this.control.pending(queue).some((m) => (m & 1) === 0 && this.symbols.matches(m >> 1, packet));
  }

  /** The published way to install: unsound, because a rule that nothing waits for stays out of the table. */
  #installAndUse(
    index: number,
    packets: number,
    queue: number,
    table: number,
    state: Words,
    at: number,
    sink: Sink,
  ): void {
    const pending = this.control.pending(queue);
    const priority = (rule: number): number => this.symbols.ruleAt(rule).priority;
    for (const packet of this.deliveries.packets.symbols(packets)) {
      const adds = pending.filter((m) => (m & 1) === 0 && this.symbols.matches(m >> 1, packet));
      const highest = Math.max(0, ...adds.map((m) => priority(m >> 1)));
      const installed = Math.max(0, ...this.control.best(table, packet).map(priority));
      if (highest === 0 || highest < installed) continue;
      for (const message of adds.filter((m) => priority(m >> 1) === highest))
        this.#installOne(
          index,
          packet,
          message,
          pending,
          queue,
          table,
          highest === installed,
          state,
          at,
          sink,
        );
    }
  }

  #installOne(
    index: number,
    packet: number,
    message: number,
    pending: readonly number[],
    queue: number,
    table: number,
    isAmbiguous: boolean,
    state: Words,
    at: number,
    sink: Sink,
  ): void {
    const rule = message >> 1;
    if (isAmbiguous) {
      const { data, port } = this.symbols.packetAt(packet);
      const place = { kind: "switch", index, port } as const;
      for (const site of this.deliveries.faultsOf("ambiguous", data, place, state[at + CONTROL]!))
        sink.fail(site, () => [{ kind: "add", switch: index, rule: this.symbols.ruleAt(rule) }]);
      return;
    }
    const mask = this.symbols.mask(rule);
    const along = pending.filter((m) => m === message || this.symbols.mask(m >> 1) === mask);
    const after = {
      queue: this.control.removed(queue, along),
      table: along.reduce((t, m) => this.control.applied(t, m), table),
    };
    for (const effect of this.#matches.using(index, packet, rule, false, state, at)) {
      this.begin(sink, index, after);
      this.apply(sink, effect);
      sink.end(effect.faults, () => [
        ...along.map((m) => ({
          kind: (m & 1) === 1 ? ("del" as const) : ("add" as const),
          switch: index,
          rule: this.symbols.ruleAt(m >> 1),
        })),
        ...effect.actions,
      ]);
    }
  }
}
