/** The effect of forwarding a packet, as statements: one list for each combination of the receiving clients' choices. */
import {
  firstWaypoint,
  samePlace,
  visitedWord,
  type Arrival,
  type Endpoint,
  type Network,
  type PacketData,
  type Place,
} from "../../../model/network.js";
import type { Met } from "./met.js";
import type { Names } from "./names.js";
import { deliveryErrors, eventErrors, failure } from "./properties.js";

export interface Writing {
  readonly network: Network;
  readonly met: Met;
  readonly names: Names;
}

/** `moment`: when the controller decided where the packet goes; undefined: a rule did. */
export function forwarding(
  writing: Writing,
  at: number,
  packet: number,
  ports: readonly number[],
  moment: "execution" | undefined,
): readonly (readonly string[])[] {
  const { port: ingress, data } = writing.met.symbols.packets[packet]!;
  const place: Endpoint = { kind: "switch", index: at, port: ingress };
  const event = ports.length === 0 ? "dropped" : "forwarded";
  const passed = passing(writing.network, place, data);
  return ports
    .map((port) => copyTo(writing, at, port, passed))
    .reduce<readonly (readonly string[])[]>(
      (ways, next) => ways.flatMap((way) => next.map((more) => [...way, ...more])),
      [eventErrors(writing, event, data, place, moment)],
    );
}

/** The packet is there from now on. */
export function arriving({ met, names }: Writing, { switch: at, port, data }: Arrival): string {
  const packet = met.symbols.packet(port, data);
  return met.packets[at]!.has(packet) ? `${names.queued(at, packet)} := true;` : unmet("a packet");
}

/** Something that our own search never saw. */
export const unmet = (what: string): string => `error "${what} that was not met";`;

function copyTo(
  writing: Writing,
  at: number,
  port: number,
  data: PacketData,
): readonly (readonly string[])[] {
  const { network, names } = writing;
  const found = network.switches[at]!.ports.find(({ number }) => number === port);
  const lost = eventErrors(writing, "lost", data, { kind: "switch", index: at, port }, undefined);
  if (!found?.peer) return [lost];
  const ways = deliver(writing, found.peer, data);
  if (!network.links[found.link]!.mayFail) return ways;
  return ways.map((way) => [`if ${names.failed(found.link)} then`, ...lost, "else", ...way, "end;"]);
}

function deliver(writing: Writing, to: Endpoint, data: PacketData): readonly (readonly string[])[] {
  const { network, met, names } = writing;
  if (to.kind === "switch") return [[arriving(writing, { switch: to.index, port: to.port, data })]];
  const received = passing(network, to, data);
  const errors = eventErrors(writing, "received", received, to, undefined);
  const { receive } = network.clients[to.index]!;
  if (receive?.touchesController) {
    const packet = met.symbols.packet(to.port, received);
    const isMet = met.waiting[to.index]!.has(packet);
    return [[...errors, isMet ? `${names.waiting(to.index, packet)} := true;` : unmet("a packet")]];
  }
  const all = [...errors, ...deliveryErrors(writing, received, to)];
  const outcomes = receive?.run(received, to.port, met.symbols.controls[0]) ?? [];
  if (outcomes.length === 0) return [all];
  return outcomes.map(({ emits, error }) => [
    ...all,
    ...(error === undefined ? [] : [failure(network.errors[error]!.message)]),
    ...emits.map((emit) => arriving(writing, { ...emit, data: emitted(network, received, emit.data) })),
  ]);
}

/** The packet as it leaves the switch or reaches the client. */
function passing({ packet: shape }: Network, place: Place, data: PacketData): PacketData {
  const passed = [...data];
  const word = visitedWord(shape);
  if (word >= 0 && place.kind === "switch") passed[word]! |= 1 << place.index;
  shape.waypoints.forEach((chain, i) => {
    const counter = firstWaypoint(shape) + i;
    const next = chain[data[counter]!];
    if (next && samePlace(next, place)) passed[counter]!++;
  });
  return passed;
}

/** A packet that a client sends continues from the position of the received one. */
export const emitted = ({ packet: shape }: Network, received: PacketData, data: PacketData): PacketData => [
  ...data.slice(0, firstWaypoint(shape)),
  ...received.slice(firstWaypoint(shape)),
];
