/**
 * Layout of a state, and its updates.
 *
 * A state is: the controller's state, the failed links, for each switch its packet queue, control queue, table and mode, for
 * each client its queue, the send count of each packet (if limited), and replies to barriers (if any). Each is one word: the
 * number of something interned, 0 in the initial state.
 *
 * The mode of a switch: 0 when it does not wait; `packet * 2 + 1` while the controller has its request; `(reply + 1) * 2`
 * when the reply is there.
 */
import { Numbers, type Words } from "../../model/index.js";
import type { Command, Network, NetworkAction, Rule } from "../../model/network.js";
import { Bags } from "./bags.js";
import { clashingRules } from "./clashes.js";
import type { NetworkConfig } from "./config.js";
import { ControlQueues, type Installed } from "./control-queues.js";
import { Deliveries, type Effect } from "./delivery.js";
import { Symbols } from "./symbols.js";

export const CONTROL = 0;
export const FAILED = 1;
const SWITCHES = 2;
const PER_SWITCH = 4;
export const QUEUE = 0;
export const CONTROL_QUEUE = 1;
export const TABLE = 2;
export const MODE = 3;

/** Takes successors. `begin` copies the state; `words` at `at` gives access to the latest one. */
export interface Sink {
  begin(): void;
  readonly words: Words;
  readonly at: number;
  /** Faults of this step: sites. */
  end(faults: readonly number[], actions: () => readonly NetworkAction[]): void;
  /** A step that has no successor. */
  fail(site: number, actions: () => readonly NetworkAction[]): void;
}

/** More than there are sets of failed links: a switch and a set make one number. */
export const MOST_FAILURES = 2 ** 24;

/** Lists of commands, interned, by switch. */
export type CommandLists = readonly (readonly [at: number, list: number])[];

export class StateParts {
  readonly network: Network;
  readonly config: NetworkConfig;
  readonly numbers: Numbers;
  readonly symbols: Symbols;
  readonly deliveries: Deliveries;
  readonly control: ControlQueues;
  readonly width: number;
  readonly sentAt: number;
  /** Replies to barriers on their way to the controller: a bag of switches; -1 where it does not listen to them. */
  readonly repliesAt: number;
  readonly replies: Bags;
  readonly isOpenFlow: boolean;

  /** `memory`: of the model whose numbers this one shares. */
  constructor(network: Network, config: NetworkConfig, memory?: SharedArrayBuffer) {
    this.network = network;
    this.config = config;
    this.numbers = new Numbers(memory);
    this.symbols = new Symbols(network, this.numbers);
    this.deliveries = new Deliveries(network, config, this.symbols, this.numbers);
    this.control = new ControlQueues(
      this.symbols,
      config,
      config.countsMessages ? clashingRules(network) : new Set(),
      this.numbers,
    );
    this.isOpenFlow = network.controller.barriers === "openflow";
    this.replies = new Bags(config.countLimit, (a, b) => a - b, this.numbers);
    this.sentAt = SWITCHES + PER_SWITCH * network.switches.length + network.clients.length;
    this.repliesAt = network.controller.barrierReply ? this.sentAt + 1 : -1;
    this.width = this.sentAt + (this.repliesAt >= 0 ? 2 : 1);
  }

  switchAt(index: number): number {
    return SWITCHES + PER_SWITCH * index;
  }

  clientAt(index: number): number {
    return SWITCHES + PER_SWITCH * this.network.switches.length + index;
  }

  rulesOf(table: number): Rule[] {
    return this.control.tables.symbols(table).map((rule) => this.symbols.ruleAt(rule));
  }

  listsOf(commands: readonly Command[]): CommandLists {
    return this.network.switches.flatMap((_, index) => {
      const list = this.symbols.commandsTo(index, commands);
      return list === 0 ? [] : [[index, list] as const];
    });
  }

  /** Every way in which the commands can come to their switches, in this state. */
  eachInstallation(
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

  barrierActions(installed: readonly (readonly [number, Installed])[]): NetworkAction[] {
    if (!this.config.mergesBarriers) return [];
    return installed.map(([index, { table }]) => ({
      kind: "barrier",
      switch: index,
      table: this.rulesOf(table),
    }));
  }

  begin(sink: Sink, index: number, installed: Installed): void {
    sink.begin();
    this.put(sink, index, installed);
  }

  put({ words, at }: Sink, index: number, { queue, table }: Installed): void {
    words[at + this.switchAt(index) + CONTROL_QUEUE] = queue;
    words[at + this.switchAt(index) + TABLE] = table;
  }

  putAll(sink: Sink, installed: readonly (readonly [number, Installed])[]): void {
    for (const [index, outcome] of installed) this.put(sink, index, outcome);
  }

  take({ words, at }: Sink, index: number, packet: number): void {
    const word = at + this.switchAt(index) + QUEUE;
    words[word] = this.deliveries.packets.take(words[word]!, packet);
  }

  arrive(words: Words, at: number, index: number, bag: number): void {
    const word = at + this.switchAt(index) + QUEUE;
    words[word] = this.deliveries.packets.union(words[word]!, bag);
  }

  apply({ words, at }: Sink, { arrivals, received }: Effect): void {
    for (const [index, bag] of arrivals) this.arrive(words, at, index, bag);
    for (const [client, packet] of received) {
      const word = at + this.clientAt(client);
      words[word] = this.config.keepsLastOnly
        ? packet + 1
        : this.deliveries.packets.add(words[word]!, packet);
    }
  }
}
