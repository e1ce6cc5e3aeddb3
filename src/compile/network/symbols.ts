/**
 * Interns the objects of a network: packets with the port they came through, rules, states of the controller, replies,
 * command lists. Numbers follow the order of discovery; the order of steps is decided by contents instead.
 */
import { Numbers, type Numbered } from "../../model/index.js";
import type { Command, ControlState, Network, PacketData, Rule } from "../../model/network.js";

/** A packet and the port through which it arrived. */
export interface Arrived {
  readonly port: number;
  readonly data: PacketData;
}

export class Symbols {
  readonly packets: readonly Arrived[];
  readonly rules: readonly Rule[];
  readonly controls: readonly ControlState[];
  readonly replies: readonly Reply[];
  /** Commands to one switch, in order: `rule * 2` adds, `rule * 2 + 1` deletes, -1 is a barrier. States do not contain their numbers. */
  readonly commandLists: (readonly number[])[] = [[]];
  readonly #network: Network;
  readonly #packets: Numbered<Arrived>;
  readonly #rules: Numbered<Rule>;
  readonly #controls: Numbered<ControlState>;
  readonly #replies: Numbered<Reply>;
  readonly #ruleKeys: string[] = [];
  readonly #commandIds = new Map<string, number>([["", 0]]);
  readonly #matches: boolean[][] = [];
  readonly #masks: string[] = [];

  constructor(network: Network, numbers = new Numbers()) {
    this.#network = network;
    this.#packets = numbers.kind(readPacket);
    this.#rules = numbers.kind(readRule);
    this.#controls = numbers.kind((key) => {
      if (!network.controller.stateOf) throw new Error("the controller's states have no text");
      return network.controller.stateOf(key);
    });
    this.#replies = numbers.kind(readReply);
    this.packets = this.#packets.things;
    this.rules = this.#rules.things;
    this.controls = this.#controls.things;
    this.replies = this.#replies.things;
    this.control(network.controller.initial);
  }

  packet(port: number, data: PacketData): number {
    return this.#packets.numberOf(`${port}|${data.join()}`, () => ({ port, data }));
  }

  /** Rules are equal if their ports are, in any order: it is the sorted one. */
  rule(rule: Rule): number {
    return this.#rules.numberOf(ruleKey(rule), () => ({ ...rule, ports: sorted(rule.ports) }));
  }

  control(state: ControlState): number {
    return this.#controls.numberOf(this.#network.controller.key(state), () => state);
  }

  reply(reply: Reply): number {
    const key = `${reply.packet}|${reply.ports.join()}|${reply.faults.join()}|${reply.behind}`;
    return this.#replies.numberOf(key, () => reply);
  }

  /** The commands addressed to that switch. */
  commandsTo(at: number, commands: readonly Command[]): number {
    const list = commands
      .filter((command) => command.switch === at)
      .map((c) => (c.kind === "barrier" ? -1 : this.rule(c.rule) * 2 + (c.kind === "del" ? 1 : 0)));
    const key = list.join();
    const known = this.#commandIds.get(key);
    if (known !== undefined) return known;
    this.#commandIds.set(key, this.commandLists.length);
    return this.commandLists.push(list) - 1;
  }

  matches(rule: number, packet: number): boolean {
    const known = (this.#matches[rule] ??= []);
    return (known[packet] ??= isMatch(this.ruleAt(rule), this.packetAt(packet)));
  }

  /** The non-wildcard fields of a rule, as text. */
  mask(rule: number): string {
    const { port, fields } = this.ruleAt(rule);
    return (this.#masks[rule] ??= [port, ...fields]
      .map((value) => (value === undefined ? "*" : "="))
      .join(""));
  }

  packetAt(number: number): Arrived {
    return known(this.packets, number);
  }

  ruleAt(number: number): Rule {
    return known(this.rules, number);
  }

  replyAt(number: number): Reply {
    return known(this.replies, number);
  }

  readonly comparePackets = (a: number, b: number): number => {
    const [left, right] = [this.packetAt(a), this.packetAt(b)];
    if (left.port !== right.port) return left.port - right.port;
    return left.data.map((value, i) => value - (right.data[i] ?? 0)).find((each) => each !== 0) ?? 0;
  };

  readonly compareRules = (a: number, b: number): number => {
    if (a === b) return 0;
    const order = this.ruleAt(b).priority - this.ruleAt(a).priority;
    return order !== 0 ? order : this.#ruleKey(a) < this.#ruleKey(b) ? -1 : 1;
  };

  #ruleKey(rule: number): string {
    return (this.#ruleKeys[rule] ??= ruleKey(this.ruleAt(rule)));
  }

  readonly compareMessages = (a: number, b: number): number => this.compareRules(a >> 1, b >> 1) || a - b;
}

/** The controller's reply, kept until the switch carries it out. */
export interface Reply {
  readonly packet: number;
  readonly ports: readonly number[];
  /** Faults of the decision: sites. */
  readonly faults: readonly number[];
  /** Number of earlier barriers to the switch that are not processed yet. */
  readonly behind: number;
}

export const ruleKey = ({ priority, port, fields, ports, expires }: Rule): string =>
  `${priority}|${port ?? "*"},${fields.map((value) => value ?? "*").join()}|${sorted(ports).join()}${expires ? "|t" : ""}`;

const isMatch = ({ port, fields }: Rule, arrived: Arrived): boolean =>
  (port === undefined || port === arrived.port) &&
  fields.every((value, i) => value === undefined || value === arrived.data[i]);

const sorted = (ports: readonly number[]): readonly number[] => ports.toSorted((a, b) => a - b);

function known<T>(things: readonly T[], number: number): T {
  const thing = things[number];
  if (thing === undefined) throw new Error(`no part of a state has the number ${number}`);
  return thing;
}

/** Inverse of the key of a packet. */
function readPacket(key: string): Arrived {
  const [port = "", data = ""] = key.split("|");
  return { port: Number(port), data: numbersIn(data) };
}

/** Inverse of `ruleKey`. */
function readRule(key: string): Rule {
  const [priority = "", match = "", ports = "", expires] = key.split("|");
  const [port, ...fields] = match
    .split(",")
    .filter((text) => text !== "")
    .map((text) => (text === "*" ? undefined : Number(text)));
  return {
    priority: Number(priority),
    port,
    fields,
    ports: numbersIn(ports),
    expires: expires !== undefined,
  };
}

/** Inverse of the key of a reply. */
function readReply(key: string): Reply {
  const [packet = "", ports = "", faults = "", behind = ""] = key.split("|");
  return {
    packet: Number(packet),
    ports: numbersIn(ports),
    faults: numbersIn(faults),
    behind: Number(behind),
  };
}

const numbersIn = (text: string): number[] => (text === "" ? [] : text.split(",").map(Number));
