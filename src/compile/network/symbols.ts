/**
 * Interns the objects of a network: packets with the port they came through, rules, states of the controller, replies,
 * command lists. Numbers follow the order of discovery; the order of steps is decided by contents instead.
 */
import type { Command, ControlState, Network, PacketData, Rule } from "../../model/network.js";

/** A packet and the port through which it arrived. */
export interface Arrived {
  readonly port: number;
  readonly data: PacketData;
}

export class Symbols {
  readonly packets: Arrived[] = [];
  readonly rules: Rule[] = [];
  readonly controls: ControlState[] = [];
  /** Commands to one switch, in order: `rule * 2` adds, `rule * 2 + 1` deletes, -1 is a barrier. */
  readonly commandLists: (readonly number[])[] = [[]];
  readonly replies: Reply[] = [];
  readonly #network: Network;
  readonly #packetIds = new Map<string, number>();
  readonly #ruleIds = new Map<string, number>();
  readonly #ruleKeys: string[] = [];
  readonly #controlIds = new Map<string, number>();
  readonly #commandIds = new Map<string, number>([["", 0]]);
  readonly #replyIds = new Map<string, number>();
  readonly #matches: boolean[][] = [];
  readonly #masks: string[] = [];

  constructor(network: Network) {
    this.#network = network;
    this.control(network.controller.initial);
  }

  packet(port: number, data: PacketData): number {
    const key = `${port}|${data.join()}`;
    return interned(this.#packetIds, key, () => this.packets.push({ port, data }) - 1);
  }

  rule(rule: Rule): number {
    const key = ruleKey(rule);
    return interned(this.#ruleIds, key, () => {
      this.#matches.push([]);
      this.#ruleKeys.push(key);
      return this.rules.push(rule) - 1;
    });
  }

  control(state: ControlState): number {
    const key = this.#network.controller.key(state);
    return interned(this.#controlIds, key, () => this.controls.push(state) - 1);
  }

  reply(reply: Reply): number {
    const key = `${reply.packet}|${reply.ports.join()}|${reply.faults.join()}|${reply.behind}`;
    return interned(this.#replyIds, key, () => this.replies.push(reply) - 1);
  }

  /** The commands addressed to that switch. */
  commandsTo(at: number, commands: readonly Command[]): number {
    const list = commands
      .filter((command) => command.switch === at)
      .map((c) => (c.kind === "barrier" ? -1 : this.rule(c.rule) * 2 + (c.kind === "del" ? 1 : 0)));
    const key = list.join();
    return interned(this.#commandIds, key, () => this.commandLists.push(list) - 1);
  }

  matches(rule: number, packet: number): boolean {
    return (this.#matches[rule]![packet] ??= isMatch(this.rules[rule]!, this.packets[packet]!));
  }

  /** The non-wildcard fields of a rule, as text. */
  mask(rule: number): string {
    const { port, fields } = this.rules[rule]!;
    return (this.#masks[rule] ??= [port, ...fields]
      .map((value) => (value === undefined ? "*" : "="))
      .join(""));
  }

  readonly comparePackets = (a: number, b: number): number => {
    const left = this.packets[a]!;
    const right = this.packets[b]!;
    if (left.port !== right.port) return left.port - right.port;
    const differs = left.data.findIndex((value, i) => value !== right.data[i]);
    return differs < 0 ? 0 : left.data[differs]! - right.data[differs]!;
  };

  readonly compareRules = (a: number, b: number): number => {
    if (a === b) return 0;
    const order = this.rules[b]!.priority - this.rules[a]!.priority;
    return order !== 0 ? order : this.#ruleKeys[a]! < this.#ruleKeys[b]! ? -1 : 1;
  };

  readonly compareMessages = (a: number, b: number): number => this.compareRules(a >> 1, b >> 1) || a - b;
}

/** The controller's reply, kept until the switch carries it out. */
export interface Reply {
  readonly packet: number;
  readonly ports: readonly number[];
  /** Faults of the decision: sites. */
  readonly faults: readonly number[];
  /** Number of earlier barriers to the switch that are not obeyed yet. */
  readonly behind: number;
}

export const ruleKey = ({ priority, port, fields, ports, expires }: Rule): string =>
  `${priority}|${port ?? "*"},${fields.map((value) => value ?? "*").join()}|${ports.toSorted((a, b) => a - b).join()}${expires ? "|t" : ""}`;

const isMatch = ({ port, fields }: Rule, arrived: Arrived): boolean =>
  (port === undefined || port === arrived.port) &&
  fields.every((value, i) => value === undefined || value === arrived.data[i]);

function interned(ids: Map<string, number>, key: string, make: () => number): number {
  const known = ids.get(key);
  if (known !== undefined) return known;
  const id = make();
  ids.set(key, id);
  return id;
}
