/**
 * The semantics of a network, concrete or reduced, as one successor function: what switches and the controller do.
 * `state-parts.ts` says what a state is made of, `environment.ts` what everybody else does.
 */
import type { Words } from "../../model/index.js";
import type { Network, NetworkAction, Reaction } from "../../model/network.js";
import type { NetworkConfig } from "./config.js";
import { nothing, type Effect } from "./delivery.js";
import { Environment } from "./environment.js";
import { Memo } from "./memo.js";
import {
  CONTROL,
  CONTROL_QUEUE,
  FAILED,
  MODE,
  MOST_FAILURES,
  QUEUE,
  StateParts,
  TABLE,
  type CommandLists,
  type Sink,
} from "./state-parts.js";

export class Machine extends StateParts {
  readonly #environment: Environment;
  readonly #reactions = new Memo<Prepared>();
  readonly #oneShots: Memo<readonly Effect[]>[] = [];
  readonly #uses: Memo<readonly Effect[]>[] = [];
  readonly #concerned = new Memo<boolean>();

  constructor(network: Network, config: NetworkConfig) {
    super(network, config);
    this.#environment = new Environment(this);
  }

  initial(words: Words, at: number): void {
    if (this.config.preloads) this.#environment.preload(words, at);
  }

  expand(state: Words, at: number, sink: Sink): void {
    if (this.config.clients === "first" && this.#environment.receiveAll(state, at, sink, false) > 0) return;
    for (let index = 0; index < this.network.switches.length; index++)
      this.#switchSteps(index, state, at, sink);
    this.#environment.receiveAll(state, at, sink, true);
    this.#environment.happen(state, at, sink);
    this.#environment.failLinks(state, at, sink);
    if (!this.config.preloads) this.#environment.sendAll(state, at, sink);
  }

  // ---- switches ------------------------------------------------------------------------------

  #switchSteps(index: number, state: Words, at: number, sink: Sink): void {
    const base = at + this.switchAt(index);
    const queue = state[base + CONTROL_QUEUE]!;
    const table = state[base + TABLE]!;
    const mode = state[base + MODE]!;
    if (this.control.hasBarrier(queue)) this.#barrier(index, queue, table, sink);
    if ((mode & 1) === 1) this.#answer(index, mode >> 1, state, at, sink);
    if (this.control.hasBarrier(queue)) return;
    if (mode !== 0) {
      if ((mode & 1) === 0) this.#carryOut(index, (mode >> 1) - 1, state, at, sink);
      return;
    }
    const packets = state[base + QUEUE]!;
    this.#install(index, packets, queue, table, sink);
    this.#expire(index, packets, table, sink);
    if (this.config.installsLazily) this.#installAndUse(index, packets, queue, table, state, at, sink);
    if (this.config.oneShot !== "off") this.#matchAll(index, packets, table, state, at, sink);
    for (const packet of this.deliveries.packets.symbols(packets)) {
      const best = this.control.best(table, packet);
      if (best.length === 0) {
        if (!this.config.installsLazily || !this.#isAwaited(packet, queue))
          this.#ask(index, packet, state, at, sink);
      } else if (this.config.oneShot === "off") this.#match(index, packet, best, state, at, sink);
    }
  }

  #barrier(index: number, queue: number, table: number, sink: Sink): void {
    for (const after of this.control.flush(queue, table)) {
      this.begin(sink, index, after);
      sink.end([], () => [{ kind: "barrier", switch: index, table: this.rulesOf(after.table) }]);
    }
  }

  /** Messages that are executed by themselves. */
  #install(index: number, packets: number, queue: number, table: number, sink: Sink): void {
    for (const message of this.control.pending(queue)) {
      const kind = (message & 1) === 1 ? "del" : "add";
      if (this.config.installsLazily && kind === "add") continue;
      if (!this.#concerns(message >> 1, packets)) continue;
      this.begin(sink, index, this.control.execute(queue, table, message));
      sink.end([], () => [{ kind, switch: index, rule: this.symbols.rules[message >> 1]! }]);
    }
  }

  #expire(index: number, packets: number, table: number, sink: Sink): void {
    for (const rule of this.control.tables.symbols(table)) {
      if (!this.symbols.rules[rule]!.expires || !this.#concerns(rule, packets)) continue;
      sink.begin();
      sink.words[sink.at + this.switchAt(index) + TABLE] = this.control.tables.without(table, rule);
      sink.end([], () => [{ kind: "expire", switch: index, rule: this.symbols.rules[rule]! }]);
    }
  }

