/**
 * Messages in transit, as numbered multisets of numbered packets.
 *
 * A message to several nodes is one packet until the last delivery. Equal messages are one choice. With `fifo`, a
 * packet is deliverable only if no earlier packet waits between the same two nodes; the order of sending for each pair
 * of nodes is then part of the state. Duplicates are exempt from this order, like a retransmission after later
 * messages.
 */
import type { NetworkDefinition } from "./define.js";
import type { Journal, Table } from "../../model/journal.js";
import { nth } from "../../model/known.js";

export interface Packet {
  readonly from: number;
  /** Remaining receivers, in order. */
  readonly to: readonly number[];
  readonly message: string;
  /** A duplicate of a delivered packet: even with `fifo`, it may arrive after later packets. */
  readonly isCopy?: true;
}

export interface Loss {
  readonly packet: number;
  /** Contents of the network without it. */
  readonly left: number;
}

export class Network {
  /** Packets by number, from 0. */
  readonly #packets: Packet[] = [];
  readonly #packetNumbers = new Map<string, number>();
  readonly #keys: string[] = [];
  readonly #deliverable: (readonly number[])[] = [];
  readonly #losses: (readonly Loss[])[] = [];
  /** Contents by number, from 1: 1 is the empty network. */
  readonly #contents: (readonly number[])[] = [[]];
  readonly #contentNumbers = new Map<string, number>([["", 1]]);
  readonly #capacity: number;
  readonly #isFifo: boolean;
  readonly #links: readonly (readonly boolean[])[];
  /** Numbering shared by several threads. */
  readonly #shared:
    { readonly journal: Journal; readonly packets: Table; readonly contents: Table } | undefined;

