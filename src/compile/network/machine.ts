/**
 * The semantics of a network, concrete or reduced, as one successor function.
 *
 * A state is: the controller's state, the failed links, for each switch its packet queue, control queue, table and mode,
 * for each client its queue, and how often each packet was sent (where that is limited). Each is one word: the number of
 * something interned, 0 in the initial state.
 *
 * The mode of a switch: 0 when it does not wait; `packet * 2 + 1` while the controller has its request; `(reply + 1) * 2`
 * when the reply is there.
 */
import type { Words } from "../../model/index.js";
import type { Command, Network, NetworkAction, Outcome, Reaction, Rule } from "../../model/network.js";
import { Bags } from "./bags.js";
import { clashingRules } from "./clashes.js";
import type { NetworkConfig } from "./config.js";
import { ControlQueues, type Installed } from "./control-queues.js";
import { Deliveries, nothing, type Effect } from "./delivery.js";
import { Memo } from "./memo.js";
import { Symbols } from "./symbols.js";

export const CONTROL = 0;
export const FAILED = 1;
export const SWITCHES = 2;
export const PER_SWITCH = 4;
export const QUEUE = 0;
export const CONTROL_QUEUE = 1;
export const TABLE = 2;
export const MODE = 3;

/** Takes successors. `begin` copies the state; what was begun last is changed through `words` at `at`. */
export interface Sink {
  begin(): void;
  readonly words: Words;
  readonly at: number;
  /** What went wrong in this step: sites. */
  end(faults: readonly number[], actions: () => readonly NetworkAction[]): void;
  /** A step that has no successor. */
  fail(site: number, actions: () => readonly NetworkAction[]): void;
}

export class Machine {
  readonly network: Network;
  readonly config: NetworkConfig;
  readonly symbols: Symbols;
  readonly deliveries: Deliveries;
  readonly control: ControlQueues;
  readonly width: number;
  readonly #sent = new Bags(Infinity, (a, b) => a - b);
  readonly #sends: readonly { readonly client: number; readonly symbol: number; readonly at: number }[];
  readonly #reactions = new Memo<Prepared>();
  readonly #oneShots: Memo<readonly Effect[]>[] = [];
  readonly #uses: Memo<readonly Effect[]>[] = [];
  readonly #receptions = new Memo<readonly PreparedOutcome[]>();
  readonly #events: (readonly PreparedOutcome[])[] = [];
  readonly #concerned = new Memo<boolean>();