  /** Is there any packet for which the rule makes a difference? */
  #concerns(rule: number, packets: number): boolean {
    if (!this.config.installsOnArrival) return true;
    return this.#concerned.get(packets, rule, 0, () =>
      this.deliveries.packets.symbols(packets).some((packet) => this.symbols.matches(rule, packet)),
    );
  }

  #match(index: number, packet: number, best: readonly number[], state: Words, at: number, sink: Sink): void {
    for (const rule of best)
      for (const effect of this.#using(index, packet, rule, best.length > 1, state, at)) {
        sink.begin();
        this.take(sink, index, packet);
        this.apply(sink, effect);
        sink.end(effect.faults, () => effect.actions);
      }
  }

  /** The rule is applied to the packet. */
  #using(
    index: number,
    packet: number,
    rule: number,
    isAmbiguous: boolean,
    state: Words,
    at: number,
  ): readonly Effect[] {
    const control = state[at + CONTROL]!;
    const memo = (this.#uses[this.deliveries.dependsOnControl ? control : 0] ??= new Memo());
    const key = (index * MOST_FAILURES + state[at + FAILED]!) * 2 + (isAmbiguous ? 1 : 0);
    return memo.get(packet, rule, key, () => this.#use(index, packet, rule, isAmbiguous, state, at));
  }

  #use(
    index: number,
    packet: number,
    rule: number,
    isAmbiguous: boolean,
    state: Words,
    at: number,
  ): readonly Effect[] {
    const control = state[at + CONTROL]!;
    const { ports } = this.symbols.rules[rule]!;
    const sent = this.deliveries.send(index, packet, ports, state[at + FAILED]!, control, false);
    const { port, data } = this.symbols.packets[packet]!;
    const place = { kind: "switch", index, port } as const;
    const extra = isAmbiguous ? this.deliveries.faultsOf("ambiguous", data, place, control) : [];
    return sent.map((effect) => ({
      ...effect,
      faults: [...effect.faults, ...extra],
      actions: [
        {
          kind: "match",
          switch: index,
          packet: data,
          port,
          rule: this.symbols.rules[rule]!,
          copies: effect.copies,
        },
        ...effect.actions,
      ],
    }));
  }

  #matchAll(index: number, packets: number, table: number, state: Words, at: number, sink: Sink): void {
    const control = this.deliveries.dependsOnControl ? state[at + CONTROL]! : 0;
    const memo = (this.#oneShots[control] ??= new Memo());
    const effects = memo.get(packets, table, index * MOST_FAILURES + state[at + FAILED]!, () =>
      this.#oneShot(index, packets, table, state, at),
    );
    for (const effect of effects) {
      sink.begin();
      this.apply(sink, effect);
      sink.end(effect.faults, () => effect.actions);
    }
  }

  /** Every packet that some rule matches, one after the other; those that come back may be among them. */
  #oneShot(index: number, packets: number, table: number, state: Words, at: number): readonly Effect[] {
    const isMatched = (packet: number): boolean => this.control.best(table, packet).length > 0;
    const isTransitive = this.config.oneShot === "transitive";
    const finish = (todo: readonly number[], next: number, soFar: Effect): readonly Effect[] => {
      if (next === todo.length) return [soFar];
      const packet = todo[next]!;
      const best = this.control.best(table, packet);
      return best
        .flatMap((rule) => this.#using(index, packet, rule, best.length > 1, state, at))
        .flatMap((effect) => {
          const back = effect.arrivals.find(([to]) => to === index)?.[1] ?? 0;
          const more = isTransitive
            ? this.deliveries.packets.symbols(back).filter((p) => isMatched(p) && !todo.includes(p))
            : [];
          return finish([...todo, ...more], next + 1, this.deliveries.join(soFar, effect));
        });
    };
    const matched = this.deliveries.packets.symbols(packets).filter(isMatched);
    return matched.length === 0 ? [] : finish(matched, 0, nothing);
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
    const priority = (rule: number): number => this.symbols.rules[rule]!.priority;
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
      const { data, port } = this.symbols.packets[packet]!;
      const place = { kind: "switch", index, port } as const;
      for (const site of this.deliveries.faultsOf("ambiguous", data, place, state[at + CONTROL]!))
        sink.fail(site, () => [{ kind: "add", switch: index, rule: this.symbols.rules[rule]! }]);
      return;
    }
    const mask = this.symbols.mask(rule);
    const along = pending.filter((m) => m === message || this.symbols.mask(m >> 1) === mask);
    const after = {
      queue: this.control.removed(queue, along),
      table: along.reduce((t, m) => this.control.applied(t, m), table),
    };
    for (const effect of this.#using(index, packet, rule, false, state, at)) {
      this.begin(sink, index, after);
      this.apply(sink, effect);
      sink.end(effect.faults, () => [
        ...along.map((m) => ({
          kind: (m & 1) === 1 ? ("del" as const) : ("add" as const),
          switch: index,
          rule: this.symbols.rules[m >> 1]!,
        })),
        ...effect.actions,
      ]);
    }
  }

  // ---- the controller ------------------------------------------------------------------------

  #ask(index: number, packet: number, state: Words, at: number, sink: Sink): void {
    if (this.config.mergesRequests) return this.#answer(index, packet, state, at, sink, true);
    if (this.#requests(state, at) >= this.network.controller.kappa) return;
    sink.begin();
    this.take(sink, index, packet);
    sink.words[sink.at + this.switchAt(index) + MODE] = packet * 2 + 1;
    sink.end(this.#packetInFaults(index, packet, state[at + CONTROL]!), () => [this.#nomatch(index, packet)]);
  }

  #packetInFaults(index: number, packet: number, control: number): number[] {
    const { port, data } = this.symbols.packets[packet]!;
    return this.deliveries.faultsOf("packetIn", data, { kind: "switch", index, port }, control);
  }

  #requests(state: Words, at: number): number {
    let requests = 0;
    for (let index = 0; index < this.network.switches.length; index++)
      if ((state[at + this.switchAt(index) + MODE]! & 1) === 1) requests++;
    return requests;
  }

  #answer(index: number, packet: number, state: Words, at: number, sink: Sink, isMerged = false): void {
    const control = state[at + CONTROL]!;
    const prepared = this.#reactions.get(packet, control, index, () => this.#react(index, packet, control));
    const before = isMerged ? [this.#nomatch(index, packet)] : [];
    const actions = (): NetworkAction[] => [...before, this.#controlAction(index, packet, prepared.reaction)];
    const faults = isMerged ? prepared.requestFaults : [];
    if (prepared.reaction.error !== undefined) {
      for (const site of faults) sink.fail(site, actions);
      return sink.fail(this.network.properties.length + prepared.reaction.error, actions);
    }
    const sent = this.config.repliesAtOnce
      ? this.deliveries.send(index, packet, prepared.reaction.ports, state[at + FAILED]!, control, true)
      : undefined;
    this.eachInstallation(prepared.lists, state, at, (installed) => {
      const put = (mode: number): void => {
        sink.begin();
        if (isMerged) this.take(sink, index, packet);
        sink.words[sink.at + CONTROL] = prepared.next;
        this.putAll(sink, installed);
        sink.words[sink.at + this.switchAt(index) + MODE] = mode;
      };
      const barriers = (): NetworkAction[] => this.barrierActions(installed);
      if (!sent) {
        put((prepared.reply + 1) * 2);
        sink.end(faults, () => [...actions(), ...barriers()]);
        return;
      }
      for (const effect of sent) {
        put(0);
        this.apply(sink, effect);
        sink.end([...faults, ...prepared.faults, ...effect.faults], () => [
          ...actions(),
          ...barriers(),
          this.#forwardAction(index, packet, prepared.reaction.ports, effect),
          ...effect.actions,
        ]);
      }
    });
  }

  #react(index: number, packet: number, control: number): Prepared {
    const { port, data } = this.symbols.packets[packet]!;
    const reaction = this.network.controller.packetIn(data, index, port, this.symbols.controls[control]);
    const faults = this.deliveries.decisionFaults(index, packet, reaction.ports, control);
    return {
      reaction,
      faults,
      requestFaults: this.#packetInFaults(index, packet, control),
      next: this.symbols.control(reaction.state),
      lists: this.listsOf(reaction.commands),
      reply: this.symbols.reply({ packet, ports: reaction.ports, faults }),
    };
  }

  #carryOut(index: number, number: number, state: Words, at: number, sink: Sink): void {
    const { packet, ports, faults } = this.symbols.replies[number]!;
    const sent = this.deliveries.send(index, packet, ports, state[at + FAILED]!, state[at + CONTROL]!, true);
    for (const effect of sent) {
      sink.begin();
      sink.words[sink.at + this.switchAt(index) + MODE] = 0;
      this.apply(sink, effect);
      sink.end([...faults, ...effect.faults], () => [
        this.#forwardAction(index, packet, ports, effect),
        ...effect.actions,
      ]);
    }
  }

  // ---- for people ----------------------------------------------------------------------------

  #nomatch(index: number, packet: number): NetworkAction {
    const { port, data } = this.symbols.packets[packet]!;
    return { kind: "nomatch", switch: index, packet: data, port };
  }

  #controlAction(index: number, packet: number, { commands, ports }: Reaction): NetworkAction {
    const { port, data } = this.symbols.packets[packet]!;
    return { kind: "control", switch: index, packet: data, port, commands, ports };
  }

  #forwardAction(index: number, packet: number, ports: readonly number[], { copies }: Effect): NetworkAction {
    const { port, data } = this.symbols.packets[packet]!;
    return { kind: "forward", switch: index, packet: data, port, ports, copies };
  }
}

/** A reaction with everything in it interned. */
interface Prepared {
  readonly reaction: Reaction;
  /** Of the decision, and of asking at all. */
  readonly faults: readonly number[];
  readonly requestFaults: readonly number[];
  readonly next: number;
  readonly lists: CommandLists;
  readonly reply: number;
}
