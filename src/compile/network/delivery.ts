/**
 * Delivery of packets that a switch forwards, and its faults. Depends on little of a state (the packet, the ports, the failed
 * links), so it is computed once and kept.
 */
import {
  firstWaypoint,
  isInRegion,
  samePlace,
  visitedWord,
  type Copy,
  type Endpoint,
  type Network,
  type NetworkAction,
  type NetworkProperty,
  type PacketData,
  type PacketEvent,
  type Place,
} from "../../model/network.js";
import { Numbers } from "../../model/index.js";
import { Bags } from "./bags.js";
import type { NetworkConfig } from "./config.js";
import { Memo } from "./memo.js";
import type { Symbols } from "./symbols.js";

/** The effect of a delivery on a state. Pairs: a switch or client, and the packet it gets. */
export interface Effect {
  readonly arrivals: readonly (readonly [at: number, bag: number])[];
  /** Into the queues of clients that are not served at once: bags of packets. */
  readonly received: readonly (readonly [client: number, packet: number])[];
  readonly faults: readonly number[];
  /** Actions of clients in the same step. */
  readonly actions: readonly NetworkAction[];
  readonly copies: readonly Copy[];
}

export const nothing: Effect = { arrivals: [], received: [], faults: [], actions: [], copies: [] };

export class Deliveries {
  readonly packets: Bags;
  readonly failures: Bags;
  readonly #network: Network;
  readonly #config: NetworkConfig;
  readonly #symbols: Symbols;
  readonly #portLists = new Map<string, number>();
  readonly #known: Memo<readonly Effect[]>[] = [];
  /** Does any event or clients' property look at the controller's state? */
  readonly dependsOnControl: boolean;

  constructor(network: Network, config: NetworkConfig, symbols: Symbols, numbers = new Numbers()) {
    this.#network = network;
    this.#config = config;
    this.#symbols = symbols;
    this.packets = new Bags(config.countLimit, symbols.comparePackets, numbers);
    this.failures = new Bags(0, (a, b) => a - b, numbers);
    this.dependsOnControl = network.properties.some(
      ({ check, observes }) => observes.control && (check.form === "event" || observes.clientPackets), // sound: test/transforms/network/quick.test.ts test/transforms/network/random.test.ts
    );
  }

