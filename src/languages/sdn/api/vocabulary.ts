/** Translates between names and values of a description and the indices of a `Network`. */
import { nth } from "../../../model/known.js";
import {
  freshPacket,
  visitedWord,
  type Arrival,
  type Command,
  type Endpoint,
  type PacketData,
  type PacketShape,
  type Place,
  type Rule,
} from "../../../model/network.js";
import type { Topology } from "../topology.js";
import type {
  Change,
  EndName,
  PacketFields,
  PacketOf,
  RuleDescription,
  Seen,
  SwitchCommand,
} from "./description.js";

/** A handler threw, or returned an invalid value. */
export class HandlerMistake extends Error {}

export class Vocabulary<F extends PacketFields> {
  constructor(
    readonly topology: Topology,
    readonly fields: F,
    readonly shape: PacketShape,
  ) {}

  data(packet: PacketOf<F>): PacketData {
    const positions = Object.entries(this.fields).map(([name, values]) =>
      this.#position(name, values, packet[name]),
    );
    return freshPacket(this.shape, positions);
  }

  packet(data: PacketData): PacketOf<F> {
    const entries = Object.entries(this.fields).map(([name, values], i) => [name, values[nth(data, i)]]);
    return Object.fromEntries(entries) as PacketOf<F>;
  }

  seen(data: PacketData, at: Endpoint): Seen<F> {
    const { switchNames, clientNames } = this.topology;
    const word = visitedWord(this.shape);
    return {
      packet: this.packet(data),
      node: nth(at.kind === "switch" ? switchNames : clientNames, at.index),
      port: at.port,
      visited: word < 0 ? [] : switchNames.filter((_, i) => (nth(data, word) & (1 << i)) !== 0),
    };
  }

  switch(name: string): number {
    const index = this.topology.switchNames.indexOf(name);
    if (index < 0) throw new HandlerMistake(`there is no switch '${name}'`);
    return index;
  }

  place(name: string): Place | undefined {
    const { switchNames, clientNames } = this.topology;
    const at = switchNames.indexOf(name);
    if (at >= 0) return { kind: "switch", index: at };
    const client = clientNames.indexOf(name);
    return client < 0 ? undefined : { kind: "client", index: client };
  }

  commands(given: Change<F, unknown, string>["commands"] = {}): Command[] {
    return Object.entries(given).flatMap(([name, list]) => {
      const at = this.switch(name);
      return list.map((command) => this.#command(at, command));
    });
  }

  /** Arrivals at the named switch port, or at all switch ports that the client is attached to. */
  arrivals(packet: PacketOf<F>, at: EndName): readonly Arrival[] {
    const { switches, clients, clientNames } = this.topology;
    const [node = "", port = ""] = at.split(":");
    const place = this.place(node);
    const data = this.data(packet);
    if (
      place?.kind === "switch" &&
      nth(switches, place.index).ports.some(({ number }) => number === Number(port))
    )
      return [{ switch: place.index, port: Number(port), data }];
    const attached = clients[clientNames.indexOf(node)]?.attached.filter(
      (each) => each.port === Number(port),
    );
    if (!attached || attached.length === 0) throw new HandlerMistake(`'${at}' leads into no switch`);
    return attached.map(({ switch: to, switchPort }) => ({ switch: to, port: switchPort, data }));
  }

  /** Arrivals at all switch ports that the client is attached to. */
  emissions(client: number, packet: PacketOf<F>): readonly Arrival[] {
    const data = this.data(packet);
    return nth(this.topology.clients, client).attached.map(({ switch: to, switchPort }) => ({
      switch: to,
      port: switchPort,
      data,
    }));
  }

  ports(at: number, ingress: number, given: readonly number[] | "flood" = []): readonly number[] {
    const { ports } = nth(this.topology.switches, at);
    if (given === "flood")
      return ports.filter(({ number, peer }) => number !== ingress && peer).map(({ number }) => number);
    return given;
  }

  #command(at: number, command: SwitchCommand<F>): Command {
    if (command === "barrier") return { kind: "barrier", switch: at };
    if ("add" in command) return { kind: "add", switch: at, rule: this.#rule(command.add) };
    return { kind: "del", switch: at, rule: this.#rule(command.remove) };
  }

  #rule({ priority, match = {}, port, ports, expires = false }: RuleDescription<F>): Rule {
    const wanted: Readonly<Record<string, unknown>> = match;
    for (const name of Object.keys(wanted))
      if (!Object.hasOwn(this.fields, name)) throw new HandlerMistake(`packets have no field '${name}'`);
    const fields = Object.entries(this.fields).map(([name, values]) =>
      wanted[name] === undefined ? undefined : this.#position(name, values, wanted[name]),
    );
    return { priority, fields, port, ports, expires };
  }

  #position(name: string, values: readonly unknown[], value: unknown): number {
    const position = values.indexOf(value);
    if (position < 0)
      throw new HandlerMistake(`${JSON.stringify(value)} is not a value of the field '${name}'`);
    return position;
  }
}