  constructor(network: Network, config: NetworkConfig) {
    this.network = network;
    this.config = config;
    this.symbols = new Symbols(network);
    this.deliveries = new Deliveries(network, config, this.symbols);
    this.control = new ControlQueues(
      this.symbols,
      config,
      config.countsMessages ? clashingRules(network) : new Set(),
    );
    this.width = SWITCHES + PER_SWITCH * network.switches.length + network.clients.length + 1;
    this.#sends = network.clients.flatMap(({ sends }, client) =>
      sends.map(({ switch: at, port, data }) => ({ client, at, symbol: this.symbols.packet(port, data) })),
    );
  }

  switchAt(index: number): number {
    return SWITCHES + PER_SWITCH * index;
  }

  clientAt(index: number): number {
    return SWITCHES + PER_SWITCH * this.network.switches.length + index;
  }

  get sentAt(): number {
    return this.width - 1;
  }

  initial(words: Words, at: number): void {
    if (!this.config.preloads) return;
    for (const { at: entry, symbol } of this.#sends)
      this.#arrive(words, at, entry, this.deliveries.packets.single(symbol));
  }

  expand(state: Words, at: number, sink: Sink): void {
    if (this.config.clients === "first" && this.#receiveAll(state, at, sink, false) > 0) return;
    for (let index = 0; index < this.network.switches.length; index++)
      this.#switchSteps(index, state, at, sink);
    this.#receiveAll(state, at, sink, true);
    for (const outcome of this.#happenings(state[at + CONTROL]!)) this.#outcome(outcome, state, at, sink);
    this.#failLinks(state, at, sink);
    if (!this.config.preloads) this.#sendAll(state, at, sink);
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
      this.#begin(sink, index, after);
      sink.end([], () => [{ kind: "barrier", switch: index, table: this.rulesOf(after.table) }]);
    }
  }

  /** Messages that are executed by themselves. */
  #install(index: number, packets: number, queue: number, table: number, sink: Sink): void {
    for (const message of this.control.pending(queue)) {
      const kind = (message & 1) === 1 ? "del" : "add";
      if (this.config.installsLazily && kind === "add") continue;
      if (!this.#concerns(message >> 1, packets)) continue;
      this.#begin(sink, index, this.control.execute(queue, table, message));
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
        this.#take(sink, index, packet);
        this.#apply(sink, effect);
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
    const key = (index * 4096 + state[at + FAILED]!) * 2 + (isAmbiguous ? 1 : 0);
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
    const effects = memo.get(packets, table, index * 4096 + state[at + FAILED]!, () =>
      this.#oneShot(index, packets, table, state, at),
    );
    for (const effect of effects) {
      sink.begin();
      this.#apply(sink, effect);
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
      this.#begin(sink, index, after);
      this.#apply(sink, effect);
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
    this.#take(sink, index, packet);
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
    this.#eachInstallation(prepared.lists, state, at, (installed) => {
      const put = (mode: number): void => {
        sink.begin();
        if (isMerged) this.#take(sink, index, packet);
        sink.words[sink.at + CONTROL] = prepared.next;
        this.#putAll(sink, installed);
        sink.words[sink.at + this.switchAt(index) + MODE] = mode;
      };
      const barriers = (): NetworkAction[] => this.#barrierActions(installed);
      if (!sent) {
        put((prepared.reply + 1) * 2);
        sink.end(faults, () => [...actions(), ...barriers()]);
        return;
      }
      for (const effect of sent) {
        put(0);
        this.#apply(sink, effect);
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
      lists: this.#listsOf(reaction.commands),
      reply: this.symbols.reply({ packet, ports: reaction.ports, faults }),
    };
  }

  #listsOf(commands: readonly Command[]): CommandLists {
    return this.network.switches.flatMap((_, index) => {
      const list = this.symbols.commandsTo(index, commands);
      return list === 0 ? [] : [[index, list] as const];
    });
  }

  #carryOut(index: number, number: number, state: Words, at: number, sink: Sink): void {
    const { packet, ports, faults } = this.symbols.replies[number]!;
    const sent = this.deliveries.send(index, packet, ports, state[at + FAILED]!, state[at + CONTROL]!, true);
    for (const effect of sent) {
      sink.begin();
      sink.words[sink.at + this.switchAt(index) + MODE] = 0;
      this.#apply(sink, effect);
      sink.end([...faults, ...effect.faults], () => [
        this.#forwardAction(index, packet, ports, effect),
        ...effect.actions,
      ]);
    }
  }

  /** Every way in which the commands can come to their switches, in this state. */
  #eachInstallation(
    lists: CommandLists,
    state: Words,
    at: number,
    take: (installed: readonly (readonly [number, Installed])[]) => void,
  ): void {
    const first: (readonly [number, Installed])[] = [];
    let all = [first];
    for (const [index, list] of lists) {
      const base = at + this.switchAt(index);
      const outcomes = this.control.append(state[base + CONTROL_QUEUE]!, state[base + TABLE]!, list);
      // Races are rare: one outcome needs no copies.
      if (outcomes.length === 1) for (const one of all) one.push([index, outcomes[0]!]);
      else all = all.flatMap((one) => outcomes.map((outcome) => [...one, [index, outcome] as const]));
    }
    all.forEach(take);
  }

  #barrierActions(installed: readonly (readonly [number, Installed])[]): NetworkAction[] {
    if (!this.config.mergesBarriers) return [];
    return installed.map(([index, { table }]) => ({
      kind: "barrier",
      switch: index,
      table: this.rulesOf(table),
    }));
  }

  // ---- everybody else ------------------------------------------------------------------------

  /** How many steps there were. */
  #receiveAll(state: Words, at: number, sink: Sink, deferredToo: boolean): number {
    let steps = 0;
    this.network.clients.forEach(({ receive }, client) => {
      const isDeferred = receive?.touchesController === true;
      if (isDeferred && !deferredToo) return;
      const queue = state[at + this.clientAt(client)]!;
      const waiting = this.config.keepsLastOnly
        ? queue === 0
          ? []
          : [queue - 1]
        : this.deliveries.packets.symbols(queue);
      for (const packet of waiting) {
        steps++;
        this.#receive(client, packet, state, at, sink);
      }
    });
    return steps;
  }

  #receive(client: number, packet: number, state: Words, at: number, sink: Sink): void {
    const control = state[at + CONTROL]!;
    const outcomes = this.#receptions.get(client, packet, control, () =>
      this.#reception(client, packet, control),
    );
    for (const outcome of outcomes)
      this.#outcome(outcome, state, at, sink, () => {
        const word = sink.at + this.clientAt(client);
        sink.words[word] = this.config.keepsLastOnly
          ? 0
          : this.deliveries.packets.take(sink.words[word]!, packet);
      });
  }

  #reception(client: number, packet: number, control: number): readonly PreparedOutcome[] {
    const { port, data } = this.symbols.packets[packet]!;
    const state = this.symbols.controls[control];
    const none: Outcome = { label: "", emits: [], commands: [], state, error: undefined };
    const outcomes = this.network.clients[client]!.receive?.run(data, port, state) ?? [none];
    return outcomes.map((outcome, number) => {
      const emits = outcome.emits.map((e) => ({ ...e, data: this.deliveries.emitted(data, e.data) }));
      const { label } = outcome;
      return this.#prepared(
        { ...outcome, emits },
        { kind: "receive", client, port, packet: data, outcome: number, label, emits },
      );
    });
  }

  /** What the environment can do when the controller is in that state. */
  #happenings(control: number): readonly PreparedOutcome[] {
    return (this.#events[control] ??= this.network.events.flatMap(({ run }, event) =>
      run(this.symbols.controls[control]).map((outcome, number) => {
        const { label, commands, emits } = outcome;
        return this.#prepared(outcome, { kind: "event", event, outcome: number, label, commands, emits });
      }),
    ));
  }

  #prepared(outcome: Outcome, action: NetworkAction): PreparedOutcome {
    return {
      action,
      error: outcome.error,
      next: this.symbols.control(outcome.state),
      lists: this.#listsOf(outcome.commands),
      arrivals: outcome.emits.map(
        ({ switch: to, port, data }) =>
          [to, this.deliveries.packets.single(this.symbols.packet(port, data))] as const,
      ),
    };
  }

  #outcome(outcome: PreparedOutcome, state: Words, at: number, sink: Sink, change?: () => void): void {
    if (outcome.error !== undefined)
      return sink.fail(this.network.properties.length + outcome.error, () => [outcome.action]);
    this.#eachInstallation(outcome.lists, state, at, (installed) => {
      sink.begin();
      change?.();
      sink.words[sink.at + CONTROL] = outcome.next;
      this.#putAll(sink, installed);
      for (const [to, bag] of outcome.arrivals) this.#arrive(sink.words, sink.at, to, bag);
      sink.end([], () => [outcome.action, ...this.#barrierActions(installed)]);
    });
  }

  #failLinks(state: Words, at: number, sink: Sink): void {
    const failed = state[at + FAILED]!;
    this.network.links.forEach(({ mayFail }, link) => {
      if (!mayFail || this.deliveries.failures.has(failed, link)) return;
      this.#outcome(this.#failure(link, state[at + CONTROL]!), state, at, sink, () => {
        sink.words[sink.at + FAILED] = this.deliveries.failures.add(failed, link);
      });
    });
  }

  /** The controller hears of both ends at once. */
  #failure(link: number, control: number): PreparedOutcome {
    const { links, controller } = this.network;
    const state = this.symbols.controls[control];
    let told: Outcome = { label: "", emits: [], commands: [], state, error: undefined };
    for (const { kind, index, port } of links[link]!.ends) {
      if (kind !== "switch" || !controller.portDown || told.error !== undefined) continue;
      const { commands, state: next, error } = controller.portDown(index, port, told.state);
      told = { ...told, commands: [...told.commands, ...commands], state: next, error };
    }
    return this.#prepared(told, { kind: "fail", link });
  }

  #sendAll(state: Words, at: number, sink: Sink): void {
    const sent = state[at + this.sentAt]!;
    this.#sends.forEach(({ client, at: entry, symbol }, number) => {
      if (this.config.sendLimit !== Infinity && this.#timesSent(sent, number) >= this.config.sendLimit)
        return;
      sink.begin();
      this.#arrive(sink.words, sink.at, entry, this.deliveries.packets.single(symbol));
      if (this.config.sendLimit !== Infinity)
        sink.words[sink.at + this.sentAt] = this.#sent.add(sent, number);
      const { port, data } = this.symbols.packets[symbol]!;
      sink.end([], () => [{ kind: "send", client, arrival: { switch: entry, port, data } }]);
    });
  }

  #timesSent(sent: number, number: number): number {
    const position = this.#sent.symbols(sent).indexOf(number);
    return position < 0 ? 0 : this.#sent.counts(sent)[position]!;
  }

  // ---- changes of the state that was begun ------------------------------------------------------

  #begin(sink: Sink, index: number, installed: Installed): void {
    sink.begin();
    this.#put(sink, index, installed);
  }

  #put({ words, at }: Sink, index: number, { queue, table }: Installed): void {
    words[at + this.switchAt(index) + CONTROL_QUEUE] = queue;
    words[at + this.switchAt(index) + TABLE] = table;
  }

  #putAll(sink: Sink, installed: readonly (readonly [number, Installed])[]): void {
    for (const [index, outcome] of installed) this.#put(sink, index, outcome);
  }

  #take({ words, at }: Sink, index: number, packet: number): void {
    const word = at + this.switchAt(index) + QUEUE;
    words[word] = this.deliveries.packets.take(words[word]!, packet);
  }

  #arrive(words: Words, at: number, index: number, bag: number): void {
    const word = at + this.switchAt(index) + QUEUE;
    words[word] = this.deliveries.packets.union(words[word]!, bag);
  }

  #apply({ words, at }: Sink, { arrivals, received }: Effect): void {
    for (const [index, bag] of arrivals) this.#arrive(words, at, index, bag);
    for (const [client, packet] of received) {
      const word = at + this.clientAt(client);
      words[word] = this.config.keepsLastOnly
        ? packet + 1
        : this.deliveries.packets.add(words[word]!, packet);
    }
  }

  // ---- for people ----------------------------------------------------------------------------

  rulesOf(table: number): Rule[] {
    return this.control.tables.symbols(table).map((rule) => this.symbols.rules[rule]!);
  }

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

type CommandLists = readonly (readonly [at: number, list: number])[];

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

interface PreparedOutcome {
  readonly action: NetworkAction;
  readonly error: number | undefined;
  readonly next: number;
  readonly lists: CommandLists;
  readonly arrivals: readonly (readonly [at: number, bag: number])[];
}