  /** The ways in which copies of the packet go out of those ports. `moment`: is the decision just made? */
  send(
    at: number,
    packet: number,
    ports: readonly number[],
    failed: number,
    control: number,
    isReply: boolean,
  ): readonly Effect[] {
    const list = this.#portList(ports) * 2 + (isReply ? 1 : 0);
    const memo = (this.#known[this.dependsOnControl ? control : 0] ??= new Memo());
    return memo.get(packet, at * 2 ** 24 + failed, list, () =>
      this.#deliver(at, packet, ports, failed, control, isReply),
    );
  }

  /** Does a decision of the controller to send the packet there violate something, at the moment it is made? */
  decisionFaults(at: number, packet: number, ports: readonly number[], control: number): number[] {
    const place: Endpoint = { kind: "switch", index: at, port: this.#symbols.packetAt(packet).port };
    const event = ports.length === 0 ? "dropped" : "forwarded";
    return this.faultsOf(event, this.#symbols.packetAt(packet).data, place, control, "decision");
  }

  faultsOf(
    event: PacketEvent,
    data: PacketData,
    at: Endpoint,
    control: number,
    moment?: "decision" | "execution",
  ): number[] {
    const state = this.#symbols.controls[control];
    return this.#sitesWhere(
      ({ check }) =>
        check.form === "event" &&
        check.events.includes(event) &&
        // sound: test/transforms/network/quick.test.ts test/transforms/network/random.test.ts
        (moment === undefined || check.moment === moment) &&
        check.isBad(data, at, state),
    );
  }

  /** The packet as it leaves the switch or reaches the client. */
  passing(place: Place, data: PacketData): PacketData {
    const { packet: shape } = this.#network;
    const word = visitedWord(shape);
    const isVisit = word >= 0 && place.kind === "switch";
    if (!isVisit && shape.waypoints.length === 0) return data;
    const passed = [...data];
    if (isVisit) passed[word] = data[word]! | (1 << place.index);
    shape.waypoints.forEach((chain, i) => {
      const next = chain[data[firstWaypoint(shape) + i]!];
      if (next && samePlace(next, place)) passed[firstWaypoint(shape) + i]!++;
    });
    return passed;
  }

  /** A packet that a client emits continues from the position of the received one. */
  emitted(received: PacketData | undefined, data: PacketData): PacketData {
    if (!received || this.#network.packet.waypoints.length === 0) return data;
    const from = firstWaypoint(this.#network.packet);
    return [...data.slice(0, from), ...received.slice(from)];
  }

  isServedAtOnce(client: number): boolean {
    return this.#config.clients === "atomic" && !this.#network.clients[client]!.receive?.touchesController; // sound: test/transforms/network/quick.test.ts test/transforms/network/random.test.ts
  }

  #deliver(
    at: number,
    packet: number,
    ports: readonly number[],
    failed: number,
    control: number,
    isReply: boolean,
  ): readonly Effect[] {
    const { port: ingress, data: before } = this.#symbols.packetAt(packet);
    const place: Endpoint = { kind: "switch", index: at, port: ingress };
    const data = this.passing(place, before);
    const moment = isReply ? "execution" : undefined;
    const event = ports.length === 0 ? "dropped" : "forwarded";
    const faults = this.faultsOf(event, before, place, control, moment);
    let effects: readonly Effect[] = [{ ...nothing, faults }];
    for (const port of ports) {
      const next = this.#copy(at, port, data, failed, control);
      effects = effects.flatMap((effect) => next.map((more) => this.join(effect, more)));
    }
    return effects;
  }

  /** One effect after the other. */
  join(first: Effect, second: Effect): Effect {
    if (first === nothing) return second;
    const arrivals = new Map(first.arrivals);
    for (const [at, bag] of second.arrivals) arrivals.set(at, this.packets.union(arrivals.get(at) ?? 0, bag));
    return {
      arrivals: [...arrivals],
      received: [...first.received, ...second.received],
      faults: [...new Set([...first.faults, ...second.faults])],
      actions: [...first.actions, ...second.actions],
      copies: [...first.copies, ...second.copies],
    };
  }

  #copy(at: number, port: number, data: PacketData, failed: number, control: number): readonly Effect[] {
    const { ports } = this.#network.switches[at]!;
    const found = ports.find(({ number }) => number === port);
    const to = found?.peer && !this.failures.has(failed, found.link) ? found.peer : undefined; // sound: test/compile/network/errors.test.ts test/transforms/network/quick.test.ts test/transforms/network/random.test.ts
    if (!to) {
      const faults = this.faultsOf("lost", data, { kind: "switch", index: at, port }, control);
      return [{ ...nothing, faults, copies: [{ port, to, data }] }];
    }
    if (to.kind === "client") return this.#give(to, port, this.passing(to, data), control);
    const symbol = this.#symbols.packet(to.port, data);
    return [
      { ...nothing, arrivals: [[to.index, this.packets.single(symbol)]], copies: [{ port, to, data }] },
    ];
  }

  #give(to: Endpoint, port: number, data: PacketData, control: number): readonly Effect[] {
    const faults = this.faultsOf("received", data, to, control);
    const copies = [{ port, to, data }];
    if (!this.isServedAtOnce(to.index)) {
      const symbol = this.#symbols.packet(to.port, data);
      return [{ ...nothing, received: [[to.index, symbol]], faults, copies }];
    }
    const state = this.#symbols.controls[control];
    const seen = this.#sitesWhere(
      ({ check }) =>
        check.form === "packets" && isInRegion(to, check.region) && !check.holds(data, to, state), // sound: test/transforms/network/quick.test.ts test/transforms/network/random.test.ts
    );
    const all = [...new Set([...faults, ...seen])];
    const { receive } = this.#network.clients[to.index]!;
    const outcomes = receive?.run(data, to.port, state) ?? [];
    if (outcomes.length === 0) {
      const action = this.#receive(to, data, 0, "", []);
      return [{ ...nothing, faults: all, actions: [action], copies }];
    }
    return outcomes
      .map(({ emits: wanted, label, error }, outcome) => {
        const emits = wanted.map((emit) => ({ ...emit, data: this.emitted(data, emit.data) }));
        const errors = error === undefined ? [] : [this.#network.properties.length + error]; // sound: test/compile/network/errors.test.ts
        return {
          arrivals: emits.map(
            (e) => [e.switch, this.packets.single(this.#symbols.packet(e.port, e.data))] as const,
          ),
          received: [],
          faults: [...all, ...errors],
          actions: [this.#receive(to, data, outcome, label, emits)],
          copies,
        };
      })
      .map((effect) => ({ ...effect, arrivals: this.join(nothing, effect).arrivals }));
  }

  #receive(
    { index: client, port }: Endpoint,
    packet: PacketData,
    outcome: number,
    label: string,
    emits: Extract<NetworkAction, { kind: "receive" }>["emits"],
  ): NetworkAction {
    return { kind: "receive", client, port, packet, outcome, label, emits };
  }

  #sitesWhere(isBad: (property: NetworkProperty) => boolean): number[] {
    return this.#network.properties.flatMap((property, site) => (isBad(property) ? [site] : []));
  }

  #portList(ports: readonly number[]): number {
    const key = ports.join();
    const known = this.#portLists.get(key);
    if (known !== undefined) return known;
    this.#portLists.set(key, this.#portLists.size);
    return this.#portLists.size - 1;
  }
}