  constructor(
    names: readonly string[],
    { capacity = Infinity, order = "any", links }: NetworkDefinition,
    journal?: Journal,
  ) {
    this.#shared = journal && {
      journal,
      packets: journal.table((_, key, note) => this.#addPacket(key, JSON.parse(note) as Packet)),
      contents: journal.table((_, key) => this.#addContent(key, key.split(",").map(Number))),
    };
    this.#capacity = capacity;
    this.#isFifo = order === "fifo";
    const isLinked = (a: string, b: string): boolean =>
      !links || links.some(([x, y]) => (x === a && y === b) || (x === b && y === a));
    this.#links = names.map((a) => names.map((b) => a !== b && isLinked(a, b)));
  }

  get capacity(): number {
    return this.#capacity;
  }

  neighbours(node: number): number[] {
    return nth(this.#links, node).flatMap((isLinked, other) => (isLinked ? [other] : []));
  }

  packet(number: number): Packet {
    return this.#packets[number] ?? nth(this.#caughtUp().#packets, number);
  }

  /** Deliverable packets without duplicates, ordered by content: numbers depend on discovery, but traces must not. */
  deliverable(content: number): readonly number[] {
    return (this.#deliverable[content] ??= this.#findDeliverable(content));
  }

  #findDeliverable(content: number): readonly number[] {
    const packets = this.packets(content);
    const first = this.#isFifo ? this.#firstOfLinks(packets) : [...new Set(packets)];
    return first.sort((a, b) => (nth(this.#keys, a) < nth(this.#keys, b) ? -1 : 1));
  }

  #firstOfLinks(packets: readonly number[]): number[] {
    const blocked = new Set<string>();
    return [...new Set(packets)].filter((number) => {
      const { from, to, isCopy } = this.packet(number);
      if (isCopy) return true; // sound: test/code/system/network.test.ts
      const link = `${from} ${to[0]}`;
      if (blocked.has(link)) return false;
      blocked.add(link);
      return true;
    });
  }

  /** All distinct results of losing one packet, queued ones included, since they occupy the network. */
  losses(content: number): readonly Loss[] {
    return (this.#losses[content] ??= this.#findLosses(content));
  }

  #findLosses(content: number): readonly Loss[] {
    if (!this.#isFifo)
      return this.deliverable(content).map((packet) => ({ packet, left: this.without(content, packet) }));
    const packets = this.packets(content);
    const losses = packets.map((packet, place) => ({
      packet,
      left: this.#number(packets.toSpliced(place, 1)),
    }));
    return [...new Map(losses.map((loss) => [loss.left, loss])).values()];
  }

  /** Losses for one receiver that is partitioned from the sender. */
  cuts(content: number, isApart: (a: number, b: number) => boolean): readonly Loss[] {
    const isCut = (packet: number, node: number): boolean => isApart(this.packet(packet).from, node);
    if (this.#isFifo)
      return this.losses(content).filter(({ packet }) => isCut(packet, nth(this.packet(packet).to, 0))); // sound: test/code/system/network.test.ts
    return this.deliverable(content).flatMap((packet) =>
      this.packet(packet)
        .to.filter((node) => isCut(packet, node)) // sound: test/code/system/network.test.ts
        .map((node) => ({ packet, left: this.delivered(content, packet, node) })),
    );
  }

  packets(content: number): readonly number[] {
    return this.#contents[content - 1] ?? nth(this.#caughtUp().#contents, content - 1);
  }

  /** The packets in an order that does not depend on discovery. */
  inOrder(content: number): readonly Packet[] {
    const packets = [...this.packets(content)];
    const isFree = (number: number): boolean => !this.#isFifo || this.packet(number).isCopy === true;
    const free = packets.filter(isFree).sort((a, b) => (nth(this.#keys, a) < nth(this.#keys, b) ? -1 : 1));
    return [...packets.filter((number) => !isFree(number)), ...free].map((number) => this.packet(number));
  }

  /** Reads numbers assigned by other threads. */
  #caughtUp(): this {
    this.#shared!.journal.catchUp();
    return this;
  }

  /** Removes one copy of the packet. */
  without(content: number, packet: number): number {
    const packets = [...this.packets(content)];
    packets.splice(packets.indexOf(packet), 1);
    return this.#number(packets);
  }

  /** Contents after a delivery to one receiver. */
  delivered(content: number, packet: number, receiver: number): number {
    const { from, to, message } = this.packet(packet);
    const rest = to.toSpliced(to.indexOf(receiver), 1); // sound: test/code/system/network.test.ts
    const left = this.without(content, packet);
    return rest.length === 0
      ? left
      : this.#number([...this.packets(left), this.#intern({ from, to: rest, message })]);
  }

  /** Contents after a delivery that leaves a duplicate. */
  repeated(content: number, packet: number): number {
    if (!this.#isFifo) return content;
    const copy = this.#intern({ ...this.packet(packet), isCopy: true });
    return this.#number([...this.packets(this.without(content, packet)), copy]); // sound: test/code/system/network.test.ts
  }

  /** Adds a packet if there is room and a receiver; `isApart`: whether two nodes are partitioned. */
  sent(
    content: number,
    from: number,
    to: readonly number[] | undefined,
    message: string,
    isApart: (a: number, b: number) => boolean,
  ): number {
    let packets = this.packets(content);
    for (const group of this.receivers(from, to, isApart))
      if (packets.length < this.#capacity) packets = [...packets, this.#intern({ from, to: group, message })];
    return this.#number(packets);
  }

  /** Receivers of each packet of a message: one packet per receiver, or one for all. */
  receivers(
    from: number,
    to: readonly number[] | undefined,
    isApart: (a: number, b: number) => boolean,
  ): readonly (readonly number[])[] {
    const all = (to ?? nth(this.#links, from).map((_, node) => node)).filter(
      (node) =>
        (node === from ? to !== undefined : nth(nth(this.#links, from), node)) && !isApart(from, node),
    );
    if (this.#isFifo) return all.map((node) => [node]);
    return all.length === 0 ? [] : [all];
  }

  /**
   * Whether another packet enables no new step. With `fifo` it must wait behind another between the same nodes and must
   * not be lost, which would be a new step; otherwise an equal packet must be in transit.
   */
  isCovered(content: number, { from, to, message }: Packet, mayBeLost: boolean): boolean {
    const packets = this.packets(content);
    if (this.#isFifo && mayBeLost) return false; // sound: test/code/system/network.test.ts
    if (this.#isFifo)
      return packets.some((number) => {
        const other = this.packet(number);
        return other.from === from && other.to[0] === to[0] && !other.isCopy; // sound: test/code/system/network.test.ts
      });
    const known = this.#packetNumbers.get(keyOf({ from, to, message }));
    return known !== undefined && packets.includes(known);
  }

  #intern(packet: Packet): number {
    const key = keyOf(packet);
    const known = this.#packetNumbers.get(key);
    if (known !== undefined) return known;
    if (this.#shared) return this.#shared.packets.number(key, () => JSON.stringify(packet));
    return this.#addPacket(key, packet);
  }

  #addPacket(key: string, packet: Packet): number {
    const number = this.#packets.push(packet) - 1;
    this.#keys.push(key);
    this.#packetNumbers.set(key, number);
    return number;
  }

  #number(packets: readonly number[]): number {
    const sorted = this.#isFifo ? this.#byLink(packets) : [...packets].sort((a, b) => a - b);
    const key = sorted.join();
    const known = this.#contentNumbers.get(key);
    if (known !== undefined) return known;
    if (this.#shared) return this.#shared.contents.number(key) + FIRST_CONTENT;
    return this.#addContent(key, sorted);
  }

  #addContent(key: string, packets: readonly number[]): number {
    const number = this.#contents.push(packets);
    this.#contentNumbers.set(key, number);
    return number;
  }

  /** Ignores the order between different pairs of nodes, and the order of duplicates. */
  #byLink(packets: readonly number[]): number[] {
    const isCopy = (number: number): boolean => this.packet(number).isCopy === true;
    const link = (number: number): number => this.packet(number).from * 1000 + nth(this.packet(number).to, 0);
    return [
      ...packets.filter((number) => !isCopy(number)).sort((a, b) => link(a) - link(b)),
      ...packets.filter(isCopy).sort((a, b) => a - b),
    ];
  }
}

const keyOf = ({ from, to, message, isCopy }: Packet): string =>
  `${from} ${to.join()}${isCopy ? " again" : ""} ${message}`; // sound: test/code/system/network.test.ts

/** Number of the first non-empty contents. */
const FIRST_CONTENT = 2;
